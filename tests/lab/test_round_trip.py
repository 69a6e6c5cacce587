"""Plain notebooks in JupyterLab and Notebook 7: all cells run, a key pressed in the widget reaches Python and back."""

import json
import re
import time

import pytest

from interview_book.book import lab

pytestmark = pytest.mark.lab

PLACE = {"lab": "lab/tree", "notebook": "notebooks"}
# Notebook 7.6.5 says this of itself for any notebook, an empty one with stock settings too.
STOCK = {"lab": [], "notebook": ["exception Cannot read properties of undefined (reading 'schema')"]}


def half(name, tag, text):
    return {"cell_type": "markdown", "id": f"{name}-{tag}", "metadata": {"tags": [f"lang-{tag}"]}, "source": text}


def passage(name, ja, zh):
    return [half(name, "ja", ja), half(name, "zh-Hant", zh)]


def code(name, source):
    return {"cell_type": "code", "id": name, "metadata": {}, "execution_count": None, "outputs": [], "source": source}


@pytest.fixture
def publish(tmp_path):
    """Return a function that makes a book of one chapter of these cells, and writes its plain notebook."""

    def make(cells, tag):
        (tmp_path / "chapters").mkdir()
        toc = "format: jb-book\nroot: chapters/index\nparts:\n- chapters: [{file: chapters/alpha}]\n"
        (tmp_path / "_toc.yml").write_text(toc, encoding="utf-8")
        spec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
        made = {"cells": cells, "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}
        for name in ("index", "alpha"):
            (tmp_path / "chapters" / f"{name}.ipynb").write_text(json.dumps(made), encoding="utf-8")
        lab.write(tmp_path, tag)
        return tmp_path

    return make


def run_all(page, address):
    """Choose «run all cells» in the menu, whatever its language, once the notebook is connected to its kernel."""
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    deadline = time.monotonic() + 60
    while "idle" not in [
        one["kernel"]["execution_state"] for one in page.request.get(f"{address}/api/sessions").json()
    ]:
        assert time.monotonic() < deadline
        page.wait_for_timeout(100)
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').first.wait_for()
    page.locator(".lm-MenuBar-item").nth(3).click()
    page.locator('[data-command="runmenu:run-all"]').click()


@pytest.mark.parametrize("application", PLACE)
@pytest.mark.parametrize(
    ("tag", "divisor", "title"),
    [("ja", "割る数", "スコアと割る数を動かす"), ("zh-Hant", "除數", "調整分數與除數")],
    ids=["ja", "zh-Hant"],
)
def test_a_key_pressed_in_the_widget_reaches_python_and_its_answer_the_page(
    serve, page, publish, tmp_path, application, tag, divisor, title
):
    arrived = tmp_path / "arrived"
    answer = (
        "from pathlib import Path\nfrom interview_book.widgets import TwoScores\n\nwidget = TwoScores()\n\n"
        f"def told(change):\n    Path({str(arrived)!r}).write_text(str(change.new), encoding='utf-8')\n"
        "    widget.values = (10, change.new)\n\nwidget.observe(told, names='divisor')\nwidget"
    )
    root = publish(
        [*passage("title", "# 試す", "# 試試"), code("show", answer), *passage("end", "終わり", "結束")], tag
    )
    with serve(root, tag, application) as address:
        page.goto(f"{address}/{PLACE[application]}/alpha.ipynb")
        run_all(page, address)
        page.get_by_role("heading", name=title).wait_for()
        # Running leaves the last cell selected, and takes the focus there.
        page.locator(".jp-Cell.jp-mod-selected", has_text=re.compile("終わり|結束")).wait_for()
        page.get_by_role("slider", name=divisor).press("ArrowRight")
        # The divisor that was moved, and the Value that Python sets to the same number.
        moved = "[...document.querySelectorAll('.jp-OutputArea input[type=range]')].filter(one => one.value === '2.5')"
        page.wait_for_function(f"() => {moved}.length === 2")
        assert arrived.read_text(encoding="utf-8") == "2.5"
        assert page.wrong == STOCK[application]


@pytest.mark.parametrize(
    ("tag", "name", "link"), [("ja", "名前", "先へ"), ("zh-Hant", "名稱", "往下")], ids=["ja", "zh-Hant"]
)
def test_lab_speaks_the_language_and_a_link_finds_its_section(serve, page, publish, tag, name, link):
    far = "\n\n".join(["…"] * 90)
    formula = {"cell_type": "markdown", "id": "law", "metadata": {}, "source": "$$\nz = s / c\n$$ (law)"}
    cells = [
        *passage("title", "# 始め", "# 開頭"),
        *passage("jump", "[先へ](#far)", "[往下](#far)"),
        *passage("space", far, far),
        *passage("h-far", "(far)=\n## 遠い節", "(far)=\n## 後面"),
        formula,
    ]
    root = publish(cells, tag)
    with serve(root, tag, "lab") as address:
        page.goto(f"{address}/lab/tree/alpha.ipynb")
        page.get_by_role("link", name=link).click()
        page.locator("#far").wait_for(state="attached")
        page.wait_for_function("() => document.querySelector('#far')?.getBoundingClientRect().top < innerHeight")
        page.locator("mjx-container mjx-labels").first.wait_for(state="attached")
        # A word that both language packs have: the Chinese one leaves two thirds of JupyterLab in English.
        assert page.locator(".jp-DirListing-headerItem.jp-id-name").inner_text().strip() == name
        # Neither the question whether to show Jupyter's news nor anything else covers the notebook.
        assert page.locator(".jp-Dialog, .Toastify__toast").count() == 0
        assert page.wrong == []
