"""The figures show what was computed: coordinates are read back from the SVG."""

import math
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from interview_book.checks import crossover, raw_gradient
from interview_book.checks.estimates import Estimate
from interview_book.figures import coin_walks, gradient_crossing, variance_growth

SVG = "{http://www.w3.org/2000/svg}"
# The classes that the book's stylesheet colours.
CLASSES = {"fig", "f-axis", "f-grid", "f-tie", "f-root", "f-walk", "f-dot", "f-bar", "f-in", "f-text", "f-it", "f-key"}
CLASSES |= {"f-mark", "f-err", "f-thin", "f-sub"}
LEFT, RIGHT, TOP, BOTTOM = 62.0, 630.0, 32.0, 356.0


def generator(seed=64):
    return np.random.Generator(np.random.PCG64(seed))


def parsed(drawing):
    return ElementTree.fromstring(drawing.svg)


def of(root, tag, name):
    return [e for e in root.iter(SVG + tag) if name in e.get("class", "").split()]


def points(path):
    return [tuple(map(float, pair.split())) for pair in re.findall(r"[\d.]+ [\d.]+", path.get("d"))]


def texts(root):
    return ["".join(e.itertext()) for e in root.iter(SVG + "text")]


def estimates(*laws, width=0.01, n=10_000):
    """Estimates whose errors are known: each is off by 1 % of the theory, to either side in turn."""
    return {
        law: {
            d: Estimate(d * (1 + (-1) ** i * 0.01), d * width, n, float(d))
            for i, d in enumerate((1, 4, 16, 64, 256, 1024))
        }
        for law in laws
    }


LAWS = ("normal", "uniform", "rademacher", "laplace", "student_t9")
GROWTH = r"1/[\d,]+|[\d,]+|dk|Var\(s\) = dk|Var\(s/√dk\) = 1|Var\(s/dk\) = 1/dk|[NUL]|±1|t\d"
FIGURES = [gradient_crossing, lambda: coin_walks(generator()), lambda: variance_growth(estimates(*LAWS))]


@pytest.mark.parametrize("make", FIGURES)
def test_coloured_by_classes_alone(make):
    drawing = make()
    root = parsed(drawing)
    assert {c for e in root.iter() for c in e.get("class", "").split()} <= CLASSES
    for element in root.iter():
        assert not {"fill", "stroke", "style", "id"} & set(element.keys())
    body = drawing.svg.replace(drawing.style, "")
    assert "<style" not in body and "#" not in body and "url(" not in body
    assert (
        drawing.svg.index(drawing.style) == drawing.svg.index(">") + 1
    )  # first, so that the site finds and removes it


@pytest.mark.parametrize("make", FIGURES)
def test_holds_symbols_and_numbers_only(make):
    for text in texts(parsed(make())):
        assert re.fullmatch(r"[−√]*[\d.]*|−?√?n|D|p\(1 − p\)/c|c = \d|" + GROWTH, text), text


@pytest.mark.parametrize("make", FIGURES)
def test_everything_lies_on_the_sheet(make):
    root = parsed(make())
    width, height = map(float, root.get("viewBox").split()[2:])
    for element in root.iter(SVG + "text"):
        assert 0 <= float(element.get("x")) <= width and 0 <= float(element.get("y")) <= height - 4


@pytest.mark.parametrize("make", FIGURES)
def test_bundle_is_the_svg_and_one_stable_line(make):
    drawing = make()
    bundle = drawing._repr_mimebundle_()
    assert bundle == {"image/svg+xml": drawing.svg, "text/plain": repr(drawing)}
    assert "\n" not in bundle["text/plain"] and "0x" not in bundle["text/plain"]


