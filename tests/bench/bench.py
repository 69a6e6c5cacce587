"""The design's budgets, measured in one run against a stock Jupyter Book: ``make bench``. Exits with 1 if one fails."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import builds
import draws
import growth as growth_of_draws
import pages
import practice
import stepper

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Row:
    """One line of the table. ``limit`` and ``measured`` are in ``unit``; measured must not be above."""

    what: str
    limit: float
    measured: float
    unit: str
    how: str = ""

    @property
    def holds(self) -> bool:
        return self.measured <= self.limit

    def cells(self) -> tuple[str, ...]:
        verdict = "holds" if self.holds else "FAILS"
        return self.what, f"≤ {self.limit:g} {self.unit}", f"{self.measured:.3g} {self.unit}", verdict, self.how


def _chromium() -> str:
    spec = importlib.util.spec_from_file_location("find_chromium", ROOT / "tests" / "browser" / "chromium.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = module.find()
    if not path:
        sys.exit(f"no Chromium: run {sys.executable} tests/browser/chromium.py")
    return path


def rows(root: Path, runs: int, growth: bool) -> Iterator[Row]:
    """Yield the rows as they are measured."""
    yield from (Row(*one) for one in draws.rows())
    if growth:
        yield from (Row(*one) for one in growth_of_draws.rows())

    with tempfile.TemporaryDirectory() as scratch:
        book = builds.copy_of(root, Path(scratch) / "book")
        ours, stock = builds.against_stock(book, Path(scratch) / "stock", runs)
        told = f"{ours:.1f} s against {stock:.1f} s; medians of {runs}"
        yield Row("site: both editions, search, checks; cold", 1.8, ours / stock, "× stock", told)
        yield Row("site: again, nothing changed", 6, builds.unchanged(book), "s", f"median of {builds.AGAIN}")
        yield Row("serve --build: ready, nothing changed", 6, builds.ready(book), "s", f"median of {builds.AGAIN}")
        yield from browser_rows(book / "_build" / "site")
        if growth:
            slower, heavier = builds.growth(book, Path(scratch) / "ten", ours)
            yield Row("ten times the chapters: build time", 13, slower, "×", "one run against the median above")
            yield Row("ten times the chapters: a chapter's page", 5, heavier, "KB more", "HTML, not compressed")


def browser_rows(site: Path) -> Iterator[Row]:
    """Yield what a reader's browser has to do with the built site."""
    with pages.Browser(site, _chromium()) as browser:
        weights, strangers = browser.first_visits()
        yield Row("first visit to a chapter with widgets", 300, max(weights.values()), "KB", f"gzip −6; {weights}")
        yield Row("third-party requests", 0, strangers, "", "every page of both editions")
        for rate, limit in ((1, 4), (4, 16)):
            name = "widget: handler and forced layout, p95" + (f", CPU × {rate}" if rate > 1 else "")
            yield Row(name, limit, browser.widget_handler(rate), "ms", f"{pages.MOVES} moves, both editions")
        ours, empty = browser.paint()
        told = f"{ours:.1f} ms, empty handler {empty:.1f} ms; medians of {pages.PAINTS}"
        yield Row("widget: input → paint, beyond an empty handler", 4, ours - empty, "ms", told)
        yield from (Row(*one) for one in stepper.rows(browser))
        warm, cold = browser.search()
        yield Row("search, p95, warm", 100, warm, "ms", f"{pages.WARM} queries, both editions")
        yield Row("search, p95, cold", 400, cold, "ms", f"{pages.COLD} first queries, opening the box included")
        told = f"1.6 Mbit/s, 150 ms, gzip, CPU × 4; median of {pages.LOADS} an edition"
        yield Row("first contentful paint", 1.5, browser.first_paint() / 1000, "s", told)
        yield from (Row(*one) for one in practice.rows(browser))


def _print(cells: tuple[str, ...]) -> None:
    what, limit, measured, verdict, how = cells
    print(f"{what:<48} {limit:>14} {measured:>15}  {verdict:<7} {how}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the book (default: this repository's)")
    parser.add_argument("--runs", type=int, default=3, help="cold builds of each kind (default 3)")
    parser.add_argument("--no-growth", action="store_true", help="leave out the book with ten times the chapters")
    parser.add_argument("--site", type=Path, help="measure this built site in the browser and nothing else")
    args = parser.parse_args(arguments)
    began = time.monotonic()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.system()}, {os.cpu_count()} cores{load}, Python {platform.python_version()}\n")
    _print(("what", "budget", "measured", "holds", "how"))
    failed = []
    measured = browser_rows(args.site) if args.site else rows(args.root.resolve(), args.runs, not args.no_growth)
    for row in measured:
        _print(row.cells())
        if not row.holds:
            failed.append(row.what)
    print(
        f"\n{time.monotonic() - began:.0f} s. "
        + (f"Over budget: {'; '.join(failed)}" if failed else "All budgets hold.")
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
