"""Where a widget finds what is built for it: in the package when it came as the site's wheel, else made by the book.

``Deck()`` needs the bank, a module and a stylesheet; a widget whose script is several files needs its module alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
PACKED = HERE / "deck_data"
SOURCE = HERE.parents[2]
NAMES = ("bank.json", "deck.mjs", "deck.css")


@cache
def folder() -> Path:
    """Return the folder with the bank, the module and the stylesheet; in the book's sources bring it up to date first.

    Raises
    ------
    RuntimeError
        When the package came without them, or they cannot be made; with what to do.
    """
    return _made("deck", NAMES, "the practice deck's files")


@cache
def module(stem: str) -> str:
    """Return the text of a widget's module, ``stem.mjs``; the bank is not looked at. Errors as `folder`."""
    name = f"{stem}.mjs"
    return (_made("modules", (name,), "the widget's module") / name).read_text(encoding="utf-8")


def _made(command: str, names: tuple[str, ...], what: str) -> Path:
    """Return the folder that holds ``names``; ``interview-book command`` makes them in a folder of its name."""
    if all((PACKED / name).is_file() for name in names):
        return PACKED
    if not (SOURCE / "_toc.yml").is_file():
        raise RuntimeError(
            f"cannot find {what}: expected {', '.join(names)} in this installation of interview_book, found none. "
            f"Install the wheel that the book's site offers, or open the book's notebooks with `make lab`."
        )
    line = [sys.executable, "-m", "interview_book.cli", "--root", str(SOURCE), command]
    done = subprocess.run(line, cwd=SOURCE, capture_output=True, encoding="utf-8", errors="replace", check=False)
    made = SOURCE / "_build" / command
    if done.returncode or not all((made / name).is_file() for name in names):
        said = (done.stderr.strip() or done.stdout.strip())[-2000:]
        wanted = "expected 0" if done.returncode else f"but left no {', '.join(names)}"
        raise RuntimeError(
            f"cannot make {what}: `interview-book {command}` ended with status {done.returncode}, {wanted}. "
            f"It wrote:\n{said}\nMend that, or run `make setup`, and try again."
        )
    return made


def text(name: str) -> str:
    """Return one of the deck's files."""
    return (folder() / name).read_text(encoding="utf-8")


@cache
def bank(language: str) -> dict:
    """Return ``{"index": …, "parts": …}`` of one language.

    Its links lead to the site if that has an address, else to the notebooks beside this one.
    """
    whole = json.loads(text("bank.json"))
    one, url = whole["languages"][language], whole["url"]
    home = f"{url.rstrip('/')}/{language}/chapters/" if url else ""
    for place in (*one["index"]["chapters"].values(), *one["index"]["cards"]):
        page, mark, label = place["href"].partition("#")
        place["href"] = f"{home}{page}{mark}{label}" if url else f"{Path(page).stem}.ipynb{mark}{label}"
    for part in one["parts"].values():
        for record in part["records"].values():
            if record.get("notebook"):
                record["notebook"] = record["notebook"].rpartition("/")[2]
    return one
