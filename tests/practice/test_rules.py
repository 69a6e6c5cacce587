"""Each fault of a record is found, named, and the only one."""

import pytest

from interview_book.practice.bank import QuestionFaults, load


def put(*path, value):
    def spoil(record):
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return spoil


def drop(*path):
    def spoil(record):
        for step in path[:-1]:
            record = record[step]
        del record[path[-1]]

    return spoil


def unanswered(record):
    del record["passage"]
    record["sources"] = ["a-paper"]


def no_must(record):
    for point in record["rubric"]:
        point["must"] = False
    # The weak sample stays weak by its fatal statement.


def second_right(record):
    record["options"][1]["right"] = True
    del record["options"][1]["misconception"]


SPOILT = [
    # common fields
    ("choice", drop("level"), "missing-key", ""),
    ("choice", put("level", value="strong"), "choice", "level"),
    ("choice", put("frequency", value="often"), "choice", "frequency"),
    ("choice", put("roles", value=[]), "count", "roles"),
    ("choice", put("roles", 0, value="boss"), "choice", "roles[0]"),
    ("choice", put("claims", value=[]), "count", "claims"),
    ("choice", put("id", value="Topic"), "form", "id"),
    ("choice", put("passage", value="#start"), "form", "passage"),
    ("choice", unanswered, "unanswered", ""),
    ("choice", put("values", value={0.5: "topic:half"}), "form", "values.0.5"),
    ("choice", put("values", value={"0.5": "half"}), "form", "values.0.5"),
    ("choice", put("allow", value=[2]), "form", "allow[0]"),
    ("choice", put("extra", value=1), "unknown-key", ""),
    ("choice", put("question", value="text"), "type", "question"),
    ("choice", put("question", "en", value="text"), "unknown-key", "question"),
    ("choice", put("question", "ja", value=7), "type", "question.ja"),
    ("choice", put("question", "ja", value="  "), "empty", "question.ja"),
    ("choice", put("question", "ja", value="$x を"), "markup", "question.ja"),
    ("choice", put("question", "ja", value="$x の$"), "markup", "question.ja"),
    ("choice", put("question", "ja", value="`x"), "markup", "question.ja"),
    # choice
    ("choice", drop("options", 0, "right"), "right", "options"),
    ("choice", second_right, "right", "options"),
    ("choice", drop("options", 1, "misconception"), "misconception", "options[1]"),
    ("choice", put("options", 0, "misconception", value={"ja": "誤", "zh-Hant": "誤"}), "misconception", "options[0]"),
    ("choice", put("options", 1, "id", value="one"), "duplicate-id", "options[1].id"),
    ("choice", put("options", 1, "text", "zh-Hant", value="一"), "duplicate-text", "options"),
    ("choice", drop("options", 1, "why"), "missing-key", "options[1]"),
    # explain
    ("explain", no_must, "no-must", "rubric"),
    ("explain", put("rubric", 0, "weight", value=0), "range", "rubric[0].weight"),
    ("explain", put("rubric", 0, "weight", value=2.5), "range", "rubric[0].weight"),
    ("explain", put("rubric", 0, "must", value="yes please"), "type", "rubric[0].must"),
    ("explain", put("rubric", 2, "id", value="limits"), "duplicate-id", "rubric[3].id"),
    ("explain", drop("push_back"), "missing-key", ""),
    ("explain", drop("deeper"), "missing-key", ""),
    ("explain", drop("follow_ups", 0, "good_answer"), "missing-key", "follow_ups[0]"),
    ("explain", put("follow_ups", 1, "when_missing", value="roots"), "unknown-point", "follow_ups[1].when_missing"),
    ("explain", drop("follow_ups", 0), "no-follow-up", "follow_ups"),
    ("explain", put("samples", "strong", "earns", 0, value="scales"), "unknown-point", "samples.strong.earns[0]"),
    ("explain", put("samples", "weak", "fatal", value=[2]), "range", "samples.weak.fatal[0]"),
    ("explain", put("samples", "weak", "fatal", value=[-1]), "range", "samples.weak.fatal[0]"),
    ("explain", put("samples", "acceptable", "earns", value=["scale"]), "verdict", "samples.acceptable"),
    ("explain", put("samples", "strong", "earns", value=["scale", "root"]), "verdict", "samples.strong"),
    ("explain", put("samples", "strong", "fatal", value=[1]), "verdict", "samples.strong"),
    ("explain", drop("samples", "weak"), "missing-key", "samples"),
    ("explain", put("answer_30s", "ja", value="$\\sqrt{d_k}$ で割ります。"), "spoken", "answer_30s.ja"),
    ("explain", put("deeper", "ask", "zh-Hant", value="`softmax` 呢？"), "spoken", "deeper.ask.zh-Hant"),
    ("explain", put("english_first_line", value="分散のため"), "form", "english_first_line"),
    # number
    ("number", drop("tolerance"), "missing-key", ""),
    ("number", drop("unit"), "missing-key", ""),
    ("number", drop("distractors"), "missing-key", ""),
    ("number", put("tolerance", value={"absolute": 0.1, "relative": 0.1}), "count", "tolerance"),
    ("number", put("tolerance", value={"absolute": 0}), "range", "tolerance.absolute"),
    ("number", put("tolerance", value={"absolute": 0.9}), "tolerance", "tolerance"),
    ("number", put("unit", value="nat"), "choice", "unit"),
    ("number", put("unit", value="none"), "unit", "accepts"),
    ("number", put("generator", value="two-scores.height"), "unknown-generator", "generator"),
    ("number", drop("distractors", 0), "missing-mistake", "distractors"),
    ("number", put("question", "zh-Hant", value="$[<a>, 0]$"), "parity", "question"),
    ("number", put("solution", "ja", value="<wrong> です"), "placeholder", "solution.ja"),
    ("number", put("distractors", 0, "why", "ja", value="<b> です"), "placeholder", "distractors[0].why.ja"),
    # expression, code, diagnose
    ("expression", put("variables", "p", "low", value=0.95), "range", "variables.p"),
    ("expression", put("variables", "p", "low", value="0"), "type", "variables.p.low"),
    ("expression", drop("variables", "p", "tex"), "missing-key", "variables.p"),
    ("expression", drop("tex"), "missing-key", ""),
    ("expression", put("mistakes", 0, "expression", value="p * (1 - p)"), "right", "mistakes[0]"),
    ("expression", put("mistakes", value=[]), "count", "mistakes"),
    ("code", put("model", value="def double(x):\nreturn"), "code", "model"),
    ("code", put("mutants", 0, "code", value="def treble(x):\n    return 3 * x\n"), "code", "mutants[0].code"),
    ("code", put("mutants", 0, "code", value="def double(x):\n    return 2 * x"), "mutant", "mutants[0]"),
    ("code", put("equivalents", value=[]), "count", "equivalents"),
    ("code", lambda record: record["hints"].pop(), "count", "hints"),
    ("code", drop("example"), "missing-key", ""),
    ("code", drop("mutants", 0, "killed_by"), "missing-key", "mutants[0]"),
    ("diagnose", drop("causes", 0, "right"), "right", "causes"),
    ("diagnose", drop("causes", 1, "ruled_out_by"), "ruled-out", "causes[1]"),
    ("diagnose", put("causes", 1, "ruled_out_by", value="size"), "unknown-point", "causes[1].ruled_out_by"),
    ("diagnose", put("needs", value=["size"]), "unknown-point", "needs[0]"),
]


