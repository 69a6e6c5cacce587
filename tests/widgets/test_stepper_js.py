"""stepper.js: its maths against Python's vectors, its sentences against the tables beside them and exact fractions."""

from __future__ import annotations

import itertools
import json
import math
import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup

from interview_book import widgets
from interview_book.attention import lesson_steps
from interview_book.book import assets
from interview_book.widgets import Stepper, stepper_data

FOLDER = Path(widgets.__file__).parent
LANGUAGES = ["ja", "zh-Hant"]
MODES = ["scaled", "raw", "uniform"]
SENTENCES = ["river", "savings"]
MEASURED = ["terms", "weighted", "Q", "K", "V", "S", "Z", "A", "output", "entropy"]


@pytest.fixture(scope="module")
def call(esm):
    """``call("m.draw(state, 'ja')", state=…)``: evaluate JavaScript with `stepper_harness.js` as ``m``."""
    run = esm(Path(__file__).parent)
    return lambda expression, **values: run("stepper_harness", expression, **values)


@pytest.fixture(scope="module")
def lesson():
    given = json.loads(json.dumps(stepper_data.lesson()))
    return {
        "sentence": "river", "mode": "scaled", "query": 3, "step": 1, "computed": 4, "X": given["X"], "given": given,
    }  # fmt: skip


def every_state(lesson):
    """Without ``given``: sentence × mode × Query × step, and in step 6 every number of computed Queries."""
    for sentence in SENTENCES:
        for mode in MODES:
            for query in range(4):
                for step in range(1, 7):
                    for computed in range(5) if step == 6 else (4,):
                        yield {
                            "sentence": sentence, "mode": mode, "query": query, "step": step, "computed": computed,
                        }  # fmt: skip


@pytest.fixture(scope="module")
def told(call, lesson):
    """Of every state of the lesson: the state, and in each language what is drawn and what is compared."""
    states = list(every_state(lesson))
    shown = call(
        """states.map(one => Object.fromEntries(["ja", "zh-Hant"].map(tag => {
          const state = { ...start, ...one };
          return [tag, { html: m.draw(state, tag), against: m.comparison(state, state.given, tag) }];
        })))""",
        states=states,
        start=lesson,
    )
    return [
        (state, tag, BeautifulSoup(one[tag]["html"], "html.parser"), one[tag]["against"])
        for state, one in zip(states, shown, strict=True)
        for tag in LANGUAGES
    ]


# == maths ==


def close(ours, theirs, relative):
    """Whether two nested lists agree, relative to the largest number of the second."""
    ours, theirs = np.array(ours, dtype=float), np.array(theirs, dtype=float)
    assert ours.shape == theirs.shape
    return np.abs(ours - theirs).max() <= relative * max(1, np.abs(theirs).max())


def test_every_value_of_a_state_is_pythons(call, stepper_vectors):
    states = [one["state"] for one in stepper_vectors]
    found = call(
        """states.map(state => {
          const { now, scaled, hard, soft, beta } = m.current(state, state.given);
          return { now, scaled, hard, soft, beta };
        })""",
        states=states,
    )
    assert len(found) == len(states) > 40
    for one, vector in zip(found, stepper_vectors, strict=True):
        reading = vector["reading"]
        assert one["beta"] == pytest.approx(reading["beta"], rel=1e-15)
        for name in MEASURED:
            # What comes with the page has twelve digits.
            assert close(one["now"][name], reading[name], 1e-11), name
        for name in ("Z", "A", "output", "entropy"):
            assert close(one["scaled"][name], reading["scaled"][name], 1e-11), name
        for name in ("weights", "output", "score_gradient", "raw_gradient", "value_gradient"):
            # A gradient is a difference of outputs, whose last of twelve digits it loses.
            assert close(one["soft"][name], reading["soft"][name], 1e-11), name
            assert close(one["hard"][name], reading["hard"][name], 1e-11), name
        assert [one["hard"][name] for name in ("chosen", "tied", "tie")] == [
            reading["hard"][name] for name in ("chosen", "tied", "tie")
        ]


def test_steps_compute_all_of_it_from_the_embeddings_alone(call, stepper_vectors):
    found = call(
        """vectors.map(({ given, rows, beta }) => m.steps(rows, given.W_q, given.W_k, given.W_v, beta))""",
        vectors=[
            {"given": one["state"]["given"], "rows": one["reading"]["X"], "beta": one["reading"]["beta"]}
            for one in stepper_vectors
        ],
    )
    for one, vector in zip(found, stepper_vectors, strict=True):
        for name in MEASURED:
            # Sums of up to 16 products in another order; no worse than 16² roundings of 1e-16.
            assert close(one[name], vector["reading"][name], 3e-14), name


def test_softmax_and_entropy_of_rows_that_overflow_or_vanish(call):
    rows = [[0, 0], [1000, 0], [-1e300, 1e300], [3, 3, 3], [0, 2], [700, 710, 0], [-750, 0]]
    found = call("rows.map(row => [m.softmax(row), m.entropy(row)])", rows=rows)
    for row, (p, H) in zip(rows, found, strict=True):
        e = [Decimal(one - max(row)).exp() for one in row]
        right = [float(one / sum(e)) for one in e]
        assert p == pytest.approx(right, rel=1e-14, abs=1e-300) and sum(p) == pytest.approx(1, abs=1e-15)
        expected = -sum(one / sum(e) * (one / sum(e)).ln() for one in e if one)
        assert pytest.approx(float(expected), rel=1e-13, abs=1e-15) == H


def test_a_tie_is_a_tie_in_spite_of_rounding(call):
    s, terms = [0.1 + 0.2, 0.3, -1], [[0.1, 0.2], [0.3, 0], [-1, 0]]
    assert s[0] != s[1]
    assert call("m.highest(s, terms)", s=s, terms=terms) == [0, 1]
    assert call("m.highest([0.3, 0.3 + 1e-9], [[0.3], [0.3]])") == [1]
    got = call("m.hard(s, terms, [[1, 2], [3, 4], [5, 6]])", s=s, terms=terms)
    assert (got["chosen"], got["tie"], got["output"], got["weights"]) == (0, True, [1, 2], [1, 0, 0])


# == numbers ==


def half_up(x, places):
    return str(Decimal(x).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)).replace("-", "−")


