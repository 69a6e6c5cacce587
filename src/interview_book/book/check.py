"""All faults of all chapters, questions, terms and claims at once: what ``interview-book check`` reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from interview_book.book import claims, notebooks, references, terms, topics, values
from interview_book.book import questions as question_files
from interview_book.book.chapter import Chapter, Setting
from interview_book.book.errors import BookError, Fault
from interview_book.book.findings import Finding
from interview_book.book.formulas import Placed, formula_faults
from interview_book.book.language_rules import language_findings
from interview_book.book.languages import LANGUAGES
from interview_book.book.markdown_rules import markdown_findings
from interview_book.book.spans import maths
from interview_book.book.terms import Forbidden
from interview_book.practice import bank


def _opened(root: Path) -> tuple[list[Chapter], list[str], list[Fault]]:
    """The readable chapters, the names of all documents, and a fault for each that cannot be read."""
    try:
        documents = notebooks.contents(root)
    except BookError as error:
        return [], [], [Fault("_toc.yml", "", "unreadable", str(error), "mend the file")]
    opened, faults = [], []
    for path in notebooks.chapters(root):
        file = path.relative_to(root).as_posix()
        try:
            opened.append(Chapter(file, path.stem, notebooks.read(path)))
        except BookError as error:
            message = str(error).replace(f"{path}: ", "")
            faults.append(Fault(file, "", "unreadable", message, "mend the file or _toc.yml"))
    return opened, documents, faults


def _labels(opened: Sequence[Chapter], documents: Sequence[str]) -> dict[tuple[str, str], str]:
    """Every label of the book with its chapter; a fault for one that is taken, by another or by a document's name."""
    home: dict[tuple[str, str], str] = {}
    owner: dict[str, str] = {}
    names = {name for document in documents for name in (document, document.rsplit("/", 1)[-1])}
    for chapter in opened:
        for unit in notebooks.pairs(chapter.notebook)[0]:
            cell = unit.ja if isinstance(unit, notebooks.Passage) else unit.cell
            where = notebooks.place(cell, unit.index)
            for kind, label in references.labels(unit):
                home.setdefault((kind, label), chapter.slug)
                if label in names:
                    message = f"expected a label that is no document's name, found {label!r}"
                    chapter.add(where, [Finding("label-document", message, f"call it {label}-title")])
                if label in owner:
                    message = f"expected each label once in the book, found {label!r} in {owner[label]} too"
                    chapter.add(where, [Finding("duplicate-label", message, "choose another label")])
                owner.setdefault(label, f"{chapter.file} {where}")
    return home


def _loaded(root: Path) -> list[tuple[str, bank.Question]]:
    """The questions of every file that can be read, with their files; `question_files.faults` tells of the others."""
    questions: list[tuple[str, bank.Question]] = []
    for path in sorted((root / "chapters").glob("*.questions.yml")):
        with suppress(bank.QuestionFaults):
            questions += [(path.relative_to(root).as_posix(), one) for one in bank.load(path)]
    return questions


class _Questions:
    """What the rules of the book say about the questions."""

    def __init__(self, setting: Setting, headings: Mapping[str, set[str]]) -> None:
        self.setting, self.headings = setting, headings
        self.faults: list[Fault] = []
        self.used: list[tuple[str, str, str]] = []
        self.placed: list[Placed] = []

    def check(self, file: str, question: bank.Question) -> None:
        """Gather the faults of one question: language, Markdown, numbers, claims, its passage."""
        where = f"question {question.id}"
        self.used += [(claim, file, where) for claim in question.claims]
        passage = question.passage
        if passage is not None and passage not in self.headings.get(question.chapter, set()):
            message = f"expected a heading's label of chapter {question.chapter}, found {passage!r}"
            self.faults.append(Fault(file, where, "unknown-passage", message, "mend passage or add the label"))
        texts = []
        for tag in LANGUAGES:
            spoken = {field for field, _ in bank.spoken(question, tag)}
            for field, text in bank.texts(question, tag):
                place = f"{where} {field}.{tag}"
                texts.append(text)
                found = [
                    *language_findings(text, tag, forbidden=self.setting.forbidden, spoken=field in spoken),
                    *markdown_findings(text),
                ]
                self.faults += [one.at(file, place) for one in found]
                self.placed += [Placed(file, place, tex, display) for tex, display in maths(text)]
        found = self.setting.number_findings(texts, question.bindings, question.allow)
        found += self.setting.relation_findings(list(question.record.get("relations", ())))
        self.faults += [one.at(file, where) for one in found]


