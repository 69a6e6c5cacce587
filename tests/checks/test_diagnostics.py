"""Each measure against its definition in plain loops, hand values and invariances; and reports that never raise."""

import math

import numpy as np
import pytest
from scipy import stats

from interview_book.attention import KEYS, QUERY, VALUES
from interview_book.attention.backward import attend_gradients
from interview_book.attention.dot_product import scores, weights
from interview_book.attention.masks import causal_allow, padding_allow
from interview_book.checks.diagnostics import Report, observed_report, report

L, B, H, N_Q, N_K, D_K, D_V = 2, 3, 5, 7, 11, 13, 3
ARRAYS = [name for name in Report.__dataclass_fields__ if name not in {"d_k", "d_model", "dtype"}]


def generator(seed=17):
    return np.random.Generator(np.random.PCG64(seed))


def tensors(n_q=N_Q, n_k=N_K, kv_heads=H):
    rng = generator()
    shapes = ((H, n_q, D_K), (kv_heads, n_k, D_K), (kv_heads, n_k, D_V), (H, n_q, D_V))
    return [rng.standard_normal((L, B, *shape)) for shape in shapes]


def assert_same(a: Report, b: Report, names=ARRAYS, rtol=1e-12):
    for name in names:
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=rtol, atol=1e-13, err_msg=name)


def test_the_two_position_example_by_hand():
    found = report(QUERY[None, None, None], KEYS[None, None, None])
    p = 1 / (1 + math.exp(-2))
    h = -p * math.log(p) - (1 - p) * math.log(1 - p)
    for name, expected in {
        "sd_before": math.sqrt(8),  # 4 and 0 around 2: (4 + 4)/1
        "sd_before_within": math.sqrt(8),
        "sd_after_within": math.sqrt(2),
        "ratio": 2.0,
        "correlation": 1.0,
        "keys": 2.0,
        "entropy": h,
        "deficit": math.log(2) - h,
        "largest_weight": p,
        "jacobian": 2 * p * (1 - p),
        "max_before": 4.0,
        "max_after": 2.0,
        "q_norm": 2.0,
        "k_norm": 2.0,
        "q_norm_max": 2.0,
        "k_shift": 0.0,  # mean (1, 0, 1, 0): 2/4 of the square, which is what two orthogonal vectors have by chance
        "rows": 1.0,
        "empty_rows": 0.0,
        "overflow": 0.0,
    }.items():
        assert getattr(found, name) == pytest.approx(np.array([[expected]]), rel=1e-14, abs=1e-15), name
    assert found.shape == (1, 1) and found.d_k == (4,) and found.d_model == (4,) and found.dtype == "float64"
    assert np.isnan(found.gradient_q).all() and np.isnan(found.future_weight).all() and np.isnan(found.x_norm).all()


def by_loops(q, k, allowed, layer, head, scale):
    """Every measure of the scores from its definition, pair by pair."""
    raw, scaled, squares, rows = [], [], [0.0, 0.0], []
    free = 0
    for b in range(B):
        for i in range(q.shape[-2]):
            keys = [j for j in range(k.shape[-2]) if allowed[b, head, i, j]]
            s = [float(q[layer, b, head, i] @ k[layer, b, head, j]) for j in keys]
            if len(keys) < 2:
                continue
            z = [one * scale for one in s]
            raw += s
            scaled += z
            for index, values in enumerate((s, z)):
                squares[index] += sum((one - sum(values) / len(values)) ** 2 for one in values)
            free += len(keys) - 1
            p = np.exp(z) / np.sum(np.exp(z))
            rows.append((stats.entropy(p), math.log(len(keys)) - stats.entropy(p), p.max(), len(keys), p))
    jacobians = [np.linalg.norm(np.diag(p) - np.outer(p, p)) for *_, p in rows]
    return {
        "sd_before": np.std(raw, ddof=1),
        "sd_after": np.std(scaled, ddof=1),
        "sd_before_within": math.sqrt(squares[0] / free),
        "sd_after_within": math.sqrt(squares[1] / free),
        "entropy": np.mean([row[0] for row in rows]),
        "deficit": np.mean([row[1] for row in rows]),
        "largest_weight": np.mean([row[2] for row in rows]),
        "keys": np.mean([row[3] for row in rows]),
        "jacobian": np.median(jacobians),
    }


