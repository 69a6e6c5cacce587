"""Monte Carlo tests over many seeds: does a right program fail them as rarely as they say?

``@pytest.mark.montecarlo(false_alarm=1e-6)`` states how often a test rejects a right program. Such a test asks for
``seed`` (a number) or ``rng`` (a generator of its own, made of the seed and the test's name, so that no two tests see
the same numbers), and, if its threshold can move, for ``false_alarm``: the stated rate in an ordinary run.

``pytest --seeds 200`` runs only these tests, each with 200 seeds. Nobody ever sees a rate of 1e-6 in so few runs, so
those that ask for ``false_alarm`` are then given ``--false-alarm`` (0.01) and should fail in one run of a hundred. A
failed assertion is counted and shown as ``x``; any other exception is a failure at once. At the end the count is
compared with the sum of the rates, of all tests together and of each test: the run fails if a right program would fail
so often with a probability below 1e-6. Failing less often than stated is no fault.
"""

from __future__ import annotations

import collections
import importlib.util
import zlib
from pathlib import Path

import numpy as np
import pytest

ORDINARY_SEED = 20_170_612
LIMIT = 1e-6


def _rates():
    spec = importlib.util.spec_from_file_location("seed_rates", Path(__file__).with_name("rates.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tail = _rates().tail


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--seeds`` and ``--false-alarm``."""
    group = parser.getgroup("monte carlo")
    group.addoption("--seeds", type=int, default=0, metavar="N", help="run only the Monte Carlo tests, each N times")
    group.addoption(
        "--false-alarm", type=float, default=0.01, metavar="P", help="with --seeds: rate of the tests that can move it"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and with ``--seeds`` the count."""
    config.addinivalue_line("markers", "montecarlo(false_alarm): draws random numbers; how often a right program fails")
    if config.option.seeds < 0 or not 0 < config.option.false_alarm < 1:
        raise pytest.UsageError("--seeds: expected at least 0; --false-alarm: expected a probability between 0 and 1")
    if config.option.seeds:
        config.pluginmanager.register(Count(), "monte-carlo-count")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat what asks for a seed."""
    marked = metafunc.definition.get_closest_marker("montecarlo")
    if metafunc.config.option.seeds and marked and "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(1, metafunc.config.option.seeds + 1))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Hold the marker and the fixtures against each other; with ``--seeds`` leave out all other tests."""
    wrong = []
    for item in items:
        marked, drawing = item.get_closest_marker("montecarlo"), "seed" in getattr(item, "fixturenames", ())
        if not marked and drawing and "seed" in getattr(getattr(item, "callspec", None), "params", ()):
            continue  # a list of seeds of its own, for what must hold for each
        if bool(marked) != drawing:
            wrong.append(f"{item.nodeid}: the mark montecarlo and the fixture seed (or rng) go together")
        elif marked and not (set(marked.kwargs) == {"false_alarm"} and 0 < marked.kwargs["false_alarm"] < 1):
            wrong.append(f"{item.nodeid}: expected montecarlo(false_alarm=a probability), got {marked.kwargs}")
    if wrong:
        raise pytest.UsageError("\n".join(wrong))
    if config.option.seeds:
        out = [item for item in items if not item.get_closest_marker("montecarlo")]
        items[:] = [item for item in items if item.get_closest_marker("montecarlo")]
        config.hook.pytest_deselected(items=out)


@pytest.fixture
def seed() -> int:
    """The seed of a Monte Carlo test: one and the same, or with ``--seeds N`` each of 1 … N."""
    return ORDINARY_SEED


@pytest.fixture
def rng(request: pytest.FixtureRequest, seed: int) -> np.random.Generator:
    """A generator of this test alone."""
    cases = getattr(getattr(request.node, "callspec", None), "indices", {})
    case = sorted((argument, index) for argument, index in cases.items() if argument != "seed")
    name = f"{request.node.path.name} {request.node.originalname} {case}"
    return np.random.Generator(np.random.PCG64([seed, zlib.crc32(name.encode())]))


@pytest.fixture
def false_alarm(request: pytest.FixtureRequest) -> float:
    """The probability with which this test may reject a right program."""
    return _rate(request.node)


def _rate(item: pytest.Item) -> float:
    stated = item.get_closest_marker("montecarlo").kwargs["false_alarm"]
    if item.config.option.seeds and "false_alarm" in item.fixturenames:
        return max(stated, item.config.option.false_alarm)
    return stated


class Count:
    """Counts failed assertions and the rates that were stated."""

    def __init__(self) -> None:
        self.runs: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.failures: collections.Counter = collections.Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo):
        """Note the rate; turn a failed assertion into an expected one."""
        report = yield
        if report.when == "call":
            item.user_properties.append(("montecarlo", (item.originalname, _rate(item))))
            report.user_properties = list(item.user_properties)
            if call.excinfo is not None and call.excinfo.errisinstance(AssertionError):
                report.outcome, report.wasxfail = "skipped", "counted"
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one run."""
        for name, value in report.user_properties if report.when == "call" else ():
            if name == "montecarlo":
                test = f"{report.nodeid.partition('::')[0]}::{value[0]}"
                self.runs[test][value[1]] += 1
                self.failures[test] += hasattr(report, "wasxfail")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the session if there were too many, or nothing ran."""
        # A worker of xdist counts its own share only; the controller sees all.
        if not hasattr(session.config, "workerinput") and session.exitstatus == 0 and self._faults():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter) -> None:
        """Print the counts beside what was stated."""
        terminalreporter.section("Monte Carlo: failures and stated rates")
        together = sum(self.runs.values(), collections.Counter())
        lines = [(name, self.runs[name], self.failures[name]) for name in sorted(self.runs)]
        for name, rates, failed in [*lines, ("all together", together, sum(self.failures.values()))]:
            expected = sum(rate * count for rate, count in rates.items())
            terminalreporter.write_line(
                f"{name}: {failed} of {rates.total()} failed, at most {expected:.3g} expected, "
                f"P(as many or more) {tail(failed, rates):.2g}"
            )
        for fault in self._faults():
            terminalreporter.write_line(f"FAILED: {fault}")

    def _faults(self) -> list[str]:
        if not self.runs:
            return ["no Monte Carlo test ran"]
        together = sum(self.runs.values(), collections.Counter())
        parts = [*((name, self.runs[name], self.failures[name]) for name in self.runs)]
        faults = [
            f"{name} fails more often than stated"
            for name, rates, failed in parts
            if tail(failed, rates) < LIMIT / len(parts)
        ]
        if tail(sum(self.failures.values()), together) < LIMIT:
            faults.append("all tests together fail more often than stated")
        return faults
