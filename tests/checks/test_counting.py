"""Costs: the multiplications of the textbook, none lost or counted twice; memory and time that are told rightly."""

import time
import tracemalloc

import numpy as np
import pytest

from interview_book.attention import attend, online_attend, scores, softmax
from interview_book.checks.counting import fastest, multiplications, peak_bytes


def ones(*shape):
    return np.ones(shape)


@pytest.mark.parametrize(("n", "d", "m"), [(2, 3, 5), (7, 11, 13), (1, 17, 1), (3, 1, 19)])
def test_a_matrix_product_needs_n_d_m(n, d, m):
    assert multiplications(np.matmul, ones(n, d), ones(d, m)) == n * d * m


def test_every_batch_entry_counts():
    assert multiplications(np.matmul, ones(5, 2, 3), ones(5, 3, 7)) == 5 * 2 * 3 * 7


def test_the_stages_of_attention_cost_what_theory_says():
    """theory.md 3.9: n d_m (2 d + d_v) for the projections, n² (d + d_v) for the pairs."""
    n, d_model, d, d_v = 13, 11, 7, 5
    x, w_q, w_k, w_v = ones(n, d_model), ones(d_model, d), ones(d_model, d), ones(d_model, d_v)
    projected = sum(multiplications(np.matmul, x, w) for w in (w_q, w_k, w_v))
    compared = multiplications(lambda q, k: q @ k.T, ones(n, d), ones(n, d))
    mixed = multiplications(np.matmul, ones(n, n), ones(n, d_v))
    assert projected == 13 * 11 * 19 == 2717
    assert (compared, mixed) == (13 * 13 * 7, 13 * 13 * 5) == (1183, 845)


def test_only_products_count():
    x, y = np.array([2.0, 3.0, 5.0]), np.array([7.0, 11.0, 13.0])
    assert multiplications(lambda a, b: a + b - a, x, y) == 0
    assert multiplications(lambda a: 1.0 - (-a) + 2, x) == 0
    assert multiplications(lambda a: a * 0.5, x) == 3
    assert multiplications(lambda a: 0.5 * a, x) == 3
    assert multiplications(lambda a, b: a * b + a, x, y) == 3


def test_counted_numbers_give_the_right_product():
    """A count of wrong arithmetic would be worth nothing: by hand, 2·7 + 3·11 − (5 − 13) = 55."""
    found = []
    x, y = np.array([2.0, 3.0, 5.0]), np.array([7, 11, 13])
    count = multiplications(lambda a, b: found.append(a[0] * b[0] + a[1] * b[1] - (a[2] - b[2])), x, y)
    assert (found[0].value, count) == (55.0, 2)
    assert repr(found[0]) == "counted 55.0"
    assert multiplications(lambda a: found.append(10 - a[0]), x) == 0 and found[1].value == 8.0


def test_two_counts_do_not_meet():
    first = multiplications(np.matmul, ones(2, 3), ones(3, 5))
    outer = multiplications(lambda a: multiplications(np.matmul, ones(2, 3), ones(3, 5)) * a, ones(7))
    assert (first, outer) == (30, 7)


def test_arguments_stay_as_they_were():
    x = np.array([[2.0, 3.0]])
    multiplications(lambda a: a.fill(0), x)
    assert x.tolist() == [[2.0, 3.0]]


@pytest.mark.parametrize("function", [softmax, lambda x: attend(x, x, x), lambda x: scores(x, x)])
def test_a_function_that_needs_floats_is_refused_and_not_counted_as_free(function):
    with pytest.raises(TypeError):
        multiplications(function, ones(2, 3))


def test_what_cannot_be_counted_says_what_was_expected():
    with pytest.raises(TypeError, match=r"expected a function of \+ - and \* alone, got one that turns"):
        multiplications(lambda a: np.asarray(a, dtype=float), ones(2))
    with pytest.raises(TypeError):
        multiplications(lambda a: a / 2, ones(2))
    with pytest.raises(TypeError):
        multiplications(lambda a: a * "two", ones(2))
    with pytest.raises(TypeError, match=r"array 2: expected real numbers, got dtype complex128; try array\.astype"):
        multiplications(np.matmul, ones(2, 3), ones(3, 5) * 1j)
    with pytest.raises(TypeError, match="array 1: expected real numbers, got dtype <U1"):
        multiplications(np.matmul, np.array(["a"]), ones(2))


def test_the_peak_is_what_is_held_at_once():
    """Two arrays of 8 MB at once, then one: Python's own objects beside them take far less than 1 %."""

    def held(n):
        first = np.ones(n)
        second = first + 1
        del first
        return second * 1.0 if n < 0 else second

    n = 1_000_003
    assert 2 * 8 * n <= peak_bytes(held, n) < 1.01 * 2 * 8 * n
    assert not tracemalloc.is_tracing()


def test_the_peak_leaves_out_what_was_there_before():
    tracemalloc.start()
    try:
        before = np.ones(1_000_003)
        (before * 3).sum()  # an earlier peak
        assert 8 * 10_007 <= peak_bytes(np.ones, 10_007) < 1.1 * 8 * 10_007
        assert tracemalloc.is_tracing() and before.size
    finally:
        tracemalloc.stop()


def test_a_failing_function_leaves_no_tracing_behind():
    calls = []

    def fails():
        calls.append(None)
        if len(calls) == 2:
            raise OverflowError("second call")

    with pytest.raises(OverflowError):
        peak_bytes(fails)
    assert not tracemalloc.is_tracing()


def test_blocks_save_the_score_matrix():
    n = 509
    q = np.random.Generator(np.random.PCG64(61)).standard_normal((n, 11))
    matrix = 8 * n**2
    assert peak_bytes(attend, q, q, q) > matrix
    assert peak_bytes(lambda: online_attend(q, q, q, block=17)) < matrix / 5


def test_the_fastest_call_counts():
    """Calls of 40, 0 and 40 ms: the shortest is far below 20 ms unless the machine stands still."""
    waits = iter([0.04, 0.0, 0.04])
    assert 0 < fastest(lambda: time.sleep(next(waits)), repeats=3) < 0.02
    with pytest.raises(StopIteration):
        next(waits)
    with pytest.raises(ValueError, match="repeats: expected at least 1, got 0"):
        fastest(time.time, repeats=0)
