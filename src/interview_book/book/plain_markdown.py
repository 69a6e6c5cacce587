"""MyST blocks to Markdown that any notebook reader shows: labels, directives, numbered formulas, definitions, notes."""

from __future__ import annotations

import re
from typing import Protocol

from interview_book.book import plain_inline
from interview_book.book.errors import BookError
from interview_book.book.plain_inline import inline

_FENCE = re.compile(r"^(?P<lead>[ \t>]*)(?P<mark>`{3,}|~{3,}|:{3,})[ \t]*(?:\{(?P<name>[^}\s]+)\})?(?P<rest>.*)$")
_LABEL = re.compile(r"^[ \t]*\(([^()\s][^()\n]*)\)=[ \t]*$")
_ATTRIBUTES = re.compile(r"^[ \t]*\{\s*[.#%][^{}\n]*\}[ \t]*$")
_NUMBERED = re.compile(r"\$\$[ \t]*\(([^()\s]+)\)[ \t]*$")
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.*)$")
_DEFINITION = re.compile(r"^:[ \t]+(.*)$")
_OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")

# The heading of a box that has none of its own.
_BOXES = {
    "note": {"ja": "補足", "zh-Hant": "補充"},
    "tip": {"ja": "ヒント", "zh-Hant": "提示"},
    "hint": {"ja": "ヒント", "zh-Hant": "提示"},
    "important": {"ja": "重要", "zh-Hant": "重點"},
    "warning": {"ja": "警告", "zh-Hant": "警告"},
    "caution": {"ja": "注意", "zh-Hant": "注意"},
    "attention": {"ja": "注意", "zh-Hant": "注意"},
    "danger": {"ja": "危険", "zh-Hant": "危險"},
    "error": {"ja": "エラー", "zh-Hant": "錯誤"},
    "seealso": {"ja": "あわせて読む", "zh-Hant": "延伸閱讀"},
    **{name: {} for name in ("admonition", "dropdown", "topic", "sidebar", "margin")},
}
_QUOTES = {"epigraph", "pull-quote", "highlights"}
_CODE = {"code-block", "code", "sourcecode"}
_NOTHING = {"toctree", "contents", "index"}


class Book(plain_inline.References, Protocol):
    """What blocks need besides: the edition, and the blocks that the book fills in."""

    tag: str

    def number(self, label: str) -> int: ...
    def questions(self, slug: str) -> str: ...
    def terms(self) -> str: ...
    def practice(self) -> str: ...
    def sources(self) -> str: ...
    def contents(self) -> str: ...


def rewrite(text: str, book: Book) -> str:
    """Return MyST ``text`` as plain Markdown; raise ``BookError`` for syntax that has no plain form."""
    return _Blocks(text, book).done()


class _Blocks:
    def __init__(self, text: str, book: Book) -> None:
        self.lines = text.split("\n")
        self.book = book
        self.out: list[str] = []
        self.running: list[str] = []

    def done(self) -> str:
        at = 0
        while at < len(self.lines):
            at = self.block(at)
        self.flush()
        return re.sub(r"\A\n+|\n+\Z", "", "\n".join(self.out))

    def flush(self) -> None:
        if self.running:
            self.out.append(inline("\n".join(self.running), self.book))
            self.running = []

    def put(self, text: str) -> None:
        self.flush()
        self.out.append(text)

    def block(self, at: int) -> int:
        """Take the block that begins at line ``at``; return the line after it."""
        line = self.lines[at]
        if (fence := _FENCE.match(line)) and (fence["name"] or fence["mark"][0] != ":"):
            return self.fence(at, fence)
        if line.lstrip().startswith("$$"):
            return self.formula(at)
        if label := _LABEL.match(line):
            self.put(f'<a id="{label[1]}"></a>\n')
        elif _ATTRIBUTES.match(line):
            if anchor := re.search(r"#([\w-]+)", line):
                self.put(f'<a id="{anchor[1]}"></a>\n')
        elif line.startswith(("%", "+++")):
            pass
        elif note := _NOTE.match(line):
            self.put(f"{self.book.note(note[1])} {inline(note[2], self.book)}")
        elif self.running and self.running[-1].strip() and (meaning := _DEFINITION.match(line)):
            word = self.running.pop().strip()
            self.put(f"**{inline(word, self.book)}**\n")
            self.running.append(f"> {meaning[1]}")
        else:
            self.running.append(line)
        return at + 1

    def formula(self, at: int) -> int:
        end = at
        if "$$" not in self.lines[at].lstrip()[2:]:
            end = next((n for n in range(at + 1, len(self.lines)) if "$$" in self.lines[n]), None)
            if end is None:
                raise BookError(f"expected $$ that closes the formula {self.lines[at].strip()!r}, found none; add it")
        text = "\n".join(self.lines[at : end + 1])
        if numbered := _NUMBERED.search(text):
            name = numbered[1]
            body = text[: numbered.start()].strip().removeprefix("$$").strip()
            self.put(f'<a id="{name}"></a>\n\n$$\n{body} \\tag{{{self.book.number(name)}}}\n$$')
        elif "$$" in text.lstrip()[2:] and text.rstrip().endswith("$$"):
            self.put(text)
        else:
            self.running += self.lines[at : end + 1]
        return end + 1

    def fence(self, at: int, fence: re.Match) -> int:
        mark, lead = fence["mark"], fence["lead"]
        closing = re.compile(rf"^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        end = next((n for n in range(at + 1, len(self.lines)) if closing.match(self.lines[n])), len(self.lines))
        if not fence["name"]:
            self.put("\n".join(self.lines[at : end + 1]))
            return end + 1
        body = [_without(lead, line) for line in self.lines[at + 1 : end]]
        text = directive(fence["name"], fence["rest"].strip(), body, self.book)
        self.put("\n".join((lead + line).rstrip() for line in text.split("\n")))
        return end + 1


def _without(lead: str, line: str) -> str:
    return line[len(lead) :] if line.startswith(lead) else line.lstrip(" \t>")


def directive(name: str, argument: str, lines: list[str], book: Book) -> str:
    """Return what one directive becomes."""
    options, lines = _options(lines)
    body = "\n".join(lines)
    if name in _BOXES:
        title = argument or _BOXES[name].get(book.tag, "")
        text = rewrite(body, book)
        return _quoted(f"**{inline(title, book)}**\n\n{text}" if title else text)
    if name in _QUOTES:
        return _quoted(rewrite(body, book))
    if name == "questions":
        return rewrite(book.questions(argument), book)
    if name == "terms":
        return book.terms()
    if name == "practice":
        return rewrite(book.practice(), book)
    if name == "bibliography":
        return book.sources()
    if name == "tableofcontents":
        return book.contents()
    if name == "math":
        tag = f" \\tag{{{book.number(options['label'])}}}" if "label" in options else ""
        return f"$$\n{(argument + chr(10) + body).strip()}{tag}\n$$"
    if name in _CODE:
        return f"```{argument}\n{body}\n```"
    if name in _NOTHING:
        return ""
    raise BookError(f"expected a directive that has a plain form, got {{{name}}}; write it as Markdown")


def _options(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    options = {}
    rest = list(lines)
    if rest and rest[0].strip() == "---" and "---" in [line.strip() for line in rest[1:]]:
        end = [line.strip() for line in rest].index("---", 1)
        options = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in rest[1:end])}
        return options, rest[end + 1 :]
    while rest and (option := _OPTION.match(rest[0])):
        options[option[1]] = option[2]
        rest.pop(0)
    return options, rest


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
