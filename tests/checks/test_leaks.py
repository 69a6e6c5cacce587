"""Leaks are found in attention that leaks, in every named way, and not in attention that does not.

The attention below is written here, from the definition, so that each fault can be put into it; the last tests run the
finder on the book's own.
"""

import numpy as np
import pytest

from interview_book.attention import attend as own_attend
from interview_book.attention.masks import causal_allow, padding_allow
from interview_book.checks.leaks import Leak, causal_leaks, mask_leaks, padding_leaks

B, N_Q, N_K, D_K, D_V = 2, 5, 7, 3, 11


def inputs(n_q=N_Q, n_k=N_K, batch=(), dtype=np.float64):
    rng = np.random.Generator(np.random.PCG64(41))
    shapes = ((n_q, D_K), (n_k, D_K), (n_k, D_V))
    return [rng.standard_normal((*batch, *shape)).astype(dtype) for shape in shapes]


def reference(allow, *, fault=None):
    """Attention with a mask, and on request one fault."""

    def attend(q, k, v):
        z = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        may = np.broadcast_to(allow, z.shape)
        if fault == "mask after softmax":
            p = np.exp(z - z.max(axis=-1, keepdims=True))
            return np.where(may, p / p.sum(axis=-1, keepdims=True), 0) @ v
        if fault == "maximum over hidden":
            p = np.where(may, np.exp(z - z.max(axis=-1, keepdims=True)), 0)
            return p / p.sum(axis=-1, keepdims=True) @ v
        if fault in {-10, -50}:
            z = z + np.where(may, 0.0, fault)
        elif fault == "mask times scores":
            z = z * may
        else:
            z = np.where(may, z, -np.inf)
        empty = ~may.any(axis=-1, keepdims=True)
        p = np.exp(z - np.where(empty, 0, z.max(axis=-1, keepdims=True)))
        p = p / np.where(empty, 1, p.sum(axis=-1, keepdims=True))
        if fault == "batch mixed":
            p = p[::-1]
        if fault == "weights from all Queries":
            p = p - p.mean(axis=-2, keepdims=True)
        hidden = ~np.broadcast_to(allow, z.shape).any(axis=-2)[..., np.newaxis]
        return p @ (v if fault == "Values multiplied" else np.where(hidden, 0, v))

    return attend


@pytest.mark.parametrize("inject", ["finite", "nan"])
@pytest.mark.parametrize(("n_q", "n_k", "align"), [(7, 7, None), (5, 7, "top-left"), (5, 7, "bottom-right")])
def test_sound_attention_is_clean_and_nothing_is_blind(n_q, n_k, align, inject):
    attend = reference(causal_allow(n_q, n_k, align))
    if inject == "nan":  # 0 · NaN: this reference only selects away what nobody sees, so it must refuse the rest
        attend = refusing(attend, causal_allow(n_q, n_k, align))
    found = causal_leaks(attend, *inputs(n_q, n_k), align=align, inject=inject)
    assert found.clean and found.leaks == ()
    if inject == "finite":
        assert found.blind == () and found.refused == ()
    assert found.allowed.shape == (n_q, n_k) and found.v.shape == (n_q, n_k) and found.q.shape == (n_q, n_q)


def refusing(attend, allow):
    """Raise ValueError for a NaN that some row may see, as the book's attend does."""

    def strict(q, k, v):
        seen = allow.any(axis=-2)[..., np.newaxis]
        if (np.isnan(k) & seen).any() or (np.isnan(v) & seen).any():
            raise ValueError("not finite")
        return attend(q, np.where(seen, k, 0), v)

    return strict


def test_a_value_moves_exactly_the_rows_that_see_it():
    found = causal_leaks(reference(causal_allow(7, 7)), *inputs(7, 7))
    np.testing.assert_array_equal(found.v > 0, np.tri(7, dtype=bool))
    np.testing.assert_array_equal(found.q > 0, np.eye(7, dtype=bool) & (np.arange(7) > 0))  # row 0 sees one Key: p = 1


@pytest.mark.parametrize("fault", ["mask after softmax", -10, -50, "mask times scores"])
def test_leaking_masks_are_found(fault):
    found = causal_leaks(reference(causal_allow(7, 7), fault=fault), *inputs(7, 7))
    # 6 + 5 + … + 1 forbidden pairs, each of which leaks in each of these faults
    assert {(leak.row, leak.position) for leak in found.leaks} == {(i, j) for i in range(7) for j in range(i + 1, 7)}
    assert found.blind == () and not found.clean
    if fault == -50:
        # e^−50 of a Value moved by thousands is about 1e−18, below most roundings: the moved Key outweighs it
        assert {(leak.row, leak.position) for leak in found.leaks if leak.source == "k"} == set(
            zip(*np.triu_indices(7, 1), strict=True)
        )