def test_numbers_as_they_are_written(call):
    body = """(({ shown, amount, weight, exact, nats, divisor, heat, printedSum, vector }) => [
      shown(2.3), shown(-0.5), shown(0), shown(-0), shown(0.92), shown(1e-5), shown(1234.5), shown(-2500000), shown(10),
      amount(1.3708358), amount(0), amount(-0.0004), amount(1e-15), amount(-1.5),
      weight(0.6854179), weight(0.125), weight(1e-9),
      exact(0.685417926401), exact(0.25), exact(1), exact(1.25e-7), exact(1 / 3),
      nats(0.956656859274), nats(-1e-17), divisor(4), divisor(3), divisor(16),
      heat(0), heat(0.1249), heat(0.125), heat(1), printedSum([0.108856, 0.068719, 0.685418, 0.137007]),
      vector([2.3, 2.3, 0, 0]), vector([1, 2, 3, 4, 5, 6, 7]),
    ])(m.numbers)"""
    assert call(body) == [
        "2.3", "−0.5", "0", "0", "0.92", "1.0×10⁻⁵", "1,234.5", "−2.50×10⁶", "10",
        "1.371", "0", "−4.0×10⁻⁴", "0", "−1.500",
        "0.69", "0.13", "0.00",
        "0.6854179264", "0.25", "1", "1.25000×10⁻⁷", "0.3333333333",
        "0.957", "0.000", "√dₖ = 2", "√dₖ ≈ 1.73", "√dₖ = 4",
        0, 0, 1, 7, "1.01",
        "[2.3, 2.3, 0, 0]", "[1, 2, 3, …]",
    ]  # fmt: skip


# == what is drawn ==

NUMBER = r"−?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


def numbers_in(text):
    return re.findall(NUMBER, text)


def number(text):
    mantissa, _, power = text.replace("−", "-").replace(",", "").partition("×10")
    return float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)


def shown_in(stage):
    """Every number that the step's tables, fields and readings show."""
    found = set()
    for cell in stage.select("td, dd"):
        # A cell of step 5 has its bar, one of step 3 its factors before the number.
        for text in cell.stripped_strings:
            found.update(numbers_in(text))
    found.update(one["value"] for one in stage.select("input[type=text]"))
    return found


def live(page):
    return page.select_one(".live").get_text().replace("\u00a0", " ")


def test_every_number_of_a_sentence_stands_in_the_tables_beside_it(told):
    for state, tag, page, _ in told:
        shown, text = shown_in(page.select_one(".stage")), live(page)
        # The divisor is in its formula, the four Keys in log 4, digits after the point in «to two decimals».
        known = {"√dₖ = 2": "", "log 4": "", "小数第 2 位": "", "小數第 2 位": ""}
        for phrase, nothing in known.items():
            text = text.replace(phrase, nothing)
        if state["step"] == 4:
            text = re.sub("合計 1 の|總和為 1 的", "", text)
        missing = [one for one in numbers_in(text) if one not in shown and one != "0"]
        assert not missing, (state, tag, missing, text)


@pytest.fixture(scope="module")
def truth():
    return {(sentence, mode): lesson_steps(sentence, mode) for sentence in SENTENCES for mode in MODES}


def plain(x):
    """An exact fraction as the tables write it."""
    text = half_up(Fraction(x).numerator / Decimal(Fraction(x).denominator), 3)
    return text.rstrip("0").rstrip(".")


def test_tables_of_the_lesson_hold_the_lessons_numbers(told, truth):
    for state, _, page, _ in told:
        now, scaled = truth[state["sentence"], state["mode"]], truth[state["sentence"], "scaled"]
        i, stage, other = state["query"], page.select_one(".stage"), state["mode"] != "scaled"

        def cell(now, was, other=other):
            return f"{now} ({was})" if other else now

        rows = [[one.get_text() for one in row.select("td")] for row in stage.select("tbody tr")]
        if state["step"] == 1:
            fields = [one["value"] for one in stage.select("input")]
            assert fields == [plain(one) for row in now.X for one in row]
        elif state["step"] == 2:
            numbers = [row for row in rows if len(row) == 12]
            products = [[plain(one) for one in [*now.Q[j], *now.K[j], *now.V[j]]] for j in range(4)]
            assert numbers[4:] == products and len(numbers) == 8
        elif state["step"] == 3:
            for j, row in enumerate(rows):
                factors = [f"{plain(q)}×{plain(k)}{plain(q * k)}" for q, k in zip(now.Q[i], now.K[j], strict=True)]
                assert row == [*factors, plain(now.S[i][j]), cell(plain(now.Z[i][j]), plain(scaled.Z[i][j]))]
                assert sum(q * k for q, k in zip(now.Q[i], now.K[j], strict=True)) == now.S[i][j]
        elif state["step"] == 4:
            for j, row in enumerate(rows[:4]):
                z, _, exact, rounded = row
                assert z == cell(plain(now.Z[i][j]), plain(scaled.Z[i][j]))
                assert float(exact.split(" (")[0]) == pytest.approx(now.A[i][j], abs=6e-11)
                assert rounded == cell(half_up(now.A[i][j], 2), half_up(scaled.A[i][j], 2))
            total = sum(math.exp(z) for z in now.Z[i])
            summed = sum(Decimal(half_up(p, 2)) for p in now.A[i])
            assert rows[4] == ["", half_up(total, 3), "1", str(summed)]
            note = stage.select_one("p.fine").get_text()
            assert numbers_in(note)[:5] == [*(half_up(p, 2) for p in now.A[i]), str(summed)]
            entropy = stage.select_one("dd").get_text()
            assert entropy.startswith(cell(half_up(now.entropy[i], 3), half_up(scaled.entropy[i], 3)))
        elif state["step"] == 5:
            part = [[half_up(one, 3) if one else "0" for one in row] for row in now.weighted[i]]
            was = [[half_up(one, 3) if one else "0" for one in row] for row in scaled.weighted[i]]
            for j, row in enumerate(rows[:4]):
                weight = cell(half_up(now.A[i][j], 2), half_up(scaled.A[i][j], 2))
                assert row == [weight, *map(cell, part[j], was[j])]
            outputs = [[half_up(one, 3) if one else "0" for one in steps.output[i]] for steps in (now, scaled)]
            assert rows[4] == ["1", *map(cell, *outputs)]
            assert rows[5] == ["", *map(plain, now.V[i])]
        else:
            for j, row in enumerate(rows):
                done = j < state["computed"]
                weights = [cell(half_up(p, 2), half_up(q, 2)) for p, q in zip(now.A[j], scaled.A[j], strict=True)]
                assert row == [*(weights if done else map(plain, now.S[j])), "1" if done else ""]
                marks = stage.select("tbody tr")[j].select("td")[:4]
                assert all(("heat" in one["class"]) == done and ("raw" in one["class"]) != done for one in marks)
                framed = [k for k, one in enumerate(marks) if "strongest" in one["class"]]
                best = [now.tokens.index(one) for one in now.most(j)]
                assert framed == (best if done and len(best) < 4 else [])
            paths = stage.select("path[data-query]")
            assert len(paths) == 4 * state["computed"]
            for path in paths:
                query = int(path["data-query"])
                height = float(re.search(r"(\d+)$", path["d"])[1])
                key = (height - 34) / 48
                assert key == int(key)
                assert float(path["stroke-width"]) == pytest.approx(12 * now.A[query][int(key)], abs=0.05)


