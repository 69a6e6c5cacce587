"""Inline MyST to Markdown that any notebook reader shows: roles become text, attributes go, links find their file."""

from __future__ import annotations

import re
from typing import Protocol

from interview_book.book.errors import BookError

_ATOM = re.compile(
    r"""(?P<escape>\\[!-/:-@\[-`{-~])
    | \{(?P<role>[A-Za-z][\w:+.-]*)\}(?P<rtick>`+)(?P<rbody>.+?)(?<!`)(?P=rtick)(?!`)
    | (?P<code>(?<!`)(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`))
    | (?P<math>\$\$.+?\$\$ | \$(?!\s)(?:\\.|[^$\\])+?(?<!\s)\$)
    | (?P<tag><!--.*?--> | </?[A-Za-z][^<>]*>)
    | \[\^(?P<note>[^\]\s]+)\](?!:)
    | (?P<open>!?\[)""",
    re.X | re.S,
)
_ATTRIBUTES = re.compile(r"\{\s*(?:[.#][^{}\n]*|[A-Za-z][\w-]*\s*=[^{}\n]*)\}")
_NAMED = re.compile(r"^(?P<text>.*?)\s*<(?P<target>[^<>]+)>$", re.S)
_MARKS = {"sub": "sub", "sup": "sup", "subscript": "sub", "superscript": "sup", "kbd": "kbd", "abbr": ""}


class References(Protocol):
    """What the text may refer to. Each method returns Markdown and raises ``BookError`` for an unknown name."""

    def equation(self, label: str) -> str: ...
    def figure(self, label: str, text: str) -> str: ...
    def section(self, label: str, text: str) -> str: ...
    def document(self, name: str, text: str) -> str: ...
    def citation(self, keys: list[str], textual: bool) -> str: ...
    def link(self, text: str, target: str, image: bool) -> str: ...
    def note(self, name: str) -> str: ...


def inline(text: str, refs: References) -> str:
    """Return ``text`` (lines of paragraphs, lists, quotations and tables) as Markdown."""
    done: list[str] = []
    at = 0
    while at < len(text):
        found = _ATOM.search(text, at)
        if not found:
            break
        done.append(text[at : found.start()])
        at = found.end()
        if found["role"]:
            shown = _role(found["role"], found["rbody"], refs)
            if shown.startswith("（"):
                # Full-width brackets bring their own space.
                done.append(done.pop().rstrip(" "))
                at += len(text) - at - len(text[at:].lstrip(" ")) if text[at : at + 1] == " " else 0
            done.append(shown)
        elif found["open"]:
            shown, at = _bracket(text, found, refs)
            done.append(shown)
        elif found["note"]:
            done.append(refs.note(found["note"]))
        elif found["tag"] and found["tag"].startswith(("<project:", "<path:", "<inv:")):
            done.append(refs.link("", found["tag"][1:-1], False))
        else:
            done.append(found[0])
            if found["code"] and (attributes := _ATTRIBUTES.match(text, at)):
                at = attributes.end()
    return "".join(done) + text[at:]


def _bracket(text: str, found: re.Match, refs: References) -> tuple[str, int]:
    """Return what ``[…](…){…}`` or ``[…]{…}`` becomes and where it ends; a bracket that is neither stays."""
    close = _closing(text, found.end())
    if close is None:
        return found[0], found.end()
    inner, at = text[found.end() : close], close + 1
    image = found["open"] == "!["
    if text[at : at + 1] == "(" and (end := _destination(text, at)):
        target, _, title = text[at + 1 : end].strip().partition(" ")
        shown = refs.link(inner if image else inline(inner, refs), target.strip("<>"), image)
        if title.strip() and shown.endswith(")"):
            shown = f"{shown[:-1]} {title.strip()})"
        at = end + 1
    elif _ATTRIBUTES.match(text, at) and not image:
        shown = inline(inner, refs)
    else:
        return found["open"] + inline(inner, refs) + "]", at
    if attributes := _ATTRIBUTES.match(text, at):
        at = attributes.end()
        if anchor := re.search(r"#([\w-]+)", attributes[0]):
            shown = f'<a id="{anchor[1]}"></a>{shown}'
    return shown, at


def _closing(text: str, at: int) -> int | None:
    depth = 0
    while at < len(text):
        atom = _ATOM.match(text, at)
        if atom and not atom["open"]:
            at = atom.end()
            continue
        if text[at] == "[":
            depth += 1
        elif text[at] == "]":
            if not depth:
                return at
            depth -= 1
        at += 1
    return None


def _destination(text: str, at: int) -> int | None:
    """Return the place of the bracket that closes the one at ``at``, on the same line."""
    depth = 0
    for place in range(at, len(text)):
        if text[place] == "\n":
            return None
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place
    return None


def _role(name: str, body: str, refs: References) -> str:
    named = _NAMED.match(body)
    text, target = (named["text"], named["target"]) if named else ("", body.strip())
    if name in ("eq", "math:numref"):
        return refs.equation(target)
    if name == "numref":
        return refs.figure(target, text)
    if name == "ref":
        return refs.section(target, text)
    if name == "doc":
        return refs.document(target, text)
    if name == "term":
        return text or target
    if name == "cite" or name.startswith("cite:"):
        return refs.citation([key.strip() for key in body.split(",")], name.startswith("cite:t"))
    if name == "math":
        return f"${body}$"
    if name in ("strong", "emphasis"):
        mark = "**" if name == "strong" else "*"
        return f"{mark}{body}{mark}"
    if name in _MARKS:
        mark = _MARKS[name]
        return f"<{mark}>{body}</{mark}>" if mark else re.sub(r"\s*\(.*\)$", "", body)
    raise BookError(f"expected a role that has a plain form, got {{{name}}}`{body}`; write it as Markdown")
