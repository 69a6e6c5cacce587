"""Halves that say different things, one set each."""

from __future__ import annotations

import pytest

from interview_book.book.notebooks import Passage
from interview_book.book.parity import parity_findings


def _half(text="", **book):
    return {"cell_type": "markdown", "id": "a", "metadata": {"book": book}, "source": text}


@pytest.mark.parametrize(
    ("rule", "ja", "zh", "said"),
    [
        ("values", _half(values={"0.9": "a"}), _half(values={"0.9": "b"}), "only in ja: a; only in zh-Hant: b"),
        ("relations", _half(relations=["a > b"]), _half(), "only in ja: a > b"),
        ("claims", _half(claims=["x"]), _half(claims=["x", "y"]), "only in zh-Hant: y"),
        ("class", _half(**{"class": "hero"}), _half(), "only in ja: hero"),
        ("formulas", _half("$a$ と $b$"), _half("$a$"), "only in ja: b"),
        ("links", _half("[章](#one)"), _half("[章](#two)"), "only in ja: link #one; only in zh-Hant: link #two"),
        ("links", _half("式 {eq}`a`"), _half("式"), "only in ja: eq a"),
        ("links", _half("{numref}`fig-a`"), _half("圖"), "only in ja: numref fig-a"),
        ("links", _half("論文 {cite:p}`b2017`"), _half("論文"), "only in ja: cite b2017"),
        ("links", _half("```{questions} a\n```"), _half("```{terms}\n```"), "only in ja: directive {questions} a"),
    ],
)
def test_sets_that_differ(rule, ja, zh, said):
    (found,) = parity_findings(Passage("a", ja, zh, 0))
    assert found.rule == f"parity-{rule}"
    assert said in found.message


@pytest.mark.parametrize(
    ("ja", "zh"),
    [
        (_half(values={"98%": "a"}), _half(values={"0.98": "a", "1": "a"})),
        (_half(relations=["a>b", "b > c"]), _half(relations=["b > c", "a > b"])),
        (_half("$a$。$b$。$a$"), _half("$b$ 和 $a$")),
        (_half("$d_k = 4$"), _half("$d_k=4$")),
        (_half("一つ。二つ。\n\n三つ。"), _half("一句。")),
        (_half("```{tip} 面接では\n本文\n```"), _half("```{tip} 面試時\n內文\n```")),
        (_half(allow=["4"]), _half(allow=["5"])),
    ],
)
def test_sets_that_agree(ja, zh):
    assert parity_findings(Passage("a", ja, zh, 0)) == []


def test_in_a_book(book):
    book.cell("read-zh-Hant", lambda cell: cell["metadata"]["book"].pop("relations"))
    book.expect("parity-relations", "only in ja: 0.5 < weights[0] < 1", where="cell 5 (read-ja)")