# What is said of each step and mode; {a} a token, {x} a number. Every group is compared with a fraction.
T, X = r"(\S+?)", f"({NUMBER})"
VECTOR = r"\[([^\]]*)\]"
PATTERNS = {
    "ja": {
        1: rf"{T} の埋め込みは、「岸」が {X}、「金融」が {X}、「名詞」が {X}、「機能語」が {X} です。"
        r"ほかのトークンの情報は、まだ混ざっていません。",
        2: rf"{T} の埋め込み {VECTOR} に WQ、WK、WV を掛けると、"
        rf"Query は {VECTOR}、Key は {VECTOR}、Value は {VECTOR} になります。",
        3: rf"{T} の Query と ?{T} ?の Key は、成分ごとの積を足すと {X} です。",
        "z": {
            "scaled": rf"√dₖ = 2 で割ると {X} になり、四つのスコアの中で最高です。",
            "raw": rf"割らないので、このまま softmax に渡します。√dₖ = 2 で割れば {X} です。",
            "uniform": r"ただし、一様にするときはスコアを使わず、どの Key についても 0 を softmax に渡します。"
            rf"√dₖ = 2 で割れば {X} です。",
        },
        4: {
            "scaled": rf"softmax は、{T} の四つのスコアを合計 1 の重みに変えます。最も大きいのは ?{T} ?の {X} です。",
            "raw": rf"{T} のスコアを割らずに softmax に通します。最も大きいのは ?{T} ?の {X}、√dₖ で割れば {X} です。"
            rf"エントロピーは {X} ナットで、割ったときの {X} ナットより小さく、重みが偏っています。",
            "uniform": rf"スコアを使わないので、{T} はどの Key も重み {X} で見ます。"
            rf"√dₖ で割れば {X} になる ?{T} ?も、ほかの Key と同じ扱いです。"
            rf"エントロピーは上限の log 4 = {X} ナットです。",
        },
        "low": [
            rf"スコアが 0 の (.+?) にも、重み {X} が(?:それぞれ)?つきます。",
            rf"最も小さい (.+?) の重みも {X} で、0 にはなりません。",
        ],
        5: {
            "scaled": rf"{T} は Value を重みで足し合わせます。最も重いのは ?{T}（{X}）で、"
            rf"出力の「岸」は {X}、「金融」は {X} です。"
            rf"{T} 自身の Value では、(?:どちらも|順に) {X}(?: と {X})? です。",
            "raw": rf"{T} は Value を重みで足し合わせます。最も重いのは ?{T} ?の {X}（{X}）で、"
            rf"出力の「岸」は {X}（{X}）、「金融」は {X}（{X}）です。括弧の中は √dₖ で割った場合の値です。",
            "uniform": rf"どの Value も重み {X} で足すので、出力は Value の平均です。"
            rf"出力の「岸」は {X}（{X}）、「金融」は {X}（{X}）で、どの Query でも同じになります。"
            r"括弧の中は √dₖ で割った場合の値です。",
        },
        "none": r"まだ一つも計算していません。枠の中は、割る前のスコアです。",
        "part": {
            "scaled": rf"{T} の Query を計算しました。いちばん強く見ているのは ?{T}（{X}）です。"
            r"あと(一つ|二つ|三つ)残っています。",
            "raw": rf"{T} の Query を計算しました。いちばん強く見ているのは ?{T} ?で、"
            rf"重みは {X} です（√dₖ で割ると {X}）。"
            r"あと(一つ|二つ|三つ)残っています。",
            "uniform": rf"{T} の Query を計算しました。スコアを使わないので、重みはどれも {X} です。"
            r"あと(一つ|二つ|三つ)残っています。",
        },
        "self": rf"{T} がいちばん強く見ているのは自分自身（{X}）です。",
        "full": {
            "scaled": rf"{T} から {T} への重みは {X}、{T} から {T} へは {X} です。"
            r"向きを入れ替えると、重みは変わります。",
            "raw": rf"{T} から {T} への重みは {X}、{T} から {T} へは {X} です（√dₖ で割ると、順に {X} と {X}）。"
            r"向きを入れ替えると、重みは変わります。",
            "uniform": rf"重みはどれも {X} で、Query の違いが消えています。"
            rf"√dₖ で割ると、{T} から {T} へは {X}、{T} から {T} へは {X} です。",
        },
        "lead": "四つの Query がそろいました。",
        "own": "自分自身",
        "same": {1: "割る数を変えても、ここは変わりません。", 2: "割る数を変えても、ここまでの値は変わりません。"},
        "roles": "一つのトークンが、三つの役を兼ねます。",
        "left": {1: "一つ", 2: "二つ", 3: "三つ"},
    },
    "zh-Hant": {
        1: rf"{T} 的 embedding 裡，「河岸」是 {X}、「金融」是 {X}、「名詞」是 {X}、「虛詞」是 {X}。"
        r"這時還沒有混進其他 token 的內容。",
        2: rf"{T} 的 embedding {VECTOR} 分別乘上 WQ、WK、WV，得到 Query {VECTOR}、Key {VECTOR}、Value {VECTOR}。",
        3: rf"{T} 的 Query 跟 ?{T} ?的 Key，各分量的乘積加起來是 {X}。",
        "z": {
            "scaled": rf"除以 √dₖ = 2 之後是 {X}，在四個分數裡最高。",
            "raw": rf"這裡不除，直接交給 softmax；除以 √dₖ = 2 的話，會是 {X}。",
            "uniform": rf"不過權重均勻時不看分數，交給 softmax 的都是 0；除以 √dₖ = 2 的話，會是 {X}。",
        },
        4: {
            "scaled": rf"softmax 把 {T} 的四個分數換成總和為 1 的權重。最大的是 ?{T} ?的 {X}。",
            "raw": rf"{T} 的分數不除，直接做 softmax。最大的是 ?{T} ?的 {X}；除以 √dₖ 的話是 {X}。"
            rf"熵是 {X} nat，比除過的 {X} nat 小，權重更集中。",
            "uniform": rf"不看分數，{T} 給每個 Key 的權重都是 {X}。"
            rf"除以 √dₖ 的話會分到 {X} 的 ?{T}，在這裡跟其他 Key 沒有兩樣。熵是上限 log 4 = {X} nat。",
        },
        "low": [
            rf"(.+?) 的分數都?是 0，權重還是各?有 {X}。",
            rf"最小的 (.+?) 也各?分到 {X}，不是 0。",
        ],
        5: {
            "scaled": rf"{T} 按權重把 Value 加起來。權重最大的是 ?{T}（{X}），輸出的「河岸」是 {X}，「金融」是 {X}。"
            rf"{T} 自己的 Value，這兩個都?是 {X}(?: 和 {X})?。",
            "raw": rf"{T} 按權重把 Value 加起來。權重最大的是 ?{T} ?的 {X}（{X}），"
            rf"輸出的「河岸」是 {X}（{X}），「金融」是 {X}（{X}）。括號裡是除以 √dₖ 的值。",
            "uniform": rf"每個 Value 的權重都是 {X}，輸出就是 Value 的平均值："
            rf"「河岸」是 {X}（{X}），「金融」是 {X}（{X}）。"
            r"換哪個 Query 都一樣。括號裡是除以 √dₖ 的值。",
        },
        "none": r"還沒開始算，框裡是縮放前的分數。",
        "part": {
            "scaled": rf"算完 {T} 這個 Query，看得最重的是 ?{T}（{X}）。還剩(一個|兩個|三個)。",
            "raw": rf"算完 {T} 這個 Query，看得最重的是 ?{T}，權重 {X}（除以 √dₖ 的話是 {X}）。還剩(一個|兩個|三個)。",
            "uniform": rf"算完 {T} 這個 Query，不看分數，權重都是 {X}。還剩(一個|兩個|三個)。",
        },
        "self": rf"{T} 看得最重的是自己（{X}）。",
        "full": {
            "scaled": rf"{T} 對 {T} 的權重是 {X}，反過來是 {X}。方向對調，權重就不同。",
            "raw": rf"{T} 對 {T} 的權重是 {X}，反過來是 {X}（除以 √dₖ 的話，分別是 {X} 和 {X}）。"
            r"方向對調，權重就不同。",
            "uniform": rf"權重都是 {X}，看不出 Query 之間的差別。除以 √dₖ 的話，{T} 對 {T} 是 {X}，反過來是 {X}。",
        },
        "lead": "四個 Query 都算完了。",
        "own": "自己",
        "same": {1: "換了除數，這一步也不會變。", 2: "換了除數，到這一步的數字都不會變。"},
        "roles": "同一個 token，就這樣分出三種角色。",
        "left": {1: "一個", 2: "兩個", 3: "三個"},
    },
}


