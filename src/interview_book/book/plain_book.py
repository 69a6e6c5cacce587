"""What the text of one plain notebook refers to, written out: numbers, links to files, questions, terms and sources."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interview_book.book import deck_page, questions, terms
from interview_book.book.errors import BookError
from interview_book.book.plain_citations import Citations
from interview_book.book.plain_inline import inline
from interview_book.book.plain_names import Chapter, Label, look_up

_FIGURE = {"ja": "図 {}", "zh-Hant": "圖 {}"}
_NOTE = "<sup>{}</sup>"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)
# Anchors that the book makes itself: passages, terms and questions.
_MADE = ("p-", "term-", "q-")
_TERMS = {
    "ja": ("用語", "読み", "声に出すと", "英語", "繁体字中国語"),
    "zh-Hant": ("術語", "口語說法", "英文", "日文"),
}


@dataclass
class PlainBook:
    """The references of chapter ``slug`` in edition ``tag``. Every method returns Markdown without MyST in it."""

    root: Path
    tag: str
    slug: str
    chapters: Mapping[str, Chapter]
    citations: Citations
    url: str | None = None
    showed_sources: bool = False
    notes: dict[str, int] = field(default_factory=dict)

    def title(self, slug: str) -> str:
        """Return a chapter's title."""
        return inline(self.chapters[slug].title, self)

    def number(self, label: str) -> int:
        """Return the number of a formula or figure, counted in its chapter."""
        return self._numbered(label, "equation").number

    def equation(self, label: str) -> str:
        """Return «(1)», with a link if the formula is another chapter's."""
        found = self._numbered(label, "equation")
        return self._linked(f"({found.number})", found)

    def figure(self, label: str, text: str = "") -> str:
        """Return «図 1» or «圖 1»; ``text`` may say it otherwise with ``%s`` or ``{number}``."""
        found = self._numbered(label, "figure")
        pattern = text.replace("%s", "{}").replace("{number}", "{}").replace("{name}", found.text)
        return self._linked((pattern or _FIGURE[self.tag]).replace("{}", str(found.number)), found)

    def figure_number(self, label: str) -> str:
        """Return the words before a figure's caption."""
        return _FIGURE[self.tag].format(self.chapters[self.slug].labels[label].number)

    def section(self, label: str, text: str) -> str:
        """Return a link to a section, by its title unless ``text`` is given."""
        return self.link(text, f"#{label}", False)

    def document(self, name: str, text: str) -> str:
        """Return a link to a chapter's notebook."""
        return self.link(text, name if name.endswith((".ipynb", ".md")) else f"{name}.ipynb", False)

    def citation(self, keys: list[str], textual: bool) -> str:
        """Return a citation as text."""
        return self.citations.cite(keys, textual)

    def note(self, name: str) -> str:
        """Return the mark of a footnote, numbered by the first mention of it."""
        return _NOTE.format(self.notes.setdefault(name, len(self.notes) + 1))

    def link(self, text: str, target: str, image: bool) -> str:
        """Return a link that works beside the other notebooks; a page only the site has needs the site's address."""
        target = target.removeprefix("project:").removeprefix("path:")
        mark = "!" if image else ""
        if _SCHEME.match(target):
            return f"{mark}[{text}]({target})"
        file, _, label = target.partition("#")
        slug = posixpath.splitext(posixpath.basename(file))[0] if file else self.slug
        if not image and (not file or (slug in self.chapters and file.endswith((".ipynb", ".md", ".html")))):
            return self._inside(text, slug, label, bool(file))
        if file.endswith((".ipynb", ".md")) and not (self.root / "chapters" / posixpath.basename(file)).exists():
            raise BookError(f"expected a chapter, got a link to {target!r}; mend it or name the chapter in _toc.yml")
        if self.url:
            page = posixpath.normpath(posixpath.join(self.tag, "chapters", re.sub(r"\.(ipynb|md)$", ".html", file)))
            address = f"{self.url.rstrip('/')}/{page}" + (f"#{label}" if label else "")
            return f"{mark}[{text or address}]({address})"
        return text or target

    def questions(self, slug: str) -> str:
        """Return the questions of a chapter, this one's if ``slug`` is empty."""
        found = questions.load(self.root / "chapters" / f"{slug or self.slug}.questions.yml", self.root)
        return "\n\n".join(
            f'<a id="q-{one.id}"></a>\n\n{questions.markdown(one, self.tag, number).strip()}'
            for number, one in enumerate(found, start=1)
        )

    def terms(self) -> str:
        """Return the glossary as a table."""
        heads = _TERMS[self.tag]
        rows = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
        for one in terms.load(self.root):
            mine = f'<a id="term-{one.key}"></a>{_cell(one.spelling(self.tag))}'
            if self.tag == "ja":
                row = (mine, one.kana, one.ja_said, one.en, f'<span lang="zh-Hant">{_cell(one.zh)}</span>')
            else:
                row = (mine, one.zh_said, one.en, f'<span lang="ja">{_cell(one.ja)}</span>')
            rows.append("| " + " | ".join([row[0], *map(_cell, row[1:])]) + " |")
        return "\n".join(rows)

    def practice(self) -> str:
        """Return the list of all questions of the book, each with a link."""
        return deck_page.markdown(self.root, self.tag)

    def sources(self) -> str:
        """Return the sources this chapter cites, as a list."""
        self.showed_sources = True
        return "\n".join(f"- {one}" for one in self.citations.sources(self.chapters[self.slug].cited))

    def contents(self) -> str:
        """Return the list of chapters."""
        return "\n".join(f"- [{self.title(slug)}]({slug}.ipynb)" for slug in self.chapters)

    def _numbered(self, name: str, kind: str) -> Label:
        found = look_up(self.chapters, self.slug, name)
        if found.kind != kind:
            raise BookError(f"expected {name!r} to name a {kind}, it names a {found.kind}; mend the role or the label")
        return found

    def _linked(self, text: str, label: Label) -> str:
        return text if label.slug == self.slug else f"[{text}]({label.slug}.ipynb#{label.name})"

    def _inside(self, text: str, slug: str, name: str, by_file: bool) -> str:
        if not name:
            return f"[{text or self.title(slug)}]({slug}.ipynb)"
        if name.startswith(_MADE):
            found = Label(slug, name, "place")
        else:
            found = look_up({slug: self.chapters[slug]} if by_file else self.chapters, slug, name)
        if not text:
            text = self._called(found)
        return f"[{text}](#{name})" if found.slug == self.slug else f"[{text}]({found.slug}.ipynb#{name})"

    def _called(self, label: Label) -> str:
        if label.kind == "figure":
            return _FIGURE[self.tag].format(label.number)
        if label.kind == "equation":
            return f"({label.number})"
        return inline(label.text, self) if label.text else label.name


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
