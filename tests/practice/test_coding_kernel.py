"""``grade`` in a real Jupyter kernel, which has threads, sockets, cells without files and its own print and input."""

from __future__ import annotations

import time

import nbformat
import pytest
from nbclient import NotebookClient

GRADE = "from interview_book.practice.coding import grade\nID = 'attention.scaled-attention'"

HELPERS = """
import numpy as np

def softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""

RIGHT = """
def scaled_attention(q, k, v):
    print("called", q.shape)
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])) @ v
"""

WRONG = """\
def broken(q, k, v):
    scores = q @ k.T
    return softmax(scores) @ v
"""

HARM = """
def harm(q, k, v):
    import os, sys, threading
    from IPython.display import display
    threading.Thread(target=lambda: None).start()
    display("shown")
    sys.stdout.write("out")
    get_ipython().user_ns["changed"] = True
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"noise")
        except OSError:
            pass
    return q

changed = False
"""


@pytest.fixture(scope="module")
def outputs():
    """Run all cells in one kernel; give the outputs by the id of the cell, and how long each took."""
    cells = {
        "setup": GRADE + HELPERS,
        "right": RIGHT + "\ngrade(ID, scaled_attention, seed=1)",
        "wrong": WRONG + "\ngrade(ID, broken, language='zh-Hant', seed=1)",
        "lambda": "grade(ID, lambda q, k, v: softmax(q @ np.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5) @ v).right",
        "closure": "def make(c):\n    return lambda q, k, v: softmax(q @ k.swapaxes(-1, -2) / c(q)) @ v\n\n"
        "grade(ID, make(lambda q: q.shape[-1] ** 0.5)).right",
        "fresh": "print(grade(ID, scaled_attention, way='fresh', seed=1))\ngrade(ID, broken, way='fresh', seed=1)",
        "class": "class Attention:\n    def __call__(self, q, k, v):\n"
        "        return softmax(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5) @ v\n\ngrade(ID, Attention()).right",
        "loop": "def loop(q, k, v):\n    while True:\n        pass\n\nprint(grade(ID, loop, seconds=0.5))",
        "input": "def asks(q, k, v):\n    return input('really?')\n\nprint(grade(ID, asks))",
        "harm": HARM + "\nprint(grade(ID, harm, seconds=2).right, changed)",
        "many": "[grade(ID, scaled_attention).right for _ in range(30)].count(True)",
        "alive": "import threading\nresults = []\n"
        "def work(): results.append(grade(ID, scaled_attention).right)\n\n"
        "threads = [threading.Thread(target=work) for _ in range(4)]\n"
        "for one in threads: one.start()\nfor one in threads: one.join()\nprint(results)",
    }
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in cells.items()]
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    before = time.monotonic()
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    return {cell.id: cell.outputs for cell in notebook.cells} | {"seconds": time.monotonic() - before}


def plain(outputs):
    return "".join(one.get("text", "") or one["data"]["text/plain"] for one in outputs)


def test_the_report_shows_as_html_and_as_text(outputs):
    (shown,) = outputs["right"]
    assert shown["data"]["text/html"].startswith('<div class="grade-report" lang="ja">')
    assert "scaled-attention-" in shown["data"]["text/html"] and "called (1, 4)" in shown["data"]["text/plain"]


def test_a_cell_is_quoted_line_by_line(outputs):
    (shown,) = outputs["wrong"]
    text = shown["data"]["text/plain"]
    assert "line 2, broken: scores = q @ k.T\n    ValueError: matmul" in text
    assert "ipykernel" not in text and "/tmp" not in text


def test_lambdas_closures_and_classes_of_the_notebook_are_graded(outputs):
    assert [plain(outputs[one]) for one in ("lambda", "closure", "class")] == ["True"] * 3


def test_a_fresh_process_gets_the_cells_it_needs(outputs):
    text = plain(outputs["fresh"])
    assert "scaled-attention-" in text and "line 2, broken: scores = q @ k.T" in text


def test_what_would_hang_a_kernel_is_told(outputs):
    assert "0.5 秒" in plain(outputs["loop"])
    assert "EOFError: input() has no keyboard here" in plain(outputs["input"])


def test_the_kernel_is_left_alone(outputs):
    assert plain(outputs["harm"]) == "False False\n"
    assert len(outputs["harm"]) == 1


def test_no_fork_hangs(outputs):
    assert plain(outputs["many"]) == "30"
    assert plain(outputs["alive"]) == "[True, True, True, True]\n"
    assert outputs["seconds"] < 60
