"""Parallel reading: each page's halves in the other language, as one classic script that the page loads on first use.

Written after both editions are built, from what the reader of the other edition sees. The halves bring no id, no number
and no footnote of their own: nothing on the page is doubled, and search never sees them.
"""

from __future__ import annotations

import json
import posixpath
import re
from copy import deepcopy
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from bs4 import BeautifulSoup, Tag

from interview_book.book.errors import BookError
from interview_book.book.languages import LANGUAGES, Language, other
from interview_book.book.trimmed import elements, without_cells, without_questions

# What both languages share on the page, or what would act twice.
_SHARED = {
    "classes": frozenset({"passage-link", "headerlink", "question", "book-widget", "widget", "other", "cell"}),
    "names": frozenset({"script", "style", "template", "button"}),
}
# Attributes that name an id, or group controls by name, across the whole page.
_TIES = ("id", "for", "name", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-details")
_HEADING = re.compile(r"h[1-6]$")
_ID = re.compile(r'<[a-z][^<>]*?\sid="([^"]*)"')


@dataclass
class Built:
    """One built page: its article and the ids one can link to."""

    soup: BeautifulSoup
    ids: set[str] = field(default_factory=set)


class Edition:
    """The pages of one built edition, each parsed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pages: dict[str, Built] = {}

    def names(self) -> list[str]:
        """Return the documents that have an address in both the folder and the reader's eyes, without ``.html``."""
        skipped = {"_static", "_sources", "_images", "_downloads", "pagefind"}
        paths = (path.relative_to(self.folder) for path in self.folder.rglob("*.html"))
        return sorted(path.with_suffix("").as_posix() for path in paths if skipped.isdisjoint(path.parts))

    def page(self, name: str) -> Built:
        if name not in self._pages:
            html = (self.folder / f"{name}.html").read_text(encoding="utf-8")
            # Neither has a half to show; but links may lead into them.
            soup = BeautifulSoup(without_questions(without_cells(html)), "html.parser")
            self._pages[name] = Built(soup, {unescape(one) for one in _ID.findall(html)})
        return self._pages[name]

    def has(self, name: str, fragment: str) -> bool:
        """Whether ``name.html#fragment`` leads somewhere here."""
        if not (self.folder / f"{name}.html").is_file():
            return False
        return not fragment or fragment in self.page(name).ids


def _mend_link(link: Tag, name: str, own: Edition) -> None:
    """Keep a link that leads to the same place in the reader's own edition; make any other plain text."""
    href = str(link["href"])
    parts = urlsplit(href)
    if parts.scheme in ("http", "https", "mailto"):
        return
    if parts.scheme or parts.netloc or parts.path.startswith("/"):
        del link["href"]
    else:
        path = unquote(parts.path) or f"{posixpath.basename(name)}.html"
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        if not target.endswith(".html") or not own.has(target.removesuffix(".html"), unquote(parts.fragment)):
            del link["href"]
    if not link.has_attr("href"):
        link.name = "span"
        link.attrs = {key: value for key, value in link.attrs.items() if key in ("class", "lang")}


def _mend_image(image: Tag, name: str, own: Edition, source: Edition) -> None:
    """Point an image at the file of the edition it comes from, when this one has none of that name."""
    src = str(image["src"])
    if urlsplit(src).scheme or src.startswith("/"):
        return
    here = posixpath.dirname(name)
    target = posixpath.normpath(posixpath.join(here, unquote(src)))
    if not (own.folder / target).is_file():
        image["src"] = quote(posixpath.relpath(posixpath.join("..", source.folder.name, target), here or "."))


def _clean(element: Tag, name: str, own: Edition, source: Edition) -> str:
    """Return the inner HTML of a passage or heading, fit to stand on another page; empty when it says nothing."""
    copy = deepcopy(element)
    for shared in elements(copy, **_SHARED):
        shared.decompose()
    for one in copy.find_all(True):
        for tie in _TIES:
            del one[tie]
    for link in copy.find_all("a"):
        if link.has_attr("href"):
            _mend_link(link, name, own)
    for image in copy.find_all("img", src=True):
        _mend_image(image, name, own, source)
    if not copy.get_text(strip=True) and copy.find("img") is None:
        return ""
    return copy.decode_contents(formatter="minimal").strip()


def halves(name: str, own: Edition, source: Edition, language: Language) -> dict[str, object]:
    """Return what page ``name`` of ``own`` shows from ``source``: ``lang``, ``passages`` and ``titles`` (id → HTML).

    Only places that the page itself has are kept.
    """
    ids = own.page(name).ids
    soup = source.page(name).soup
    article = soup.select_one("article.bd-article") or soup.find("article") or soup
    passages, titles = {}, {}
    for passage in elements(article, classes={"passage"}):
        key = str(passage.get("id", ""))
        if key in ids and (html := _clean(passage, name, own, source)):
            passages[key] = html
    for section in elements(article, names={"section"}):
        key = str(section.get("id", ""))
        if key in ids and section.find_parent(class_="block") is None:
            heading = section.find(_HEADING, recursive=False)
            if heading is not None and (html := _clean(heading, name, own, source)):
                titles[key] = html
    return {"lang": language.tag, "passages": passages, "titles": titles}


def script(name: str, value: dict[str, object]) -> str:
    """Return the classic script that holds a page's halves."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"(window.bookParallel??={{}})[{json.dumps(name)}]={data};\n"


def write_parallel(site: Path) -> None:
    """Write ``<edition>/_static/parallel/<page>.js`` for every page that both editions of a built site have.

    Raises
    ------
    BookError
        When an edition is missing.
    """
    editions = {tag: Edition(site / tag) for tag in LANGUAGES}
    for tag, edition in editions.items():
        if not edition.folder.is_dir():
            raise BookError(
                f"parallel reading needs both editions: expected {edition.folder}, it is missing. Build {tag} first."
            )
    shared = set.intersection(*(set(edition.names()) for edition in editions.values()))
    for tag, edition in editions.items():
        language = other(tag)
        for name in sorted(shared):
            value = halves(name, edition, editions[language.tag], language)
            if value["passages"] or value["titles"]:
                path = edition.folder / "_static" / "parallel" / f"{name}.js"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(script(name, value), encoding="utf-8")
