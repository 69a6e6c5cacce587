"""Questions on the page and in plain notebooks: the mock's markup, Markdown, and the ``{questions}`` directive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from interview_book.book import question_kinds
from interview_book.book.errors import Fault, Faults
from interview_book.book.languages import LANGUAGES
from interview_book.book.pages import PRACTICE
from interview_book.book.question_markdown import markdown
from interview_book.book.question_pieces import Maths, Piece
from interview_book.practice import bank, speech

__all__ = ["Maths", "QuestionsDirective", "faults", "html", "load", "markdown", "pieces", "register"]


def pieces(question: Mapping, language: str, number: int, practice: str = "") -> list[Piece]:
    """One question as alternating HTML (`str`) and formulas (`Maths`), for whoever sets the formulas.

    ``number`` is its place on the page, counted from 1; ``practice`` is the address of the practice page, from there.
    """
    return question_kinds.section(question, language, number, practice)


def html(question: Mapping, language: str, number: int, maths: Callable[[str], str]) -> str:
    """One question as ``<section class="question" id="q-<id>">``; ``maths`` makes HTML of an inline formula's TeX."""
    return "".join(maths(one.tex) if isinstance(one, Maths) else one for one in pieces(question, language, number))


def _relative(path: Path, root: Path | None) -> str:
    if root is None:
        return path.as_posix()
    return path.resolve().relative_to(root.resolve()).as_posix()


def _fault(found: bank.QuestionFault, file: str) -> Fault:
    where = (
        f"question {found.question}"
        if found.question and not found.question.startswith("question ")
        else found.question
    )
    place = " ".join(part for part in (where, found.field) if part)
    return Fault(file, place, found.rule, f"expected {found.expected}, got {found.got}", found.mend)


def load(path: Path, root: Path | None = None) -> list[bank.Question]:
    """The questions of one file; `Faults` with all of its faults, named relative to ``root``."""
    try:
        return bank.load(path)
    except bank.QuestionFaults as error:
        raise Faults([_fault(found, _relative(path, root)) for found in error.faults]) from None


def faults(root: Path) -> list[Fault]:
    """All faults of ``chapters/*.questions.yml``: schema, ids used in two files, and speech that leaves its limits."""
    found: list[Fault] = []
    seen: dict[str, str] = {}
    for path in sorted((root / "chapters").glob("*.questions.yml")):
        file = _relative(path, root)
        try:
            questions = load(path, root)
        except Faults as error:
            found += error.faults
            continue
        for question in questions:
            if question.id in seen:
                message = f"expected an id used once, got {question.id} in {seen[question.id]} too"
                found.append(Fault(file, f"question {question.id}", "duplicate-id", message, "give one another id"))
            seen.setdefault(question.id, file)
        found += [_fault(one, file) for one in speech.faults(questions, file)]
    return found


class QuestionsDirective(SphinxDirective):
    """``{questions} slug``: all questions of ``<slug>.questions.yml`` beside the document, in order.

    The HTML goes out as raw nodes and each formula between them as a ``math`` node: the page's own renderer sets it.
    """

    required_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        slug = self.arguments[0]
        relative, absolute = self.env.relfn2path(f"{slug}.questions.yml")
        self.env.note_dependency(relative)
        tag = next((one.tag for one in LANGUAGES.values() if one.sphinx == self.config.language), None)
        if tag is None:
            raise self.error(
                f"questions: expected language of an edition, got {self.config.language!r}; set it in _config.yml"
            )
        try:
            questions = load(Path(absolute), Path(self.env.srcdir))
        except Faults as error:
            raise self.error(str(error)) from None
        practice = ""
        if PRACTICE in self.env.found_docs:
            practice = self.env.app.builder.get_relative_uri(self.env.docname, PRACTICE)
        out: list[nodes.Node] = []
        for number, question in enumerate(questions, start=1):
            for piece in pieces(question, tag, number, practice):
                if isinstance(piece, Maths):
                    out.append(nodes.math(piece.tex, piece.tex))
                else:
                    out.append(nodes.raw("", piece, format="html"))
        return out


def register(app) -> None:
    """Register the directive; the book's Sphinx extension calls this."""
    app.add_directive("questions", QuestionsDirective)
