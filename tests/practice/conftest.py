"""One valid record of each kind, to be spoilt by the tests."""

import copy
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent


def both(ja="日本語の文", zh="中文的句子"):
    return {"ja": ja, "zh-Hant": zh}


def common(kind, **fields):
    return {
        "id": f"topic.{kind}",
        "kind": kind,
        "level": "core",
        "frequency": "common",
        "chapter": "topic",
        "passage": "start",
        "roles": ["research"],
        "claims": ["a-claim"],
        "question": both(),
        **fields,
    }


def choice():
    return common(
        "choice",
        options=[
            {"id": "one", "right": True, "text": both("一", "一"), "why": both()},
            {"id": "two", "text": both("二", "二"), "misconception": both(), "why": both()},
            {"id": "three", "text": both("三", "三"), "misconception": both(), "why": both("$x$ と `y`", "$x$ 和 `y`")},
        ],
    )


def number():
    mistakes = ["forgot-to-divide", "divided-by-square", "swapped-positions"]
    return common(
        "number",
        question=both("$[<a>, 0]$ を $<c>$ で割る", "$[<a>, 0]$ 除以 $<c>$"),
        generator="two-scores.weight",
        tolerance={"absolute": 0.001},
        unit=both("ナット", "nat"),
        accepts=["nat", "ナット"],
        solution=both("<answer> です", "是 <answer>"),
        distractors=[{"mistake": one, "name": both(), "why": both("<wrong> です", "是 <wrong>")} for one in mistakes],
    )


def expression():
    return common(
        "expression",
        variables={"p": {"low": 0.1, "high": 0.9, "tex": "p"}},
        answer="p*(1-p)",
        tex="p(1-p)",
        equivalents=["p-p^2"],
        mistakes=[{"id": "square", "expression": "p^2", "name": both(), "why": both()}],
        solution=both(),
    )


def code():
    return common(
        "code",
        function="double",
        starter="def double(x):\n    ...\n",
        model="def double(x):\n    return 2 * x\n",
        equivalents=[{"id": "sum", "code": "def double(x):\n    return x + x\n"}],
        mutants=[
            {
                "id": "square",
                "code": "def double(x):\n    return x * x\n",
                "killed_by": "values",
                "name": both(),
                "why": both(),
            }
        ],
        example=both(),
        hints=[both(), both(), both()],
        solution=both(),
    )


def diagnose():
    return common(
        "diagnose",
        measurements=[{"id": one, "name": both(one, one), "shows": both()} for one in ("std", "norm", "loss")],
        causes=[
            {"id": "no-scale", "right": True, "text": both("甲", "甲"), "why": both()},
            {"id": "learned", "text": both("乙", "乙"), "why": both(), "ruled_out_by": "norm"},
        ],
        needs=["std"],
        solution=both(),
    )


@pytest.fixture
def records():
    """A valid record by kind, fresh for each test; explain is the first of the calibration records."""
    data = yaml.safe_load((HERE / "calibration.yml").read_text(encoding="utf-8"))
    explain = copy.deepcopy(data["questions"][0])
    explain["chapter"] = "topic"
    kinds = {one["kind"]: one for one in (choice(), number(), expression(), code(), diagnose())}
    return {"explain": explain, **kinds}


@pytest.fixture
def write(tmp_path):
    """Write records as a question file of the chapter ``topic`` and return its path."""

    def put(*questions, readings=None, name="topic.questions.yml"):
        path = tmp_path / name
        data = {"readings": readings or {}, "questions": list(questions)}
        path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")
        return path

    return put


@pytest.fixture
def calibration():
    """Path of the three calibration records."""
    return HERE / "calibration.yml"
