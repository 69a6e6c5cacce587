"""Search of an edition: Pagefind's index, the text for what it misses, and the bridge from a reader's words to ours.

Pagefind gets a page as :mod:`pagetext` reads it: one element with an id for every passage, so that a hit is a passage.
"""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from interview_book.book.errors import BookError
from interview_book.book.languages import LANGUAGES, language
from interview_book.book.pagetext import EXCLUDED, Page, Segment, read
from interview_book.practice.strict_yaml import parse

TEXT = Path("_static", "search-text.js")
_LARGEST_ANSWER = 2**30
_ASSIGNED, _END = "window.bookText=", ";\n"
# Folders and pages of a built edition that hold no article of ours.
_SKIPPED = frozenset({"_static", "_sources", "_images", "pagefind", "_downloads"})
_NO_ARTICLE = frozenset({"genindex.html", "search.html", "404.html"})
# Pagefind's own interfaces (400 KB); the book has its own dialog.
_UNUSED = ("pagefind-ui.*", "pagefind-modular-ui.*", "pagefind-component-ui.*", "pagefind-highlight.js")


def pages(folder: Path) -> list[Page]:
    """Read every article of a built edition, in the order of their addresses."""
    found = []
    for path in sorted(folder.rglob("*.html")):
        relative = path.relative_to(folder)
        if _SKIPPED.isdisjoint(relative.parts[:-1]) and relative.name not in _NO_ARTICLE:
            page = read(path.read_text(encoding="utf-8"), relative.as_posix())
            if page is not None:
                found.append(page)
    return found


def record(page: Page, html_language: str) -> str:
    """Return a page as Pagefind is to see it: each segment one element whose id is the place it leads to.

    Two segments may lead to one place; from the second on the id ends in ``~2``, ``~3`` (the client takes that off).
    """
    seen: Counter[str] = Counter()
    lines = []
    if not any(one.kind == "head" and one.text == page.title for one in page.segments):
        # Pagefind takes the title from an h1; this one is a name only, not text to find.
        lines.append(f'<h1 data-pagefind-meta="title" data-pagefind-ignore>{escape(page.title)}</h1>')
    for one in page.segments:
        seen[one.anchor] += 1
        count = seen[one.anchor]
        anchor = escape(one.anchor if count == 1 and one.anchor else f"{one.anchor}~{count}")
        tag = {"text": "p", "code": "pre", "head": "h1" if one.text == page.title else "h2"}[one.kind]
        lines.append(f'<{tag} id="{anchor}">{escape(one.text)}</{tag}>')
    body = "\n".join(lines)
    head = f'<meta charset="utf-8"><title>{escape(page.title)}</title>'
    article = f"<article>\n{body}\n</article>"
    return f'<!doctype html><html lang="{html_language}"><head>{head}</head><body>{article}</body></html>'


class _Asyncio:
    """asyncio as Pagefind's client sees it: that one sleeps 0.1 s before each answer, and chokes on one of 2 MiB."""

    @staticmethod
    async def sleep(_seconds: float) -> None:
        await asyncio.sleep(0)

    @staticmethod
    async def create_subprocess_exec(*command, **options):
        return await asyncio.create_subprocess_exec(*command, **{**options, "limit": _LARGEST_ANSWER})

    def __getattr__(self, name: str):
        return getattr(asyncio, name)


async def _write(editions: Mapping[str, Path]) -> None:
    from pagefind import service
    from pagefind.index import IndexConfig

    service.asyncio = _Asyncio()
    async with service.PagefindService() as pagefind:
        for tag, folder in editions.items():
            html_language = language(tag).html
            one = await pagefind.create_index(IndexConfig(root_selector="article", exclude_selectors=list(EXCLUDED)))
            for page in _pages_of_script((folder / TEXT).read_text(encoding="utf-8")):
                await one.add_html_file(content=record(page, html_language), url=page.url)
            # Not write_files: that answers before all is on the disk, and ending Pagefind then cuts a file short.
            for file in await one.get_files():
                path = folder / "pagefind" / file["path"]
                if not any(path.match(pattern) for pattern in _UNUSED):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(file["content"])


def text_script(found: Iterable[Page]) -> str:
    """Return the classic script with the text of an edition, for ``file://`` and for what Pagefind misses."""
    packed = [
        [page.url, page.title, [[one.anchor, one.section, one.text, one.kind] for one in page.segments]]
        for page in found
    ]
    return f"{_ASSIGNED}{json.dumps(packed, ensure_ascii=False, separators=(',', ':'))}{_END}"


def _pages_of_script(script: str) -> list[Page]:
    packed = json.loads(script.removeprefix(_ASSIGNED).removesuffix(_END))
    return [Page(url, title, [Segment(*one) for one in segments]) for url, title, segments in packed]


def write_text(folder: Path) -> None:
    """Write what the articles of a built edition say to ``folder/_static/search-text.js``.

    Raises
    ------
    BookError
        When the folder holds no article.
    """
    found = pages(folder)
    if not found:
        raise BookError(f"nothing to index: expected pages with an article in {folder}, found none. Build it first.")
    (folder / TEXT).parent.mkdir(exist_ok=True)
    (folder / TEXT).write_text(text_script(found), encoding="utf-8")


