"""``pytest --nbval`` passes on what ``interview-book run`` writes, and a changed output of any kind makes it fail."""

import copy
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from nbformat import write
from nbformat.v4 import new_code_cell, new_notebook

from interview_book.book.run import execute

WIDGET = """
import anywidget
class Small(anywidget.AnyWidget):
    _esm = "export default { render() {} }"
    def _repr_mimebundle_(self, **options):
        view = super()._repr_mimebundle_(**options)
        data, extra = view if isinstance(view, tuple) else (view, {})
        return data | {"text/html": "<table><td>0.881</td></table>", "text/plain": "Small()"}, extra
Small()
"""
CELLS = {
    "text": "print('weights.scaled = 0.880797')",
    "result": "(0.982014, 0.0179862)",
    "html": "from IPython.display import HTML, SVG, Math, display\nHTML('<b lang=\"ja\">値 0.982</b>')",
    "latex": "Math(r'\\frac{1}{c}')",
    "svg": 'SVG(\'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 646 300"/>\')',
    "widget": WIDGET,
    "several": "print('before')\ndisplay(HTML('<i>0.119</i>'))\nprint('after')\n7",
    "hashes": "print(sorted({'q', 'k', 'v'}, key=hash), __import__('sys').warnoptions)",
}


def _replace(cell, old, new):
    text = json.dumps(cell["outputs"], ensure_ascii=False)
    assert old in text
    cell["outputs"] = json.loads(text.replace(old, new))


def _never_run(cell):
    cell.update(outputs=[], execution_count=None)


def _without_outputs(cell):
    cell.update(outputs=[])


def _switched_off(cell):
    cell["metadata"]["tags"] = ["nbval-ignore-output"]
    _replace(cell, "0.880797", "0.880798")


def _skipped(cell):
    cell["metadata"]["tags"] = ["nbval-skip"]
    _without_outputs(cell)


def _of_the_wrong_type(cell):
    cell["outputs"][0]["output_type"] = "display_data"
    del cell["outputs"][0]["execution_count"]


def _added(cell):
    cell["outputs"].append(copy.deepcopy(cell["outputs"][0]))


FAULTS = {
    "text-digit": ("text", lambda cell: _replace(cell, "0.880797", "0.880798")),
    "text-space": ("text", lambda cell: _replace(cell, "= 0", "=  0")),
    "stream-name": ("text", lambda cell: _replace(cell, "stdout", "stderr")),
    "never-run": ("text", _never_run),
    "no-output": ("text", _without_outputs),
    "switched-off": ("text", _switched_off),
    "skipped": ("text", _skipped),
    "result-digit": ("result", lambda cell: _replace(cell, "0.0179862", "0.0179863")),
    "result-type": ("result", _of_the_wrong_type),
    "html-digit": ("html", lambda cell: _replace(cell, "0.982", "0.983")),
    "html-language": ("html", lambda cell: _replace(cell, 'lang=\\"ja\\"', 'lang=\\"zh-Hant\\"')),
    "html-gone": ("html", lambda cell: cell["outputs"][0]["data"].pop("text/html")),
    "latex-letter": ("latex", lambda cell: _replace(cell, "{c}", "{d}")),
    "svg-size": ("svg", lambda cell: _replace(cell, "646", "647")),
    "svg-as-png": ("svg", lambda cell: _replace(cell, "image/svg+xml", "image/png")),
    "widget-fallback": ("widget", lambda cell: _replace(cell, "0.881", "0.880")),
    "order": ("several", lambda cell: cell["outputs"].insert(0, cell["outputs"].pop(1))),
    "one-more": ("several", _added),
}


@pytest.fixture(scope="module")
def failures(root, tmp_path_factory):
    """Names of the cells that nbval fails, by notebook: the sound one and one for each fault, in one session."""
    folder = tmp_path_factory.mktemp("nbval")
    sound = folder / "sound.ipynb"
    cells = [new_code_cell(source, id=name) for name, source in CELLS.items()]
    write(new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "x"}}), sound)
    assert execute([sound]) == [sound]
    notebook = json.loads(sound.read_text(encoding="utf-8"))
    for name, (cell, spoil) in FAULTS.items():
        spoilt = copy.deepcopy(notebook)
        spoil(next(one for one in spoilt["cells"] if one["id"] == cell))
        (folder / f"{name}.ipynb").write_text(json.dumps(spoilt), encoding="utf-8")
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-p", "tests.chapters.strict", "--nbval", f"--junitxml={report}"]
    environment = os.environ | {"PYTHONHASHSEED": "5", "PYTHONWARNINGS": "default"}
    ended = subprocess.run(
        [*command, "-q", "-c", str(root / "pyproject.toml"), "--rootdir", str(root), str(folder)],
        cwd=root,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    numbered = [f"Cell {number}" for number in range(len(CELLS))]
    found = {}
    for case in ET.parse(report).iter("testcase"):
        stem = case.get("classname").rsplit(".", 2)[-2]
        failed = found.setdefault(stem, set())
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(list(CELLS)[numbered.index(case.get("name"))])
    return found


def test_what_run_writes_passes(failures):
    assert failures["sound"] == set()


@pytest.mark.parametrize("name", FAULTS)
def test_a_changed_output_fails_in_its_cell_and_nowhere_else(failures, name):
    assert failures[name] == {FAULTS[name][0]}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--nbval-sanitize-with", "any.cfg"], "compared as they are"),
        (["-n", "2"], "add --dist loadfile"),
    ],
)
def test_a_command_that_would_compare_less_is_refused(root, tmp_path, arguments, told):
    command = [sys.executable, "-m", "pytest", "-p", "tests.chapters.strict", "--nbval", *arguments, str(tmp_path)]
    ended = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert ended.returncode == 4
    assert told in ended.stderr
