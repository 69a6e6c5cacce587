"""The claims ledger ``chapters/claims.yml``: what the book says, of what kind, from where, and how it is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interview_book.book.errors import Fault, Faults
from interview_book.book.languages import LANGUAGES
from interview_book.book.terms import read_yaml

FILE = "chapters/claims.yml"
KINDS = ("definition", "exact", "numeric", "conditional", "caution", "advice", "procedure", "behaviour", "limitation")
SOURCES = ("article-ja", "article-zh-Hant", "lesson-ja", "book")
_REQUIRED = ("id", "topic", "kind", "source", "statement", "check")
_KEYS = (*_REQUIRED, "note")


@dataclass(frozen=True)
class Claim:
    """One claim. ``statement`` holds English always, Japanese and Chinese as soon as the book uses the claim."""

    id: str
    topic: str
    kind: str
    source: tuple[str, ...]
    statement: Mapping[str, str]
    check: str
    note: str = ""


def _faults(record: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    found = []
    for key in _REQUIRED:
        if key not in record:
            found.append(("claim-field", f"expected a field {key!r}, found none", f"add {key}"))
    for key in record:
        if key not in _KEYS:
            message = f"expected keys of {', '.join(_KEYS)}, found {key!r}"
            found.append(("unknown-key", message, "mend the spelling or remove it"))
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", str(record.get("id", "x"))):
        found.append(("claim-id", f"expected an id of a-z, 0-9 and hyphens, found {record['id']!r}", "rename it"))
    if record.get("kind", KINDS[0]) not in KINDS:
        message = f"expected a kind of {', '.join(KINDS)}, found {record['kind']!r}"
        found.append(("claim-kind", message, "choose one of them"))
    given = record.get("source", ["book"])
    if not isinstance(given, list) or not given or any(one not in SOURCES for one in given):
        message = f"expected a list of {', '.join(SOURCES)}, found {given!r}"
        found.append(("claim-source", message, "name where it was said"))
    statement = record.get("statement", {"en": "x"})
    texts = statement if isinstance(statement, Mapping) else {}
    if not texts.get("en") or any(tag not in ("en", *LANGUAGES) for tag in texts):
        message = f"expected statement: {{en: …, ja: …, zh-Hant: …}}, found {statement!r}"
        found.append(("claim-statement", message, "write it under en, ja and zh-Hant"))
    elif not all(isinstance(one, str) and one.strip() for one in texts.values()):
        found.append(("claim-statement", "expected texts in statement, found something else", "write sentences"))
    for key in ("check", "note", "topic"):
        if key in record and not (isinstance(record[key], str) and record[key].strip()):
            message = f"expected a text {key!r}, found {record[key]!r}"
            found.append(("claim-field", message, "write it, quoted if it holds a colon"))
    return found


def read(root: Path) -> tuple[dict[str, Claim], list[Fault]]:
    """All good claims by id in the order of the file, and every fault of the file."""
    data, faults = read_yaml(root, FILE)
    if faults:
        return {}, faults
    if not isinstance(data, list) or not data:
        message = f"expected a list of claims, found {type(data).__name__}"
        return {}, [Fault(FILE, "", "type", message, "start it with `- id:`")]
    claims: dict[str, Claim] = {}
    for index, record in enumerate(data):
        name = record.get("id", index + 1) if isinstance(record, Mapping) else index + 1
        where = f"claim {name}"
        if not isinstance(record, Mapping):
            faults.append(Fault(FILE, where, "type", f"expected a mapping, found {record!r}", "write id: …"))
            continue
        found = _faults(record)
        faults += [Fault(FILE, where, rule, message, mend) for rule, message, mend in found]
        if found:
            continue
        if record["id"] in claims:
            message = f"expected each id once, found {name!r} again"
            faults.append(Fault(FILE, where, "duplicate-id", message, "rename one"))
        claims[record["id"]] = Claim(**{**record, "source": tuple(record["source"])})
    return claims, faults


def load(root: Path) -> dict[str, Claim]:
    """All claims by id; raise ``Faults`` when the file has any."""
    claims, faults = read(root)
    if faults:
        raise Faults(faults)
    return claims


def use_faults(claims: Mapping[str, Claim], used: list[tuple[str, str, str]]) -> list[Fault]:
    """A fault for each use (id, file, where) of a claim nobody knows, or that lacks one of the book's languages."""
    found = []
    for name, file, where in used:
        if name not in claims:
            message = f"expected a claim of {FILE}, found {name!r}"
            found.append(Fault(file, where, "unknown-claim", message, "mend the id or add the claim"))
    for name in dict.fromkeys(name for name, _, _ in used):
        missing = [tag for tag in LANGUAGES if name in claims and tag not in claims[name].statement]
        if missing:
            message = f"expected the statement of a claim in use in both languages, found none in {', '.join(missing)}"
            mend = "write statement." + ", statement.".join(missing)
            found.append(Fault(FILE, f"claim {name}", "claim-language", message, mend))
    return found
