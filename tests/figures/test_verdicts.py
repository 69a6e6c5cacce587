"""Verdict tables: judged by numbers, said in two languages, the same to the byte."""

import math
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from interview_book.book.language_rules import language_findings
from interview_book.book.onelanguage import keep_language
from interview_book.book.outputs import code_findings, html_findings
from interview_book.checks import measure_scores, proportion, variance_estimate
from interview_book.checks.estimates import Estimate
from interview_book.figures import row, untested, verdict_grid, verdict_table, words
from interview_book.figures.numerals import decimals_for, exactly, written, z_written
from interview_book.figures.verdict_html import ICONS, chance
from interview_book.figures.wording import _entries

SAID = {"ja": "互いに独立なら、分散は dₖ", "zh-Hant": "彼此獨立的話，變異數是 dₖ"}
RIGHT = Estimate(63.93, 0.2066, 200_000, 64.0)
WRONG = Estimate(1.09, 0.0035, 200_000, 1.0)


def both():
    rows = [
        row("variance.independent", RIGHT),
        row("variance.correlated.scaled", {"ρ = 0": Estimate(1.001, 0.0035, 9, 1.0), "ρ = 0.3": WRONG}),
        row("variance.correlated.scaled", WRONG),
        untested("variance.trained.scaled", theory=1.0),
    ]
    table = verdict_table(rows, "variance.caption")
    grid = verdict_grid({"normal": {64: RIGHT, 1024: Estimate(1030.0, 4.0, 9, 1024.0)}, "student_t9": {1: WRONG}}, SAID)
    return table, grid


def told(html):
    """The visible text of an edition."""

    texts = []

    class Reader(HTMLParser):
        def handle_data(self, data):
            texts.append(data)

    Reader().feed(html)
    return "\n".join(texts)


def test_the_verdict_is_computed():
    table, grid = both()
    assert table.verdicts == ("holds", "depends", "fails", "untested")
    assert grid.verdicts == ("holds", "fails")
    assert "不成立" in grid._repr_html_() and "成り立たない" in grid._repr_html_()
    with pytest.raises(TypeError):
        row("variance.independent", RIGHT, verdict="holds")


def test_the_false_alarm_is_shared_out():
    # 4 measured estimates: each is judged at a quarter of the probability
    table, _ = both()
    assert table.share == pytest.approx(1e-6 / 4)
    edge = Estimate(1.0, 1.0, 9, 1.0 - 2.3)  # z = 2.3, two-sided 2.1 %
    assert verdict_table([row(SAID, edge)], SAID, false_alarm=0.02).verdicts == ("holds",)
    assert verdict_table([row(SAID, edge)], SAID, false_alarm=0.03).verdicts == ("fails",)
    assert verdict_table([row(SAID, edge)] * 2, SAID, false_alarm=0.03).verdicts == ("holds", "holds")


def test_a_right_theory_fails_as_rarely_as_stated():
    """600 tables of 3 rows at 10 %: Bonferroni gives 1 − (1 − 0.1/3)³ = 9.7 %; outside ±5 σ in one run of a million."""
    z = np.random.Generator(np.random.PCG64(11)).standard_normal((600, 3))
    tables = [
        verdict_table([row(SAID, Estimate(one, 1.0, 9, 0.0)) for one in line], SAID, false_alarm=0.1) for line in z
    ]
    failed = sum("fails" in table.verdicts for table in tables)
    p = 1 - (1 - 0.1 / 3) ** 3
    assert abs(failed - 600 * p) < 5 * math.sqrt(600 * p * (1 - p))


def test_a_wrong_theory_of_measured_scores_fails():
    rng = np.random.Generator(np.random.PCG64(5))
    moments = measure_scores(rng, 20_000, 61)
    table = verdict_table(
        {
            "variance.independent": variance_estimate(moments, 61),
            "variance.laplace.scaled": variance_estimate(moments, 71),
        },
        "variance.caption",
    )
    assert table.verdicts == ("holds", "fails")


