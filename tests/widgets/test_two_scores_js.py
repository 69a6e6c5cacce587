"""The widget's module against vectors written by Python, and its sentences against the numbers, in both languages."""

import itertools
import math
import re
from pathlib import Path

import pytest

import interview_book.widgets.two_scores as two_scores
from interview_book.checks import crossover

MODULE = Path(two_scores.__file__).with_suffix(".js")
STEPS = {
    "scores": (-8, -3.5, 0, 1, 2, 4, 8),
    "divisor": (0.5, 1, 1.5, 2, 4, 8),
    "values": ((10, 0), (-10, 10), (3, 3), (0, 0), (-2.5, 7)),
}
GRID = [
    {"scores": [s1, s2], "divisor": c, "values": list(v)}
    for s1, s2, c, v in itertools.product(STEPS["scores"], STEPS["scores"], STEPS["divisor"], STEPS["values"])
]
SUPERSCRIPT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
NUMBER = r"−?\d+(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


def read(text):
    """A number as the widget writes it, ``1 − 2.3×10⁻⁷`` included, and half a unit of its last digit."""
    mantissa, _, power = text.removeprefix("1 − ").replace("−", "-").partition("×10")
    scale = 10.0 ** int(power.translate(SUPERSCRIPT)) if power else 1.0
    digits = len(mantissa.partition(".")[2])
    value = float(mantissa) * scale
    return (1 - value if text.startswith("1 − ") else value), 0.5 * 10.0**-digits * scale * (1 + 1e-9)


def agrees(text, value):
    shown, half_unit = read(text)
    # 1 − x loses what a float next to 1 cannot hold
    return abs(shown - value) <= half_unit + 4e-16


@pytest.fixture(scope="module")
def computed(in_module):
    return in_module(MODULE, "return data.map(m.compute)", GRID)


@pytest.fixture(scope="module")
def sentences(in_module):
    body = "return data.map(s => ({ ja: m.sentence(s, 'ja'), 'zh-Hant': m.sentence(s, 'zh-Hant') }))"
    return in_module(MODULE, body, GRID)


def test_the_grid_holds_every_kind_of_state(computed):
    kinds = {(s["scores"][0] == s["scores"][1], one["larger"]) for s, one in zip(GRID, computed, strict=True)}
    assert kinds == {(a, b) for a in (True, False) for b in ("scaled", "unscaled", "tie")}


def test_computes_what_python_computes(computed):
    for state, shown in zip(GRID, computed, strict=True):
        expected = two_scores.reading(**state)
        assert shown["larger"] == expected["larger"], state
        for part in ("scaled", "unscaled"):
            for name in ("z", "p", "mixed"):
                for one, other in zip(shown[part][name], expected[part][name], strict=True):
                    assert math.isclose(one, other, rel_tol=1e-13, abs_tol=1e-300), (state, part, name)
            for name in ("jacobian", "gradient"):
                assert math.isclose(shown[part][name], expected[part][name], rel_tol=1e-13), (state, part, name)
            # a sum of two terms of at most 10 that may cancel
            assert math.isclose(shown[part]["output"], expected[part]["output"], rel_tol=1e-13, abs_tol=1e-14)


def test_verdict_is_that_of_the_crossover(computed):
    for state, shown in zip(GRID, computed, strict=True):
        gap, c = abs(state["scores"][0] - state["scores"][1]), state["divisor"]
        if c == 1:
            assert shown["larger"] == "tie"
        else:
            assert shown["larger"] == ("scaled" if (gap > crossover(c)) == (c > 1) else "unscaled"), state


