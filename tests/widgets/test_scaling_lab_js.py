"""The scaling lab's module against vectors written by Python, its pictures, and its sentences in both languages."""

import itertools
import math
import re
from pathlib import Path

import pytest

import interview_book.widgets.scaling_lab as scaling_lab
from interview_book.widgets import scaling_data as data
from interview_book.widgets.scaling_lab import CHOICES

MODULE = Path(scaling_lab.__file__).with_suffix(".js")
GRID = [dict(zip(CHOICES, values, strict=True)) for values in itertools.product(*CHOICES.values())]
LANGUAGES = ["ja", "zh-Hant"]
KINDS = ("flat", "initial", "sharp", "frozen")
SUPERSCRIPT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
NUMBER = r"(−?[\d,]+(?:\.\d+)?)"
WEIGHT = r"(> 0\.999|\d\.\d+)"


def read(text):
    """A number as the widget writes it, and half a unit of its last digit."""
    mantissa, _, power = text.replace("−", "-").replace(",", "").partition("×10")
    scale = 10.0 ** int(power.translate(SUPERSCRIPT)) if power else 1.0
    return float(mantissa) * scale, 0.5 * scale * 10.0 ** -len(mantissa.partition(".")[2])


def agrees(text, value):
    shown, half = read(text)
    return abs(shown - value) <= half * (1 + 1e-9) + 1e-12


@pytest.fixture(scope="module")
def measured():
    return data.measured()


@pytest.fixture(scope="module")
def readings(measured):
    return [data.reading(measured, **state) for state in GRID]


@pytest.fixture(scope="module")
def shown(in_module, measured):
    body = r"""return data.grid.map(state => {
      const now = m.compute(state, data.measured);
      const said = tag => m.sentence(state, now, tag).replaceAll("\u00a0", " ");
      return { now, ja: said("ja"), "zh-Hant": said("zh-Hant") };
    })"""
    return in_module(MODULE, body, {"grid": GRID, "measured": measured})


def test_choices_and_constants_are_those_of_python(in_module):
    found = in_module(MODULE, "return [m.CHOICES, m.EDGE, m.BARS, m.HEADS]")
    assert found == [{name: list(values) for name, values in CHOICES.items()}, data.EDGE, data.BARS, data.HEADS]


def test_computes_what_python_computes(shown, readings):
    assert {one["kind"] for one in readings} == set(KINDS)
    for state, one, expected in zip(GRID, shown, readings, strict=True):
        now = one["now"]
        assert now.keys() == expected.keys()
        assert (now["order"], now["kind"], now["outside"]) == (
            expected["order"],
            expected["kind"],
            expected["outside"],
        ), state
        for name in ("c", "mean", "deviation", "spread"):
            assert math.isclose(now[name], expected[name], rel_tol=1e-14), (state, name)
        for name in ("theory", "mean_row"):
            assert now[name] == {k: pytest.approx(v, rel=1e-14) for k, v in expected[name].items()}, (state, name)
        # Sums of up to 256 terms in another order, after exp of a number of up to 500 with 1e-16 of it as error.
        for name in ("z", "p"):
            for ours, theirs in zip(now[name], expected[name], strict=True):
                assert math.isclose(ours, theirs, rel_tol=1e-11, abs_tol=1e-300), (state, name)
        assert math.isclose(now["rest"], expected["rest"], rel_tol=1e-11, abs_tol=1e-300), state
        assert math.isclose(now["row"]["largest"], expected["row"]["largest"], rel_tol=1e-13), state
        # entropy() subtracts a score from log Z: of a saturated row only 1e-16 of the largest score is left
        assert math.isclose(now["row"]["entropy"], expected["row"]["entropy"], rel_tol=1e-12, abs_tol=1e-12), state


# == pictures ==


def rectangles(path):
    """Left, top, right of every bar ``Mx 100Vy{Hx,hw}V100Z``."""
    found = []
    for x, y, kind, width in re.findall(r"M([\d.]+) 100V([\d.]+)([Hh])([\d.]+)V100Z", path):
        found.append((float(x), float(y), float(width) if kind == "H" else float(x) + float(width)))
    assert len(found) == path.count("M") and "NaN" not in path and "e" not in path
    return found


