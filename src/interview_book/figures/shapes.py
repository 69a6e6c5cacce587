"""The shapes of attention: which sizes have to agree, and which Query, Key and Value meet in one entry."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interview_book.checks.arguments import require_count
from interview_book.figures.drawing import STYLE, Drawing, italic, number, path, text

LEFT, GAP, WIDTH = 26.0, 46.0, 646
# Of one cell, where the matrices are small; larger ones are drawn finer.
CELL = 22.0
MOST = 9
# What the book's stylesheet gives to roles and cells.
ROLES = (
    ".fig{--q:#103096;--k:#a3174e;--v:#7e6d02}"
    "@media(prefers-color-scheme:dark){.fig{--q:#6e9bf0;--k:#f799af;--v:#ecdc70}}"
    ".f-cell{fill:none;stroke:var(--ink-2);stroke-width:1.5}.f-cell.q{stroke:var(--q)}"
    ".f-cell.k{stroke:var(--k);stroke-dasharray:5 3}.f-cell.v{stroke:var(--v);stroke-dasharray:1.5 3}"
    ".f-q,.fig text.q{fill:var(--q)}.f-k,.fig text.k{fill:var(--k)}.f-v,.fig text.v{fill:var(--v)}"
    '.f-err{fill:none;stroke:var(--ink-2);stroke-width:1.5}.fig .f-sum{font:16px "Times New Roman",serif}'
    ".fig .f-sum .f-it{font-size:18px}.fig .f-sub,.fig .f-sub .f-it{font-size:12px}"
)


@dataclass(frozen=True)
class _Box:
    """A matrix on the sheet: its corner, its numbers of rows and columns, the side of a cell."""

    x: float
    y: float
    rows: int
    columns: int
    cell: float

    @property
    def right(self) -> float:
        return self.x + self.columns * self.cell

    @property
    def bottom(self) -> float:
        return self.y + self.rows * self.cell

    @property
    def middle(self) -> float:
        return (self.y + self.bottom) / 2


def attention_shapes(n_q: int = 3, n_k: int = 5, d_k: int = 4, d_v: int = 2) -> Drawing:
    """Draw ``Q · Kᵀ = Q Kᵀ``, the softmax of each of its rows, and ``A · V = A V`` as grids of cells.

    Query number i, Key and Value number j and the entries in which they meet are filled. Roles have their colours,
    strokes and marks; the sizes stand below each matrix as letters, so that one figure serves every size.

    Parameters
    ----------
    n_q, n_k, d_k, d_v : numbers of cells, 1 to 9 each; the default has four different ones.

    Raises
    ------
    TypeError : a size that is no whole number. ValueError : one below 1 or above 9.
    """
    for name, size in (("n_q", n_q), ("n_k", n_k), ("d_k", d_k), ("d_v", d_v)):
        require_count(name, size)
        if size > MOST:
            raise ValueError(f"{name}: expected at most {MOST} cells, which can still be told apart, got {size}")
    cell = min(CELL, (WIDTH - LEFT - 40 - 4 * GAP) / (d_k + 2 * n_k + 2 * d_v))
    top = 52 + max(n_q, d_k) * cell / 2  # the middle of the upper line
    low = top + n_q * cell / 2 + 123 + max(n_q * cell / 2, n_k * cell / 2 - 22)  # and of the lower one
    q = _Box(LEFT, top - n_q * cell / 2, n_q, d_k, cell)
    k = _Box(q.right + GAP, top - d_k * cell / 2, d_k, n_k, cell)
    s = _Box(k.right + GAP, q.y, n_q, n_k, cell)
    a = _Box(s.x, low - n_q * cell / 2, n_q, n_k, cell)
    v = _Box(a.right + GAP, low - n_k * cell / 2, n_k, d_v, cell)
    o = _Box(v.right + GAP, a.y, n_q, d_v, cell)
    i, j = min(1, n_q - 1), min(3, n_k - 1)

    parts = [_fill(q, row=i), _fill(k, column=j), _fill(s, row=i), _fill(s, row=i, column=j)]
    parts += [_fill(a, row=i), _fill(a, row=i, column=j), _fill(v, row=j), _fill(o, row=i)]
    for box, role in ((q, "q"), (k, "k"), (s, ""), (a, ""), (v, "v"), (o, "")):
        parts += [_lines(box), _outline(box, role)]
    named = (
        (q, "Q", "q", "n_q×d_k"),
        (k, "K^T", "k", "d_k×n_k"),
        (s, "QK^T", "", "n_q×n_k"),
        (a, "A", "", "n_q×n_k"),
        (v, "V", "v", "n_k×d_v"),
        (o, "AV", "", "n_q×d_v"),
    )
    for box, name, role, sizes in named:
        parts += [_name(box, name, role), text(box.x, box.bottom + 24, _indexed(sizes), "start")]
    for left, y, sign in ((q, top, "·"), (k, top, "="), (a, low, "·"), (v, low, "=")):
        parts.append(text(left.right + GAP / 2, y + 5, sign, "middle", "f-text f-sum"))
    for box in (q, a):
        parts.append(text(box.x - 8, box.y + (i + 0.5) * cell + 5, italic("i"), "end"))
    parts.append(text(k.x + (j + 0.5) * cell, k.y - 9, italic("j"), "middle"))
    parts.append(text(v.x - 8, v.y + (j + 0.5) * cell + 5, italic("j"), "end"))
    parts += _arrow((s.x + s.right) / 2, s.bottom + 37, a.y - 6)
    for place, line in ((low - 8, "s_ij = q_i · k_j"), (low + 32, "o_i = Σ_j A_ij v_j")):
        parts.append(text(LEFT, place, _indexed(line), "start", "f-text f-sum"))
    says = (
        f"Q {n_q}x{d_k}, K^T {d_k}x{n_k}, Q K^T {n_q}x{n_k}, A {n_q}x{n_k}, V {n_k}x{d_v}, A V {n_q}x{d_v}; "
        f"i = {i + 1}, j = {j + 1}"
    )
    height = round(max(v.bottom, a.bottom) + 40)
    return Drawing(
        "attention_shapes", WIDTH, height, "".join(parts), says, STYLE.replace("</style>", f"{ROLES}</style>")
    )


def _rect(name: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{name}" x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"/>'


def _fill(box: _Box, row: int | None = None, column: int | None = None) -> str:
    """Fill one row, one column, or darker the entry in which both meet."""
    x = box.x if column is None else box.x + column * box.cell
    y = box.y if row is None else box.y + row * box.cell
    width = box.right - box.x if column is None else box.cell
    height = box.bottom - box.y if row is None else box.cell
    return _rect("f-bar" if row is None or column is None else "f-bar f-in", x, y, width, height)


def _lines(box: _Box) -> str:
    across = (f"M{number(box.x)} {number(box.y + r * box.cell)}H{number(box.right)}" for r in range(1, box.rows))
    down = (f"M{number(box.x + c * box.cell)} {number(box.y)}V{number(box.bottom)}" for c in range(1, box.columns))
    return path("f-grid", d) if (d := "".join((*across, *down))) else ""


def _outline(box: _Box, role: str) -> str:
    name = f"f-cell {role}" if role else "f-err"
    return _rect(name, box.x, box.y, box.right - box.x, box.bottom - box.y)


def _name(box: _Box, name: str, role: str) -> str:
    """Write a letter above its matrix, a role's letter in its colour and behind its mark."""
    x, y = box.x, box.y - 10
    if not role:
        return text(x, y, _indexed(name), "start", "f-text f-sum")
    middle = y - 6
    corners = {
        "q": [(x, middle - 6), (x + 11, middle), (x, middle + 6)],
        "k": [(x + 6, middle - 6.5), (x + 12.5, middle), (x + 6, middle + 6.5), (x - 0.5, middle)],
        "v": [(x, middle - 5.5), (x + 11, middle - 5.5), (x + 11, middle + 5.5), (x, middle + 5.5)],
    }[role]
    d = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "Z"
    return path(f"f-{role}", d) + text(x + 17, y, _indexed(name), "start", f"f-text f-sum {role}")


