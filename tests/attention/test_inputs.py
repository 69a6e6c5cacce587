"""The checks that every function shares."""

import numpy as np
import pytest

from interview_book.attention.inputs import (
    broadcast_batch,
    fold,
    multiplier,
    require_finite,
    require_floats,
    rounded,
    select_used,
    split_factor,
    working_dtype,
)


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


def test_only_what_is_used_must_be_finite():
    x = np.array([[1.0, np.nan], [np.inf, 2.0]])
    with pytest.raises(ValueError, match=r"x: .*got 1 .*first at index \(1, 0\)"):
        require_finite("x", x, np.array([[False], [True]]))
    require_finite("x", x, np.array([[True, False], [False, True]]))


def test_what_does_not_fit_may_be_unused():
    x = np.array([70000.0, 1.0])
    assert rounded("x", x, np.float16, np.array([False, True]))[1] == 1
    with pytest.raises(ValueError, match="x: the result does not fit into float16"):
        rounded("x", x, np.float16, np.array([True, False]))


def test_batch_axes_are_those_before_the_last_two():
    assert broadcast_batch("a", (2, 1, 3, 5), "b", (7, 11, 13)) == (2, 7)
    with pytest.raises(ValueError, match=r"a and b: batch axes \(2,\) and \(3,\) do not broadcast \(a \(2, 5, 7\), b"):
        broadcast_batch("a", (2, 5, 7), "b", (3, 5, 7))


@pytest.mark.parametrize("shape", [(5,), (3, 5), (1, 5), (3, 1), (1, 1), (2, 1, 5), (1, 3, 1), (2, 3, 5)])
def test_fold_undoes_a_broadcast(shape):
    x = np.random.Generator(np.random.PCG64(1)).standard_normal((2, 3, 5))
    folded = fold(x, shape, np.sum)
    assert folded.shape == shape
    # the adjoint of broadcasting: <x, broadcast(y)> = <fold(x), y>; 30 terms below 4
    y = np.random.Generator(np.random.PCG64(2)).standard_normal(shape)
    np.testing.assert_allclose((x * y).sum(), (folded * y).sum(), atol=30 * 16 * 2**-53)


def test_fold_leaves_what_is_smaller():
    np.testing.assert_array_equal(fold(np.array([1.0, 2.0]), (3, 2), np.sum), [1, 2])


def test_rows_that_nothing_uses_become_zero():
    allowed = np.array([[True, False, False], [False, False, True]])
    k = np.array([[1.0], [np.nan], [3.0]])
    np.testing.assert_array_equal(select_used("k", k, allowed, -2), [[1], [0], [3]])
    assert np.isnan(k[1, 0])
    with pytest.raises(ValueError, match=r"k: expected finite .*index \(1, 0\)"):
        select_used("k", k, ~allowed, -2)
    with pytest.raises(ValueError, match="k: expected finite"):
        select_used("k", k, None, -2)
    q = np.array([[np.inf], [2.0]], dtype=np.float16)
    chosen = select_used("q", q, np.array([[False, False, False], [True, False, False]]), -1)
    assert chosen.dtype == np.float16 and chosen.tolist() == [[0], [2]]


def test_a_row_shared_by_a_batch_is_used_if_one_of_them_uses_it():
    v = np.array([[np.nan], [1.0]])
    allowed = np.zeros((2, 3, 2), dtype=bool)
    allowed[..., 1] = True
    np.testing.assert_array_equal(select_used("v", v, allowed, -2), [[0], [1]])
    wider = np.stack([v, v[::-1]])[:, np.newaxis]  # (2, 1, 2, 1): more batch axes than the mask
    with pytest.raises(ValueError, match=r"v: .*index \(1, 0, 1, 0\)"):
        select_used("v", wider, allowed, -2)
    allowed[1, 2, 0] = True
    with pytest.raises(ValueError, match="v: expected finite"):
        select_used("v", v, allowed, -2)


def test_the_mend_does_not_uncover_what_is_masked():
    with pytest.raises(TypeError, match=r"x: .*got MaskedArray; try x\.filled\(0\)$"):
        require_floats("x", np.ma.MaskedArray([1.0, 2.0], mask=[False, True]), "(..., n)")
    with pytest.raises(TypeError, match=r"x: .*got list; try np\.array\(x, dtype=np\.float64\)$"):
        require_floats("x", [1.0], "(..., n)")


def test_a_single_axis_may_be_a_column():
    with pytest.raises(ValueError, match=r"got \(3,\); try v\[np\.newaxis, :\] .*, v\[:, np\.newaxis\] if .* column"):
        require_floats("v", np.ones(3), "(..., n_k, d_v)")
    with pytest.raises(ValueError, match=r"got \(3,\); try x\.reshape"):
        require_floats("x", np.ones(3), "(..., h, n, d)")


@pytest.mark.parametrize("factor", [0.0, 0.5, -3.0, 1e-37, 3e38])
def test_a_factor_that_fits_stays_whole(factor):
    assert split_factor(factor, np.dtype(np.float32)) == (np.float32(factor), 1)


@pytest.mark.parametrize("factor", [1e-39, 1e-50, -1e50, 1e-300, 5e-324])
def test_a_factor_that_does_not_fit_is_shared(factor):
    wide = np.dtype(np.float64 if abs(factor) < 1e-100 else np.float32)
    parts = split_factor(factor, wide)
    assert all(isinstance(part, wide.type) and np.isfinite(part) and part != 0 for part in parts)
    assert abs(float(parts[0]) * float(parts[1]) / factor - 1) <= np.finfo(wide).eps
    if abs(factor) < np.finfo(np.float64).tiny:
        assert parts[0] > 1e-200 and parts[1] > 1e-200
