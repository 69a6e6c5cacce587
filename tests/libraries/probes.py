"""Questions to which attention libraries give different answers, and what is asked to find each answer.

A library is a callable ``call(q, k, v, *, mask, causal, scale, bias)`` on NumPy arrays ``(B, h, n, d)``, to which the
boolean ``mask`` and the additive ``bias`` are handed as they are, in the library's own sense. A probe returns one word
of :data:`WORDS`; ``conventions.yml`` holds the words that were measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

TABLE = Path(__file__).with_name("conventions.yml")

B, H, N_Q, N_K, D = 2, 3, 5, 7, 11  # distinct primes; one D, because not every library lets d_v differ from d_k


class NotApplicable(Exception):
    """The library has nothing to which the question could be put."""


@dataclass(frozen=True)
class Refusal:
    """The library raised: its answer is «refuses», and this is what it said."""

    said: str


def read_table() -> dict:
    """Return the measured table."""
    return yaml.safe_load(TABLE.read_text(encoding="utf-8"))


def draw(seed: int, *shape: int) -> np.ndarray:
    """Return seeded standard normals."""
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape)


def inputs(n_q: int = N_Q, n_k: int = N_K, d: int = D) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return Queries, Keys and Values, ``(B, H, n, d)``."""
    return draw(1, B, H, n_q, d), draw(2, B, H, n_k, d), draw(3, B, H, n_k, d)


def formula(q, k, v, allow=None, scale=None):
    """Return softmax(scale · q kᵀ) v, one Query at a time over the Keys it may see; no row may be empty."""
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    out = np.zeros((*batch, q.shape[-2], v.shape[-1]))
    q, k, v = (np.broadcast_to(x, (*batch, *x.shape[-2:])).astype(np.float64) for x in (q, k, v))
    allow = np.broadcast_to(True if allow is None else allow, (*batch, q.shape[-2], k.shape[-2]))
    for at in np.ndindex(*batch, q.shape[-2]):
        seen = allow[at]
        keys, values = k[at[:-1]][seen], v[at[:-1]][seen]
        e = np.exp(np.array([scale * math.fsum(q[at] * key) for key in keys]))
        out[at] = (e / math.fsum(e)) @ values
    return out


def _ask(library, *arrays, **options):
    """Call the library; what it refuses becomes a :class:`Refusal`."""
    try:
        return library.call(*arrays, **{"mask": None, "causal": False, "scale": None, "bias": None, **options})
    except NotApplicable:
        raise
    # Each library has exceptions of its own; the table holds a part of the sentence, so that no slip of ours passes.
    except Exception as error:
        return Refusal(f"{type(error).__name__}: {error}")


def _match(got, candidates: dict[str, np.ndarray], tolerance: float = 1e-5) -> str:
    """Return the name of the one candidate that ``got`` equals.

    The candidates differ by more than 0.01; 1e-5 leaves room for libraries that compute in float32.
    """
    names = [name for name, want in candidates.items() if np.allclose(got, want, rtol=0, atol=tolerance)]
    return names[0] if len(names) == 1 else f"none of {sorted(candidates)} alone, but {names}"


def _own_mask(library, allow: np.ndarray) -> np.ndarray:
    """Return ``allow`` (True = may attend) in the sense of the library."""
    return ~allow if mask_polarity(library) == "true-drops" else allow


def mask_polarity(library):
    """Does True in a boolean mask let a pair attend, or drop it?"""
    q, k, v = inputs()
    mask = np.ones((N_Q, N_K), dtype=bool)
    mask[:, 1] = False
    got = _ask(library, q, k, v, mask=mask)
    return got if isinstance(got, Refusal) else _match(
        got, {"true-attends": formula(q, k, v, mask), "true-drops": formula(q, k, v, ~mask)}
    )


def integer_mask(library):
    """What becomes of a mask of ones and zeros that are integers?"""
    q, k, v = inputs()
    allow = np.ones((N_Q, N_K), dtype=bool)
    allow[:, 1] = False
    got = _ask(library, q, k, v, mask=_own_mask(library, allow).astype(np.int64))
    return got if isinstance(got, Refusal) else _match(
        got, {"as-boolean": formula(q, k, v, allow), "inverted": formula(q, k, v, ~allow)}
    )


def _empty_row(library, dtype=np.float64, **options):
    q, k, v = (x.astype(dtype) for x in inputs())
    got = _ask(library, q, k, v, **options)
    if isinstance(got, Refusal):
        return got
    full = formula(q, k, v)
    np.testing.assert_allclose(np.delete(got, 2, axis=-2), np.delete(full, 2, axis=-2), atol=1e-5)
    row = got[..., 2, :]
    if np.isnan(row).all():
        return "nan"
    mean = v.mean(axis=-2)
    return _match(row, {"zero": np.zeros_like(mean), "mean-of-values": mean, "mask-ignored": full[..., 2, :]})


