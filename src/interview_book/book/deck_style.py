"""The deck's stylesheet for notebooks: the book's own rules, kept to the deck so that JupyterLab looks as before.

On the site the deck is styled by ``tokens.css`` and ``book.css``. A notebook has neither, so the parts that the deck
needs are taken from the same files, each selector is put below ``.deck-notebook``, and a width of the screen becomes a
width of the cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from interview_book.book import assets

SCOPE = ".deck-notebook"
SECTIONS = (
    "fonts", "ground", "prose", "code", "tables", "asides", "signs", "questions", "controls", "practice",
    "small screens", "preferences",
)  # fmt: skip
_STATIC = Path(__file__).with_name("static")
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_SECTION = re.compile(r"^/\* == ([^=:]+?)(?::[^=]*)? == \*/$", re.M)
_ROOT = re.compile(r"^(?:html|body|:root)(?![\w-])")
# What no notebook has: a print of the page, a theme chosen in its header.
_DROPPED = re.compile(r"^@page|^@media print|\[data-theme|^html:root")
# What only a page of the book has, unless a list of alternatives names it among others.
_PAGE_ONLY = re.compile(
    r"[.#](?:bd-(?!article)|pst-|sbt-|passage|headerlink|is-|hero|footnote|sources|claim-|verdict|fig\b|term|steps?\b"
    r"|prev-|brand|tool\b|tool-|doors|twin|pair\b|skip-|cell|highlight|admonition|copybtn|header-|deck-|radical|both\b)"
)
_ALTERNATIVES = re.compile(r":(?:is|not|has|where)\([^()]*\)")

_OWN = f"""
{SCOPE} {{ color-scheme: light; container: deck / inline-size; max-width: 46rem; margin: .5rem 0; border: 1px solid var(--line-strong); border-radius: var(--r2); }}
:is([data-jp-theme-light="false"], .vscode-dark, [theme="dark"]) {SCOPE} {{ color-scheme: dark; }}
{SCOPE} > .bd-article {{ padding: clamp(1rem, 4cqi, 2rem); }}
{SCOPE} .progress {{ background: none; }} /* JupyterLab has a class of this name */
{SCOPE} .katex-html {{ display: none; }}
{SCOPE} math {{ font-size: 1.08em; }}
"""  # noqa: E501


def sheet(root: Path) -> str:
    """Return the stylesheet, minified; ``root`` is the folder with the front-end tools."""
    book = sections((_STATIC / "book.css").read_text(encoding="utf-8"))
    missing = [name for name in SECTIONS if name not in book]
    if missing:
        raise AssertionError(f"book.css has no section {', '.join(missing)}: name it as it is called there")
    text = (_STATIC / "tokens.css").read_text(encoding="utf-8") + "".join(book[name] for name in SECTIONS)
    return assets.minified({"deck.css": scoped(text) + _OWN}, root)["deck.css"]


def sections(text: str) -> dict[str, str]:
    """Return the parts of a stylesheet by the names in ``/* == name == */``; a note after a colon is no part of one."""
    found = list(_SECTION.finditer(text))
    ends = [one.start() for one in found[1:]] + [len(text)]
    return {one[1].strip(): text[one.end() : end] for one, end in zip(found, ends, strict=True)}


def scoped(text: str) -> str:
    """Return a stylesheet whose rules reach nothing outside of ``.deck-notebook``."""
    return "\n".join(_kept(_COMMENT.sub("", text)))


def _kept(text: str) -> Iterator[str]:
    for head, body in _rules(text):
        if _DROPPED.search(head):
            continue
        if head.startswith(("@font-face", "@keyframes")):
            yield f"{head} {{{body}}}"
        elif head.startswith("@"):
            inner = "\n".join(_kept(body))
            yield f"{_cell_wide(head)} {{\n{inner}\n}}"
        else:
            kept = [_below(one) for one in _split(head) if not _PAGE_ONLY.search(_ALTERNATIVES.sub("", one))]
            if kept:
                yield f"{', '.join(kept)} {{{body}}}"


def _cell_wide(head: str) -> str:
    """A condition on the width of the screen, as one on the width of the deck."""
    width = re.fullmatch(r"@media (\((?:max|min)-width: \d+px\))", head)
    return f"@container deck {width[1]}" if width else head


def _below(selector: str) -> str:
    if _ROOT.match(selector):
        return _ROOT.sub(SCOPE, selector)
    return f"{SCOPE} {selector}"


def _rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each pair of outermost braces, and what stands in them."""
    at = 0
    while (opened := text.find("{", at)) >= 0:
        depth, end = 1, opened + 1
        while depth:
            found = re.compile(r'[{}]|"[^"]*"').search(text, end)
            if found is None:
                raise AssertionError(f"expected a closing brace behind {text[at:opened].strip()!r}, found none")
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            end = found.end()
        yield " ".join(text[at:opened].split()), text[opened + 1 : end - 1]
        at = end


def _split(selectors: str) -> Iterator[str]:
    """Yield the selectors of a list; the commas inside ``:is(…)`` part nothing."""
    depth = start = 0
    for at, sign in enumerate(selectors):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            yield selectors[start:at].strip()
            start = at + 1
    yield selectors[start:].strip()
