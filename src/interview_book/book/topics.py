"""The names of topics, ``chapters/topics.yml``: what practice calls the claims that belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from interview_book.book.errors import Fault, Faults
from interview_book.book.languages import LANGUAGES
from interview_book.book.terms import read_yaml

FILE = "chapters/topics.yml"


def read(root: Path, used: Iterable[str]) -> tuple[dict[str, Mapping[str, str]], list[Fault]]:
    """Return the names by key and language, in the order of ``used``, and every fault of the file.

    ``used`` are the topics of the claims in the order of the ledger; each needs a name in both languages, and no other
    topic may have one. A book without claims needs no file.
    """
    order = list(dict.fromkeys(used))
    if not order and not (Path(root) / FILE).exists():
        return {}, []
    data, faults = read_yaml(root, FILE)
    if faults:
        return {}, faults
    if not isinstance(data, dict):
        message = f"expected names by topic, found {type(data).__name__}"
        return {}, [Fault(FILE, "", "type", message, "write `softmax: {ja: …, zh-Hant: …}`")]
    names: dict[str, Mapping[str, str]] = {}
    for key in order:
        name = data.get(key)
        if isinstance(name, dict) and set(name) == set(LANGUAGES) and all(map(_is_text, name.values())):
            names[key] = name
            continue
        message = f"expected a name in {' and '.join(LANGUAGES)} for the topic, found {name!r}"
        faults.append(Fault(FILE, f"topic {key}", "topic-name", message, f"write `{key}: {{ja: …, zh-Hant: …}}`"))
    for key in data:
        if key not in order:
            message = f"expected a topic of the claims ({', '.join(order)}), found {key!r}"
            faults.append(Fault(FILE, f"topic {key}", "unknown-topic", message, "mend the spelling or remove it"))
    return names, faults


def load(root: Path, used: Iterable[str]) -> dict[str, Mapping[str, str]]:
    """Return the names by key and language; raise ``Faults`` when the file has any."""
    names, faults = read(root, used)
    if faults:
        raise Faults(faults)
    return names


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
