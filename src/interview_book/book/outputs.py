"""Code cells and what they print: short code, and outputs that carry no language, or both."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from interview_book.book.findings import Finding
from interview_book.book.languages import LANGUAGES
from interview_book.book.notebooks import joined, ours, source
from interview_book.book.scripts import script_findings
from interview_book.book.spans import HAN, KANA

MOST_LINES = 15
_CJK = re.compile(f"[{HAN}{KANA}]")
_ADDRESS = re.compile(r"\bobject at 0x[0-9a-fA-F]+|\b0x[0-9a-f]{8,}\b|\bat 0x[0-9a-fA-F]+")
_PATH = re.compile(
    r"(?<![\w/.])/(?:tmp|home|root|Users|usr|opt|var|mnt|private)/|\b[A-Z]:\\\\?\w|site-packages|ipykernel_\d+"
)
_VIEW = "application/vnd.jupyter.widget-view+json"
_RUN = "run `make run`"
_SAID = ("alt", "title", "aria-label", "placeholder")
_VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))


class _Texts(HTMLParser):
    """Every text of an HTML output with the language of the nearest element that names one."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[tuple[str, str | None]] = []
        self.texts: list[tuple[str | None, str]] = []
        self.languages: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        lang = given.get("lang") or (self.stack[-1][1] if self.stack else None)
        if given.get("lang"):
            self.languages.append(str(given["lang"]))
        self.texts += [(lang, str(given[name])) for name in _SAID if given.get(name)]
        if tag not in _VOID:
            self.stack.append((tag, lang))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self.stack) - 1, -1, -1):
            if self.stack[depth][0] == tag:
                del self.stack[depth:]
                return

    def handle_data(self, data: str) -> None:
        if not any(tag in ("script", "style", "template") for tag, _ in self.stack):
            self.texts.append((self.stack[-1][1] if self.stack else None, data))


def html_findings(html: str) -> list[Finding]:
    """What is wrong with the languages of an HTML output."""
    reader = _Texts()
    reader.feed(html)
    reader.close()
    found = []
    for lang in dict.fromkeys(reader.languages):
        if lang not in LANGUAGES:
            message = f"expected lang of {', '.join(LANGUAGES)} in an HTML output, found {lang!r}"
            found.append(Finding("unknown-language", message, "mend the lang attribute"))
    for lang, text in reader.texts:
        if lang is None and _CJK.search(text):
            message = f"expected Han and kana inside elements with lang, found «{text.strip()[:20]}» outside of one"
            found.append(Finding("output-language", message, 'put it in lang="ja" and lang="zh-Hant" elements'))
        elif lang in LANGUAGES:
            found += script_findings(text, lang)
    for tag, one in LANGUAGES.items():
        if reader.languages and tag not in reader.languages:
            message = f"expected an HTML output in both languages, found none in {one.name}"
            found.append(Finding("output-language", message, f'add elements with lang="{tag}"'))
    return found


def _plain(text: str, what: str) -> list[Finding]:
    found = []
    if cjk := _CJK.search(text):
        line = next(one for one in text.splitlines() if cjk[0] in one)
        message = f"expected {what} of symbols, numbers and identifiers, found «{line.strip()[:24]}»"
        found.append(Finding("output-language", message, "print names and numbers, or HTML with lang elements"))
    return found


def _machine(text: str) -> list[Finding]:
    found = []
    if address := _ADDRESS.search(text):
        message = f"expected no object address in an output, found {address[0]!r}"
        found.append(Finding("output-address", message, "print the value, or end the line with ;"))
    if path := _PATH.search(text):
        message = f"expected no path of this machine in an output, found {path[0]!r}"
        found.append(Finding("output-path", message, "do not print paths"))
    return found


def _output(output: Mapping[str, Any], has_figure: bool) -> list[Finding]:
    kind = output.get("output_type")
    if kind == "error":
        message = f"expected no committed error, found {output.get('ename')}: {output.get('evalue')}"
        return [Finding("error-output", message, "mend the cell and run the notebook again")]
    if kind == "stream":
        text = joined(output.get("text"))
        if output.get("name") == "stderr":
            message = f"expected no stderr output, found «{text.strip()[:60]}»"
            return [Finding("stderr-output", message, "mend what warns")]
        return [*_plain(text, "printed text"), *_machine(text)]
    data = output.get("data") or {}
    found = []
    if _VIEW in data:
        message = "expected a widget as its HTML only, found a widget view"
        found.append(Finding("widget-view", message, _RUN))
    if "image/png" in data or "image/jpeg" in data:
        message = "expected figures as SVG, found a bitmap"
        found.append(Finding("figure-format", message, "return a Figure of interview_book.figures"))
    if "image/svg+xml" in data:
        svg = joined(data["image/svg+xml"])
        found += _plain(re.sub(r"<[^>]*>", " ", svg), "labels in a figure")
        if not has_figure:
            message = "expected metadata.book.figure (name, caption, alt) for a figure, found none"
            found.append(Finding("figure-metadata", message, "write it, in both languages"))
    if "text/html" in data:
        html = joined(data["text/html"])
        found += [*html_findings(html), *_machine(re.sub(r"<script.*?</script>", " ", html, flags=re.S))]
    for mime in ("text/plain", "text/latex", "text/markdown"):
        if mime in data and not (mime == "text/plain" and len(data) > 1 and _VIEW in data):
            text = joined(data[mime])
            found += [*_plain(text, f"{mime} output"), *_machine(text)]
    return found


def code_findings(cell: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with the code and the committed outputs of one code cell."""
    text = source(cell).strip("\n")
    lines = text.count("\n") + 1 if text else 0
    found = []
    if not text:
        found.append(Finding("empty-cell", "expected code, found an empty cell", "remove the cell"))
    if lines > MOST_LINES:
        message = f"expected at most {MOST_LINES} lines in a code cell, found {lines}"
        found.append(Finding("long-cell", message, "split it, or move helpers into the package"))
    if cjk := _CJK.search(text):
        line = next(one for one in text.splitlines() if cjk[0] in one)
        message = f"expected code without Han or kana, which both editions show, found «{line.strip()[:30]}»"
        found.append(Finding("code-language", message, "move the words into the passage before or behind"))
    if magic := re.search(r"^\s*[%!]\S*", text, re.M):
        message = f"expected plain Python, found {magic[0].strip()!r}"
        found.append(Finding("code-magic", message, "remove the magic or shell line"))
    for output in cell.get("outputs") or []:
        found += _output(output, "figure" in ours(cell))
    return list(dict.fromkeys(found))