def test_maximum_over_hidden_scores_is_a_leak_only_when_it_underflows():
    attend = reference(causal_allow(7, 7), fault="maximum over hidden")
    found = causal_leaks(attend, *inputs(7, 7), tolerance=1e-9)
    # A hidden score of thousands makes every visible exponential 0: 0/0. That is a leak, and a NaN.
    assert {leak.source for leak in found.leaks} == {"k"}
    assert all(leak.change == np.inf for leak in found.leaks)


def test_top_left_for_bottom_right_leaks_or_hides():
    # n_q > n_k: row 2 of 7 with 5 Keys sees nothing but Key 0 under bottom-right, and Keys 0 to 2 under top-left.
    found = causal_leaks(reference(causal_allow(7, 5, "top-left")), *inputs(7, 5), align="bottom-right")
    leaks = {(leak.row, leak.position) for leak in found.leaks}
    assert leaks == {(i, j) for i in range(7) for j in range(5) if i - 2 < j <= i}
    assert found.blind == ()
    # n_q < n_k: it hides what is allowed, which leaks nothing and is blind.
    found = causal_leaks(reference(causal_allow(5, 7, "top-left")), *inputs(5, 7), align="bottom-right")
    assert found.clean
    assert set(found.blind) == {(i, j) for i in range(5) for j in range(7) if i < j <= i + 2}
    # and the other way round it leaks
    found = causal_leaks(reference(causal_allow(5, 7, "bottom-right")), *inputs(5, 7), align="top-left")
    assert {(leak.row, leak.position) for leak in found.leaks} == {
        (i, j) for i in range(5) for j in range(7) if i < j <= i + 2
    }


def test_rows_that_see_nothing_may_be_nan_or_hidden_and_are_not_leaks():
    allow = causal_allow(7, 5, "bottom-right")
    with_nan = lambda q, k, v: np.where(allow.any(-1)[:, None], reference(allow)(q, k, v), np.nan)  # noqa: E731
    hidden = lambda q, k, v: np.ma.masked_invalid(with_nan(q, k, v))  # noqa: E731
    for attend in (reference(allow), with_nan, hidden):
        assert causal_leaks(attend, *inputs(7, 5), align="bottom-right").clean


def test_a_mask_that_is_too_strict_is_blind():
    strict = np.tri(7, k=-1, dtype=bool)
    found = causal_leaks(reference(strict), *inputs(7, 7))
    assert found.clean and set(found.blind) == {(i, i) for i in range(7)}
    nothing = causal_leaks(lambda q, k, v: np.zeros((7, 2)), *inputs(7, 7))
    assert nothing.clean and len(nothing.blind) == 28


def test_inverted_mask_leaks_and_is_blind():
    found = causal_leaks(reference(~causal_allow(7, 7)), *inputs(7, 7))
    assert {(leak.row, leak.position) for leak in found.leaks} == {(i, j) for i in range(7) for j in range(i + 1, 7)}
    assert len(found.blind) == 28


def test_padding_ignored_inside_a_causal_mask():
    lengths = np.array([5, 2])
    causal = causal_allow(7, 7)
    q, k, v = inputs(7, 7, (B,))
    both = causal & padding_allow(lengths, 7)
    assert mask_leaks(reference(both), q, k, v, both).clean
    found = mask_leaks(reference(causal), q, k, v, both)
    leaks = {(leak.batch, leak.row, leak.position) for leak in found.leaks}
    expected = {((b,), i, j) for b in range(2) for i in range(7) for j in range(7) if lengths[b] <= j <= i}
    assert leaks == expected


@pytest.mark.parametrize("batch", [(B,), (B, 3)])
def test_padding_by_lengths(batch):
    lengths = np.array([5, 2])
    q, k, v = inputs(5, 7, batch)
    allow = padding_allow(lengths.reshape(2, *(1,) * (len(batch) - 1)), 7)
    for inject in ("finite", "nan"):
        attend = reference(allow) if inject == "finite" else refusing(reference(allow), allow)
        assert padding_leaks(attend, q, k, v, lengths, inject=inject).clean
    found = padding_leaks(reference(np.ones((1, 7), bool)), q, k, v, lengths)
    assert {leak.batch[0] for leak in found.leaks} == {0, 1}
    assert {leak.position for leak in found.leaks if leak.batch[0] == 0} == {5, 6}
    assert padding_leaks(reference(np.ones((1, 7), bool)), q[0], k[0], v[0], 7).clean


def test_nan_through_a_hidden_value_is_found_only_by_injecting_it():
    lengths = np.array([5, 2])
    q, k, v = inputs(5, 7, (B,))
    attend = reference(padding_allow(lengths, 7), fault="Values multiplied")
    assert padding_leaks(attend, q, k, v, lengths).clean
    found = padding_leaks(attend, q, k, v, lengths, inject="nan")
    assert {leak.source for leak in found.leaks} == {"v"}
    assert {(leak.batch[0], leak.position) for leak in found.leaks} == {(0, 5), (0, 6), *((1, j) for j in range(2, 7))}
    assert all(leak.change == np.inf for leak in found.leaks)


