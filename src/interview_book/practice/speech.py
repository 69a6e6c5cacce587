"""Speech counted, not guessed: morae at 400 a minute in Japanese, syllables at 220 in Chinese.

What is counted is what is said: Latin words by their kana or syllables, formulas by the ``readings`` of the question
file, numbers in words. A word or sign nobody gave a reading is a fault, for a count that skips it would be a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from interview_book.practice.faults import QuestionFault
from interview_book.practice.said import FORMULAS, LETTERS, SIGNS, WORDS, number
from interview_book.practice.wording import spoken

RATES = {"ja": 400, "zh-Hant": 220}  # morae, syllables a minute
UNITS = {"ja": "morae", "zh-Hant": "syllables"}
#: Least and most of a field: model answers fill 75–95 % of 30 s and 70–90 % of 2 min; a follow-up's answer fits 30 s.
LIMITS = {
    "answer_30s": {"ja": (150, 190), "zh-Hant": (80, 105)},
    "answer_2min": {"ja": (540, 720), "zh-Hant": (300, 400)},
    "good_answer": {"ja": (1, 200), "zh-Hant": (1, 110)},
}

_SMALL = re.compile("[ァィゥェォャュョヮぁぃぅぇぉゃゅょゎ]")
# Words that unidic-lite gives another reading than a speaker; found with the three calibration records.
_READ_WRONG = {"割る": "ワル"}
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc]+")
_HAN = re.compile(r"[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_SILENT = re.compile(r"[\s、。，；：？！「」『』（）・…—―,.?!:;'\"\-]+")
_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
_LATIN = re.compile(r"[A-Za-z]+")


class Unsaid(ValueError):
    """Something that has no reading; ``what`` names it."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"expected a reading for {what!r}, got none; add it to readings")


def morae(kana: str) -> int:
    """Morae of a text in kana: small ャュョァィゥェォ belong to the kana before, ー ッ ン count."""
    return sum(len(run) - len(_SMALL.findall(run)) for run in _KANA.findall(kana))


@lru_cache(maxsize=1)
def _tagger():
    import fugashi  # the dictionary takes a moment; only who counts Japanese pays for it

    return fugashi.Tagger()


def _japanese(text: str) -> int:
    """Morae of a text of Han and kana, by the reading that unidic-lite gives each word."""
    count = 0
    for word in _tagger()(text):
        kana = _READ_WRONG.get(word.surface, word.feature.kana)
        if not kana or kana == "*":
            kana = word.surface
            if _HAN.search(kana):
                raise Unsaid(kana)
        count += morae(kana)
    return count


def _pieces(text: str, readings: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str]]:
    """Cut ``text`` into ``(kind, piece)``: reading, number, latin, sign, silent, plain."""
    keys = sorted(readings, key=len, reverse=True)
    parts = []
    if keys:
        # A reading for n must not take the n out of a word.
        ends = [
            rf"(?<![A-Za-z]){re.escape(key)}(?![A-Za-z])" if _LATIN.fullmatch(key) else re.escape(key) for key in keys
        ]
        parts.append(f"(?P<reading>{'|'.join(ends)})")
    signs = "".join(map(re.escape, SIGNS))
    parts += [
        f"(?P<number>{_NUMBER.pattern})",
        f"(?P<latin>{_LATIN.pattern})",
        f"(?P<sign>[{signs}])",
        f"(?P<silent>{_SILENT.pattern})",
        rf"(?P<plain>(?:{_HAN.pattern}|{_KANA.pattern})+)",
        r"(?P<unknown>.)",
    ]
    return [(match.lastgroup, match[0]) for match in re.finditer("|".join(parts), text, re.DOTALL)]


def _latin(word: str) -> tuple[str, int]:
    low = word.lower()
    if low in WORDS:
        return WORDS[low]
    if len(word) == 1:
        return LETTERS[low]
    raise Unsaid(word)


