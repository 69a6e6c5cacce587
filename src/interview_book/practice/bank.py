"""The bank: ``chapters/<slug>.questions.yml`` in, questions out, or every fault of the file at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from interview_book.practice import rules, schema
from interview_book.practice.faults import QuestionFault, QuestionFaults
from interview_book.practice.shapes import LANGUAGES, Phrase, Report, table, text
from interview_book.practice.strict_yaml import YamlFault, parse
from interview_book.practice.wording import spoken, texts

__all__ = ["LANGUAGES", "Question", "QuestionFault", "QuestionFaults", "chapter_file", "load", "spoken", "texts"]


@dataclass(frozen=True, eq=False)
class Question(Mapping):
    """One valid question: a read-only mapping of the record's fields, with the common ones as attributes.

    Attributes
    ----------
    record : the record, frozen (mappings read-only, lists as tuples).
    readings : how the symbols of its file are said: ``{"√dₖ": {"ja": …, "zh-Hant": …}}``.
    """

    record: Mapping
    readings: Mapping

    def __getitem__(self, key: str) -> object:
        return self.record[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.record)

    def __len__(self) -> int:
        return len(self.record)

    @property
    def id(self) -> str:
        return self.record["id"]

    @property
    def kind(self) -> str:
        return self.record["kind"]

    @property
    def level(self) -> str:
        return self.record["level"]

    @property
    def chapter(self) -> str:
        return self.record["chapter"]

    @property
    def passage(self) -> str | None:
        return self.record.get("passage")

    @property
    def claims(self) -> tuple[str, ...]:
        return self.record["claims"]

    @property
    def bindings(self) -> Mapping[str, str]:
        """``values`` of the record: the number as written -> ``chapter:name``."""
        return self.record.get("values", MappingProxyType({}))

    @property
    def allow(self) -> tuple[str, ...]:
        """Numbers that need no binding."""
        return self.record.get("allow", ())

    def __repr__(self) -> str:
        return f"Question({self.id!r}, {self.kind})"


def _freeze(value: object) -> object:
    if isinstance(value, dict):
        return MappingProxyType({key: _freeze(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return tuple(_freeze(inner) for inner in value)
    return value


def chapter_file(path: Path) -> str | None:
    """The slug that ``<slug>.questions.yml`` names, None for a file called otherwise."""
    return path.name.removesuffix(".questions.yml") if path.name.endswith(".questions.yml") else None


def _read(path: Path, report: Report) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        report.add("missing-file", "a question file", Phrase("none"), "write it or remove the reference to it")
    except UnicodeDecodeError as error:
        report.add("encoding", "UTF-8", Phrase(f"byte {error.start} that is not"), "save the file as UTF-8")
    except OSError as error:
        report.add("unreadable", "a file", Phrase(error.strerror or str(error)), "put a readable file there")
    return ""


def _data(source: str, report: Report) -> object:
    try:
        return parse(source)
    except YamlFault as fault:
        mend = "mend the YAML there; quote texts with : # [ ] { } , or a sign at the start"
        report.add("yaml", "plain YAML", Phrase(str(fault)), mend)
    return None


def load(path: Path | str) -> list[Question]:
    """Return the questions of one file in its order; raise `QuestionFaults` with all its faults at once."""
    path = Path(path)
    report = Report(path.as_posix())
    source = _read(path, report)
    if report.faults:
        raise QuestionFaults(report.faults)
    return list(_questions(path, source))


# A build asks for each file several times, and reading YAML strictly takes a while.
@lru_cache(maxsize=256)
def _questions(path: Path, source: str) -> tuple[Question, ...]:
    report = Report(path.as_posix())
    data = _data(source, report)
    if report.faults:
        raise QuestionFaults(report.faults)
    if not isinstance(data, dict):
        report.add(
            "type", "a mapping with readings and questions", data, "start the file with readings: {} and questions:"
        )
        raise QuestionFaults(report.faults)
    for key in data:
        if key not in schema.FILE_KEYS:
            report.at(str(key)).add("unknown-key", f"keys of {', '.join(schema.FILE_KEYS)}", key, "remove it")
    readings, records = data.get("readings", {}), data.get("questions")
    table(text, schema.READING)(readings, report.at("readings"))
    if not isinstance(records, list) or not records:
        report.at("questions").add("type", "a list of questions", records, "write at least one question")
        raise QuestionFaults(report.faults)
    seen: dict[str, int] = {}
    for index, record in enumerate(records):
        name = record.get("id") if isinstance(record, dict) else None
        inner = Report(report.file, name if isinstance(name, str) else f"question {index + 1}", "", report.faults)
        before = len(report.faults)
        schema.question(record, inner)
        if isinstance(name, str):
            if name in seen:
                first = f"questions {seen[name] + 1} and {index + 1}"
                inner.add("duplicate-id", "an id used once", Phrase(first), "give one of them another id")
            seen.setdefault(name, index)
        # Rules across fields may rely on the shape, so they wait until the record has it.
        if len(report.faults) == before:
            rules.check(record, chapter_file(path), inner)
    if report.faults:
        raise QuestionFaults(report.faults)
    frozen = _freeze(readings)
    return tuple(Question(_freeze(record), frozen) for record in records)
