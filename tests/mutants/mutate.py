"""Change the source of attention/ in every small way, and see whether its tests notice: ``make mutate``.

Each mutant runs in a forked child, first with the tests of its own module, then with all others, until one fails. Ends
with 0 if every survivor stands in equivalent.yml (changes that change nothing a promise speaks of, each with its
reason).
"""

from __future__ import annotations

import argparse
import gc
import importlib.abc
import importlib.util
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = Path("src", "interview_book", "attention")
EQUIVALENT = Path(__file__).with_name("equivalent.yml")
PATIENCE = 60  # seconds of processor time; the whole suite takes 10
MEMORY = 8 << 30  # bytes a mutant may ask for


class Loader(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Gives one module another code."""

    def __init__(self, name: str, path: Path, code):
        self.name, self.path, self.code = name, path, code

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        spec = importlib.util.spec_from_loader(fullname, self, origin=str(self.path))
        spec.has_location = True
        return spec

    def get_source(self, fullname):
        return self.path.read_text(encoding="utf-8")

    def get_code(self, fullname):
        return self.code


def test_runs(stem: str) -> list[list[str]]:
    """Return what to run, one after the other: the module's own tests, and, if they pass, all others of attention/."""
    own = Path("tests", "attention", f"test_{stem}.py")
    others = sorted(path for path in own.parent.glob("test_*.py") if path != own)
    # Of the named mutants only what says that ours is right: they import the module that is mutated.
    promises = ["tests/mutants/test_gaps.py", "tests/mutants/test_mutants.py", "-k", "not mutant_of"]
    return [[str(own)], [*map(str, others), *promises]] if own.exists() else [[*map(str, others), *promises]]


def child(stem: str, code) -> None:
    """Run the tests on one mutant and leave with pytest's exit code; never returns."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # a mutant may ask for everything
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))  # or never end
    status = 70
    try:
        import pytest

        if code is not None:
            path = Path.cwd() / SOURCE / f"{stem}.py"
            sys.meta_path.insert(0, Loader(f"interview_book.attention.{stem}", path, code))
        for files in test_runs(stem):
            # Plugins imported before the fork can no longer have their asserts rewritten: nothing to warn of.
            status = pytest.main(["-x", "-q", "--tb=no", "-W", "ignore::pytest.PytestAssertRewriteWarning", *files])
            if status:
                break
    except BaseException:
        status = 1  # a mutant that cannot be imported is noticed
    finally:
        os._exit(int(status))


def run(jobs: list, workers: int):
    """Run (stem, code) pairs; yield (index, verdict) as they end: killed, timeout or survived."""
    waiting, running = list(enumerate(jobs))[::-1], {}
    while waiting or running:
        while waiting and len(running) < workers:
            index, (stem, code) = waiting.pop()
            pid = os.fork()
            if pid == 0:
                child(stem, code)
            running[pid] = index
        pid, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
        ended = {0: "survived", -signal.SIGXCPU: "timeout", -signal.SIGKILL: "timeout"}
        yield running.pop(pid), ended.get(code, "killed")


def preload() -> None:
    """Import here, once, what every child needs; nothing of attention/ itself."""
    for name in ("numpy", "pytest", "_pytest.assertion.rewrite", "beartype", "jaxtyping", "mpmath", "sympy", "yaml"):
        importlib.import_module(name)
    for name in ("hypothesis.extra.numpy", "hypothesis.strategies"):
        importlib.import_module(name)


def equivalents() -> dict[tuple[str, str, str], str]:
    """Return the changes known to change nothing, with their reasons."""
    import yaml

    rows = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8")) or []
    return {(row["module"], row["line"], row["change"]): row["reason"] for row in rows}


def snapshot(folder: Path) -> None:
    """Copy what the run reads and work there, so that nobody's edits meanwhile disturb it."""
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    os.chdir(folder)
    sys.path[:0] = [str(folder), str(folder / "src")]


def main() -> int:
    """Run every mutant of the modules that are named (all by default) and tell which survive."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("modules", nargs="*", default=sorted(path.stem for path in (ROOT / SOURCE).glob("[!_]*.py")))
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    given = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the workers share the processors already
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # these tests use none, and loading them costs 2 s a mutant
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as folder:
        snapshot(Path(folder))
        try:
            return report(given.modules, given.workers)
        finally:
            os.chdir(ROOT)


def report(modules: list[str], workers: int) -> int:
    """Run and tell."""
    preload()
    gc.freeze()  # what was imported before the fork stays out of every child's collections
    from tests.mutants.source import changes

    for _, verdict in run([(modules[0], None)], 1):
        if verdict != "survived":
            print("The tests fail without any change: mend them first.")
            return 1
    jobs = []
    for stem in modules:
        path = SOURCE / f"{stem}.py"
        jobs += [(stem, change) for change in changes(path.read_text(encoding="utf-8"), str(path))]
    began, verdicts = time.monotonic(), {}
    for index, verdict in run([(stem, change.code) for stem, change in jobs], workers):
        verdicts[index] = verdict
        if sys.stderr.isatty():
            print(f"\r{len(verdicts)} of {len(jobs)}", end="", file=sys.stderr)
    known, unexpected, seen = equivalents(), [], set()
    for index in sorted(verdicts):
        stem, change = jobs[index]
        key = (stem, change.statement, change.what)
        if verdicts[index] == "survived":
            seen.add(key)
            if key not in known:
                unexpected.append(f"{stem}.py:{change.line}: {change.what}\n    {change.statement}")
    stale = [key for key in known if key[0] in modules and key not in seen]
    for stem in modules:
        mine = [verdicts[i] for i, (one, _) in enumerate(jobs) if one == stem]
        counts = ", ".join(f"{mine.count(word)} {word}" for word in ("killed", "timeout", "survived"))
        print(f"{stem:14} {len(mine):4} changes: {counts}")
    survivors = list(verdicts.values()).count("survived")
    print(f"{len(jobs)} changes in {time.monotonic() - began:.0f} s; {survivors} survivors, of which "
          f"{len(unexpected)} are not known to be equivalent")  # fmt: skip
    print(*unexpected, sep="\n")
    for key in stale:
        print(f"{EQUIVALENT.name}: no such survivor any more: {' | '.join(key)}")
    return 1 if unexpected or stale else 0


if __name__ == "__main__":
    sys.exit(main())
