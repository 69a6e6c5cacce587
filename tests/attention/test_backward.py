"""attend_gradients against central differences, by hand, by invariance, and through masks and empty rows."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.attention import attend, softmax_jacobian, weights
from interview_book.attention.backward import Gradients, attend_gradients
from interview_book.attention.masks import causal_allow, padding_allow

N_Q, N_K, D_K, D_V = 3, 5, 7, 11
STEP = 1e-5  # central differences of numbers below 100: STEP²·f'''/6 ≤ 1e-9, rounding 1e-14/STEP = 1e-9
CLOSE = {"rtol": 1e-7, "atol": 1e-8}


def draw(seed, *shape, dtype=np.float64):
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape).astype(dtype)


def differences(loss, x):
    """dL/dx, one entry after the other."""
    found = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        ends = []
        for side in (STEP, -STEP):
            moved = x.copy()
            moved[index] += side
            ends.append(loss(moved))
        found[index] = (ends[0] - ends[1]) / (2 * STEP)
    return found


def check(q, k, v, **options):
    """Compare every entry of the four gradients of L = Σ G·O with differences; return the gradients."""

    def loss(q, k, v, options):
        return float((np.ma.getdata(attend(q, k, v, **options)) * g).sum())

    g = draw(9, *attend(q, k, v, **options).shape)
    found = attend_gradients(q, k, v, g, **options)
    np.testing.assert_allclose(found.q, differences(lambda x: loss(x, k, v, options), q), **CLOSE)
    np.testing.assert_allclose(found.k, differences(lambda x: loss(q, x, v, options), k), **CLOSE)
    np.testing.assert_allclose(found.v, differences(lambda x: loss(q, k, x, options), v), **CLOSE)
    scale = options.get("scale") or q.shape[-1] ** -0.5
    in_beta = differences(lambda x: loss(q, k, v, options | {"scale": x.item()}), np.array(scale))
    np.testing.assert_allclose(found.beta, in_beta, **CLOSE)
    return found


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scale": 1.0},
        {"scale": -0.3},
        {"causal": True, "align": "top-left"},
        {"causal": True, "align": "bottom-right"},
        {"allow": padding_allow(4, N_K)},
        {"allow": padding_allow(3, N_K)[..., ::-1], "causal": True, "align": "bottom-right"},
        {"allow": padding_allow(3, N_K)[..., ::-1], "causal": True, "align": "top-left", "empty_rows": "zero"},
        {"allow": np.array([[True], [False], [True]]), "empty_rows": "skip"},
        {"allow": np.zeros((1, 1), dtype=bool), "empty_rows": "zero"},
    ],
    ids=str,
)
def test_equals_differences(options):
    check(draw(1, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V), **options)


@pytest.mark.parametrize(
    "batches",
    [((2,), (2,), (2,)), ((2,), (), ()), ((), (2,), ()), ((), (), (2,)), ((2, 1), (3,), (1, 1)), ((1,), (1,), (1,))],
    ids=str,
)
@pytest.mark.parametrize("masked", [False, True])
def test_equals_differences_where_batch_axes_broadcast(batches, masked):
    q, k, v = (draw(i, *batch, n, d) for i, (batch, n, d) in enumerate(zip(batches, (2, 3, 3), (5, 5, 1), strict=True)))
    rank = max(q.ndim, k.ndim)
    allow = draw(7, *(2,) * (rank - 2), 2, 3) > 0 if masked and batches[0] in {(2,), (1,), (2, 1)} else None
    if batches[0] == (2, 1) and masked:
        allow = allow[:, :1]
    found = check(q, k, v, allow=allow, empty_rows="zero")
    assert [x.shape for x in found[:3]] == [q.shape, k.shape, v.shape]


def test_two_positions_by_hand(enforce):
    # q = 1, k = (a, b), v = (10, 0): o = 10 p with p = sigmoid(beta q (a − b)), so do/dz₁ = 10 p(1 − p)
    beta, gap = 0.5, 4.0
    q, k, v = np.array([[1.0]]), np.array([[3.0], [-1.0]]), np.array([[10.0], [0.0]])
    p = 1 / (1 + math.exp(-beta * gap))
    slope = 10 * p * (1 - p)
    found = enforce(attend_gradients)(q, k, v, np.array([[1.0]]), scale=beta)
    assert isinstance(found, Gradients) and type(found.beta) is float
    np.testing.assert_allclose(found.q, [[beta * gap * slope]], rtol=1e-14)
    np.testing.assert_allclose(found.k, [[beta * slope], [-beta * slope]], rtol=1e-14)
    np.testing.assert_allclose(found.v, [[p], [1 - p]], rtol=1e-14)
    np.testing.assert_allclose(found.beta, gap * slope, rtol=1e-14)


def test_equals_the_chain_of_jacobians():
    q, k, v, g = draw(1, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V), draw(4, N_Q, D_V)
    p, c = weights(q, k), math.sqrt(D_K)
    in_scaled = np.einsum("qij,qj->qi", softmax_jacobian(p), np.einsum("qd,jd->qj", g, v))
    found = attend_gradients(q, k, v, g)
    np.testing.assert_allclose(found.q, in_scaled @ k / c, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found.k, in_scaled.T @ q / c, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found.v, np.einsum("qj,qd->jd", p, g), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found.beta, np.einsum("qj,qf,jf->", in_scaled, q, k), rtol=1e-12)


@given(st.sampled_from([1, 2, 3, 13]), st.sampled_from([1, 2, 5, 17]), st.sampled_from([1, 7]), st.booleans())
def test_invariances_of_the_loss(n_q, n_k, d_k, causal):
    q, k, v, g = draw(1, n_q, d_k), draw(2, n_k, d_k), draw(3, n_k, 11), draw(4, n_q, 11)
    options = {"causal": True, "align": "bottom-right", "empty_rows": "zero"} if causal else {}
    found = attend_gradients(q, k, v, g, **options)
    # at most 17·13 terms below 50
    near = {"rtol": 1e-11, "atol": 1e-11}
    np.testing.assert_allclose(found.k.sum(axis=0), 0, **near)  # a common shift of the Keys changes nothing
    # Q, K and beta stand in the loss only as their product
    np.testing.assert_allclose((q * found.q).sum(), found.beta / math.sqrt(d_k), **near)
    np.testing.assert_allclose((k * found.k).sum(), found.beta / math.sqrt(d_k), **near)
    # every row of weights adds up to 1, an empty one to 0
    full = np.ones(n_q, dtype=bool) if not causal else causal_allow(n_q, n_k, "bottom-right").any(axis=-1)
    np.testing.assert_allclose(found.v.sum(axis=0), g[full].sum(axis=0), **near)


def test_digits_are_kept_next_to_saturation():
    q, k, v = np.array([[1.0]]), np.array([[40.0], [0.0]]), np.array([[3.0], [1.0]])
    with mpmath.workdps(50):
        exact = float(2 * mpmath.exp(-40) / (1 + mpmath.exp(-40)) ** 2)
    found = attend_gradients(q, k, v, np.array([[1.0]]), scale=1)
    np.testing.assert_allclose(found.k, [[exact], [-exact]], rtol=1e-14)  # the plain formula gives 0 for the first


@pytest.mark.parametrize("policy", ["zero", "skip"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nothing_flows_where_nothing_is_seen(policy, bad):
    q, k, v, g = draw(1, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V), draw(4, N_Q, D_V)
    allow = np.ones((N_Q, N_K), dtype=bool)
    allow[1], allow[:, 3] = False, False
    kept = [0, 1, 2, 4]
    expected = attend_gradients(q[[0, 2]], k[kept], v[kept], g[[0, 2]])
    q[1], k[3], v[3] = bad, bad, bad
    if policy == "skip":
        g[1] = bad
    found = attend_gradients(q, k, v, g, allow=allow, empty_rows=policy)
    assert (found.q[1] == 0).all() and (found.k[3] == 0).all() and (found.v[3] == 0).all()
    near = {"rtol": 1e-12, "atol": 1e-14}
    np.testing.assert_allclose(found.q[[0, 2]], expected.q, **near)
    np.testing.assert_allclose(found.k[kept], expected.k, **near)
    np.testing.assert_allclose(found.v[kept], expected.v, **near)
    np.testing.assert_allclose(found.beta, expected.beta, **near)


def test_policies_of_empty_rows():
    q, k, v, g = draw(1, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V), draw(4, N_Q, D_V)
    options = {"allow": np.array([[True], [False], [True]])}
    with pytest.raises(ValueError, match="none in 1 of 3 rows"):
        attend_gradients(q, k, v, g, **options)
    g[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"g: expected finite numbers, got 1 .*index \(1, 2\)"):
        attend_gradients(q, k, v, g, **options, empty_rows="zero")
    skipped = attend_gradients(q, k, v, g, **options, empty_rows="skip")
    masked = np.ma.MaskedArray(g, mask=np.broadcast_to([[False], [True], [False]], g.shape).copy())
    again = attend_gradients(q, k, v, masked, **options, empty_rows="skip")
    for x, y in zip(skipped, again, strict=True):
        np.testing.assert_array_equal(x, y)
    masked.mask[0, 0] = True
    with pytest.raises(
        ValueError, match=r"g: expected a mask over empty rows only, got 1 .*\(0, 0\).*try g\.filled\(0\)"
    ):
        attend_gradients(q, k, v, masked, **options, empty_rows="skip")
    with pytest.raises(
        ValueError, match=r"g: expected a mask over empty rows only, got 12 .*\(0, 0\), shape \(3, 11\)"
    ):
        attend_gradients(q, k, v, masked, empty_rows="skip")
    with pytest.raises(TypeError, match=r"g: .*got int64"):
        attend_gradients(q, k, v, np.ma.MaskedArray(np.ones(g.shape, dtype=int)), empty_rows="skip")
    with pytest.raises(TypeError, match=r"g: .*got MaskedArray"):
        attend_gradients(q, k, v, masked, **options, empty_rows="zero")
    with pytest.raises(ValueError, match="empty_rows: expected one of"):
        attend_gradients(q, k, v, g, empty_rows="mean")


def test_a_skipped_row_of_a_batch_is_not_read():
    q, k, v, g = draw(1, 2, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V), draw(4, 2, N_Q, D_V)
    allow = np.ones((2, N_Q, 1), dtype=bool)
    allow[1, 2] = False
    expected = attend_gradients(q, k, v, g, allow=allow, empty_rows="zero")
    g[1, 2] = np.nan
    found = attend_gradients(q, k, v, g, allow=allow, empty_rows="skip")
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_array_equal(x, y)


def test_the_masked_output_goes_straight_back():
    q, k, v = draw(1, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V)
    options = {"allow": np.array([[True], [False], [True]]), "empty_rows": "skip"}
    found = attend_gradients(q, k, v, 2 * attend(q, k, v, **options), **options)  # L = Σ O²
    expected = attend_gradients(q[[0, 2]], k, v, 2 * attend(q[[0, 2]], k, v))
    np.testing.assert_allclose(found.k, expected.k, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found.beta, expected.beta, rtol=1e-12)


def test_a_masked_pair_may_overflow():
    big, v, g = np.array([[1e200], [1.0]]), np.array([[-1e200], [1.0]]), np.array([[1e200], [1.0]])
    allow = np.array([[False, True], [True, False]])  # one Key each: constant weights
    found = attend_gradients(big, big, v, g, allow=allow, scale=1)
    np.testing.assert_array_equal(found.q, np.zeros((2, 1)))
    np.testing.assert_array_equal(found.k, np.zeros((2, 1)))
    np.testing.assert_array_equal(found.v, g[::-1])
    assert found.beta == 0


def test_a_derivative_in_beta_that_does_not_fit_is_told():
    q, k = np.array([[1e160]]), np.array([[1e160], [0.0]])
    v, g = np.array([[1.0], [0.0]]), np.array([[1.0]])
    with pytest.raises(ValueError, match="gradient in beta: the result does not fit; try a wider dtype"):
        attend_gradients(q, k, v, g, scale=0)  # dQ and dK are 0, and Σ dZ S is 1e320/4
    assert attend_gradients(q, k / 1e160, v, g, scale=0).beta == 1e160 / 4


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_dtype_is_that_of_the_arguments(enforce, dtype):
    given = [draw(i, *shape, dtype=dtype) for i, shape in enumerate([(3, 7), (5, 7), (5, 11), (3, 11)])]
    found = enforce(attend_gradients)(*given, causal=True, align="top-left")
    exact = attend_gradients(*(x.astype(np.float64) for x in given), causal=True, align="top-left")
    # numbers below 16; float32 has some thirty roundings on the way, float16 one
    units = 16 * float(np.finfo(dtype).eps) * (1 if dtype == np.float16 else 30)
    for x, y in zip(found[:3], exact[:3], strict=True):
        assert x.dtype == dtype
        np.testing.assert_allclose(x, y, rtol=0, atol=units)
    np.testing.assert_allclose(found.beta, exact.beta, rtol=0, atol=30 * 16 * 2**-23)
    assert attend_gradients(*given[:3], given[3].astype(np.float64)).q.dtype == np.float64


def test_arguments_stay_and_results_are_new():
    given = [draw(i, *shape) for i, shape in enumerate([(3, 7), (5, 7), (5, 11), (3, 11)])]
    allow = np.array([[True], [False], [True]])
    before = [x.tobytes() for x in (*given, allow)]
    for policy in ("zero", "skip"):
        first = attend_gradients(*given, allow=allow, empty_rows=policy)
        again = attend_gradients(*given, allow=allow, empty_rows=policy)
        assert [x.tobytes() for x in first[:3]] == [x.tobytes() for x in again[:3]] and first.beta == again.beta
        for x in first[:3]:
            assert not any(np.shares_memory(x, y) for y in given)
            x[:] = 7
    assert [x.tobytes() for x in (*given, allow)] == before


@pytest.mark.parametrize(
    ("g", "error", "says"),
    [
        (draw(4, 5, 11), ValueError, r"g: expected the shape of the output \(3, 11\), got \(5, 11\); g is dL/d"),
        (draw(4, 2, 3, 11), ValueError, r"g: expected .* \(3, 11\), got \(2, 3, 11\)"),
        (draw(4, 1, 11), ValueError, r"g: expected .* \(3, 11\), got \(1, 11\)"),
        (np.ones((3, 11), dtype=int), TypeError, "g: .*got int64"),
        (np.full((3, 11), np.nan), ValueError, "g: expected finite numbers, got 33"),
        (np.full((3, 11), 1e308), ValueError, "gradient in .*the result does not fit"),
    ],
)
def test_bad_gradients_are_named(g, error, says):
    with pytest.raises(error, match=says):
        attend_gradients(10 * draw(1, 3, 7), 10 * draw(2, 5, 7), draw(3, 5, 11), g)


def test_bad_arguments_are_named_as_in_attend():
    q, k, v, g = draw(1, 3, 7), draw(2, 5, 7), draw(3, 5, 11), draw(4, 3, 11)
    with pytest.raises(ValueError, match="align: expected 'top-left'"):
        attend_gradients(q, k, v, g, causal=True)
    with pytest.raises(ValueError, match="k and v: expected one Value for each Key, got 5 Keys and 2 Values"):
        attend_gradients(q, k, v[:2], g)
    with pytest.raises(TypeError, match="allow: expected booleans"):
        attend_gradients(q, k, v, g, allow=np.zeros((3, 5)))


def test_a_sum_along_a_batch_that_overflows_is_named():
    one, g = np.ones((1, 1)), np.full((3, 1, 1), 1e308)
    with pytest.raises(ValueError, match="gradient in v: the result does not fit into float64"):
        attend_gradients(np.ones((3, 1, 1)), one, one, g)


@pytest.mark.parametrize("size", [-50, 50])
def test_a_scale_beyond_the_normal_numbers_of_float32(size):
    q, k, v, g = draw(1, 3, 7), draw(2, 5, 7), draw(3, 5, 11), draw(4, 3, 11)
    expected = attend_gradients(q, k, v, g, scale=1.0)
    part = 10.0 ** (-size / 2)
    found = attend_gradients(*((x * by).astype(np.float32) for x, by in ((q, part), (k, part), (v, 1), (g, 1))),
                             scale=10.0**size)  # fmt: skip
    # float32 rounds the inputs and every step; the numbers are of order 1
    np.testing.assert_allclose(found.q * part, expected.q, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found.k * part, expected.k, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found.beta / 10.0**-size, expected.beta, rtol=1e-4, atol=1e-5)
