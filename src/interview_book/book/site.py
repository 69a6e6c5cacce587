"""``interview-book site``: both editions at once, in a side folder that takes the old site's place when it is whole."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from interview_book.book import fingerprint, frontend, swap
from interview_book.book.edition_run import GO
from interview_book.book.errors import BookError, Faults
from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES, Language
from interview_book.book.slow import skip_slow_imports

# Everything heavy is imported where it is used: a build with nothing to do is over before that.

MARK = ".fingerprint"
Running = dict[str, "subprocess.Popen[str]"]


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
    _require_address(url)
    _own_settings(root)
    with swap.only_one(out / "site.lock") as lock:
        swap.recover(site)
        inputs = fingerprint.of_book(root, frontend.home(root), url)
        if _is_current(site, inputs):
            return site
        try:
            with _started(root, work, new, url, lock) as running:
                _check(root)  # while both are importing
                bridge = _build_editions(root, work, new, url, running)
            _finish(root, new, url, bridge)
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


@contextlib.contextmanager
def _started(root: Path, work: Path, new: Path, url: str | None, lock: int) -> Iterator[Running]:
    """Start one process an edition; each waits for its ``go``. None outlives the block."""
    running: Running = {}
    try:
        for tag in LANGUAGES:
            arguments = [root, tag, work / tag, new / tag, *([url] if url else [])]
            running[tag] = subprocess.Popen(
                [sys.executable, "-m", "interview_book.book.edition_run", *map(str, arguments)],
                cwd=root,
                env={**os.environ, "PYTHONUTF8": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                pass_fds=() if sys.platform == "win32" else (lock,),  # a child that outlives us still holds the lock
            )
        yield running
    finally:
        for process in running.values():
            if process.poll() is None:
                process.kill()
            process.communicate()


def _build_editions(root: Path, work: Path, new: Path, url: str | None, running: Running) -> str:
    """Let both processes build, and wait for both; raise with what a failed one said.

    Meanwhile make what needs neither: the wheel, and the bridge of the search, which is returned.
    """
    from interview_book.book import assets, plain, search, wheel

    static = work / "assets"
    shutil.rmtree(static, ignore_errors=True)
    assets.write(static, root)
    for tag in running:
        _prepare(work / tag, settings(root, LANGUAGES[tag], static, url))
    with ThreadPoolExecutor(len(running)) as pool:
        waiting = {tag: pool.submit(one.communicate, f"{GO}\n") for tag, one in running.items()}
        wheel.write(new / plain.WHEEL_FOLDER, work / "wheel")
        bridge = search.bridge(root)
        said = {tag: one.result()[0] for tag, one in waiting.items()}
    failed = {tag: said[tag].strip() for tag, process in running.items() if process.returncode}
    for tag in running:
        if tag not in failed:
            (work / tag / "complete").touch()
    if failed:
        told = "\n\n".join(f"The edition {tag} did not build:\n{text}" for tag, text in failed.items())
        raise BookError(f"{told}\n\nMend what is named above and build again. The previous site is as it was.")
    return bridge


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


def _require_address(url: str | None) -> None:
    """Raise ``BookError`` for a public address that no link could carry."""
    if url is not None and not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~%/-]*)?", url):
        raise BookError(f"--url {url!r} is no address: expected one like https://example.org/book, without ? or #.")


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


def _finish(root: Path, new: Path, url: str | None, bridge: str) -> None:
    """Add what both editions share, or what needs both."""
    from interview_book.book import landing, notebooks, parallel

    for tag in LANGUAGES:
        (new / tag / "_static" / "bridge.js").write_text(bridge, encoding="utf-8")
    parallel.write_parallel(new)
    landing.write(new, [name.removesuffix(".ipynb") for name in notebooks.contents(root)], url)
