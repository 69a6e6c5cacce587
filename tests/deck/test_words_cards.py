"""The words of the cards: both languages, complete, in the book's own spelling, and sentences composed of them."""

import itertools
import re

import pytest

from interview_book.book.language_rules import language_findings
from interview_book.book.languages import LANGUAGES


def facts(label, got, **others):
    """What the sentence under a verdict is made of, with a plain answer of 30 s as the rest."""
    plain = {"of": 4, "musts": 2, "open": 0, "more": 1, "any": True, "wrong": 0}
    return {"label": label, "got": got, **plain, "inTime": True, "seconds": 27, "slot": 30, **others}


NOTES = [
    facts("strong", 4, more=0),
    facts("strong", 4, more=0, seconds=None),
    facts("strong", 3, more=0),
    facts("acceptable", 2),
    facts("acceptable", 2, any=False),
    facts("acceptable", 2, more=2, musts=1, of=6),
    facts("acceptable", 3, musts=3, of=6, more=2, any=False),
    facts("acceptable", 4, more=0, inTime=False, seconds=40),
    facts("acceptable", 2, inTime=False, seconds=140, slot=120),
    facts("acceptable", 2, inTime=False, seconds=40, any=False),
    facts("acceptable", 1, musts=0),
    facts("weak", 0, open=2, more=3),
    facts("weak", 1, open=1),
    facts("weak", 4, wrong=1, more=0),
    facts("weak", 0, musts=0, wrong=2),
    facts("weak", 0, open=2, wrong=1),
    facts("weak", 2, open=1, wrong=1),
]
SAMPLES = {
    "about": [[20], [75], [1200]],
    "clock": [[7, 30], [67, 120]],
    "clockOf": [[30], [120]],
    "late": [[6]],
    "brief": [[0], [4]],
    "namesAre": [[["d_k", "c"]], [["c", "rho（ρ）"]]],
    "orName": [["sigma_q", "σ_q"]],
    "letters": [[92, 30], [92, 120]],
    "weight": [[3]],
    "fatalChosen": [["題", 2]],
    "note": [[one] for one in NOTES],
    "timeOf": [[27, 30]],
    "moreFollowUps": [[2]],
    "answerIs": [["B"]],
    "example": [["0.35"]],
    "insert": [["σ"]],
    "unknownName": [["x", ["d_k", "c"]]],
    "valueIs": [["4.26 倍"]],
    "formulaIs": [["1"]],
    "agreed": [[3, 5]],
    "agreeNote": [["不足", 0, 10]],
    "hint": [[1, 3]],
    "hintTitle": [[1]],
    "days": [[0], [1], [59], [60], [400], [1000]],
}
_FLAT = """(() => {
  const called = (key, value) => (samples[key] ?? []).map(args => value(...args));
  const flat = (key, value) => {
    if (typeof value === "function") return called(key, value);
    return typeof value === "string" ? [value] : Object.values(value).flatMap(one => flat(key, one));
  };
  return Object.fromEntries(Object.entries(m.cardWords(language)).map(([key, value]) => [key, flat(key, value)]));
})()"""
_KINDS = """(() => {
  const kind = value => typeof value === "object"
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kind(one)])) : typeof value;
  return kind(m.cardWords(language));
})()"""


@pytest.fixture(scope="module", params=list(LANGUAGES))
def said(request, call):
    """The language, and everything that is said in it, by key."""
    return request.param, call("words_cards", _FLAT, language=request.param, samples=SAMPLES)


def test_both_languages_say_the_same_things(call):
    ja, zh = (call("words_cards", _KINDS, language=one) for one in LANGUAGES)
    assert ja == zh
    assert {key for key, kind in ja.items() if kind == "function"} == set(SAMPLES)


def test_everything_is_said(said):
    _, texts = said
    assert [key for key, lines in texts.items() if not lines or not all(lines)] == []


def test_every_word_keeps_the_rules_of_its_language(said):
    language, texts = said
    # The list of what may be typed, and parts of the stopwatch, are no prose.
    prose = {key: lines for key, lines in texts.items() if key not in ("signs", "clock", "clockOf", "colon", "slots")}
    found = [
        (key, line, str(finding))
        for key, lines in prose.items()
        for line in lines
        for finding in language_findings(line, language)
    ]
    assert found == []


def test_characters_belong_to_the_language(said):
    language, texts = said
    everything = "".join(itertools.chain(*texts.values()))
    if language == "zh-Hant":
        assert re.findall(r"[\u3041-\u30fa]", everything) == []
        everything.encode("big5")
    else:
        assert re.findall(r"[這們很說錯你嗎]", everything) == []


