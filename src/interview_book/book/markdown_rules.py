"""Rules of Markdown: emphasis that closes, one line a paragraph, formulas without Han, titles without TeX."""

from __future__ import annotations

import re

from interview_book.book.findings import Finding
from interview_book.book.spans import HAN, KANA, cut, maths, near

# The inner edges at which CommonMark does not let ** open or close beside Han: punctuation, code, a formula.
_EDGE_END, _EDGE_OPEN = "。、，！？：；」』）】》〉!?:;)]}$`.,…", "「『（【《〈([{$`"
_BOLD = re.compile(r"\*\*(?!\s)([^*\n]+?)\*\*")
_CJK_INSIDE = rf"[^*_\n]*[{HAN}{KANA}][^*_\n]*"
_ITALIC = re.compile(
    rf"(?<!\*)\*(?![*\s]){_CJK_INSIDE}(?<!\s)\*(?!\*)|(?<![_\w])_(?![_\s]){_CJK_INSIDE}(?<!\s)_(?![_\w])"
)
_CJK = re.compile(f"[{HAN}{KANA}，。、：；（）「」]")
_HEADING = re.compile(r"^(?P<level>#{1,6})[ \t]+(?P<title>.*?)[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,}|:{3,})(?P<rest>.*)$")
# A line that is not the middle of a paragraph: it starts a block, or is one for the machine.
_OWN_LINE = re.compile(r"^\s*(?:[-*+] |\d+[.)] |#{1,6} |\||<|\(|\{[.#]|\$\$|:|\[\^|%|\+\+\+|-{3,}$)")
_TEX = re.compile(r"\$|\\[A-Za-z]+|[_^]\{")


def outside_fences(source: str) -> list[str]:
    """The lines of a source, the body and frame of each fence blank (one empty line for each)."""
    found, mark = [], ""
    for line in source.split("\n"):
        fence = _FENCE.match(line)
        if mark:
            found.append("")
            if fence and fence["mark"].startswith(mark) and not fence["rest"].strip():
                mark = ""
        elif fence:
            mark = fence["mark"]
            found.append("")
        else:
            found.append(line)
    return found


def headings(source: str) -> list[tuple[int, str]]:
    """The Markdown headings of a source as (level, title)."""
    matches = (_HEADING.match(line) for line in outside_fences(source))
    return [(len(match["level"]), match["title"]) for match in matches if match]


def _prose_lines(source: str) -> list[str]:
    """The lines that hold prose, those inside admonitions too, with code and formulas as written."""
    found, stack = [], []
    for line in source.split("\n"):
        fence = _FENCE.match(line)
        if fence and stack and fence["mark"].startswith(stack[-1][0]) and not fence["rest"].strip():
            stack.pop()
        elif fence and not (stack and not stack[-1][1]):
            stack.append((fence["mark"], fence["rest"].strip().startswith("{")))
        elif not stack or stack[-1][1]:
            found.append(line)
    return found


def paragraphs(source: str) -> int:
    """How many paragraphs a passage has; a list, a table or a quotation is one, and so is each inside an admonition."""
    machine = re.compile(r"^\s*(?:\([^()]*\)=|\{[.#][^}]*\}|:[\w-]+:.*)\s*$")
    text = "\n".join("" if machine.match(line) else line for line in _prose_lines(source))
    return len([chunk for chunk in re.split(r"\n\s*\n", text) if chunk.strip()])


def _emphasis(source: str) -> list[Finding]:
    found = []
    for line in _prose_lines(source):
        bare = re.sub(r"`[^`]*`|\$[^$]*\$", lambda match: match[0][0] + "x" * (len(match[0]) - 2) + match[0][-1], line)
        for match in _BOLD.finditer(bare):
            inner = match[1]
            if inner[0] in _EDGE_OPEN or inner[-1] in _EDGE_END:
                found.append(
                    Finding(
                        "bold-edge",
                        f"expected bold whose edges are letters, found «{line[match.start() : match.end()]}»",
                        "put punctuation, code and formulas outside of **…**",
                    )
                )
        if bare.count("**") % 2:
            message = f"expected ** in pairs, found {bare.count('**')} in «{line[:30]}»"
            found.append(Finding("bold-unclosed", message, "close the bold text or remove the marks"))
        for match in _ITALIC.finditer(bare):
            message = f"expected no italics on Han or kana, found «{match[0]}»"
            found.append(Finding("italics", message, "use 「」, bold, or nothing"))
    return found


def _soft_breaks(source: str) -> list[Finding]:
    found = []
    before = ""
    for line in _prose_lines(source):
        quoted = before.lstrip().startswith(">") and line.lstrip().startswith(">")
        pair = (before.lstrip(" >"), line.lstrip(" >")) if quoted else (before, line)
        joined_by_newline = (
            all(one.strip() for one in pair)
            and not _OWN_LINE.match(pair[1])
            and (quoted or not pair[1].lstrip().startswith(">"))
            and not re.match(r"^\s*(?:\(|\{[.#]|#|<|\$\$|:|%|\|)", pair[0])
            and not pair[0].endswith("\\")
        )
        if joined_by_newline:
            found.append(
                Finding(
                    "soft-break",
                    f"expected one source line a paragraph, found a line break before «{line.strip()[:16]}»",
                    "join the two lines; a browser shows the break as a gap",
                )
            )
        before = line
    return found


def _formulas(source: str) -> list[Finding]:
    found = []
    for tex, _ in maths(source):
        if cjk := _CJK.search(tex):
            message = f"expected no Han, kana or full-width signs in a formula, found {cjk[0]!r} in «${tex.strip()}$»"
            found.append(Finding("han-in-formula", message, "put the words outside of $…$"))
    for span in cut(source):
        if span.kind == "prose" and "$" in span.text:
            at = span.text.index("$")
            message = f"expected $ in pairs, found one alone near {near(span.text, at, at + 1)}"
            found.append(Finding("formula-unclosed", message, r"close the formula, or write \$ for the sign"))
            break
    return found


def title_findings(title: str) -> list[Finding]:
    """Raw TeX in a title, which the contents list and the browser's tab would show as typed."""
    if tex := _TEX.search(title):
        message = f"expected Unicode in a title (√dₖ), found {tex[0]!r} in «{title}»"
        return [Finding("tex-in-title", message, "write √dₖ, p(1 − p) or words")]
    return []


def markdown_findings(source: str) -> list[Finding]:
    """Every broken rule of Markdown in a passage's half."""
    found = [*_emphasis(source), *_soft_breaks(source), *_formulas(source)]
    for _, title in headings(source):
        found += title_findings(title)
    return list(dict.fromkeys(found))
