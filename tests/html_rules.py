"""What must not be in a built page: each rule takes a page and yields what breaks it. Loaded by test_html.py."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, NavigableString, Tag
from opencc import OpenCC

from interview_book.book.languages import LANGUAGES

# Formulas keep their source in an annotation that nobody sees; code and output are the notebook's, not prose.
UNSEEN = ("script", "style", "template", "annotation", "math", "noscript")
CODE = ("pre", "code", "kbd", "samp")
NAMED = ("title", "aria-label", "alt", "placeholder", "data-tooltip", "summary", "label")
HAN_OR_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass
class Page:
    """A page of the site: its address inside it, its edition (None: both), its tree."""

    path: str
    tag: str | None
    soup: BeautifulSoup
    site: Path

    @classmethod
    def of(cls, html: str, path: str = "ja/chapters/a.html", site: Path = Path("nowhere")) -> Page:
        return cls(
            path,
            next((tag for tag in LANGUAGES if path.startswith(f"{tag}/")), None),
            BeautifulSoup(html, "html.parser"),
            site,
        )

    def language(self, one) -> str:
        """The edition whose language an element is in; ``en`` or another tag where it is marked so."""
        around = [parent for parent in (one, *one.parents) if isinstance(parent, Tag)]
        if self.tag is None and (one.name == "button" or any(parent.name == "head" for parent in around)):
            return "both"
        marked = next((parent["lang"] for parent in around if parent.has_attr("lang")), "")
        return "zh-Hant" if marked.startswith("zh") else marked

    def texts(self, *, code: bool = False) -> list[tuple[str, str]]:
        """What is shown or said: (language, text) of every text node and naming attribute.

        On a page of both editions the head and the one button say everything twice and can mark nothing: ``both``.
        """
        hidden = UNSEEN if code else UNSEEN + CODE
        found = []
        for node in self.soup.find_all(string=True):
            if type(node) is NavigableString and node.strip() and node.find_parent(hidden) is None:
                found.append((self.language(node), " ".join(node.split())))
        for one in self.soup.find_all(True):
            found += [(self.language(one), one[name]) for name in NAMED if one.get(name)]
            if one.name == "meta" and one.get("name") == "description":
                found.append((self.language(one), one.get("content", "")))
        return found


# == rules: a page in, what is wrong out ==


def markdown(page: Page):
    yield from (text for _, text in page.texts() if re.search(r"\*\*|__|~~|\$|(?<!\w)\[[^\]]+\]\(|^#{2,} ", text))


def tex(page: Page):
    yield from (text for _, text in page.texts() if re.search(r"\\[A-Za-z]+|\\[()\[\]{}]|[_^]\{", text))
    yield from (str(one)[:80] for one in page.soup.select(".katex-error, .math:not(:has(.katex)), merror"))


def counted_ids(page: Page):
    yield from (one["id"] for one in page.soup.find_all(id=re.compile(r"^(id|equation-|index-|cell-)?\d+$")))


MACHINE = re.compile(
    r"Traceback|ipykernel|object at 0x|<Figure size|Warning:|site-packages|\.venv"
    r"|/(?:root|home|Users|work|tmp|private)/\w|[A-Z]:\\\w"
)


def traces(page: Page):
    yield from (text for _, text in page.texts(code=True) if MACHINE.search(text))
    yield from (
        value for one in page.soup.find_all(True) for value in map(str, one.attrs.values()) if MACHINE.search(value)
    )
    yield from ("stderr" for _ in page.soup.select(".stderr, .traceback"))


RESOURCES = {
    **dict.fromkeys(("script", "img", "iframe", "source", "video", "audio", "embed"), "src"),
    **dict.fromkeys(("link", "use", "image"), "href"),
    "object": "data",
}


def foreign_hosts(page: Page):
    for name, attribute in RESOURCES.items():
        for one in page.soup.find_all(name):
            address = one.get(attribute, "")
            if address.startswith(("http:", "https:", "//")) and "canonical" not in one.get("rel", []):
                yield address
    for style in page.soup.find_all("style"):
        yield from re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)'\"]+", style.get_text())


DROPPED = re.compile(
    r"font-?awesome|require(\.min)?\.js|mathjax|thebe|html-manager|jquery|searchtools|doctools|language_data|bootstrap|webfonts",
    re.I,
)


def dropped_libraries(page: Page):
    loaded = [one.get("src") or one.get("href") or one.get_text() for one in page.soup.find_all(["script", "link"])]
    yield from (text[:80] for text in loaded if DROPPED.search(text))
    yield from (
        str(one)[:80] for one in page.soup.select("[class*='fa-'], .fas, .fab, .tex2jax_ignore, .mathjax_ignore")
    )


INTERFACE = re.compile(
    r"(skip to .*|(on )?this page|(table of )?contents|search|next|previous|prev|permalink.*|link to this .*|copy.*"
    r"|note|tip|hint|warning|fig(ure)?\.?|table|references|index|home|back to top|light|dark|auto|toggle .*"
    r"|download.*|by .*|loading.*)[\s\d.:]*",
    re.I,
)


def english(page: Page):
    """An interface string in no language of the book; English that is meant is marked or stands in code."""
    own = {"AI Interview Book", "Notebook"}
    yield from (text for lang, text in page.texts() if lang != "en" and INTERFACE.fullmatch(text) and text not in own)
    for one in page.soup.find_all(True):
        for name in NAMED:
            text = one.get(name) or ""
            if re.search("[A-Za-z]{3}", text) and not HAN_OR_KANA.search(text) and page.language(one) != "en":
                yield f"{name}: {text}"
    for node in page.soup.find_all(string=re.compile("[A-Za-z]{3}")):
        inside = node.find_parent([*UNSEEN, *CODE, "article"]) or node.find_parent(
            "nav", class_=["page-toc", "bd-links"]
        )
        said = type(node) is NavigableString and inside is None and node.strip() not in own
        if said and not HAN_OR_KANA.search(node) and page.language(node) != "en":
            yield str(node)


_JAPANESE = OpenCC("t2jp")


def other_script(page: Page):
    """Kana or characters of another country, where nothing marks them as the other language."""
    for lang, text in page.texts(code=True):
        if lang == "zh-Hant":
            if KANA.search(text):
                yield f"kana: {text}"
            yield from (f"{one} (not in Big5): {text}" for one in HAN.findall(text) if not _encodes(one, "cp950"))
        elif lang == "ja":
            foreign = [one for one in HAN.findall(text) if not _encodes(one, "euc_jp") or _JAPANESE.convert(one) != one]
            yield from (f"{one} (not Japanese): {text}" for one in foreign)


def _encodes(character: str, code: str) -> bool:
    try:
        character.encode(code)
    except UnicodeEncodeError:
        return False
    return True


def languages(page: Page):
    root = page.soup.find("html")
    expected = LANGUAGES[page.tag].html if page.tag else "ja"
    if root is None or root.get("lang") != expected:
        yield f"html lang: expected {expected}, got {root.get('lang') if root else None}"
    yield from (
        str(one)[:80] for one in page.soup.find_all(lang=True) if one["lang"] not in ("ja", "zh-TW", "zh-Hant", "en")
    )
    yield from (
        str(one)[:80] for one in page.soup.find_all(hreflang=True) if one["hreflang"] not in (*LANGUAGES, "x-default")
    )


def one_title(page: Page):
    moved = page.soup.find("meta", attrs={"http-equiv": "refresh"})
    if len(page.soup.find_all("h1")) != 1 and not moved:
        yield f"{len(page.soup.find_all('h1'))} h1"
    if not (page.soup.title and page.soup.title.get_text(strip=True)):
        yield "no title"


def pictures(page: Page):
    for one in page.soup.select("img, svg[role=img]"):
        name = one.get("alt" if one.name == "img" else "aria-label") or ""
        right = KANA.search(name) if page.language(one) == "ja" else HAN.search(name) and not KANA.search(name)
        if not right:
            yield f"{one.name}: {name!r}"
    for one in page.soup.find_all("svg"):
        if (
            one.get("role") != "img"
            and one.find_parent("svg") is None
            and one.find_parent(attrs={"aria-hidden": "true"}) is None
            and one.get("aria-hidden") != "true"
        ):
            yield f"svg that is neither named nor silent: {str(one)[:80]}"


def unique_ids(page: Page):
    ids = [one["id"] for one in page.soup.find_all(id=True)]
    yield from sorted({one for one in ids if ids.count(one) > 1})
    for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
        for one in page.soup.find_all(attrs={name: True}):
            tied = one[name] if isinstance(one[name], list) else one[name].split()
            yield from (f"{name}={target}" for target in tied if target not in ids)


def absolute_addresses(page: Page):
    yield from (
        str(one) for one in page.soup.select("link[rel=canonical], link[rel=alternate]") if "://" in one.get("href", "")
    )
    yield from (one["href"] for one in page.soup.find_all("a", href=re.compile("^https?://(localhost|127[.]|0[.])")))


@functools.cache
def _ids(path: Path) -> set[str]:
    """The places in a file that a link may name; the practice page begins with any question that its deck holds."""
    html = path.read_text(encoding="utf-8")
    found = {one["id"] for one in BeautifulSoup(html, "html.parser").find_all(id=True)}
    deck = path.parents[1] / "_static" / "deck" / "index.js"
    if 'class="book-deck"' in html and deck.is_file():
        index = json.loads(deck.read_text(encoding="utf-8").strip().removeprefix("interviewBookDeck(").rstrip(");"))
        found |= {f"practise={card['id']}" for card in index["index"]["cards"]}
    return found


def links(page: Page):
    """Links and resources that lead nowhere."""
    here = page.site / page.path
    own = {each["id"] for each in page.soup.find_all(id=True)}
    attributes = [("href", one) for one in page.soup.find_all(href=True)] + [
        ("src", one) for one in page.soup.find_all(src=True)
    ]
    for name, one in attributes:
        parts = urlsplit(one[name])
        if parts.scheme or parts.netloc:
            continue
        # An error page may be shown anywhere: its links begin at the site's root.
        base = page.site if parts.path.startswith("/") else here.parent
        target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else here
        target = target / "index.html" if target.is_dir() else target
        ids = own if target == here else None
        if ids is None and not target.is_file():
            yield f"{one[name]}: no such file"
        elif (
            parts.fragment
            and one.name != "use"
            and unquote(parts.fragment) not in (_ids(target) if ids is None else ids)
            and parts.fragment != "choose"
        ):
            yield f"{one[name]}: no such place"
        elif one.name == "use" and parts.fragment not in (ids or ()):
            yield f"{one[name]}: no such sign"


RULES = [
    markdown,
    tex,
    counted_ids,
    traces,
    foreign_hosts,
    dropped_libraries,
    english,
    other_script,
    languages,
    one_title,
    pictures,
    unique_ids,
    absolute_addresses,
    links,
]