def test_nobody_is_shouted_at_or_shamed(said):
    _, texts = said
    # «Could not read» says that it does not count as wrong; nothing else speaks of wrong answers.
    everything = "".join(itertools.chain(*(lines for key, lines in texts.items() if key != "unreadable")))
    assert re.findall(r"[!！]|不合格|失敗|残念|間違え|不正解|答錯|不及格", everything) == []


def test_every_reason_has_words(call):
    """REASONS are what reading.js can answer; `name` has a sentence of its own."""
    asked = call("reading", "m.REASONS")
    for language in LANGUAGES:
        words = call("words_cards", "Object.keys(m.cardWords(language).reasons)", language=language)
        assert set(asked) - {"name"} == set(words)


def test_sentences_under_a_verdict(call):
    got = {
        language: call("words_cards", "notes.map(m.cardWords(language).note)", language=language, notes=NOTES)
        for language in LANGUAGES
    }
    assert got["ja"] == [
        "四つの項目が、時間内にすべてそろいました。",
        "四つの項目が、すべてそろいました。",
        "必須の項目がすべてそろい、配点の 8 割に届きました。",
        "必須の二項目が、両方そろいました。あと一つ足せば「優れた回答」です。",
        "必須の二項目が、両方そろいました。配点の大きい項目から、あと一つ足せば「優れた回答」です。",
        "必須の項目が入っています。あと二つ足せば「優れた回答」です。",
        "必須の三項目が、すべてそろいました。配点の大きい項目から、あと二つ足せば「優れた回答」です。",
        "必須の二項目が、両方そろいました。あとは 30 秒に収めれば「優れた回答」です。",
        "必須の二項目が、両方そろいました。あと一つ足し、2 分に収めれば「優れた回答」です。",
        "必須の二項目が、両方そろいました。配点の大きい項目から、あと一つ足し、30 秒に収めれば「優れた回答」です。",
        "あと一つ足せば「優れた回答」です。",
        "まだ印のついた項目がありません。回答例を一度、できれば声に出して読んでみましょう。",
        "項目が一つ入っています。必須の項目は、あと一つです。",
        "項目が四つ入っています。ただ、次の一文は直す必要があります。",
        "次の二つの文を直す必要があります。",
        "必須の項目は、あと二つです。直したい文もあります。",
        "項目が二つ入っています。必須の項目は、あと一つです。直したい文もあります。",
    ]
    assert got["zh-Hant"] == [
        "四個重點都有了，也在時間內。",
        "四個重點都有了。",
        "必講的重點都有了，配分也達到八成。",
        "兩個必講的重點都有了。再補一個就是「出色」。",
        "兩個必講的重點都有了。挑配分高的再補一個，就是「出色」。",
        "必講的重點有了。再補兩個就是「出色」。",
        "三個必講的重點都有了。挑配分高的再補兩個，就是「出色」。",
        "兩個必講的重點都有了。只要控制在 30 秒內，就是「出色」。",
        "兩個必講的重點都有了。再補一個，並控制在 2 分鐘內，就是「出色」。",
        "兩個必講的重點都有了。挑配分高的再補一個，並控制在 30 秒內，就是「出色」。",
        "再補一個就是「出色」。",
        "這次還沒有可以勾的重點，先讀一遍參考回答吧。",
        "有一個重點，還差一個必講的。",
        "有四個重點，不過下面這句話要改過來。",
        "下面這兩句話要改過來。",
        "還差兩個必講的重點，另外有地方要改過來。",
        "有兩個重點，還差一個必講的，另外有地方要改過來。",
    ]


def test_the_same_words_hold_for_what_was_said_written_and_thought(call):
    """Only what belongs to speaking names it: the heads of the ticks tell how one answered, the rest is for all."""
    for language, named in (("ja", "言え|言う|言った|話し"), ("zh-Hant", "講到|講了|說")):
        words = call(
            "words_cards",
            "(w => [w.counts, w.lacks, w.fatalFold, w.fatalNote, w.manner, w.inManner, w.claimTick, w.claimDone,"
            " w.claimOpen, ...Object.values(w.propose), ...notes.map(w.note)])(m.cardWords(language))",
            language=language,
            notes=NOTES,
        )
        # 說法 is any wording.
        assert [one for one in words if re.search(named, one.replace("說法", ""))] == []


def test_intervals(call):
    days = "[0, 1, 59, 60, 400, 1000].map(m.cardWords(language).days)"
    assert call("words_cards", days, language="ja") == ["今日", "1 日", "59 日", "2 か月", "13 か月", "2.7 年"]
    assert call("words_cards", days, language="zh-Hant") == ["今天", "1 天", "59 天", "2 個月", "13 個月", "2.7 年"]
