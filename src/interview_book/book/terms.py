"""The glossary ``chapters/terms.yml``: one spelling a language, what is said aloud, and what is not written.

Other modules read it with ``load``; ``check`` reads it with ``read``, which gives every fault of the file at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interview_book.book.errors import BookError, Fault, Faults
from interview_book.book.findings import Finding
from interview_book.book.spans import near
from interview_book.book.words import covered
from interview_book.practice.strict_yaml import YamlFault, parse

FILE = "chapters/terms.yml"
LANGUAGES = ("ja", "zh-Hant")
_REQUIRED = ("key", "en", "ja", "kana", "ja_said", "zh-Hant", "zh_said")
_KEYS = (*_REQUIRED, "forbidden", "aliases")


@dataclass(frozen=True)
class Term:
    """One entry. ``aliases`` (ja, zh-Hant, en) are for search; ``forbidden`` (ja, zh-Hant) holds the spellings not to
    write, each with the words that contain it and are right."""

    key: str
    en: str
    ja: str
    kana: str
    ja_said: str
    zh: str
    zh_said: str
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    forbidden: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def spelling(self, tag: str) -> str:
        """The spelling of one edition."""
        return self.ja if tag == "ja" else self.zh

    def said(self, tag: str) -> str:
        """What is said aloud in one edition."""
        return self.ja_said if tag == "ja" else self.zh_said


@dataclass(frozen=True)
class Forbidden:
    """A spelling not to write in one language: what to write, what is right around it, what may be said instead."""

    tag: str
    spelling: str
    write: str
    unless: tuple[str, ...]
    said: str


def read_yaml(root: Path, file: str) -> tuple[object, list[Fault]]:
    """The plain data of one of the book's data files, or the fault that keeps it from being read."""
    path = Path(root) / file
    try:
        return parse(path.read_text(encoding="utf-8")), []
    except FileNotFoundError:
        return None, [Fault(file, "", "missing-file", "expected the file, found none", "write it")]
    except UnicodeDecodeError as error:
        message = f"expected UTF-8, got {error.reason} at byte {error.start}"
        return None, [Fault(file, "", "encoding", message, "save as UTF-8")]
    except OSError as error:
        return None, [Fault(file, "", "unreadable", f"expected a file, got: {error.strerror}", "put a file there")]
    except YamlFault as error:
        where = f"line {error.line}" if error.line else ""
        return None, [Fault(file, where, "yaml", f"expected plain YAML, got: {error.reason}", "mend the YAML there")]


def _strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)


def _forbidden(value: object) -> dict[str, tuple[str, ...]] | None:
    """``[spelling, {spelling: [words that contain it]}]`` as a table; None when it is neither."""
    found: dict[str, tuple[str, ...]] = {}
    for one in value if isinstance(value, list) else [None]:
        if isinstance(one, str) and one.strip():
            found[one] = ()
        elif isinstance(one, Mapping) and len(one) == 1 and all(_strings(words) for words in one.values()):
            found.update({spelling: tuple(words) for spelling, words in one.items()})
        else:
            return None
    return found


def _entry(record: Mapping[str, Any]) -> tuple[Term | None, list[tuple[str, str, str]]]:
    """One entry of the file, or (rule, message, mend) of what keeps it from being one."""
    found = []
    for key in _REQUIRED:
        if not isinstance(record.get(key), str) or not record[key].strip():
            found.append(("term-field", f"expected a text {key!r}, got {record.get(key)!r}", f"add {key}"))
    for key in record:
        if key not in _KEYS:
            message = f"expected keys of {', '.join(_KEYS)}, got {key!r}"
            found.append(("unknown-key", message, "mend the spelling or remove it"))
    if isinstance(record.get("key"), str) and not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", record["key"]):
        message = f"expected a key like `dot-product`, got {record['key']!r}"
        found.append(("term-key", message, "use a-z, 0-9 and hyphens"))
    if isinstance(record.get("kana"), str) and re.search(r"[\u3400-\u9fff]", record["kana"]):
        found.append(("term-kana", f"expected the reading in kana, got {record['kana']!r}", "write no Han in kana"))
    aliases = record.get("aliases", {})
    if not isinstance(aliases, Mapping) or not all(
        key in (*LANGUAGES, "en") and _strings(value) for key, value in aliases.items()
    ):
        message = f"expected lists under ja, zh-Hant or en, got {aliases!r}"
        found.append(("term-aliases", message, "write aliases: {ja: […]}"))
    forbidden = record.get("forbidden", {})
    given = forbidden if isinstance(forbidden, Mapping) else {"": forbidden}
    tables = {tag: _forbidden(value) for tag, value in given.items()}
    if not all(tag in LANGUAGES and table is not None for tag, table in tables.items()):
        message = f"expected lists of spellings under ja or zh-Hant, got {forbidden!r}"
        found.append(("term-forbidden", message, "write forbidden: {zh-Hant: [概率]} or [{數組: [數組成]}]"))
    if found:
        return None, found
    names = {"zh-Hant": "zh"}
    fields = {names.get(key, key): record[key] for key in _REQUIRED}
    return Term(**fields, aliases={tag: tuple(one) for tag, one in aliases.items()}, forbidden=tables), []