def expected(state, tag, truth):
    """The pattern of a sentence, and what its groups are to hold."""
    words, now = PATTERNS[tag], truth[state["sentence"], state["mode"]]
    scaled, mode, step, i = truth[state["sentence"], "scaled"], state["mode"], state["step"], state["query"]
    token, ours = now.tokens, now.tokens[i]
    unchanged = words["same"].get(step, "") if mode != "scaled" else ""

    def two(p):
        return half_up(p, 2)

    def three(x):
        return half_up(x, 3) if x else "0"

    def named(query, key):
        return words["own"] if query == key else token[key]

    def vector(numbers):
        return ", ".join(map(plain, numbers))

    [best] = [token.index(one) for one in scaled.most(i)]  # no row of the lesson ties at the top
    if step == 1:
        return words[1] + unchanged, [ours, *map(plain, now.X[i])]
    if step == 2:
        pattern = words[2] + (words["roles"] if mode == "scaled" else unchanged)
        return pattern, [ours, vector(now.X[i]), vector(now.Q[i]), vector(now.K[i]), vector(now.V[i])]
    if step == 3:
        pattern = words[3] + words["z"][mode]
        return pattern, [ours, named(i, best), plain(now.S[i][best]), plain(scaled.Z[i][best])]
    p, q = now.A[i], scaled.A[i]
    if step == 4:
        if mode == "uniform":
            return words[4][mode], [
                ours, two(p[0]), *([two(q[best]), named(i, best)]), half_up(math.log(4), 3),
            ]  # fmt: skip
        if mode == "raw":
            entropies = [half_up(one.entropy[i], 3) for one in (now, scaled)]
            assert now.entropy[i] < scaled.entropy[i]
            return words[4][mode], [ours, named(i, best), two(p[best]), two(q[best]), *entropies]
        lowest = [j for j in range(4) if now.S[i][j] == min(now.S[i])]
        zero = now.S[i][lowest[0]] == 0
        both = {"ja": " と ", "zh-Hant": " 和 "}[tag]
        names = both.join(token[j] for j in lowest) if len(lowest) < 3 else "、".join(token[j] for j in lowest)
        return words[4][mode] + words["low"][0 if zero else 1], [
            ours, named(i, best), two(p[best]), names, two(p[lowest[0]]),
        ]  # fmt: skip
    if step == 5:
        outputs = [[three(now.output[i][f]), three(scaled.output[i][f])] for f in (0, 1)]
        values = [plain(now.V[i][f]) for f in (0, 1)]
        if mode == "uniform":
            return words[5][mode], [two(p[0]), *itertools.chain(*outputs)]
        if mode == "raw":
            return words[5][mode], [ours, named(i, best), two(p[best]), two(q[best]), *itertools.chain(*outputs)]
        own = values[:1] if values[0] == values[1] else values
        return words[5][mode], [
            ours, named(i, best), two(p[best]), outputs[0][0], outputs[1][0], ours, *own,
        ]  # fmt: skip
    computed = state["computed"]
    if computed == 0:
        return words["none"] + (words["same"][1] if mode != "scaled" else ""), []
    if computed < 4:
        last = computed - 1
        [top] = [token.index(one) for one in scaled.most(last)]
        left = words["left"][4 - computed]
        seen = {
            "scaled": [named(last, top), two(now.A[last][top])],
            "raw": [named(last, top), two(now.A[last][top]), two(scaled.A[last][top])],
            "uniform": ["0.25"],
        }[mode]
        return words["part"][mode], [token[last], *seen, left]
    other = max((j for j in range(4) if j != i), key=lambda j: now.S[i][j])
    there, back = two(p[other]), two(now.A[other][i])
    was = [two(q[other]), two(scaled.A[other][i])]
    ways = [token[other], ours] if tag == "ja" else []
    if mode == "uniform":
        return words["lead"] + words["full"][mode], ["0.25", ours, token[other], was[0], *ways, was[1]]
    pattern = words["lead"] + (words["self"] if best == i else "") + words["full"][mode]
    groups = [ours, two(p[best])] if best == i else []
    groups += [ours, token[other], there, *ways, back, *(was if mode == "raw" else [])]
    return pattern, groups


