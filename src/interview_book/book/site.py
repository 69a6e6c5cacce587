"""``interview-book site``: both editions at once, in a side folder that takes the old site's place when it is whole."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml

from interview_book.book import fingerprint, frontend, swap
from interview_book.book.address import require_address
from interview_book.book.edition_run import GO, PAGES
from interview_book.book.errors import BookError, Faults
from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES, Language
from interview_book.book.slow import skip_slow_imports, without_collection

# Everything heavy is imported where it is used: a build with nothing to do is over before that.

MARK = ".fingerprint"


@dataclass(frozen=True)
class _Running:
    """The process of an edition, whether its pages are whole, and all it said."""

    process: subprocess.Popen[str]
    pages: Future[bool]
    said: Future[str]


def build(root: Path, *, url: str | None = None) -> Path:
    """Bring ``root/_build/site`` up to date and return it; return at once when nothing has changed.

    ``url`` is the public address of the site, for canonical links and the sitemap.

    Raises
    ------
    Faults
        When ``check`` finds any.
    BookError
        When another build is running, a tool is missing, or an edition does not build; the previous site stays whole.
    """
    root = root.resolve()
    out = root / "_build"
    site, new, work = out / "site", swap.fresh(out / "site"), out / "work"
    if not (root / "_toc.yml").is_file():
        raise BookError(f"no book in {root}: expected _toc.yml there. Name the book's folder with --root.")
    require_address(url)
    _own_settings(root)
    with swap.only_one(out / "site.lock") as lock:
        swap.recover(site)
        inputs = fingerprint.of_book(root, frontend.home(root), url)
        if _is_current(site, inputs):
            return site
        try:
            with without_collection(), _started(root, work, new, url, lock) as running:
                _build_editions(root, work, new, url, running)
            if fingerprint.of_book(root, frontend.home(root), url) != inputs:
                # What was changed after the check has not been checked, and would pass for what was.
                raise BookError("the sources changed while the site was being built; the previous site is as it was. "
                                "Build again.")  # fmt: skip
            (new / MARK).write_text(json.dumps([inputs, fingerprint.of_files(new, without=MARK)]), encoding="utf-8")
            swap.put(site)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
    return site


def _is_current(site: Path, inputs: str) -> bool:
    try:
        made_from, files = json.loads((site / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return made_from == inputs and files == fingerprint.of_files(site, without=MARK)


def _check(root: Path) -> None:
    skip_slow_imports()
    from interview_book.book import check

    faults = check.faults(root)
    if faults:
        raise Faults(faults)


def _listen(process: subprocess.Popen[str], pages: Future[bool]) -> str:
    """Return what a process says until it ends, and tell meanwhile whether its pages are whole."""
    said = []
    with process.stdout as lines:
        for line in lines:
            if line.strip() == PAGES and not pages.done():
                pages.set_result(True)
            else:
                said.append(line)
    process.wait()
    if not pages.done():
        pages.set_result(False)
    return "".join(said).strip()


@contextlib.contextmanager
def _started(root: Path, work: Path, new: Path, url: str | None, lock: int) -> Iterator[dict[str, _Running]]:
    """Start one process an edition; each waits for its ``go``. None outlives the block."""
    running: dict[str, _Running] = {}
    with ThreadPoolExecutor(len(LANGUAGES)) as pool:
        try:
            for tag in LANGUAGES:
                arguments = [root, tag, work / tag, new / tag, *([url] if url else [])]
                process = subprocess.Popen(
                    [sys.executable, "-m", "interview_book.book.edition_run", *map(str, arguments)],
                    cwd=root,
                    env={**os.environ, "PYTHONUTF8": "1"},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    encoding="utf-8",
                    errors="replace",
                    start_new_session=True,  # with the server that it starts, so that both can be ended
                    pass_fds=() if sys.platform == "win32" else (lock,),  # a child that outlives us holds the lock
                )
                pages: Future[bool] = Future()
                running[tag] = _Running(process, pages, pool.submit(_listen, process, pages))
            yield running
        finally:
            for one in running.values():
                with contextlib.suppress(OSError):
                    one.process.stdin.close()
                if not one.said.done():
                    _call_off(one.process)


def _call_off(process: subprocess.Popen[str]) -> None:
    if sys.platform == "win32":
        process.terminate()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)


def _build_editions(root: Path, work: Path, new: Path, url: str | None, running: dict[str, _Running]) -> None:
    """Let both processes build, and do the rest meanwhile.

    Raise with the faults that ``check`` finds, or else with what a failed process said.
    """
    from interview_book.book import assets

    static = work / "assets"
    shutil.rmtree(static, ignore_errors=True)
    assets.write(static, root)
    for tag, one in running.items():
        _prepare(work / tag, settings(root, LANGUAGES[tag], static, url))
        with contextlib.suppress(OSError):  # one that has ended will be told below
            one.process.stdin.write(f"{GO}\n")
            one.process.stdin.flush()
    _check(root)
    from interview_book.book import anki_files, deck, plain, search, wheel

    practice = deck.write(root, url) if deck.shown(root) else None
    if practice:
        anki_files.write(root, new / "anki", url)
    wheel.write(new / plain.WHEEL_FOLDER, work / "wheel", root, practice)
    bridge = search.bridge(root)
    whole = [tag for tag, one in running.items() if one.pages.result()]
    for tag in whole:
        (work / tag / "complete").touch()
    if len(whole) == len(running):
        with ThreadPoolExecutor(1) as pool:
            indexed = pool.submit(search.index, {tag: new / tag for tag in running})
            _finish(root, new, url, bridge, practice)
            indexed.result()
    told = {tag: one.said.result() for tag, one in running.items()}
    failed = [tag for tag, one in running.items() if one.process.returncode]
    if failed:
        texts = "\n\n".join(f"The edition {tag} did not build:\n{told[tag]}" for tag in failed)
        raise BookError(f"{texts}\n\nMend what is named above and build again. The previous site is as it was.")


def _own_settings(root: Path) -> dict:
    """The book's ``_config.yml``; ``BookError`` when it is missing or no settings."""
    path = root / "_config.yml"
    try:
        book = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise BookError(f"{path}: expected the book's settings as YAML in UTF-8, got: {error}. Mend it.") from None
    inner = book.get("sphinx", {}) if isinstance(book, dict) else None
    if not (isinstance(inner, dict) and isinstance(inner.get("config", {}), dict)):
        raise BookError(f"{path}: expected settings with sphinx: {{config: {{…}}}}, got something else. Mend it.")
    return book