def test_bars_are_as_high_as_weights(in_module):
    weights = [0.5, 0.25, 0.125, 0.125]
    found = rectangles(in_module(MODULE, "return m.bars(data, 4)", weights))
    assert [round((100 - top) / 96, 3) for _, top, _ in found] == weights
    assert [(a + b) / 2 for a, _, b in found] == pytest.approx([30, 90, 150, 210], abs=0.01)
    [(left, _, right)] = rectangles(in_module(MODULE, "return m.bars([0.5], 16, 15)"))
    assert 225 < left < right < 240


@pytest.mark.parametrize(("mean", "deviation"), [(0, 1), (0, 8), (9.6, 1.17), (0, 0.008), (-3, 3), (40, 2)])
def test_distribution_is_cut_at_the_edges_and_keeps_its_shape(in_module, mean, deviation):
    counts = [round(1000 * math.exp(-(((i - 19.5) / 4) ** 2) / 2)) for i in range(40)]
    law = {"mean": mean, "deviation": deviation}
    found = rectangles(in_module(MODULE, "return m.area(data.law, data.counts, 0.25)", {"law": law, "counts": counts}))
    expected = []
    for i, count in enumerate(counts):
        a, b = (mean + deviation * 0.25 * (i - 20 + one) for one in (0, 1))
        if count and b > -12 and a < 12:
            expected.append((120 + 10 * max(a, -12), 100 - 96 * count / max(counts), 120 + 10 * min(b, 12)))
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=0.006)


def test_bracket_is_theory_as_far_as_it_is_on_the_axis(in_module):
    laws = [(0, 1), (9.6, 8), (40, 2), (-12, 1)]
    body = "return data.map(([mean, deviation]) => m.bracket({ mean, deviation }))"
    inside, cut, outside, half = in_module(MODULE, body, laws)
    assert inside == "M110 108H130M110 105V111M130 105V111M120 102V114"
    assert cut == "M136 108H240M136 105V111M216 102V114"
    assert outside == "" and half == "M0 108H10M10 105V111"


# == words ==

