"""The words of the shell: both languages, complete, in the book's own spelling."""

import re

import pytest

from interview_book.book.language_rules import language_findings
from interview_book.book.languages import LANGUAGES

# Arguments that reach every branch of the words that are functions.
DAY, TODAY = "2025-12-06", "2025-12-05"
TIMES = [[1], [40], [90], [120], [135.4]]
SAMPLES = {
    "when": [[TODAY, TODAY], [DAY, TODAY], ["2025-12-07", TODAY], ["2025-12-08", TODAY]],
    "time": TIMES,
    "count": [[7], [1234]],
    "today": [[8, 40]],
    "remaining": [[5, 95]],
    "mix": [[3, 5], [3, 0], [0, 5]],
    "start": [[8]],
    "goOn": [[5]],
    "pathOver": [["3 日"]],
    "nextDay": [[DAY, TODAY, 3, 12], ["2025-12-09", TODAY, 3, 12]],
    "didToday": [[8, 38]],
    "welcome": [[40]],
    "backlog": [[24, 80], [1234, 999]],
    "spreadDone": [[24]],
    "pathSize": [[8, 1, 40], [20, 3, 35]],
    "pathAll": [[32]],
    "pathNeeds": [[52]],
    "pathDone": [[2, 8]],
    "minutesRaised": [[45]],
    "pathChosen": [["3 日"]],
    "daysLeft": [[0], [1], [6]],
    "otherEdition": [["ja"], ["zh-Hant"]],
    "otherEditionLink": [["ja"], ["zh-Hant"]],
    "freeStart": [[20]],
    "freeSome": [[20, 1000]],
    "freeAll": [[12]],
    "at": [[3, 8]],
    "left": [[25]],
    "graded": [["難", "12 月 6 日（土）"], ["難", "明日"]],
    "endNote": [[8, 38]],
    "endAloud": [[5]],
    "endRest": [[3]],
    "mastery": [[9, 12, 14]],
    "forecastAlt": [[31, 6, DAY]],
    "historyAlt": [[62, 210, 14]],
    "weekOf": [[TODAY]],
    "saved": [["interview-book-progress-2025-12-05.json"]],
    "loaded": [[1234]],
    "notLoadedText": [["中身。"]],
    "kept": [["backup:head"], ["backup:head", 3]],
    "clock": [[3]],
    "clearNote": [[42, 120]],
}
_FLAT = """(() => {
  const called = (key, value) => (samples[key] ?? []).map(args => [value(...args)].flat().join(""));
  const flat = (key, value) => {
    if (typeof value === "function") return called(key, value);
    return typeof value === "string" ? [value] : Object.values(value).flatMap(one => flat(key, one));
  };
  return Object.fromEntries(Object.entries(m.words(language)).map(([key, value]) => [key, flat(key, value)]));
})()"""
_KINDS = """(() => {
  const kind = value => typeof value === "object"
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kind(one)])) : typeof value;
  return kind(m.words(language));
})()"""


@pytest.fixture(scope="module", params=list(LANGUAGES))
def said(request, call):
    """The language, and everything that is said in it, by key."""
    return request.param, call("words", _FLAT, language=request.param, samples=SAMPLES)


def test_both_languages_say_the_same_things(call):
    ja, zh = (call("words", _KINDS, language=one) for one in LANGUAGES)
    assert ja == zh


def test_everything_is_said(said):
    _, texts = said
    assert set(SAMPLES) <= set(texts)
    assert [key for key, lines in texts.items() if not lines or not all(lines)] == []


def test_every_word_keeps_the_rules_of_its_language(said):
    language, texts = said
    found = [
        (key, line, str(finding))
        for key, lines in texts.items()
        # The date of a column («12/1〜») and the name of a file are no prose; a key has its own name.
        for line in lines
        if key not in ("weekOf", "saved", "keyList")
        for finding in language_findings(line, language)
    ]
    assert found == []


def test_characters_belong_to_the_language(said):
    language, texts = said
    everything = "".join(line for lines in texts.values() for line in lines)
    if language == "zh-Hant":
        assert re.findall(r"[\u3041-\u30fa]", everything) == []
        everything.replace("•", "").encode("big5")
    else:
        assert re.findall(r"[這們很說錯你嗎匯]", everything) == []


def test_nobody_is_shouted_at_or_shamed(said):
    _, texts = said
    everything = "".join(line for lines in texts.values() for line in lines)
    assert re.findall(r"[!！]|不合格|失敗|残念|間違え|答錯|不及格|落後", everything) == []


def test_grades_are_anki_s(call):
    assert call("words", "m.words('ja').grades") == ["もう一度", "難しい", "正解", "簡単"]
    assert call("words", "m.words('zh-Hant').grades") == ["重來", "困難", "良好", "簡單"]


def test_days_and_times(call):
    days = "(w => [w.when('2025-12-06', '2025-12-01'), w.when('2025-12-06', '2025-12-05')])(m.words(language))"
    assert call("words", days, language="ja") == ["12 月 6 日（土）", "明日"]
    assert call("words", days, language="zh-Hant") == ["12 月 6 日（六）", "明天"]
    times = "[40, 95, 120].map(m.words(language).time)"
    assert call("words", times, language="ja") == ["40 分", "1 時間 35 分", "2 時間"]
    assert call("words", times, language="zh-Hant") == ["40 分鐘", "1 小時 35 分鐘", "2 小時"]
