"""Self-attention as a layer: one head that knows, or does not know, the order of its tokens, and a stack of it.

:class:`SelfAttention` takes embeddings ``(n, d_model)`` and returns outputs ``(n, d)``; :class:`PostNormStack` applies
a layer several times. :func:`sinusoids` and :func:`rotate` are two ways to tell a layer the places of its tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Shaped

from interview_book.attention import causal_allow, mix, rms_norm, scores, softmax
from interview_book.checks.arguments import require_count

Layer = Callable[[np.ndarray], np.ndarray]
POSITIONS = ("sinusoidal", "rotary", "distance")
# Of the slowest pair of features: its wave is 2π times this long, in tokens.
BASE = 10_000.0


def _angles(n: int, d: int) -> Float[np.ndarray, "n half"]:
    """Return ``p BASE^(−2i/d)`` in radians for place p = 0 … n − 1 and pair i of features."""
    require_count("n", n)
    require_count("d", d)
    if d % 2:
        raise ValueError(f"d: expected an even number of features, which go in pairs, got {d}; try {d + 1}")
    return np.outer(np.arange(n), BASE ** (-np.arange(0, d, 2) / d))


def sinusoids(n: int, d: int) -> Float[np.ndarray, "n d"]:
    """Return the sinusoidal position encoding of places 0 to n − 1, to be added to embeddings.

    ``E[p, 2i] = sin(p ω_i)`` and ``E[p, 2i + 1] = cos(p ω_i)`` with ``ω_i = 10000^(−2i/d)`` radians a token; float64
    ``(n, d)``. Raises ``ValueError`` for an odd ``d`` and for sizes below 1.

    Source: Vaswani et al. (2017), section 3.5.
    """
    angles = _angles(n, d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


def rotate(x: Float[np.ndarray, "*batch n d"]) -> Float[np.ndarray, "*batch n d"]:
    """Turn each pair of neighbouring features by an angle that grows with the place of the token (RoPE).

    The pair ``(x_2i, x_2i+1)`` at place p becomes the real and imaginary part of
    ``(x_2i + i x_2i+1) exp(i p ω_i)``, ``ω_i = 10000^(−2i/d)`` radians a token. The product of a turned Query and a
    turned Key depends on their places through the difference alone.

    ``(..., n, d)`` gives a new float64 array of that shape. Raises ``ValueError`` for an odd ``d``.

    Source: Su et al. (2021), RoFormer, section 3.2.2.
    """
    x = np.asarray(x, dtype=np.float64)
    angles = _angles(*x.shape[-2:])
    even, odd, cos, sin = x[..., ::2], x[..., 1::2], np.cos(angles), np.sin(angles)
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)


@dataclass(frozen=True, eq=False)
class SelfAttention:
    """One head of self-attention: ``softmax(Q Kᵀ/√d) V W_O`` with Q, K, V all made from the same ``x``.

    Parameters
    ----------
    w : W_Q, W_K and W_V, stacked, ``(3, d_model, d)``; computed in float64.
    w_o : output projection, ``(d, d_out)``; ``None`` leaves it out.
    causal : each token sees itself and the tokens before it only.
    position : how the layer learns the places of the tokens. ``None``: not at all. ``"sinusoidal"``: :func:`sinusoids`
        are added to ``x``. ``"rotary"``: Queries and Keys are turned by :func:`rotate`. ``"distance"``: the distance
        ``|i − j|`` in tokens is taken off the scaled score, alike on both sides.

    Raises
    ------
    ValueError : ``w`` or ``w_o`` of another shape, or another word for ``position``.

    Source: Vaswani et al. (2017), section 3.2; the distance as in ALiBi, Press et al. (2022), with slope 1.
    """

    w: Shaped[np.ndarray, "3 d_model d"]
    w_o: Shaped[np.ndarray, "d d_out"] | None = None
    causal: bool = False
    position: str | None = None

    def __post_init__(self) -> None:
        w = np.asarray(self.w)
        if w.ndim != 3 or len(w) != 3:
            raise ValueError(f"w: expected W_Q, W_K and W_V as (3, d_model, d), got {w.shape}; try np.stack([…])")
        w_o = None if self.w_o is None else np.asarray(self.w_o)
        if w_o is not None and (w_o.ndim != 2 or len(w_o) != w.shape[2]):
            raise ValueError(f"w_o: expected ({w.shape[2]}, d_out) after w {w.shape}, got {w_o.shape}")
        if self.position is not None and self.position not in POSITIONS:
            raise ValueError(f"position: expected None or one of {', '.join(POSITIONS)}, got {self.position!r}")

    def weights(self, x: Shaped[np.ndarray, "n d_model"]) -> Float[np.ndarray, "n n"]:
        """Return how much of each token's Value each token takes; every row adds up to 1."""
        return self._weights_and_values(x)[0]

    def __call__(self, x: Shaped[np.ndarray, "n d_model"]) -> Float[np.ndarray, "n d_out"]:
        """Return one output for each token; ``ValueError`` if ``x`` is not ``(n, d_model)``."""
        mixed = mix(*self._weights_and_values(x))
        return mixed if self.w_o is None else mixed @ np.asarray(self.w_o, dtype=np.float64)

    def _weights_and_values(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, w = np.asarray(x, dtype=np.float64), np.asarray(self.w, dtype=np.float64)
        if x.ndim != 2 or x.shape[1] != w.shape[1]:
            raise ValueError(f"x: expected embeddings (n, {w.shape[1]}) for w {w.shape}, got {x.shape}")
        if self.position == "sinusoidal":
            x = x + sinusoids(*x.shape)
        q, k, v = x @ w
        if self.position == "rotary":
            q, k = rotate(q), rotate(k)
        z = scores(q, k)
        if self.position == "distance":
            places = np.arange(len(x))
            z = z - np.abs(np.subtract.outer(places, places))
        return softmax(z, causal_allow(len(x), len(x)) if self.causal else None), v


@dataclass(frozen=True, eq=False)
class PostNormStack:
    """The same layer ``depth`` times, each time with a residual connection and RMS normalisation after it (post-norm).

    ``x ← rms_norm(x + layer(x))``, token by token, without learned gains. ``layer`` returns what can be added to its
    argument: ``(n, d_model)``.

    Parameters
    ----------
    layer : a callable from embeddings to outputs, for example :class:`SelfAttention`.
    depth : number of layers, at least 1 (``ValueError``).

    Source: Vaswani et al. (2017), section 3.1, for the order of the steps; Zhang and Sennrich (2019) for the norm.
    """

    layer: Layer
    depth: int

    def __post_init__(self) -> None:
        require_count("depth", self.depth)

    def __call__(self, x: Shaped[np.ndarray, "n d_model"]) -> Float[np.ndarray, "n d_model"]:
        """Return what comes out of the last layer; ``ValueError`` if a layer changes the shape."""
        x = np.asarray(x, dtype=np.float64)
        for _ in range(self.depth):
            output = self.layer(x)
            if output.shape != x.shape:
                raise ValueError(f"layer: expected outputs of the shape {x.shape} of its argument, got {output.shape}")
            x = rms_norm(x + output)
        return x
