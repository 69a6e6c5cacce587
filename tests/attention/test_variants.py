"""Other scores: by hand, against plain formulas in long arithmetic, by invariance, by finite differences."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from interview_book.attention import attend, mix, scores, softmax
from interview_book.attention.backward import attend_gradients
from interview_book.attention.variants import (
    TemperatureGradient,
    cosine_attend,
    cosine_scores,
    qk_norm_attend,
    rms_norm,
    softcap,
    temperature_gradient,
)

N_Q, N_K, D_K, D_V = 3, 5, 7, 11


def draw(seed, *shape, dtype=np.float64):
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape).astype(dtype)


def inputs(*batch, dtype=np.float64):
    shapes = ((N_Q, D_K), (N_K, D_K), (N_K, D_V))
    return [draw(seed, *batch, *shape, dtype=dtype) for seed, shape in enumerate(shapes)]


def plain_cosines(q, k):
    """Cosines by the definition, in 40 digits."""
    with mpmath.workdps(40):
        rows, keys = ([[mpmath.mpf(float(x)) for x in row] for row in matrix] for matrix in (q, k))

        def dot(x, y):
            return mpmath.fsum(a * b for a, b in zip(x, y, strict=True))

        return np.array([[float(dot(x, y) / mpmath.sqrt(dot(x, x) * dot(y, y))) for y in keys] for x in rows])


def plain_rms(x):
    return x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True))


# A dozen roundings of numbers of order 1.
CLOSE = {"rtol": 1e-14, "atol": 1e-15}


def test_the_signatures_say_what_happens(enforce):
    q, k, v = inputs(2)
    assert enforce(softcap)(scores(q, k), 2.0).shape == (2, N_Q, N_K)
    assert enforce(cosine_scores)(q, k, gain=2.0).shape == (2, N_Q, N_K)
    assert enforce(rms_norm)(q, np.ones(D_K)).shape == q.shape
    mask = np.ones((N_Q, N_K), dtype=bool)
    assert enforce(cosine_attend)(q, k, v, allow=mask, empty_rows="skip").shape == (2, N_Q, D_V)
    assert enforce(qk_norm_attend)(q, k, v, q_gain=np.ones(D_K), allow=mask).shape == (2, N_Q, D_V)
    assert isinstance(enforce(temperature_gradient)(1.0, 2.0), TemperatureGradient)


# softcap


def test_softcap_by_hand():
    # tanh(log 2) = (4 − 1)/(4 + 1), tanh(log 3) = (9 − 1)/(9 + 1)
    z = 5 * np.log(np.array([[1.0, 2.0, 3.0], [0.5, 1 / 3, 1.0]]))
    np.testing.assert_allclose(softcap(z, 5.0), [[0, 3, 4], [-3, -4, 0]], rtol=1e-15, atol=1e-15)


@given(arrays(np.float64, (7,), elements=st.floats(-1e6, 1e6)), st.sampled_from([0.5, 3.0, 50.0]))
def test_softcap_stays_inside_and_keeps_the_order(z, cap):
    y = softcap(z, cap)
    # strictly inside in exact arithmetic; beyond 19 caps tanh rounds to 1
    assert (np.abs(y) <= cap).all()
    # |tanh x| ≤ |x|; three roundings, and z/cap may be a number with few bits left
    assert (np.abs(y) <= np.abs(z) * (1 + 2**-51) + cap * 2.0**-1074).all()
    order = z.argsort()
    assert (np.diff(y[order]) >= 0).all()
    np.testing.assert_array_equal(softcap(-z, cap), -y)


def test_softcap_slope_and_series():
    cap, z, h = 3.0, np.linspace(-7, 7, 29), 1e-5
    slope = (softcap(z + h, cap) - softcap(z - h, cap)) / (2 * h)
    # central differences: h²/6 · third derivative (below 1) and rounding 3 · 1e-16/h
    np.testing.assert_allclose(slope, 1 - np.tanh(z / cap) ** 2, atol=2e-10)
    small = np.array([0.01, 0.1])
    # the next term of the series is 2 z⁵/(15 cap⁴)
    np.testing.assert_allclose(softcap(small, cap), small - small**3 / (3 * cap**2), rtol=0, atol=2e-8)
    np.testing.assert_allclose(softcap(z, 1e9), z, rtol=1e-15)


def test_softcap_bounds_the_weight():
    n, cap = 13, 2.0
    z = np.full(n, -1e9)
    z[5] = 1e9
    np.testing.assert_allclose(softmax(softcap(z, cap))[5], 1 / (1 + (n - 1) * math.exp(-2 * cap)), rtol=1e-14)
    assert softmax(z)[5] == 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_softcap_keeps_the_dtype(dtype):
    z = draw(1, 3, 5, dtype=dtype) * dtype(20)
    y = softcap(z, 30.0)
    assert y.dtype == dtype and y.shape == (3, 5)
    exact = 30 * np.tanh(z.astype(np.float64) / 30)
    np.testing.assert_allclose(y, exact, rtol=np.finfo(dtype).eps)
    assert softcap(np.array(3.0, dtype=dtype), 30.0).dtype == dtype
    np.testing.assert_allclose(softcap(z, 1e300), z, rtol=2**-51)  # in float32 the cap would be infinite


def test_softcap_refuses_what_is_masked_already():
    with pytest.raises(ValueError, match=r"z: expected finite scores, got 1 .*cap first and mask afterwards"):
        softcap(np.array([1.0, -np.inf]), 50.0)
    # the right order, and what the wrong one would do
    z, allow = np.array([1.0, 2.0, 3.0]), np.array([True, True, False])
    assert softmax(softcap(z, 2.0), allow)[2] == 0
    assert softmax(softcap(np.where(allow, z, -1e9), 2.0))[2] > 0.01


# cosine


@pytest.mark.parametrize("gain", [None, 1.0, 0.3, -2.0])
def test_cosine_scores_by_the_definition(gain):
    q, k, _ = inputs()
    expected = plain_cosines(q, k) * (math.sqrt(D_K) if gain is None else gain)
    np.testing.assert_allclose(cosine_scores(q, k, gain=gain), expected, **CLOSE)


def test_cosine_scores_by_hand():
    q, k = np.array([[3.0, 4.0]]), np.array([[6.0, 8.0], [-4.0, 3.0], [-3.0, -4.0], [5.0, 12.0]])
    np.testing.assert_allclose(cosine_scores(q, k, gain=1.0), [[1, 0, -1, 63 / 65]], rtol=1e-15, atol=1e-16)


@given(arrays(np.float64, (5, 7), elements=st.floats(0.01, 100)), st.floats(1e-150, 1e150))
def test_length_does_not_matter_and_cosines_stay_inside(x, factor):
    z = cosine_scores(x, x, gain=1.0)
    assert (np.abs(z) <= 1).all()
    np.testing.assert_allclose(np.diag(z), 1, rtol=1e-15)
    np.testing.assert_allclose(cosine_scores(x * factor, x, gain=1.0), z, rtol=1e-14)


def test_very_long_and_very_short_vectors():
    q, k = np.array([[3e200, 4e200], [3e-200, 4e-200]]), np.array([[5e-324, 0.0], [1e308, 1e308]])
    expected = [[0.6, 7 / (5 * math.sqrt(2))]] * 2
    np.testing.assert_allclose(cosine_scores(q, k, gain=1.0), expected, rtol=1e-15)


def test_cosine_and_dot_product_may_rank_differently():
    q, k = np.array([[1.0, 0.0]]), np.array([[2.0, 2.0], [1.0, 0.0]])
    assert scores(q, k, 1).argmax() == 0  # 2 beside 1: the longer Key
    assert cosine_scores(q, k).argmax() == 1  # 0.71 beside 1: the nearer direction


def test_the_default_gain_makes_unit_variance():
    # all corners of a cube against a fixed direction: a uniform direction as far as second moments go, exactly
    for d in (2, 3, 5, 7):
        corners = np.array(np.meshgrid(*[[-1.0, 1.0]] * d)).reshape(d, -1).T
        z = cosine_scores(draw(d, 1, d), corners)
        np.testing.assert_allclose(np.mean(z), 0, atol=1e-15)
        np.testing.assert_allclose(np.mean(z**2), 1, rtol=1e-14)
        np.testing.assert_allclose(np.mean(cosine_scores(draw(d, 1, d), corners, gain=1.0) ** 2), 1 / d, rtol=1e-14)


def test_a_gain_of_one_leaves_many_keys_alike():
    n = 1024
    k = np.full((n, 2), [-1.0, 0.0])
    k[17] = [1.0, 0.0]
    one_hot = np.eye(n)[:, [17]]
    q = np.array([[1.0, 0.0]])
    weight = cosine_attend(q, k, one_hot, gain=1.0)[0, 0]
    np.testing.assert_allclose(weight, 1 / (1 + (n - 1) * math.exp(-2)), rtol=1e-13)
    assert f"{weight:.5f}" == "0.00717"
    needed = math.log((n - 1) * 0.9 / 0.1) / 2
    assert f"{needed:.3f}" == "4.564"
    np.testing.assert_allclose(cosine_attend(q, k, one_hot, gain=needed)[0, 0], 0.9, rtol=1e-13)


MASKS = {
    "none": {},
    "causal": {"causal": True, "align": "bottom-right"},
    "allow": {"allow": np.tril(np.ones((N_Q, N_K), dtype=bool), 1)},
    "both": {"allow": np.arange(N_K)[np.newaxis] < 3, "causal": True, "align": "bottom-right"},
    "empty": {"allow": np.array([[True], [False], [True]]), "empty_rows": "zero"},
    "skip": {"allow": np.array([[True], [False], [True]]), "empty_rows": "skip"},
}


@pytest.mark.parametrize("mask", MASKS)
def test_cosine_attend_is_attention_over_directions(mask):
    q, k, v = inputs(2)
    unit = [x / np.sqrt((x**2).sum(axis=-1, keepdims=True)) for x in (q, k)]
    for gain in (None, 3.0):
        ours = cosine_attend(q, k, v, gain=gain, **MASKS[mask])
        theirs = attend(*unit, v, scale=math.sqrt(D_K) if gain is None else gain, **MASKS[mask])
        assert type(ours) is type(theirs)
        np.testing.assert_array_equal(np.ma.getmaskarray(ours), np.ma.getmaskarray(theirs))
        np.testing.assert_allclose(np.ma.getdata(ours), np.ma.getdata(theirs), rtol=1e-13, atol=1e-14)
    ours = cosine_attend(q, k, v)
    np.testing.assert_allclose(ours, mix(softmax(cosine_scores(q, k)), v), rtol=1e-13, atol=1e-14)


# RMS


@given(arrays(np.float64, (3, 7), elements=st.floats(0.01, 1e3)))
def test_rms_norm_by_the_definition(x):
    y = rms_norm(x)
    np.testing.assert_allclose(y, plain_rms(x), rtol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(y, axis=-1), math.sqrt(7), rtol=1e-14)
    gain = np.array([2.0, -1.0, 0.5, 0.0, 3.0, 1.0, 7.0])
    np.testing.assert_allclose(rms_norm(x, gain), plain_rms(x) * gain, rtol=1e-14)
    for eps in (1e-6, 10.0):
        expected = x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)
        np.testing.assert_allclose(rms_norm(x, eps=eps), expected, rtol=1e-14)


def test_rms_norm_by_hand():
    np.testing.assert_allclose(rms_norm(np.array([1.0, 7.0])), [1 / 5, 7 / 5], rtol=1e-15)  # mean square 25
    np.testing.assert_allclose(rms_norm(np.array([1.0, 7.0]), eps=11.0), [1 / 6, 7 / 6], rtol=1e-15)
    np.testing.assert_allclose(rms_norm(np.array([[1e200, 7e200], [1e-200, 7e-200]])), [[0.2, 1.4]] * 2, rtol=1e-15)
    # with eps a zero vector stays zero; 2⁻¹⁰⁷⁴/√2⁻²⁰ is 2⁻¹⁰⁶⁴, or 0 where √eps/2⁻¹⁰⁷⁴ overflows on the way
    tiny = rms_norm(np.array([[0.0, 0.0], [5e-324, 0.0]]), eps=2**-20)
    assert tiny[0].tolist() == [0, 0] and 0 <= tiny[1, 0] <= 2.0**-1064
    # the length of the input is forgotten, that of the result is learned
    x, gain = np.array([1.0, 7.0]), np.array([2.0, 3.0])
    np.testing.assert_array_equal(rms_norm(4 * x, gain), rms_norm(x, gain))


@pytest.mark.parametrize("mask", MASKS)
def test_qk_norm_attend_is_attention_over_normalised_vectors(mask):
    q, k, v = inputs(2)
    q_gain, k_gain = draw(5, D_K), draw(6, D_K)
    for scale in (None, 0.5):
        ours = qk_norm_attend(q, k, v, q_gain=q_gain, k_gain=k_gain, eps=0.01, scale=scale, **MASKS[mask])
        normal = [x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 0.01) * g for x, g in ((q, q_gain), (k, k_gain))]
        theirs = attend(*normal, v, scale=scale, **MASKS[mask])
        assert type(ours) is type(theirs)
        np.testing.assert_array_equal(np.ma.getmaskarray(ours), np.ma.getmaskarray(theirs))
        np.testing.assert_allclose(np.ma.getdata(ours), np.ma.getdata(theirs), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(qk_norm_attend(q, k, v), cosine_attend(q, k, v), rtol=1e-13, atol=1e-14)


def test_qk_norm_bounds_the_scores():
    q, k, _ = inputs()
    for factor in (1, 1e3, 1e100):
        z = scores(rms_norm(factor * q), rms_norm(k))
        assert (np.abs(z) <= math.sqrt(D_K) * (1 + 1e-15)).all()
    np.testing.assert_allclose(np.diag(scores(rms_norm(k), rms_norm(k))), math.sqrt(D_K), rtol=1e-14)


# what both share


@pytest.mark.parametrize("function", [cosine_attend, qk_norm_attend])
def test_what_is_masked_may_be_anything(function):
    q, k, v = inputs(2)
    allow = np.ones((2, N_Q, N_K), dtype=bool)
    allow[0, :, 3:] = False
    allow[1, 2] = False
    expected = function(q, k, v, allow=allow, empty_rows="zero")
    k[0, 3], k[0, 4], v[0, 3], v[0, 4], q[1, 2] = 0, np.nan, np.inf, np.nan, 0
    np.testing.assert_array_equal(function(q, k, v, allow=allow, empty_rows="zero"), expected)
    k[0, 1] = 0
    with pytest.raises(ValueError, match=r"k: expected vectors that have a direction, got 1 of length 0 .*\(0, 1\)"):
        function(q, k, v, allow=allow, empty_rows="zero")
    k[0, 1] = np.nan
    with pytest.raises(ValueError, match="k: expected finite numbers, got 7"):
        function(q, k, v, allow=allow, empty_rows="zero")


@pytest.mark.parametrize("function", [cosine_attend, qk_norm_attend])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_dtype_is_that_of_the_arguments(function, dtype):
    q, k, v = inputs(2, dtype=dtype)
    wide = [x.astype(np.float64) for x in (q, k, v)]
    # float16 is rounded once, from float32: half a unit of a number below 4
    close = {"rtol": 0, "atol": {np.float16: 2**-10 + 1e-5, np.float32: 1e-5}[dtype]}
    for options in ({}, {"allow": np.array([[True], [False], [True]]), "empty_rows": "skip"}):
        ours = function(q, k, v, **options)
        assert ours.dtype == dtype
        np.testing.assert_allclose(np.ma.getdata(ours), np.ma.getdata(function(*wide, **options)), **close)
        assert not options or ours.fill_value == 0
    # squares of 300 do not fit into float16
    assert function(q * dtype(300), k, v).dtype == dtype
    assert cosine_scores(q, k).dtype == rms_norm(q).dtype == dtype
    assert rms_norm(q, np.ones(D_K)).dtype == cosine_scores(q, k.astype(np.float64)).dtype == np.float64


def test_inputs_stay_and_results_are_new():
    q, k, v = inputs(2)
    gain = draw(5, D_K)
    before = [x.copy() for x in (q, k, v, gain)]
    for result in (
        softcap(q, 1e9),
        cosine_scores(q, k),
        cosine_attend(q, k, v),
        rms_norm(q, gain),
        rms_norm(rms_norm(q)),
        qk_norm_attend(q, k, v, q_gain=gain),
    ):
        result[:] = 7
    for x, was in zip((q, k, v, gain), before, strict=True):
        np.testing.assert_array_equal(x, was)


# temperature


def test_temperature_gradient_by_hand():
    # beta = 3/T at T = 2: dbeta/dT = −3/4, dbeta/d log T = −3/2
    assert temperature_gradient(5.0, 2.0, 3.0) == (5 * Fraction(-3, 4), 5 * Fraction(-3, 2))
    assert temperature_gradient(5.0, 2.0).log_temperature == -2.5


@pytest.mark.parametrize("factor", [1.0, 1 / math.sqrt(D_K)])
def test_temperature_gradient_is_the_derivative(factor):
    q, k, v = inputs(2)
    g = draw(7, 2, N_Q, D_V)
    options = {"causal": True, "align": "bottom-right"}

    def loss(temperature):
        return float((attend(q, k, v, scale=factor / temperature, **options) * g).sum())

    temperature, h = 1.7, 1e-5
    ours = temperature_gradient(
        attend_gradients(q, k, v, g, scale=factor / temperature, **options).beta, temperature, factor
    )
    # central differences: h² times a third derivative of order 1, and rounding 1e-15/h
    by_difference = (loss(temperature + h) - loss(temperature - h)) / (2 * h)
    np.testing.assert_allclose(ours.temperature, by_difference, rtol=1e-8, atol=1e-8)
    in_log = (loss(temperature * math.exp(h)) - loss(temperature * math.exp(-h))) / (2 * h)
    np.testing.assert_allclose(ours.log_temperature, in_log, rtol=1e-8, atol=1e-8)
    assert abs(by_difference) > 1e-3


def test_a_temperature_can_be_learned():
    q, k, v = inputs(2)
    target = attend(q, k, v, scale=1 / 2.5)
    log_temperature, losses = math.log(0.5), []
    for _ in range(200):
        temperature = math.exp(log_temperature)
        error = attend(q, k, v, scale=1 / temperature) - target
        losses.append(float((error**2).sum()))
        beta = attend_gradients(q, k, v, 2 * error, scale=1 / temperature).beta
        log_temperature -= 0.02 * temperature_gradient(beta, temperature).log_temperature
    assert (np.diff(losses) <= 0).all()
    np.testing.assert_allclose(math.exp(log_temperature), 2.5, rtol=1e-3)


# errors

ONE = np.ones((1, 3))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: softcap(ONE, 0.0), ValueError, r"cap: expected a finite number above 0, got 0\.0"),
        (lambda: softcap(ONE, -1), ValueError, "cap: .* above 0, got -1"),
        (lambda: softcap(ONE, math.inf), ValueError, "cap: .* got inf"),
        (lambda: softcap(ONE, "50"), TypeError, "cap: expected one real number, got '50'"),
        (lambda: softcap(ONE, 10**400), ValueError, "cap: expected a number that float64 can hold"),
        (lambda: softcap(np.arange(3), 50), TypeError, "z: .*got int64"),
        (
            lambda: cosine_scores(ONE, 0 * ONE),
            ValueError,
            r"k: .*a direction, got 1 of length 0 \(first at index \(0,\)",
        ),
        (lambda: cosine_scores(0 * ONE, ONE), ValueError, r"q: .*a direction"),
        (lambda: cosine_scores(ONE, np.full((1, 3), np.nan)), ValueError, "k: expected finite numbers, got 3"),
        (lambda: cosine_scores(ONE, ONE, gain=True), TypeError, "gain: expected one real number, got True"),
        (lambda: cosine_scores(ONE, ONE, gain=math.nan), ValueError, "gain: expected a finite number, got nan"),
        (lambda: cosine_scores(ONE, np.ones((1, 5))), ValueError, "q and k: .*d_k, got 3 and 5"),
        (lambda: cosine_scores(np.ones((1, 0)), np.ones((1, 0))), ValueError, "d_k ≥ 1"),
        (lambda: cosine_attend(ONE, ONE, np.ones((2, 5))), ValueError, "k and v: expected one Value"),
        (lambda: cosine_attend(ONE, ONE, ONE, causal=True, align="up"), ValueError, "align: expected"),
        (lambda: cosine_attend(ONE, ONE, ONE, allow=ONE[:, :1]), TypeError, "allow: expected booleans"),
        (lambda: cosine_attend(ONE, ONE, ONE, empty_rows="mean"), ValueError, "empty_rows: expected one of"),
        (lambda: rms_norm(0 * ONE), ValueError, r"x: .*a direction.*eps above 0"),
        (lambda: rms_norm(ONE, np.ones(5)), ValueError, r"gain: expected shape \(3,\), one .*, got \(5,\)"),
        (lambda: rms_norm(ONE, np.array([1.0, np.nan, 1.0])), ValueError, "gain: expected finite"),
        (lambda: rms_norm(ONE, eps=-1e-6), ValueError, "eps: expected a finite number of at least 0, got -1e-06"),
        (lambda: rms_norm(np.ones((2, 0))), ValueError, "x: expected at least one feature"),
        (
            lambda: rms_norm(np.array([5.0, 0.0]), np.array([1.7e308, 1])),
            ValueError,
            "rms_norm: the result does not fit",
        ),
        (lambda: qk_norm_attend(ONE, ONE, ONE, k_gain=np.ones((1, 3))), ValueError, r"k_gain: .*got \(1, 3\)"),
        (lambda: qk_norm_attend(ONE, ONE, ONE, scale="1"), TypeError, "scale: expected one real number"),
        (lambda: temperature_gradient(1.0, 0.0), ValueError, "temperature: expected a finite number above 0"),
        (lambda: temperature_gradient(math.nan, 1.0), ValueError, "beta_gradient: expected a finite number"),
    ],
)
def test_bad_arguments_are_named(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_a_temperature_gradient_is_exact_or_refused():
    assert temperature_gradient(0.0, 1e-310) == (0, 0)
    # factor/T² is beyond float64 and dL/dbeta below it
    np.testing.assert_allclose(temperature_gradient(1e-300, 1e-160), (-1e20, -1e-140), rtol=1e-14)
    with pytest.raises(ValueError, match="temperature: the gradient at 1e-200 does not fit into float64; try a larger"):
        temperature_gradient(1.0, 1e-200)
