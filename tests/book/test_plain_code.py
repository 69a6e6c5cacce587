import ast

import pytest

from interview_book.book.plain_code import in_language, widget_names


def test_names_come_from_the_imports_of_the_notebook():
    sources = [
        "import numpy as np\nfrom interview_book.widgets import TwoScores, Deck as D",
        "%magic",
        "from x import Y",
    ]
    assert widget_names(sources) == {"TwoScores", "D"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("TwoScores()", 'TwoScores(language="zh-Hant")'),
        ("TwoScores(scores=(4, 0), divisor=2)", 'TwoScores(scores=(4, 0), divisor=2, language="zh-Hant")'),
        ("TwoScores((4, 0))", 'TwoScores((4, 0), language="zh-Hant")'),
        ("x = '分數'; TwoScores(2,)", "x = '分數'; TwoScores(2, language=\"zh-Hant\")"),
        ("TwoScores(\n    divisor=2,\n)", 'TwoScores(\n    divisor=2,\n    language="zh-Hant",\n)'),
        ("TwoScores(\n    divisor=2\n)", 'TwoScores(\n    divisor=2,\n    language="zh-Hant",\n)'),
        ("[TwoScores(), TwoScores(1)]", '[TwoScores(language="zh-Hant"), TwoScores(1, language="zh-Hant")]'),
        ("TwoScores(language='ja')", "TwoScores(language='ja')"),
        ("Other()\n'TwoScores()'", "Other()\n'TwoScores()'"),
        ("%timeit TwoScores()", "%timeit TwoScores()"),
    ],
)
def test_a_call_gets_its_language(source, expected):
    made = in_language(source, "zh-Hant", {"TwoScores"})
    assert made == expected
    assert in_language(source, "ja", {"TwoScores"}) == source
    if not source.startswith("%"):
        ast.parse(made)
