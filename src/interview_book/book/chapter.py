"""All faults of one chapter's notebook, unit by unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interview_book.book import notebooks, outputs, passages
from interview_book.book.errors import Fault
from interview_book.book.findings import Finding
from interview_book.book.formulas import Placed, latex_output
from interview_book.book.language_rules import language_findings
from interview_book.book.languages import LANGUAGES
from interview_book.book.markdown_rules import markdown_findings
from interview_book.book.metadata import cell_findings, notebook_findings
from interview_book.book.parity import parity_findings
from interview_book.book.references import Targets, found_in
from interview_book.book.relations import names, relation_fault
from interview_book.book.spans import maths
from interview_book.book.terms import Forbidden
from interview_book.book.values import Stated, number_faults


@dataclass(frozen=True)
class Setting:
    """What a chapter's rules need of the rest of the book.

    ``slug`` is the chapter whose bare names count; ``unrun`` are the chapters without outputs, of whose names nothing
    can be said yet.
    """

    targets: Targets
    stated: Mapping[str, Stated]
    forbidden: Sequence[Forbidden]
    slug: str = ""
    unrun: frozenset[str] = frozenset()

    def waits(self, term: str) -> bool:
        """Whether a term or relation names a value of a chapter that has not been run."""
        slugs = {name.rpartition(":")[0] or self.slug for name in names(term)}
        return not slugs.isdisjoint(self.unrun)

    def number_findings(
        self, texts: Sequence[str], bindings: Mapping[str, str | list[str]], allow: Sequence[str]
    ) -> list[Finding]:
        """The faults of the numbers of texts that share one set of bindings."""
        late = {
            literal: name
            for literal, name in bindings.items()
            if any(map(self.waits, [name] if isinstance(name, str) else name))
        }
        ready = {literal: name for literal, name in bindings.items() if literal not in late}
        mend = "bind it in values (literal: name), put it on allow, or mend the text"
        return [
            Finding("number", f"expected each number bound and right, found: {message}", mend)
            for message in number_faults(texts, ready, [*allow, *late], self.stated)
        ]

    def relation_findings(self, relations: Sequence[str]) -> list[Finding]:
        """The relations that do not hold."""
        mend = "mend the relation, or what the text says"
        return [
            Finding("relation", f"expected a relation that holds, found: {message}", mend)
            for relation in relations
            if not self.waits(relation) and (message := relation_fault(relation, self.stated))
        ]


def _texts(value: object) -> list[str]:
    """The texts of a list; what is of another form is a fault of its own (``metadata``)."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _bindings(value: object) -> dict[str, str | list[str]]:
    found = value.items() if isinstance(value, Mapping) else []
    return {str(literal): name if isinstance(name, str) else _texts(name) for literal, name in found}


@dataclass
class Chapter:
    """One notebook and what was found in it.

    ``used`` lists (claim, file, where); ``placed`` its formulas for one KaTeX run of the whole book.
    """

    file: str
    slug: str
    notebook: Mapping[str, Any]
    faults: list[Fault] = field(default_factory=list)
    used: list[tuple[str, str, str]] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)

    def add(self, where: str, found: Sequence[Finding]) -> None:
        """Keep findings as faults of one place."""
        self.faults += [one.at(self.file, where) for one in found]

    def has_run(self) -> bool:
        """Whether the notebook has no code, or some output of it."""
        code = [cell for cell in self.notebook["cells"] if cell["cell_type"] == "code"]
        return not code or any(cell.get("outputs") for cell in code)

    def _book(self, cell: Mapping[str, Any], where: str, texts: Sequence[str], setting: Setting) -> None:
        """Claims, relations and numbers of one cell, whose texts share one set of bindings."""
        book = notebooks.ours(cell)
        self.used += [(claim, self.file, where) for claim in _texts(book.get("claims"))]
        self.add(where, setting.relation_findings(_texts(book.get("relations"))))
        self.add(where, setting.number_findings(texts, _bindings(book.get("values")), _texts(book.get("allow"))))

    def _formulas(self, where: str, formulas: Sequence[tuple[str, bool]]) -> None:
        self.placed += [Placed(self.file, where, tex, display) for tex, display in formulas]

    def _half(self, cell: Mapping[str, Any], index: int, setting: Setting) -> None:
        where, text, tag = notebooks.place(cell, index), notebooks.source(cell), notebooks.language_of(cell)
        self.add(where, passages.half_findings(text))
        self.add(where, markdown_findings(text))
        self.add(where, language_findings(text, tag, forbidden=setting.forbidden))
        dangling = (setting.targets.finding(one, self.slug) for one in sorted(found_in(text), key=str))
        self.add(where, [one for one in dangling if one])
        self._book(cell, where, [text], setting)
        self._formulas(where, maths(text))

    def _code(self, unit: notebooks.Code, setting: Setting) -> None:
        where = notebooks.place(unit.cell, unit.index)
        self.add(where, outputs.code_findings(unit.cell))
        figure = notebooks.ours(unit.cell).get("figure")
        texts = []
        for what in ("caption", "alt"):
            both = figure.get(what) if isinstance(figure, Mapping) else None
            for tag in LANGUAGES:
                text = both.get(tag) if isinstance(both, Mapping) else None
                if isinstance(text, str):
                    texts.append(text)
                    self.add(f"{where} {what}.{tag}", language_findings(text, tag, forbidden=setting.forbidden))
                    self._formulas(f"{where} {what}.{tag}", maths(text))
        self._book(unit.cell, where, texts, setting)
        for output in unit.cell.get("outputs") or []:
            latex = (output.get("data") or {}).get("text/latex")
            if latex is not None:
                self._formulas(f"{where} output", latex_output(notebooks.joined(latex)))

    def check(self, setting: Setting) -> None:
        """Gather every fault of the notebook."""
        self.add("", notebook_findings(self.notebook))
        if self.slug in setting.unrun:
            message = "expected the outputs of the code cells, found none"
            self.add("", [Finding("not-run", message, "run `make run`")])
        seen: list[str] = []
        for index, cell in enumerate(self.notebook["cells"]):
            where = notebooks.place(cell, index)
            tag = notebooks.language_of(cell)
            kind = "half" if tag else "code" if cell["cell_type"] == "code" else "formula"
            self.add(where, passages.tag_findings(cell))
            self.add(where, passages.id_findings(cell, seen))
            self.add(where, cell_findings(cell, kind))
            seen.append(str(cell.get("id", "")))
            if tag:
                self._half(cell, index, setting)
        units, lonely = notebooks.pairs(self.notebook, self.file)
        self.faults += lonely
        self.add("", passages.chapter_findings(units))
        for unit in units:
            if isinstance(unit, notebooks.Code):
                self._code(unit, setting)
                continue
            cell = unit.ja if isinstance(unit, notebooks.Passage) else unit.cell
            where = notebooks.place(cell, unit.index)
            self.add(where, passages.unit_findings(unit))
            if isinstance(unit, notebooks.Passage):
                self.add(where, parity_findings(unit))
            else:
                text = notebooks.source(cell)
                self._book(cell, where, [text], setting)
                self._formulas(where, maths(text))
