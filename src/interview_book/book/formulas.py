"""Every formula of the book, set by KaTeX in strict mode in one Node process.

The site shows KaTeX, a notebook shows MathJax, so only what both read may be written: no macros of one's own, no
extension of one of them. A formula that KaTeX cannot set passes a Sphinx build in silence; here it is a fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from interview_book.book import node
from interview_book.book.errors import Fault

# KaTeX's own, or defining: MathJax as Jupyter loads it does not know these, or the two read them differently.
_NOT_SHARED = re.compile(
    r"\\(?:(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment"
    r"|html(?:Class|Id|Style|Data)|href|url|includegraphics|char|verb|tag|label|ref|eqref|require|cssId|class|style|bbox"
    r"|unicode|mathtip|Rule|Space|toggle|operatornamewithlimits|angln|phase|utilde|minuso|Bbbk|blue|red|orange|pink|green"
    r"|gray|purple)\b\*?|begin\{(?:CD|darray|dcases|rcases|drcases|subarray|alignat|equation|align|gather|multline"
    r"|eqnarray|split)\*?\})"
)
_SCRIPT = """
const katex = require(process.argv[1]);
let text = "";
process.stdin.on("data", (part) => (text += part)).on("end", () => {
  const said = JSON.parse(text).map(([tex, displayMode]) => {
    try {
      katex.renderToString(tex, { displayMode, throwOnError: true, strict: "error", trust: false, maxExpand: 100 });
      return null;
    } catch (error) {
      return String(error.message).replace(/^KaTeX parse error: /, "");
    }
  });
  process.stdout.write(JSON.stringify(said));
});
"""
_LATEX = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?:\\displaystyle\b)?(?P<inline>(?:\\.|[^$\\])+)\$", re.S)


@dataclass(frozen=True)
class Placed:
    """A formula and where it stands."""

    file: str
    where: str
    tex: str
    display: bool


def latex_output(text: str) -> list[tuple[str, bool]]:
    """The formulas of a ``text/latex`` output."""
    found = []
    for match in _LATEX.finditer(text):
        shown = match["display"] is not None or "\\displaystyle" in match[0]
        found.append((match["display"] or match["inline"], shown))
    return found or [(text, True)]


def _katex(root: Path) -> Path:
    project = Path(__file__).resolve().parents[3]
    # A small book of the tests has no node_modules of its own.
    home = root if (root / "node_modules" / "katex").is_dir() else project
    return node.module(home, "katex", "dist", "katex.js")


@lru_cache(maxsize=64)
def _set(katex: Path, formulas: tuple[tuple[str, bool], ...]) -> tuple[str | None, ...]:
    done = node.run_node(["-e", _SCRIPT, katex], input=json.dumps(formulas))
    return tuple(json.loads(done.stdout))


def messages(root: Path, formulas: Sequence[tuple[str, bool]]) -> dict[tuple[str, bool], str]:
    """What KaTeX or the rule of shared commands says about each bad formula of (tex, display).

    Raises
    ------
    BookError
        When Node or KaTeX is not installed.
    """
    distinct = tuple(dict.fromkeys(formulas))
    if not distinct:
        return {}
    found: dict[tuple[str, bool], str] = {}
    for formula, said in zip(distinct, _set(_katex(Path(root)), distinct), strict=True):
        if own := _NOT_SHARED.search(formula[0]):
            found[formula] = f"{own[0]} is not read alike by KaTeX and MathJax"
        elif said:
            found[formula] = " ".join(said.split())
    return found


def formula_faults(root: Path, placed: Sequence[Placed]) -> list[Fault]:
    """A fault for each formula that cannot be set, with KaTeX's own message."""
    bad = messages(root, [(one.tex, one.display) for one in placed])
    return [
        Fault(
            one.file,
            one.where,
            "formula",
            f"expected a formula KaTeX can set, found «{' '.join(one.tex.split())}»: {bad[one.tex, one.display]}",
            "mend the TeX; use only what KaTeX and MathJax share, without macros",
        )
        for one in placed
        if (one.tex, one.display) in bad
    ]