def test_a_remark_follows_the_verdict():
    html = verdict_table({"variance.correlated.scaled": WRONG}, "variance.caption")._repr_html_()
    assert "1 + ρ² になる" in html and "ρ = 0 のときだけ" not in html
    right = verdict_table({"variance.correlated.scaled": Estimate(1.0, 0.1, 9, 1.0)}, "variance.caption")._repr_html_()
    assert "になる" not in right and "のときだけ" not in right
    always = row("variance.correlated.scaled", WRONG, {"ja": "備考", "zh-Hant": "備註"})
    assert "備註" in verdict_table([always], SAID)._repr_html_()
    chosen = row(SAID, WRONG, {"fails": {"ja": "備考", "zh-Hant": "備註"}})
    assert "備考" in verdict_table([chosen], SAID)._repr_html_()


@pytest.mark.parametrize("which", [0, 1])
def test_the_book_accepts_it_and_each_edition_holds_its_own_words(which):
    html = both()[which]._repr_html_()
    ElementTree.fromstring(html.replace(" hidden", ' hidden=""'))  # every element is closed
    assert html_findings(html) == []
    cell = {"source": "t", "metadata": {}, "outputs": [{"output_type": "execute_result", "data": {"text/html": html}}]}
    cell["outputs"][0]["data"]["text/plain"] = repr(both()[which])
    assert code_findings(cell) == []
    ja, zh = (keep_language(html, tag) for tag in ("ja", "zh-Hant"))
    assert 'lang="zh' not in ja and 'lang="ja' not in zh
    assert "理論値" in told(ja) and "理論值" not in told(ja) and "到" not in told(ja) and "成立" not in told(ja)
    assert "理論值" in told(zh) and not re.search("[\u3040-\u30ff]", told(zh)) and "〜" not in told(zh)
    assert "63.53〜64.33" in told(ja) and "63.53 到 64.33" in told(zh)
    kept = [one for one in (ja, zh) for _ in re.findall('class="verdict ', one)]
    assert kept.count(ja) == kept.count(zh) == html.count('class="verdict ')


def test_every_word_of_the_package_obeys_the_rules_of_language():
    values = {"percent": 95, "chance": "10⁻⁶", "often": 20, "df": 5}
    for key, entry in _entries().items():
        for said in (entry, *entry.get("notes", {}).values()):
            for tag in ("ja", "zh-Hant"):
                assert language_findings(said[tag].format(**values), tag) == [], key


def test_text_is_escaped():
    evil = {"ja": "<b>&", "zh-Hant": "<script>"}
    html = verdict_table([row(evil, {"a<b": RIGHT, "c": RIGHT}, evil)], evil)._repr_html_()
    assert "<script" not in html and "<b>" not in html and "a<b" not in html
    assert html.count("&lt;script&gt;") == 3 and html.count("&lt;b&gt;&amp;") == 3 and "a&lt;b" in html
    assert "&lt;script" in verdict_grid({"x": {"<i>": RIGHT}}, evil, names={"x": evil})._repr_html_()


def test_the_strip_shows_the_interval_about_the_theory():
    def strip(e):
        html = verdict_table([row(SAID, e)], SAID)._repr_html_()
        return [float(one) for one in re.search(r"--lo:(.*?)%;--hi:(.*?)%;--at:(.*?)%", html).groups()]

    low, high, at = strip(Estimate(64.0, 0.2, 9, 64.0))
    assert (low + high) / 2 == at == 50 and high - low == pytest.approx(100 / 3.2, abs=0.1)
    low, high, at = strip(Estimate(64.0 + 0.2 * 1.959964, 0.2, 9, 64.0))
    assert low == at
    low, high, at = strip(WRONG)
    assert 90 < low < high <= 100
    low, high, at = strip(Estimate(0.5, 0.0, 9, 0.5))  # no width at all: still seen
    assert high - low == pytest.approx(3)


def test_an_interval_that_misses_a_right_theory_is_explained():
    missed = Estimate(64.5, 0.2, 9, 64.0)
    assert "20 回に 1 回" in verdict_table([row(SAID, missed)], SAID)._repr_html_()
    assert "20 回に 1 回" not in verdict_table([row(SAID, RIGHT)], SAID)._repr_html_()
    assert "10⁻⁶" in verdict_table([row(SAID, RIGHT)], SAID)._repr_html_()
    assert "<p " not in verdict_table([untested(SAID)], SAID)._repr_html_()


