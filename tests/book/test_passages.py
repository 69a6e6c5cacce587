"""The shape of a chapter: each rule on a book that breaks it in one place."""

from __future__ import annotations

import pytest

from interview_book.book.passages import MOST_UNITS, formula_findings, half_findings


def _move_last(name):
    def action(notebook):
        cells = notebook["cells"]
        cells.append(cells.pop(next(i for i, cell in enumerate(cells) if cell["id"] == name)))

    return action


def _remove(name):
    def action(notebook):
        notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != name]

    return action


def test_a_missing_chinese_half(book):
    book.change(_remove("tip-zh-Hant"))
    book.expect("missing-half", "繁體中文 half (tag lang-zh-Hant) right after", where="cell 10 (tip-ja)")


def test_a_missing_japanese_half(book):
    book.change(_remove("tip-ja"))
    book.expect("missing-half", "日本語 half (tag lang-ja) right before", where="(tip-zh-Hant)")


def test_halves_that_are_not_neighbours(book):
    book.change(_move_last("tip-zh-Hant"))
    found = book.faults()
    assert [rule for _, rule, _ in found] == ["missing-half", "missing-half"]
    assert {place.rsplit("(")[1] for place, _, _ in found} == {"tip-ja)", "tip-zh-Hant)"}


def test_an_unknown_language_tag(book):
    book.cell("figure", lambda cell: cell["metadata"].update(tags=["lang-zh-CN"]))
    book.expect("unknown-language", "lang-ja, lang-zh-Hant", "lang-zh-CN", where="figure")


@pytest.mark.parametrize(
    ("name", "tags", "said"),
    [
        ("figure", ["lang-ja"], "no language on a code cell"),
        ("figure", ["remove-imput"], "on a code cell, found 'remove-imput'"),
        ("tip-ja", ["lang-ja", "wide"], "only a language tag on a Markdown cell, found 'wide'"),
        ("tip-ja", ["lang-ja", "lang-zh-Hant"], "one language tag"),
    ],
)
def test_tags(book, name, tags, said):
    book.cell(name, lambda cell: cell["metadata"].update(tags=tags))
    book.expect("tags", said, where=name)


def test_a_raw_cell(book):
    raw = {"cell_type": "raw", "id": "r", "metadata": {}, "source": "x"}
    book.change(lambda notebook: notebook["cells"].append(raw))
    assert ("chapters/example.ipynb: cell 16 (r)", "cell-type") in [(place, rule) for place, rule, _ in book.faults()]


@pytest.mark.parametrize(
    ("name", "new", "said"),
    [
        ("tip-ja", "tip", "ends in -ja, found 'tip'"),
        ("figure", "Figure_1", "a-z, 0-9 and single hyphens"),
        ("figure", "x" * 65, "at most 64"),
        ("figure", "figure-ja", "no language in the id"),
        ("figure", "weights", "each id once"),
    ],
)
def test_cell_ids(book, name, new, said):
    book.cell(name, lambda cell: cell.update(id=new))
    found = [message for _, rule, message in book.faults() if rule == "cell-id"]
    assert any(said in message for message in found), found


def test_halves_with_two_names(book):
    book.cell("tip-zh-Hant", lambda cell: cell.update(id="hint-zh-Hant"))
    book.expect("cell-id", "one name for both halves, found 'tip' and 'hint'", where="tip-ja")


def test_labels_that_differ(book):
    book.replace("h-division-zh-Hant", "(division)=", "(divide)=")
    book.expect("parity-label", "'division' and 'divide'", where="h-division-ja")


def test_a_heading_in_one_half_only(book):
    book.write("h-division-zh-Hant", "除以平方根。")
    book.expect("parity-heading", "levels [2] and []", where="h-division-ja")


@pytest.mark.parametrize(
    "text", ["## 割る", "(division)=\n## 割る\n\n本文です。", "本文です。\n\n(division)=\n## 割る"]
)
def test_a_heading_stands_alone_below_its_label(text):
    assert [one.rule for one in half_findings(text)] == ["heading"]


