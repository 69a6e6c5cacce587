"""The count of failures over many seeds: by hand, by the binomial, and by running small suites."""

import math
import os
import subprocess
import sys
import zlib

import numpy as np
import pytest
from scipy import stats

from tests.seeds.rates import tail


def test_tail_by_hand():
    assert tail(0, {0.3: 5}) == 1
    assert math.isclose(tail(2, {0.5: 2}), 0.25)
    assert math.isclose(tail(1, {0.5: 1, 0.25: 1}), 1 - 0.5 * 0.75)
    assert math.isclose(tail(2, {0.5: 1, 0.25: 1}), 0.125)
    assert tail(3, {0.5: 2}) == 0


@pytest.mark.parametrize(("failures", "runs", "rate"), [(7, 200, 0.01), (3, 4001, 1e-6), (97, 5003, 0.01)])
def test_tail_equals_the_binomial_one(failures, runs, rate):
    # a few thousand sums and products of positive numbers: 1e-11 is far above their rounding
    assert math.isclose(tail(failures, {rate: runs}), stats.binom.sf(failures - 1, runs, rate), rel_tol=1e-11)


SUITE = """
import pytest

@pytest.mark.montecarlo(false_alarm={stated})
@pytest.mark.parametrize("case", ["a", "b"])
def test_draws(case, rng, false_alarm):
    {body}

def test_other():
    raise RuntimeError("not asked for")
"""


def run(root, folder, body, *options, stated="1e-6", suite=SUITE):
    path = folder / "test_suite.py"
    path.write_text(suite.format(body=body, stated=stated), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.seeds.monte_carlo", "-p", "no:cacheprovider", "-q"]
    command += [f"--rootdir={folder}", "-c", str(folder / "none.ini"), *options, str(path)]
    (folder / "none.ini").write_text("[pytest]\naddopts = --strict-markers\n", encoding="utf-8")
    light = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # the others take seconds to load
    return subprocess.run(command, cwd=root, env=light, capture_output=True, text=True, encoding="utf-8")


def test_a_test_that_fails_as_often_as_it_says_is_let_pass(root, tmp_path):
    # 60 runs at 0.3: a right program is refused with probability below 1e-6, and the seeds are fixed
    done = run(root, tmp_path, "assert rng.random() >= false_alarm", "--seeds", "30", "--false-alarm", "0.3")
    assert done.returncode == 0, done.stdout
    assert "test_suite.py::test_draws: " in done.stdout and " of 60 failed, at most 18 expected" in done.stdout
    assert "1 deselected" in done.stdout and " xfailed" in done.stdout


def test_a_test_that_fails_more_often_is_refused(root, tmp_path):
    done = run(root, tmp_path, "assert rng.random() >= 10 * false_alarm", "--seeds", "100")
    assert done.returncode == 1, done.stdout
    assert "FAILED: test_suite.py::test_draws fails more often than stated" in done.stdout


def test_a_rate_that_cannot_move_is_the_stated_one(root, tmp_path):
    suite = SUITE.replace(", false_alarm)", ")")
    done = run(root, tmp_path, "assert True", "--seeds", "5", stated="1e-3", suite=suite)
    assert done.returncode == 0 and "0 of 10 failed, at most 0.01 expected" in done.stdout


def test_an_error_is_no_bad_luck(root, tmp_path):
    done = run(root, tmp_path, "raise ValueError", "--seeds", "2")
    assert done.returncode == 1 and "4 failed" in done.stdout


def test_nothing_to_run_is_a_fault(root, tmp_path):
    done = run(root, tmp_path, "", "--seeds", "2", suite="def test_other():\n    pass\n")
    assert done.returncode != 0 and "no Monte Carlo test ran" in done.stdout


@pytest.mark.parametrize(
    ("suite", "says"),
    [
        ("def test_draws(rng):\n    pass\n", "the mark montecarlo and the fixture seed (or rng) go together"),
        (SUITE.replace(", rng, false_alarm", ""), "go together"),
        (SUITE.replace("false_alarm={stated}", "0.1"), "expected montecarlo(false_alarm=a probability)"),
        (SUITE.replace("{stated}", "1.0"), "expected montecarlo(false_alarm=a probability)"),
    ],
)
def test_mark_and_fixture_go_together(root, tmp_path, suite, says):
    done = run(root, tmp_path, "pass", suite=suite)
    assert done.returncode == 4 and says in done.stdout + done.stderr


SEEN = {}


@pytest.mark.montecarlo(false_alarm=1e-15)
@pytest.mark.parametrize("case", ["a", "b"])
def test_every_test_case_and_seed_draws_its_own_numbers(case, seed, rng):
    # two equal float64 among six: 15/2⁵³ by chance
    SEEN[seed, case] = rng.random()
    assert len(set(SEEN.values())) == len(SEEN)


@pytest.mark.montecarlo(false_alarm=1e-15)
def test_the_generator_is_made_of_the_seed_and_the_name(seed, rng):
    name = "test_monte_carlo.py test_the_generator_is_made_of_the_seed_and_the_name []"
    assert rng.random() == np.random.Generator(np.random.PCG64([seed, zlib.crc32(name.encode())])).random()
