"""The page's scripts, bundled by esbuild from plain JavaScript modules, and modules of one file for notebooks.

The page's are classic scripts (IIFE): from ``file://`` a browser refuses module scripts. ``book.js`` goes on every
page, ``widgets.js`` only on pages with a widget, ``deck.js`` only on the practice page.
"""

from __future__ import annotations

import json
from pathlib import Path

from interview_book.book import node

_CLIENT = Path(__file__).with_name("client")
WIDGETS = Path(__file__).parents[1] / "widgets"
_DECK = WIDGETS / "practice_deck"

# Run in the folder that has node_modules, so that the import finds esbuild. Errors come through stderr and the status.
_BUILD = """
import * as esbuild from "esbuild";
const { jobs } = JSON.parse(process.argv[2]);
try {
  await Promise.all(jobs.map(job => esbuild.build({
    bundle: true, format: "iife", minify: true, target: "es2022", charset: "utf8", legalComments: "eof",
    logLevel: "silent", jsx: "automatic", jsxImportSource: "preact", loader: { ".svg": "text" }, ...job,
  })));
} catch (error) {
  const lines = await esbuild.formatMessages(error.errors ?? [], { kind: "error", terminalWidth: 100 });
  process.stderr.write(lines.join("") || String(error));
  process.exitCode = 1;
}
"""


def project_root() -> Path:
    """Return the folder that holds node_modules: the source tree of this package, or else the current folder."""
    source = Path(__file__).parents[3]
    return source if (source / "package.json").is_file() else Path.cwd()


def pairs(folder: Path = WIDGETS) -> list[Path]:
    """Return the ES modules of the widgets, each the partner of a ``stem.py``, in alphabetical order."""
    return sorted(path for path in folder.glob("*.js") if path.with_suffix(".py").is_file())


def widgets_entry(modules: list[Path]) -> str:
    """Return the source of the script that mounts these modules under their stems."""
    mount = json.dumps((_CLIENT / "mount.js").as_posix())
    lines = [f"import {{ mount }} from {mount};"]
    lines += [f"import * as w{i} from {json.dumps(path.as_posix())};" for i, path in enumerate(modules)]
    table = ", ".join(f"{json.dumps(path.stem)}: w{i}" for i, path in enumerate(modules))
    lines += [
        f"const start = () => mount({{{table}}});",
        'if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();',
    ]
    return "\n".join(lines)


def write(out: Path, *, root: Path | None = None, widgets: Path = WIDGETS) -> None:
    """Write ``out/book.js``, ``out/widgets.js`` and ``out/deck.js``: classic, minified, the same bytes for the same
    sources.

    Raises
    ------
    BookError
        When Node or esbuild is missing, or with esbuild's own message (file, line, reason) when a module is wrong.
    """
    root = root or project_root()
    entry = widgets_entry(pairs(widgets))
    jobs = [
        {"entryPoints": [(_CLIENT / "book.js").as_posix()], "outfile": (out / "book.js").absolute().as_posix()},
        {
            "stdin": {"contents": entry, "resolveDir": root.as_posix(), "sourcefile": "widgets.js"},
            "outfile": (out / "widgets.js").absolute().as_posix(),
        },
        {"entryPoints": [(_DECK / "page.js").as_posix()], "outfile": (out / "deck.js").absolute().as_posix()},
    ]
    _build(out, jobs, root)


def write_module(out: Path, *, entry: Path = _DECK / "notebook.js", root: Path | None = None) -> None:
    """Write a widget as one ES module for notebooks, ``export default { render }``; errors as `write`.

    Parameters
    ----------
    entry : the widget's own module, with all that it imports; without it, the practice deck's.
    """
    job = {"entryPoints": [entry.as_posix()], "outfile": out.absolute().as_posix(), "format": "esm"}
    _build(out.parent, [job], root or project_root())


def _build(out: Path, jobs: list[dict], root: Path) -> None:
    node.module(root, "esbuild", "package.json")
    out.mkdir(parents=True, exist_ok=True)
    # The deck's libraries are found there wherever this package is installed.
    shared = {"nodePaths": [(root / "node_modules").absolute().as_posix()]}
    work = json.dumps({"jobs": [{**shared, **job} for job in jobs]})
    node.run_node(["--input-type=module", "-", work], input=_BUILD, cwd=root)
