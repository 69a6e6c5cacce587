"""The stepper as the page gets it: the numbers of its JSON and of its six tables against own ones."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from html.parser import HTMLParser

from tests.chapters.lookup_own import (
    BANK,
    BETAS,
    EMBEDDINGS,
    SENTENCES,
    W_K,
    W_Q,
    W_V,
    embeddings,
    exact,
    half_up,
    steps,
)
from tests.chapters.lookup_reading import Number

TABLE = ("by", "at", "the", "river", "savings", "bank")
# Twelve digits are given of what went through exp.
CLOSE = 1e-11
# A number as a table shows it, with a sign only at its beginning.
SHOWN = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?")


def floats(value):
    """Return fractions as floats, in nested lists."""
    return [floats(one) for one in value] if isinstance(value, (list, tuple)) else float(value)


@cache
def own_data() -> dict:
    """What the JSON must hold."""
    values = {}
    for name in SENTENCES:
        one = steps(name)
        modes = {}
        for mode, beta in BETAS.items():
            now = steps(name, mode)
            scaled = [[beta * s for s in row] for row in now.S]
            modes[mode] = {"Z": scaled, "A": now.A, "output": now.output, "entropy": now.entropy}
            modes[mode] = {key: floats(rows) for key, rows in modes[mode].items()}
        values[name] = {key: floats(getattr(one, key)) for key in "QKVS"} | {"modes": modes}
    x = floats(exact(EMBEDDINGS[token] for token in TABLE))
    sentences = [
        {"name": name, "tokens": list(tokens), "rows": [TABLE.index(token) for token in tokens]}
        for name, tokens in SENTENCES.items()
    ]
    return {
        **{"sentence": "river", "mode": "scaled", "query": BANK, "step": 1, "computed": 4, "X": x},
        "given": {
            **{"lesson": True, "features": None, "sentences": sentences, "X": x},
            **{"W_q": floats(W_Q), "W_k": floats(W_K), "W_v": floats(W_V), "values": values},
        },
    }


def unlike(found, own, place: str = "data") -> list[str]:
    """Return the places at which two JSON values differ by more than their last digit."""
    if isinstance(own, dict) and isinstance(found, dict) and own.keys() == found.keys():
        return [fault for key in own for fault in unlike(found[key], own[key], f"{place}.{key}")]
    if isinstance(own, list) and isinstance(found, list) and len(own) == len(found):
        return [fault for i in range(len(own)) for fault in unlike(found[i], own[i], f"{place}[{i}]")]
    numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (found, own))
    right = math.isclose(found, own, rel_tol=CLOSE, abs_tol=0) if numbers else found == own
    return [] if right else [f"{place}: {found!r}, but {own!r}"]


class Tables(HTMLParser):
    """Rows of all tables in one language: the label, the texts of the other cells, which of them is framed."""

    def __init__(self, html: str, language: str) -> None:
        super().__init__()
        self.tables: list[list[tuple[str, list[str], list[bool]]]] = []
        self.language, self._open, self._cells = language, [], []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        given = dict(attrs)
        self._open.append((tag, given.get("lang")))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self._cells = []
        elif tag in ("th", "td"):
            self._cells.append([tag, "", "strongest" in (given.get("class") or "").split()])

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        body = any(name == "tbody" for name, _ in self._open)
        if tag == "tr" and body and len(self._cells) > 1:
            (_, label, _), *rest = self._cells
            self.tables[-1].append((label, [text for _, text, _ in rest], [framed for *_, framed in rest]))

    def handle_data(self, data: str) -> None:
        languages = {language for _, language in self._open if language}
        if self._cells and any(name in ("th", "td") for name, _ in self._open) and languages <= {self.language}:
            self._cells[-1][1] += data


@cache
def own_tables() -> list[list[tuple[str, list[float]]]]:
    """Each table's rows: how the label begins («» for any), and all numbers of the other cells in their order."""
    one, tokens = steps(), SENTENCES["river"]
    q, p, scaled = one.Q[BANK], one.A[BANK], [s / 2 for s in one.S[BANK]]
    powers = [math.exp(z) for z in scaled]
    shares = [[weight * float(value) for value in row] for weight, row in zip(p, one.V, strict=True)]
    terms = [[n for a, b in zip(q, key, strict=True) for n in (a, b, a * b)] for key in one.K]
    tables = [
        list(zip(tokens, embeddings(), strict=True)),
        [("", [*W_Q[i], *W_K[i], *W_V[i]]) for i in range(4)]
        + [(token, [*one.Q[i], *one.K[i], *one.V[i]]) for i, token in enumerate(tokens)],
        [(token, [*terms[i], one.S[BANK][i], scaled[i]]) for i, token in enumerate(tokens)],
        [(token, [scaled[i], powers[i], p[i], half_up(p[i])]) for i, token in enumerate(tokens)]
        + [("Σ", [sum(powers), 1, sum(map(half_up, p))])],
        [(token, [p[i], *shares[i]]) for i, token in enumerate(tokens)]
        + [("", [1, *one.output[BANK]]), ("argmax", [1, *one.V[p.index(max(p))]])],
        [(token, [*one.A[i], 1, one.entropy[i]]) for i, token in enumerate(tokens)],
    ]
    return [[(label, floats(numbers)) for label, numbers in table] for table in tables]