@pytest.mark.parametrize(("kind", "spoil", "rule", "field"), SPOILT)
def test_a_spoilt_record_is_named(records, write, kind, spoil, rule, field):
    record = records[kind]
    spoil(record)
    with pytest.raises(QuestionFaults) as caught:
        load(write(record))
    found = [(one.rule, one.field) for one in caught.value.faults]
    assert (rule, field) in found
    fault = next(one for one in caught.value.faults if (one.rule, one.field) == (rule, field))
    assert fault.expected and fault.got and fault.mend
    assert fault.question in {record["id"], "question 1"}


def test_a_number_is_bound_or_allowed_but_not_both(records, write):
    records["choice"].update(values={"0.5": "topic:half"}, allow=["0.5"])
    with pytest.raises(QuestionFaults, match="numbers that are not bound"):
        load(write(records["choice"]))


def test_a_question_no_chapter_answers_needs_evidence_and_a_source(records, write):
    record = records["choice"]
    del record["passage"]
    record.update(sources=["a-paper"], figures=[{"value": "1.2", "from": "exp(0.2)"}])
    assert load(write(record))[0].passage is None


def test_the_distractors_are_the_mistakes_of_the_generator(records, write):
    records["number"]["distractors"][0]["mistake"] = "guessed"
    with pytest.raises(QuestionFaults) as caught:
        load(write(records["number"]))
    assert {one.rule for one in caught.value.faults} == {"unknown-mistake", "missing-mistake"}
