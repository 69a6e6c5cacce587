"""What the stepper must show, without the book's code: the printed lesson.md, and NumPy for an edited table."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

LESSON = Path(__file__).parents[1] / "attention"
SENTENCES = {"river": ["by", "the", "river", "bank"], "savings": ["at", "the", "savings", "bank"]}
WORDS = ["by", "at", "the", "river", "savings", "bank"]
MODES = ["scaled", "raw", "uniform"]
BETAS = {"scaled": Fraction(1, 2), "raw": Fraction(1), "uniform": Fraction(0)}
MATRICES = ["W_Q", "W_K", "W_V"]
N, STEPS = 4, 6

# A number as a reader meets it: −1,234.5 or 1.2×10⁻⁵.
NUMBER = re.compile(r"−?\d+(?:,\d{3})*(?:\.\d+)?(?:×10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_POWER = r"−?\d\.\d+×10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
_WHOLE = r"−?\d{1,3}(?:,\d{3})*"
# How numbers of each kind are written, and half of the last decimal that they promise.
FORMS = {
    "short": (rf"{_WHOLE}(\.\d{{0,2}}[1-9])?|{_POWER}", 5e-4),
    "three": (rf"0|{_WHOLE}\.\d{{3}}|{_POWER}", 5e-4),
    "exp": (rf"{_WHOLE}\.\d{{3}}|{_POWER}", 5e-4),
    "nats": (r"\d\.\d{3}", 5e-4),
    "two": (r"[01]\.\d\d", 5e-3),
    # As lesson.md prints it; one of few decimals is meant exactly.
    "exact": (rf"0\.\d{{10}}|1\.0{{10}}|[01]|0\.\d{{1,4}}|{_POWER}", 5e-11),
    "count": (r"\d+", 0),
}


def value_of(text: str) -> float:
    mantissa, _, power = text.replace("−", "-").replace(",", "").partition("×10")
    return float(mantissa) * 10.0 ** int(power.translate(_RAISED) or 0)


def fits(text: str | None, kind: str, value) -> bool:
    """Whether the reader's number is written as its kind is, and is this value rounded."""
    form, half = FORMS[kind]
    if text is None or not re.fullmatch(form, text):
        return False
    if text == "0":
        return abs(value) <= 1e-9 or (kind == "count" and value == 0)
    if kind == "exact" and len(text) < 12 and "×" not in text:
        half = 0
    if "×" in text:
        mantissa, _, power = text.partition("×10")
        half = 0.5 * 10.0 ** (int(power.translate(_RAISED)) - len(mantissa.partition(".")[2]))
    # lesson.md gives ten decimals, NumPy sixteen digits.
    return abs(value_of(text) - float(value)) <= half * (1 + 1e-9) + (1e-10 if "×" not in text else 1e-9 * half)


@cache
def printed() -> dict[str, list[list[Fraction]]]:
    """Every table of lesson.md by the titles over it, as «river: mode scaled: weights A»; entropies apart."""
    found: dict[str, list[list[Fraction]]] = {}
    sentence = title = ""
    for line in (LESSON / "lesson.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            if line.startswith("## Sentence"):
                sentence = "savings: " if "savings" in line else "river: "
            title = re.sub(r"^## | \(rows.*| = Q K.*", "", line) or title
        elif re.match(r"\|\s*[\w\\]+\s*\|\s*-?\d", line):
            cells = [Fraction(one) for one in line.split("|")[2:-1]]
            found.setdefault(sentence + title, []).append(cells)
    return found


@cache
def lesson(sentence: str, mode: str) -> dict:
    """Each step's numbers by name; Q, K, V, S exact, A and the outputs to ten decimals, the entropies to six."""
    table = {name: printed()[f"{sentence}: {name}"] for name in ("Q", "K", "V", "S")}
    weights = printed()[f"{sentence}: mode {mode}: weights A"]
    embeddings = dict(zip(WORDS, printed()["Embeddings"], strict=True))
    p = [row[:N] for row in weights]
    return {
        "tokens": SENTENCES[sentence],
        "mode": mode,
        "beta": BETAS[mode],
        "X": [embeddings[token] for token in SENTENCES[sentence]],
        **table,
        "terms": [[[a * b for a, b in zip(q, k, strict=True)] for k in table["K"]] for q in table["Q"]],
        "Z": [[BETAS[mode] * one for one in row] for row in table["S"]],
        "A": p,
        "weighted": [[[one * v for v in row] for one, row in zip(q, table["V"], strict=True)] for q in p],
        "output": printed()[f"{sentence}: mode {mode}: outputs A V"],
        "entropy": [row[N] for row in weights],
        **{name: printed()[name] for name in MATRICES},
    }


def worked(table: dict[str, list[float]], sentence: str, mode: str) -> dict:
    """The same numbers from embeddings by word, in plain NumPy."""
    model = json.loads((LESSON / "lesson.json").read_text(encoding="utf-8"))
    w = [[[float(Fraction(one)) for one in row] for row in model[name]] for name in MATRICES]
    x = [table[token] for token in SENTENCES[sentence]]
    return attention(SENTENCES[sentence], x, *w, mode)


def attention(tokens: list[str], x: list, w_q: list, w_k: list, w_v: list, mode: str) -> dict:
    """The numbers of any tokens and sizes, in plain NumPy."""
    x, *w = (np.array(one, dtype=float) for one in (x, w_q, w_k, w_v))
    beta = {"scaled": len(w_q[0]) ** -0.5, "raw": 1.0, "uniform": 0.0}[mode]
    q, k, v = (x @ one for one in w)
    z = beta * (q @ k.T)
    below = z - z.max(axis=1, keepdims=True)
    p = np.exp(below) / np.exp(below).sum(axis=1, keepdims=True)
    found = {
        "X": x,
        "Q": q,
        "K": k,
        "V": v,
        "S": q @ k.T,
        "terms": np.einsum("if,jf->ijf", q, k),
        "Z": z,
        "A": p,
        "weighted": np.einsum("ij,jf->ijf", p, v),
        "output": p @ v,
        "entropy": np.log(np.exp(below).sum(axis=1)) - (p * below).sum(axis=1),
        **dict(zip(MATRICES, w, strict=True)),
    }
    numbers = {name: one.tolist() for name, one in found.items()}
    return {"tokens": tokens, "mode": mode, "beta": beta, **numbers}


def embeddings() -> dict[str, list[float]]:
    """lesson.md's embeddings by word, to be edited."""
    return {word: [float(one) for one in row] for word, row in zip(WORDS, printed()["Embeddings"], strict=True)}


def strongest(row: list) -> list[int]:
    """Keys with the largest weight; none where several are all alike. Floats that should be equal differ a little."""
    most = max(row)
    found = [j for j, one in enumerate(row) if most - one <= 1e-12 * most]
    return [] if len(found) == len(row) > 1 else found


def soft_gradient(now: dict, query: int) -> list[list[float]]:
    """∂o/∂s_j = beta p_j (v_j − o), of the raw scores."""
    beta, out = float(now["beta"]), now["output"][query]
    return [
        [beta * float(p) * float(a - b) for a, b in zip(v, out, strict=True)]
        for p, v in zip(now["A"][query], now["V"], strict=True)
    ]


def exponentials(z: list) -> list[float]:
    """exp(z), relative to the largest where no table could show them."""
    far = max(z) if max(map(abs, z)) > 50 else 0
    return [math.exp(one - far) for one in z]