def _statements(known: Mapping[str, claims.Claim], forbidden: Sequence[Forbidden]) -> list[Fault]:
    """The broken rules of language in the statements of the claims."""
    found = []
    for claim in known.values():
        for tag in LANGUAGES:
            text = claim.statement.get(tag)
            for one in language_findings(text, tag, forbidden=forbidden) if text else []:
                found.append(one.at(claims.FILE, f"claim {claim.id} statement.{tag}"))
    return found


def _topics(root: Path, known: Mapping[str, claims.Claim], forbidden: Sequence[Forbidden]) -> list[Fault]:
    """The faults of the topics' names, and the broken rules of language in them."""
    names, found = topics.read(root, [claim.topic for claim in known.values()])
    for key, name in names.items():
        for tag, text in name.items():
            findings = language_findings(text, tag, forbidden=forbidden)
            found += [one.at(topics.FILE, f"topic {key} {tag}") for one in findings]
    return found


def _unplaced(root: Path, opened: Sequence[Chapter]) -> list[Fault]:
    """Question files that no passage shows: they would vanish without a word."""
    text = "\n".join(notebooks.source(cell) for chapter in opened for cell in chapter.notebook["cells"])
    shown = set(re.findall(r"^`{3,}\{questions\}[ \t]+(\S+)", text, re.M))
    found = []
    for path in sorted((root / "chapters").glob("*.questions.yml")):
        slug = path.name.removesuffix(".questions.yml")
        if slug not in shown:
            mend = f"add a passage that holds only ```{{questions}} {slug}``` in both languages, or remove the file"
            file = path.relative_to(root).as_posix()
            found.append(Fault(file, "", "unplaced-questions", "expected a passage that shows them, found none", mend))
    return found


def faults(root: Path) -> list[Fault]:
    """Every fault of the book at ``root``, sorted; empty when there is none.

    Raises
    ------
    BookError
        When Node or KaTeX, which set the formulas, are not installed.
    """
    root = Path(root)
    opened, documents, found = _opened(root)
    glossary, bad_terms = terms.read(root)
    known, bad_claims = claims.read(root)
    found += bad_terms + bad_claims

    printed = {}
    for chapter in opened:
        printed[chapter.slug], twice = values.states(chapter.notebook)
        for where, message in twice:
            chapter.add(where, [Finding("stated-twice", f"expected each name once, found: {message}", "rename one")])
    try:
        sources = references.citations(root)
    except BookError as error:
        sources = set()
        found.append(Fault("chapters/references.bib", "", "unreadable", str(error), "mend the file"))
    targets = references.Targets(
        _labels(opened, documents),
        frozenset(sources),
        frozenset(document.rsplit("/", 1)[-1] for document in documents),
        root / "chapters",
    )
    forbidden = terms.forbidden(glossary)
    unrun = frozenset(chapter.slug for chapter in opened if not chapter.has_run())
    for chapter in opened:
        chapter.check(Setting(targets, values.scope(printed, chapter.slug), forbidden, chapter.slug, unrun))

    headings: dict[str, set[str]] = {}
    for (kind, label), slug in targets.labels.items():
        if kind == "heading":
            headings.setdefault(slug, set()).add(label)
    questions = _Questions(Setting(targets, values.scope(printed), forbidden, unrun=unrun), headings)
    for file, question in _loaded(root):
        questions.check(file, question)

    found += [fault for chapter in opened for fault in chapter.faults] + questions.faults
    found += question_files.faults(root) + _unplaced(root, opened)
    found += _statements(known, forbidden)
    if not bad_claims:
        found += _topics(root, known, forbidden)
        found += claims.use_faults(known, [use for chapter in opened for use in chapter.used] + questions.used)
    found += formula_faults(root, [one for chapter in opened for one in chapter.placed] + questions.placed)
    return sorted(set(found))
