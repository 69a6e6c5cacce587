"""The practice page around the deck: the list of all questions, there without scripts too, and the deck's data.

The deck itself is the output of the page's code cell, ``Deck()``; ``deck.js`` mounts it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from interview_book.book import claims, deck, questions, topics
from interview_book.book.errors import BookError
from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES
from interview_book.book.pages import tag_of
from interview_book.book.question_markdown import escaped
from interview_book.book.question_pieces import Maths, Piece, inline, join
from interview_book.book.question_words import WORDS
from interview_book.practice import bank, numbers
from interview_book.practice.anki_types import FILES


def asked(question: bank.Question, tag: str) -> str:
    """Return what a question asks, as it is written in the bank; of a number its first item."""
    text = question["question"][tag].strip()
    if question.kind == "explain":
        return f"「{text}」"
    return numbers.fill(text, numbers.draw(question, 0).words()) if question.kind == "number" else text


def _by_chapter(root: Path, tag: str) -> Iterator[tuple[str, str, list[bank.Question]]]:
    """Yield slug, title and questions of each chapter that has any."""
    for slug, path in deck.files(root).items():
        yield slug, deck.titles(root, slug)[tag], questions.load(path, root)


def pieces(root: Path, tag: str, anki: bool = False) -> list[Piece]:
    """Return the list of all questions of the book, each a link to its place, as HTML with formulas between.

    It is open at first, for those without scripts; the deck closes it when it appears. With ``anki`` it ends with links
    to the packages that the site offers, which the deck shows as well.
    """
    name, label = escape(words(tag)["all_questions"]), WORDS[tag]
    out: list[Piece] = [
        f'<details class="fold deck-list" open data-bank="{deck.version(root)}"><summary><span>{name}</span></summary>'
        '<div class="fold-body">'
    ]
    for slug, title, found in _by_chapter(root, tag):
        out.append(f'<p class="deck-chapter"><a href="{slug}.html">{escape(title)}</a></p><ul>')
        for one in found:
            text = asked(one, tag)
            shown = [escape(text, quote=False)] if one.kind == "explain" else inline(text)
            about = f"{label[one.kind]}・{label[one.level]}"
            out += [
                f'<li><a href="{slug}.html#q-{escape(one.id)}">',
                *shown,
                f'</a> <span class="fine">{about}</span></li>',
            ]
        out.append("</ul>")
    return join(*out, _anki(tag) if anki else "", "</div></details>\n")


def _anki(tag: str) -> str:
    links = []
    for languages, file in FILES.items():
        name = LANGUAGES[languages[0]].name if len(languages) == 1 else words(tag)["both_languages"]
        lang = f' lang="{languages[0]}"' if len(languages) == 1 else ""
        links.append(f'<a href="../../anki/{file}" download{lang}>{escape(name)}</a>')
    return f'<p class="deck-anki">{escape(words(tag)["anki"])}{" ".join(links)}</p>'


def markdown(root: Path, tag: str) -> str:
    """Return the same list as Markdown, its links leading to the notebooks beside this one."""
    lines = []
    for slug, title, found in _by_chapter(root, tag):
        lines += ["", f"[{escaped(title)}]({slug}.ipynb)", ""]
        lines += [f"- [{escaped(asked(one, tag))}]({slug}.ipynb#q-{one.id})" for one in found]
    return "\n".join([f"## {words(tag)['all_questions']}", *lines])


class Practice(SphinxDirective):
    """``{practice}``: the list of all questions, below the deck."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        read = [*deck.files(root).values(), *(root / "chapters" / f"{slug}.ipynb" for slug in deck.files(root))]
        for path in [*read, root / claims.FILE, root / topics.FILE]:
            self.env.note_dependency(str(path))
        try:
            found = pieces(root, tag_of(self.config), anki=bool(self.config.book_site))
        except BookError as error:
            raise self.error(str(error)) from error
        return [
            nodes.math(one.tex, one.tex) if isinstance(one, Maths) else nodes.raw("", one, format="html")
            for one in found
        ]


def write_data(app, error) -> None:
    """Write the deck's data beside the pages of a lone build; ``interview-book site`` does it for both editions."""
    page = f"chapters/{deck.SLUG}"
    if error or app.config.book_site or app.builder.format != "html" or page not in app.env.found_docs:
        return
    made = deck.banks(Path(app.srcdir))
    deck.write_scripts(made[tag_of(app.config)], Path(app.outdir) / "_static" / "deck")


def setup(app) -> None:
    """Register directive and data."""
    app.add_directive("practice", Practice)
    app.connect("build-finished", write_data, priority=950)