def test_a_heading_with_its_label_is_clean():
    assert half_findings("(division)=\n## 割る") == []


@pytest.mark.parametrize("label", ["分割", "Division", "two words", "p-division", "2d", ""])
def test_a_label_is_ascii(label):
    found = half_findings(f"({label})=\n## 割る")
    assert [one.rule for one in found] == ["label"]
    assert repr(label) in found[0].message


def test_a_label_in_the_middle_of_a_passage():
    assert [one.rule for one in half_findings("本文です。\n\n(here)=\n続きです。")] == ["label"]


def test_a_label_used_twice(book):
    for tag in ("ja", "zh-Hant"):
        book.replace(f"title-{tag}", "(glossary-title)", "(division)", slug="glossary")
    book.expect("duplicate-label", "'division' in chapters/example.ipynb cell 8 (h-division-ja)", where="glossary")


def test_a_label_that_is_a_documents_name(book):
    for tag in ("ja", "zh-Hant"):
        book.replace(f"title-{tag}", "(glossary-title)", "(glossary)", slug="glossary")
    book.expect("label-document", "no document's name, found 'glossary'", where="glossary.ipynb: cell 0")


def test_a_figure_and_a_formula_share_the_pool_of_labels(book):
    book.replace("softmax", "(softmax)", "(division)")
    assert "duplicate-label" in [rule for _, rule, _ in book.faults()]


def test_an_empty_half(book):
    book.both("tip", "", "")
    book.expect("empty-cell", "found an empty half")


def test_too_many_paragraphs():
    assert half_findings("一。\n\n二。\n\n三。") == []
    found = half_findings("一。\n\n二。\n\n三。\n\n四。")
    assert [(one.rule, "found 4" in one.message) for one in found] == [("long-passage", True)]


def test_paragraphs_of_an_admonition_count():
    assert [one.rule for one in half_findings("一。\n\n```{tip} 題\n二。\n\n三。\n\n四。\n```")] == ["long-passage"]


def test_a_list_is_one_paragraph():
    assert half_findings("一。\n\n- a\n- b\n- c\n- d\n\n三。") == []


@pytest.mark.parametrize("text", ["本文です。", "$$\nx\n$$\n\n本文", "$$x$$\n$$y$$", "$x$", "# Title"])
def test_an_untagged_cell_is_one_formula(text):
    assert [one.rule for one in formula_findings(text)] == ["untagged-text"]


@pytest.mark.parametrize(
    "text", ["$$x$$", "$$\nx\n$$ (odds)", "$$\n\\begin{aligned}\na &= b\n\\end{aligned}\n$$ (a-b)\n"]
)
def test_one_formula_with_or_without_label_is_clean(text):
    assert formula_findings(text) == []


def test_an_equation_label_is_ascii():
    assert [one.rule for one in formula_findings("$$x$$ (比)")] == ["label"]


def test_too_many_units(book):
    def action(notebook):
        cells = notebook["cells"]
        for index in range(MOST_UNITS):
            cells.append({"cell_type": "markdown", "id": f"f{index}", "metadata": {}, "source": "$$x$$"})

    book.change(action)
    book.expect("long-chapter", f"at most {MOST_UNITS} units", f"found {MOST_UNITS + 10}")


def test_a_chapter_without_its_title_first(book):
    book.change(lambda notebook: notebook["cells"].insert(0, notebook["cells"].pop(2 + 2)))
    assert {rule for _, rule, _ in book.faults()} == {"heading-level"}


@pytest.mark.parametrize(
    ("heading", "said"), [("# 割る", "one title, found 2"), ("### 割る", "without a gap, found ### right below #")]
)
def test_heading_levels(book, heading, said):
    for tag in ("ja", "zh-Hant"):
        book.write(f"h-division-{tag}", f"(division)=\n{heading}" if tag == "ja" else f"(division)=\n{heading[:-2]}除")
    book.expect("heading-level", said)