def _one_empty() -> np.ndarray:
    allow = np.ones((N_Q, N_K), dtype=bool)
    allow[2] = False
    return allow


def empty_row(library):
    """What does a Query get that a boolean mask leaves no Key?"""
    return _empty_row(library, mask=_own_mask(library, _one_empty()))


def empty_row_infinite(library):
    """What does it get if an additive mask of −inf leaves no Key?"""
    return _empty_row(library, bias=np.where(_one_empty(), 0.0, -np.inf))


def empty_row_lowest(library):
    """What does it get if the additive mask holds the lowest finite number instead? Asked in float32.

    jax computes float64 in float32, where the lowest float64 would be −inf.
    """
    return _empty_row(library, np.float32, bias=np.where(_one_empty(), 0, np.finfo(np.float32).min).astype(np.float32))


def empty_row_gradient(library):
    """What gradient do Query, Keys and Values get from a Query that a boolean mask leaves no Key?"""
    q, k, v = inputs()
    g = np.zeros((B, H, N_Q, D))
    g[..., 2, :] = 1  # only what flows through the empty row is asked for
    try:
        gradients = library.gradients(q, k, v, g, mask=_own_mask(library, _one_empty()))
    except NotApplicable:
        raise
    except Exception as error:
        return Refusal(f"{type(error).__name__}: {error}")
    if any(np.isnan(x).any() for x in gradients):
        return "nan"
    mean = [np.zeros_like(q), np.zeros_like(k), np.full_like(v, 1 / N_K)]
    for name, want in {"zero": [np.zeros_like(x) for x in (q, k, v)], "values-only": mean}.items():
        if all(np.allclose(x, y, rtol=0, atol=1e-5) for x, y in zip(gradients, want, strict=True)):
            return name
    return "something else"


def _causal(library, n_q: int, n_k: int):
    q, k, v = inputs(n_q, n_k)
    got = _ask(library, q, k, v, causal=True)
    if isinstance(got, Refusal):
        return got
    shifts = {"top-left": 0, "bottom-right": n_k - n_q}
    seen = {name: np.tri(n_q, n_k, shift, dtype=bool) for name, shift in shifts.items()}
    rows = seen["bottom-right"].any(axis=-1)  # the rows in which both alignments see something
    return _match(
        got[..., rows, :], {name: formula(q[..., rows, :], k, v, allow[rows]) for name, allow in seen.items()}
    )


def causal_fewer_queries(library):
    """With fewer Queries than Keys, to which corner is the causal mask aligned?"""
    return _causal(library, N_Q, N_K)


def causal_more_queries(library):
    """With more Queries than Keys, to which corner is the causal mask aligned?"""
    return _causal(library, N_K, N_Q)


def _causal_and_mask(library, d_v: int):
    q, k, _ = inputs(N_K, N_K)
    v = draw(3, B, H, N_K, d_v)
    allow = np.ones((N_K, N_K), dtype=bool)
    allow[1:, 0] = False  # the first Query keeps its only Key
    got = _ask(library, q, k, v, causal=True, mask=_own_mask(library, allow))
    past = np.tri(N_K, dtype=bool)
    seen = {"intersect": allow & past, "causal-only": past, "mask-only": allow}
    return got if isinstance(got, Refusal) else _match(
        got, {name: formula(q, k, v, allow) for name, allow in seen.items()}
    )


def causal_and_mask(library):
    """What happens to a mask beside ``causal=True``, if d_v is d_k?"""
    return _causal_and_mask(library, D)


def causal_and_mask_other_width(library):
    """What happens to it if d_v is not d_k? (Another kernel may answer.)"""
    return _causal_and_mask(library, 13)


def scale(library):
    """By what are the scores multiplied if nothing is said?"""
    q, k, v = inputs()
    factors = {
        "1/sqrt(d_k)": 1 / math.sqrt(D),
        "1/sqrt(d_model)": 1 / math.sqrt(H * D),
        "1/sqrt(n_k)": 1 / math.sqrt(N_K),
        "1/d_k": 1 / D,
        "1": 1.0,
    }
    return _match(
        library.call(q, k, v, mask=None, causal=False, scale=None, bias=None),
        {name: formula(q, k, v, scale=factor) for name, factor in factors.items()},
    )


def scale_argument(library):
    """Is an explicit scale multiplied, or divided by?"""
    q, k, v = inputs()
    got = _ask(library, q, k, v, scale=0.25)
    return got if isinstance(got, Refusal) else _match(
        got, {"multiplies": formula(q, k, v, scale=0.25), "divides": formula(q, k, v, scale=4.0)}
    )


def result_dtype(library):
    """Which dtype has the result for float16, float32 and float64?"""
    kinds = {}
    for dtype in (np.float16, np.float32, np.float64):
        got = _ask(library, *(x.astype(dtype) for x in inputs()))
        if isinstance(got, Refusal):
            return got
        kinds[np.dtype(dtype).name] = got.dtype.name
    return "same" if all(name == got for name, got in kinds.items()) else str(kinds)


