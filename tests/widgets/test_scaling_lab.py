"""The scaling lab's Python half: its state, its measurements against independent ones, what a notebook stores of it."""

import html.parser
import itertools
import json
import math
import re

import numpy as np
import pytest
import traitlets

from interview_book.checks.normal_rows import product_row
from interview_book.widgets import ScalingLab
from interview_book.widgets import scaling_data as data
from interview_book.widgets.scaling_lab import CHOICES


@pytest.fixture(scope="module")
def measured():
    return data.measured()


@pytest.fixture(scope="module")
def exact():
    """The book's measurement once more, unrounded, its rows in chunks of another size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "_MEMORY", 3 * data._MEMORY)
        return data.measure(np.random.Generator(np.random.PCG64(data.SEED)))


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def html_of(widget):
    return widget._repr_mimebundle_()[0]["text/html"]


# == measurements ==


def test_the_data_are_small_and_the_same_bytes_again(measured, exact):
    text = compact(measured)
    assert len(text) <= 25_000
    assert compact(data.rounded(exact)) == text
    assert data.measured() is measured


def test_no_number_lies_on_an_edge_of_rounding(exact):
    """Other last bits of exp or of a sum, 1e-13 or so, change no byte."""
    assert exact["margin"] > 1e-9
    for name, unit in (("entropy", data.NAT), ("largest", data.WEIGHT)):
        values = np.concatenate([np.ravel(n) for size in exact[name] for n in size]) / unit
        assert np.abs(values - np.floor(values) - 0.5).min() > 1e-6, name
    moments = [law["moments"] for of_size in exact["laws"] for law in of_size]
    shown = [(x, 4) for m in moments for x in (m.mean, m.deviation())]
    shown += [(x, 4) for x in exact["norms"]] + [(x, 3) for x in exact["normals"]]
    # The levels come from √, · and /, which are the same to the last bit everywhere.
    for x, digits in shown:
        mantissa = abs(x) / 10 ** (math.floor(math.log10(abs(x))) - digits + 1)
        assert abs(mantissa % 1 - 0.5) > 1e-7, x


def test_divisors_by_hand():
    assert [data.divisor_of(name, 64) for name in data.DIVISORS] == [1, 8, 64, 8, math.sqrt(512)]
    assert [data.divisor_of(name, 16) for name in data.DIVISORS[1:4]] == [4, 16, 8]


def test_levels_are_all_that_the_controls_can_set(measured):
    for d_k, found in zip(data.SIZES, measured["levels"], strict=True):
        wanted = {
            float(f"{s * s / data.divisor_of(c, d_k):.6g}")
            for s, c in itertools.product(data.DEVIATIONS, data.DIVISORS)
        }
        assert found == sorted(wanted)


def test_scores_follow_theory_in_every_law(measured):
    """24 laws; each |z| < 4.5, so by the normal approximation 24 · 2 · 7e-6 = 3e-4 for a false alarm, seed fixed."""
    n = data.SCORES
    for d_k, of_size in zip(data.SIZES, measured["laws"], strict=True):
        for rho, law in zip(data.CORRELATIONS, of_size, strict=True):
            variance = d_k * (1 + rho**2)
            assert abs(law["mean"] - rho * d_k) < 4.5 * math.sqrt(variance / n)
            # kurtosis of a score with correlated normal components: 3 + 6 (1 + 6ρ² + ρ⁴)/(d (1 + ρ²)²)
            kurtosis = 3 + 6 * (1 + 6 * rho**2 + rho**4) / (d_k * (1 + rho**2) ** 2)
            error = math.sqrt((kurtosis - 1) / n) / 2
            assert abs(law["deviation"] / math.sqrt(variance) - 1) < 4.5 * error, (d_k, rho)
            assert len(law["counts"]) == data.BINS and 0.98 * n < sum(law["counts"]) <= n


@pytest.mark.parametrize(("d_k", "rho"), [(1, 0), (4, 0.6), (16, 0.3), (64, 0)])
def test_histogram_and_what_is_outside_against_other_draws(measured, d_k, rho):
    """Differences of two samples, in standard errors; 4.5 in at most 40 bins: 3e-4 for a false alarm, seed fixed."""
    size, r = data.SIZES.index(d_k), data.CORRELATIONS.index(rho)
    rng = np.random.Generator(np.random.PCG64([d_k, r]))
    rows = 40_000
    q, g = rng.standard_normal((2, rows, d_k))
    s = (q * (rho * q + math.sqrt(1 - rho * rho) * g)).sum(axis=1)
    law = measured["laws"][size][r]
    edges = data.BIN * (np.arange(data.BINS + 1) - data.BINS / 2)
    ours, _ = np.histogram((s - rho * d_k) / math.sqrt(d_k * (1 + rho * rho)), edges)
    both = (ours + np.array(law["counts"])) / (rows + data.SCORES)
    error = np.sqrt(np.maximum(both * (1 - both), 5 / rows) * (1 / rows + 1 / data.SCORES))
    assert (np.abs(ours / rows - np.array(law["counts"]) / data.SCORES) < 4.5 * error).all()
    for deviation, divisor in ((2, "none"), (1, "none"), (1.5, "sqrt")):
        now = data.reading(measured, d_k, 4, deviation, rho, divisor)
        z = s * deviation**2 / data.divisor_of(divisor, d_k)
        for share, expected in zip(now["outside"], ((z < -data.EDGE).mean(), (z > data.EDGE).mean()), strict=True):
            assert abs(share - expected) < 4.5 * math.sqrt(max(expected, 1e-3) * (1 / rows + 1 / data.SCORES))


@pytest.mark.parametrize("key_count", [4, 16, 256])
@pytest.mark.parametrize(("d_k", "divisor"), [(1, "none"), (64, "sqrt"), (64, "d_k"), (16, "none"), (1024, "8")])
def test_mean_entropy_against_quadrature(measured, exact, d_k, key_count, divisor):
    c = data.divisor_of(divisor, d_k)
    expected = product_row(key_count, d_k, c).entropy
    found = data.reading(measured, d_k, key_count, 1, 0, divisor)["mean_row"]["entropy"]
    # An entropy between 0 and log n that has this mean varies by at most √(H (log n − H)), on average over ROWS rows.
    error = math.sqrt(expected * max(math.log(key_count) - expected, 0) / data.ROWS)
    assert abs(found - expected) < 4 * error + data.NAT / 2


@pytest.mark.parametrize(
    ("d_k", "key_count", "deviation", "rho", "divisor"),
    [
        (1, 4, 2, 0.6, "none"),
        (4, 16, 1, 0.3, "sqrt"),
        (16, 64, 1.5, 0.6, "8"),
        (64, 4, 1, 0.6, "none"),
        (16, 16, 0.5, 0.1, "sqrt_d_model"),
    ],
)
def test_means_over_rows_against_queries_and_keys(measured, d_k, key_count, deviation, rho, divisor):
    """Vectors themselves, softmax by exponentials: 4.5 standard errors of the difference, 1e-5 a number, seed fixed."""
    rng, rows = np.random.Generator(np.random.PCG64([d_k, key_count])), 4_000
    q = rng.standard_normal((rows, 1, d_k))
    k = rho * q + math.sqrt(1 - rho * rho) * rng.standard_normal((rows, key_count, d_k))
    z = (deviation * q * deviation * k).sum(axis=2) / data.divisor_of(divisor, d_k)
    e = np.exp(z - z.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    entropies = -(p * np.log(np.maximum(p, 1e-300))).sum(axis=1)
    found = data.reading(measured, d_k, key_count, deviation, rho, divisor)["mean_row"]
    for name, ours, unit in (("entropy", entropies, data.NAT), ("largest", p.max(axis=1), data.WEIGHT)):
        error = ours.std() * math.sqrt(1 / rows + 1 / data.ROWS)
        assert abs(found[name] - ours.mean()) < 4.5 * error + unit, name


def test_reading_by_hand(measured):
    now = data.reading(measured, 16, 64, 2, 0.3, "sqrt")
    level, within, norm = 4 / 4, math.sqrt(0.91), measured["norms"][2]
    raw = [0.3 * norm**2 + within * norm * g for g in measured["normals"][:64]]
    e = [math.exp(level * s) for s in raw]
    p = sorted((x / sum(e) for x in e), reverse=True)
    assert now["c"] == 4 and now["spread"] == pytest.approx(4 * within)
    assert now["theory"] == {
        "mean": pytest.approx(0.3 * 16),
        "deviation": pytest.approx(4 * math.sqrt(16 * 1.09) / 4),
    }
    assert len(now["p"]) == data.BARS - 1 and now["p"] == pytest.approx(p[:15], rel=1e-12)
    assert now["rest"] == pytest.approx(sum(p[15:]), rel=1e-10)
    assert now["z"] == pytest.approx([level * raw[i - 1] for i in now["order"]], rel=1e-12)
    assert now["row"]["entropy"] == pytest.approx(-sum(x * math.log(x) for x in p), rel=1e-12)
    assert now["row"]["largest"] == now["p"][0]
    assert data.reading(measured, 16, 16, 1, 0, "sqrt")["rest"] == 0


def test_correlation_moves_the_mean_and_leaves_weights_but_for_the_spread(measured):
    plain, moved = (data.reading(measured, 64, 16, 1, rho, "sqrt") for rho in (0, 0.6))
    assert moved["theory"]["mean"] == pytest.approx(4.8) and plain["theory"]["mean"] == 0
    assert moved["theory"]["deviation"] == pytest.approx(math.sqrt(1.36))
    assert moved["spread"] == pytest.approx(0.8 * plain["spread"])
    # p' ∝ p^0.8: the same order, flatter
    power = np.array(plain["p"]) ** 0.8
    assert moved["order"] == plain["order"] and moved["p"] == pytest.approx(power / power.sum(), rel=1e-9)


def test_the_row_shown_is_like_the_mean(measured):
    for key_count in data.KEYS:
        for divisor in ("none", "sqrt"):
            now = data.reading(measured, 64, key_count, 1, 0, divisor)
            assert abs(now["row"]["entropy"] - now["mean_row"]["entropy"]) < 0.15 * math.log(key_count)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ((64, 64, 1, 0, "sqrt"), "initial"),
        ((64, 64, 1, 0, "none"), "frozen"),
        ((64, 64, 1, 0, "d_k"), "flat"),
        ((64, 64, 1, 0, "sqrt_d_model"), "flat"),
        ((64, 64, 1.5, 0, "sqrt"), "sharp"),
        ((64, 64, 0.5, 0, "sqrt"), "flat"),
        ((1, 4, 1, 0, "none"), "initial"),
        ((1024, 16, 1, 0, "8"), "sharp"),
        ((1024, 16, 1, 0, "none"), "frozen"),
    ],
)
def test_kinds_of_state(measured, state, kind):
    assert data.reading(measured, *state)["kind"] == kind


# == the widget ==


def test_starts_as_the_book_does():
    widget = ScalingLab()
    assert widget.state == {"d_k": 64, "key_count": 64, "deviation": 1, "correlation": 0, "divisor": "sqrt"}
    assert widget.language == "ja"
    assert widget.reading == data.reading(data.measured(), 64, 64, 1, 0, "sqrt")


def test_state_travels_as_plain_json():
    widget = ScalingLab(d_k=np.int64(16), key_count=4.0, deviation=np.float64(0.5), correlation=0.0)
    state = widget.get_state()
    assert compact([state[name] for name in CHOICES]) == '[16,4,0.5,0,"sqrt"]'
    assert state["measured"] == data.measured()
    assert "export default" in state["_esm"] and ".scaling-lab" in state["_css"]


def test_a_message_from_the_page_changes_the_state():
    widget = ScalingLab()
    widget.set_state({"d_k": 1024, "key_count": 256, "deviation": 1.5, "correlation": 0.6, "divisor": "8"})
    assert list(widget.state.values()) == [1024, 256, 1.5, 0.6, "8"]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("d_k", 32, "d_k: expected one of 1, 4, 16, 64, 256, 1024, got 32; the nearest is 16"),
        ("d_k", True, "d_k: expected one of .*, got True$"),
        ("d_k", "64", "d_k: expected one of .*, got '64'$"),
        ("key_count", 0, "key_count: expected one of 4, 16, 64, 256, got 0; the nearest is 4"),
        ("key_count", [4], r"key_count: expected one of .*, got \[4\]$"),
        ("deviation", math.nan, "deviation: expected one of 0.5, 1, 1.5, 2, got nan$"),
        ("deviation", math.inf, "got inf$"),
        ("correlation", -0.3, "correlation: expected one of 0, 0.1, 0.3, 0.6, got -0.3; the nearest is 0"),
        ("divisor", "root", 'divisor: expected one of "none", "sqrt", "d_k", "8", "sqrt_d_model", got \'root\'$'),
        ("divisor", 8, "divisor: expected one of .*, got 8$"),
        ("language", "zh", "language: expected 'ja' or 'zh-Hant', got 'zh'"),
        ("language", np.array(["ja", "zh-Hant"]), r"language: expected 'ja' or 'zh-Hant', got array"),
        ("d_k", 10**400, "d_k: expected one of .*, got 10{400}$"),  # no float holds it
    ],
)
def test_bad_state_is_named_and_the_old_one_kept(name, value, says):
    with pytest.raises(traitlets.TraitError, match=says):
        ScalingLab(**{name: value})
    widget = ScalingLab()
    before = getattr(widget, name)
    with pytest.raises(traitlets.TraitError, match=says):
        setattr(widget, name, value)
    assert getattr(widget, name) == before


def test_the_measurements_cannot_be_set(measured):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        ScalingLab().measured = {}
    widget = ScalingLab()
    for wrong in ({}, measured | {"rows": 2}):
        with pytest.raises(traitlets.TraitError, match="measured: expected what Python measured"):
            widget.set_state({"measured": wrong})
        assert widget.measured == measured
    widget.set_state({"measured": json.loads(compact(measured))})
    assert widget.measured == measured


@pytest.mark.parametrize(
    ("name", "mend"), [("dk", "did you mean d_k?"), ("keys", "mend the name"), ("heads", "mend the name")]
)
def test_a_mistyped_name_is_not_passed_over(name, mend):
    with pytest.raises(TypeError, match=f"expected d_k, key_count, .* or language, got {name}; {re.escape(mend)}"):
        ScalingLab(**{name: 16})


def test_bundle_has_the_view_and_what_remains_without_a_kernel():
    bundle, _ = ScalingLab(divisor="none", deviation=1.5)._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert bundle["text/plain"] == ('ScalingLab(d_k=64, key_count=64, deviation=1.5, correlation=0, divisor="none")')
    assert html_of(ScalingLab()) == html_of(ScalingLab())  # no model id, no address


def test_html_is_one_element_with_its_data(measured):
    text = html_of(ScalingLab(d_k=256))
    start = '<div class="book-widget" data-widget="scaling_lab"><script type="application/json">'
    assert text.startswith(start) and text.endswith("</div>") and "\n" not in text
    found = json.loads(text[len(start) : text.index("</script>")])
    assert found.pop("measured") == measured
    assert ScalingLab(**found).state == found
    assert found["d_k"] == 256
    assert len(text) < 28_000


class Reader(html.parser.HTMLParser):
    """Text per language, and the stack of open tags."""

    def __init__(self):
        super().__init__()
        self.open, self.texts = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append((tag, dict(attributes).get("lang")))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        if all(tag != "script" for tag, _ in self.open):
            self.texts.append((next((lang for _, lang in reversed(self.open) if lang), None), text))


def test_fallback_is_tables_in_both_languages(measured):
    reader = Reader()
    reader.feed(html_of(ScalingLab(correlation=0.3, d_k=1024)))
    assert reader.open == []
    for language, text in reader.texts:
        if re.search(r"[\u3040-\u30ff\u3400-\u9fff]", text):
            assert language in ("ja", "zh-Hant"), text
    words = {language: [t for tag, t in reader.texts if tag == language] for language in ("ja", "zh-Hant")}
    assert len(words["ja"]) == len(words["zh-Hant"]) == 10
    plain = " ".join(text for language, text in reader.texts if language is None)
    law = measured["laws"][5][2]
    for number in (law["mean"] / 32, law["deviation"] / 32, 9.6, math.sqrt(1.09), 1 / 64, math.log(64)):
        assert f" {number:.3g} " in f" {plain} ", number
    assert "d k  = 1,024" in plain and "-" not in plain


def test_fallback_passes_the_rules_for_outputs():
    from interview_book.book.outputs import html_findings

    assert html_findings(html_of(ScalingLab(correlation=0.1))) == []