def index(editions: Mapping[str, Path]) -> None:
    """Index the text that was written of each edition, by tag: ``folder/pagefind/``.

    Call it where no event loop runs. One Pagefind does all: loading its Japanese takes longer than indexing a book.

    Raises
    ------
    BookError
        When Pagefind fails.
    """
    try:
        asyncio.run(_write(editions))
    except (OSError, RuntimeError, AssertionError) as error:
        raise BookError(
            f"Pagefind could not index {', '.join(map(str, editions.values()))}: {error}. Expected the package "
            f"pagefind[extended]; run `make setup`."
        ) from error


def _strings(value: Any, tag: str | None = None) -> Iterator[tuple[str | None, str]]:
    """Yield every string of a data file with the edition whose key it stands under, if any."""
    if isinstance(value, str):
        yield tag, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _strings(one, key if key in LANGUAGES else tag)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one, tag)


def _texts(root: Path) -> dict[str, str]:
    """Return all the text of each edition: passages, questions and terms."""
    parts: dict[str, list[str]] = {tag: [] for tag in LANGUAGES}
    for path in sorted((root / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8")).get("cells", []):
            tags = cell.get("metadata", {}).get("tags", [])
            source = cell.get("source", "")
            for tag in LANGUAGES:
                if f"lang-{tag}" in tags:
                    parts[tag].append(source if isinstance(source, str) else "".join(source))
            for tag, text in _strings(cell.get("metadata", {})):
                if tag:
                    parts[tag].append(text)
    for path in sorted((root / "chapters").glob("*.yml")):
        for tag, text in _strings(parse(path.read_text(encoding="utf-8"))):
            if tag:
                parts[tag].append(text)
    return {tag: "\n".join(texts) for tag, texts in parts.items()}


def characters(text: str, tag: str) -> dict[str, str]:
    """Return what a character typed in another script stands for in this text, likeliest first.

    In Chinese the Simplified and Japanese forms of a character lead to the Traditional one (``缩`` → ``縮``, ``変`` →
    ``變``), in Japanese the Traditional and Simplified ones to the Japanese (``變`` → ``変``). A character that the
    text itself has keeps its meaning first (``系`` → ``系係``).
    """
    from opencc import OpenCC

    counts = Counter(character for character in text if "\u3400" <= character <= "\u9fff")
    abroad = OpenCC("jp2t" if tag == "ja" else "t2jp")
    simplify = OpenCC("t2s")
    leads: dict[str, list[str]] = {}
    for own, _ in counts.most_common():
        foreign = abroad.convert(own)
        for typed in {foreign, simplify.convert(own), simplify.convert(foreign)}:
            if typed != own and len(typed) == 1:
                leads.setdefault(typed, []).append(own)
    return {typed: (typed if typed in counts else "") + "".join(owns) for typed, owns in sorted(leads.items())}


_SIGN = re.compile(r"[A-Za-z]+[₀-₉ₐ-ₜᵢ-ᵪⱼ²³¹⁰-⁹ⁿᵀ]+")


def signs(text: str) -> dict[str, str]:
    """Return the symbols of a text by what a keyboard can type: ``dk`` → ``dₖ``."""
    found = Counter(_SIGN.findall(text))
    return {
        unicodedata.normalize("NFKC", sign).lower(): sign
        # The commonest last, so that it wins.
        for sign, _ in sorted(found.items(), key=lambda item: (item[1], item[0]))
    }


def _listed(value: Any) -> list[str]:
    return list(dict.fromkeys(text.strip() for _, text in _strings(value) if text.strip()))


def terms(entries: Iterable[dict[str, Any]]) -> list[list[list[str]]]:
    """Return each term's forms: Japanese, Chinese, and those of neither (English, readings, spellings we do not write).

    A spelling that the book forbids (方差) is one that readers type.
    """
    table = []
    for entry in entries:
        aliases = entry.get("aliases") or {}
        ja = _listed([entry.get("ja"), entry.get("ja_said"), aliases.get("ja")])
        zh = _listed([entry.get("zh-Hant"), entry.get("zh_said"), aliases.get("zh-Hant")])
        unwritten = [list(one) for one in (entry.get("forbidden") or {}).values()]
        more = _listed([entry.get("en"), entry.get("kana"), aliases.get("en"), unwritten])
        rest = [one for one in more if one not in (*ja, *zh)]
        table.append([ja, zh, rest])
    return table


def bridge(root: Path) -> str:
    """Return the classic script ``bridge.js``: how queries are respelt and translated, by the book's text and terms."""
    texts = _texts(root)
    glossary = root / "chapters" / "terms.yml"
    data = parse(glossary.read_text(encoding="utf-8")) if glossary.is_file() else []
    entries = data.get("terms", []) if isinstance(data, dict) else data or []
    value = {
        "characters": {tag: characters(text, tag) for tag, text in texts.items()},
        "signs": signs("\n".join(texts.values())),
        "terms": terms(entries),
    }
    return f"window.bookBridge={json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n"
