"""Loading a question file: all of it, or every fault at once."""

import copy

import pytest

from interview_book.practice.bank import Question, QuestionFaults, load, spoken, texts


def test_the_calibration_records_load(calibration):
    questions = load(calibration)
    assert [one.id for one in questions] == [
        "scaling.why-sqrt-dk",
        "masking.fully-masked-row",
        "monitoring.low-entropy-one-head",
    ]
    assert questions[0].readings["√dₖ"]["ja"] == "ルートディーケー"
    assert questions[0]["rubric"][1]["id"] == "root"


def test_one_of_each_kind_loads(records, write):
    assert [one.kind for one in load(write(*records.values()))] == list(records)


def test_a_question_is_a_frozen_mapping(records, write):
    (question,) = load(write(records["choice"]))
    assert isinstance(question, Question)
    assert dict(question)["id"] == question.id == "topic.choice"
    assert (question.level, question.chapter, question.passage) == ("core", "topic", "start")
    assert (question.bindings, question.allow, question.claims) == ({}, (), ("a-claim",))
    with pytest.raises(TypeError):
        question["options"][0]["right"] = False
    with pytest.raises(AttributeError):
        question["options"].append("more")


def test_all_faults_of_a_file_come_in_one_error(records, write):
    records["choice"]["options"][1].pop("misconception")
    records["number"]["surprise"] = 1
    del records["diagnose"]["solution"]["ja"]
    path = write(records["choice"], records["number"], records["diagnose"])
    with pytest.raises(QuestionFaults) as caught:
        load(path)
    found = {(one.question, one.rule) for one in caught.value.faults}
    assert found == {
        ("topic.choice", "misconception"),
        ("topic.number", "unknown-key"),
        ("topic.diagnose", "missing-language"),
    }
    message = str(caught.value)
    assert path.as_posix() in message
    assert "solution.ja: [missing-language] expected a text in ja, got nothing" in message
    assert "-> write it in ja" in message
    assert message.endswith("3 faults")


def test_an_id_is_used_once(records, write):
    with pytest.raises(QuestionFaults, match=r"duplicate-id.*questions 1 and 3") as caught:
        load(write(records["choice"], records["number"], copy.deepcopy(records["choice"])))
    assert len(caught.value.faults) == 1


def test_the_chapter_is_the_name_of_the_file(records, write):
    with pytest.raises(QuestionFaults, match="expected other, as the file is called, got 'topic'"):
        load(write(records["choice"], name="other.questions.yml"))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("questions: [}", "yaml"),
        ("questions:\n- a: 1\n  a: 2\n", "yaml"),
        ("", "type"),
        ("- 1", "type"),
        ("readings: {}\n", "type"),
        ("questions: []\n", "type"),
        ("questions: [1]\n", "choice"),
        ("questions: [{id: topic.x}]\n", "choice"),
        ("questions: [{id: topic.x, kind: [choice]}]\n", "choice"),
        ("questions: [{id: topic.x, kind: {choice: 1}}]\n", "choice"),
        ("questions: [{id: topic.x, kind: grade}]\n", "derived"),
        ("extra: 1\nquestions: [{kind: grade}]\n", "unknown-key"),
        ("readings: {x: エックス}\nquestions: [{kind: grade}]\n", "type"),
        ("readings: {x: {ja: エックス}}\nquestions: [{kind: grade}]\n", "missing-key"),
    ],
)
def test_a_file_that_is_none(tmp_path, text, rule):
    path = tmp_path / "topic.questions.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionFaults) as caught:
        load(path)
    assert rule in {one.rule for one in caught.value.faults}


def test_a_missing_file_and_a_foreign_encoding(tmp_path):
    with pytest.raises(QuestionFaults, match="missing-file"):
        load(tmp_path / "none.questions.yml")
    path = tmp_path / "topic.questions.yml"
    path.write_bytes("質問".encode("shift_jis"))
    with pytest.raises(QuestionFaults, match="expected UTF-8"):
        load(path)


def test_texts_name_their_fields(records, write):
    explain, choice = load(write(records["explain"], records["choice"]))
    fields = dict(texts(choice, "zh-Hant"))
    assert fields["options[1].text"] == "二"
    assert next(iter(fields)) == "question" and "options[2].why" in fields and spoken(choice, "ja") == []
    said = [field for field, _ in spoken(explain, "ja")]
    assert said[:3] == ["question", "answer_30s", "answer_2min"]
    assert {"samples.weak", "samples.strong", "follow_ups[0].ask", "push_back.good_answer", "deeper.ask"} <= set(said)
    written = {field for field, _ in texts(explain, "ja")} - set(said)
    assert {"rubric[0].point", "rubric[3].not_enough", "fatal[0]", "samples.weak.why"} <= written
    assert not any("ask" in field or "answer" in field for field in written)


def test_both_languages_have_the_same_fields(calibration):
    for question in load(calibration):
        assert [field for field, _ in texts(question, "ja")] == [field for field, _ in texts(question, "zh-Hant")]
