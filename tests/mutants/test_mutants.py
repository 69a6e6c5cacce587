"""Our promises find every wrong attention we could name, and accept every right one."""

from __future__ import annotations

import functools
import importlib
import inspect

import pytest

from interview_book.attention import attend
from interview_book.attention.blockwise import online_attend
from interview_book.attention.heads import multi_head
from tests.attention import contract
from tests.mutants import extra_contract, mutants_of_heads
from tests.mutants.register import MUTANTS
from tests.mutants.rewrites import REWRITES, Staged

for part in ("scores", "softmax", "masks", "results"):
    importlib.import_module(f"tests.mutants.mutants_of_{part}")  # puts them on the list

CHECKS = {check.__name__: check for check in (*contract.CHECKS, *extra_contract.CHECKS)}
HEAD_CHECKS = {check.__name__: check for check in extra_contract.HEAD_CHECKS}
RIGHT = {
    "attend": attend,
    **{name: rewrite for name, rewrite in REWRITES.items()},
    **{f"online_attend, blocks of {block}": functools.partial(online_attend, block=block) for block in (1, 2, 97)},
}


def complaint(check, candidate) -> Exception | None:
    """Return what a check raises."""
    try:
        check(candidate)
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("name", list(RIGHT))
def test_right_ones_keep_every_promise(name):
    for check in CHECKS.values():
        check(RIGHT[name])


@pytest.mark.parametrize("name", list(MUTANTS))
def test_a_mutant_of_attend_is_killed(name):
    made, check, error = MUTANTS[name]
    assert type(complaint(CHECKS[check], made())) is error
    found = [complaint(check, made()) for check in CHECKS.values()]
    # A mutant that stumbles would be killed by anything, and say nothing about the promises.
    stumbles = [x for x in found if x is not None and type(x) not in {AssertionError, ValueError}]
    assert not stumbles
    assert found.count(None) >= len(found) / 4, "nearly everything is broken: that is not one fault"


def test_mutants_have_the_signature_of_attend():
    ours = inspect.signature(attend).parameters
    shape = [(name, one.kind, one.default) for name, one in ours.items()]
    theirs = inspect.signature(Staged()).parameters
    assert [(name, one.kind, one.default) for name, one in theirs.items()] == shape
    assert len(MUTANTS) >= 24


@pytest.mark.parametrize("right", [multi_head, mutants_of_heads.StagedHeads()], ids=["multi_head", "StagedHeads"])
def test_right_heads_keep_every_promise(right):
    for check in HEAD_CHECKS.values():
        check(right)


@pytest.mark.parametrize("name", list(mutants_of_heads.MUTANTS))
def test_a_mutant_of_multi_head_is_killed(name):
    made, check = mutants_of_heads.MUTANTS[name]
    assert isinstance(complaint(HEAD_CHECKS[check], made()), AssertionError)
    found = [complaint(check, made()) for check in HEAD_CHECKS.values()]
    assert all(x is None or isinstance(x, AssertionError) for x in found), found
