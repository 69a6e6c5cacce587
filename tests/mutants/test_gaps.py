"""Promises that no other test held, found by changing the source (mutate.py)."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from interview_book.attention import attend, log_softmax, mix, softmax
from interview_book.attention.backward import attend_gradients
from interview_book.attention.blockwise import online_attend
from interview_book.attention.heads import multi_head, repeat_groups, split_heads
from interview_book.attention.masks import padding_allow, pairs
from interview_book.attention.precision import low_precision_scores, round_to, running_sum
from interview_book.attention.variants import cosine_scores, softcap


def ones(*shape: int, dtype: type = np.float64) -> np.ndarray:
    return np.ones(shape, dtype=dtype)


def test_gradients_name_a_value_that_is_undefined():
    v = ones(5, 11)
    v[3, 2] = np.nan
    with pytest.raises(ValueError, match=r"^v: expected finite numbers, got 1 .*first at index \(3, 2\)"):
        attend_gradients(ones(3, 7), ones(5, 7), v, ones(3, 11))


def test_gradients_name_an_upstream_gradient_that_is_undefined():
    allow, g = np.ones((3, 5), dtype=bool), ones(3, 11)
    allow[0], g[:2, 2] = False, np.nan  # the first row is empty, and its gradient never read
    for policy, first in (("skip", 1), ("zero", 0)):
        with pytest.raises(ValueError, match=rf"^g: expected finite numbers, .*first at index \({first}, 2\)"):
            attend_gradients(ones(3, 7), ones(5, 7), ones(5, 11), g, allow=allow, empty_rows=policy)


def test_gradients_name_a_mask_and_values_that_do_not_broadcast():
    given = ones(1, 3, 7), ones(1, 5, 7), ones(13, 5, 11), ones(13, 3, 11)
    with pytest.raises(ValueError, match=r"^scores under allow and v: batch axes \(2,\) and \(13,\)"):
        attend_gradients(*given, allow=np.ones((2, 3, 5), dtype=bool))


@pytest.mark.parametrize(
    ("name", "q", "k", "v", "g"),
    [
        # One Query, two Keys with equal scores, so p = 1/2; dZ = ±(g v_0 − g v_1)/4, dQ = Σ dZ k, dK = dZ q.
        ("q", [[0.0]], [[3e3], [-3e3]], [[3e2], [-3e2]], [[1.0]]),  # dZ = ±150, dQ = 9e5
        ("k", [[3e3]], [[0.0], [0.0]], [[3e2], [-3e2]], [[1.0]]),  # dK = ±4.5e5
        ("v", [[0.0]] * 3, [[0.0]], [[0.0]], [[3e4]] * 3),  # dV = Σ g = 9e4, beyond 65504
    ],
)
def test_gradients_name_what_does_not_fit_into_float16(name, q, k, v, g):
    given = [np.array(x, dtype=np.float16) for x in (q, k, v, g)]
    with pytest.raises(ValueError, match=f"^gradient in {name}: the result does not fit into float16"):
        attend_gradients(*given, scale=1)


def test_the_derivative_in_beta_is_added_up_in_float64():
    # Keys ±1 and Values ±1 at scale 0: p = 1/2, dP = ±1, dZ = ±1/2 and s = ±q, so that each Query adds q. The first one
    # adds 2²⁴, from where float32 counts in steps of 2; the others add 1 each, of which float32 would lose some.
    q = np.concatenate([[[2.0**24]], ones(4098, 1)]).astype(np.float32)
    k = np.array([[1.0], [-1.0]], dtype=np.float32)
    found = attend_gradients(q, k, k, np.ones_like(q), scale=0)
    assert found.beta == 2**24 + 4098


def test_mix_names_weights_that_are_undefined():
    p = ones(3, 5)
    p[1, 4] = np.nan
    with pytest.raises(ValueError, match=r"^p: expected finite numbers, got 1 .*first at index \(1, 4\)"):
        mix(p, ones(5, 11))


@pytest.mark.parametrize("sign", [1, -1])  # +∞, and +∞ − ∞
def test_mix_says_what_does_not_fit(sign):
    v = np.array([[1e200], [sign * 1e200]])
    with pytest.raises(ValueError, match=r"^mix: the result does not fit into float64"):
        mix(np.full((1, 2), 1e200), v)


@pytest.mark.parametrize("function", [attend, functools.partial(online_attend, block=2)])
@pytest.mark.parametrize("sign", [1, -1])
def test_attend_says_that_a_score_does_not_fit(function, sign):
    q, k = np.array([[1e200, 1e200]]), np.array([[1e200, sign * 1e200]])
    with pytest.raises(ValueError, match=r"^scores: the result does not fit into float64"):
        function(q, k, ones(1, 11))
    with pytest.raises(ValueError, match=r"^scores: the result does not fit into float64"):
        function(q, ones(1, 2), ones(1, 11), scale=1e200)  # the Query alone is too large once it is scaled


def test_attend_names_a_value_that_is_undefined():
    v = ones(5, 11)
    v[3, 2] = np.nan
    with pytest.raises(ValueError, match=r"^v: expected finite numbers, got 1 .*first at index \(3, 2\)"):
        attend(ones(3, 7), ones(5, 7), v)


def test_attend_names_scores_and_values_that_do_not_broadcast():
    says = r"^scores and v: .*\(2,\) and \(13,\) .*\(scores \(2, 3, 5\), v \(13, 5, 11\)\)"
    with pytest.raises(ValueError, match=says):
        attend(ones(2, 3, 7), ones(5, 7), ones(13, 5, 11))


def test_a_scale_beyond_every_float_is_named():
    with pytest.raises(ValueError, match=r"^scale: expected a number that float64 can hold"):
        attend(ones(3, 7), ones(5, 7), ones(5, 11), scale=10**400)


def test_one_key_may_be_padding_or_not():
    assert padding_allow(np.array([0, 1]), 1).tolist() == [[[False]], [[True]]]
    with pytest.raises(ValueError, match=r"^n_k: expected at least 1, got 0"):
        padding_allow(np.array([0]), 0)


def test_pairs_name_what_does_not_broadcast():
    with pytest.raises(ValueError, match=r"^q and k: batch axes \(2,\) and \(13,\) do not broadcast"):
        pairs((2, 3, 7), (13, 5, 7))


def test_only_a_turned_mask_is_told_to_turn():
    q, k, v = ones(2, 3, 7), ones(2, 5, 7), ones(2, 5, 11)
    with pytest.raises(ValueError, match=r"try allow\.swapaxes\(-1, -2\)"):
        attend(q, k, v, allow=np.ones((2, 5, 3), dtype=bool))
    with pytest.raises(ValueError, match=r"the last two axes are n_q \(or 1\) and n_k \(or 1\)"):
        attend(q, k, v, allow=np.ones((2, 3, 3), dtype=bool))


def test_a_mask_of_many_axes_beside_one_row_is_told_to_give_the_row_axes():
    with pytest.raises(ValueError, match=r"try np\.broadcast_to\(z, \(1, 7\)\)"):
        softmax(ones(7), np.ones((1, 1), dtype=bool))


def test_a_logarithm_that_does_not_fit_is_told_beside_a_mask():
    z = np.array([65504, -65504, 0], dtype=np.float16)
    with pytest.raises(ValueError, match=r"down to -131008\)"):  # and not to the −∞ of the masked Key
        log_softmax(z, np.array([True, True, False]))


def heads(dtype: type = np.float64, **others: np.ndarray) -> dict[str, np.ndarray]:
    """Arguments of ``multi_head`` with two heads: d_model = 3, d_kv = 5, d_k = 7, d_v = 11, d_out = 13."""
    shapes = {"x_q": (2, 3), "x_kv": (2, 5), "w_q": (3, 14), "w_k": (5, 14), "w_v": (5, 22), "w_o": (22, 13)}
    return {name: ones(*shape, dtype=dtype) for name, shape in shapes.items()} | others


def test_the_functions_of_heads_name_their_arguments():
    with pytest.raises(TypeError, match=r"^x: expected float16, float32 or float64, got int64"):
        split_heads(np.ones((3, 14), dtype=np.int64), 2)
    with pytest.raises(ValueError, match=r"^heads: expected at least 1, got 0"):
        split_heads(ones(3, 14), 0)
    with pytest.raises(TypeError, match=r"^x: expected float16, float32 or float64, got int64"):
        repeat_groups(np.ones((2, 3, 7), dtype=np.int64), 2)


@pytest.mark.parametrize(("name", "size"), [("b_q", 14), ("b_k", 14), ("b_v", 22), ("b_o", 13)])
def test_multi_head_names_a_wrong_bias(name, size):
    with pytest.raises(TypeError, match=f"^{name}: expected float16, float32 or float64, got int64"):
        multi_head(**heads(), **{name: np.ones(size, dtype=np.int64)}, heads=2)
    with pytest.raises(ValueError, match=rf"^{name}: expected shape \({size},\), .* got \(2,\)"):
        multi_head(**heads(), **{name: ones(2)}, heads=2)
    with pytest.raises(ValueError, match=rf"^{name}: expected shape \(n\), got \(\)"):
        multi_head(**heads(), **{name: np.array(1.0)}, heads=2)


@pytest.mark.parametrize(
    ("weights", "of", "rows"), [("w_q", "x_q", 3), ("w_k", "x_kv", 5), ("w_v", "x_kv", 5), ("w_o", "heads", 22)]
)
def test_multi_head_names_what_a_projection_is_of(weights, of, rows):
    says = rf"^{weights}: expected shape \({rows}, …\), one row per feature of {of}, got"
    with pytest.raises(ValueError, match=says):
        multi_head(**heads(**{weights: ones(17, 22)}), heads=2)


def test_multi_head_says_what_does_not_fit():
    with pytest.raises(ValueError, match=r"^multi_head: the result does not fit into float16"):
        multi_head(**heads(np.float16, w_o=np.full((22, 13), 6e4, dtype=np.float16)), heads=2)
    with pytest.raises(ValueError, match=r"^q: expected finite numbers, got 28 "):
        multi_head(**heads(x_q=np.full((2, 3), 1e200), w_q=np.full((3, 14), 1e200)), heads=2)


def test_rounding_names_its_argument_and_overflows_in_silence():
    for function in (round_to, running_sum):
        with pytest.raises(TypeError, match=r"^x: expected float16, float32 or float64, got int64"):
            function(np.ones(3, dtype=np.int64), "float16")
    with pytest.raises(ValueError, match=r"^x: expected shape \(\.\.\., n\), got \(\)"):
        running_sum(np.array(1.0), "float16")
    assert round_to(np.array([1e300, -1e300]), "float32").tolist() == [np.inf, -np.inf]
    assert np.isnan(running_sum(np.array([np.inf, -np.inf]), "float16"))


def test_low_precision_scores_name_their_arguments():
    whole, options = np.ones((3, 7), dtype=np.int64), {"dtype": "float16", "scale_first": True}
    for name, given in (("q", (whole, ones(5, 7))), ("k", (ones(5, 7), whole))):
        with pytest.raises(TypeError, match=f"^{name}: expected float16, float32 or float64, got int64"):
            low_precision_scores(*given, **options)
        with pytest.raises(ValueError, match=rf"^{name}: expected shape \(\.\.\., n_{name}, d_k\), got \(7,\)"):
            low_precision_scores(*(ones(7) if x is whole else x for x in given), **options)
    with pytest.raises(ValueError, match=r"^q and k: batch axes \(2,\) and \(13,\) do not broadcast"):
        low_precision_scores(ones(2, 3, 7), ones(13, 5, 7), **options)
    with pytest.raises(ValueError, match=r"^dtype: expected 'float16'"):
        low_precision_scores(ones(3, 7), ones(5, 7), dtype="float64", scale_first=True)


def test_low_precision_scores_overflow_in_silence():
    q, k = np.array([[1e300]]), np.array([[0.0], [1.0]])  # q is infinite in float16, and ∞ · 0 undefined
    found = low_precision_scores(q, k, dtype="float16", scale_first=True)
    assert np.isnan(found[0, 0]) and found[0, 1] == np.inf
    found = low_precision_scores(np.array([[1e38]]), k, dtype="float32", scale_first=True, scale=1e300)
    assert np.isnan(found[0, 0]) and found[0, 1] == np.inf  # 1e338 is infinite in float64 too


def test_a_tiny_cap_is_reached():
    assert softcap(np.array([1e300, 0.0, -1e300]), 1e-300).tolist() == [1e-300, 0, -1e-300]


@pytest.mark.parametrize("turn", [1.0, 0.0])  # cosines 1 and 0: ∞, and 0 · ∞
def test_cosine_scores_say_what_does_not_fit(turn):
    q, k = np.array([[1, 0]], dtype=np.float32), np.array([[turn, 1 - turn]], dtype=np.float32)
    with pytest.raises(ValueError, match=r"^cosine_scores: the result does not fit into float32"):
        cosine_scores(q, k, gain=1e300)


def test_cosines_stay_between_minus_one_and_one():
    q = np.random.Generator(np.random.PCG64(3)).standard_normal((997, 1, 3))
    for sign in (1, -1):
        found = cosine_scores(q, sign * q, gain=1)
        assert (np.abs(found) <= 1).all()
        # Some of them would come out beyond it, which is what makes this a test.
        unit = q / np.linalg.norm(q, axis=-1, keepdims=True)
        assert ((unit * unit).sum(axis=-1) > 1).any()