def test_plain_text_holds_the_numbers():
    table, grid = both()
    assert repr(table).splitlines() == [
        "verdicts: false alarm 1e-06, 2.5e-07 each",
        "1 holds  theory 64  measured 63.93  95% [63.53, 64.33]  z -0.34",
        "2 depends",
        "  holds  ρ = 0: theory 1  measured 1.001  95% [0.994, 1.008]  z 0.29",
        "  fails  ρ = 0.3: theory 1  measured 1.090  95% [1.083, 1.097]  z 25.71",
        "3 fails  theory 1  measured 1.090  95% [1.083, 1.097]  z 25.71",
        "4 untested  theory 1",
    ]
    assert "  holds  1,024: theory 1,024  measured 1,030  95% [1,022, 1,038]  z 1.50" in repr(grid)


def test_the_same_bytes_again_and_after_a_change_of_the_last_bits():
    def made(factor):
        e = Estimate(63.93 * factor, 0.2066 * factor, 9, 64.0 * factor)
        half = Estimate(0.5 * factor, 0.05 * factor, 9, 0.015625 * factor)
        return verdict_table([row(SAID, e), row(SAID, half)], SAID)

    assert made(1)._repr_html_() == made(1 + 1e-9)._repr_html_() == made(1 - 1e-9)._repr_html_()
    assert repr(made(1)) == repr(made(1 + 1e-9)) == repr(made(1 - 1e-9))


@pytest.mark.parametrize(
    ("e", "value"),
    [
        (Estimate(63.93, 0.2066, 9), "63.93"),
        (Estimate(1.0021, 0.0035, 9), "1.002"),
        (Estimate(-1.0021, 0.0035, 9), "\u22121.002"),
        (Estimate(-0.00001, 0.0035, 9), "0.000"),
        (Estimate(0.125, 0.02, 9), "0.125"),  # the edge between 0.12 and 0.13
        (Estimate(10_240.0, 40.0, 9), "10,240"),
        (Estimate(0.5, 0.0, 9), "0.5000"),
        (proportion(0, 50), "0.000"),  # Wilson: up to 0.0713
    ],
)
def test_digits(e, value):
    assert written(e.value, decimals_for(e)) == value


@pytest.mark.parametrize(
    ("theory", "said"),
    [
        (64.0, "64"),
        (1024.0, "1,024"),
        (1 / 64, "0.015625"),
        (1.09, "1.09"),
        (math.pi, "3.142"),
        (0.0, "0"),
        (-0.5, "\u22120.5"),
        (1 / 1024, "0.001"),
        (1e6 + 0.1, "1,000,000.100"),
    ],
)
def test_theory_in_full_where_it_is_short(theory, said):
    assert exactly(theory, 3) == said


def test_z():
    assert z_written(Estimate(1.0, 0.0, 9, 1.0)) == "0.00"
    assert z_written(Estimate(2.0, 0.0, 9, 1.0)) == "inf"
    assert z_written(Estimate(1.125, 1.0, 9, 1.0)) == "0.125"  # the edge between 0.12 and 0.13


@pytest.mark.parametrize(("p", "said"), [(1e-6, "10⁻⁶"), (1e-12, "10⁻¹²"), (0.05, "0.05"), (2e-6, "0.000002")])
def test_chances(p, said):
    assert chance(p) == said


