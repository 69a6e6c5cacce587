"""A Markdown source, cut into what a reader reads and what only the machine reads.

Rules of prose look at ``blocks``: one string for each paragraph, heading, list item, table cell or quotation, with
markup gone and one private character in place of each formula, code span and reference. Rules of maths look at
``spans`` of kind ``math`` and ``display``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

#: Stand-ins in ``blocks``. A numbered figure reads «図 2» and an equation «(2)», so they meet Han differently.
#: What stands on both sides of an HTML tag is set apart by it, so no rule looks across.
MATH, CODE, EQUATION, FIGURE, CITATION, TAG = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004", "\ue005"
_SHOWN = {MATH: "$…$", CODE: "`…`", EQUATION: "{eq}", FIGURE: "{numref}", CITATION: "{cite}", TAG: "<…>"}

HAN = "\u2e80-\u2fdf\u3005-\u3007\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"


@dataclass(frozen=True)
class Span:
    """A piece of a source.

    ``kind``: prose, escaped, mark, math, display, code, label, figure, equation, citation, tag, machine, break.
    """

    kind: str
    text: str


# Directives whose first line and body are read; every other directive is data for the machine.
_READ = frozenset(
    (
        *("note", "tip", "hint", "important", "warning", "caution", "attention", "danger", "error", "seealso"),
        *("admonition", "dropdown", "epigraph", "margin", "sidebar", "topic", "card"),
        *("grid", "grid-item", "grid-item-card"),
    )
)
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,}|:{3,})[ \t]*(?:\{(?P<name>[^}\s]+)\})?[ \t]*(?P<argument>[^\n]*)$")
_DISPLAY = re.compile(r"[ \t]*\$\$(?P<body>.*?)\$\$(?P<tail>[^\n]*)(?:\n|\Z)", re.S)
_LABEL = re.compile(r"^[ \t]*\((?P<label>[^()\n]*)\)=[ \t]*$")
_OPTION = re.compile(r"^[ \t]*:[\w-]+:.*$")
_MARKER = re.compile(r"^(?:[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+|>[ \t]?|\[\^[^\]\s]+\]:[ \t]*))+")
_RULE = re.compile(r"^[ \t]*(?:\|?[ \t:|-]*-{2,}[ \t:|-]*\|?|\+\+\+.*|%.*|(?:\*[ \t]*){3,}|\{[.#][^{}\n]*\})$")
_INLINE = re.compile(
    r"""
    \\(?P<escaped>[!-/:-@\[-`{-~])
  | \{(?P<role>[A-Za-z][\w:+.-]*)\}(?P<rtick>`+)(?P<rbody>.+?)(?P=rtick)(?!`)
  | (?<!`)(?P<tick>`+)(?!`)(?P<cbody>.+?)(?<!`)(?P=tick)(?!`)
  | \$(?P<math>(?:\\.|[^$\\\n])+)\$
  | (?P<comment><!--.*?-->)
  | (?P<auto><(?:https?|mailto):[^>\s]*>|https?://[!-;=?-~]+)
  | (?P<tag></?[A-Za-z][^<>]*>)
  | !?\[(?P<link>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?P<dest>
      \([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\{[^{}\n]*\}|\[[^\]\n]*\])
  | (?P<attributes>\{[.\#][^{}\n]*\})
  | (?P<foot>\[\^[^\]\s]+\])
  | (?P<mark>\*{1,3}|~~|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w))
    """,
    re.X,
)
_SPOKEN_ATTRIBUTE = re.compile(r"""\b(?:alt|title|aria-label)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ROLE_KIND = {"eq": "equation", "numref": "figure", "cite": "citation"}
_TEXT_AND_TARGET = re.compile(r"^(?P<text>.*\S)\s*<[^<>]*>$")


def _inline(line: str) -> Iterator[Span]:
    """Cut one line without block markers."""
    at = 0
    for match in _INLINE.finditer(line):
        if match.start() > at:
            yield Span("prose", line[at : match.start()])
        at = match.end()
        found = match.lastgroup
        if match["escaped"]:
            yield Span("escaped", match["escaped"])
        elif match["role"]:
            kind = _ROLE_KIND.get(match["role"].split(":")[0], "citation")
            text = _TEXT_AND_TARGET.match(match["rbody"])
            if match["role"] == "math":
                yield Span("math", match["rbody"])
            elif text and kind != "citation":
                yield from _inline(text["text"])
                yield Span("machine", match[0])
            else:
                yield Span(kind, match["rbody"])
        elif match["cbody"] is not None:
            yield Span("code", match["cbody"])
        elif match["math"] is not None:
            yield Span("math", match["math"])
        elif match["tag"]:
            yield Span("tag", match[0])
            if re.match(r"</?(?:br|p|div|li|ul|ol|h\d|td|th|tr|dt|dd|figure|figcaption|section)\b", match[0], re.I):
                yield Span("break", "")
            for said in _SPOKEN_ATTRIBUTE.finditer(match[0]):
                yield from (Span("break", ""), Span("prose", said[1] or said[2] or ""), Span("break", ""))
        elif match["link"] is not None:
            yield Span("machine", "[")
            yield from _inline(match["link"])
            yield Span("machine", match["dest"])
        elif match["auto"]:
            yield Span("code", match["auto"])
        elif match["attributes"]:
            yield Span("tag", match["attributes"])  # a button or the like: set apart from what follows it
        else:
            yield Span("mark" if found == "mark" else "machine", match[0])
    if at < len(line):
        yield Span("prose", line[at:])


def _fenced(lines: list[str], start: int, mark: str) -> int:
    """Index of the line that closes the fence opened at ``start``; the last line when none does."""
    close = re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    return next((i for i in range(start + 1, len(lines)) if close.match(lines[i])), len(lines))


def _blocks(source: str) -> Iterator[Span]:
    lines = source.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if (fence := _FENCE.match(line)) and (fence["name"] or fence["mark"][0] != ":"):
            end = _fenced(lines, at, fence["mark"])
            body = lines[at + 1 : end]
            if fence["name"] == "math":
                yield Span("display", "\n".join(one for one in body if not _OPTION.match(one)))
            elif fence["name"] in _READ:
                yield from (*_inline(fence["argument"]), Span("break", ""))
                while body and _OPTION.match(body[0]):
                    body = body[1:]
                yield from _blocks("\n".join(body))
            else:
                yield Span("machine", "\n".join(lines[at : end + 1]))
            yield Span("break", "")
            at = end + 1
        elif line.lstrip().startswith("$$") and (display := _DISPLAY.match("\n".join(lines[at:]))):
            yield Span("display", display["body"])
            if display["tail"].strip():
                yield Span("machine", display["tail"].strip())
            yield Span("break", "")
            at += display[0].rstrip("\n").count("\n") + 1
        elif label := _LABEL.match(line):
            yield from (Span("label", label["label"]), Span("break", ""))
            at += 1
        elif _RULE.match(line):
            yield from (Span("machine", line), Span("break", ""))
            at += 1
        else:
            marker = _MARKER.match(line)
            rest = line[marker.end() :] if marker else line
            for cell in rest.strip().strip("|").split("|") if rest.lstrip().startswith("|") else [rest]:
                yield from (*_inline(cell.strip()), Span("break", ""))
            at += 1


@lru_cache(maxsize=4096)
def cut(source: str) -> tuple[Span, ...]:
    """Cut a Markdown source into spans, in order."""
    return tuple(_blocks(source))


_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w-]*)(?P<rest>[^<>]*?)(?P<empty>/?)>")
_LANG = re.compile(r"""\blang\s*=\s*["']?(?P<lang>[\w-]+)""")
_VOID = frozenset(["br", "img", "hr", "use", "path", "circle", "rect", "input", "wbr", "col", "source", "meta", "link"])


def _language(tag: str, stack: list[tuple[str, str | None]]) -> str | None:
    """Follow one HTML tag and return the language that holds behind it; None is the language of the half."""
    match = _TAG.match(tag)
    if match and match["close"]:
        for depth in range(len(stack) - 1, -1, -1):
            if stack[depth][0] == match["name"]:
                del stack[depth:]
                break
    elif match and not match["empty"] and match["name"].lower() not in _VOID:
        said = _LANG.search(match["rest"])
        stack.append((match["name"], said["lang"] if said else stack[-1][1] if stack else None))
    return stack[-1][1] if stack else None


@lru_cache(maxsize=4096)
def blocks_by_language(source: str) -> tuple[tuple[str | None, str], ...]:
    """What is read of a source: (language, text) a block, markup gone, stand-ins for formulas, code and references.

    The language is that of the nearest HTML element with ``lang``, or None outside of one.
    """
    stand_in = {"math": MATH, "code": CODE, "equation": EQUATION, "figure": FIGURE, "citation": CITATION, "tag": TAG}
    found: list[tuple[str | None, str]] = []
    stack: list[tuple[str, str | None]] = []
    text, lang = "", None
    for span in (*cut(source), Span("break", "")):
        after = _language(span.text, stack) if span.kind == "tag" else lang
        if span.kind == "break" or after != lang:
            if text.strip(f" \t{TAG}"):
                found.append((lang, text.strip(f" \t{TAG}")))
            text, lang = "", after
        else:
            text += span.text if span.kind in ("prose", "escaped") else stand_in.get(span.kind, "")
    return tuple(found)


def blocks(source: str) -> tuple[str, ...]:
    """The texts of ``blocks_by_language``."""
    return tuple(text for _, text in blocks_by_language(source))


_READ_AS_WRITTEN = ("prose", "escaped", "mark")


def lines(source: str) -> str:
    """The source as its reader's eye runs over it: emphasis marks kept, formulas and code blank, one block a line."""
    blank = {"math": " ", "display": " ", "code": " ", "break": "\n", "machine": " ", "tag": TAG}
    return "".join(blank.get(span.kind, span.text if span.kind in _READ_AS_WRITTEN else " ") for span in cut(source))


def maths(source: str) -> list[tuple[str, bool]]:
    """Every formula of a source with whether it is displayed, in order."""
    return [(span.text, span.kind == "display") for span in cut(source) if span.kind in ("math", "display")]


def near(text: str, start: int, end: int, reach: int = 8) -> str:
    """The place of a match in a block, in guillemets, as a message shows it."""
    piece = text[max(0, start - reach) : end + reach]
    for private, shown in _SHOWN.items():
        piece = piece.replace(private, shown)
    return f"«{piece}»"
