"""Widgets speak the language of the notebook they leave the book in: their ``language`` is written into the call."""

from __future__ import annotations

import ast
from collections.abc import Iterable

WIDGETS = "interview_book.widgets"
# What a widget speaks where nothing is said.
DEFAULT = "ja"


def widget_names(sources: Iterable[str]) -> set[str]:
    """Return the names under which the code of a notebook knows our widgets."""
    found: set[str] = set()
    for tree in map(_parsed, sources):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == WIDGETS:
                found |= {alias.asname or alias.name for alias in node.names}
    return found


def in_language(source: str, tag: str, names: set[str]) -> str:
    """Return ``source`` with ``language="zh-Hant"`` in each call of a widget that names no language of its own."""
    if tag == DEFAULT:
        return source
    ends = [
        (node.end_lineno - 1, node.end_col_offset - 1, bool(node.args or node.keywords))
        for node in ast.walk(_parsed(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in names
        and all(word.arg != "language" for word in node.keywords)
    ]
    # Columns of the syntax tree count bytes.
    lines = [line.encode("utf-8") for line in source.split("\n")]
    for row, column, more in sorted(ends, reverse=True):
        before, after = lines[row][:column], lines[row][column:]
        word = f'language="{tag}"'.encode()
        if before.strip():
            comma = b"" if not more else b" " if before.rstrip().endswith(b",") else b", "
            lines[row] = before + comma + word + after
        else:
            # The bracket has a line of its own, and so gets the language.
            lines[row - 1] = lines[row - 1].rstrip().rstrip(b",") + b","
            lines[row] = before + b"    " + word + b",\n" + before + after
    return b"\n".join(lines).decode("utf-8")


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:
        # A cell with an IPython command in it: none of the chapters', and nothing of ours to find.
        return ast.Module(body=[], type_ignores=[])
