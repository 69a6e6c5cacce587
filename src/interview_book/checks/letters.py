"""The letters of the derivations about scores, and the laws that most of them assume."""

from __future__ import annotations

from sympy import Indexed, IndexedBase, Sum, Symbol

from interview_book.checks.expectations import Law
from interview_book.checks.laws import Independent, standard


class _Symbol(Symbol):
    stands_first = True


class _Indexed(Indexed):
    stands_first = True


class _Family(IndexedBase):
    def __getitem__(self, indices, **options):
        return _Indexed(self, *(indices if isinstance(indices, tuple) else (indices,)))


def query(name: str, indexed: bool = True, **assumptions) -> IndexedBase | Symbol:
    """Return a letter of a Query: in print it stands before the same letter of a Key, so that we read ``q_i k_i``."""
    assumptions = assumptions or {"real": True}
    return _Family(Symbol(name, **assumptions)) if indexed else _Symbol(name, **assumptions)


def key(name: str, indexed: bool = True, **assumptions) -> IndexedBase | Symbol:
    """Return a letter of a Key or of anything else."""
    letter = Symbol(name, **(assumptions or {"real": True}))
    return IndexedBase(letter) if indexed else letter


i, j = Symbol("i", integer=True), Symbol("j", integer=True)
D_K = Symbol("d_k", integer=True, positive=True)
Q, K = query("q"), key("k")
C = Symbol("c", positive=True)
RHO = Symbol("rho", real=True)
SIGMA_Q, SIGMA_K = query("sigma_q", indexed=False, positive=True), key("sigma_k", indexed=False, positive=True)
GAMMA_Q, GAMMA_K = query("gamma_q", indexed=False), key("gamma_k", indexed=False)
KAPPA_Q, KAPPA_K = query("kappa_q", indexed=False, positive=True), key("kappa_k", indexed=False, positive=True)


def over_features(summand, index=i) -> Sum:
    """Return the sum of a term over the features, the index from 1 to d_k."""
    return Sum(summand, (index, 1, D_K))


SCORE = over_features(Q[i] * K[i])
"""The raw score ``s = Σ q_i k_i``."""

STANDARD = Law((Independent(Q, standard()), Independent(K, standard())), (D_K, C))
"""All components independent with mean 0 and variance 1: the assumption of the textbook, and nothing more."""

STANDARD_TO_FOURTH = Law(
    (Independent(Q, standard(GAMMA_Q, KAPPA_Q)), Independent(K, standard(GAMMA_K, KAPPA_K))), (D_K, C)
)
"""The same, with skewness gamma and kurtosis kappa of one component of q and of k."""
