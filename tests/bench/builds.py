"""How long the book takes to build: against a stock Jupyter Book, again, and with ten times the chapters."""

from __future__ import annotations

import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import yaml

AGAIN = 5
COPIES = 9
CHAPTER = "two-scores"
# What Jupyter Book needs to read the same notebooks: no execution (outputs are committed), the same bibliography.
STOCK = {
    "title": "stock",
    "only_build_toc_files": True,
    "execute": {"execute_notebooks": "off"},
    "bibtex_bibfiles": ["chapters/references.bib"],
}


def copy_of(root: Path, to: Path) -> Path:
    """Copy what a book is made of, and nothing that was built."""
    to.mkdir(parents=True)
    shutil.copytree(root / "chapters", to / "chapters", ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    for name in ("_config.yml", "_toc.yml"):
        shutil.copyfile(root / name, to / name)
    return to


def _run(command: list[str], cwd: Path) -> float:
    """Run a command and return its seconds; end with what it said when it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace", check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"`{' '.join(command)}` ended with status {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}")
    return seconds


def _book(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "interview_book.cli", *arguments]


def cold(book: Path) -> float:
    shutil.rmtree(book / "_build", ignore_errors=True)
    return _run(_book("--root", str(book), "site"), book)


def against_stock(book: Path, stock: Path, runs: int) -> tuple[float, float]:
    """Return the medians of cold builds, ours and stock's, taken in turns; leaves a built site in ``book``."""
    copy_of(book, stock)
    (stock / "_config.yml").write_text(yaml.safe_dump(STOCK), encoding="utf-8")
    ours, theirs = [], []
    for _ in range(runs):
        shutil.rmtree(stock / "_build", ignore_errors=True)
        theirs.append(_run([str(Path(sys.executable).with_name("jupyter-book")), "build", "."], stock))
        ours.append(cold(book))
    page = stock / "_build" / "html" / "chapters" / f"{CHAPTER}.html"
    assert page.is_file(), "the stock build made no chapter"
    return statistics.median(ours), statistics.median(theirs)


def unchanged(book: Path) -> float:
    """Return the seconds of ``interview-book site`` with nothing to do, from start to end of the process."""
    site = book / "_build" / "site"
    before = (site / "index.html").stat().st_mtime_ns
    seconds = statistics.median(_run(_book("--root", str(book), "site"), book) for _ in range(AGAIN))
    assert (site / "index.html").stat().st_mtime_ns == before, "it did build again"
    return seconds


def ready(book: Path) -> float:
    """Return the seconds from the command until the first page is answered."""
    return statistics.median(_ready_once(book) for _ in range(AGAIN))


def _ready_once(book: Path) -> float:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start = time.perf_counter()
    command = _book("--root", str(book), "serve", "--build", "--port", str(port))
    server = subprocess.Popen(command, cwd=book, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
    try:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                    assert answer.status == 200
                return time.perf_counter() - start
            except OSError:
                if server.poll() is not None or time.perf_counter() - start > 120:
                    sys.exit(f"the server did not come up: {server.stderr.read() if server.poll() is not None else ''}")
                time.sleep(0.02)
    finally:
        server.terminate()
        server.wait()
        server.stderr.close()


def growth(book: Path, ten: Path, one: float) -> tuple[float, float]:
    """Return how many times as long ten chapters take as one (``one`` seconds), and what a page gains in KB."""
    copy_of(book, ten)
    for number in range(1, COPIES + 1):
        _copy_chapter(ten / "chapters", f"{CHAPTER}-{number}")
    toc = yaml.safe_load((ten / "_toc.yml").read_text(encoding="utf-8"))
    part = next(part for part in toc["parts"] if {"file": f"chapters/{CHAPTER}"} in part["chapters"])
    part["chapters"] += [{"file": f"chapters/{CHAPTER}-{number}"} for number in range(1, COPIES + 1)]
    (ten / "_toc.yml").write_text(yaml.safe_dump(toc, allow_unicode=True, sort_keys=False), encoding="utf-8")
    slower = cold(ten) / one
    assert len(list((ten / "_build" / "site" / "ja" / "chapters").glob(f"{CHAPTER}*.html"))) == COPIES + 1
    sizes = [
        max(
            (where / "_build" / "site" / tag / "chapters" / f"{CHAPTER}.html").stat().st_size
            for tag in ("ja", "zh-Hant")
        )
        for where in (book, ten)
    ]
    return slower, (sizes[1] - sizes[0]) / 1000


def _copy_chapter(chapters: Path, slug: str) -> None:
    """Write the chapter and its questions once more under another name, with labels of its own."""
    notebook = (chapters / f"{CHAPTER}.ipynb").read_text(encoding="utf-8")
    cells = json.loads(notebook)["cells"]
    sources = [cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"]) for cell in cells]
    figures = [figure["name"] for cell in cells if (figure := cell["metadata"].get("book", {}).get("figure"))]
    labels = {found for text in sources for found in re.findall(r"^\(([\w.-]+)\)=$|\$\$ \(([\w.-]+)\)$", text, re.M)}
    labels = {label for pair in labels for label in pair if label} | set(figures)
    suffix = slug.removeprefix(CHAPTER)
    for label in sorted(labels, key=len, reverse=True):
        name = re.escape(label)
        places = rf"(\({name}\)=|\$\$ \({name}\)|\(#{name}\)|\{{(?:eq|numref|ref)\}}`{name}`|\"name\": \"{name}\")"
        notebook = re.sub(places, lambda found, label=label: found[0].replace(label, label + suffix), notebook)
    (chapters / f"{slug}.ipynb").write_text(_renamed(notebook, slug), encoding="utf-8")
    questions = (chapters / f"{CHAPTER}.questions.yml").read_text(encoding="utf-8")
    for label in labels:
        questions = re.sub(rf"^(\s+passage: ){re.escape(label)}$", rf"\g<1>{label}{suffix}", questions, flags=re.M)
    (chapters / f"{slug}.questions.yml").write_text(_renamed(questions, slug), encoding="utf-8")


def _renamed(text: str, slug: str) -> str:
    """Rename the chapter in ids and references; claims hold its name in theirs, and generators keep it."""
    return re.sub(rf"(?<![\w-])(?<!generator: ){CHAPTER}(?![\w-])", slug, text)