def _indexed(line: str) -> str:
    """Write a line in which ``n_q`` is n with the index q and ``K^T`` is K with a raised T; letters are italic."""
    parts, shift = [], 0
    for piece in re.findall(r"[_^][A-Za-z]+|[A-Za-z]|[^A-Za-z_^]+", line):
        if piece[0] in "_^":
            shift = 5 if piece[0] == "_" else -6
            body = italic(piece[1:]) if piece[0] == "_" else piece[1:]
            parts.append(f'<tspan class="f-sub" dy="{shift}">{body}</tspan>')
            continue
        body = italic(piece) if piece.isascii() and piece.isalpha() else piece
        # what follows an index goes back to the line
        parts.append(f'<tspan dy="{-shift}">{body}</tspan>' if shift else body)
        shift = 0
    return "".join(parts)


def _arrow(x: float, start: float, end: float) -> list[str]:
    """Return the arrow from the scores down to the weights, with what it does to them on its left."""
    d = f"M{number(x)} {number(start)}V{number(end)}M{number(x - 5)} {number(end - 7)}L{number(x)} {number(end)}"
    root = f"softmax(· / √{_indexed('d_k)')}"
    return [path("f-err", f"{d}L{number(x + 5)} {number(end - 7)}"), text(x - 12, start + 28, root, "end")]