def test_every_measure_is_its_definition_through_masks():
    q, k, *_ = tensors(N_K, N_K)
    allow = padding_allow(np.array([11, 5, 2])[:, np.newaxis], N_K)
    allowed = np.broadcast_to(causal_allow(N_K, N_K) & allow, (B, H, N_K, N_K))
    scale = np.linspace(0.1, 0.9, L * H).reshape(L, H)
    found = report(q, k, scale=scale, allow=allow, causal=True)
    for layer in range(L):
        for head in range(H):
            for name, expected in by_loops(q, k, allowed, layer, head, scale[layer, head]).items():
                assert getattr(found, name)[layer, head] == pytest.approx(expected, rel=1e-12), name
    np.testing.assert_allclose(found.ratio, 1 / scale, rtol=1e-12)
    # Keys at 5 … 10 of the second sequence and 2 … 10 of the third are used by nobody.
    used = np.concatenate([k[1, 0, 2], k[1, 1, 2, :5], k[1, 2, 2, :2]])
    assert found.k_norm[1, 2] == pytest.approx(math.sqrt((used**2).sum(axis=-1).mean()), rel=1e-13)
    assert found.k_norm_max[1, 2] == pytest.approx(np.linalg.norm(used, axis=-1).max(), rel=1e-13)


def test_a_constant_in_all_keys_moves_the_pooled_spread_only():
    # theory 3.3: the softmax does not see it
    q, k, *_ = tensors()
    plain, moved = report(q, k), report(q, k + 3 * generator(3).standard_normal(D_K))
    assert_same(plain, moved, ["sd_after_within", "entropy", "jacobian", "largest_weight", "ratio"], rtol=1e-9)
    assert (moved.sd_after > 2 * plain.sd_after).all()
    assert (moved.k_shift > 0.7).all() and (plain.k_shift < 0.1).all()


def test_hidden_keys_and_longer_buffers_change_nothing():
    q, k, *_ = tensors()
    plain = report(q, k)
    rest = np.full((L, B, H, 6, D_K), np.nan)
    allow = np.arange(N_K + 6)[np.newaxis] < N_K
    longer = report(q, np.concatenate([k, rest], axis=-2), allow=allow)
    assert (longer.nonfinite_k == B * 6 * D_K).all()
    assert_same(plain, longer, [name for name in ARRAYS if name != "nonfinite_k"])


def test_gradients_are_those_of_the_reference_and_uniform_weights_have_gain_one():
    q, k, v, g = tensors(N_K, N_K)
    allow = padding_allow(np.array([11, 5, 2])[:, np.newaxis], N_K)
    found = report(q, k, v=v, g=g, allow=allow, causal=True)
    for layer in range(L):
        reference = attend_gradients(q[layer], k[layer], v[layer], g[layer], allow=allow, causal=True)
        for name in "qkv":
            expected = [np.linalg.norm(getattr(reference, name)[:, head]) for head in range(H)]
            np.testing.assert_allclose(getattr(found, f"gradient_{name}")[layer], expected, rtol=1e-12)
    flat = report(q * 1e-9, k, v=v, g=g)
    np.testing.assert_allclose(flat.softmax_gain, 1, rtol=1e-6)  # J = (I − 11ᵀ/n)/n up to 1e-9
    # Two Keys: J = p(1 − p) [[1, −1], [−1, 1]] doubles what is antisymmetric, so the gain is 2 · 2p(1 − p).
    two = report(*(x[None, None, None] for x in (QUERY, KEYS)), v=VALUES[None, None, None], g=np.ones((1, 1, 1, 1, 1)))
    p = 1 / (1 + math.exp(-2))
    assert two.softmax_gain[0, 0] == pytest.approx(4 * p * (1 - p), rel=1e-12)


def test_grouped_keys_serve_neighbouring_queries():
    rng = generator()
    q, k, v, g = (rng.standard_normal((L, B, *s)) for s in ((6, 7, 5), (2, 11, 5), (2, 11, 3), (6, 7, 3)))
    repeated = [np.repeat(x, 3, axis=2) for x in (k, v)]
    assert_same(report(q, k, v=v, g=g), report(q, repeated[0], v=repeated[1], g=g))


def test_layers_may_differ_and_inputs_are_measured():
    q, k, *_ = tensors()
    x = generator(5).standard_normal((L, B, N_Q, 17)) + np.array([0.0, 2.0])[:, None, None, None]
    mixed = report([q[0], q[1][:, :, :5]], [k[0], k[1]], x=[x[0], x[1]])
    assert_same(mixed, report(q, k, x=x), ["x_norm", "x_shift"])
    np.testing.assert_allclose(mixed.ratio, math.sqrt(D_K), rtol=1e-12)
    # mean (2, …, 2) and variance 1 around it: 4 · 17 of 5 · 17
    assert mixed.x_shift[0].max() < 0.1 and mixed.x_shift[1] == pytest.approx(0.8, abs=0.05)
    assert mixed.x_norm[1] == pytest.approx(math.sqrt(5 * 17), rel=0.1)


