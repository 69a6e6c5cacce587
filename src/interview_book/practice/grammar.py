"""The grammar of a typed expression: text and names of variables in, a tree out. Nothing is ever evaluated as code.

::

    sum     = [sign] term { ("+" | "-") term }
    term    = factor { ["×"] factor } ["/" factor]                    2d_k, d_k σ_q, 3(d_k - 1)
    factor  = base ["^" exponent] | root
    base    = number | name | "(" sum ")" | function "(" sum ")"
    root    = ("√" | "sqrt") base
    exponent = [sign] (number | name) | "(" sum ")" | "{" sum "}"
    number  = as in `answers`, or one of ½ ⅓ …

An = in front is nothing, and so is the backslash of a Greek letter or a function in TeX (\\sigma_q).
A name is a variable in one of its spellings (`spellings`), e or π; names may stand side by side without a sign where
there is only one way to part them. The functions are sqrt, exp, log and ln (the same). What can be read in two ways
(1/2x, a/b*c, √ab, x^2y, x^y^z, x^1/2, log x y) is «could not read», and so is every sign the grammar has no use for.

A tree is a number, the name of a variable, or a tuple: ("neg" | "sqrt" | "exp" | "log", tree) or
("+" | "-" | "*" | "/" | "^", tree, tree). The JavaScript twin is `widgets/practice_deck/grammar.js`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from interview_book.practice.reading import EXPONENT, LETTERS, MAX_EXPONENT, VULGAR, Stop, decimal, fold

MAX_LENGTH = 200
MAX_DEPTH = 16

Tree = float | str | tuple

_GREEK = dict(
    alpha="α", beta="β", gamma="γ", delta="δ", epsilon="ε", zeta="ζ", eta="η", theta="θ", iota="ι", kappa="κ", mu="μ",
    nu="ν", xi="ξ", pi="π", rho="ρ", sigma="σ", tau="τ", upsilon="υ", phi="φ", chi="χ", psi="ψ", omega="ω",
)  # fmt: skip
_GREEK["lambda"] = "λ"
_SUBSCRIPT = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", "0123456789aehijklmnoprstuvxβγρφχ", strict=True))
_SUBSCRIPTS = re.compile("[" + "".join(_SUBSCRIPT) + "]+")
_BRACED = re.compile(r"_\{ *([A-Za-z0-9α-ω]+) *\}")
# An IME's long-vowel mark is a minus unless it belongs to a word in kana.
_BAR_AS_MINUS = re.compile("(?<![\u3041-\u30ff])ー(?![\u3041-\u30ff])")

_FUNCTIONS = {"sqrt": "sqrt", "exp": "exp", "log": "log", "ln": "log"}
_CONSTANTS = {"e": 2.718281828459045, "pi": 3.141592653589793, "π": 3.141592653589793}
_FRACTIONS = {sign: above / below for sign, (above, below) in VULGAR.items()}
_EQUAL = re.compile("^=(?=.)")
# As a space, since a command ends where the next begins: d_k\sigma_q is a product.
_COMMAND = re.compile(rf"[\\¥￥](?=(?:{'|'.join((*_GREEK, *_FUNCTIONS))})(?![A-Za-z]))")

_RUN = re.compile(f"[{LETTERS}_][{LETTERS}_ー0-9]*")
_ROOT_OF_DIGITS = re.compile("sqrt(?=[0-9])", re.IGNORECASE | re.ASCII)
_TIMES_TEN = re.compile(r"[xX](?= *10 *\^)")


@lru_cache(maxsize=64)
def spellings(names: tuple[str, ...]) -> dict[str, str]:
    """Every way to type one of the names -> the name: ``d_k``, ``dk``; ``sigma_q``, ``sigmaq``, ``σ_q``, ``σq``.

    Subscript letters and braces are folded before. A spelling that two names share belongs to neither and is left out.
    """
    found: dict[str, str] = {}
    shared = set()
    for name in dict.fromkeys(names):
        base, bar, below = name.partition("_")
        for first in dict.fromkeys((base, _GREEK.get(base, base))):
            for second in dict.fromkeys((below, _GREEK.get(below, below))):
                for joint in ("_", "") if bar and below else (bar,):
                    spelling = first + joint + second
                    if found.setdefault(spelling, name) != name:
                        shared.add(spelling)
    return {spelling: name for spelling, name in found.items() if spelling not in shared}


def reserved(word: str) -> bool:
    """True for a word that the grammar keeps for itself: a function, a constant, or the e of 2e3."""
    return word.lower() in _FUNCTIONS or word in _CONSTANTS or word == "E"


def fold_expression(typed: str) -> str:
    """Return the text as the tokens are cut from it; raises `Stop` where a sign can mean two things."""
    text = _COMMAND.sub(" ", _EQUAL.sub("", fold(typed)))
    text = _SUBSCRIPTS.sub(lambda match: "_" + "".join(_SUBSCRIPT[sign] for sign in match[0]), text)
    return _BAR_AS_MINUS.sub("-", _BRACED.sub(r"_\1", text)).removesuffix("。").strip(" ")


def _part(run: str, known: dict[str, str]) -> list[tuple[str, object]]:
    """The run of letters and digits as names and functions; raises `Stop` when there is none or more than one way."""
    if run not in known and run in _CONSTANTS:
        return [("name", _CONSTANTS[run])]
    if "π" in run:  # e and pi stand alone: inside a run they could be letters of a name
        known = {"π": _CONSTANTS["π"], **known}
    ways: list[list] = [[] for _ in run] + [[[]]]  # of the rest from each place, at most two
    for at in range(len(run) - 1, -1, -1):
        found = []
        for word, name in known.items():
            if run.startswith(word, at):
                found += [[("name", name), *rest] for rest in ways[at + len(word)]]
        for word, function in _FUNCTIONS.items():
            end = at + len(word)
            # exp, log and ln close a run: what they apply to stands in brackets or behind a space.
            if run[at:end].lower() == word and (function == "sqrt" or end == len(run)):
                found += [[("call", function), *rest] for rest in ways[end]]
        ways[at] = found[:2]
    if not ways[0]:
        raise Stop("name", run)
    if len(ways[0]) > 1:
        raise Stop("ambiguous")
    return ways[0][0]


def tokens(text: str, known: dict[str, str]) -> list[tuple[str, object, bool]]:
    """Cut folded text into (kind, value, a space before it); kinds: number, name, call, end, or the sign itself."""
    found: list[tuple[str, object, bool]] = []
    at = 0
    while True:
        start = at
        while text.startswith(" ", at):
            at += 1
        spaced = at > start
        if at == len(text):
            return [*found, ("end", None, spaced)]
        sign = text[at]
        root = _ROOT_OF_DIGITS.match(text, at)
        run = _RUN.match(text, at)
        if sign in "0123456789.,、":
            value, end = decimal(text, at, spaced=False)
            exponent = EXPONENT.search(text[at:end])
            if exponent and exponent[1] in known:
                raise Stop("ambiguous")
            found.append(("number", value, spaced))
            at = end
        elif sign in _FRACTIONS:
            found.append(("number", _FRACTIONS[sign], spaced))
            at += 1
        elif root:
            found.append(("call", "sqrt", spaced))
            at = root.end()
        elif found and found[-1][0] in ("number", ")") and sign not in known and _TIMES_TEN.match(text, at):
            found.append(("×", None, spaced))
            at += 1
        elif run:
            for index, (kind, value) in enumerate(_part(run[0], known)):
                found.append((kind, value, spaced and index == 0))
            at = run.end()
        elif sign in "+-×/^(){}√":
            found.append((sign, None, spaced))
            at += 1
        else:
            raise Stop("form")


class Parser:
    """One pass over the tokens, from left to right."""

    def __init__(self, found: list[tuple[str, object, bool]]) -> None:
        self.tokens, self.at, self.depth = found, 0, 0

    def kind(self, ahead: int = 0) -> str:
        """What comes next."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def take(self, *kinds: str) -> str:
        """The kind that comes next if it is one of ``kinds``, or the empty string."""
        kind = self.kind()
        if kind not in kinds:
            return ""
        self.at += 1
        return kind

    def follows(self) -> bool:
        """True when a factor follows without a sign; a number there (d_k 2) is none."""
        return self.kind() in ("name", "call", "(", "√")

    def spaced(self) -> bool:
        return self.tokens[self.at][2]

    def whole(self) -> Tree:
        tree = self.sum()
        if self.kind() != "end":
            raise Stop("form")
        return tree

    def sum(self) -> Tree:
        negative = self.take("-", "+") == "-"
        tree = self.term()
        if negative:
            tree = ("neg", tree)
        while sign := self.take("+", "-"):
            tree = (sign, tree, self.term())
        return tree

    def term(self) -> Tree:
        tree = self.factor()
        while self.take("×") or self.follows():
            tree = ("*", tree, self.factor())
        if self.take("/"):
            tree = ("/", tree, self.factor())
            if self.follows() or self.kind() in ("×", "/"):
                raise Stop("ambiguous")
        return tree

    def factor(self) -> Tree:
        if self.kind() == "√" or (self.kind() == "call" and self.kind(1) != "("):
            return self.bare()
        tree = self.base()
        if not self.take("^"):
            return tree
        tree = ("^", tree, self.exponent())
        opened = self.tokens[self.at - 1][0] in (")", "}")
        if self.kind() == "^" or (not opened and self.follows() and not self.spaced()):
            raise Stop("ambiguous")
        return tree

    def base(self) -> Tree:
        kind, value, _ = self.tokens[self.at]
        if kind in ("number", "name"):
            self.at += 1
            return value
        if kind == "call" and self.kind(1) == "(":
            self.at += 1
            return (value, self.bracket("(", ")"))
        return self.bracket("(", ")")

    def bracket(self, opening: str, closing: str) -> Tree:
        self.depth += 1
        if not self.take(opening) or self.depth > MAX_DEPTH:
            raise Stop("form")
        tree = self.sum()
        if not self.take(closing):
            raise Stop("form")
        self.depth -= 1
        return tree

    def exponent(self) -> Tree:
        if self.kind() == "{":
            return self.bracket("{", "}")
        negative = self.take("-", "+") == "-"
        tree = self.base()
        if isinstance(tree, float) and tree > MAX_EXPONENT:
            raise Stop("too-large")
        return ("neg", tree) if negative else tree

    def bare(self) -> Tree:
        """A root, or a function without brackets."""
        function = self.tokens[self.at][1]
        self.at += 1
        glued = not self.spaced()
        opened = self.kind() not in ("number", "name")
        tree = (function or "sqrt", self.base())
        if self.kind() == "^":
            raise Stop("ambiguous")
        if function in ("exp", "log"):
            if self.kind() not in ("end", ")", "}", "+", "-"):
                raise Stop("ambiguous")
        # √ab may be √(ab); √a b and √(a)b are products.
        elif not opened and self.follows() and self.kind() != "√" and not (glued and self.spaced()):
            raise Stop("ambiguous")
        return tree


def parse(typed: str, names: tuple[str, ...]) -> Tree:
    """The tree of what was typed; raises `Stop` with a reason (and the unknown name). Linear in the text's length."""
    if len(typed) > 4 * MAX_LENGTH:
        raise Stop("too-long")
    text = fold_expression(typed)
    if not text:
        raise Stop("empty")
    if len(text) > MAX_LENGTH:
        raise Stop("too-long")
    if "=" in text:
        raise Stop("equation")
    return Parser(tokens(text, spellings(names))).whole()
