"""The deck's stylesheet: the book's look inside a notebook, and nothing of it outside of the deck."""

import re

import pytest

from interview_book.book import deck_style

STATIC = deck_style.Path(deck_style.__file__).with_name("static")


@pytest.fixture(scope="module")
def sheet(root):
    return deck_style.sheet(root)


def selectors(text):
    """Every selector outside of conditions and keyframes, and the conditions with theirs."""
    for head, body in deck_style._rules(text):
        if head.startswith(("@container", "@media", "@supports")):
            yield from selectors(body)
        elif not head.startswith("@"):
            yield from deck_style._split(head)


def test_no_rule_reaches_beyond_the_deck(sheet):
    found = list(selectors(sheet))
    assert len(found) > 150
    theme = ":is([data-jp-theme-light=false],.vscode-dark,[theme=dark]) .deck-notebook"
    outside = [one for one in found if not one.startswith(".deck-notebook")]
    assert [one.replace(", ", ",").replace('"', "") for one in outside] == [theme]


def test_only_fonts_and_conditions_are_not_scoped(sheet):
    heads = {head.split(" ")[0].split("(")[0] for head, _ in deck_style._rules(sheet) if head.startswith("@")}
    assert heads <= {"@font-face", "@keyframes", "@container", "@media"}
    assert "@media print" not in sheet and "data-theme" not in sheet
    assert re.search(r"@container deck ?\(max-width: ?599px\)", sheet)


def test_what_the_deck_needs_is_there(sheet):
    for wanted in (
        ".q-ask",
        ".grade.proposed",
        ".timer-bar",
        ".rubric",
        ".fold",
        ".button.primary",
        ".segments",
        ".path",
    ):
        assert f".deck-notebook {wanted}" in sheet.replace(" > ", ">").replace("summary", "summary"), wanted
    assert "--accent: light-dark(#065b44, #84dcb8)" in sheet
    assert ".deck-notebook .katex-html{display:none}" in sheet.replace(" {", "{").replace(": ", ":").replace(";}", "}")
    for page_only in (".bd-header", ".passage-link", ".hero", ".bd-sidebar-primary"):
        assert not re.search(rf"{re.escape(page_only)}\s*\{{", sheet), page_only


def undefined(sheet):
    return set(re.findall(r"var\((--[\w-]+)\)", sheet)) - set(re.findall(r"(--[\w-]+):", sheet))


def test_every_token_that_is_used_is_defined(sheet):
    page = "".join((STATIC / name).read_text(encoding="utf-8") for name in ("tokens.css", "book.css"))
    assert "--t" in undefined(page), "set by the element itself"
    assert undefined(sheet) <= undefined(page)


def test_sections_by_name():
    text = "/* == one == */\na {}\n/* == two: with a note == */\nb {}\n/* no name */\nc {}\n"
    assert {name: body.strip() for name, body in deck_style.sections(text).items()} == {
        "one": "a {}",
        "two": "b {}\n/* no name */\nc {}",
    }


@pytest.mark.parametrize(
    ("rule", "scoped"),
    [
        (".a, .b:is(.c, .d) { x: y }", ".deck-notebook .a, .deck-notebook .b:is(.c, .d) { x: y }"),
        (":root { --x: 1 }", ".deck-notebook { --x: 1 }"),
        ("html, [lang] { x: y }", ".deck-notebook, .deck-notebook [lang] { x: y }"),
        ("body:not(.is-root) .a { x: y }", ".deck-notebook:not(.is-root) .a { x: y }"),
        ("*, ::before { x: y }", ".deck-notebook *, .deck-notebook ::before { x: y }"),
        ("htmlish { x: y }", ".deck-notebook htmlish { x: y }"),
        ('html[data-theme="dark"] { x: y }', ""),
        ("@media print { .a { x: y } }", ""),
        ("@page { size: A4 }", ""),
        (".hero p, .a { x: y }", ".deck-notebook .a { x: y }"),
        (".bd-header .a { x: y }", ""),
        (":is(h1, .brand, .q-ask):lang(ja) { x: y }", ".deck-notebook :is(h1, .brand, .q-ask):lang(ja) { x: y }"),
        ("@font-face { font-family: F }", "@font-face { font-family: F }"),
        ("@keyframes a { from { x: y } }", "@keyframes a { from { x: y } }"),
        (
            "@media (max-width: 599px) { .a { x: y } }",
            "@container deck (max-width: 599px) {\n.deck-notebook .a { x: y }\n}",
        ),
        (
            "@media (prefers-contrast: more) { :root { x: y } }",
            "@media (prefers-contrast: more) {\n.deck-notebook { x: y }\n}",
        ),
        ('.a { content: "}" }', '.deck-notebook .a { content: "}" }'),
        ("/* .z { } */ .a { x: y }", ".deck-notebook .a { x: y }"),
    ],
)
def test_rules_one_by_one(rule, scoped):
    assert deck_style.scoped(rule) == scoped


def test_a_section_that_was_renamed_is_missed(root, monkeypatch):
    monkeypatch.setattr(deck_style, "SECTIONS", (*deck_style.SECTIONS, "cards"))
    with pytest.raises(AssertionError, match=r"book\.css has no section cards"):
        deck_style.sheet(root)
