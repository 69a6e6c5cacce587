"""The list of mutants of ``attend``.

Every mutant has the signature of ``attend`` and one fault that was made somewhere; apart from it, it is
:class:`rewrites.Staged`, which keeps every promise.
"""

from __future__ import annotations

import numpy as np

from tests.mutants.rewrites import Staged

MUTANTS: dict[str, tuple[type[Staged], str, type[Exception]]] = {}


def killed_by(check: str, error: type[Exception] = AssertionError):
    """Put the mutant on the list, with the check that is meant to find it.

    ``error`` is what that check then raises: an AssertionError, or, from a mutant that refuses too much, its own.
    """

    def put(mutant: type[Staged]) -> type[Staged]:
        MUTANTS[mutant.__name__] = (mutant, check, error)
        return mutant

    return put


class Unchecked(Staged):
    """Not a mutant yet: what is undefined goes on to the output, as it does where nobody looks."""

    def mix(self, p, v):
        with np.errstate(over="ignore", invalid="ignore"):
            return p @ v.astype(p.dtype)

    def round(self, out, dtype):
        with np.errstate(over="ignore"):
            return out.astype(dtype)


class MaskAdded(Unchecked):
    """Not a mutant yet: a finite number added to masked scores, in the dtype of the arguments."""

    def refuse_overflow(self, z, allowed):
        pass

    def weights(self, z, allowed, dtype):
        if allowed is None:
            return super().weights(z, None, dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            z = z + (~allowed).astype(dtype) * np.float64(self.low).astype(dtype)
            return super().weights(z, None, dtype)
