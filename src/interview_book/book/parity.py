"""What both halves of a passage share: names of values, relations, formulas, claims, references, classes.

Sets are compared, never counts: each language says it in its own sentences.
"""

from __future__ import annotations

import re

from interview_book.book.findings import Finding
from interview_book.book.notebooks import Passage, ours, source
from interview_book.book.references import found_in
from interview_book.book.relations import normal
from interview_book.book.spans import maths


def _value_names(book: dict) -> set[str]:
    bound = book.get("values")
    given = [[one] if isinstance(one, str) else one for one in bound.values()] if isinstance(bound, dict) else []
    return {normal(name) for names in given if isinstance(names, list) for name in names if isinstance(name, str)}


def _listed(book: dict, key: str) -> set[str]:
    value = book.get(key)
    return {str(one) for one in value} if isinstance(value, list) else set()


def _formulas(text: str) -> set[str]:
    # Spaces in a formula change nothing one can see.
    return {re.sub(r"\s+", "", tex) for tex, _ in maths(text)}


def parity_findings(passage: Passage) -> list[Finding]:
    """Every set in which the two halves of a passage differ."""
    books = [ours(half) for half in (passage.ja, passage.zh)]
    texts = [source(half) for half in (passage.ja, passage.zh)]
    sets = {
        "values": [_value_names(book) for book in books],
        "relations": [{normal(one) for one in _listed(book, "relations")} for book in books],
        "claims": [_listed(book, "claims") for book in books],
        "class": [set(str(book.get("class", "")).split()) for book in books],
        "formulas": [_formulas(text) for text in texts],
        "links": [{str(one) for one in found_in(text)} for text in texts],
    }
    found = []
    for what, (ja, zh) in sets.items():
        if ja != zh:
            only = {"ja": ja - zh, "zh-Hant": zh - ja}
            sides = "; ".join(f"only in {tag}: {', '.join(sorted(extra))}" for tag, extra in only.items() if extra)
            message = f"expected the same {what} in both halves, found {sides}"
            found.append(Finding(f"parity-{what}", message, "bring the two halves together"))
    return found
