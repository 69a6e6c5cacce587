"""What a page's template knows: words, the counterpart in the other edition, the part, the scripts."""

from __future__ import annotations

import posixpath
import re

from docutils import nodes

from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES, other

PRACTICE = "chapters/practice"  # the page of the deck, in a book that has one
STYLES = ("katex.min.css", "tokens.css", "book.css")
_HEADER_LINK = re.compile(r'(<a class="headerlink" href="[^"]*") title="([^"]*)">')


def tag_of(config) -> str:
    """Return the edition that a Sphinx configuration builds."""
    return next(one.tag for one in LANGUAGES.values() if one.sphinx == config.language)


def part_of(app, pagename: str) -> str:
    """Return «part n, its name» of a page, or nothing for a page outside the parts."""
    root = app.config.external_site_map.root
    for number, tree in enumerate((tree for tree in root.subtrees if tree.caption), start=1):
        if any(posixpath.splitext(str(item))[0] == pagename for item in tree.files()):
            return words(tag_of(app.config))["part"].format(n=number, caption=tree.caption)
    return ""


def description_of(doctree: nodes.document | None) -> str:
    """Return the first paragraph without a formula, at most 120 characters, for search engines and previews."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else ():
        text = " ".join(paragraph.astext().split())
        if len(text) > 20 and not any(paragraph.findall(nodes.math)) and isinstance(paragraph.parent, nodes.section):
            return text if len(text) <= 120 else text[:119] + "…"
    return ""


def before_theme(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Give the templates our names. Runs first, so that whatever the theme renders early finds them."""
    tag = tag_of(app.config)
    there = other(tag)
    ui, uri = words(tag), app.builder.get_target_uri(pagename)
    up = posixpath.relpath(".", posixpath.dirname(uri) or ".")  # from the page to its edition's root
    site = bool(app.config.book_site)
    context.update(
        ui=ui,
        tag=tag,
        site=site,
        landing=pagename == app.config.root_doc,
        other=there,
        other_ui=words(there.tag),
        part=part_of(app, pagename),
        counterpart=f"{up}/../{there.tag}/{uri}" if site else "",
        practice=(app.builder.get_relative_uri(pagename, PRACTICE) or "#") if PRACTICE in app.env.found_docs else "",
        download=f"{up}/notebooks/{posixpath.basename(pagename)}.ipynb" if site else "",
        description=description_of(doctree) or ui["tagline"],
        alternates=_alternates(app.config.book_url, f"{up}/..", uri) if site else [],
        asset=lambda name: f"{up}/_static/{name}?v={app.config.book_assets}",
    )


def _alternates(url: str, root: str, uri: str) -> list[dict[str, str]]:
    """Return the page's addresses, absolute when the site's own address is known, and the page that lets one choose."""
    base = url.rstrip("/") if url else root
    pages = [{"tag": tag, "href": f"{base}/{tag}/{uri}"} for tag in LANGUAGES]
    return [*pages, {"tag": "x-default", "href": f"{base}/index.html"}]


def after_theme(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Keep our three stylesheets and our scripts only, and finish the article. Runs last."""
    body = context.get("body", "")
    # Ours first: where storage is blocked it gives the theme's script a memory before that one asks for it.
    scripts = ["book.js", "theme.js"]
    if "book-widget" in body:
        scripts.append("widgets.js")
    if "book-deck" in body:
        scripts.append("deck.js")
    context.update(css_files=list(STYLES), script_files=[], scripts=scripts, body=finish(body))


def finish(body: str) -> str:
    """Name the links beside headings, figures and equations for ears: their visible text is a bare sign."""
    return _HEADER_LINK.sub(r'\1 title="\2" aria-label="\2">', body)


def setup(app) -> None:
    """Register the handlers around the theme's (which run at 500)."""
    app.connect("html-page-context", before_theme, priority=1)
    app.connect("html-page-context", after_theme, priority=900)
