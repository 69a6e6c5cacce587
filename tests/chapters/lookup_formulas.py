"""The derivations that show the lesson's numbers: every matrix of their LaTeX against own ones."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from tests.chapters.lookup_own import BANK, W_K, W_Q, W_V, embeddings, mixed, steps, transpose


def own_matrices() -> dict[str, list[list[list]]]:
    """Return the matrices of each derivation by its left side, in the order in which they stand."""
    one, x = steps(), [embeddings()[BANK]]
    powers = [math.exp(s / 2) for s in one.S[BANK]]
    projections = {"q = x W_{Q}": (W_Q, one.Q), "k = x W_{K}": (W_K, one.K), "v = x W_{V}": (W_V, one.V)}
    return {left: [x, w, [found[BANK]]] for left, (w, found) in projections.items()} | {
        r"q K^{\mathsf{T}}": [[one.Q[BANK]], transpose(one.K), [one.S[BANK]]],
        # 1/Z stands before both rows of powers
        "p V": [[powers], one.V, [mixed(powers, one.V)]],
    }


def value(tex: str) -> float:
    """Evaluate a sum of fractions and powers of e."""
    plain = re.sub(r"e\^\{([^{}]*)\}", r"exp(\1)", tex.replace(r"\displaystyle", ""))
    plain = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", plain)
    plain = re.sub(r"(\d) +exp", r"\1*exp", plain).strip()
    assert re.fullmatch(r"(?:exp|[-+*/(). 0-9])+", plain), f"a formula that this file cannot read: {tex}"
    return eval(plain, {"__builtins__": {}, "exp": math.exp})


def matrices(tex: str) -> list[list[list[float]]]:
    """Return the numbers of every matrix of a formula."""
    bodies = re.findall(r"\\begin\{matrix\}(.*?)\\end\{matrix\}", tex, re.DOTALL)
    return [
        [[value(cell) for cell in row.split("&")] for row in re.split(r"\\\\(?: *\[\w+\])?", one)] for one in bodies
    ]


def formula_faults(left: str, tex: str) -> list[str]:
    """Return what of one derivation is not as computed here."""
    try:
        found = matrices(tex)
    except SyntaxError as error:
        return [f"{left}: {error}"]
    own = own_matrices()[left]
    if [[len(row) for row in one] for one in found] != [[len(row) for row in one] for one in own]:
        return [f"{left}: matrices of other sizes"]
    pairs = [
        (a, float(b))
        for x, y in zip(found, own, strict=True)
        for r, s in zip(x, y, strict=True)
        for a, b in zip(r, s, strict=True)
    ]
    return [f"{left}: {a}, but {b}" for a, b in pairs if not math.isclose(a, b, rel_tol=1e-14)]


def altered_formulas(tex: str) -> Iterator[str]:
    """Yield the formula with one whole number inside a matrix made larger by one."""
    for body in re.finditer(r"\\begin\{matrix\}(.*?)\\end\{matrix\}", tex, re.DOTALL):
        for match in re.finditer(r"(?<![\w\[])\d+(?!pt)", body[1]):
            start = body.start(1) + match.start()
            yield tex[:start] + str(int(match[0]) + 1) + tex[start + len(match[0]) :]