def settings(root: Path, edition: Language, static: Path, url: str | None) -> dict:
    """Return the configuration of one edition: the book's, in its language, beside its sibling."""
    book = _own_settings(root)
    book["title"] = words(edition.tag)["title"]
    config = book.setdefault("sphinx", {}).setdefault("config", {})
    config |= {"language": edition.sphinx, "book_site": True, "book_static": str(static), "book_url": url or ""}
    if url:
        config["html_baseurl"] = f"{url.rstrip('/')}/{edition.tag}/"
    return book


def _prepare(work: Path, configuration: dict) -> None:
    # A build that failed or was killed has read pages whose warnings Sphinx would not repeat: start those afresh.
    complete = work / "complete"
    if not complete.exists():
        shutil.rmtree(work, ignore_errors=True)
    complete.unlink(missing_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(configuration, allow_unicode=True, sort_keys=False)
    (work / "_config.yml").write_text(text, encoding="utf-8")


def _finish(root: Path, new: Path, url: str | None, bridge: str, practice: Path | None) -> None:
    """Add what both editions share, or what needs the pages of both."""
    from interview_book.book import deck, landing, notebooks, parallel

    for tag in LANGUAGES:
        (new / tag / "_static" / "bridge.js").write_text(bridge, encoding="utf-8")
        if practice:
            deck.write_scripts(deck.read(practice, tag), new / tag / "_static" / "deck")
    parallel.write_parallel(new)
    landing.write(new, [name.removesuffix(".ipynb") for name in notebooks.contents(root)], url)