def test_refusing_what_nobody_may_see_is_a_leak():
    def fussy(q, k, v):
        if np.isnan(k).any() or np.isnan(v).any():
            raise ValueError("not finite")
        return reference(padding_allow(3, 7))(q, k, v)

    found = padding_leaks(fussy, *inputs(5, 7), 3, inject="nan")
    assert found.leaks == tuple(Leak(source, (), -1, j, np.inf) for source in "kv" for j in range(3, 7))
    assert found.refused == tuple((source, j) for source in "kv" for j in range(3))


def test_other_batch_entries_and_other_queries_are_watched():
    allow = np.ones((1, 7), bool)
    q, k, v = inputs(5, 7, (B,))
    found = mask_leaks(reference(allow, fault="batch mixed"), q, k, v, allow)
    assert {(leak.batch, leak.position) for leak in found.leaks if leak.source == "batch"} == {((0,), 1), ((1,), 0)}
    found = mask_leaks(reference(allow, fault="weights from all Queries"), q[0], k[0], v[0], allow)
    assert {leak.source for leak in found.leaks} == {"q"} and len(found.leaks) == 5 * 4


def test_dropout_left_on_is_refused_and_arguments_stay():
    rng = np.random.Generator(np.random.PCG64(43))
    q, k, v = inputs(7, 7)
    before = [x.copy() for x in (q, k, v)]
    with pytest.raises(ValueError, match=r"got a difference of .* between two calls; switch dropout off"):
        causal_leaks(lambda q, k, v: (q @ k.T) @ v * (rng.random((7, D_V)) > 0.5), q, k, v)

    def spoils(q, k, v):
        result = reference(causal_allow(7, 7))(q, k, v)
        q[:], k[:], v[:] = 0, 0, 0
        return result

    assert causal_leaks(spoils, q, k, v).clean
    for x, y in zip((q, k, v), before, strict=True):
        np.testing.assert_array_equal(x, y)


def test_float16_holds_the_moved_positions():
    q, k, v = inputs(7, 7, dtype=np.float16)
    found = causal_leaks(reference(causal_allow(7, 7)), q, k, v)
    assert found.clean and np.isfinite(found.v).all() and np.isfinite(found.k).all()


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"attend": 3}, TypeError, "attend: expected a callable"),
        ({"inject": "inf"}, ValueError, "inject: expected one of 'finite', 'nan', got 'inf'"),
        ({"tolerance": -1}, ValueError, "tolerance: expected a number ≥ 0"),
        ({"allow": np.ones((7, 7))}, TypeError, "allow: expected booleans"),
        ({"allow": np.ones((5, 7), bool)}, ValueError, "allow: expected"),
        ({"attend": lambda q, k, v: v[:2]}, ValueError, r"attend: expected outputs \(..., n_q, d\) with n_q = 7"),
    ],
)
def test_bad_arguments_are_named(change, error, says):
    q, k, v = inputs(7, 7)
    arguments = {"attend": reference(causal_allow(7, 7)), "allow": causal_allow(7, 7), **change}
    attend, allow = arguments.pop("attend"), arguments.pop("allow")
    with pytest.raises(error, match=says):
        mask_leaks(attend, q, k, v, allow, **arguments)


def test_lengths_with_too_many_axes_are_named():
    says = r"lengths: expected at most the batch axes of the Queries \(\), got shape \(1,\)"
    with pytest.raises(ValueError, match=says):
        padding_leaks(reference(padding_allow(3, 7)), *inputs(5, 7), np.array([3]))


@pytest.mark.parametrize("inject", ["finite", "nan"])
@pytest.mark.parametrize(
    ("n_q", "n_k", "align"),
    [(7, 7, None), (5, 7, "top-left"), (5, 7, "bottom-right"), (7, 5, "top-left"), (7, 5, "bottom-right")],
)
def test_the_books_attend_does_not_leak(n_q, n_k, align, inject):
    def attend(q, k, v):
        return own_attend(q, k, v, causal=True, align=align, empty_rows="zero")

    found = causal_leaks(attend, *inputs(n_q, n_k, (B, 3)), align=align, inject=inject)
    assert found.clean
    if inject == "finite":
        assert found.blind == ()


@pytest.mark.parametrize("inject", ["finite", "nan"])
@pytest.mark.parametrize("policy", ["zero", "skip"])
def test_the_books_attend_keeps_padding_out(inject, policy):
    lengths = np.array([5, 0])
    allow = padding_allow(lengths[:, np.newaxis], 7)

    def attend(q, k, v):
        return own_attend(q, k, v, allow=allow, empty_rows=policy)

    assert padding_leaks(attend, *inputs(5, 7, (B, 3)), lengths, inject=inject).clean