PATTERNS = {
    "ja": {
        "pair": rf"スコア ({NUMBER}) と ({NUMBER}) を(?: ({NUMBER}) で割ると|割らずに使うと)、"
        rf"重みは ((?:1 − )?{NUMBER}) と ((?:1 − )?{NUMBER})、出力は ({NUMBER}) です。",
        "equal": rf"二つのスコアが等しいので、どんな数で割っても重みは 0\.5 ずつ、出力は ({NUMBER}) です。",
        "scaled": rf"割る前のスコアに関する勾配は ({NUMBER}) で、割らないときの ({NUMBER}) より大きくなります。",
        "unscaled": rf"割る前のスコアに関する勾配は ({NUMBER}) で、割らないときの ({NUMBER}) より小さくなります。",
        "tie": rf"割る数が 1 なので、割る前のスコアに関する勾配も、割らないときと同じ ({NUMBER}) です。",
    },
    "zh-Hant": {
        "pair": rf"分數 ({NUMBER}) 和 ({NUMBER}) (?:除以 ({NUMBER})，|不縮放，直接做 softmax，)"
        rf"權重是 ((?:1 − )?{NUMBER}) 和 ((?:1 − )?{NUMBER})，輸出是 ({NUMBER})。",
        "equal": rf"兩個分數相同，不論除以多少，權重各是 0\.5，輸出是 ({NUMBER})。",
        "scaled": rf"對縮放前分數的梯度是 ({NUMBER})，比不除時的 ({NUMBER}) 大。",
        "unscaled": rf"對縮放前分數的梯度是 ({NUMBER})，比不除時的 ({NUMBER}) 小。",
        "tie": rf"除數是 1，所以對縮放前分數的梯度跟不除時一樣，都是 ({NUMBER})。",
    },
}


@pytest.mark.parametrize("language", ["ja", "zh-Hant"])
def test_sentences_say_the_numbers(sentences, language):
    for state, said in zip(GRID, sentences, strict=True):
        text, expected = said[language], two_scores.reading(**state)
        equal = state["scores"][0] == state["scores"][1]
        whole = PATTERNS[language]["equal" if equal else "pair"] + PATTERNS[language][expected["larger"]]
        match = re.fullmatch(whole, text)
        assert match, (state, text)
        said_numbers = list(match.groups())
        if equal:
            output = said_numbers.pop(0)
        else:
            s1, s2, c, p, q, output = (said_numbers.pop(0) for _ in range(6))
            assert [read(s1)[0], read(s2)[0]] == state["scores"]
            assert state["divisor"] == (1 if c is None else read(c)[0])
            assert agrees(p, expected["scaled"]["p"][0]) and agrees(q, expected["scaled"]["p"][1]), (state, text)
            assert "0.000" not in (p, q) and "1.000" not in (p, q)
        assert agrees(output, expected["scaled"]["output"]), (state, text)
        assert agrees(said_numbers[0], expected["scaled"]["gradient"]), (state, text)
        if expected["larger"] != "tie":
            assert agrees(said_numbers[1], expected["unscaled"]["gradient"]), (state, text)
            # the printed numbers themselves bear the verdict out
            assert (read(said_numbers[0])[0] > read(said_numbers[1])[0]) == (expected["larger"] == "scaled")


def test_sentence_of_the_example(in_module):
    example = {"scores": [4, 0], "divisor": 2, "values": [10, 0]}
    assert in_module(MODULE, "return ['ja', 'zh-Hant'].map(l => m.sentence(data, l))", example) == [
        "スコア 4 と 0 を 2 で割ると、重みは 0.881 と 0.119、出力は 8.81 です。"
        "割る前のスコアに関する勾配は 0.0525 で、割らないときの 0.0177 より大きくなります。",
        "分數 4 和 0 除以 2，權重是 0.881 和 0.119，輸出是 8.81。對縮放前分數的梯度是 0.0525，比不除時的 0.0177 大。",
    ]


def test_sentences_keep_the_house_style(sentences):
    han_or_kana = r"[\u3040-\u30ff\u3400-\u9fff]"
    for said in sentences[::37]:
        for text in said.values():
            assert not re.search(rf"{han_or_kana}[0-9A-Za-z]|[0-9A-Za-z]{han_or_kana}", text), text
            assert not re.search(r" [、。，；]|[、。，；] |-|  ", text), text
        assert not re.search(r"[\u3040-\u30ff]", said["zh-Hant"])
        assert not re.search("，", said["ja"])