def read(root: Path) -> tuple[list[Term], list[Fault]]:
    """All good entries of ``chapters/terms.yml`` in order, and every fault of the file."""
    data, faults = read_yaml(root, FILE)
    if faults:
        return [], faults
    if not isinstance(data, list) or not data:
        message = f"expected a list of terms, got {type(data).__name__}"
        return [], [Fault(FILE, "", "type", message, "start it with `- key:`")]
    terms: list[Term] = []
    seen: dict[str, int] = {}
    for index, record in enumerate(data):
        if not isinstance(record, Mapping):
            message = f"expected a mapping, got {record!r}"
            faults.append(Fault(FILE, f"term {index + 1}", "type", message, "write key: …"))
            continue
        where = f"term {record.get('key', index + 1)}"
        term, found = _entry(record)
        faults += [Fault(FILE, where, rule, message, mend) for rule, message, mend in found]
        if term is None:
            continue
        if term.key in seen:
            message = f"expected each key once, got {term.key!r} as terms {seen[term.key]} and {index + 1}"
            faults.append(Fault(FILE, where, "duplicate-key", message, "rename one"))
        seen.setdefault(term.key, index + 1)
        terms.append(term)
    for one in forbidden(terms):
        if any(one.spelling == term.spelling(one.tag) for term in terms):
            message = f"expected no spelling both right and forbidden, got {one.spelling!r} ({one.tag})"
            faults.append(Fault(FILE, "", "term-forbidden", message, "remove one of the two"))
    return terms, faults


def load(root: Path) -> list[Term]:
    """All entries of the glossary in order; raise ``Faults`` when the file has any."""
    terms, faults = read(root)
    if faults:
        raise Faults(faults)
    return terms


def term(terms: Sequence[Term], key: str) -> Term:
    """The entry with this key; raise ``BookError`` when there is none."""
    for one in terms:
        if one.key == key:
            return one
    raise BookError(f"unknown term {key!r}: expected a key of {FILE}. Mend the spelling or add the term.")


def forbidden(terms: Sequence[Term]) -> list[Forbidden]:
    """Every forbidden spelling with what to write instead, and the right spellings that contain it."""
    found = []
    for one in terms:
        for tag, table in one.forbidden.items():
            for spelling, words in table.items():
                right = {other.spelling(tag) for other in terms if spelling in other.spelling(tag)}
                unless = (*words, *sorted(right - {spelling}))
                found.append(Forbidden(tag, spelling, one.spelling(tag), unless, one.said(tag)))
    return found


def term_findings(block: str, tag: str, words: Sequence[Forbidden], *, spoken: bool = False) -> list[Finding]:
    """The forbidden spellings of one visible block; what is said aloud may use the said form of its term."""
    found = []
    for word in words:
        if word.tag != tag or word.spelling not in block or (spoken and word.spelling in word.said.split("、")):
            continue
        free = covered(block, word.unless)
        for match in re.finditer(re.escape(word.spelling), block):
            start, end = match.span()
            if not any(low <= start and end <= high for low, high in free):
                message = f"expected {word.write}, found {word.spelling} near {near(block, start, end)}"
                found.append(Finding("forbidden-spelling", message, f"write {word.write} (chapters/terms.yml)"))
    return found
