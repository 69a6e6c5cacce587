"""The page's two scripts, bundled by esbuild from plain JavaScript modules.

Both are classic scripts (IIFE): from ``file://`` a browser refuses module scripts. ``book.js`` goes on every page,
``widgets.js`` only on pages with a widget.
"""

from __future__ import annotations

import json
from pathlib import Path

from interview_book.book import node

_CLIENT = Path(__file__).with_name("client")
_WIDGETS = Path(__file__).parents[1] / "widgets"

# Run in the folder that has node_modules, so that the import finds esbuild. Errors come through stderr and the status.
_BUILD = """
import * as esbuild from "esbuild";
const { jobs } = JSON.parse(process.argv[2]);
try {
  await Promise.all(jobs.map(job => esbuild.build({
    bundle: true, format: "iife", minify: true, target: "es2022", charset: "utf8", legalComments: "eof",
    logLevel: "silent", ...job,
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


def pairs(folder: Path = _WIDGETS) -> list[Path]:
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


def write(out: Path, *, root: Path | None = None, widgets: Path = _WIDGETS) -> None:
    """Write ``out/book.js`` and ``out/widgets.js``: classic, minified, the same bytes for the same sources.

    Raises
    ------
    BookError
        When Node or esbuild is missing, or with esbuild's own message (file, line, reason) when a module is wrong.
    """
    root = root or project_root()
    node.module(root, "esbuild", "package.json")
    out.mkdir(parents=True, exist_ok=True)
    entry = widgets_entry(pairs(widgets))
    jobs = [
        {"entryPoints": [(_CLIENT / "book.js").as_posix()], "outfile": (out / "book.js").absolute().as_posix()},
        {
            "stdin": {"contents": entry, "resolveDir": root.as_posix(), "sourcefile": "widgets.js"},
            "outfile": (out / "widgets.js").absolute().as_posix(),
        },
    ]
    node.run_node(["--input-type=module", "-", json.dumps({"jobs": jobs})], input=_BUILD, cwd=root)