SAME_IN_PASSING = {"ja": "割る数を変えても、ここは変わりません。", "zh-Hant": "換了除數，這裡也不會變。"}


def test_a_sentence_says_what_the_fractions_say(told, truth):
    seen = set()
    for state, tag, page, _ in told:
        pattern, groups = expected(state, tag, truth)
        if state["step"] == 6 and not state["computed"] and state["mode"] != "scaled":
            pattern = PATTERNS[tag]["none"] + SAME_IN_PASSING[tag]
        match = re.fullmatch(pattern, live(page))
        assert match, (state, tag, live(page), pattern)
        assert [one for one in match.groups() if one is not None] == groups, (state, live(page))
        seen.add((tag, state["step"], state["mode"]))
    assert len(seen) == 36


def house_style(text, tag):
    text = re.sub("「[^」]*」", "「」", text)  # a token may hold what prose may not
    han = r"[\u3040-\u30ff\u3400-\u9fff]"
    assert not re.search(rf"{han}[0-9A-Za-z√[−]|[0-9A-Za-zₖ\]]{han}", text), text
    assert not re.search(r" [、。，；：（]|[、。，；：（）「」] |  |NaN|undefined|null|Infinity|\bfalse\b", text), text
    if tag == "zh-Hant":
        assert not re.search(r"[\u3040-\u30ff]", text), text
        "".join(re.findall(r"[\u3400-\u9fff]", text)).encode("big5")
    else:
        assert "，" not in text, text


def test_sentences_keep_the_house_style(told):
    for _, tag, page, against in told:
        house_style(live(page), tag)
        house_style(against, tag)
        for one in page.select(".stage caption, .stage p"):
            house_style(one.get_text().replace("\u00a0", " "), tag)


def test_sentences_of_any_numbers_agree_with_their_tables(call, stepper_vectors):
    """The edited tables, ties and a reader's own sizes; with names that are no Latin words among them."""
    states = []
    for at, one in enumerate(stepper_vectors):
        state = json.loads(json.dumps(one["state"]))
        n = len(one["reading"]["tokens"])
        if at % 2 and not state["given"]["lesson"]:
            odd = ["猫が", " the", "##ing", "。", "internationalization-of-everything", "a b", "the"]
            state["given"]["sentences"][0]["tokens"] = [odd[j % 7] for j in range(n)]
        for step in range(1, 7):
            for computed in sorted({0, 1, n - 1, n}) if step == 6 else (n,):
                states.append({**state, "step": step, "computed": computed})
    shown = call(
        """states.map(one => [one.X.flat().map(m.numbers.shown),
          ...["ja", "zh-Hant"].map(tag => m.draw(one, tag, { opened: true }))])""",
        states=states,
    )
    assert len(shown) > 400
    for state, (embeddings, *pages) in zip(states, shown, strict=True):
        n, d = len(state["given"]["sentences"][0]["tokens"]), len(state["given"]["W_q"][0])
        for tag, text in zip(LANGUAGES, pages, strict=True):
            page = BeautifulSoup(text, "html.parser")
            said = live(page)
            house_style(said, tag)
            # Names of tokens and axes, the divisor, counts, and the sum of weights are no numbers of a table.
            said = re.sub(r"「[^」]*」|t\d|[fvx][₀-₉]+|√dₖ [=≈] [\d.]+|log \d+|小数第 2 位|小數第 2 位", "", said)
            said = re.sub(r"合計 1 の|總和為 1 的|\d+ ?(?:個|のスコア)", "", said)
            beyond = {str(n), str(d), "0"}
            if state["step"] == 2:  # the embedding, of the table of step 1
                beyond.update(embeddings)
            missing = [one for one in numbers_in(said) if one not in shown_in(page.select_one(".stage")) | beyond]
            assert not missing, (state["mode"], state["step"], missing, live(page))
            house_style(page.select_one(".contrast .fine").get_text().replace("\u00a0", " "), tag)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_ties_are_named_as_ties(call, lesson, tag):
    x = json.loads(json.dumps(lesson["X"]))
    x[5] = list(x[3])  # bank is a second river: both meet every Query alike
    state = {**lesson, "X": x, "query": 2}
    both = {"ja": "river と bank", "zh-Hant": "river 和 bank"}[tag]
    for step in (3, 4, 5):
        page = BeautifulSoup(call("m.draw(state, tag)", state={**state, "step": step}, tag=tag), "html.parser")
        assert both in live(page)
    page = BeautifulSoup(call("m.draw(state, tag)", state={**state, "step": 6}, tag=tag), "html.parser")
    frames = [[j for j, one in enumerate(row.select("td")) if "strongest" in one.get("class", [])]
              for row in page.select(".stage tbody tr")]  # fmt: skip
    assert frames[2] == frames[3] == [2, 3]
    page = BeautifulSoup(call("m.draw(state, tag, { opened: true })", state=state, tag=tag), "html.parser")
    said = page.select_one(".contrast .fine").get_text()
    assert both in said and {"ja": "同点", "zh-Hant": "同分"}[tag] in said
    nothing = {**lesson, "X": [[0] * 4] * 6}
    for step, word in (
        (3, {"ja": "差はありません", "zh-Hant": "沒有差別"}),
        (4, {"ja": "0.25 ずつ", "zh-Hant": "都是 0.25"}),
    ):
        assert word[tag] in call("m.sentence(state, state.given, tag)", state={**nothing, "step": step}, tag=tag)
    page = BeautifulSoup(call("m.draw(state, tag)", state={**nothing, "step": 6}, tag=tag), "html.parser")
    assert not page.select(".strongest, .f-link.top")


def test_one_token_has_nothing_to_compare(call):
    given = json.loads(json.dumps(stepper_data.own(["猫"], [[0.5]], [[2]], [[3]], [[4]])))
    for mode in MODES:
        for step in range(1, 7):
            state = {"sentence": "own", "mode": mode, "query": 0, "step": step, "computed": 1, "X": given["X"]}
            ja, zh = call(
                "['ja', 'zh-Hant'].map(tag => m.draw({ ...state, given }, tag, { opened: true }))",
                state=state,
                given=given,
            )
            for tag, text in (("ja", ja), ("zh-Hant", zh)):
                page = BeautifulSoup(text, "html.parser")
                assert "「猫」" in live(page) or step == 6
                assert page.select_one(".against") is None
                if step == 4:
                    assert "1.00" in live(page)
                house_style(live(page), tag)