def test_same_bytes_in_every_process():
    program = (
        "import hashlib; from numpy.random import Generator, PCG64\n"
        "from interview_book.figures import coin_walks, gradient_crossing, variance_growth\n"
        "from interview_book.checks import measure_scores, variance_estimate as v\n"
        "rng = Generator(PCG64(64)); svg = gradient_crossing().svg + coin_walks(rng).svg\n"
        "svg += variance_growth({'normal': {d: v(measure_scores(rng, 2000, d), d) for d in (1, 4, 64)}}).svg\n"
        "print(hashlib.sha256(svg.encode()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


@pytest.mark.parametrize("divisor", [2.0, 3.0])
def test_curves_are_the_gradients(divisor):
    plain_or_dashed = of(parsed(gradient_crossing(divisor=divisor)), "path", "f-root")
    curves = {path.get("stroke-dasharray") is not None: points(path) for path in plain_or_dashed}
    for dashed, curve in curves.items():
        assert len(curve) == 161
        for x, y in curve:
            gap = (x - LEFT) / (RIGHT - LEFT) * 8
            g = raw_gradient(gap, divisor if dashed else 1)
            # x is rounded to 0.05, where the curve falls by at most 0.1 in 71 units: 0.09 more
            assert abs(BOTTOM - g / 0.25 * (BOTTOM - TOP) - y) < 0.15


def test_marks_are_the_crossover_and_the_two_gradients_of_the_example():
    root = parsed(gradient_crossing())
    expected = [(crossover(), raw_gradient(crossover())), (4, raw_gradient(4)), (4, raw_gradient(4, 2))]
    dots = [(float(e.get("cx")), float(e.get("cy"))) for e in of(root, "circle", "f-dot")]
    for (gap, g), (x, y) in zip(expected, dots, strict=True):
        assert math.isclose(x, LEFT + gap / 8 * (RIGHT - LEFT), abs_tol=0.051)
        assert math.isclose(y, BOTTOM - g / 0.25 * (BOTTOM - TOP), abs_tol=0.051)
    assert {"2.12", "0.0177", "0.0525", "c = 1", "c = 2", "D", "p(1 − p)/c"} <= set(texts(root))
    assert repr(gradient_crossing()) == (
        "gradient_crossing: D* = 2.12255; p(1-p)/c at D = 4: 0.017663 for c = 1, 0.052497 for c = 2"
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"divisor": 1}, "divisor: expected a finite number above 1"),
        ({"divisor": math.nan}, "divisor"),
        ({"reach": 2}, "reach: expected the axis to end beyond the crossover 2.123"),
        ({"gap": 9}, "reach = 8.0 and gap = 9"),
        ({"gap": 0}, "gap > 0"),
        ({"gap": math.nan}, "gap: expected a finite number, got nan"),
        ({"reach": math.inf}, "reach: expected a finite number, got inf"),
    ],
)
def test_marks_off_the_axis_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        gradient_crossing(**arguments)


@pytest.mark.parametrize("name", ["gap", "divisor", "reach"])
@pytest.mark.parametrize("value", ["4", None, 4j, True])
def test_what_is_no_number_is_named(name, value):
    with pytest.raises(TypeError, match=f"{name}: expected a real number, got"):
        gradient_crossing(**{name: value})


@pytest.mark.parametrize("reach", [12, 13, 60, 1e5, 1e30])
def test_a_long_axis_has_few_ticks(reach):
    ticks = [one for one in texts(parsed(gradient_crossing(reach=reach))) if re.fullmatch(r"\d+", one)]
    assert 2 <= len(ticks) <= 8


def test_walks_are_the_tossed_coins():
    n, people = 16, 7
    coins = 2 * generator(3).integers(0, 2, (people, n)) - 1
    walks = of(parsed(coin_walks(generator(3), n, people)), "path", "f-walk")
    assert len(walks) == people
    for row, walk in zip(coins, walks, strict=True):
        assert walk.get("d").startswith("M0 0")
        steps = []
        for run, rise in re.findall(r"l(\d+) ?(-?\d+)", walk.get("d")):
            assert abs(int(rise)) == int(run)
            steps += [-1 if int(rise) > 0 else 1] * int(run)  # up is negative in SVG
        assert steps == row.tolist()


