"""The six steps as six tables, in both languages: what a page shows without scripts and a notebook without widgets."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

# The lesson's features, as the widget calls them.
_FEATURES = (("岸", "河岸"), ("金融", "金融"), ("名詞", "名詞"), ("機能語", "虛詞"))
# With larger scores e^z is shown divided by the largest of the row, which fits whatever the scores are.
_PLAIN_EXPONENT = 12
_TIE = 1e-12
_ROLE = {name: f'<span class="role {name[0].lower()}">{name}</span>' for name in ("Query", "Key", "Value")}


def tables(given: Mapping, now: Mapping, query: int, mode: str) -> str:
    """Return the HTML of six tables, one a step.

    Parameters
    ----------
    given : what the page gets, see :func:`stepper_data.lesson`. now : :func:`stepper_data.reading` of the same state.
    query : the row that asks in the steps 3 to 5. mode : ``"scaled"``, ``"raw"`` or ``"uniform"``; a mode other than
        scaled has the scaled numbers beside its own.
    """
    d_k = len(given["W_q"][0])
    root = f"√dₖ {'=' if math.isqrt(d_k) ** 2 == d_k else '≈'} {number(math.sqrt(d_k))}"
    # What scaled attention would give, in a place of its own; none where it is the present mode.
    beside = [] if mode == "scaled" else [_both(f"{root} で割った場合", f"除以 {root} 時")]
    made = (
        _inputs(given, now),
        _projections(given, now),
        _scores(given, now, query, mode, root, beside),
        _softmax(now, query, beside),
        _mixing(given, now, query, beside),
        _all_queries(now, beside),
    )
    scrolled = "".join(f'<div class="scroll" tabindex="0">{one}</div>' for one in made)
    return f'<div class="stepper-tables">{scrolled}</div>'


def _inputs(given: Mapping, now: Mapping) -> str:
    caption = _both("1. 入力：トークンごとの埋め込み", "1. 輸入：每個 token 的 embedding")
    head = _row([_head(_both("トークン", "token")), *map(_head, _features(given, "x", len(now["X"][0])))])
    return _table("matrix", caption, head, [_row([_side(_token(now, i)), *_cells(x)]) for i, x in enumerate(now["X"])])


def _projections(given: Mapping, now: Mapping) -> str:
    caption = _both(
        "2. 射影：埋め込みと三つの重み行列の積が、トークンごとの Query、Key、Value になる",
        "2. 投影：embedding 乘上三個權重矩陣，得到每個 token 的 Query、Key、Value",
    )
    roles = (("Query", "W_q", "q"), ("Key", "W_k", "k"), ("Value", "W_v", "v"))
    groups, names = ["<td></td>"], ["<td></td>"]
    for role, matrix, letter in roles:
        width = len(given[matrix][0])
        groups.append(f'<th scope="colgroup" colspan="{width}">{_ROLE[role]}</th>')
        # The words stand beside the rows; twelve columns have no room for them.
        names += map(_head, _letters("c" if given["lesson"] else letter, width))
    matrices = [
        _row([_side(name), *(cell for _, matrix, _ in roles for cell in _cells(given[matrix][i]))])
        for i, name in enumerate(_features(given, "x", len(now["X"][0])))
    ]
    vectors = [
        _row([_side(_token(now, i)), *(cell for letter in "QKV" for cell in _cells(now[letter][i]))])
        for i in range(len(now["tokens"]))
    ]
    bands = [
        f'<tr><th scope="rowgroup" colspan="{len(names)}">{_both(*one)}</th></tr>'
        for one in (("射影の重み行列", "投影權重矩陣"), ("埋め込みと行列の積", "embedding 和矩陣的乘積"))
    ]
    return _table("matrix", caption, _row(groups) + _row(names), [bands[0], *matrices], [bands[1], *vectors])


def _scores(given: Mapping, now: Mapping, query: int, mode: str, root: str, beside: Sequence[str]) -> str:
    last = {
        "scaled": (f"その和を {root} で割る", f"再除以 {root}"),
        "raw": (f"その和を {root} では割らない", f"不除以 {root}"),
        "uniform": ("その和に 0 を掛けるので、どの Key も同じになる", "再乘以 0，所以每個 Key 都一樣"),
    }[mode]
    asking = _token(now, query)
    caption = _both(
        f"3. スコア：{asking} の Query と各 Key の内積。成分ごとの積を足し、{last[0]}",
        f"3. 分數：{asking} 的 Query 和每個 Key 的內積。各分量的乘積相加，{last[1]}",
    )
    sums = [f"{_both('和', '總和')} <var>s</var>", "<var>z</var>", *beside]
    names = [*_features(given, "qk", len(now["Q"][0])), *sums]
    body = []
    for j, key in enumerate(now["K"]):
        terms = zip(now["Q"][query], key, now["terms"][query][j], strict=True)
        products = [f"{number(a)}×{_factor(b)} = {number(product)}" for a, b, product in terms]
        results = [now["S"][query][j], now["Z"][query][j], *[now["scaled"]["Z"][query][j]][: len(beside)]]
        body.append(_row([_side(_token(now, j)), *map(_cell, products), *_cells(results)]))
    return _table("matrix", caption, _row([_head(_ROLE["Key"]), *map(_head, names)]), body)


def _softmax(now: Mapping, query: int, beside: Sequence[str]) -> str:
    asking = _token(now, query)
    caption = _both(
        f"4. softmax：{asking} の重み。小数第 2 位に丸めると、和は 1 になるとは限らない",
        f"4. softmax：{asking} 的權重。取到小數第 2 位之後，加起來不一定是 1",
    )
    z, p, scaled = now["Z"][query], now["A"][query], now["scaled"]["A"][query]
    shift = max(z) if max(map(abs, z)) > _PLAIN_EXPONENT else 0
    powers = [math.exp(one - shift) for one in z]
    power = f"<var>e</var><sup><var>z</var>{' − max <var>z</var>' if shift else ''}</sup>"
    exact, rounded = _both("重み", "權重"), _both("丸めた重み", "捨入後的權重")
    head = _row(map(_head, [_ROLE["Key"], "<var>z</var>", power, exact, rounded, *beside]))
    body = []
    for j, weight in enumerate(p):
        numbers = [number(z[j]), number(powers[j]), fixed(weight, 6)]
        others = [fixed(scaled[j], 2)][: len(beside)]
        body.append(_row([_side(_token(now, j)), *map(_cell, numbers), _heat(weight, "num "), *map(_cell, others)]))
    totals = ["", number(sum(powers)), "1", _total(p), *[_total(scaled)][: len(beside)]]
    return _table("matrix", caption, head, [*body, _row([_side("Σ"), *map(_cell, totals)], "sum")])


def _mixing(given: Mapping, now: Mapping, query: int, beside: Sequence[str]) -> str:
    asking, chosen = _token(now, query), _token(now, now["hard"]["chosen"])
    caption = _both(
        f"5. 混合：{asking} の重み × Value。足し合わせた和が出力",
        f"5. 混合：{asking} 的權重 × Value，全部加起來就是輸出",
    )
    head = _row(map(_head, [_ROLE["Value"], _both("重み", "權重"), *_features(given, "v", len(now["V"][0]))]))
    parts = zip(now["A"][query], now["weighted"][query], strict=True)
    body = [
        _row([_side(_token(now, j)), _heat(p, "num "), *map(_cell, map(_part, mixed))])
        for j, (p, mixed) in enumerate(parts)
    ]
    sums = [(_both("出力", "輸出"), map(_part, now["output"][query]))]
    sums += [(name, map(_part, now["scaled"]["output"][query])) for name in beside]
    hard = (f"argmax：{chosen} だけ", f"argmax：只取 {chosen}")
    if now["hard"]["tie"]:
        hard = (f"argmax：同点なので最初の {chosen} だけ", f"argmax：同分，只取第一個 {chosen}")
    sums.append((_both(*hard), map(number, now["hard"]["output"])))  # a Value as it is, no part of a sum
    rows = [_row([_side(name), _cell("1"), *map(_cell, one)], "sum") for name, one in sums]
    return _table("matrix", caption, head, [*body, *rows])


def _all_queries(now: Mapping, beside: Sequence[str]) -> str:
    caption = _both(
        "6. 全 Query：重み。太い枠は、その Query がいちばん強く見ている Key",
        "6. 全部 Query：權重。粗框是該 Query 看得最重的 Key",
    )
    corner = f'<td class="corner">{_ROLE["Key"]}{_ROLE["Query"]}</td>'
    tokens = [_head(_token(now, j)) for j in range(len(now["tokens"]))]
    measures = [_both("エントロピー（ナット）", "熵（nat）"), *beside]
    head = _row([corner, *tokens, '<th class="sumcol" scope="col">Σ</th>', *map(_head, measures)])
    body = []
    for i, row in enumerate(now["A"]):
        # With equal weights no Key is the strongest.
        top = max(row) * (1 - _TIE) if len(row) == 1 or min(row) < max(row) * (1 - _TIE) else math.inf
        cells = [_heat(p, strongest=p >= top) for p in row]
        entropies = [fixed(one["entropy"][i], 3) for one in (now, now["scaled"])[: len(measures)]]
        body.append(_row([_side(_token(now, i)), *cells, '<td class="sumcol">1</td>', *map(_cell, entropies)]))
    return _table("matrix attention", caption, head, body)


def number(x: float) -> str:
    """Write a number to three decimals and no more than it needs; a very small or large one as a power of ten."""
    if x and not 5e-4 <= abs(x) < 1e6:
        mantissa, exponent = f"{x:.2e}".split("e")
        return f"{_short(mantissa)}×10<sup>{_minus(str(int(exponent)))}</sup>"
    return _short(fixed(x, 3))


def fixed(x: float, decimals: int) -> str:
    """Write a number with so many decimals, halves away from zero as JavaScript does, and no minus before a zero."""
    rounded = Decimal(x).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return _minus(f"{rounded if rounded else abs(rounded):,}")


def _part(x: float) -> str:
    """A part of an output: three decimals, and nothing but 0 for nothing."""
    return fixed(x, 3) if x else "0"


def _short(digits: str) -> str:
    return _minus(digits.rstrip("0").rstrip(".") if "." in digits else digits)


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _factor(x: float) -> str:
    return f"({number(x)})" if x < 0 else number(x)


def _total(weights: Iterable[float]) -> str:
    """The sum of the weights as they are shown."""
    return str(sum(Decimal(fixed(p, 2)) for p in weights))


def _features(given: Mapping, letter: str, count: int) -> list[str]:
    """Return what stands over the features: the lesson's names, the reader's own for X, else letters with indices."""
    if given["lesson"]:
        return [f"{name} {_both(*words)}" for name, words in zip(_letters("c", count), _FEATURES, strict=True)]
    if letter == "x" and given["features"]:
        return [html.escape(name) for name in given["features"]]
    return _letters(letter, count)


def _letters(letter: str, count: int) -> list[str]:
    return ["".join(f"<var>{one}</var><sub>{i}</sub>" for one in letter) for i in range(count)]


def _token(now: Mapping, i: int) -> str:
    """A token by its name; one of several of a name with its place."""
    name = now["tokens"][i]
    return html.escape(name) + (f"<sub>{i + 1}</sub>" if now["tokens"].count(name) > 1 else "")


def _both(ja: str, zh: str) -> str:
    return f'<span lang="ja">{ja}</span><span lang="zh-Hant">{zh}</span>'


def _head(name: str) -> str:
    return f'<th scope="col">{name}</th>'


def _side(name: str) -> str:
    return f'<th scope="row">{name}</th>'


def _cell(text: str) -> str:
    return f'<td class="num">{text}</td>'


def _cells(numbers: Iterable[float]) -> list[str]:
    return [_cell(number(x)) for x in numbers]


def _heat(p: float, kind: str = "", strongest: bool = False) -> str:
    """A weight to two decimals, as one of eight strengths of ink."""
    frame = " strongest" if strongest else ""
    return f'<td class="{kind}heat{frame}" data-heat="{min(7, math.floor(8 * p))}">{fixed(p, 2)}</td>'


def _row(cells: Iterable[str], kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f"<tr{named}>{''.join(cells)}</tr>"


def _table(kind: str, caption: str, head: str, *bodies: Iterable[str]) -> str:
    groups = "".join(f"<tbody>{''.join(body)}</tbody>" for body in bodies)
    return f'<table class="{kind}"><caption>{caption}</caption><thead>{head}</thead>{groups}</table>'
