"""The house rules that no other tool enforces."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib

import pytest

LONGEST = 300


def modules(root):
    found = sorted((root / "src").rglob("*.py")) + sorted((root / "src").rglob("*.js"))
    assert len(found) > 20
    return found


def test_a_module_stays_short(root):
    long = {}
    for path in modules(root):
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines >= LONGEST:
            long[path.relative_to(root).as_posix()] = lines
    assert long == {}


def test_no_module_has_the_name_of_a_function_of_its_own(root):
    twice = []
    for path in (root / "src").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        if path.stem in names:
            twice.append(path.relative_to(root).as_posix())
    assert twice == []


def test_public_names_have_docstrings(root):
    silent = []
    for path in (root / "src").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path.stem != "__init__" and ast.get_docstring(tree) is None:
            silent.append(path.name)
        for node in tree.body:
            public = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
            if public and ast.get_docstring(node) is None:
                silent.append(f"{path.name}:{node.name}")
    assert silent == []


def test_the_readers_package_imports_nothing_heavy():
    code = "import sys, interview_book, interview_book.attention, interview_book.checks; print('sympy' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    assert said.stdout == "False\n"


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_pins_carry_hashes_and_no_addresses(root, name):
    lines = (root / name).read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if re.match(r"[A-Za-z0-9]", line)]
    assert len(pins) > 50
    assert all(re.match(r"[A-Za-z0-9._-]+(\[[a-z0-9,-]+\])?==[^ ]+( ;.*)? \\$", line) for line in pins)
    assert sum("--hash=sha256:" in line for line in lines) > len(pins)
    assert not [line for line in lines if "://" in line or line.startswith("-")]


def test_the_lock_of_the_front_end_carries_no_addresses(root):
    lock = (root / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity": "sha512-' in lock
    assert '"resolved"' not in lock
    assert not re.search(r"https?://(?!.*(sponsors|opencollective|funding))[^\"]*\.tgz", lock)


def test_every_requirement_of_the_package_is_pinned(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {
        re.split(r"[=\[]", line)[0]
        for name in ("requirements.txt", "requirements-test.txt")
        for line in (root / name).read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    names = {re.split(r"[<>=\[ ]", one)[0].lower() for one in wanted}
    assert names - pinned == set()


def test_the_makefile_lists_its_targets(root):
    said = subprocess.run(["make"], cwd=root, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    for target in ("book", "site", "test", "lab", "anki", "run", "check", "lint", "bench", "clean"):
        assert re.search(rf"^{target} +\S", said, re.M), target


def make_book(root, folder, python):
    """Run the README's command in a folder that has never been set up, with this Python."""
    for name in ("Makefile", "requirements.txt", "pyproject.toml", "package.json", "package-lock.json"):
        (folder / name).write_bytes((root / name).read_bytes())
    command = ["make", "book", f"PYTHON={python}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, encoding="utf-8")


@pytest.mark.parametrize(
    ("python", "says"),
    [("/nonexistent/python3", "is not Python 3.11, 3.12 or 3.13"), ("", "No Python 3.11, 3.12 or 3.13 was found")],
)
def test_an_unusable_python_gets_one_sentence(root, tmp_path, python, says):
    done = make_book(root, tmp_path, python)
    assert done.returncode != 0
    assert says in done.stdout
    assert not (tmp_path / ".venv").exists()


def test_a_python_without_venv_gets_one_sentence(root, tmp_path):
    fake = tmp_path / "python3"
    fake.write_text(
        f'#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\nexec "{sys.executable}" "$@"\n', encoding="utf-8"
    )
    fake.chmod(0o755)
    done = make_book(root, tmp_path, fake)
    assert done.returncode != 0
    assert "cannot make virtual environments" in done.stdout
    assert "apt install python3-venv" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