def test_numbers_as_they_are_written(in_module):
    body = """return [
      m.plain(-2.5), m.plain(4), m.fixed(-0.001, 2), m.fixed(-1.005, 1), m.fixed(8.80797, 2), m.significant(0, 3),
      m.significant(0.01766, 3), m.significant(0.25, 3), m.significant(1.27e-14, 2), m.significant(-0.5, 2),
      m.weight(0.8808, 0.1192), m.weight(1.1e-7, 1), m.weight(1 - 1.1e-7, 1.1e-7), m.weight(0.5, 0.5),
      m.apart(0.1234561, 0.1234569), m.apart(0.5, 0.5), [0, 0.124, 0.125, 0.5, 0.999, 1].map(m.heat)]"""
    assert in_module(MODULE, body) == [
        "−2.5", "4", "0.00", "−1.0", "8.81", "0",
        "0.0177", "0.250", "1.3×10⁻¹⁴", "−0.50",
        "0.881", "1.1×10⁻⁷", "1 − 1.1×10⁻⁷", "0.500",
        ["0.123456", "0.123457"], ["0.500", "0.500"], [0, 0, 1, 4, 7, 7],
    ]  # fmt: skip


def test_words_are_there_in_both_languages(in_module):
    words = in_module(MODULE, "return m.WORDS")
    assert list(words) == ["ja", "zh-Hant"]

    def shape(x):
        if isinstance(x, dict):
            return {k: shape(v) for k, v in x.items()}
        assert x, "an empty word"
        return [shape(one) for one in x] if isinstance(x, list) else str

    def texts(x):
        return (
            [x] if isinstance(x, str) else [t for one in (x.values() if isinstance(x, dict) else x) for t in texts(one)]
        )

    assert shape(words["ja"]) == shape(words["zh-Hant"])
    for text in texts(words["zh-Hant"]):
        text.encode("big5-hkscs" if "ₖ" in text else "big5", errors="ignore" if "ₖ" in text else "strict")
        assert not re.search(r"[\u3040-\u30ff]", text)
    assert words["ja"]["larger"].keys() == {"scaled", "unscaled", "tie"}


def test_limits_are_those_of_python(in_module):
    limits = in_module(MODULE, "return m.LIMITS")
    for js, py in (("score", "scores"), ("divisor", "divisor"), ("value", "values")):
        assert (limits[js]["min"], limits[js]["max"]) == two_scores.RANGES[py]
        assert limits[js]["step"] == two_scores.STEP
    low, high = two_scores.RANGES["divisor"]
    for preset in in_module(MODULE, "return m.PRESETS"):
        assert low <= preset <= high and preset % two_scores.STEP == 0


@pytest.mark.parametrize(
    ("page", "trait", "language"),
    [
        ("ja", None, "ja"),
        ("zh-TW", None, "zh-Hant"),
        ("zh-Hant", "ja", "zh-Hant"),
        ("ja", "zh-Hant", "ja"),
        ("", "zh-Hant", "zh-Hant"),
        ("", "ja", "ja"),
        ("en", "zh-Hant", "zh-Hant"),
        ("en", None, "ja"),
        (None, None, "ja"),
    ],
)
def test_language(in_module, page, trait, language):
    assert in_module(MODULE, "return m.languageOf(...data)", [page, trait]) == language


def test_module_is_self_contained():
    text = MODULE.read_text(encoding="utf-8")
    assert not re.search(r"^\s*import\b|\bfetch\(|https?://(?!www\.w3\.org/2000/svg)", text, re.M)
    assert "export default { render }" in text
    assert not re.search(r"\b(?:document|window)\.addEventListener", text)  # nothing that outlives the element


def test_a_state_that_is_no_five_numbers_is_refused(in_module):
    good = {"scores": [4, 0], "divisor": 2, "values": [10, 0]}
    bad = [
        good | {"scores": [1]},
        good | {"scores": [1, None]},
        good | {"divisor": 0},
        good | {"divisor": "2"},
        good | {"values": ["a", 1]},
        good | {"values": None},
    ]
    body = """
    const model = state => ({ get: name => state[name] });
    const refused = state => { try { m.read(model(state)); return false; } catch { return true; } };
    return data.map(refused);
    """
    assert in_module(MODULE, body, [good, *bad]) == [False] + [True] * len(bad)