def test_icons_are_those_of_the_sprite(root):
    sprite = (root / "src/interview_book/book/templates/icons.svg").read_text(encoding="utf-8")
    for verdict, name in (("holds", "check"), ("depends", "half"), ("fails", "cross"), ("untested", "question")):
        assert re.search(f'<symbol id="i-{name}"[^>]*>(.*?)</symbol>', sprite)[1] == ICONS[verdict]


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: row(SAID, 1.0), TypeError, "expected an Estimate, got float"),
        (lambda: row(SAID, Estimate(1.0, 0.1, 9)), ValueError, "with a theory"),
        (lambda: row(SAID, {}), ValueError, "at least one Estimate"),
        (lambda: row(SAID, {"割る": RIGHT}), ValueError, "named by symbols"),
        (lambda: row({"ja": "一"}, RIGHT), ValueError, "claim: expected a key, or words"),
        (lambda: row({"ja": "一", "zh-Hant": " "}, RIGHT), ValueError, "claim"),
        (lambda: row("variance.no", RIGHT), KeyError, "variance.independent"),
        (lambda: row(SAID, RIGHT, {"right": SAID}), ValueError, "words for holds"),
        (lambda: verdict_table([], SAID), ValueError, "at least one"),
        (lambda: verdict_table([RIGHT], SAID), TypeError, "got Estimate"),
        (lambda: verdict_table([row(SAID, RIGHT)], SAID, false_alarm=0), ValueError, "false_alarm"),
        (
            lambda: verdict_table([row(SAID, RIGHT), row(SAID, Estimate(1.0, 0.1, 9, 1.0, 0.9))], SAID),
            ValueError,
            "one confidence",
        ),
        (lambda: verdict_grid({"cauchy": {1: RIGHT}}, SAID), KeyError, "law.normal"),
        # what no verdict follows from: without ends every theory would hold, and between ends that are reversed too
        (lambda: row(SAID, Estimate(math.nan, 0.1, 9, 1.0)), ValueError, r"finite numbers .*, got nan in \[nan, nan\]"),
        (lambda: row(SAID, Estimate(1.0, math.nan, 9, 1.0)), ValueError, r"got 1.0 in \[nan, nan\]; look"),
        (lambda: row(SAID, Estimate(1.0, math.inf, 9, 1.5)), ValueError, r"got 1.0 in \[-inf, inf\]; look"),
        (lambda: row(SAID, Estimate(math.inf, 1.0, 9, 1.5)), ValueError, "got inf in"),
        (lambda: row(SAID, Estimate(1.0, -0.1, 9, 1.05)), ValueError, r"from low to high, got 1.0 in \[1.19.*, 0.80"),
        (lambda: row(SAID, Estimate(1.0, 0.1, 9, math.nan)), ValueError, "theory: expected a finite number, got nan"),
        (lambda: row(SAID, Estimate(1.0, 0.1, 9, 1.0, 1.0)), ValueError, "confidence: expected a number strictly"),
        (lambda: untested(SAID, theory=math.nan), ValueError, "theory: expected a finite number, got nan"),
        (lambda: untested(SAID, theory="64"), TypeError, "theory: expected a real number, got '64'"),
        (lambda: row(SAID, {64: RIGHT}), TypeError, "cases named by strings such as .*, got 64; try '64'"),
        (lambda: row(SAID, RIGHT, "always"), TypeError, "note: expected words .*, got 'always'"),
        (lambda: verdict_table(None, SAID), TypeError, "rows: expected a list of row.*, got NoneType"),
        (lambda: verdict_table(row(SAID, RIGHT), SAID), TypeError, "rows: expected a list of row.*, got Row"),
        (lambda: verdict_grid([RIGHT], SAID), TypeError, "measured: expected a mapping, .*, got list"),
        (lambda: verdict_grid({"normal": [RIGHT]}, SAID), TypeError, r"measured\['normal'\]: .*, got list"),
        (lambda: verdict_grid({9: {1: RIGHT}}, SAID), TypeError, "laws named by strings such as 'normal', got 9"),
        (
            lambda: verdict_grid({"normal": {1024: RIGHT, "1,024": WRONG}}, SAID),
            ValueError,
            r"of different names, got \[1024, '1,024'\]",
        ),
        (lambda: words(None), KeyError, "expected a key of words.yml, got None"),
    ],
)
def test_what_cannot_be_judged_is_refused(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_whole_numbers_of_numpy_are_written_as_those_of_python():
    e = Estimate(1030.0, 4.0, 9, 1024.0)
    assert repr(verdict_grid({"normal": {np.int64(1024): e}}, SAID)) == repr(verdict_grid({"normal": {1024: e}}, SAID))


def test_words_are_filled_in():
    assert words("law.student_t", df=9) == {"ja": "t 分布（自由度 9）", "zh-Hant": "t 分布（自由度 9）"}
