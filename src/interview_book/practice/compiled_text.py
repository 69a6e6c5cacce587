"""Texts of the bank as HTML with numbered slots for formulas, so that each formula is set once and shown often."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from interview_book.practice.faults import QuestionFault, QuestionFaults
from interview_book.practice.inline import paragraphs, pieces

# TeX of distinct inline formulas -> the HTML of each.
SetFormulas = Callable[[Sequence[str]], Mapping[str, str]]


class UnsetFormulas(ValueError):
    """Formulas that cannot be set: ``messages`` says why of each, by its TeX."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.messages = dict(messages)
        super().__init__("; ".join(f"{tex}: {why}" for tex, why in self.messages.items()))


@dataclass
class Slots:
    """The distinct formulas of one chapter in the order of their first use."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, tex: str) -> int:
        """Return the slot of a formula, a new one for a new formula."""
        return self.numbers.setdefault(tex, len(self.numbers))


@dataclass
class Writer:
    """Writes the texts of one question in one language.

    ``slots`` are its chapter's; ``uses`` remembers for each formula of the bank where it first stood.
    """

    language: str
    question: str
    slots: Slots
    uses: dict[str, tuple[str, str]]

    def html(self, text: str, where: str) -> str:
        """Return a written text; ``where`` is its field, for whoever must mend a formula."""
        return "".join(self._piece(kind, piece, where) for kind, piece in pieces(text.strip()))

    def formula(self, tex: str, where: str) -> str:
        """Return the slot of one inline formula."""
        self.uses.setdefault(tex, (self.question, where))
        return f'<span class="f" data-f="{self.slots.number(tex)}"></span>'

    def both(self, texts: Mapping[str, str], where: str) -> str:
        """Return a written text of two languages, in this one."""
        return self.html(texts[self.language], f"{where}.{self.language}")

    def said(self, texts: Mapping[str, str]) -> str:
        """Return a text of two languages that is said: words only."""
        return escape(texts[self.language].strip(), quote=False)

    def speech(self, texts: Mapping[str, str]) -> list[str]:
        """Return the paragraphs of a longer text that is said."""
        return [escape(one, quote=False) for one in paragraphs(texts[self.language])]

    def _piece(self, kind: str, piece: str, where: str) -> str:
        if kind == "maths":
            return self.formula(piece, where)
        shown = escape(piece, quote=False)
        return f"<code>{shown}</code>" if kind == "code" else shown


def formulas_set(
    set_formulas: SetFormulas, uses: Mapping[str, tuple[str, str]], files: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the HTML of every formula.

    Parameters
    ----------
    uses : TeX -> question and field where it first stands.
    files : question -> its file.

    Raises
    ------
    QuestionFaults
        A fault for each formula that cannot be set, with file, question and field.
    """
    try:
        return set_formulas(list(uses))
    except UnsetFormulas as error:
        mend = "mend the TeX; use only what KaTeX and MathJax share, without macros"
        raise QuestionFaults(
            [
                QuestionFault(files[question], question, where, "formula", "a formula KaTeX can set", got, mend)
                for tex, why in error.messages.items()
                for question, where in [uses[tex]]
                for got in [f"«{tex}»: {why}"]
            ]
        ) from None
