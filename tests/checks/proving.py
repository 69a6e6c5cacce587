"""What the tests of proved results share: the results of some modules, and how each is broken."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from sympy import Eq, ones

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import DerivationError
from interview_book.checks.theory_results import RESULTS


def printed_under(program, *seeds):
    """Return what a program prints under each hash seed, in processes of their own: one text if it does not matter."""
    found = set()
    for seed in seeds:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True, encoding="utf-8")
        found.add(done.stdout)
    return found


def proved(*modules):
    """Return pytest parameters: the proved results of these modules."""
    found = [one for one in RESULTS.values() if one.status == "proved" and one.name.split(".")[0] in modules]
    assert {one.name.split(".")[0] for one in found} == set(modules)
    return [pytest.param(one, id=one.name) for one in found]


def chain_of(made):
    """Return the chain of a derivation or of a bound."""
    return made.gap if isinstance(made, Bound) else made


def breaks(made):
    """Assert that the last line cannot be replaced by another one."""
    chain = chain_of(made)
    last = chain.steps[-1]
    with pytest.raises(DerivationError, match=f"step {len(chain.steps)} "):
        replace(chain, steps=(*chain.steps[:-1], replace(last, expression=_wrong(last.expression)))).verify()


def _wrong(line):
    if isinstance(line, Eq):
        return Eq(line.lhs, 2 * line.rhs + 7)
    return 2 * line + (7 * ones(*line.shape) if getattr(line, "is_Matrix", False) else 7)
