"""100,000 made-up inputs through both readers, in both languages: the same outcome, never a crash, a hang or code."""

import builtins
import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from interview_book.practice import answers, expressions
from interview_book.practice.comparing import values
from interview_book.practice.expressions import Parsed

COUNT = 100_000
LIMIT = 0.05  # seconds for one input
ACCEPTS = ["nat", "ナット", "%"]
VARIABLES = {"d_k": (1, 64), "sigma_q": (0.5, 3), "c": (0.5, 16), "rho": (-0.9, 0.9), "x": (-5, 5)}
ANSWER = "d_k sigma_q^2 (1 + rho^2) / c^2"
MISTAKES = ["d_k sigma_q (1 + rho^2) / c", "sqrt(d_k) sigma_q/c", "x"]

SIGNS = [*"0123456789.,/×·^*()√−-+ー={}_ ee%１．＋（）²³⁻ₖₓ½⅓⅙⅞―≈約¥π√^(/*+-"]
WORDS = [
    *["d_k", "dk", "dₖ", "d_{k}", "σ_q", "sigma_q", "sigmaq", "σq", "c", "ρ", "rho", "x", "e", "pi", "E"],
    *[
        "sqrt",
        "exp",
        "log",
        "ln",
        "sqrt(",
        "exp(",
        "log(",
        "√(",
        "^(",
        "^{",
        "**",
        "×10^",
        "x10^-",
        "e-3",
        "10",
        "1,000",
    ],
    *[
        "nat",
        "ナット",
        "倍",
        "。",
        "、",
        "\u3000",
        "\u200b",
        "\u200f",
        "\u202e",
        "\x00",
        "🙂",
        "\ud800",
        "Σ",
        "σ",
        "d",
        "k",
    ],
    *[
        "constructor",
        "__proto__",
        "toString",
        "__import__('os')",
        "eval(",
        ";",
        "$",
        "\\",
        "\\sigma_q",
        "\\rho",
        "^(1/2)",
        "^{-3}",
        "^0.5",
        "'",
        "[",
        "]",
        "|",
        "。5",
        "・",
    ],
]


def formula(draw, depth=0):
    """A formula of the grammar, in any spelling; not always one that can be read in one way."""
    kind = draw.random()
    if depth > 4 or kind < 0.4:
        return draw.choice([*WORDS[:12], *"123", "0.5", "1e-3", "½", "2.5"])
    inner = formula(draw, depth + 1)
    if kind < 0.5:
        return f"({inner})"
    if kind < 0.6:
        return draw.choice(["sqrt({})", "√({})", "√{}", "exp({})", "log({})", "ln {}", "e^({})", "-({})"]).format(inner)
    if kind < 0.7:
        return inner + draw.choice(["²", "^2", "**3", "⁻¹", "^-1", "^0.5", "^(1/2)", "^{x}"])
    sign = draw.choice(["+", "-", " + ", "−", "*", "×", " ", "", "/", " / ", "·", "÷"])
    return inner + sign + formula(draw, depth + 1)


def mutated(draw, text):
    signs = list(text)
    for _ in range(draw.randint(1, 3)):
        at = draw.randint(0, len(signs))
        kind = draw.random()
        if kind < 0.4:
            signs.insert(at, draw.choice(SIGNS if kind < 0.25 else WORDS))
        elif kind < 0.7:
            del signs[at : at + draw.randint(1, 3)]
        elif kind < 0.9:
            signs[at : at + 1] = draw.choice(SIGNS)
        else:
            signs[at:at] = signs[: draw.randint(0, len(signs))]
    return "".join(signs)


def anything(draw):
    """Text of any code points: half of them from where letters, digits and signs are."""
    tops = (0x80, 0x250, 0x3000, 0x10000, 0x110000)
    return "".join(chr(draw.randrange(draw.choice(tops))) for _ in range(draw.randint(1, 12)))


def inputs(table):
    draw = random.Random(20240229)
    known = [case["typed"] for key in ("numbers", "expressions", "judged") for case in table[key]]
    makers = [
        (0.28, lambda: formula(draw)),
        (0.25, lambda: mutated(draw, draw.choice(known))),
        (0.05, lambda: mutated(draw, draw.choice([ANSWER, *MISTAKES]))),
        (0.20, lambda: "".join(draw.choice(SIGNS) for _ in range(draw.randint(1, 16)))),
        (0.10, lambda: "".join(draw.choice(WORDS) for _ in range(draw.randint(1, 8)))),
        (0.06, lambda: anything(draw)),
        (0.03, lambda: draw.choice(SIGNS) + anything(draw)[:3] + draw.choice(WORDS)),
        (0.03, lambda: draw.choice(SIGNS + WORDS) * draw.randint(30, 400)),
    ]
    weights = [weight for weight, _ in makers]
    made = [draw.choices(makers, weights)[0][1]() for _ in range(COUNT)]
    return json.loads(json.dumps(made))  # two halves of a surrogate pair become one sign, as they do in JavaScript


JAVASCRIPT = """(() => {
  const boom = () => { throw new Error("code was evaluated"); };
  globalThis.eval = globalThis.Function = boom;
  const slow = [];
  const timed = (text, run) => {
    let result, least = Infinity;
    // Another process may hold the machine: slow is only what is slow each time.
    for (let i = 0; i < 4 && least > limit; i++) {
      const start = performance.now();
      result = run(text);
      least = Math.min(least, (performance.now() - start) / 1000);
    }
    if (least > limit) slow.push(text);
    return result;
  };
  const results = texts.map(text => timed(text, RUN));
  return { results, slow };
})()"""

