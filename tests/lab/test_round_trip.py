"""Plain notebooks in JupyterLab and Notebook 7: all cells run, a key pressed in the widget reaches Python and back."""

import json
import re
from types import SimpleNamespace

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


def press_two_scores(page, tag):
    page.get_by_role("slider", name={"ja": "割る数", "zh-Hant": "除數"}[tag]).press("ArrowRight")


def press_scaling_lab(page, tag):
    """From √d_k, which is chosen, to d_k, the radio beside it."""
    divisors = page.get_by_role("group", name={"ja": "割る数", "zh-Hant": "除數"}[tag])
    divisors.get_by_role("radio", checked=True).press("ArrowRight")


def press_stepper(page, tag):
    """An entry of bank's embedding is edited, then the step goes on by one."""
    name = {"ja": "bank の「岸」", "zh-Hant": "bank 的「河岸」"}[tag]
    page.get_by_role("textbox", name=name).fill("−１.5")
    page.get_by_role("textbox", name=name).press("Enter")
    page.get_by_role("slider", name={"ja": "段階", "zh-Hant": "步驟"}[tag]).press("ArrowRight")


# Of each widget: its title, the key that is pressed, the trait that Python watches and what it writes down when that
# changes, what Python then sets, and what the page shows of both.
WIDGETS = {
    "TwoScores": SimpleNamespace(
        title={"ja": "スコアと割る数を動かす", "zh-Hant": "調整分數與除數"},
        press=press_two_scores,
        watched="divisor",
        says="change.new",
        told="2.5",
        answer="widget.values = (10, change.new)",
        # The divisor that was moved, and the Value that Python sets to the same number.
        shown="[...document.querySelectorAll('.jp-OutputArea input')].map(one => one.value).filter(x => x === '2.5')",
        expected=["2.5", "2.5"],
    ),
    "ScalingLab": SimpleNamespace(
        title={"ja": "スケーリング実験室", "zh-Hant": "縮放實驗室"},
        press=press_scaling_lab,
        watched="divisor",
        says="change.new",
        told="d_k",
        answer="widget.key_count = 256",
        shown="[...document.querySelectorAll('.jp-OutputArea input:checked')].map(one => one.value)",
        expected=["64", "256", "1", "0", "d_k"],
    ),
    "Stepper": SimpleNamespace(
        title={"ja": "六つの段階", "zh-Hant": "六個步驟"},
        press=press_stepper,
        watched="step",
        says="change.new, widget.X[5][0], widget.edited, widget.reading['Q'][3][0]",
        told="(2, -1.5, True, 0.5)",  # bank asks with −1.5 + 2·1
        answer="widget.mode, widget.X = 'raw', [[change.new] * 4, *widget.X[1:]]",
        # The step, the choices, and the Query of «by»: (2, 2, 2, 2) W_Q = (2 + 2·2, 2 + 2·2, 2, 0).
        shown="[document.querySelector('.stepper .steps [aria-current] .n').textContent, "
        "...[...document.querySelectorAll('.stepper input:checked')].map(one => one.value), "
        "...[...document.querySelectorAll('.stepper .stage tbody tr')].filter(row => row.cells[0].textContent === 'by')"
        ".flatMap(row => [...row.cells].slice(1, 5).map(one => one.textContent)).slice(0, 4)]",
        expected=["2", "river", "raw", "3", "6", "6", "2", "0"],
    ),
}


@pytest.mark.parametrize(
    ("name", "application", "tag"),
    [
        *(("TwoScores", application, tag) for application in PLACE for tag in ("ja", "zh-Hant")),
        ("ScalingLab", "lab", "ja"),
        ("ScalingLab", "notebook", "zh-Hant"),
        ("Stepper", "lab", "zh-Hant"),
        ("Stepper", "notebook", "ja"),
    ],
)
def test_a_key_pressed_in_the_widget_reaches_python_and_its_answer_the_page(
    serve, page, run_all, publish, tmp_path, name, application, tag
):
    arrived, widget = tmp_path / "arrived", WIDGETS[name]
    answer = (
        f"from pathlib import Path\nfrom interview_book.widgets import {name}\n\nwidget = {name}()\n\n"
        f"def told(change):\n    Path({str(arrived)!r}).write_text(str(({widget.says})), encoding='utf-8')\n"
        f"    {widget.answer}\n\nwidget.observe(told, names={widget.watched!r})\nwidget"
    )
    root = publish(
        [*passage("title", "# 試す", "# 試試"), code("show", answer), *passage("end", "終わり", "結束")], tag
    )
    with serve(root, tag, application) as address:
        page.goto(f"{address}/{PLACE[application]}/alpha.ipynb")
        run_all(address)
        page.get_by_role("heading", name=widget.title[tag]).wait_for()
        # Running leaves the last cell selected, and takes the focus there.
        page.locator(".jp-Cell.jp-mod-selected", has_text=re.compile("終わり|結束")).wait_for()
        widget.press(page, tag)
        page.wait_for_function(
            f"wanted => JSON.stringify({widget.shown}) === JSON.stringify(wanted)", arg=widget.expected
        )
        assert arrived.read_text(encoding="utf-8") == widget.told
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
