"""Tensors of a model, one per layer: what shapes the reports ask for, and the dtypes that models multiply in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# Largest finite number and spacing at 1 of the dtypes that models multiply in.
DTYPES = {
    "bfloat16": ((2 - 2**-7) * 2.0**127, 2.0**-7),
    **{name: (float(np.finfo(name).max), float(np.finfo(name).eps)) for name in ("float16", "float32", "float64")},
}
Layers = np.ndarray | Sequence[np.ndarray]
# The last two axes of each tensor; an axis of one name has one size.
AXES = {
    **dict.fromkeys(("before", "after", "weights"), "q k"),
    **dict.fromkeys(("q", "dQ"), "q d_k"),
    **dict.fromkeys(("k", "dK"), "k d_k"),
    **dict.fromkeys(("v", "dV"), "k d_v"),
    "g": "q d_v",
}


def as_layers(name: str, x: Layers, axes: int) -> list[np.ndarray]:
    """Return one array of ``axes`` axes per layer."""
    layers = list(x) if isinstance(x, (np.ndarray, list, tuple)) else None
    shape = "(batch, heads, n, d)" if axes == 4 else "(batch, n, width)"
    if not layers or not all(isinstance(one, np.ndarray) and one.ndim == axes for one in layers):
        got = f"shape {x.shape}" if isinstance(x, np.ndarray) else type(x).__name__
        raise ValueError(f"{name}: expected an array {shape} per layer, got {got}; try {name}[np.newaxis] for one")
    if any(one.dtype.kind != "f" for one in layers):
        raise TypeError(f"{name}: expected floats, got {layers[0].dtype}; try {name}.astype(np.float32)")
    return layers


def require_fit(**tensors: list | None) -> None:
    """Raise unless the tensors agree, layer by layer; the first tells how many layers and heads there are."""
    given = {name: x for name, x in tensors.items() if x is not None}
    first, layers = next(iter(given.items()))
    heads = layers[0].shape[1]
    for name, x in given.items():
        if len(x) != len(layers):
            raise ValueError(f"{first} and {name}: expected as many layers, got {len(layers)} and {len(x)}")
        for layer, (a, b) in enumerate(zip(layers, x, strict=True)):
            if a.shape[0] != b.shape[0] or a.shape[1] != heads or b.shape[1] == 0 or heads % b.shape[1]:
                raise ValueError(
                    f"{first} and {name}: expected one batch, {heads} heads in every layer, and in {name} as many or a "
                    f"divisor, got {a.shape} and {b.shape} in layer {layer}; report layers that differ on their own"
                )
    for layer in range(len(layers)):
        sizes: dict[str, tuple[int, str]] = {}
        for name, x in given.items():
            for axis, size in zip(AXES[name].split(), x[layer].shape[-2:], strict=True):
                known, other = sizes.setdefault(axis, (size, name))
                if size != known:
                    both = f"{given[other][layer].shape} and {x[layer].shape}"
                    raise ValueError(
                        f"{other} and {name}: expected one size of axis {axis}, got {both} in layer {layer}"
                    )


def dtype_name(dtype: str | None, x: np.ndarray) -> str:
    """Return the name of the dtype a model multiplies in, by default that of ``x``."""
    name = str(x.dtype) if dtype is None else str(dtype)
    if name not in DTYPES:
        raise ValueError(f"dtype: expected one of {', '.join(DTYPES)}, got {name!r}")
    return name
