"""The figures show what was computed: coordinates are read back from the SVG."""

import math
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from interview_book.checks import crossover, raw_gradient
from interview_book.figures import STYLE, coin_walks, gradient_crossing

SVG = "{http://www.w3.org/2000/svg}"
# The classes that the book's stylesheet colours.
CLASSES = {"fig", "f-axis", "f-grid", "f-tie", "f-root", "f-walk", "f-dot", "f-bar", "f-in", "f-text", "f-it", "f-key"}
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


FIGURES = [gradient_crossing, lambda: coin_walks(generator())]


@pytest.mark.parametrize("make", FIGURES)
def test_coloured_by_classes_alone(make):
    drawing = make()
    root = parsed(drawing)
    assert {c for e in root.iter() for c in e.get("class", "").split()} <= CLASSES
    for element in root.iter():
        assert not {"fill", "stroke", "style", "id"} & set(element.keys())
    body = drawing.svg.replace(STYLE, "")
    assert "<style" not in body and "#" not in body and "url(" not in body
    assert drawing.svg.index(STYLE) == drawing.svg.index(">") + 1  # first, so that the site finds and removes it


@pytest.mark.parametrize("make", FIGURES)
def test_holds_symbols_and_numbers_only(make):
    for text in texts(parsed(make())):
        assert re.fullmatch(r"[−√]*[\d.]*|−?√?n|D|p\(1 − p\)/c|c = \d", text), text


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
        "from interview_book.figures import coin_walks, gradient_crossing\n"
        "print(hashlib.sha256((gradient_crossing().svg + coin_walks(Generator(PCG64(64))).svg).encode()).hexdigest())"
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
    ],
)
def test_marks_off_the_axis_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        gradient_crossing(**arguments)


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
    ],
)
def test_bad_arguments_are_named(arguments, error, says):
    with pytest.raises(error, match=says):
        coin_walks(*arguments)