def test_roots_and_bars_are_exact():
    n, root_n = 64, 8
    root = parsed(coin_walks(generator()))
    group = next(e for e in root.iter(SVG + "g"))
    left, middle, dx, dy = map(float, re.findall(r"[\d.]+", group.get("transform")))
    for path, sign in zip(of(root, "path", "f-root"), (-1, 1), strict=True):
        for x, y in points(path):
            assert abs(math.sqrt((x - left) / dx) - sign * (y - middle) / dy) < 0.05
    bars = of(root, "rect", "f-bar")
    widest = max(float(b.get("width")) for b in bars)
    seen = 0
    for bar in bars:
        s = round((middle - float(bar.get("y")) - float(bar.get("height")) / 2) / dy)
        assert s % 2 == 0
        share = math.comb(n, (n + s) // 2) / math.comb(n, n // 2)
        assert abs(float(bar.get("width")) - widest * share) < 0.11
        assert ("f-in" in bar.get("class").split()) == (abs(s) <= root_n)
        seen += math.comb(n, (n + s) // 2)
    assert seen / 2**n > 0.99
    assert {"16", "36", "64", "8", "−8", "−16", "0", "n", "√n", "−√n"} == set(texts(root))


def test_text_counts_the_walks_inside():
    last = (2 * generator().integers(0, 2, (48, 64)) - 1).sum(axis=1)
    inside = int((np.abs(last) <= 8).sum())
    assert repr(coin_walks(generator())) == f"coin_walks: 48 x 64 coins; {inside} end within 8, expected 35.5"


def test_a_wide_walk_widens_the_axis():
    class Heads(np.random.Generator):
        def integers(self, low, high, size):
            return np.ones(size, dtype=int)

    root = parsed(coin_walks(Heads(np.random.PCG64(1)), 16, 1))
    *_, dy = map(float, re.findall(r"[\d.]+", next(e for e in root.iter(SVG + "g")).get("transform")))
    assert 16 * dy < 228 - 26


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((7,), TypeError, "rng: expected a numpy.random.Generator, got int"),
        ((generator(), 63), ValueError, "n: expected the square of a multiple of 4"),
        ((generator(), 36), ValueError, "n: expected the square of a multiple of 4"),
        ((generator(), 0), ValueError, "n: expected"),
        ((generator(), -16), ValueError, "n: expected"),
        ((generator(), 64, 0), ValueError, "people: expected at least 1, got 0"),
        ((generator(), 64.0), TypeError, "n: expected the square of a multiple of 4 .*, got 64.0"),
        ((generator(), "64"), TypeError, "n: expected the square .*, got '64'"),
        ((generator(), math.nan), TypeError, "n: expected the square .*, got nan"),
        ((generator(), 64, 2.5), TypeError, "people: expected a whole number, got 2.5"),
        ((generator(), 64, True), TypeError, "people: expected a whole number, got True"),
    ],
)
def test_bad_arguments_are_named(arguments, error, says):
    with pytest.raises(error, match=says):
        coin_walks(*arguments)


def test_whole_numbers_of_numpy_count_as_those_of_python():
    """2^64 as an integer of 64 bits is 0, and the expected number of walks inside would be infinite."""
    assert repr(coin_walks(generator(), np.int64(64), np.int64(48))) == repr(coin_walks(generator(), 64, 48))


# The scales of variance_growth, written down once more: d_k = 1 and 1,024; 2^10 and 2^-10; where the ratio is 1.
X, Y, RATIO = (132.0, 598.0), (44.0, 324.0), (406.0, 592.0)


def test_rings_are_the_estimates_three_times():
    measured = {"normal": {d: Estimate(v, v / 100, 1000, float(d)) for d, v in ((1, 1.0), (16, 12.0), (1024, 900.0))}}
    rings = {(float(e.get("cx")), float(e.get("cy"))) for e in of(parsed(variance_growth(measured)), "circle", "f-dot")}
    expected = set()
    for d, e in measured["normal"].items():
        for c in (1, math.sqrt(d), d):
            x = X[0] + math.log(d, 1024) * (X[1] - X[0])
            y = (Y[0] + Y[1]) / 2 - math.log(e.value / c**2, 1024) * (Y[1] - Y[0]) / 2
            expected.add((round(x, 1), round(y, 1)))
    assert len(rings) == len(expected) == 7  # at d_k = 1 the three coincide
    for one, other in zip(sorted(rings), sorted(expected), strict=True):
        assert one == pytest.approx(other, abs=0.051)


