"""What YAML hides is refused."""

import pytest

from interview_book.practice.strict_yaml import YamlFault, parse


def test_plain_data_comes_out():
    assert parse("a: [1, 2.5, true, null, '文']\nb: {c: 質問}\n") == {
        "a": [1, 2.5, True, None, "文"],
        "b": {"c": "質問"},
    }


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "key 'a' twice (first on line 1)"),
        ("a:\n  b: 1\n  b: 1\n", 3, "key 'b' twice (first on line 2)"),
        ("- {ja: x, zh-Hant: y, ja: z}\n", 1, "key 'ja' twice"),
        ("a: &x 1\nb: *x\n", 2, "alias *x"),
        ("a: {b: 1}\nc:\n  <<: {b: 2}\n", 3, "merge key"),
        ("? [1, 2]\n: 3\n", 1, "not a plain word"),
        ("a: !!python/object/apply:os.getpid []\n", 1, "could not determine a constructor"),
        ("a: [1\n", 2, "expected"),
        ("a: b: c\n", 1, "mapping values are not allowed"),
        ("a: 2024-99-99\n", 0, "month"),
        ("a: \x07\n", 0, "special characters"),
    ],
)
def test_faults_name_their_line(text, line, reason):
    with pytest.raises(YamlFault) as caught:
        parse(text)
    assert reason in caught.value.reason
    assert caught.value.line == line


def test_deep_nesting_is_a_fault_and_no_crash():
    with pytest.raises(YamlFault):
        parse("[" * 5000)
