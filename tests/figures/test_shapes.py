"""The picture of the shapes: cells counted, places read back from the SVG, marks and strokes of the roles."""

import itertools
import re
from xml.etree import ElementTree

import pytest

from interview_book.figures import attention_shapes

SVG = "{http://www.w3.org/2000/svg}"
# What the book's stylesheet knows.
CLASSES = {"fig", "f-grid", "f-text", "f-it", "f-sub", "f-sum", "f-err", "f-cell", "f-bar", "f-in", "q", "k", "v"}
CLASSES |= {"f-q", "f-k", "f-v"}
SIZES = [(3, 5, 4, 2), (2, 7, 5, 3), (7, 3, 2, 5), (1, 1, 1, 1), (9, 9, 9, 9)]
NAMED = ("Q", "KT", "QKT", "A", "V", "AV")


def parsed(*sizes):
    return ElementTree.fromstring(attention_shapes(*sizes).svg)


def of(root, tag, *names):
    return [e for e in root.iter(SVG + tag) if set(names) <= set(e.get("class", "").split())]


def box(rect):
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def said(element):
    return "".join(element.itertext())


def matrices(root):
    """Return the outline of each matrix by its name, in the order of the two lines."""
    outlines = [e for e in root.iter(SVG + "rect") if {"f-cell", "f-err"} & set(e.get("class").split())]
    return dict(zip(NAMED, outlines, strict=True))


def shapes(n_q, n_k, d_k, d_v):
    """Return rows and columns of each matrix."""
    return {"Q": (n_q, d_k), "KT": (d_k, n_k), "QKT": (n_q, n_k), "A": (n_q, n_k), "V": (n_k, d_v), "AV": (n_q, d_v)}


@pytest.mark.parametrize("sizes", SIZES)
def test_every_matrix_has_the_cells_of_its_shape(sizes):
    root = parsed(*sizes)
    outlines = matrices(root)
    x, y, right, bottom = box(outlines["QKT"])
    cell = (bottom - y) / sizes[0]
    for name, (rows, columns) in shapes(*sizes).items():
        x, y, right, bottom = box(outlines[name])
        # four coordinates, each rounded to a tenth
        assert abs(right - x - columns * cell) < 0.2 and abs(bottom - y - rows * cell) < 0.2, name
    lines = sum(len(re.findall("M", path.get("d"))) for path in of(root, "path", "f-grid"))
    assert lines == sum(rows - 1 + columns - 1 for rows, columns in shapes(*sizes).values())


@pytest.mark.parametrize("sizes", SIZES)
def test_the_two_products_stand_side_by_side_and_the_weights_below_their_scores(sizes):
    outlines = {name: box(one) for name, one in matrices(parsed(*sizes)).items()}
    for line in (("Q", "KT", "QKT"), ("A", "V", "AV")):
        middles = [(outlines[name][1] + outlines[name][3]) / 2 for name in line]
        assert max(middles) - min(middles) < 0.2
        assert all(outlines[a][2] + 30 < outlines[b][0] for a, b in itertools.pairwise(line))
    assert outlines["QKT"][0] == outlines["A"][0] and outlines["QKT"][3] + 60 < outlines["A"][1]


@pytest.mark.parametrize("sizes", SIZES)
def test_what_is_filled_is_one_query_one_key_with_its_value_and_where_they_meet(sizes):
    n_q, n_k, _, _ = sizes
    i, j = min(1, n_q - 1), min(3, n_k - 1)
    root = parsed(*sizes)
    outlines = {name: box(one) for name, one in matrices(root).items()}
    cell = (outlines["A"][3] - outlines["A"][1]) / n_q
    meeting = {"Q": (i, None), "KT": (None, j), "QKT": (i, j), "A": (i, j), "V": (j, None), "AV": (i, None)}
    filled = [box(one) for one in of(root, "rect", "f-bar")]
    darker = [box(one) for one in of(root, "rect", "f-bar", "f-in")]
    assert len(filled) == 8 and len(darker) == 2
    for name, (row, column) in meeting.items():
        x, y, right, bottom = outlines[name]
        band = (
            x if column is None or row is not None else x + column * cell,
            y if row is None else y + row * cell,
            right if column is None or row is not None else x + (column + 1) * cell,
            bottom if row is None else y + (row + 1) * cell,
        )
        assert any(max(abs(a - b) for a, b in zip(band, one, strict=True)) < 0.2 for one in filled), name
        if row is not None and column is not None:
            entry = (x + column * cell, band[1], x + (column + 1) * cell, band[3])
            assert any(max(abs(a - b) for a, b in zip(entry, one, strict=True)) < 0.2 for one in darker), name