def test_observed_scores_give_the_same_report_and_show_the_divisor():
    q, k, *_ = tensors()
    before = np.stack([scores(q[layer], k[layer], 1.0) for layer in range(L)])
    names = [name for name in ARRAYS if not name.startswith(("nonfinite_v", "gradient"))]
    assert_same(
        report(q, k, causal=True, align="bottom-right"),
        observed_report(before, before / math.sqrt(D_K), d_k=D_K, q=q, k=k, causal=True, align="bottom-right"),
        names,
    )
    for divisor in (1.0, math.sqrt(D_K), D_K, math.sqrt(H * D_K)):
        found = observed_report(before, before / divisor, d_k=D_K)
        np.testing.assert_allclose(found.ratio, divisor, rtol=1e-12)
        np.testing.assert_allclose(found.correlation, 1, rtol=1e-12)
    capped = observed_report(before, np.tanh(before), d_k=D_K)
    assert (capped.correlation < 0.99).all()


def test_what_the_model_masked_with_minus_infinity_is_masked():
    q, k, *_ = tensors(N_K, N_K)
    before = np.stack([scores(q[layer], k[layer], 1.0) for layer in range(L)])
    after = np.where(causal_allow(N_K, N_K), before / math.sqrt(D_K), -np.inf)
    after[0, 1, 2, 3] = -np.inf
    found, expected = observed_report(before, after, d_k=D_K), observed_report(before, after, d_k=D_K, causal=True)
    assert_same(found, expected)
    assert found.empty_rows[0, 2] == pytest.approx(1 / (B * N_K)) and found.empty_rows.sum() == found.empty_rows[0, 2]
    assert (found.broken_rows == 0).all() and (found.nonfinite_after == 0).all()


def test_observed_weights_show_leaks_row_sums_and_empty_rows():
    q, k, *_ = tensors(N_K, N_K)
    pad = np.broadcast_to(padding_allow(np.array([11, 5, 0])[:, np.newaxis], N_K), (B, 1, N_K, N_K))
    before = np.stack([scores(q[layer], k[layer], 1.0) for layer in range(L)])
    after = before / math.sqrt(D_K)
    p = np.stack([weights(q[i], k[i], allow=pad, causal=True, empty_rows="zero") for i in range(L)])
    sound = observed_report(before, after, d_k=D_K, weights=p, allow=pad, causal=True)
    assert (sound.future_weight == 0).all() and (sound.hidden_weight == 0).all() and (sound.empty_row_weight == 0).all()
    assert (sound.row_sum_error <= 2).all()
    p[0, 0, 1, 3, 4] = 0.25  # sequence 0 is all real: Query 3 sees Key 4 of the future
    p[1, 1, 2, 8, 6] = 0.125  # sequence 1 has 5 real Keys: Query 8 sees Key 6, which is past but padding
    p[1, 2, 3, 0] = 1 / N_K  # sequence 2 is empty
    found = observed_report(before, after, d_k=D_K, weights=p, allow=pad, causal=True)
    for name, place, value in (
        ("future_weight", (0, 1), 0.25),
        ("hidden_weight", (1, 2), 0.125),
        ("empty_row_weight", (1, 3), 1.0),
    ):
        expected = np.zeros((L, H))
        expected[place] = value
        np.testing.assert_allclose(getattr(found, name), expected, rtol=1e-12, err_msg=name)
    assert found.row_sum_error[0, 1] == pytest.approx(0.25 / np.finfo(np.float64).eps, rel=1e-6)
    p[1, 2, 3, 0] = np.nan  # as naive code leaves it
    assert np.isnan(observed_report(before, after, d_k=D_K, weights=p, allow=pad).empty_row_weight[1, 3])


def test_gradients_of_the_model_are_reported_as_they_are():
    q, k, v, _ = tensors()
    before = np.stack([scores(q[layer], k[layer], 1.0) for layer in range(L)])
    v[1, 0, 3, 2, 1] = np.inf
    found = observed_report(before, before, d_k=D_K, gradients=(q, k, v))
    assert found.gradient_k[1, 2] == pytest.approx(np.linalg.norm(k[1, :, 2]), rel=1e-13)
    assert math.isinf(found.gradient_v[1, 3]) and np.isfinite(found.gradient_v).sum() == L * H - 1


