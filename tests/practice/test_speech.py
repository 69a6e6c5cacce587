"""Speech counted by hand, then on the calibration records."""

import pytest

from interview_book.practice import speech
from interview_book.practice.bank import load


@pytest.mark.parametrize(
    ("kana", "count"),
    [
        ("シャ", 1),
        ("トーキョー", 4),
        ("ニッポン", 4),
        ("フォワード", 4),
        ("クエリ", 3),
        ("ディーケー", 4),
        ("きって", 3),
        ("", 0),
    ],
)
def test_morae(kana, count):
    assert speech.morae(kana) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("これは式です。", 3 + 2 + 2),  # ko-re-wa shi-ki de-su
        ("分散は 1 です。", 4 + 1 + 2 + 2),  # bu-n-sa-n wa i-chi de-su
        ("dₖ", 4),  # dī-kē
        ("√dₖ で割る", 3 + 4 + 1 + 2),
        ("softmax と Query", 7 + 1 + 3),  # so-fu-to-ma-k-ku-su
        ("64 個", 6 + 1),  # ro-ku-jū-yo-n ko: ro ku ju u yo n
        ("3.7 ナット", 2 + 2 + 2 + 3),  # sa-n te-n na-na na-t-to
        ("−3", 4 + 2),
        ("c で割る", 2 + 1 + 2),
    ],
)
def test_japanese_by_hand(text, count):
    assert speech.length(text, "ja") == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("變異數是 1。", 5),
        ("除以 √dₖ", 2 + 2 + 2),  # 除以 根號 d k
        ("Query 和 Key 的內積", 2 + 1 + 1 + 1 + 2),
        ("softmax 的 Jacobian", 2 + 1 + 4),
        ("64 個 key", 3 + 1 + 1),
        ("128 維", 5 + 1),
        ("3.7 掉到 0.6 nat", 3 + 2 + 3 + 1),
        ("10⁻⁹", None),
    ],
)
def test_chinese_by_hand(text, count):
    if count is None:
        with pytest.raises(speech.Unsaid, match="⁻"):
            speech.length(text, "zh-Hant")
    else:
        assert speech.length(text, "zh-Hant") == count


def test_readings_of_the_file_come_first_and_longest_first():
    readings = {"dₖ": {"ja": "ア", "zh-Hant": "一"}, "√dₖ": {"ja": "アア", "zh-Hant": "一一"}}
    assert speech.length("√dₖdₖ", "ja", readings) == 3
    assert speech.length("√dₖdₖ", "zh-Hant", readings) == 3


def test_a_reading_for_a_letter_leaves_words_alone():
    readings = {"n": {"ja": "アアアアアアアアア", "zh-Hant": "一二三四五六七八九"}}
    assert speech.length("norm", "ja", readings) == 3
    assert speech.length("n 個", "zh-Hant", readings) == 10


def test_a_reading_may_spell_syllables():
    assert speech.length("sigmoid", "zh-Hant", {"sigmoid": {"ja": "シグモイド", "zh-Hant": "sig-moid"}}) == 2


@pytest.mark.parametrize(
    ("text", "language", "what"),
    [
        ("sigmoid です", "ja", "sigmoid"),
        ("sigmoid 呢", "zh-Hant", "sigmoid"),
        ("a→b", "ja", "→"),
        ("ノルム", "zh-Hant", "ノルム"),
    ],
)
def test_what_has_no_reading_is_named(text, language, what):
    with pytest.raises(speech.Unsaid) as caught:
        speech.length(text, language)
    assert caught.value.what == what


def test_rates():
    # 20 kana at 400 a minute are 3 s; 11 Han at 220 a minute are 3 s.
    assert speech.seconds("あ" * 20, "ja") == pytest.approx(3)
    assert speech.seconds("一" * 11, "zh-Hant") == pytest.approx(3)


# language.md 3.2: the records lie at 151–171 / 547–590 morae and 81–90 / 308–355 syllables; 3 % for another dictionary.
SPANS = {
    ("ja", "answer_30s"): (151, 171),
    ("ja", "answer_2min"): (547, 590),
    ("zh-Hant", "answer_30s"): (81, 90),
    ("zh-Hant", "answer_2min"): (308, 355),
}


@pytest.mark.parametrize(("language", "field"), SPANS)
def test_the_calibration_records_are_counted_as_published(calibration, language, field):
    found = [speech.counts(one, one.readings, language)[field] for one in load(calibration)]
    assert (min(found), max(found)) == pytest.approx(SPANS[language, field], rel=0.03)


def test_the_calibration_records_have_no_faults_of_speech(calibration):
    assert speech.faults(load(calibration), "calibration.yml") == []


def test_faults_name_the_field_the_limit_and_the_distance(records, write):
    record = records["explain"]
    record["answer_30s"]["ja"] = "あ" * 149
    record["answer_2min"]["zh-Hant"] = "一" * 401
    record["deeper"]["good_answer"]["ja"] = "あ" * 201
    record["push_back"]["ask"]["zh-Hant"] = "那 sigmoid 呢？"
    found = speech.faults(load(write(record)), "x.yml")
    assert [(one.rule, one.field, one.expected, one.got) for one in found] == [
        ("speech", "answer_30s.ja", "150 to 190 morae", "149"),
        ("speech", "deeper.good_answer.ja", "1 to 200 morae", "201"),
        ("speech", "answer_2min.zh-Hant", "300 to 400 syllables", "401"),
        ("unsaid", "push_back.ask.zh-Hant", "words with a reading", "'sigmoid'"),
    ]
    assert found[0].mend == "say more: by 1" and found[1].mend == "say less: by 1"
    assert 'add "sigmoid"' in found[3].mend


def test_the_table_lists_every_spoken_text(records, write):
    questions = load(write(records["explain"], records["choice"]))
    lines = speech.table(questions).splitlines()
    assert "scaling.why-sqrt-dk  answer_30s.zh-Hant  90 syllables" in lines
    assert len(lines) == 2 * len(speech.spoken(questions[0], "ja"))
