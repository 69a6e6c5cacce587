"""Other scores than q·k/√d_k: a soft cap, cosines with a gain, RMS-normalised Queries and Keys, a learned temperature.

They change the scores only. The weights are a softmax and the outputs a mixture as in :func:`attend`, and masks and
empty rows keep their meaning.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Real
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from interview_book.attention.dot_product import attend
from interview_book.attention.inputs import (
    check_scores,
    check_values,
    fold,
    require_finite,
    require_floats,
    rounded,
    select_used,
    working_dtype,
)
from interview_book.attention.masks import pairs


def softcap(z: Float[np.ndarray, "*shape"], cap: float) -> Float[np.ndarray, "*shape"]:
    """Bend scores smoothly into (−cap, cap): ``cap · tanh(z/cap)``.

    The order stays; the slope is ``1 − tanh²(z/cap)``, so that a score far below the cap is left as it is
    (``z − z³/(3 cap²)``) and one far above gets no gradient. Among n Keys no weight exceeds
    ``1/(1 + (n − 1) e^−2cap)``. Cap before masking: a score of −inf would come back as −cap, and the mask be open.

    Parameters
    ----------
    z : finite scores of any shape, before any mask.
    cap : above 0.

    Returns
    -------
    A new array of the shape and dtype of ``z``.

    Raises
    ------
    TypeError : ``z`` is no float array, ``cap`` no number. ValueError : an entry is not finite, ``cap`` is not above 0.
    """
    require_floats("z", z, "(...)")
    cap = _real("cap", cap, above=0)
    bad = ~np.isfinite(z)
    if bad.any():
        raise ValueError(
            f"z: expected finite scores, got {int(bad.sum())} that are NaN or infinite (shape {z.shape}); a masked "
            f"−inf would become −cap: cap first and mask afterwards, softmax(softcap(z, cap), allow)"
        )
    # In float64, where any cap has its place. The result is no larger than z and so fits where z did.
    with np.errstate(over="ignore"):
        return np.asarray(cap * np.tanh(z.astype(np.float64) / cap), dtype=z.dtype)


def cosine_scores(
    q: Float[np.ndarray, "*#batch n_q d_k"], k: Float[np.ndarray, "*#batch n_k d_k"], *, gain: float | None = None
) -> Float[np.ndarray, "... n_q n_k"]:
    """Score directions only: ``z_ij = gain · (q_i · k_j)/(|q_i| |k_j|)``, between −gain and gain.

    Parameters
    ----------
    q, k : ``(..., n_q, d_k)``, ``(..., n_k, d_k)``; multiplying a row by a positive number changes nothing.
    gain : multiplies the cosines. ``None`` means √d_k: the cosine of independent directions, one of them uniform, has
        variance 1/d_k exactly, so that gain √d_k gives scores of variance 1, as 1/√d_k does for dot products. A gain
        of 1 leaves n Keys nearly alike: no weight exceeds ``1/(1 + (n − 1) e^−2)``.

    Returns
    -------
    ``(..., n_q, n_k)`` of dtype ``numpy.result_type(q, k)``.

    Raises
    ------
    As :func:`scores`; and ``ValueError`` for a row of length 0, which has no direction.

    Source: Henry et al. (2020), Query-Key Normalization.
    """
    check_scores(q, k, None)
    dtype = np.result_type(q, k)
    wide = working_dtype(dtype)
    gain = _gain(gain, q)
    cosines = _directions("q", q, None, -1, wide) @ _directions("k", k, None, -2, wide).swapaxes(-1, -2)
    with np.errstate(over="ignore", invalid="ignore"):
        # Rounding may leave a cosine a unit beyond 1.
        z = np.clip(cosines, -1, 1) * wide.type(gain)
    return rounded("cosine_scores", z, dtype)


def cosine_attend(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    v: Float[np.ndarray, "*#batch n_k d_v"],
    *,
    gain: float | None = None,
    allow: Bool[np.ndarray, "*#mask m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    empty_rows: str = "raise",
) -> Float[np.ndarray, "... n_q d_v"]:
    """Attend by direction: softmax of :func:`cosine_scores` over the allowed Keys, then the mixture of the Values.

    ``q``, ``k`` and ``gain`` as in :func:`cosine_scores`, the rest, the result and the errors as in :func:`attend`.
    A row of length 0 is an error only where some pair uses it, so that padding may be zeros.
    """
    check_scores(q, k, None)
    check_values(q, k, v)
    dtype = np.result_type(q, k, v)
    wide = working_dtype(dtype)
    gain = _gain(gain, q)
    allowed = pairs(q.shape, k.shape, allow, causal, align)
    q, k = _directions("q", q, allowed, -1, wide), _directions("k", k, allowed, -2, wide)
    mixed = attend(q, k, v, allow=allow, causal=causal, align=align, scale=gain, empty_rows=empty_rows)
    return mixed.astype(dtype, copy=False)


def rms_norm(
    x: Float[np.ndarray, "*batch d"], gain: Float[np.ndarray, " d"] | None = None, *, eps: float = 0.0
) -> Float[np.ndarray, "*batch d"]:
    """Give each vector a mean square of 1: ``gain · x / √(mean(x²) + eps)``, of length √d if gain is 1 and eps 0.

    Parameters
    ----------
    x : ``(..., d)`` with d ≥ 1.
    gain : one learned multiplier per feature, ``(d,)``; ``None`` means 1. With it the length of the result depends on
        the direction of ``x``; only the length of the input is forgotten.
    eps : at least 0, in the units of x². With 0 a zero vector is an error; above 0 it stays zero, and short vectors
        come out shorter than √d.

    Returns
    -------
    A new array of the shape of ``x`` and of dtype ``numpy.result_type(x, gain)``.

    Raises
    ------
    TypeError : no float array, ``eps`` no number. ValueError : not finite, a zero vector without eps, or another size.

    Source: Zhang and Sennrich (2019).
    """
    require_floats("x", x, "(..., d)")
    dtype = x.dtype if gain is None else np.result_type(x, gain)
    _check_gain("gain", gain, x.shape[-1])
    return rounded("rms_norm", _rms("x", x, gain, _real("eps", eps, least=0), None, -1, working_dtype(dtype)), dtype)


def qk_norm_attend(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    v: Float[np.ndarray, "*#batch n_k d_v"],
    *,
    q_gain: Float[np.ndarray, " d_k"] | None = None,
    k_gain: Float[np.ndarray, " d_k"] | None = None,
    eps: float = 0.0,
    allow: Bool[np.ndarray, "*#mask m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    scale: float | None = None,
    empty_rows: str = "raise",
) -> Float[np.ndarray, "... n_q d_v"]:
    """Attend with RMS-normalised Queries and Keys: ``attend(rms_norm(q, q_gain), rms_norm(k, k_gain), v)``.

    Without gains both have length √d_k at most, so that the default scale 1/√d_k leaves ``|z| ≤ √d_k``, however large
    the projections grow. With ``eps=0`` and no gains it is :func:`cosine_attend` with its default gain.

    ``q_gain``, ``k_gain`` and ``eps`` as in :func:`rms_norm`, the rest, the result and the errors as in
    :func:`attend`. A zero vector is an error only where some pair uses it (and ``eps`` is 0).
    """
    check_scores(q, k, scale)
    check_values(q, k, v)
    given = [q, k, v]
    for name, gain in (("q_gain", q_gain), ("k_gain", k_gain)):
        _check_gain(name, gain, q.shape[-1])
        given += [] if gain is None else [gain]
    dtype = np.result_type(*given)
    wide = working_dtype(dtype)
    eps = _real("eps", eps, least=0)
    allowed = pairs(q.shape, k.shape, allow, causal, align)
    q, k = _rms("q", q, q_gain, eps, allowed, -1, wide), _rms("k", k, k_gain, eps, allowed, -2, wide)
    mixed = attend(q, k, v, allow=allow, causal=causal, align=align, scale=scale, empty_rows=empty_rows)
    return mixed.astype(dtype, copy=False)


class TemperatureGradient(NamedTuple):
    """What the loss L answers to a temperature T: ``dL/dT``, and ``dL/d(log T)`` for a T that must stay positive."""

    temperature: float
    log_temperature: float


def temperature_gradient(beta_gradient: float, temperature: float, factor: float = 1.0) -> TemperatureGradient:
    """Carry the derivative in the multiplier on to the temperature that makes it: ``beta = factor/T``.

    With ``beta_gradient = attend_gradients(q, k, v, g, scale=factor/T).beta``::

        dL/dT = −(factor/T²) dL/dbeta      dL/d(log T) = T dL/dT = −(factor/T) dL/dbeta

    A step along ``−dL/d(log T)`` keeps T positive. ``factor=1`` is a temperature of the raw scores,
    ``factor=1/√d_k`` one of the scaled scores. Raises ``TypeError`` or ``ValueError`` for what is no finite number, for
    a temperature that is not above 0, and for a result that float64 cannot hold.
    """
    beta_gradient, factor = _real("beta_gradient", beta_gradient), _real("factor", factor)
    temperature = _real("temperature", temperature, above=0)
    # In fractions no product on the way is too large or too small.
    in_log = -Fraction(factor) / Fraction(temperature) * Fraction(beta_gradient)
    try:
        return TemperatureGradient(float(in_log / Fraction(temperature)), float(in_log))
    except OverflowError:
        raise ValueError(
            f"temperature: the gradient at {temperature!r} does not fit into float64; try a larger temperature"
        ) from None


def _gain(gain: float | None, q: np.ndarray) -> float:
    return math.sqrt(q.shape[-1]) if gain is None else _real("gain", gain)


def _directions(name, x, allowed, axis, wide) -> np.ndarray:
    """Return x/|x| in ``wide``, 0 where nothing uses the row."""
    return _rms(name, x, None, 0.0, allowed, axis, wide) / wide.type(math.sqrt(x.shape[-1]))


def _rms(name, x, gain, eps: float, allowed, axis, wide: np.dtype) -> np.ndarray:
    """Return ``gain x/√(mean(x²) + eps)`` in ``wide``; a row that is used must be finite and must not be 0 / 0."""
    x = select_used(name, x, allowed, axis).astype(wide)
    # Dividing by the largest entry first: the square of 1e200 overflows, that of 1e-200 vanishes.
    top = np.abs(x).max(axis=-1, keepdims=True)
    zero = top == 0
    if zero.any() and eps == 0:
        used = True if allowed is None else fold(allowed.any(axis=axis), x.shape[:-1], np.any)
        bad = zero[..., 0] & used
        if bad.any():
            first = tuple(int(i) for i in np.argwhere(bad)[0])
            raise ValueError(
                f"{name}: expected vectors that have a direction, got {int(bad.sum())} of length 0 (first at index "
                f"{first}, shape {x.shape}); mask them in attention, or try RMS normalisation with an eps above 0"
            )
    top = np.where(zero, 1, top)
    x = x / top
    with np.errstate(over="ignore"):
        root = np.hypot(np.sqrt((x**2).mean(axis=-1, keepdims=True)), wide.type(math.sqrt(eps)) / top)
    x = x / np.where(root == 0, 1, root)
    with np.errstate(over="ignore"):
        return x if gain is None else x * gain.astype(wide)


def _check_gain(name: str, gain: np.ndarray | None, d: int) -> None:
    if d == 0:
        raise ValueError("x: expected at least one feature on the last axis, got none")
    if gain is not None:
        require_floats(name, gain, "(d)")
        if gain.shape != (d,):
            raise ValueError(f"{name}: expected shape ({d},), one multiplier per feature, got {gain.shape}")
        require_finite(name, gain)


def _real(name: str, value: object, *, least: float | None = None, above: float | None = None) -> float:
    """Return ``value`` as a finite float."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name}: expected one real number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name}: expected a number that float64 can hold") from None
    low = (least is not None and number < least) or (above is not None and number <= above)
    if low or not math.isfinite(number):
        bound = f" of at least {least}" if least is not None else f" above {above}" if above is not None else ""
        raise ValueError(f"{name}: expected a finite number{bound}, got {value!r}")
    return number