def test_magnified_marks_stand_in_their_intervals():
    root = parsed(variance_growth(estimates(*LAWS)))
    bars = of(root, "path", "f-err")
    assert len(bars) == 30
    # 1 % off and 1.96 % to either side: the scale ends at 5 %
    for i, bar in enumerate(bars):
        low, high = (float(one) for one in re.fullmatch(r"M[\d.]+ ([\d.]+)V([\d.]+)", bar.get("d")).groups())
        ratio = [1 + 0.05 * ((RATIO[0] + RATIO[1]) / 2 - y) / ((RATIO[1] - RATIO[0]) / 2) for y in (low, high)]
        value = 1 + (-1) ** (i % 6) * 0.01
        assert ratio == pytest.approx([value - 0.0196, value + 0.0196], abs=1e-4)
    assert {"0.95", "1.05", "1/1,024", "±1", "t9"} <= set(texts(root))
    places = [float(re.match(r"M([\d.]+)", bar.get("d"))[1]) for bar in bars]
    assert len(set(places)) == 30 and min(b - a for a, b in zip(sorted(places), sorted(places)[1:], strict=False)) > 12


def test_each_law_has_a_shape():
    marks = [e for e in parsed(variance_growth(estimates(*LAWS))).iter() if "f-mark" in e.get("class", "").split()]
    kinds = [(e.tag, e.get("class"), re.sub(r"[\d. -]+", "", e.get("d", ""))) for e in marks]
    assert len(set(kinds)) == 5 and all(kinds.count(kind) == 7 for kind in set(kinds))


def test_growth_says_its_numbers():
    assert repr(variance_growth(estimates("normal", "laplace"))) == (
        "variance_growth: 2 laws, 12 estimates; Var(s)/d_k from 0.9900 to 1.0100, 12 of 12 intervals (95%) hold 1"
    )
    assert "0 of 6 intervals (95%)" in repr(variance_growth(estimates("normal", width=0.001)))


@pytest.mark.parametrize(
    ("measured", "error", "says"),
    [
        ({}, ValueError, "expected one to 5 laws"),
        (estimates(*LAWS, "student_t5"), ValueError, "expected one to 5 laws"),
        (estimates("cauchy"), ValueError, "law: expected normal"),
        (estimates("student_t"), ValueError, "student_t9"),
        (estimates("normal3"), ValueError, "law: expected"),
        ({"normal": {}}, ValueError, "got none"),
        ({"normal": {4: 4.0}}, TypeError, "expected an Estimate, got float"),
        ({"normal": {2048: Estimate(2048.0, 1.0, 10, 2048.0)}}, ValueError, "d_k from 1 to 1024"),
        ({"normal": {4: Estimate(1.0, 0.1, 10, 1.0)}}, ValueError, "theory 4, got 1.0"),
        ({"normal": {4: Estimate(4.0, 4.0, 10, 4.0)}}, ValueError, "an interval above 0"),
        ({"normal": {1: Estimate(1.0, 0.1, 9), 4: Estimate(4.0, 0.1, 9, None, 0.9)}}, ValueError, "one confidence"),
        ({"normal": {1: Estimate(1.0, math.nan, 9)}}, ValueError, "an interval above 0, got nan to nan"),
        ({"normal": {1: Estimate(1.0, -0.1, 9)}}, ValueError, "an interval from low to high, got 1.19.* to 0.80"),
        ({"normal": {"1": Estimate(1.0, 0.1, 9)}}, TypeError, "a whole number as d_k, got '1'"),
        ({"normal": {1.5: Estimate(1.5, 0.1, 9)}}, TypeError, "a whole number as d_k, got 1.5"),
        ({"normal": {True: Estimate(1.0, 0.1, 9)}}, TypeError, "a whole number as d_k, got True"),
        ({"normal": [Estimate(1.0, 0.1, 9)]}, TypeError, "measured: expected a mapping"),
        ([Estimate(1.0, 0.1, 9)], TypeError, "measured: expected a mapping"),
        ({9: {1: Estimate(1.0, 0.1, 9)}}, TypeError, "law: expected normal, .*, got 9"),
    ],
)
def test_what_growth_cannot_draw_is_refused(measured, error, says):
    with pytest.raises(error, match=says):
        variance_growth(measured)
