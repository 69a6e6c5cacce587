"""Masks against loops and the definition; how they resolve; what becomes of empty rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.attention.masks import (
    causal_allow,
    find_empty_rows,
    padding_allow,
    pairs,
    refuse_empty_rows,
    settle_empty_rows,
    spread_allow,
    window_allow,
)

sizes = st.sampled_from([1, 2, 3, 5, 7, 11])
aligns = st.sampled_from(["top-left", "bottom-right"])
reach = st.none() | st.integers(0, 12)


def by_loops(n_q, n_k, before, after, align):
    """The window by its definition."""
    offset = {"top-left": 0, "bottom-right": n_k - n_q}[align]
    allowed = np.zeros((n_q, n_k), dtype=bool)
    for i in range(n_q):
        for j in range(n_k):
            place = i + offset
            allowed[i, j] = (before is None or place - j <= before) and (after is None or j - place <= after)
    return allowed


def test_causal_by_hand(enforce):
    causal = enforce(causal_allow)
    np.testing.assert_array_equal(causal(3, 3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    np.testing.assert_array_equal(causal(2, 5, "top-left"), [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]])
    np.testing.assert_array_equal(causal(2, 5, "bottom-right"), [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
    np.testing.assert_array_equal(causal(5, 2, "bottom-right"), [[0, 0]] * 3 + [[1, 0], [1, 1]])
    np.testing.assert_array_equal(causal(5, 2, "top-left"), [[1, 0]] + [[1, 1]] * 4)
    assert causal(3, 3).dtype == bool and causal(0, 3, "top-left").shape == (0, 3)


@given(sizes, sizes, aligns)
def test_causal_by_its_definition(n_q, n_k, align):
    np.testing.assert_array_equal(causal_allow(n_q, n_k, align), by_loops(n_q, n_k, None, 0, align))


@given(sizes, sizes, reach, reach, aligns)
def test_window_by_its_definition(n_q, n_k, before, after, align):
    np.testing.assert_array_equal(
        window_allow(n_q, n_k, before, after, align), by_loops(n_q, n_k, before, after, align)
    )


def test_window_by_hand(enforce):
    window = enforce(window_allow)
    np.testing.assert_array_equal(window(4, 4, 1), [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]])
    np.testing.assert_array_equal(window(2, 4, 0, 1, "bottom-right"), [[0, 0, 1, 1], [0, 0, 0, 1]])
    assert window(3, 5, None, None, "top-left").all()


def test_padding_by_hand(enforce):
    padding = enforce(padding_allow)
    np.testing.assert_array_equal(padding(np.array([2, 0, 3]), 3), [[[1, 1, 0]], [[0, 0, 0]], [[1, 1, 1]]])
    np.testing.assert_array_equal(padding(2, 5), [[1, 1, 0, 0, 0]])
    np.testing.assert_array_equal(padding(np.array([2]), 3)[..., ::-1], [[[0, 1, 1]]])
    assert padding(np.array([[2], [1]]), 7).shape == (2, 1, 1, 7)
    assert padding(np.array([2, 1], dtype=np.uint8), 7).dtype == bool


def test_masks_combine_by_and():
    both = causal_allow(3, 3) & padding_allow(np.array([2, 3]), 3)
    np.testing.assert_array_equal(both[0], [[1, 0, 0], [1, 1, 0], [1, 1, 0]])
    np.testing.assert_array_equal(both[1], causal_allow(3, 3))


def test_each_call_gives_an_array_of_its_own():
    for make in (lambda: causal_allow(3, 3), lambda: padding_allow(np.array([2]), 3), lambda: window_allow(3, 3, 1)):
        before = make().copy()
        make()[:] = ~before
        np.testing.assert_array_equal(make(), before)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda: causal_allow(3, 5),
            ValueError,
            "align: expected 'top-left' or 'bottom-right' because n_q = 3 and n_k",
        ),
        (lambda: causal_allow(3, 3, "left"), ValueError, "align: expected .* got 'left'"),
        (lambda: causal_allow(3, 5, 1), ValueError, "align: expected .* got 1"),
        (lambda: causal_allow(3.0, 5), TypeError, r"n_q: expected a whole number, got 3\.0; try int\(n_q\)"),
        (lambda: causal_allow(True, 5), TypeError, "n_q: expected a whole number, got True"),
        (lambda: causal_allow(-1, 5, "top-left"), ValueError, "n_q: expected at least 0, got -1"),
        (lambda: causal_allow(3, 0, "top-left"), ValueError, "n_k: expected at least 1, got 0"),
        (lambda: window_allow(3, 3, -1), ValueError, "before: expected at least 0, got -1"),
        (lambda: window_allow(3, 3, 1, -2), ValueError, "after: expected at least 0, got -2"),
        (lambda: window_allow(3, 3, 1.5), TypeError, "before: expected a whole number, got 1.5"),
        (lambda: padding_allow(np.array([2, 4]), 3), ValueError, r"from 0 to n_k = 3, got 2 to 4 \(shape \(2,\)\)"),
        (lambda: padding_allow(-1, 3), ValueError, "lengths: .*got -1"),
        (lambda: padding_allow(np.array([2.0]), 3), TypeError, r"lengths: .*got float64 of shape \(1,\)"),
        (lambda: padding_allow(np.array([True]), 3), TypeError, r"got bool.*try mask\.sum\(axis=-1\)"),
    ],
)
def test_bad_masks_are_named(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_nothing_masked_is_no_mask():
    assert pairs((3, 7), (5, 7)) is None
    assert find_empty_rows(None) is None


@given(st.data(), sizes, sizes, aligns, st.booleans(), st.booleans())
def test_blocks_are_cut_out_of_the_whole(data, n_q, n_k, align, causal, masked):
    shape = data.draw(st.sampled_from([(n_q, n_k), (1, n_k), (n_q, 1), (2, 1, 1, n_k), (1, 3, n_q, n_k), (2, 3, 1, 1)]))
    allow = np.random.Generator(np.random.PCG64(1)).random(shape) < 0.6 if masked else None
    arguments = ((2, 1, n_q, 13), (3, n_k, 13), allow, causal, align if causal else None)
    whole = pairs(*arguments)
    if not (causal or masked):
        assert whole is None
        return
    expected = np.ones((2, 3, n_q, n_k), dtype=bool)
    expected &= True if allow is None else allow
    expected &= by_loops(n_q, n_k, None, 0, align) if causal else True
    assert whole.shape == (2, 3, n_q, n_k)
    np.testing.assert_array_equal(whole, expected)
    rows, keys = (slice(*sorted((data.draw(st.integers(0, n)), data.draw(st.integers(0, n))))) for n in (n_q, n_k))
    np.testing.assert_array_equal(pairs(*arguments, rows=rows, keys=keys), expected[..., rows, keys])


def test_a_mask_is_neither_copied_nor_writeable():
    allow = np.ones((2, 1, 1, 5), dtype=bool)
    found = pairs((2, 3, 7, 11), (2, 3, 5, 11), allow)
    assert found.shape == (2, 3, 7, 5) and np.shares_memory(found, allow) and not found.flags.writeable
    assert pairs((5, 11), (5, 11), None, True).shape == (5, 5)


def test_batch_of_masks_widens_the_scores():
    assert pairs((1, 3, 7), (1, 5, 7), np.ones((2, 3, 5), dtype=bool), True, "top-left").shape == (2, 3, 5)


def test_one_row_of_scores_takes_one_row_of_mask():
    np.testing.assert_array_equal(spread_allow(np.array([True, False, True]), (3,)), [1, 0, 1])
    with pytest.raises(ValueError, match=r"allow: expected rank 1 beside scores of shape \(3,\), got shape \(2, 3\)"):
        spread_allow(np.ones((2, 3), dtype=bool), (3,))
    with pytest.raises(ValueError, match=r"allow: expected rank 1 or|allow: expected rank 1 .* got shape \(\)"):
        spread_allow(np.array(True), (3,))


def test_empty_rows_are_found_counted_and_located():
    allowed = np.ones((2, 3, 5), dtype=bool)
    allowed[1, 0] = allowed[1, 2] = False
    empty = find_empty_rows(allowed)
    np.testing.assert_array_equal(empty, [[0, 0, 0], [1, 0, 1]])
    says = r"none in 2 of 6 rows \(first at index \(1, 0\), shape of the rows \(2, 3\)\); let them see a Key, or try"
    with pytest.raises(ValueError, match=says):
        refuse_empty_rows(empty, "raise")
    for policy in ("zero", "skip"):
        refuse_empty_rows(empty, policy)
    refuse_empty_rows(np.zeros(3, dtype=bool), "raise")
    refuse_empty_rows(None, "raise")
    for word in ("mean", None, 0, ["raise"]):
        with pytest.raises(ValueError, match="empty_rows: expected one of 'raise', 'zero', 'skip', got"):
            refuse_empty_rows(None, word)


def test_empty_rows_are_settled():
    empty = np.array([False, True, False])
    zero = settle_empty_rows(np.full((2, 3, 5), 7.0), empty, "zero")
    assert type(zero) is np.ndarray and (zero[:, 1] == 0).all() and (zero[:, [0, 2]] == 7).all()
    skipped = settle_empty_rows(np.full((2, 3, 5), np.nan), empty, "skip")
    assert isinstance(skipped, np.ma.MaskedArray) and (skipped.data[:, 1] == 0).all() and skipped.fill_value == 0
    np.testing.assert_array_equal(np.ma.getmaskarray(skipped), np.broadcast_to(empty[:, np.newaxis], (2, 3, 5)))
    whole = settle_empty_rows(np.ones((3, 5)), None, "skip")
    assert np.ma.getmask(whole).shape == (3, 5) and not np.ma.getmask(whole).any()


@pytest.mark.parametrize(
    ("shape", "scores", "mend"),
    [
        ((5,), (3, 5), r"try allow\[np\.newaxis, :\] to mask Keys"),
        ((3,), (3, 5), r"try allow\[:, np\.newaxis\] to mask whole Queries"),
        ((7,), (3, 5), r"try allow\.reshape\(\.\.\.\) to \(3, 5\)"),
        ((), (3, 5), r"try allow\.reshape\(1, 1\)"),
        ((1,), (3, 5), r"try allow\.reshape\(1, 1\)"),
        ((2, 3, 5), (2, 7, 3, 5), r"try allow\[:, np\.newaxis\] if the missing axis is the heads"),
        ((2, 3, 5), (3, 5), r"try q\[np\.newaxis\], so that the scores"),
        ((2, 7, 3, 5), (3, 5), r"try q\[np\.newaxis, np\.newaxis\], so that the scores"),
    ],
    ids=str,
)
def test_each_wrong_rank_has_its_mend(shape, scores, mend):
    with pytest.raises(ValueError, match=mend):
        spread_allow(np.ones(shape, dtype=bool), scores)


def test_a_window_may_be_wider_than_any_array():
    np.testing.assert_array_equal(window_allow(3, 5, 10**30, 2**63, "top-left"), np.ones((3, 5)))
    np.testing.assert_array_equal(window_allow(3, 5, 10**30, 0, "top-left"), causal_allow(3, 5, "top-left"))
    most = 2**63 - 1  # a place and this many more wrap around in int64
    np.testing.assert_array_equal(window_allow(3, 5, most, most, "bottom-right"), np.ones((3, 5)))


def test_lengths_that_hide_some_are_refused():
    with pytest.raises(
        TypeError, match=r"lengths: expected no masked array \(shape \(2,\)\); try lengths\.filled\(0\)"
    ):
        padding_allow(np.ma.MaskedArray([1, 2], mask=[False, True]), 3)


def test_the_mend_for_another_type_does_not_turn_a_mask_over():
    # np.array(..., dtype=bool) would open what a list of 0 and −inf closes
    with pytest.raises(TypeError, match=r"got list; try np\.array\(allow\)$"):
        spread_allow([[0.0, -np.inf]], (1, 2))
    with pytest.raises(TypeError, match="an additive mask"):
        spread_allow(np.array([[0.0, -np.inf]]), (1, 2))
    with pytest.raises(TypeError, match=r"got MaskedArray; try allow\.filled\(False\)$"):
        spread_allow(np.ma.MaskedArray([[True, True]], mask=[[False, True]]), (1, 2))
