"""Promises that no other test held, found by changing the source (mutate.py)."""

from __future__ import annotations

import numpy as np
import pytest

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