# == the other sentence ==


def test_the_comparison_of_the_sentences_is_computed(call, lesson):
    """In the mirrored lesson the weights agree and the outputs swap two axes; an edit undoes just that."""
    states = [{**lesson, "step": step, "mode": mode} for step in range(1, 7) for mode in MODES]
    for state in states:
        ja, zh = call("['ja', 'zh-Hant'].map(tag => m.comparison(state, state.given, tag))", state=state)
        assert ja.startswith("「at the savings bank」と比べると、") and zh.startswith("跟「at the savings bank」相比，")
        step = state["step"]
        if step <= 2:
            assert (
                "river（あちらは savings）だけ" in ja
                and "bank は変わりません" in ja
                and "只有 river（那邊是 savings）" in zh
            )
        else:
            assert "とも変わりません" in ja and "都相同" in zh
        if step >= 5:
            assert "「岸」と「金融」が入れ替わります" in ja and "「河岸」和「金融」對調" in zh
    # The embedding of «by» belongs to one sentence only.
    x = json.loads(json.dumps(lesson["X"]))
    x[0] = [1, 0, 0, 0]
    given = lesson["given"]
    w = [np.array(given[name]) for name in ("W_q", "W_k", "W_v")]
    here, there = (stepper_data.steps(np.array([x[r] for r in one["rows"]]), *w, 0.5) for one in given["sentences"])
    for query in range(4):
        state = {**lesson, "X": x, "query": query}
        differ = int((np.abs(here["A"][query] - there["A"][query]) > 1e-9).sum())
        assert differ == 4 if query != 1 else differ == 0  # «the» asks for a noun, and «by» is none in either
        said = call("m.comparison(state, state.given, 'ja')", state={**state, "step": 4})
        assert ("四つとも違います" if differ else "四つとも変わりません") in said
        said = call("m.comparison(state, state.given, 'zh-Hant')", state={**state, "step": 6})
        assert f"16 個權重裡有 {int((np.abs(here['A'] - there['A']) > 1e-9).sum())} 個不同" in said
        assert "對調" not in said
        said = call("m.comparison(state, state.given, 'ja')", state={**state, "step": 5})
        first = [half_up(one["output"][query][0], 3) for one in (here, there)]
        assert all(one in said for one in first)
    # Two sentences of the same numbers.
    x[0], x[4] = list(x[1]), list(x[3])
    for step, same in (
        (1, "四つとも変わりません"),
        (3, "とも変わりません"),
        (5, "出力も変わりません"),
        (6, "出力も変わりません"),
    ):
        assert same in call("m.comparison(state, state.given, 'ja')", state={**lesson, "X": x, "step": step})


# == the contrast, the bars ==


def test_the_panel_shows_both_lookups(call, stepper_vectors):
    for one in stepper_vectors[:24]:
        state, reading = one["state"], one["reading"]
        page = BeautifulSoup(call("m.draw(state, 'ja', { opened: true })", state=state), "html.parser")
        outputs, values, slopes = page.select(".contrast table")
        soft, hard, other = reading["soft"], reading["hard"], state["mode"] != "scaled"
        rows = [[td.get_text().split(" (")[0] for td in row.select("td")] for row in outputs.select("tbody tr")]
        assert [number(x) for x in rows[0]] == pytest.approx(hard["output"], abs=6e-4)
        assert [number(x) for x in rows[1]] == pytest.approx(soft["output"], abs=6e-4)
        rows = [[td.get_text().split(" (")[0] for td in row.select("td")] for row in values.select("tbody tr")]
        assert [row[0] for row in rows] == [str(int(x)) for x in hard["value_gradient"]]
        assert [row[1] for row in rows] == [half_up(x, 2) for x in soft["value_gradient"]]
        rows = [[td.get_text().split(" (")[0] for td in row.select("td")] for row in slopes.select("tbody tr")]
        for row, right in zip(rows, soft["raw_gradient"], strict=True):
            assert row[0] == "0" and [number(x) for x in row[1:]] == pytest.approx(right, abs=6e-4)
        assert bool(page.select(".contrast .was")) == other
        said = page.select_one(".contrast .fine").get_text()
        learns = np.abs(soft["raw_gradient"]).max() > 1e-12
        assert ("スコアにも Value にも勾配が届きます" in said) == learns
        assert "選んだ Value には 1 の勾配が届きます" in said
    closed = BeautifulSoup(call("m.draw(state, 'ja')", state=stepper_vectors[0]["state"]), "html.parser")
    assert not closed.select(".contrast table") and closed.select(".contrast summary")


def test_bars_lie_end_to_end_also_where_parts_are_negative(call, stepper_vectors):
    negative = 0
    for one in stepper_vectors:
        state, parts = one["state"], np.array(one["reading"]["weighted"])[one["state"]["query"]]
        page = BeautifulSoup(call("m.draw({ ...state, step: 5 }, 'ja')", state=state), "html.parser")
        ends = np.vstack([np.zeros(parts.shape[1]), parts.cumsum(axis=0)])
        low, high = min(0, ends.min()), max(0, ends.max())
        size = (high - low) / 0.9 or 1
        rows = page.select(".waterfall tbody tr")
        for j, row in enumerate(rows[: len(parts)]):
            for f, td in enumerate(row.select("td")[1:]):
                bar, a, b = td.select_one(".fall"), *sorted((ends[j][f], ends[j + 1][f]))
                if abs(b - a) < 1e-11 * size:
                    continue
                left, width = (float(x) for x in re.fullmatch(r"--o:(.*)%;--w:(.*)%", bar["style"]).groups())
                assert left == pytest.approx(100 * (a - low) / size, abs=0.006)
                assert width == pytest.approx(100 * (b - a) / size, abs=0.006)
                assert ("minus" in bar["class"]) == (ends[j + 1][f] < ends[j][f])
                negative += "minus" in bar["class"]
        assert bool(page.select(".waterfall.signed")) == (low < 0)
        for f, td in enumerate(rows[len(parts)].select("td")[1:]):
            total = ends[-1][f]
            if abs(total) > 1e-11 * size:
                left, width = (float(x) for x in re.findall(r":([\d.]+)%", td.select_one(".fall")["style"]))
                assert [left, left + width] == pytest.approx(
                    [100 * (min(0, total) - low) / size, 100 * (max(0, total) - low) / size], abs=0.011
                )
    assert negative > 20


# == editing ==