def _say_japanese(text: str, readings: Mapping) -> int:
    said = []
    for kind, piece in _pieces(text, readings):
        if kind == "unknown":
            raise Unsaid(piece)
        if kind == "reading":
            # A reading may itself hold Latin or digits; it is said by the shared table alone.
            count = _say_japanese(readings[piece]["ja"], {})
            said.append("ア" * count)
        elif kind == "latin":
            said.append(_latin(piece)[0])
        elif kind == "sign":
            said.append(SIGNS[piece][0])
        elif kind == "number":
            said.append(number(piece, "ja"))
        else:
            said.append(piece)
    return _japanese("".join(said))


def _say_chinese(text: str, readings: Mapping, inside: bool = False) -> int:
    # Inside a reading, sig-moid spells out the syllables of an English word.
    count = 0
    if inside:
        for spelled in re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)+", text):
            count += spelled.count("-") + 1
            text = text.replace(spelled, " ", 1)
    for kind, piece in _pieces(text, readings):
        if kind == "unknown":
            raise Unsaid(piece)
        if kind == "reading":
            count += _say_chinese(readings[piece]["zh-Hant"], {}, inside=True)
        elif kind == "latin":
            count += _latin(piece)[1]
        elif kind == "sign":
            count += SIGNS[piece][1]
        elif kind == "number":
            count += len(number(piece, "zh-Hant"))
        elif kind == "plain":
            if _KANA.search(piece):
                raise Unsaid(piece)
            count += len(_HAN.findall(piece))
    return count


def length(text: str, language: str, readings: Mapping[str, Mapping[str, str]] | None = None) -> int:
    """Morae (ja) or syllables (zh-Hant) of ``text`` said aloud; `Unsaid` for a word or sign without a reading."""
    say = {"ja": _say_japanese, "zh-Hant": _say_chinese}[language]
    return say(text, {**FORMULAS, **(readings or {})})


def seconds(text: str, language: str, readings: Mapping[str, Mapping[str, str]] | None = None) -> float:
    """How long ``text`` takes to say, in seconds."""
    return 60 * length(text, language, readings) / RATES[language]


def counts(question: Mapping, readings: Mapping, language: str) -> dict[str, int]:
    """Length of each spoken text of a question by field; `Unsaid` as `length`."""
    return {field: length(text, language, readings) for field, text in spoken(question, language)}


def faults(questions: Iterable, file: str) -> list[QuestionFault]:
    """Spoken texts of ``file``, in all languages, that leave their limits or hold something without a reading."""
    found = []
    for question in questions:
        for language, unit in UNITS.items():
            for field, text in spoken(question, language):
                where = f"{field}.{language}"
                try:
                    count = length(text, language, question.readings)
                except Unsaid as unsaid:
                    mend = f'add "{unsaid.what}": {{ja: …, zh-Hant: …}} to readings, or spell it as it is said'
                    found.append(
                        QuestionFault(
                            file, question.id, where, "unsaid", "words with a reading", repr(unsaid.what), mend
                        )
                    )
                    continue
                low, high = LIMITS.get(field.rsplit(".", 1)[-1], {}).get(language, (0, count))
                if not low <= count <= high:
                    mend = f"say {'more' if count < low else 'less'}: by {low - count if count < low else count - high}"
                    found.append(
                        QuestionFault(file, question.id, where, "speech", f"{low} to {high} {unit}", str(count), mend)
                    )
    return found


def table(questions: Iterable) -> str:
    """Lengths of all spoken texts, one a line, for who writes them."""
    lines = []
    for question in questions:
        for language, unit in UNITS.items():
            for field, text in spoken(question, language):
                try:
                    count = str(length(text, language, question.readings))
                except Unsaid as unsaid:
                    count = f"? {unsaid.what!r} has no reading"
                lines.append(f"{question.id}  {field}.{language}  {count} {unit}")
    return "\n".join(lines)


if __name__ == "__main__":
    import sys

    from interview_book.practice import bank

    for name in sys.argv[1:]:
        loaded = bank.load(name)
        print(table(loaded))
        print("\n".join(map(str, faults(loaded, name))) or "no faults of speech")
