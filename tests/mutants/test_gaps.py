"""Promises that no other test held, found by changing the source (mutate.py)."""

from __future__ import annotations

import numpy as np
import pytest

from interview_book.attention import attend, mix
from interview_book.attention.backward import attend_gradients


def ones(*shape: int, dtype: type = np.float64) -> np.ndarray:
    return np.ones(shape, dtype=dtype)


def test_gradients_name_a_value_that_is_undefined():
    v = ones(5, 11)
    v[3, 2] = np.nan
    with pytest.raises(ValueError, match=r"^v: expected finite numbers, got 1 .*first at index \(3, 2\)"):
        attend_gradients(ones(3, 7), ones(5, 7), v, ones(3, 11))


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


@pytest.mark.parametrize("sign", [1, -1])
def test_attend_says_which_score_does_not_fit(sign):
    q, k = np.array([[1e200, 1e200]]), np.array([[1e200, sign * 1e200]])
    with pytest.raises(ValueError, match=r"^scores: the result does not fit into float64"):
        attend(q, k, ones(1, 11))


def test_attend_names_a_value_that_is_undefined():
    v = ones(5, 11)
    v[3, 2] = np.nan
    with pytest.raises(ValueError, match=r"^v: expected finite numbers, got 1 .*first at index \(3, 2\)"):
        attend(ones(3, 7), ones(5, 7), v)