def shown_as(text: str, own: float) -> bool:
    """A number without a point is exact; any other is a rounding to the digits it has."""
    number = Number.of(text)
    return abs(number.value - own) <= (number.unit / 2 + 1e-9 if "." in text else 1e-9)


def table_faults(html: str, language: str) -> list[str]:
    found, tables = [], Tables(html, language).tables
    if [len(table) for table in tables] != [len(table) for table in own_tables()]:
        return [f"{language}: tables of {[len(table) for table in tables]} rows"]
    for step, (table, own) in enumerate(zip(tables, own_tables(), strict=True), start=1):
        for (label, texts, framed), (begins, numbers) in zip(table, own, strict=True):
            place = f"{language}, step {step}, {label}"
            shown = [text for cell in texts for text in SHOWN.findall(cell)]
            if not label.startswith(begins) or len(shown) != len(numbers):
                found.append(f"{place}: {texts}")
                continue
            found += [
                f"{place}: {text}, but {own!r}"
                for text, own in zip(shown, numbers, strict=True)
                if not shown_as(text, own)
            ]
            # four weights, their sum and the entropy; nothing is framed in the other tables
            strongest = [i < 4 and x == max(numbers[:4]) for i, x in enumerate(numbers)]
            if framed != (strongest if step == 6 else [False] * len(framed)):
                found.append(f"{place}: framed {framed}")
    return found


def data_of(html: str) -> str:
    """Return the JSON of the element."""
    return re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1]


def stepper_faults(html: str) -> list[str]:
    """Return everything that the stepper's element shows and that is not as computed here."""
    return data_faults(data_of(html)) + table_faults(html, "ja") + table_faults(html, "zh-Hant")


def data_faults(data: str) -> list[str]:
    return unlike(json.loads(data), own_data())


def altered_data(html: str):
    """Yield the JSON with one number moved, by 2e-11 of it at least."""
    data = data_of(html)
    for match in re.finditer(r"(?<=[\[,:])-?\d+(?:\.\d+)?(?:e-?\d+)?(?=[\],}])", data):
        x = float(match[0])
        moved = f"{x * (1 + 3e-11):.14g}" if x else "1e-9"
        yield data[: match.start()] + moved + data[match.end() :]


def altered_tables(html: str):
    """Yield the element with one number of its tables moved by a unit of its last digit, or a frame taken away."""
    start = html.index("</script>")
    for cell in re.finditer(r"<td[^>]*>([^<]+)</td>", html[start:]):
        for match in SHOWN.finditer(cell[1]):
            number, begin = Number.of(match[0]), start + cell.start(1)
            decimals = max(0, -round(math.log10(number.unit)))
            for sign in (-1, 1):
                moved = f"{number.value + sign * number.unit:.{decimals}f}".replace("-", "−")
                yield html[: begin + match.start()] + moved + html[begin + match.end() :]
    for match in re.finditer(" strongest", html[start:]):
        yield html[: start + match.start()] + html[start + match.end() :]
