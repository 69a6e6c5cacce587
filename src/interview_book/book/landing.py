"""The pages that belong to no chapter: the site's own first page, each edition's, the error pages, the site map."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from bs4 import BeautifulSoup, Tag
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES, other

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def _render(template: str, **context) -> str:
    return _templates().get_template(template).render(**context)


def hero(page: Path, tag: str) -> dict[str, Markup]:
    """Return what the first page shows of an edition's: its question, its lead, its picture and the picture's text.

    Without a passage of class ``hero-text`` the question is the title and the lead what the interface says of the book;
    without a figure there is no picture.
    """
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    text = soup.select_one(".hero-text")
    ask = text.find("h2") if text else None
    lead = next((one for one in text.find_all("p") if "actions" not in one.get("class", [])), None) if text else None
    picture = soup.select_one("figure svg.fig")
    return {
        "ask": Markup(ask.decode_contents()) if ask else Markup.escape(words(tag)["title"]),
        "lead": Markup(lead.decode_contents()) if lead else Markup.escape(words(tag)["tagline"]),
        "alt": Markup.escape(picture.get("aria-label", "") if picture else ""),
        "picture": Markup(_silent(picture) if picture else ""),
    }


def _silent(picture: Tag) -> str:
    """Return the picture without its name: on a page of two languages the text beside it says both."""
    for name in ("role", "aria-label"):
        del picture[name]
    picture["aria-hidden"] = "true"
    return str(picture)


def write(site: Path, documents: Sequence[str], url: str | None) -> None:
    """Write the pages into a site whose editions are in place; ``documents`` are the contents, landing page first."""
    first = f"{documents[0]}.html"
    base = url.rstrip("/") + "/" if url else ""
    icons = Markup((TEMPLATES / "icons.svg").read_text(encoding="utf-8"))
    editions = {
        tag: {"tag": tag, "html": one.html, "name": one.name, "ui": words(tag), "first": f"{tag}/{first}"}
        for tag, one in LANGUAGES.items()
    }
    for tag, edition in editions.items():
        edition["hero"] = hero(site / edition["first"], tag)
        static = site / tag / "_static"
        styles = Markup("\n".join((static / name).read_text(encoding="utf-8") for name in ("tokens.css", "book.css")))
        moved = _render("moved.html", edition=edition, first=first)
        (site / tag / "index.html").write_text(moved, encoding="utf-8")
        there = editions[other(tag).tag]
        lost = _render("lost.html", shown=[edition], there=there, icons=icons, styles=styles, base=base)
        (site / tag / "404.html").write_text(lost, encoding="utf-8")
    both = list(editions.values())
    lost = _render("lost.html", shown=both, there=None, icons=icons, styles=styles, base=base)
    (site / "404.html").write_text(lost, encoding="utf-8")
    root = _render("root.html", editions=both, icons=icons, base=base)
    (site / "index.html").write_text(root, encoding="utf-8")
    (site / ".nojekyll").touch()  # GitHub's pages would leave out _static
    if url:
        (site / "sitemap.xml").write_text(site_map(base, documents), encoding="utf-8")


def site_map(base: str, documents: Sequence[str]) -> str:
    """Return the site map: every page of every edition with its counterparts, by absolute address."""
    lines = []
    for tag in LANGUAGES:
        for document in documents:
            links = "".join(
                f'<xhtml:link rel="alternate" hreflang="{one}" href="{escape(f"{base}{one}/{document}.html")}"/>'
                for one in LANGUAGES
            )
            lines.append(f"<url><loc>{escape(f'{base}{tag}/{document}.html')}</loc>{links}</url>")
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    body = "\n".join([f"<url><loc>{escape(base)}</loc></url>", *lines])
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {spaces}>\n{body}\n</urlset>\n'
