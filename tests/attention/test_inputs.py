"""The checks that every function shares."""

import numpy as np
import pytest

from interview_book.attention.inputs import multiplier, require_finite, require_floats, rounded, working_dtype


def test_axes_are_counted_from_their_names():
    require_floats("x", np.ones(3), "(..., n)")
    require_floats("x", np.ones((3, 5)), "(..., n_q, d_k)")
    with pytest.raises(ValueError, match=r"x: expected .*n_q, d_k\), got \(3,\); try x\[np\.newaxis, :\]"):
        require_floats("x", np.ones(3), "(..., n_q, d_k)")
    with pytest.raises(ValueError, match=r"got \(\); try x\.reshape"):
        require_floats("x", np.array(3.0), "(..., n)")


def test_byte_order_does_not_matter():
    swapped = np.array([1.0, 2.0], dtype=">f8")
    require_floats("x", swapped, "(..., n)")
    assert swapped.dtype.byteorder == ">"


def test_first_bad_entry_is_found():
    x = np.ones((2, 3))
    x[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"x: .*got 1 .*first at index \(1, 2\), shape \(2, 3\)"):
        require_finite("x", x)


def test_float16_works_in_float32():
    assert [working_dtype(np.dtype(t)) for t in ("f2", "f4", "f8")] == [np.float32, np.float32, np.float64]


def test_rounding_refuses_what_does_not_fit():
    assert rounded("x", np.array([65504.0]), np.float16)[0] == 65504
    with pytest.raises(ValueError, match="x: the result does not fit into float16"):
        rounded("x", np.array([65536.0]), np.float16)


def test_multiplier_is_a_plain_float():
    assert type(multiplier(np.float64(0.5))) is float and multiplier(2) == 2.0
