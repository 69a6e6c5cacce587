"""Faults are read by a person: in the order of the file."""

from interview_book.book.errors import Fault, Faults


def fault(where: str, file: str = "a.ipynb", rule: str = "r") -> Fault:
    return Fault(file, where, rule, "expected one, got two", "take one away")


def test_cells_come_in_the_order_of_the_chapter():
    faults = [fault("cell 10 (x-ja)"), fault("cell 2 (y-ja)"), fault("", "b.ipynb"), fault("")]
    assert [f.where for f in Faults(faults).faults] == ["", "cell 2 (y-ja)", "cell 10 (x-ja)", ""]


def test_a_fault_names_file_place_rule_and_mend():
    assert str(fault("cell 2 (y-ja)")) == (
        "a.ipynb: cell 2 (y-ja): [r] expected one, got two\n    -> take one away"
    )


def test_the_count_closes_the_list():
    assert str(Faults([fault("a")])).endswith("\n1 fault")
    assert str(Faults([fault("a"), fault("b")])).endswith("\n2 faults")
