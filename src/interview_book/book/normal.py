"""One form for an executed notebook, so that the same run writes the same bytes."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import nbformat
from nbformat.validator import iter_validate

from interview_book.book.errors import BookError

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}

# What editors and runners leave in a cell; nothing of it is the author's.
_NOISE = {"ExecuteTime", "collapsed", "colab", "execution", "heading_collapsed", "id", "outputId", "papermill"}
_NOISE |= {"pycharm", "scrolled", "trusted", "vscode"}
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}|ipykernel_[0-9]+")


def parse(path: Path) -> dict[str, Any]:
    """Return the notebook at ``path``; raise ``BookError`` unless it is valid nbformat 4.5 for ``python3``."""
    try:
        # Not nbformat.read: it mends a missing or doubled id in silence, and an id is what everything else refers to.
        notebook = nbformat.reader.reads(path.read_text(encoding="utf-8"))
        version = (notebook.get("nbformat"), notebook.get("nbformat_minor"))
        wrong = next(iter_validate(notebook), None) if version >= (4, 5) else None
    except FileNotFoundError:
        raise BookError(f"{path}: no such notebook; name a file chapters/<slug>.ipynb") from None
    except (OSError, TypeError, AttributeError, ValueError, RecursionError, nbformat.ValidationError) as error:
        raise BookError(f"{path}: expected a notebook, got: {str(error).splitlines()[0][:200]}") from None
    if version < (4, 5):
        raise BookError(f"{path}: expected nbformat 4.5, got {version[0]}.{version[1]}; save it with JupyterLab 4")
    if wrong is not None:
        raise BookError(f"{path}: expected a valid notebook, got: {wrong.message[:200]} (at {list(wrong.path)})")
    ids = [cell.id for cell in notebook.cells]
    if twice := sorted({one for one in ids if ids.count(one) > 1}):
        raise BookError(f"{path}: expected one cell an id, got several with {', '.join(twice)}; rename all but one")
    kernel = notebook.metadata.get("kernelspec", {}).get("name", "python3")
    if kernel != "python3":
        raise BookError(f"{path}: expected the kernel python3, got {kernel}; choose «Python 3 (ipykernel)» and save")
    return notebook


def normalise(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a copy without timing, editor noise and widget views, its code cells counted 1..n, its streams merged.

    Cell ids, sources, tags and our own metadata stay as they are. Normalising twice changes nothing.
    """
    notebook = copy.deepcopy(notebook)
    kept = {key: value for key, value in notebook["metadata"].items() if key not in ("widgets", "signature")}
    notebook["metadata"] = kept | {"kernelspec": dict(KERNELSPEC), "language_info": {"name": "python"}}
    notebook["nbformat_minor"] = max(notebook["nbformat_minor"], 5)
    count = 0
    for cell in notebook["cells"]:
        cell["metadata"] = {key: value for key, value in cell["metadata"].items() if key not in _NOISE}
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = [_output(one, count) for one in _merged(cell["outputs"]) if _shows(one)]
    return notebook


def written(notebook: dict[str, Any]) -> str:
    """Return the notebook as its file holds it: sorted keys, indent 1, UTF-8 unescaped, one newline at the end."""
    return nbformat.v4.writes(nbformat.from_dict(notebook)).rstrip("\n") + "\n"


def complaints(cell: dict[str, Any]) -> list[str]:
    """Return what must not be committed among a code cell's outputs, each as expected, got and the mend."""
    found = []
    for output in cell["outputs"]:
        kind, data = output["output_type"], output.get("data", {})
        if kind == "error":
            found.append(f"the cell raised {output['ename']}: {output['evalue']}")
        elif kind == "stream" and output["name"] == "stderr":
            last = _joined(output["text"]).strip().splitlines()[-1:]
            found.append(f"expected nothing on stderr, got {(last or [''])[0]!r}; mend what complains")
        for picture in {"image/png", "image/jpeg"} & data.keys():
            found.append(f"expected figures as SVG, got {picture}, which no test compares; use interview_book.figures")
        if WIDGET_VIEW in data and "text/html" not in data:
            found.append("expected a text/html fallback beside the widget, got none; give it in _repr_mimebundle_")
        for text in [output.get("text", ""), data.get("text/plain", ""), data.get("text/html", "")]:
            if match := _ADDRESS.search(_joined(text)):
                found.append(f"expected an output that repeats, got {match[0]!r}; show a value, not an object")
    return found


def _merged(outputs: list[dict]) -> list[dict]:
    merged: list[dict] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if last and output["output_type"] == last["output_type"] == "stream" and output["name"] == last["name"]:
            last["text"] = _joined(last["text"]) + _joined(output["text"])
        else:
            merged.append(dict(output))
    return merged


def _output(output: dict, count: int) -> dict:
    if output["output_type"] == "execute_result":
        output = output | {"execution_count": count}
    if "data" in output:
        output = output | {"data": {mime: data for mime, data in output["data"].items() if mime != WIDGET_VIEW}}
    output.pop("transient", None)
    return output


def _shows(output: dict) -> bool:
    if output["output_type"] == "stream":
        return bool(_joined(output["text"]))
    return output["output_type"] == "error" or any(mime != WIDGET_VIEW for mime in output["data"])


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