NUMBER = """text => {
  const plain = m.readNumber(text), unit = m.readNumber(text, accepts);
  return [plain.reason ?? String(plain.value), unit.reason ?? String(unit.value)];
}"""
EXPRESSION = """text => {
  const { reason, name, tree } = m.readExpression(text, record.variables.map(one => one.name));
  return [reason ?? null, name ?? null, tree ?? null, m.judgeExpression(text, record)];
}"""
VALUES = "trees.map(tree => m.values(tree, m.points('fuzz', ranges, 3)).map(String))"


def python_number(text):
    found = [answers.read(text), answers.read(text, ACCEPTS)]
    return [one.value if isinstance(one, answers.Read) else one.reason for one in found]


def python_expression(text, question):
    got = expressions.read(text, list(VARIABLES))
    judged = expressions.judge(text, question)
    fields = {"verdict": judged.verdict, "reason": judged.reason, "name": judged.name, "mistake": judged.mistake}
    judged = {key: value for key, value in fields.items() if value is not None}
    if isinstance(got, Parsed):
        return [None, None, got.tree, judged]
    return [got.reason, got.name, None, judged]


def timed(text, run, slow):
    """As in JavaScript."""
    least = LIMIT + 1
    for _ in range(4):
        start = time.perf_counter()
        result = run(text)
        least = min(least, time.perf_counter() - start)
        if least <= LIMIT:
            return result
    slow.append(text)
    return result


def forbid(patch, name):
    """Let the built-in ``name`` fail in this thread; another one starts Node."""
    original, here = getattr(builtins, name), threading.get_ident()

    def guarded(*args, **kwargs):
        assert threading.get_ident() != here, f"{name} was called with {args}"
        return original(*args, **kwargs)

    patch.setattr(builtins, name, guarded)


def plain(tree):
    """A tree with lists for tuples and floats for numbers, as JSON gives it back."""
    if isinstance(tree, (list, tuple)):
        return [plain(part) for part in tree]
    return float(tree) if isinstance(tree, int) else tree


def same_number(python, javascript):
    if isinstance(python, str):
        return python == javascript
    return javascript[-1].isdigit() and python == float(javascript)


def test_both_languages_agree_on_everything(call, root, monkeypatch):
    table = json.loads((root / "tests" / "practice" / "answers.json").read_text(encoding="utf-8"))
    texts = inputs(table)
    assert len(texts) == COUNT and len(set(texts)) > 0.7 * COUNT
    question = {
        "variables": {name: {"low": low, "high": high} for name, (low, high) in VARIABLES.items()},
        "answer": ANSWER,
        "mistakes": [{"expression": one} for one in MISTAKES],
    }
    ranges = [{"name": name, "low": low, "high": high} for name, (low, high) in VARIABLES.items()]
    record = {"variables": ranges, "answer": ANSWER, "mistakes": question["mistakes"]}
    limits = {"limit": LIMIT, "texts": texts}
    slow: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        # Node works while Python does.
        of_numbers = pool.submit(call, "answers", JAVASCRIPT.replace("RUN", NUMBER), accepts=ACCEPTS, **limits)
        of_formulas = pool.submit(call, "expressions", JAVASCRIPT.replace("RUN", EXPRESSION), record=record, **limits)
        with monkeypatch.context() as patch:
            for name in ("eval", "exec", "compile"):
                forbid(patch, name)
            numbers = [timed(text, python_number, slow) for text in texts]
            formulas = [timed(text, lambda text: python_expression(text, question), slow) for text in texts]
        of_numbers, of_formulas = of_numbers.result(), of_formulas.result()
    assert slow == of_numbers["slow"] == of_formulas["slow"] == []

    for text, python, javascript in zip(texts, numbers, of_numbers["results"], strict=True):
        assert all(map(same_number, python, javascript)), (ascii(text), python, javascript)
    for text, python, javascript in zip(texts, formulas, of_formulas["results"], strict=True):
        assert plain(python) == plain(javascript), ascii(text)

    # What was fuzzed is not all junk: enough of it reads, and every reason and verdict comes up.
    read = [one[0] for one in numbers if not isinstance(one[0], str)]
    trees = [one[2] for one in formulas if one[2] is not None]
    assert len(read) > 0.05 * COUNT and len(trees) > 0.15 * COUNT
    assert {one[3]["verdict"] for one in formulas} == {"right", "wrong", "unreadable"}
    assert {one[3].get("mistake") for one in formulas} == {None, *range(len(MISTAKES))}
    reasons = {one[0] for one in formulas} | {one[0] for one in numbers if isinstance(one[0], str)} - {None}
    assert set(answers.REASONS) <= reasons

    drawn = expressions.points("fuzz", expressions.ranges(question["variables"]), 3)
    at_points = call("comparing", VALUES, trees=trees, ranges=ranges)
    for tree, row in zip(trees, at_points, strict=True):
        # To the last bit; but −0 is written as 0.
        assert [repr(float(one)) for one in row] == [repr(one + 0.0) for one in values(tree, drawn)], tree


@pytest.mark.parametrize("folder", ["src/interview_book/practice", "src/interview_book/widgets/practice_deck"])
def test_nothing_in_the_readers_can_evaluate(root, folder):
    stems = ("reading", "answers", "grammar", "comparing", "expressions", "elementary")
    found = [path for path in sorted((root / folder).iterdir()) if path.stem in stems and path.suffix in (".py", ".js")]
    assert len(found) == len(stems)
    for path in found:
        text = path.read_text(encoding="utf-8").replace("re.compile(", "").replace("expression.exec(", "")
        for word in ("eval(", "exec(", "compile(", "Function(", "sympify", "parse_expr", "import(", "ast."):
            assert word not in text, (path.name, word)
