"""The files beside the pages."""

import re

import pytest

from interview_book.book import assets


@pytest.fixture(scope="module")
def folder(root, tmp_path_factory):
    out = tmp_path_factory.mktemp("assets")
    assets.write(out, root)
    return out


def test_everything_a_page_asks_for_is_there(folder):
    scripts = {"theme.js", "book.js", "widgets.js", "deck.js"}
    names = {"katex.min.css", "tokens.css", "book.css", "mark.svg", "fonts", *scripts}
    assert {one.name for one in folder.iterdir()} == names


def test_fonts_are_those_the_stylesheet_names_first(folder):
    sheet = (folder / "katex.min.css").read_text(encoding="utf-8")
    asked = set(re.findall(r"fonts/([\w-]+\.woff2)", sheet))
    assert set(re.findall(r"fonts/[\w-]+\.(\w+)\)", sheet)) == {"woff2"}
    assert asked == {one.name for one in (folder / "fonts").iterdir()} and len(asked) == 20


def test_stylesheets_are_small_and_mean_the_same(folder):
    source = assets.book_css()
    text = (folder / "book.css").read_text(encoding="utf-8")
    assert len(text) < len(source) and "/*" not in text.replace("/*!", "")
    assert text.count("{") == source.count("{")
    tokens = (folder / "tokens.css").read_text(encoding="utf-8")
    assert "light-dark(#fafbf8,#111e1a)" in tokens.replace(", ", ",")


def test_the_stepper_s_rules_have_their_place(monkeypatch, tmp_path):
    made = assets.book_css()
    assert made.index(".stepper .stage-place {") < made.index("/* == stepper without scripts")
    assert made.index("@media (max-width: 519px) {\n  .stepper .controls") > made.index(".stepper .lookups {")
    assert "@container stepper" not in made
    other = tmp_path / "stepper_layout.css"
    other.write_text("@container stepper (max-width: 20rem) { .stepper .live { color: red; } }", encoding="utf-8")
    monkeypatch.setattr(assets, "_LAYOUT", other)
    with pytest.raises(AssertionError, match="another; name it"):
        assets.book_css()
    monkeypatch.setattr(assets, "_LAYOUT_HERE", "/* nowhere */")
    with pytest.raises(AssertionError, match=r"expected one line .* got 0"):
        assets.book_css()


def test_the_theme_s_scripts_name_no_missing_source_map(folder):
    text = (folder / "theme.js").read_text(encoding="utf-8")
    assert "sourceMappingURL" not in text
    # The book theme's part first: it must see a click on the contents button before the other part does.
    assert text.index("toggleFullScreen") < text.index("Resetting to auto")


def test_the_digest_follows_names_and_contents(tmp_path):
    (tmp_path / "a").write_text("1", encoding="utf-8")
    first = assets.digest(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{8}", first) and assets.digest(tmp_path) == first
    (tmp_path / "a").write_text("2", encoding="utf-8")
    second = assets.digest(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert len({first, second, assets.digest(tmp_path)}) == 3


def test_no_rule_looks_at_every_change_of_every_page():
    """``:has(+ :not(.x))`` names nothing that must be there: every new element of a page would be asked; it took ms."""
    css = assets.book_css() + (assets.HERE / "static" / "tokens.css").read_text(encoding="utf-8")
    css += (assets.HERE.parent / "widgets" / "stepper.css").read_text(encoding="utf-8")
    inner = re.findall(r":has\(((?:[^()]|\([^()]*\))*)\)", css)
    assert len(inner) > 20
    for one in inner:
        for choice in re.sub(r":not\([^()]*\)", "", one).split(","):
            assert re.search(r"[.#:\[]?[a-z]", choice.strip(" >+~*")), f":has({one})"