def test_a_report_never_raises_for_values():
    q, k, v, g = tensors()
    q[0, 1, 2, 3, 4], k[1, 0, 1, 5, 2], v[0, 0, 0, 0, 0], g[0, 0, 0, 0, 0] = np.nan, np.inf, np.nan, -np.inf
    found = report(q, k, v=v, g=g)
    assert found.nonfinite_q[0, 2] == 1 and found.nonfinite_q.sum() == 1
    assert found.nonfinite_k[1, 1] == 1 and found.nonfinite_v[0, 0] == 1
    assert found.broken_rows[0, 2] == pytest.approx(1 / (B * N_Q)) and found.nonfinite_before[0, 2] == N_K
    assert found.broken_rows[1, 1] == pytest.approx(1 / B)  # every Query of that sequence
    assert (found.overflow == 0).all()  # the inputs were to blame
    assert np.isfinite(found.entropy).all()
    nothing = report(np.full_like(q, np.nan), k, v=v, g=g)
    assert np.isnan(nothing.entropy).all() and (nothing.broken_rows == 1).all()
    huge = report(q * 1e300, k * 1e300)
    assert (huge.overflow > 0).all()
    empty = report(q, k, allow=np.zeros((N_Q, N_K), bool), v=v, g=g)
    assert (empty.empty_rows == 1).all() and np.isnan(empty.deficit).all() and (empty.gradient_v == 0).all()


def test_overflow_is_foreseen_in_the_dtype_of_the_model_and_seen_when_observed():
    # theory 2.10: q = k = 30 · ones(128) in float16: 115200 > 65504
    q = np.full((1, 1, 2, 3, 128), 30.0, np.float16)
    q[:, :, 1] = 1
    found = report(q, q)
    assert found.dtype == "float16" and found.overflow.tolist() == [[9.0, 0.0]] and found.max_before[0, 0] == 115200
    assert report(q, q, dtype="bfloat16").overflow.tolist() == [[0.0, 0.0]]
    with np.errstate(over="ignore"):
        before = (q.astype(np.float32) @ q.astype(np.float32).swapaxes(-1, -2)).astype(np.float16)
    seen = observed_report(before, before / np.float16(11.3), d_k=128, q=q, k=q)
    assert seen.overflow.tolist() == [[9.0, 0.0]] and seen.broken_rows.tolist() == [[1.0, 0.0]]
    assert (report(q.astype(np.float32), q.astype(np.float32)).overflow == 0).all()


def test_arguments_stay():
    q, k, v, g = tensors()
    before = [x.copy() for x in (q, k, v, g)]
    report(q, k, v=v, g=g, causal=True, align="top-left")
    for x, y in zip((q, k, v, g), before, strict=True):
        np.testing.assert_array_equal(x, y)


Q, K = np.ones((2, 3, 5, 7, 11)), np.ones((2, 3, 5, 13, 11))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: report(Q[0], K), ValueError, r"q: expected an array \(batch, heads, n, d\) per layer, got shape"),
        (lambda: report(Q, K[:1]), ValueError, "q and k: expected as many layers, got 2 and 1"),
        (lambda: report(Q, K[:, :, :3]), ValueError, "5 heads in every layer, and in k as many or a divisor"),
        (lambda: report(Q, K[:, :2]), ValueError, "one batch"),
        (lambda: report(Q, K[..., :7]), ValueError, "q and k: expected one size of axis d_k"),
        (lambda: report(Q.astype(int), K), TypeError, r"q: expected floats, got int64; try q\.astype"),
        (lambda: report(Q, K, allow=np.ones((7, 13))), TypeError, "allow: expected booleans"),
        (lambda: report(Q, K, causal=True), ValueError, "align: expected"),
        (lambda: report(Q, K, dtype="float8"), ValueError, "dtype: expected one of bfloat16, float16"),
        (lambda: report(Q, K, v=K, g=Q[:, :, :, :5]), ValueError, "q and g: expected one size of axis q"),
        (lambda: observed_report(Q, Q, d_k=3, gradients=(Q, K, K)), ValueError, "before and dK: expected one size"),
        (lambda: observed_report(Q, Q, d_k=3, gradients=(Q, K)), ValueError, "shorter"),
        (lambda: observed_report(K, Q, d_k=3), ValueError, "before and after: expected one size of axis q"),
        (lambda: observed_report(Q, Q, d_k=3, weights=K), ValueError, "before and weights: expected one size"),
    ],
)
def test_bad_arguments_are_named(call, error, says):
    with pytest.raises(error, match=says):
        call()
