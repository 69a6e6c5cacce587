"""``make lab``: one-language notebooks that the reader may change, and JupyterLab on their folder in that language."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from interview_book.book.errors import BookError
from interview_book.book.keep import Report, deliver, read_record, write_record
from interview_book.book.languages import language
from interview_book.book.notebooks import chapters, read
from interview_book.book.plain import convert, names

FOLDER = Path("_build") / "notebooks"
# JupyterLab's settings of this book: beside the notebooks and never in the user's own.
SETTINGS = Path("_build") / "jupyter"


def write(root: Path, tag: str, url: str | None = None) -> Report:
    """Write every chapter as a plain notebook into ``_build/notebooks/<tag>``; what the reader changed stays.

    Returns what was written, what was kept and what was the same already. Raises ``BookError`` for an unknown edition
    or a chapter that has no plain form, before anything is written.
    """
    language(tag)
    known = names(root, tag)
    files = {path.stem: path for path in chapters(root)}
    made = {slug: convert(read(files[slug]), tag, slug=slug, root=root, known=known, url=url) for slug in known}
    folder = root / FOLDER / tag
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record = read_record(folder)
        report = Report()
        for slug, notebook in made.items():
            deliver(folder / f"{slug}.ipynb", notebook, tag, record, report)
            write_record(folder, record)
    except OSError as error:
        raise BookError(f"{error.filename}: cannot be written ({error.strerror}); free it or build elsewhere") from None
    return report


def settings(root: Path, tag: str) -> Path:
    """Write JupyterLab's settings of one edition and return their folder: its language, no news, no update check.

    They are defaults (``overrides.json``): what the reader chooses in this lab is kept beside them and wins.
    """
    folder = root / SETTINGS / tag
    overrides = {
        "@jupyterlab/translation-extension:plugin": {"locale": language(tag).jupyter},
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
        # Links inside a chapter lead to anchors, which JupyterLab removes otherwise.
        "@jupyterlab/apputils-extension:sanitizer": {"allowNamedProperties": True},
    }
    for name in ("defaults", "user", "workspaces"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    text = json.dumps(overrides, indent=2, sort_keys=True) + "\n"
    (folder / "defaults" / "overrides.json").write_text(text, encoding="utf-8")
    return folder


def command(root: Path, tag: str, application: str = "lab") -> tuple[list[str], dict[str, str]]:
    """Return the command line and the environment of JupyterLab (or Notebook 7, ``application="notebook"``)."""
    folder = settings(root, tag)
    module, name = {"lab": ("jupyterlab", "LabApp"), "notebook": ("notebook", "JupyterNotebookApp")}[application]
    line = [
        *(sys.executable, "-m", module),
        f"--ServerApp.root_dir={root / FOLDER / tag}",
        "--ServerApp.answer_yes=True",
        f"--{name}.app_settings_dir={folder / 'defaults'}",
        f"--{name}.user_settings_dir={folder / 'user'}",
        f"--{name}.workspaces_dir={folder / 'workspaces'}",
    ]
    if application == "lab":
        line += ["--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        line.append("--allow-root")  # in a container everybody is root, and the server listens on this machine only
    # This environment's python3, not one of the same name in the user's folder, which may lack the package.
    return line, os.environ | {"JUPYTER_PREFER_ENV_PATH": "1"}


def open_lab(root: Path, tag: str) -> Report:
    """Write the notebooks, say which were kept, and run JupyterLab on them until it is closed."""
    language(tag)
    if find_spec("jupyterlab") is None:
        raise BookError("expected JupyterLab in this environment, found none; run `make setup`")
    report = write(root, tag)
    for sentence in report.sentences(tag):
        print(sentence, flush=True)
    line, environment = command(root, tag)
    line.append(f"--LabApp.default_url=/lab/tree/{chapters(root)[1].name}")
    process = subprocess.Popen(line, env=environment)
    try:
        status = process.wait()
    except KeyboardInterrupt:
        # Ctrl-C reaches JupyterLab too, which closes its kernels first.
        process.wait()
        return report
    if status:
        raise BookError(f"JupyterLab ended with status {status}; what it said stands above")
    return report
