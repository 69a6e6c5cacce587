"""How near is near enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.practice.tolerances import Tolerance


@pytest.mark.parametrize(
    ("kind", "size", "right", "margin"),
    [
        ("absolute", 0.001, 123.0, 0.001),
        ("relative", 0.01, -200.0, 2.0),
        ("significant", 3, 0.8808, 0.0005),
        ("significant", 3, 2.972, 0.005),
        ("significant", 2, 170.0, 5.0),
        ("significant", 3, 0.9999, 0.005),  # 1.00 to three digits
        ("significant", 3, 0.0, 0.0),
    ],
)
def test_margins(kind, size, right, margin):
    assert Tolerance(kind, size).margin(right) == pytest.approx(margin, rel=1e-12)


def test_the_edge_does_not_hang_on_the_last_bit():
    # 0.881 - 0.8805 is 0.000500000000000056 in binary; 0.8805 rounds to either neighbour.
    assert Tolerance("significant", 3).holds(0.881, 0.8805)
    assert Tolerance("significant", 3).holds(0.880, 0.8805)
    assert not Tolerance("significant", 3).holds(0.8799, 0.8805)
    assert Tolerance("absolute", 0.1).holds(0.3, 0.2)


@pytest.mark.parametrize(
    ("kind", "size", "value", "shown"),
    [
        ("absolute", 0.001, 0.8807970779778823, "0.881"),
        ("absolute", 0.001, -0.0004, "0.000"),
        ("absolute", 1, 12.6, "13"),
        ("absolute", 0.005, 0.8807970779778823, "0.881"),
        ("relative", 0.01, 60.403, "60.4"),
        ("relative", 0.01, 0.016555, "0.0166"),
        ("relative", 0.01, 181.2, "181"),
        ("significant", 3, 0.99995, "1.00"),
        ("significant", 2, 1234.0, "1234"),
        ("significant", 3, 0.0, "0"),
    ],
)
def test_what_is_shown(kind, size, value, shown):
    assert Tolerance(kind, size).show(value) == shown


@given(
    st.sampled_from([Tolerance("absolute", 0.001), Tolerance("relative", 0.01), Tolerance("significant", 3)]),
    st.floats(min_value=1e-6, max_value=1e6) | st.floats(min_value=-1e6, max_value=-1e-6),
)
def test_a_shown_answer_counts_as_right(tolerance, value):
    assert tolerance.holds(float(tolerance.show(value)), value)


def test_it_is_read_from_a_record():
    assert Tolerance.of({"significant": 3}) == Tolerance("significant", 3)