def test_roles_have_their_stroke_their_mark_and_their_letter():
    root = parsed()
    outlines = matrices(root)
    for role, name in (("q", "Q"), ("k", "KT"), ("v", "V")):
        assert outlines[name].get("class") == f"f-cell {role}"
        (mark,) = of(root, "path", f"f-{role}")
        (letter,) = [e for e in of(root, "text", role)]
        assert said(letter) == name
        corners = [tuple(map(float, pair.split())) for pair in re.findall(r"[\d.]+ [\d.]+", mark.get("d"))]
        assert len(corners) == {"q": 3, "k": 4, "v": 4}[role]
        # right before the letter and above the matrix
        assert max(x for x, _ in corners) < float(letter.get("x")) < max(x for x, _ in corners) + 12
        assert max(y for _, y in corners) < box(outlines[name])[1]
    for name in ("QKT", "A", "AV"):
        assert outlines[name].get("class") == "f-err"


@pytest.mark.parametrize("sizes", SIZES)
def test_each_matrix_says_its_sizes_below(sizes):
    root = parsed(*sizes)
    below = {"Q": "nq×dk", "KT": "dk×nk", "QKT": "nq×nk", "A": "nq×nk", "V": "nk×dv", "AV": "nq×dv"}
    found = [(float(e.get("x")), float(e.get("y")), said(e)) for e in root.iter(SVG + "text")]
    for name, outline in matrices(root).items():
        x, _, _, bottom = box(outline)
        assert any(abs(x - a) < 0.1 and 0 < b - bottom < 30 and body == below[name] for a, b, body in found), name


def test_only_symbols_are_written():
    allowed = {"·", "=", "i", "j", "sij = qi · kj", "oi = Σj Aij vj", "softmax(· / √dk)", *NAMED}
    assert {said(e) for e in parsed().iter(SVG + "text")} - allowed == {"nq×dk", "dk×nk", "nq×nk", "nk×dv", "nq×dv"}


def test_what_is_lowered_comes_back_to_the_line():
    for text in parsed().iter(SVG + "text"):
        shifts = [float(e.get("dy")) for e in text.iter(SVG + "tspan") if e.get("dy")]
        lines = list(itertools.accumulate(shifts))
        # two shifts for each index, the second back to 0 unless the line ends there
        assert all(one == 0 for one in lines[1::2]), said(text)


@pytest.mark.parametrize("sizes", SIZES)
def test_everything_lies_on_the_sheet(sizes):
    root = parsed(*sizes)
    width, height = map(float, root.get("viewBox").split()[2:])
    assert width == 646
    for rect in root.iter(SVG + "rect"):
        x, y, right, bottom = box(rect)
        assert min(x, y) >= 0 and right <= width and bottom <= height
    for text in root.iter(SVG + "text"):
        assert 0 <= float(text.get("x")) <= width and 12 <= float(text.get("y")) <= height - 4


def test_coloured_by_classes_alone():
    drawing = attention_shapes()
    root = ElementTree.fromstring(drawing.svg)
    assert {c for e in root.iter() for c in e.get("class", "").split()} <= CLASSES
    for element in root.iter():
        assert not {"fill", "stroke", "style", "id"} & set(element.keys())
    body = drawing.svg.replace(drawing.style, "")
    assert "<style" not in body and "#" not in body and "url(" not in body
    assert drawing.svg.index(drawing.style) == drawing.svg.index(">") + 1


def test_the_stylesheet_knows_every_class(root):
    css = (root / "src" / "interview_book" / "book" / "static" / "book.css").read_text(encoding="utf-8")
    for name in CLASSES - {"q", "k", "v", "f-text"}:  # text without a class of its own has the figure's type
        assert f".{name}" in css, name


def test_the_style_of_a_notebook_has_the_colours_of_the_page(root):
    tokens = (root / "src" / "interview_book" / "book" / "static" / "tokens.css").read_text(encoding="utf-8")
    style = attention_shapes().style
    for role in "qkv":
        pair = re.search(rf"--{role}: light-dark\((#\w+), (#\w+)\)", tokens)
        assert re.findall(rf"--{role}:(#\w+)", style) == [pair[1], pair[2]]


def test_plain_text_says_the_shapes():
    assert repr(attention_shapes()) == (
        "attention_shapes: Q 3x4, K^T 4x5, Q K^T 3x5, A 3x5, V 5x2, A V 3x2; i = 2, j = 4"
    )
    assert repr(attention_shapes(2, 7, 5, 3)).endswith("V 7x3, A V 2x3; i = 2, j = 4")
    assert repr(attention_shapes(1, 2, 3, 5)).endswith("i = 1, j = 2")
    assert attention_shapes().svg == attention_shapes(3, 5, 4, 2).svg


@pytest.mark.parametrize("name", ["n_q", "n_k", "d_k", "d_v"])
def test_sizes_are_few_whole_numbers(name):
    for size in (0, -3):
        with pytest.raises(ValueError, match=f"{name}: expected at least 1, got {size}"):
            attention_shapes(**{name: size})
    with pytest.raises(ValueError, match=f"{name}: expected at most 9 cells, which can still be told apart, got 11"):
        attention_shapes(**{name: 11})
    for size in (2.0, "2", True, None):
        with pytest.raises(TypeError, match=f"{name}: expected a whole number"):
            attention_shapes(**{name: size})