@pytest.mark.parametrize(
    ("typed", "value"),
    [("2", 2), ("−1.5", -1.5), ("-1.5", -1.5), ("０．２５", 0.25), ("－３", -3), ("1/5", 0.2), ("1,000", 1000),
     ("1e-3", 0.001), ("−1000", -1000), (" 7 ", 7), ("50%", 0.5), (".5", 0.5)],
)  # fmt: skip
def test_numbers_as_they_are_typed(call, typed, value):
    assert call("m.readEntry(typed)", typed=typed) == {"value": pytest.approx(value, rel=1e-15)}


@pytest.mark.parametrize(
    ("typed", "reason"),
    [("", "empty"), ("   ", "empty"), ("abc", "form"), ("1e400", "too-large"), ("1001", "range"), ("-1000.5", "range"),
     ("1/0", "undefined"), ("2x", "unit"), ("1,5", "comma"), ("--1", "form"), ("NaN", "form"), ("Infinity", "form"),
     ("9" * 300, "too-long")],
)  # fmt: skip
def test_what_is_no_number_is_refused_in_words_and_changes_nothing(call, lesson, typed, reason):
    assert call("m.readEntry(typed)", typed=typed)["reason"] == reason
    asked = call("m.type(state, 'river の「岸」', typed, 'onBlur', draft)", state=lesson, typed=typed, draft=DRAFT)
    assert asked == [[3, 0, 2, {"typed": typed, "before": 2, "reason": reason}]]
    for tag in LANGUAGES:
        draft = ["3,0", {"typed": typed, "before": 2, "reason": reason}]
        text = call("m.draw(state, tag, { drafts: [draft] })", state=lesson, tag=tag, draft=draft)
        page = BeautifulSoup(text, "html.parser")
        [field] = page.select("[aria-invalid=true]")
        assert field["value"] == typed
        words = page.find(id=field["aria-describedby"])
        assert words["role"] == "alert" and words.get_text().endswith(
            {"ja": "前の値 2 のままです。", "zh-Hant": "仍然是原來的 2。"}[tag]
        )
        house_style(words.get_text(), tag)


# What a field holds that was typed into: «7», where the entry was 2.
DRAFT = {"drafts": [["3,0", {"typed": "7", "before": 2}]]}


def test_typing_is_followed_and_what_is_no_number_gives_the_entry_back(call, lesson):
    def typed(text, how="onInput", more=DRAFT):
        x = json.loads(json.dumps(lesson["X"]))
        x[3][0] = 7
        [one] = call(
            "m.type(state, 'river の「岸」', text, how, more)", state={**lesson, "X": x}, text=text, how=how, more=more
        )
        return one

    assert typed("1.") == [3, 0, 1, {"typed": "1.", "before": 2}]
    assert typed("1.", more={}) == [3, 0, 1, {"typed": "1.", "before": 7}]
    assert typed("-") == [3, 0, 2, {"typed": "-", "before": 2}], "half a number is not refused yet"
    assert typed("") == [3, 0, 2, {"typed": "", "before": 2}]
    assert typed("1e400") == [3, 0, 2, {"typed": "1e400", "before": 2, "reason": "too-large"}]
    assert typed("7kg") == [3, 0, 2, {"typed": "7kg", "before": 2, "reason": "unit"}]
    assert typed("9", "onBlur") == [3, 0, 9, None], "no draft is left"
    assert typed("９", "onKeyDown") == [3, 0, 9, None]
    assert typed("", "onKeyDown") == [3, 0, 2, {"typed": "", "before": 2, "reason": "empty"}]
    # While an input method composes, nothing is read.
    event = """(() => {
      const asked = [], actions = { edit: (...one) => asked.push(one) };
      const parts = m.elements(m.widget(state, "ja", { actions }));
      const field = parts.find(one => one.props["aria-label"] === "river の「岸」");
      field.props.onInput({ currentTarget: { value: "５" }, isComposing: true });
      return asked;
    })()"""
    assert call(event, state=lesson) == [[3, 0, 2, {"typed": "５", "before": 2}]]
    nothing = """(() => {
      const asked = [], actions = { edit: (...one) => asked.push(one) };
      const parts = m.elements(m.widget(state, "ja", { actions }));
      const field = parts.find(one => one.props["aria-label"] === "river の「岸」");
      field.props.onBlur({ currentTarget: { value: "2" } });
      return asked;
    })()"""
    assert call(nothing, state=lesson) == [], "a field that was only visited"


def test_rounding_of_a_sum_is_not_shown_as_a_number(call, lesson):
    x = json.loads(json.dumps(lesson["X"]))
    x[0], x[2] = [0.1, 0.2, -0.15, 0], [1, 1, 0, 1]
    assert 0.1 + 0.2 - 2 * 0.15 != 0
    state = {**lesson, "X": x, "query": 0}
    for step in range(1, 7):
        for computed in (0, 4):
            shown = {**state, "step": step, "computed": computed}
            assert "×10" not in call("m.draw(state, 'ja', { opened: true })", state=shown)


def test_an_edit_is_seen_in_both_sentences(call, lesson):
    x = json.loads(json.dumps(lesson["X"]))
    x[5][1] = -4.5
    for sentence in SENTENCES:
        state = {**lesson, "X": x, "sentence": sentence}
        now = call("m.current(state, state.given)", state=state)
        rows = next(one["rows"] for one in lesson["given"]["sentences"] if one["name"] == sentence)
        w = [np.array(lesson["given"][name]) for name in ("W_q", "W_k", "W_v")]
        right = stepper_data.steps(np.array([x[r] for r in rows]), *w, 0.5)
        assert now["edited"] and close(now["now"]["A"], right["A"], 1e-14)
        page = BeautifulSoup(call("m.draw(state, 'ja')", state=state), "html.parser")
        assert [one["value"] for one in page.select(".changed")] == ["−4.5"] and page.select(".edited button")
    assert not call("m.current(state, state.given).edited", state=lesson)


# == structure ==


def test_tables_have_heads_captions_and_boxes(told):
    for _, _, page, _ in told:
        for table in page.select(".stage table"):
            assert table.caption.get_text().strip() and table.parent["class"] == ["scroll"]
            assert table.parent["tabindex"] == "0"
            assert all(th.get("scope") for th in table.select("th"))
            for row in table.select("tbody tr:not(.band)"):
                assert row.th["scope"] == "row"
        assert page.select_one(".live")["aria-live"] == "polite"
        steps = page.select(".steps button")
        assert [one.get("aria-current") for one in steps].count("step") == 1
        assert [one["tabindex"] for one in steps].count("0") == 1
        unnamed = [one for one in page.select("input") if not one.get("aria-label") and not one.find_parent("label")]
        assert all(page.select(f'label[for="{one["id"]}"]') for one in unnamed)


