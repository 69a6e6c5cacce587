"""What each step's tables, pictures and sentence must say of given numbers, and what of a shown state does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.browser.stepper_lesson import NUMBER, WORDS, exponentials, fits, soft_gradient, strongest, value_of


@dataclass(frozen=True)
class Cell:
    """A number of a kind; in brackets what √d_k would give; ink by the number, a frame, waiting; its two factors."""

    kind: str
    value: object
    was: object = None
    inked: bool = False
    framed: bool = False
    raw: bool = False
    factors: tuple = ()

    def faults(self, cell: dict) -> list[str]:
        found = []
        if not fits(cell["text"], self.kind, self.value):
            found.append(f"shows {cell['text']}, but it is {float(self.value):.12g}")
        if (cell["was"] is None) != (self.was is None):
            found.append(f"in brackets {cell['was']}, expected {self.was}")
        elif self.was is not None and not fits(cell["was"], self.kind, self.was):
            found.append(f"in brackets {cell['was']}, but divided it is {float(self.was):.12g}")
        # Eight inks of equal width. 0.25 stands on an edge, and lesson.md gives ten decimals.
        inks = {min(7, int(8 * float(self.value) + shift)) for shift in (-1e-9, 1e-9)} if self.inked else {None}
        if cell["heat"] not in inks or cell["framed"] != self.framed or cell["raw"] != self.raw:
            found.append(f"{cell['text']}: ink {cell['heat']}, framed {cell['framed']}, waiting {cell['raw']}")
        factors = (cell["factors"] or "").split("×") if self.factors else []
        if len(factors) != len(self.factors) or not all(
            fits(text, "short", one) for text, one in zip(factors, self.factors, strict=True)
        ):
            found.append(f"factors {cell['factors']}, but they are {self.factors}")
        return found


Row = tuple[str, list[Cell | None]]


def cells(kind: str, row: Sequence, was: Sequence | None = None) -> list[Cell]:
    return [Cell(kind, one, None if was is None else was[i]) for i, one in enumerate(row)]


def weights(row: Sequence, was: Sequence | None) -> list[Cell]:
    top = strongest(row)
    return [Cell("two", p, None if was is None else was[j], inked=True, framed=j in top) for j, p in enumerate(row)]


def named(rows: Iterable, names: Iterable[str]) -> list[Row]:
    return list(zip(names, rows, strict=True))


def stage(step: int, now: dict, scaled: dict, query: int, computed: int) -> list[list[Row]]:
    """The tables of a step, as rows of a token («» for other heads) and cells (None: not a number of the maths)."""
    tokens, beside = now["tokens"], now["mode"] != "scaled"
    n = range(len(tokens))

    def was(name: str, i: int = query):
        return scaled[name][i] if beside else None

    def scores(j: int) -> list[Cell]:
        factors = zip(now["Q"][query], now["K"][j], strict=True)
        terms = zip(now["terms"][query][j], factors, strict=True)
        z = cells("short", now["Z"][query], was("Z"))[j]
        last = Cell("short", z.value, z.was, framed=j in strongest(now["A"][query]))
        return [*(Cell("short", one, factors=pair) for one, pair in terms), Cell("short", now["S"][query][j]), last]

    if step == 1:
        return [named((cells("short", one) for one in now["X"]), tokens)]
    if step == 2:
        sides = [[now[f"W_{role}"] for role in "QKV"], [now[role] for role in "QKV"]]
        rows = [
            [cell for matrix in matrices for cell in cells("short", matrix[i])]
            for matrices in sides
            for i in range(len(matrices[0]))
        ]
        return [named(rows, [*("" for _ in now["W_Q"]), *tokens])]
    if step == 3:
        return [named(map(scores, n), tokens)]
    p = weights(now["A"][query], was("A"))
    if step == 4:
        z, e = cells("short", now["Z"][query], was("Z")), exponentials(now["Z"][query])
        exact = cells("exact", now["A"][query], was("A"))
        rows = named(([z[j], Cell("exp", e[j]), exact[j], p[j]] for j in n), tokens)
        return [[*rows, ("", [None, Cell("exp", sum(e)), Cell("count", 1), None])]]
    if step == 5:
        parts = scaled["weighted"][query] if beside else [None for _ in n]
        rows = named(([p[j], *cells("three", now["weighted"][query][j], parts[j])] for j in n), tokens)
        output = [Cell("count", 1), *cells("three", now["output"][query], was("output"))]
        return [[*rows, ("", output), ("", [None, *cells("short", now["V"][query])])]]  # last its own Value
    rows = [
        [*weights(now["A"][i], was("A", i)), Cell("count", 1)]
        if i < computed
        else [*(Cell("short", one, raw=True) for one in now["S"][i]), None]
        for i in n
    ]
    return [named(rows, tokens)]


def lookups(now: dict, scaled: dict, query: int) -> list[list[Row]]:
    """Hard argmax beside soft lookup: outputs, gradients through the Values, gradients through the scores."""
    s, p, v = now["S"][query], now["A"][query], now["V"]
    chosen = next(j for j, one in enumerate(s) if max(s) - one <= 1e-9)  # the first of a tie
    beside = now["mode"] != "scaled"
    was_p, was_out = (scaled["A"][query], scaled["output"][query]) if beside else (None, None)
    slope, was_slope = soft_gradient(now, query), soft_gradient(scaled, query) if beside else [None] * len(s)
    hard = [Cell("count", int(j == chosen), inked=True, framed=j == chosen) for j in range(len(s))]
    soft = [Cell("two", one.value, one.was, inked=True) for one in weights(p, was_p)]
    return [
        [("", cells("short", v[chosen])), ("", cells("three", now["output"][query], was_out))],
        named(map(list, zip(hard, soft, strict=True)), now["tokens"]),
        named(([Cell("count", 0), *cells("three", slope[j], was_slope[j])] for j in range(len(s))), now["tokens"]),
    ]


def table_faults(shown: list[dict], expected: list[list[Row]]) -> list[str]:
    if [len(one["rows"]) for one in shown] != [len(one) for one in expected]:
        return [f"tables of {[len(one['rows']) for one in shown]} rows, expected {[len(one) for one in expected]}"]
    found = []
    for number, (table, rows) in enumerate(zip(shown, expected, strict=True), 1):
        for row, (name, wanted) in zip(table["rows"], rows, strict=True):
            head, *given = row
            place = f"table {number}, {head['text']}"
            if head["tag"] != "TH" or (name and head["text"] != name) or len(given) != len(wanted):
                found.append(f"{place}: {len(given)} cells, expected «{name}» and {len(wanted)}")
                continue
            pairs = enumerate(zip(given, wanted, strict=True), 1)
            found += [f"{place}, {i}: {fault}" for i, (cell, one) in pairs if one for fault in one.faults(cell)]
    return found


def link_faults(links: list[dict], now: dict, computed: int) -> list[str]:
    """A line from each computed Query to each Key, as wide as its weight; the strongest stands out by its width."""
    found, n = [], len(now["tokens"])
    if len(links) != n * computed:
        return [f"{len(links)} lines for {computed} Queries"]
    for i in range(computed):
        mine = sorted((one for one in links if one["query"] == i), key=lambda one: one["to"])
        if len({one["from"] for one in mine}) != 1 or len({one["to"] for one in mine}) != n:
            found.append(f"Query {i}: lines do not go from one place to {n}")
        total, top = sum(one["width"] for one in mine), strongest(now["A"][i])
        for j, one in enumerate(mine):
            # Widths are written to a tenth, of twelve in all.
            if abs(one["width"] / total - float(now["A"][i][j])) > 0.01 or one["top"] != (j in top):
                found.append(f"line {i}→{j}: {one}, weight {float(now['A'][i][j]):.3f}")
            apart = top and float(now["A"][i][top[0]] - now["A"][i][j]) > 0.02
            if apart and one["width"] >= mine[top[0]]["width"]:
                found.append(f"line {i}→{j} is as thick as the strongest")
    return found


def printed_sum(texts: list[str]) -> str:
    return f"{sum(round(100 * value_of(one)) for one in texts) / 100:.2f}"


def faults(shown: dict, now: dict, scaled: dict) -> list[str]:
    """Everything of a shown state that the numbers `now`, and `scaled` beside them, do not say."""
    step, query = shown["step"], shown["query"]
    computed = shown["computed"] if step == 6 else len(now["tokens"])
    found = table_faults(shown["tables"], stage(step, now, scaled, query, computed))
    found += table_faults(shown["contrast"], lookups(now, scaled, query))
    if shown["slider"] != step:
        found.append(f"the slider stands at {shown['slider']}")
    if step == 4 and not found:
        *rows, last = shown["tables"][0]["rows"]
        texts = [row[-1]["text"] for row in rows]
        total = printed_sum(texts)
        if last[-1]["text"] != total or f"{' + '.join(texts)} = {total}" not in shown["notes"][0]:
            found.append(f"rounded weights add up to {total}, told {last[-1]['text']} and {shown['notes'][0]}")
        was = scaled["entropy"][query] if now["mode"] != "scaled" else None
        entropy = {**shown["readings"][0], "text": shown["readings"][0]["text"].split()[0]}
        found += [f"entropy {one}" for one in Cell("nats", now["entropy"][query], was).faults(entropy)]
    if step == 6:
        found += link_faults(shown["links"], now, computed)
    return [f"{now['mode']}, {now['tokens'][query]}, step {step}: {one}" for one in found]


def said(now: dict, scaled: dict, step: int, query: int, computed: int) -> tuple[list[tuple[str, object]], list[str]]:
    """The numbers that a step's sentence says, with their kinds, and the tokens that it names first, both in order.

    Of one strongest Key, which may be the token itself, and of as many tokens as there are features.
    """
    tokens, mode, n, i = now["tokens"], now["mode"], len(now["tokens"]), query
    best = max(range(n), key=lambda j: now["S"][i][j])
    name, own = tokens[i], [tokens[i], tokens[best]]
    weight, scaled_weight = ("two", now["A"][i][best]), ("two", scaled["A"][i][best])
    even = ("two", 1 / n)
    if step == 1:
        return [("short", one) for one in now["X"][i]], [name]
    if step == 2:
        return [("short", one) for role in ("X", "Q", "K", "V") for one in now[role][i]], [name]
    if step == 3:
        raw, z = ("short", now["S"][i][best]), ("short", scaled["Z"][i][best])
        zero = [("count", 0)] if mode == "uniform" else []
        return [raw, *zero, ("count", 2), z], own
    if step == 4 and mode == "scaled":
        least = min(now["S"][i])
        low = [j for j in range(n) if now["S"][i][j] - least <= 1e-9]
        p = now["A"][i][low[0]]
        zero, seen = ("count", 0), ("two" if p >= 0.005 else "exact", p)
        told = [zero, seen] if abs(least) <= 1e-9 else [seen, zero]
        return [("count", 1), weight, *told], [*own, *(tokens[j] for j in low)]
    if step == 4:
        entropies = [("nats", now["entropy"][i]), ("nats", scaled["entropy"][i])]
        told = [even, scaled_weight, ("count", n), entropies[0]]
        return told if mode == "uniform" else [weight, scaled_weight, *entropies], own
    if step == 5:
        outputs = [[("three", one["output"][i][f]) for one in (now, scaled)] for f in (0, 1)]
        a, b = (("short", one) for one in now["V"][i][:2])
        if mode == "scaled":
            return [weight, outputs[0][0], outputs[1][0], a, *([b] if b != a else [])], own
        lead = [even] if mode == "uniform" else [weight, scaled_weight]
        return [*lead, *outputs[0], *outputs[1]], [] if mode == "uniform" else own
    if not computed:
        return [], []
    if computed < n:
        last = computed - 1
        seen = max(range(n), key=lambda j: now["S"][last][j])
        both = [("two", one["A"][last][seen]) for one in (now, scaled)]
        told = {"scaled": both[:1], "raw": both, "uniform": [even]}[mode]
        return told, [tokens[last], *([] if mode == "uniform" else [tokens[seen]])]
    other = max((j for j in range(n) if j != i), key=lambda j: now["S"][i][j])
    there, back = ([("two", one["A"][a][b]) for one in (now, scaled)] for a, b in ((i, other), (other, i)))
    if mode == "uniform":
        return [even, there[1], back[1]], [name, tokens[other]]
    itself = [weight] if best == i else []
    return [*itself, there[0], back[0], *([there[1], back[1]] if mode == "raw" else [])], [name, tokens[other]]


def sentence_faults(shown: dict, now: dict, scaled: dict) -> list[str]:
    """What the live sentence says otherwise than the numbers: each in its place, none too many."""
    computed = shown["computed"] if shown["step"] == 6 else len(now["tokens"])
    numbers, tokens = said(now, scaled, shown["step"], shown["query"], computed)
    texts = numbers_in(shown["live"])
    right = len(texts) == len(numbers) and all(fits(text, *one) for text, one in zip(texts, numbers, strict=True))
    if right and tokens_in(shown["live"]) == list(dict.fromkeys(tokens)):
        return []
    expected = [f"{float(value):.4g}" for _, value in numbers]
    return [f"{now['mode']}, step {shown['step']}: {shown['live']} (expected {expected} of {tokens})"]


def sight(shown: dict) -> set[str]:
    """Every number in sight, those in brackets too, but not those of the sentence."""
    rows = [row for table in shown["tables"] + shown["contrast"] for row in table["rows"]]
    texts = [cell[name] or "" for row in [*rows, shown["readings"]] for cell in row for name in ("text", "was")]
    return set(numbers_in(" ".join(texts)))


def numbers_in(sentence: str) -> list[str]:
    return NUMBER.findall(sentence)


def tokens_in(sentence: str) -> list[str]:
    """The lesson's words that it names, each once."""
    return list(dict.fromkeys(re.findall(rf"(?<![A-Za-z])(?:{'|'.join(WORDS)})(?![A-Za-z])", sentence)))
