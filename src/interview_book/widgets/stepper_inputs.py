"""What a reader may give the stepper: names that can be seen, and matrices of moderate numbers and sizes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from numbers import Real

import numpy as np
from jaxtyping import Float

MOST_TOKENS, MOST_FEATURES = 12, 16
# No entry of an embedding or a matrix is larger: scores stay below 16·(16·1000²)², far from what a float cannot hold.
LARGEST = 1000
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def names_of(name: str, given: object, most: int) -> list[str]:
    """Return the names that stand over rows and columns; raise for what a table cannot show."""
    listed = given.ndim > 0 if isinstance(given, np.ndarray) else isinstance(given, Sequence)
    if not listed or isinstance(given, (str, bytes)):
        raise TypeError(f'{name}: expected a list of strings, got {given!r}; try {name}=["a", "b"]')
    if not 1 <= len(given) <= most:
        mend = "take fewer of them" if len(given) else "give at least one"
        raise ValueError(f"{name}: expected 1 to {most} strings, got {len(given)}; {mend}")
    for i, one in enumerate(given):
        if not isinstance(one, str):
            raise TypeError(f"{name}[{i}]: expected a string, got {one!r}; try str(...)")
        if not _visible(one):
            raise ValueError(f"{name}[{i}]: expected visible characters, got {one!r}; write what should be shown")
    return [str(one) for one in given]


def _visible(name: str) -> bool:
    """Whether a name can be sent, seen, and leaves what stands beside it in its order.

    A lone surrogate cannot be sent, a control character cannot be seen, one that turns the direction of writing turns
    the numbers beside it too; a letter that is only a blank (Hangul fillers, the empty Braille cell) is none.
    """
    categories = [unicodedata.category(sign) for sign in name]
    turning = any(unicodedata.bidirectional(sign) in _TURNING or sign in "\u200e\u200f\u061c" for sign in name)
    blank = all(
        kind[0] in "ZC" or sign in "\u115f\u1160\u3164\uffa0\u2800" for kind, sign in zip(categories, name, strict=True)
    )
    return not turning and not blank and not {"Cc", "Cs"} & set(categories)


def matrix(
    name: str, given: object, axes: str, shape: tuple[int, int] | None = None
) -> Float[np.ndarray, "rows columns"]:
    """Return ``given`` as a new float64 matrix.

    Parameters
    ----------
    given : an array, or a list of lists, of finite numbers from −1000 to 1000.
    axes : the letters of its shape, for messages.
    shape : what it must be; without it, anything up to 16 on either axis.

    Raises
    ------
    TypeError : not numbers. ValueError : another shape, or a number that is too large or none.
    """
    want = f"{axes} = {shape}" if shape else axes
    array = _numbers(name, given, want)
    if array.ndim != 2 or (shape and array.shape != shape):
        raise ValueError(f"{name}: expected shape {want}, got {array.shape}; give a list of rows")
    if not all(1 <= size <= MOST_FEATURES for size in array.shape):
        raise ValueError(f"{name}: expected shape {want} with sizes from 1 to {MOST_FEATURES}, got {array.shape}")
    array = array.astype(np.float64) + 0.0  # + 0.0 makes −0.0 a plain 0
    bad = ~(np.abs(array) <= LARGEST)
    if bad.any():
        i, j = (int(one) for one in np.argwhere(bad)[0])
        raise ValueError(
            f"{name}[{i}][{j}]: expected a number from -{LARGEST} to {LARGEST}, got {array[i, j]:.12g} "
            f"({name} {array.shape}); divide {name}, or correct the entry"
        )
    return array


def _numbers(name: str, given: object, want: str) -> np.ndarray:
    """Return an array of floats of whatever shape ``given`` has; a string, a boolean or a masked entry is no number."""
    rows = given if isinstance(given, (list, tuple)) else ()
    masked = any(isinstance(one, np.ma.MaskedArray) for one in (given, *rows))
    if not masked and isinstance(given, np.ndarray) and given.dtype.kind in "iuf":
        return np.asarray(given, dtype=np.float64)
    try:
        array = np.asarray(given, dtype=object)
    except ValueError:  # arrays as rows, of different shapes
        array = np.array([None], dtype=object)
        array[0] = given
    if masked or not all(isinstance(one, Real) and not isinstance(one, (bool, np.bool_)) for one in array.flat):
        if any(isinstance(one, (list, tuple, np.ndarray)) for one in array.flat):
            raise ValueError(f"{name}: expected shape {want}, got rows of different lengths; make them equal")
        raise TypeError(f"{name}: expected a matrix of numbers, shape {want}, {_stranger(given, array, masked)}")
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise ValueError(
            f"{name}: expected numbers from -{LARGEST} to {LARGEST}, got one that no float holds; correct it"
        ) from None


def _stranger(given: object, array: np.ndarray, masked: bool) -> str:
    """What was got where numbers were expected, and what to do: of an array with places, the first that is none."""
    if masked:
        return "got a masked array; fill it, or leave the masked rows out"
    for place in np.ndindex(array.shape):
        one = array[place]
        if isinstance(one, Real) and not isinstance(one, (bool, np.bool_)):
            continue
        at = "".join(f"[{i}]" for i in place)
        mend = "give its real part" if isinstance(one, (complex, np.complexfloating)) else "write a number there"
        return f"got {one!r:.40} at {at}; {mend}" if at else f"got {given!r:.60}; give a list of rows"
    raise AssertionError("every entry is a number")
