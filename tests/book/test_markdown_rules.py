"""Rules of Markdown on right and wrong sources."""

from __future__ import annotations

import pytest

from interview_book.book.markdown_rules import headings, markdown_findings, paragraphs, title_findings


def _rules(text):
    return [one.rule for one in markdown_findings(text)]


@pytest.mark.parametrize(
    ("rule", "wrong", "right"),
    [
        ("bold-edge", "これは**「重要」**です", "これは「**重要**」です"),
        ("bold-edge", "這是**重點。**接著", "這是**重點**。接著"),
        ("bold-edge", "係数は**$c$**で割る", "**係数** $c$ で割る"),
        ("bold-edge", "**`scores`** を見る", "`scores` を見る"),
        ("bold-edge", "**スケール（倍率）**は", "**スケール**（倍率）は"),
        ("bold-edge", "```{tip} 題\n**注意：**本文\n```", "```{tip} 題\n**注意**：本文\n```"),
        ("bold-unclosed", "これは**重要です", "これは**重要**です"),
        ("italics", "これは*重要*です", "これは 2 * 3 です"),
        ("italics", "これは _重要_ です", "d_model と d_k の差"),
        ("soft-break", "一行目です\n二行目です", "一行目です二行目です"),
        ("soft-break", "- 項目\n  続き", "- 項目\n- 次の項目"),
        ("soft-break", "> 引用\n> 続き", "> 引用\n\n> 別の引用"),
        ("soft-break", "```{tip} 題\n一行目\n二行目\n```", "```{tip} 題\n一行目\n\n二行目\n```"),
        ("han-in-formula", "差は $x_{次元}$ です", "次元の差は $x$ です"),
        ("han-in-formula", "$a，b$", "$a, b$"),
        ("han-in-formula", "価格は$5と$10です", r"価格は\$5 と \$10 です"),
        ("formula-unclosed", "価格は $5 です", r"価格は \$5 です"),
        ("tex-in-title", "(a)=\n## $\\sqrt{d_k}$ で割る", "(a)=\n## √dₖ で割る"),
    ],
)
def test_wrong_and_right(rule, wrong, right):
    assert _rules(right) == []
    assert rule in _rules(wrong)


@pytest.mark.parametrize("title", [r"\frac{1}{2}", "$d_k$", "x^{2}", "d_{k}"])
def test_tex_in_a_title(title):
    assert [one.rule for one in title_findings(title)] == ["tex-in-title"]


@pytest.mark.parametrize("title", ["√dₖ で割る", "ヤコビ行列は p(1 − p) だけ", "d_model と n²"])
def test_no_tex_in_a_title(title):
    assert title_findings(title) == []


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\ny = **z\n```",
        "<ul>\n<li>一つ</li>\n</ul>",
        "{.actions}\n[読む](a.ipynb){.button}",
        "(label)=\n## 題",
        "| a | b |\n|---|---|\n| 一 | 二 |",
        "$$\na\n+ b\n$$",
        "一行目です\\\n改行です",
        "`**` は太字の印です",
    ],
)
def test_lines_that_are_no_soft_break(text):
    assert _rules(text) == []


def test_headings_outside_of_fences():
    assert headings("# 一\n\n```python\n# 二\n```\n### 三 ") == [(1, "一"), (3, "三")]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("一\n\n二", 2),
        ("一\n\n\n二\n", 2),
        ("- a\n- b", 1),
        ("```{tip} 題\n一\n\n二\n```", 2),
        ("```python\n\n1\n\n```", 0),
    ],
)
def test_paragraphs(text, count):
    assert paragraphs(text) == count


def test_bold_in_a_book(book):
    book.replace("read-ja", "**要点**：", "**要点：**")
    book.expect("bold-edge", "«**要点：**»", where="cell 5 (read-ja)")


def test_raw_tex_in_a_title(book):
    book.replace("h-division-zh-Hant", "√dₖ", r"$\sqrt{d_k}$")
    found = {rule for _, rule, _ in book.faults()}
    assert found == {"tex-in-title", "parity-formulas"}
