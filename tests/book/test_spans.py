"""Cutting Markdown: what is read, what is maths, what only the machine sees."""

from __future__ import annotations

import pytest

from interview_book.book.spans import CODE, EQUATION, FIGURE, MATH, blocks, blocks_by_language, lines, maths


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("一行です", ("一行です",)),
        ("# 題\n\n本文", ("題", "本文")),
        ("- 一つ\n- 二つ\n\n1. 三つ", ("一つ", "二つ", "三つ")),
        ("> 引用", ("引用",)),
        ("| a | b |\n|---|---|\n| 一 | 二 |", ("a", "b", "一", "二")),
        ("```{tip} 題\n本文 `x`\n```", ("題", f"本文 {CODE}")),
        ("````{admonition} 題\n:class: tip\n```python\nx = 1\n```\n終わり\n````", ("題", "終わり")),
        (":::{note}\n本文\n:::", ("本文",)),
        ("```{questions} two-scores\n```", ()),
        ("```python\n変数 = 1\n```", ()),
        ("差は $d = 4$ です", (f"差は {MATH} です",)),
        ("前\n\n$$\nx\n$$ (label)\n\n後", ("前", "後")),
        ("式 {eq}`a` と {numref}`fig-b`", (f"式 {EQUATION} と {FIGURE}",)),
        ("{numref}`図 %s を見る <fig-b>`", ("図 %s を見る",)),
        ("[Query]{.role .q} と [章](a.ipynb#b)", ("Query と 章",)),
        ("**太字**と`code`", (f"太字と{CODE}",)),
        ("(label)=\n## 題", ("題",)),
        (r"\$5 と \*", ("$5 と *",)),
        ("<!-- 秘密 -->本文", ("本文",)),
        ("% 注釈\n本文", ("本文",)),
        ("{.lead}\n本文", ("本文",)),
        ("[4, 0] は表示", ("[4, 0] は表示",)),
        ("a_b と d_model", ("a_b と d_model",)),
    ],
)
def test_blocks(source, found):
    assert blocks(source) == found


def test_text_on_both_sides_of_a_tag_is_set_apart():
    assert blocks("<b>一</b>2") == ("一\ue0052",)
    assert blocks("<p>一</p><p>二</p>") == ("一", "二")


def test_attributes_that_are_read_out():
    assert blocks('<img alt="高さ" title="題"/>本文') == ("高さ", "題", "本文")


def test_languages_of_html_elements():
    source = '日本語と<span lang="zh-Hant">繁體<b>中文</b></span>、<p lang="ja">日本<br/>語</p>後'
    assert blocks_by_language(source) == (
        (None, "日本語と"),
        ("zh-Hant", "繁體\ue005中文"),
        (None, "、"),
        ("ja", "日本"),
        ("ja", "語"),
        (None, "後"),
    )


def test_maths():
    assert maths("$a$ と\n\n$$\nb\n$$ (c)") == [("a", False), ("\nb\n", True)]
    assert maths("```{math}\n:label: l\nx\n```") == [("x", True)]
    assert maths("{math}`y`") == [("y", False)]
    assert maths("`$a$`") == []


def test_lines_keep_the_marks_of_emphasis():
    assert lines("**行**（row） $x$ `行`") == "**行**（row）    \n"