def test_no_strength_by_colour_alone(told):
    """Every cell of ink has its number, the strongest a frame, the strongest link a width of its own."""
    for state, _, page, _ in told:
        for one in page.select(".stage td.heat"):
            assert numbers_in(one.get_text())
        if state["step"] == 6 and state["mode"] != "uniform":
            assert len(page.select(".stage td.strongest")) == len(page.select(".f-link.top")) == state["computed"]


def test_words_are_there_in_both_languages(call):
    body = """Object.fromEntries(Object.entries(m.WORDS).map(([tag, words]) => [tag, (function flat(one, name) {
      return typeof one === "string" ? { [name]: one } : typeof one === "function" ? { [name]: one("the", "1", "2") }
        : Object.assign({}, ...Object.entries(one).map(([key, value]) => flat(value, `${name}.${key}`)));
    })(words, "")]))"""
    words = call(body)
    assert list(words) == LANGUAGES and words["ja"].keys() == words["zh-Hant"].keys()
    for tag in LANGUAGES:
        for text in words[tag].values():
            assert text.strip()
            house_style(text, tag)


def test_a_state_that_cannot_be_is_refused(call, lesson):
    wrong = {
        "sentence": ["bank", None], "mode": ["Scaled", 1], "query": [4, -1, "3", 1.5, None], "step": [0, 7, "1"],
        "computed": [5, -1, None], "X": [None, [], [[1]], [[0] * 4] * 5, [[None] * 4] * 6, [["1"] * 4] * 6],
    }  # fmt: skip
    body = """states.map(state => {
      try { m.read({ get: name => state[name] }); return ""; } catch (error) { return error.message; }
    })"""
    bad = [{**lesson, name: value} for name, values in wrong.items() for value in values]
    given = lesson["given"]
    for name in given:
        if name != "lesson":
            bad.append({**lesson, "given": {key: value for key, value in given.items() if key != name}})
            bad.append({**lesson, "given": {**given, name: [[]]}})
    values = given["values"]["river"]
    for name in ("Q", "K", "V", "S"):
        bad.append({**lesson, "given": {**given, "values": {**given["values"], "river": {**values, name: [[1]]}}}})
    said = call(body, states=[lesson, *bad])
    assert said[0] == "" and len(said) > 30
    assert all(text.startswith("stepper: ") for text in said[1:]), said
    assert said[3] == 'stepper: mode: expected one of scaled, raw, uniform, got "Scaled"'


@pytest.mark.parametrize(
    ("page", "trait", "language"),
    [("ja", None, "ja"), ("zh-TW", "ja", "zh-Hant"), ("", "zh-Hant", "zh-Hant"), ("en", None, "ja"), ("", 7, "ja")],
)
def test_language(call, page, trait, language):
    assert call("m.languageOf(page, trait)", page=page, trait=trait) == language


def test_module_reaches_for_nothing_outside():
    files = [FOLDER / "stepper.js", *(FOLDER / "stepper_view").iterdir()]
    assert len(files) > 12
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") < 300
        assert not re.search(r"\bfetch\(|https?://|\b(?:document|window)\.addEventListener|innerHTML", text), path.name
        assert not re.search(r"#[0-9a-f]{3,6}\b|rgb\(", text), f"{path.name}: colours are the stylesheet's"
    assert "export default { render }" in (FOLDER / "stepper.js").read_text(encoding="utf-8")


def test_page_and_notebook_are_laid_out_by_the_same_rules():
    """A notebook's widths are those of its cell; its tokens are those of the book."""
    ours, page = Stepper()._css, assets.book_css()
    assert len(re.findall(r"@container stepper \(max-width: \d+rem\)", ours)) == 2
    layout = (FOLDER / "stepper_layout.css").read_text(encoding="utf-8")
    rules = [line for line in layout.splitlines() if "{" in line and not line.startswith("@")]
    assert len(rules) > 120 and ours.endswith(layout)
    assert all(page.count(f"{line}\n") >= 1 for line in rules) and "@container stepper" not in page
    assert ":has(" not in ours, "one of them can slow every change of a page"
    tokens = (assets.HERE / "static" / "tokens.css").read_text(encoding="utf-8")
    for name in set(re.findall(r"var\((--[a-z0-9-]+)[,)]", ours)) - {"--mark", "--o", "--w", "--z"}:
        value = re.search(rf"{name}: ([^;]+);", ours)
        assert value, name
        theirs = re.search(rf"{name}: ([^;]+);", tokens)[1]
        if "light-dark" in theirs:
            long = re.sub(r"#(.)(.)(.)\b", r"#\1\1\2\2\3\3", value[1])
            assert re.sub(r"#(.)(.)(.)\b", r"#\1\1\2\2\3\3", theirs) == long, name


def test_own_tokens_get_names_that_can_be_told_apart(call):
    tokens = ["the", "cat", "the", " sat", "internationalization", "猫", "a"]
    assert call("m.labels(tokens)", tokens=tokens) == ["the₁", "cat", "the₃", "␣sat", "internationaliz…", "猫", "a"]
    alike = ["internationalization", "a₁", "internationalizing", "a", "a"]  # cut to the same, or numbered to the same
    seen = call("m.labels(tokens)", tokens=alike)
    assert seen == ["internationaliz…₁", "a₁", "internationaliz…₃", "a₄", "a₅"] and len(set(seen)) == 5
    assert call("m.labels(tokens)", tokens=["a₁", "a", "a", "b"]) == ["a₁", "a₂", "a₃", "b"]


@pytest.mark.parametrize(
    ("language", "close", "same"),
    [("ja", "小数第 2 位までは", "も同じです"), ("zh-Hant", "到小數第 2 位都是", "反過來也一樣")],
)
def test_two_tiny_weights_are_not_called_the_same(call, language, close, same):
    """Two tokens, each seeing itself: e⁻³⁰ and e⁻³² for the other print as 0.00; only equal ones are equal."""
    eye, told = [[1, 0], [0, 1]], {}
    for there, back in ((0, -2), (0, 0)):
        table = [[30, there], [back, 30]]
        arrays = [np.asarray(one, float).tolist() for one in (eye, table, eye, eye)]
        given = json.loads(json.dumps(stepper_data.own(["p", "q"], *arrays)))
        state = {"sentence": "own", "mode": "raw", "query": 0, "step": 6, "computed": 2, "X": arrays[0], "given": given}
        told[there, back] = call("m.sentence(state, state.given, language)", state=state, language=language)
    assert close in told[0, -2] and same not in told[0, -2]
    assert same in told[0, 0] and close not in told[0, 0]
