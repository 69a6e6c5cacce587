"""``interview-book site``: both editions at once, in a side folder that takes the old site's place when it is whole."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from interview_book.book import fingerprint, frontend, swap
from interview_book.book.errors import BookError, Faults
from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES, Language
from interview_book.book.sphinx_run import skip_slow_imports

# Everything heavy is imported where it is used: a build with nothing to do is over before that.

MARK = ".fingerprint"
# What Sphinx leaves at the top of an edition's folder and no page asks for; index.html is our own.
_LEFT = {".buildinfo", "objects.inv", "searchindex.js", "_sources", "index.html"}


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
    site = out / "site"
    if not (root / "_toc.yml").is_file():
        raise BookError(f"no book in {root}: expected _toc.yml there. Name the book's folder with --root.")
    with swap.only_one(out / "site.lock") as lock:
        swap.recover(site)
        inputs = fingerprint.of_book(root, frontend.home(root), url)
        if _is_current(site, inputs):
            return site
        skip_slow_imports()
        from interview_book.book import check

        faults = check.faults(root)
        if faults:
            raise Faults(faults)
        _build_editions(root, out / "work", url, lock)
        new = swap.fresh(site)
        try:
            _assemble(root, out / "work", new, url)
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


def _settings(root: Path, edition: Language, static: Path, url: str | None) -> dict:
    """Return the configuration of one edition: the book's, in its language, beside its sibling."""
    settings = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    settings["title"] = words(edition.tag)["title"]
    config = settings.setdefault("sphinx", {}).setdefault("config", {})
    config |= {"language": edition.sphinx, "book_site": True, "book_static": str(static), "book_url": url or ""}
    if url:
        config["html_baseurl"] = f"{url.rstrip('/')}/{edition.tag}/"
    return settings


def _build_editions(root: Path, work: Path, url: str | None, lock: int) -> None:
    """Run both builds side by side and wait for both; raise with what a failed one said."""
    from interview_book.book import assets

    static = work / "assets"
    shutil.rmtree(static, ignore_errors=True)
    assets.write(static, root)
    running = {}
    try:
        for edition in LANGUAGES.values():
            running[edition.tag] = _start(root, work / edition.tag, _settings(root, edition, static, url), lock)
        with ThreadPoolExecutor(len(running)) as pool:
            said = dict(zip(running, pool.map(lambda one: one.communicate()[0], running.values()), strict=True))
    finally:
        for process in running.values():
            if process.poll() is None:
                process.kill()
                process.wait()
    failed = {tag: said[tag].strip() for tag, process in running.items() if process.returncode}
    for tag in running:
        if tag not in failed:
            (work / tag / "complete").touch()
    if failed:
        told = "\n\n".join(f"The edition {tag} did not build:\n{text}" for tag, text in failed.items())
        raise BookError(f"{told}\n\nMend what is named above and build again. The previous site is as it was.")


def _start(root: Path, work: Path, settings: dict, lock: int) -> subprocess.Popen[str]:
    # A build that failed or was killed has read pages whose warnings Sphinx would not repeat: start those afresh.
    complete = work / "complete"
    if not complete.exists():
        shutil.rmtree(work, ignore_errors=True)
    complete.unlink(missing_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    config = work / "_config.yml"
    text = yaml.safe_dump(settings, allow_unicode=True, sort_keys=False)
    config.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "interview_book.book.sphinx_run", str(root), str(config), str(work)]
    return subprocess.Popen(
        command,
        cwd=root,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        pass_fds=() if sys.platform == "win32" else (lock,),  # a child that outlives us still holds the lock
    )


def _assemble(root: Path, work: Path, new: Path, url: str | None) -> None:
    """Put the whole site together in the side folder."""
    from interview_book.book import landing, notebooks, parallel, plain, search, wheel

    documents = [name.removesuffix(".ipynb") for name in notebooks.contents(root)]
    for edition in LANGUAGES.values():
        _copy_edition(work / edition.tag / "html", new / edition.tag, documents)
        _write_notebooks(root, new / edition.tag / "notebooks", edition.tag, url)
    wheel.write(new / plain.WHEEL_FOLDER, work / "wheel")
    with ThreadPoolExecutor(len(LANGUAGES)) as pool:
        list(pool.map(lambda tag: search.index(new / tag, tag), LANGUAGES))
    bridge = search.bridge(root)
    for tag in LANGUAGES:
        (new / tag / "_static" / "bridge.js").write_text(bridge, encoding="utf-8")
    parallel.write_parallel(new)
    landing.write(new, documents, url)


def _copy_edition(html: Path, folder: Path, documents: list[str]) -> None:
    shutil.copytree(html, folder, ignore=lambda here, names: _LEFT & set(names) if Path(here) == html else ())
    for page in folder.rglob("*.html"):
        if page.relative_to(folder).with_suffix("").as_posix() not in documents:
            page.unlink()  # of a chapter that has left the contents; Sphinx never deletes


def _write_notebooks(root: Path, folder: Path, tag: str, url: str | None) -> None:
    from interview_book.book import notebooks, plain

    folder.mkdir()
    known = plain.names(root, tag)
    for path in notebooks.chapters(root):
        if path.stem in known:  # all but the landing page
            notebook = plain.plain(notebooks.read(path), tag, slug=path.stem, root=root, known=known, url=url)
            text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
            (folder / path.name).write_text(text, encoding="utf-8")
