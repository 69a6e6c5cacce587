"""The files beside the pages: styles, fonts, scripts; one folder per build, each file named by what it is."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

from interview_book.book import bundle, frontend, node

HERE = Path(__file__).parent
THEME_SCRIPTS = (
    ("sphinx_book_theme", "sphinx-book-theme.js"),  # first: it stops a click before the other one sees it
    ("pydata_sphinx_theme", "pydata-sphinx-theme.js"),
)

# The syntax stays as written: esbuild would otherwise rewrite light-dark() and nesting for browsers nobody named.
_MINIFY = """
import * as esbuild from "esbuild";
const sheets = Object.entries(JSON.parse(process.argv[2]));
const small = async ([name, css]) =>
  [name, (await esbuild.transform(css, { loader: "css", minifyWhitespace: true, charset: "utf8" })).code];
process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(sheets.map(small)))));
"""
_OLD_FONTS = re.compile(r",url\(fonts/[^)]+\.(?:woff|ttf)\) format\([^)]+\)")


def _theme_script() -> str:
    """Return the theme's two scripts as one, without the address of a source map that is not there."""
    from importlib.util import find_spec

    parts = []
    for theme, name in THEME_SCRIPTS:
        folder = Path(find_spec(theme).submodule_search_locations[0])
        text = (folder / "theme" / theme / "static" / "scripts" / name).read_text(encoding="utf-8")
        parts.append("\n".join(line for line in text.splitlines() if not line.startswith("//# sourceMappingURL")))
    return ";\n".join(parts) + "\n"


def minified(sheets: dict[str, str], root: Path) -> dict[str, str]:
    """Return stylesheets, by name, without their comments and spaces."""
    done = node.run_node(["--input-type=module", "-", json.dumps(sheets)], input=_MINIFY, cwd=frontend.home(root))
    return json.loads(done.stdout)


# The stepper's rules measure the cell that it stands in; on the page, where a container would have each page laid out
# twice, the screen tells as much.
_LAYOUT = HERE.parent / "widgets" / "stepper_layout.css"
_LAYOUT_HERE = "/* == stepper: here stand the rules of widgets/stepper_layout.css == */\n"
_WIDTHS = {
    "@container stepper (max-width: 33rem)": "@media (max-width: 639px)",
    "@container stepper (max-width: 27rem)": "@media (max-width: 519px)",
}


def book_css() -> str:
    """Return the pages' stylesheet, ``book.css`` with the stepper's rules in their place.

    Raises
    ------
    AssertionError
        When the place is not there, or a width of the cell has none of the screen.
    """
    text, layout = (path.read_text(encoding="utf-8") for path in (HERE / "static" / "book.css", _LAYOUT))
    if text.count(_LAYOUT_HERE) != 1:
        raise AssertionError(f"book.css: expected one line {_LAYOUT_HERE.strip()}, got {text.count(_LAYOUT_HERE)}")
    for cell, screen in _WIDTHS.items():
        layout = layout.replace(cell, screen)
    if "@container" in layout:
        raise AssertionError(f"{_LAYOUT.name}: expected widths {', '.join(_WIDTHS)}, got another; name it in _WIDTHS")
    return text.replace(_LAYOUT_HERE, _LAYOUT_HERE + layout)


def write(out: Path, root: Path) -> None:
    """Write every file that a page asks for into ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    dist = frontend.katex(root)
    sheet = (dist / "katex.min.css").read_text(encoding="utf-8")
    # Every browser that shows the page knows woff2; the other two formats would be twenty addresses of nothing.
    (out / "katex.min.css").write_text(_OLD_FONTS.sub("", sheet), encoding="utf-8")
    (out / "fonts").mkdir(exist_ok=True)
    for font in sorted((dist / "fonts").glob("*.woff2")):
        shutil.copyfile(font, out / "fonts" / font.name)
    sheets = {"tokens.css": (HERE / "static" / "tokens.css").read_text(encoding="utf-8"), "book.css": book_css()}
    for name, text in minified(sheets, root).items():
        (out / name).write_text(text, encoding="utf-8")
    shutil.copyfile(HERE / "static" / "mark.svg", out / "mark.svg")
    (out / "theme.js").write_text(_theme_script(), encoding="utf-8")
    bundle.write(out)


def digest(out: Path) -> str:
    """Return eight hex digits that change when any of the files does: pages ask for ``name?v=digest``."""
    total = hashlib.sha256()
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        total.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:8]
