"""What a computation costs: its multiplications, counted, the memory it takes at most, and the time it needs.

Only the count is the same on every machine. For it an array is filled with numbers that count: NumPy multiplies and
adds them one by one, as it does with any object, so ``a @ b`` needs exactly the products of the textbook formula.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import NoReturn

import numpy as np


@dataclass
class _Tally:
    multiplications: int = 0


class _Counted:
    """A real number that notes each product it takes part in; sums and differences are free."""

    __slots__ = ("tally", "value")

    def __init__(self, value: Real, tally: _Tally) -> None:
        self.value, self.tally = value, tally

    def _with(self, other: object, operation: Callable, products: int) -> _Counted:
        if isinstance(other, _Counted):
            other = other.value
        elif not isinstance(other, Real):
            return NotImplemented
        self.tally.multiplications += products
        return _Counted(operation(self.value, other), self.tally)

    def __add__(self, other: object) -> _Counted:
        return self._with(other, lambda a, b: a + b, 0)

    __radd__ = __add__

    def __sub__(self, other: object) -> _Counted:
        return self._with(other, lambda a, b: a - b, 0)

    def __rsub__(self, other: object) -> _Counted:
        return self._with(other, lambda a, b: b - a, 0)

    def __mul__(self, other: object) -> _Counted:
        return self._with(other, lambda a, b: a * b, 1)

    __rmul__ = __mul__

    def __neg__(self) -> _Counted:
        return _Counted(-self.value, self.tally)

    def __float__(self) -> NoReturn:
        # As a float it would go on without being counted, and the count would be too small without a word.
        raise TypeError("expected a function of + - and * alone, got one that turns its numbers into floats")

    def __repr__(self) -> str:
        return f"counted {self.value!r}"


def multiplications(function: Callable[..., object], *arrays: np.ndarray) -> int:
    """Call ``function(*arrays)`` on numbers that count, and return how many products it made.

    A product of two numbers counts, and so does one with a plain number (``scores * 0.5``); sums, differences, signs
    and copies do not. For ``numpy.matmul`` of ``(n, d)`` with ``(d, m)`` the answer is ``n d m``.

    Parameters
    ----------
    function : computes with ``+``, ``−`` and ``*`` on NumPy arrays, for example ``numpy.matmul``.
    arrays : its arguments, of real numbers and any shape; they are not changed.

    Raises
    ------
    TypeError : an array does not hold real numbers, or ``function`` divides, takes exponentials or needs floats, as
        ``attend`` and ``softmax`` do: count the stage before or after.
    """
    tally = _Tally()
    function(*(_counting(number, array, tally) for number, array in enumerate(arrays, start=1)))
    return tally.multiplications


def _counting(number: int, array: object, tally: _Tally) -> np.ndarray:
    values = np.asarray(array)
    if values.dtype.kind not in "biuf":
        raise TypeError(f"array {number}: expected real numbers, got dtype {values.dtype}; try array.astype(float)")
    result = np.empty(values.shape, dtype=object)
    # tolist() gives Python's own numbers, which an object array keeps as they are.
    for index, value in zip(np.ndindex(values.shape), values.ravel().tolist(), strict=True):
        result[index] = _Counted(value, tally)
    return result


def peak_bytes(function: Callable[..., object], *arguments: object) -> int:
    """Call ``function(*arguments)`` and return how many bytes it held at most, its result included.

    Counts what Python and NumPy allocate during the call, which is most of it; the libraries below NumPy have buffers
    of their own that nobody sees here. The function is called once before, so that imports and caches do not count.
    """
    function(*arguments)
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        function(*arguments)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not tracing:
            tracemalloc.stop()


def fastest(function: Callable[..., object], *arguments: object, repeats: int = 9) -> float:
    """Return the seconds of the fastest of several calls: what disturbs a call can only make it longer.

    Parameters
    ----------
    function, arguments : what is called, and with what.
    repeats : number of calls, at least 1 (``ValueError``).
    """
    if repeats < 1:
        raise ValueError(f"repeats: expected at least 1, got {repeats!r}")
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(*arguments)
        seconds.append(time.perf_counter() - start)
    return min(seconds)
