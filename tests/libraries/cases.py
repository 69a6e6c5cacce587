"""Inputs on which our attention is compared with other people's: all sizes distinct primes, every kind of mask."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

B, H, N_Q, N_K, D_K, D_V = 2, 3, 5, 7, 11, 13


@dataclass(frozen=True)
class Case:
    """Arguments of ``attend``, and the pairs they let attend, written out without any function of ours."""

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    g: np.ndarray  # the gradient that comes back to the output
    seen: np.ndarray  # (B, H, n_q, n_k)
    options: dict = field(default_factory=dict)

    @property
    def scale(self) -> float:
        """The multiplier in force."""
        return self.options.get("scale", self.q.shape[-1] ** -0.5)


def draw(seed: int, *shape: int) -> np.ndarray:
    """Return seeded standard normals."""
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape)


def _case(n_q: int = N_Q, n_k: int = N_K, d_v: int = D_V, seen=True, **options) -> Case:
    q, k, v, g = draw(1, B, H, n_q, D_K), draw(2, B, H, n_k, D_K), draw(3, B, H, n_k, d_v), draw(4, B, H, n_q, d_v)
    return Case(q, k, v, g, np.broadcast_to(seen, (B, H, n_q, n_k)), options)


def make(d_v: int = D_V) -> dict[str, Case]:
    """Return the cases by name, with Values of this width."""
    keys = np.arange(N_K)
    pads = keys < np.array([4, 6]).reshape(B, 1, 1, 1)
    random = draw(5, N_Q, N_K) > 0
    random[:, 0] = True  # no row is empty
    per_head = draw(6, B, H, N_Q, N_K) > 0
    per_head[..., 1] = True
    empty = np.ones((N_Q, N_K), dtype=bool)
    empty[2] = False
    square, early, late = np.tri(N_K, dtype=bool), np.tri(N_Q, N_K, dtype=bool), np.tri(N_Q, N_K, 2, dtype=bool)
    return {
        "plain": _case(d_v=d_v),
        "scale": _case(d_v=d_v, scale=0.7),
        "one mask": _case(d_v=d_v, seen=random, allow=random),
        "padding": _case(d_v=d_v, seen=pads, allow=pads),
        "a mask per head": _case(d_v=d_v, seen=per_head, allow=per_head),
        "causal": _case(N_K, N_K, d_v, seen=square, causal=True),
        "causal top-left": _case(d_v=d_v, seen=early, causal=True, align="top-left"),
        "causal bottom-right": _case(d_v=d_v, seen=late, causal=True, align="bottom-right"),
        "causal and padding": _case(N_K, N_K, d_v, seen=square & pads, causal=True, allow=pads),
        "an empty row": _case(d_v=d_v, seen=empty, allow=empty, empty_rows="zero"),
    }


NAMES = list(make())