DIVISION = {"sqrt": r"√dₖ = ", "d_k": r"dₖ = ", "8": "", "sqrt_d_model": r"√d_model = "}
PATTERNS = {
    "ja": {
        "none": rf"dₖ = {NUMBER} のスコアを割らずに使うと、標準偏差は {NUMBER} です。",
        "divided": lambda by: rf"dₖ = {NUMBER} のスコアを {by}{NUMBER} で割ると、標準偏差は {NUMBER} です。",
        "flat": rf"重みは平らになりすぎ、エントロピーは平均 {NUMBER} ナットで、"
        rf"上限の log {NUMBER} = {NUMBER} に近づきます。",
        "initial": rf"ばらつきは初期化の時点と同じくらいで、重みにはほどよく差がつきます。"
        rf"エントロピーは平均 {NUMBER} ナット、上限は log {NUMBER} = {NUMBER} です。",
        "sharp": rf"ばらつきが大きく、重みは一部の Key に偏ります。"
        rf"最大の重みは平均 {WEIGHT}、エントロピーは平均 {NUMBER} ナットです。",
        "frozen": rf"ばらつきが大きすぎて、重みはほとんど一つの Key に集まります。"
        rf"最大の重みは平均 {WEIGHT}、エントロピーは平均 {NUMBER} ナットしかありません。",
        "rho": rf"ρ = {NUMBER} はどの Key にも共通で、スコアの平均を {NUMBER} に動かしますが、"
        rf"そろって動くだけなら重みは変わりません。"
        rf"効くのは、行（row）の中のばらつきが √\(1 − ρ²\) = {NUMBER} 倍になることだけです。",
    },
    "zh-Hant": {
        "none": rf"dₖ = {NUMBER} 的分數不縮放，標準差是 {NUMBER}。",
        "divided": lambda by: rf"dₖ = {NUMBER} 的分數除以 {by}{NUMBER}，標準差是 {NUMBER}。",
        "flat": rf"權重太平均：熵平均 {NUMBER} nat，離上限 log {NUMBER} = {NUMBER} nat 不遠。",
        "initial": rf"離散程度跟初始化時差不多，權重有大有小，但不極端："
        rf"熵平均 {NUMBER} nat，上限是 log {NUMBER} = {NUMBER} nat。",
        "sharp": rf"分數太分散，權重偏向少數 Key：最大的權重平均 {WEIGHT}，熵平均 {NUMBER} nat。",
        "frozen": rf"分數太分散，權重幾乎全給了一個 Key：最大的權重平均 {WEIGHT}，熵平均只有 {NUMBER} nat。",
        "rho": rf"每個 Key 都有相同的 ρ = {NUMBER}，分數的平均值移到 {NUMBER}；整列（row）一起平移，權重不會變，"
        rf"有影響的只有列內的離散程度變成 √\(1 − ρ²\) = {NUMBER} 倍。",
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_say_the_numbers(shown, readings, language):
    words = PATTERNS[language]
    for state, one, now in zip(GRID, shown, readings, strict=True):
        text, rho, divided = one[language], state["correlation"], state["divisor"] != "none"
        whole = words["divided"](DIVISION[state["divisor"]]) if divided else words["none"]
        whole += words[now["kind"]] + (words["rho"] if rho else "")
        match = re.fullmatch(whole, text)
        assert match, (state, text)
        said = list(match.groups())
        expected = [state["d_k"], *([now["c"]] if divided else []), now["deviation"]]
        mean = now["mean_row"]
        if now["kind"] in ("flat", "initial"):
            expected += [mean["entropy"], state["key_count"], math.log(state["key_count"])]
        else:
            expected += [mean["largest"], mean["entropy"]]
        expected += [rho, now["mean"], math.sqrt(1 - rho * rho)] if rho else []
        for number, value in zip(said, expected, strict=True):
            if number.startswith(">"):
                assert value > 0.999
            else:
                assert agrees(number, value), (state, number, value)


def test_sentences_of_the_start(in_module, measured):
    state = {"d_k": 64, "key_count": 64, "deviation": 1, "correlation": 0, "divisor": "sqrt"}
    body = "return ['ja', 'zh-Hant'].map(l => m.sentence(data[0], m.compute(...data), l).replaceAll('\\u00a0', '~'))"
    assert in_module(MODULE, body, [state, measured]) == [
        # ~ does not break: a formula, a number and its unit stay on one line
        "dₖ~=~64 のスコアを √dₖ~=~8 で割ると、標準偏差は 1.01 です。ばらつきは初期化の時点と同じくらいで、"
        "重みにはほどよく差がつきます。エントロピーは平均 3.68~ナット、上限は log~64~=~4.16 です。",
        "dₖ~=~64 的分數除以 √dₖ~=~8，標準差是 1.01。離散程度跟初始化時差不多，權重有大有小，但不極端："
        "熵平均 3.68~nat，上限是 log~64~=~4.16~nat。",
    ]


def test_sentences_keep_the_house_style(shown):
    han_or_kana = r"[\u3040-\u30ff\u3400-\u9fff]"
    for one in shown[::7]:
        for language in LANGUAGES:
            text = one[language]
            assert not re.search(rf"{han_or_kana}[0-9A-Za-z√ρ]|[0-9A-Za-zₖ]{han_or_kana}", text), text
            assert not re.search(r" [、。，；：（]|[、。，；：）] |-|  |NaN|undefined", text), text
        assert not re.search(r"[\u3040-\u30ff]", one["zh-Hant"])
        assert not re.search("，", one["ja"])
        "".join(re.findall(r"[\u3400-\u9fff]", one["zh-Hant"])).encode("big5")


def test_numbers_as_they_are_written(in_module):
    body = """return [
      m.plain(1024), m.plain(0.5), m.fixed(-0.001, 2), m.fixed(2457.6, 0), m.fixed(-1234.5, 1), m.decimals(1.011),
      m.decimals(149), m.decimals(0.9996), m.decimals(0.00781), m.brief(8), m.brief(1024), m.brief(90.5097),
      m.brief(2.8284), m.weight(0.8808), m.weight(0.0852), m.weight(0.0039), m.weight(0.0999), m.weight(2.2e-5),
      m.weight(0), m.weight(1), m.weight(0.99999), m.weight(0.9995), m.weight(0.997),
      m.percent(0), m.percent(0.0004), m.percent(0.1355), m.percent(1), m.percent(0.9997)]"""
    assert in_module(MODULE, body) == [
        "1,024", "0.5", "0.00", "2,458", "−1,234.5", 2,
        0, 2, 5, "8", "1,024", "90.5", "2.83",
        "0.88", "0.085", "0.0039", "0.10", "2×10⁻⁵", "0.00", "1.00",
        "> 0.999", "> 0.999", "0.997", "0%", "< 0.1%", "13.6%", "100%", "> 99.9%",
    ]  # fmt: skip


def test_words_are_there_in_both_languages(in_module):
    body = """return Object.fromEntries(Object.entries(m.WORDS).map(([tag, words]) => [tag,
      Object.fromEntries(Object.entries(words).map(([k, v]) => [k, typeof v === "function" ? v("1,234") : v]))]))"""
    words = in_module(MODULE, body)
    assert list(words) == LANGUAGES
    assert words["ja"].keys() == words["zh-Hant"].keys()
    for tag in LANGUAGES:
        for word in words[tag].values():
            for text in word if isinstance(word, list) else [word]:
                assert text.strip()
                if tag == "zh-Hant":
                    "".join(re.findall(r"[\u3400-\u9fff]", text)).encode("big5")
                    assert not re.search(r"[\u3040-\u30ff]", text)


@pytest.mark.parametrize(
    ("page", "trait", "language"),
    [
        ("ja", None, "ja"),
        ("zh-TW", "ja", "zh-Hant"),
        ("", "zh-Hant", "zh-Hant"),
        ("en", None, "ja"),
        (None, None, "ja"),
        ("", 7, "ja"),
    ],
)
def test_language(in_module, page, trait, language):
    assert in_module(MODULE, "return m.languageOf(...data)", [page, trait]) == language


def test_module_is_self_contained():
    text = MODULE.read_text(encoding="utf-8")
    assert not re.search(r"^\s*import\b|\bfetch\(|https?://(?!www\.w3\.org/2000/svg)", text, re.M)
    assert "export default { render }" in text
    assert not re.search(r"\b(?:document|window)\.addEventListener", text)  # nothing that outlives the element
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb\(", text)  # colours are the stylesheet's


def corrupted(measured):
    """The data with one thing amiss, of which at most a few states would tell: a gap, a word, one too few, a level."""

    def with_last(value, put):
        return [*value[:-1], with_last(value[-1], put)] if isinstance(value, list) else put(value)

    for name in ("levels", "laws", "norms", "normals", "entropy", "largest"):
        yield {key: value for key, value in measured.items() if key != name}
        for wrong in (None, {}, "0", []):
            yield measured | {name: wrong}
        yield measured | {name: measured[name][:-1]}
        yield measured | {name: [*measured[name][:-1], None]}
        if name != "laws":
            yield measured | {name: with_last(measured[name], lambda _: None)}
            yield measured | {name: with_last(measured[name], str)}
    yield measured | {"levels": with_last(measured["levels"], lambda level: 2 * level)}
    for name in ("scores", "rows", "bin"):
        yield measured | {name: None}
    for name, wrong in (("mean", None), ("deviation", "1"), ("counts", []), ("counts", [None]), ("outside", None)):
        *laws, (*of_size, law) = measured["laws"]
        yield measured | {"laws": [*laws, [*of_size, law | {name: wrong}]]}
    for name in ("entropy", "largest"):
        *means, (*of_size, last) = measured[name]
        yield measured | {name: [*means, [*of_size, last[:-1]]]}


def test_a_state_that_is_no_choice_is_refused(in_module, measured):
    good = {"d_k": 64, "key_count": 64, "deviation": 1, "correlation": 0, "divisor": "sqrt", "measured": measured}
    wrong = {"d_k": 32, "key_count": "64", "deviation": None, "correlation": 0.5, "divisor": 8}
    bad = [good | {name: value} for name, value in wrong.items()]
    bad += [good | {"measured": one} for one in ({}, None, measured | {"normals": []})]
    bad += [good | {"measured": one} for one in corrupted(measured)]
    body = """
    const refused = state => {
      try { m.read({ get: name => state[name] }); return ""; } catch (error) { return error.message; }
    };
    return data.map(refused);
    """
    said = in_module(MODULE, body, [good, *bad])
    assert len(said) > 50 and said[0] == ""
    assert all(text.startswith("scaling_lab: ") for text in said[1:])
    assert said[1] == "scaling_lab: d_k: expected one of 1, 4, 16, 64, 256, 1024, got 32"