def mixed_dtypes(library):
    """What happens to a float32 Query beside float64 Keys and Values?"""
    q, k, v = inputs()
    got = _ask(library, q.astype(np.float32), k, v)
    return got if isinstance(got, Refusal) else got.dtype.name


def precision(library):
    """In which precision is float64 computed?"""
    q, k, v = inputs()
    error = np.abs(library.call(q, k, v, mask=None, causal=False, scale=None, bias=None) - formula(q, k, v)).max()
    # float64 loses about 1e-16 a step and float32 1e-7: nothing lies between.
    return "float64" if error < 1e-13 else "float32" if 1e-9 < error < 1e-5 else f"an error of {error:.2g}"


def _poisoned(library, which: int):
    arrays = list(inputs())
    allow = np.ones((N_Q, N_K), dtype=bool)
    allow[:, 1] = False
    want = formula(*arrays, allow)
    arrays[which][..., 1, :] = np.nan
    got = _ask(library, *arrays, mask=_own_mask(library, allow))
    if isinstance(got, Refusal):
        return got
    return "reaches-all" if np.isnan(got).all() else _match(got, {"kept-out": want})


def nan_in_masked_value(library):
    """Does a NaN in a Value that no Query may see reach the output?"""
    return _poisoned(library, 2)


def nan_in_masked_key(library):
    """Does a NaN in a Key that no Query may see reach the output?"""
    return _poisoned(library, 1)


def integer_input(library):
    """What becomes of int32 Queries, Keys and Values?"""
    zeros = np.zeros((B, H, N_Q, D), dtype=np.int32)
    v = np.broadcast_to(np.arange(N_K, dtype=np.int32)[:, np.newaxis], (B, H, N_K, D))
    got = _ask(library, zeros, np.zeros((B, H, N_K, D), dtype=np.int32), v)
    if isinstance(got, Refusal):
        return got
    if not np.allclose(got, (N_K - 1) / 2):  # equal scores: the mean of 0 … 6
        return "truncates-weights"
    q, k = zeros.copy(), np.zeros((B, H, N_K, D), dtype=np.int32)
    q[..., 0], k[..., 1, 0] = 2**16, 2**16  # 2³² is 0 in int32
    return "computes" if np.allclose(_ask(library, q, k, v), 1) else "wraps-around"


def value_width(library):
    """May d_v differ from d_k?"""
    q, k, _ = inputs()
    v = draw(4, B, H, N_K, 13)
    got = _ask(library, q, k, v)
    return got if isinstance(got, Refusal) else _match(got, {"may-differ": formula(q, k, v)})


def fewer_value_heads(library):
    """With more Query heads than Key heads, which Key head does a Query head get?"""
    q, k, v = draw(1, B, 6, N_Q, D), draw(2, B, 2, N_K, D), draw(3, B, 2, N_K, D)
    got = _ask(library, q, k, v)
    return got if isinstance(got, Refusal) else _match(
        got,
        {
            "repeat": formula(q, np.repeat(k, 3, axis=1), np.repeat(v, 3, axis=1)),
            "tile": formula(q, np.tile(k, (1, 3, 1, 1)), np.tile(v, (1, 3, 1, 1))),
        },
    )


PROBES = {
    probe.__name__.replace("_", "-"): probe
    for probe in (
        mask_polarity,
        integer_mask,
        empty_row,
        empty_row_infinite,
        empty_row_lowest,
        empty_row_gradient,
        causal_fewer_queries,
        causal_more_queries,
        causal_and_mask,
        causal_and_mask_other_width,
        scale,
        scale_argument,
        result_dtype,
        mixed_dtypes,
        precision,
        nan_in_masked_value,
        nan_in_masked_key,
        integer_input,
        value_width,
        fewer_value_heads,
    )
}


def measure(library) -> dict[str, object]:
    """Put every question to a library: a word, a :class:`Refusal`, or ``None`` where it does not apply."""
    found = {}
    for name, probe in PROBES.items():
        try:
            found[name] = probe(library)
        except NotApplicable:
            found[name] = None
    return found


def disagreements(found: dict[str, object], column: dict[str, object]) -> list[str]:
    """Compare what was measured with one column of the table; return a sentence for each difference."""
    wrong = []
    for name in sorted({*found, *column}):
        got, want = found.get(name, "not asked"), column.get(name, "not in the table")
        refused = isinstance(want, dict) and isinstance(got, Refusal) and want["refuses"] in got.said
        if not refused and got != want:
            wrong.append(f"{name}: the table says {want!r}, measured {got!r}")
    return wrong


def column(name: str) -> dict[str, object]:
    """Return one library's column of the table."""
    return {question: row.get(name, "not in the table") for question, row in read_table()["answers"].items()}
