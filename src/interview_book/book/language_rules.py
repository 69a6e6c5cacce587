"""All rules of prose at once, for a passage, a caption or a field of a question."""

from __future__ import annotations

from collections.abc import Sequence

from interview_book.book.axes import axis_findings
from interview_book.book.findings import Finding
from interview_book.book.languages import LANGUAGES
from interview_book.book.scripts import script_findings
from interview_book.book.spans import blocks_by_language, lines
from interview_book.book.terms import Forbidden, term_findings
from interview_book.book.typography import typography_findings
from interview_book.book.words import word_findings

_BY_HTML = {name: one.tag for one in LANGUAGES.values() for name in (one.tag, one.html)}


def language_findings(
    text: str, tag: str, *, forbidden: Sequence[Forbidden] = (), spoken: bool = False
) -> list[Finding]:
    """Every broken rule of language in a Markdown text.

    Parameters
    ----------
    text : Markdown of a passage, caption, alt text, claim or field of a question.
    tag : ``ja`` or ``zh-Hant``.
    forbidden : the glossary's forbidden spellings; see ``terms.forbidden``.
    spoken : True for what people say to one another in a question.
    """
    found: list[Finding] = []
    for lang, block in blocks_by_language(text):
        # An element with lang= is judged by its own language: «日本語» in a Chinese half is Japanese.
        own = _BY_HTML.get(lang, None if lang else tag)
        if own is None:
            continue
        found += script_findings(block, own)
        found += typography_findings(block, own)
        found += word_findings(block, own, spoken=spoken)
        found += term_findings(block, own, forbidden, spoken=spoken)
    found += axis_findings(lines(text), tag, spoken=spoken)
    return list(dict.fromkeys(found))
