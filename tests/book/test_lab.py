import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

from interview_book.book import lab
from interview_book.book.errors import BookError
from interview_book.book.keep import RECORD
from interview_book.book.normal import parse, written


def half(name, tag, text):
    return {"cell_type": "markdown", "id": f"{name}-{tag}", "metadata": {"tags": [f"lang-{tag}"]}, "source": text}


@pytest.fixture
def book(tmp_path):
    """A book of one chapter, and a function that publishes it with another text."""
    (tmp_path / "chapters").mkdir()
    toc = "format: jb-book\nroot: chapters/index\nparts:\n- chapters: [{file: chapters/alpha}]\n"
    (tmp_path / "_toc.yml").write_text(toc, encoding="utf-8")

    def publish(text):
        html = '<p><b lang="ja">重み</b><b lang="zh-Hant">權重</b></p>'
        output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/html": html}}
        cells = [
            half("text", "ja", f"# 甲\n\n{text}"),
            half("text", "zh-Hant", f"# 甲章\n\n{text}"),
            {
                "cell_type": "code",
                "id": "c",
                "metadata": {},
                "execution_count": 1,
                "outputs": [output],
                "source": "show()",
            },
        ]
        spec = {"display_name": "x", "language": "python", "name": "python3"}
        made = {"cells": cells, "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}
        for name in ("index", "alpha"):
            (tmp_path / "chapters" / f"{name}.ipynb").write_text(json.dumps(made), encoding="utf-8")
        return tmp_path

    return publish


def folder(root, tag="ja"):
    return root / "_build" / "notebooks" / tag


def names(report):
    return [[path.name for path in part] for part in (report.written, report.kept, report.unchanged)]


def change(path, text):
    notebook = parse(path)
    notebook.cells[1].source += text
    path.write_text(written(notebook), encoding="utf-8")


def listed(root):
    return sorted(path.name for path in folder(root).iterdir())


def test_each_language_has_its_own_plain_notebooks(book):
    root = book("版 1")
    assert names(lab.write(root, "ja")) == [["alpha.ipynb"], [], []]
    assert names(lab.write(root, "zh-Hant")) == [["alpha.ipynb"], [], []]
    ja, zh = (parse(folder(root, tag) / "alpha.ipynb") for tag in ("ja", "zh-Hant"))
    assert [cell.source for cell in ja.cells[1:]] == ["# 甲\n\n版 1", "show()"]
    assert zh.cells[1].source == "# 甲章\n\n版 1"
    assert zh.cells[2].outputs[0].data["text/html"] == '<p><b lang="zh-Hant">權重</b></p>'
    assert listed(root) == [RECORD, "alpha.ipynb"]


def test_an_untouched_file_follows_the_book(book):
    root = book("版 1")
    lab.write(root, "ja")
    first = (folder(root) / "alpha.ipynb").stat()
    assert names(lab.write(root, "ja")) == [[], [], ["alpha.ipynb"]]
    assert (folder(root) / "alpha.ipynb").stat().st_mtime_ns == first.st_mtime_ns
    book("版 2")
    assert names(lab.write(root, "ja")) == [["alpha.ipynb"], [], []]
    assert parse(folder(root) / "alpha.ipynb").cells[1].source == "# 甲\n\n版 2"


def test_a_changed_file_is_kept_and_a_new_edition_put_beside_it(book):
    root = book("版 1")
    lab.write(root, "ja")
    mine = folder(root) / "alpha.ipynb"
    change(mine, "\n\nメモ")
    before = mine.read_bytes()

    report = lab.write(root, "ja")
    assert names(report) == [[], ["alpha.ipynb"], []]
    assert report.sentences("ja") == ["alpha.ipynb には手が加わっているので、そのまま残しました。"]
    assert listed(root) == [RECORD, "alpha.ipynb"]

    book("版 2")
    report = lab.write(root, "ja")
    assert report.sentences("ja") == [
        "alpha.ipynb には手が加わっているので残し、新しい版を alpha.new.ipynb に置きました。"
    ]
    assert report.sentences("zh-Hant") == ["alpha.ipynb 你改過，所以保持原樣；新版放在 alpha.new.ipynb。"]
    assert parse(folder(root) / "alpha.new.ipynb").cells[1].source == "# 甲\n\n版 2"

    book("版 3")
    lab.write(root, "ja")
    assert parse(folder(root) / "alpha.new.ipynb").cells[1].source == "# 甲\n\n版 3"
    change(folder(root) / "alpha.new.ipynb", "また")
    book("版 4")
    report = lab.write(root, "ja")
    assert report.beside[mine].name == "alpha.new-2.ipynb"
    assert parse(folder(root) / "alpha.new.ipynb").cells[1].source == "# 甲\n\n版 3また"
    assert parse(folder(root) / "alpha.new-2.ipynb").cells[1].source == "# 甲\n\n版 4"
    assert mine.read_bytes() == before


def test_a_new_edition_that_was_thrown_away_does_not_come_back(book):
    root = book("版 1")
    lab.write(root, "ja")
    change(folder(root) / "alpha.ipynb", "メモ")
    book("版 2")
    lab.write(root, "ja")
    (folder(root) / "alpha.new.ipynb").unlink()
    assert lab.write(root, "ja").beside == {}
    assert listed(root) == [RECORD, "alpha.ipynb"]
    (folder(root) / "alpha.ipynb").unlink()
    assert names(lab.write(root, "ja")) == [["alpha.ipynb"], [], []]


def test_running_and_saving_is_no_change(book):
    root = book("版 1")
    lab.write(root, "ja")
    path = folder(root) / "alpha.ipynb"
    notebook = parse(path)
    notebook.metadata.language_info = {"name": "python", "version": "3.13.1", "file_extension": ".py"}
    cell = notebook.cells[2]
    cell.execution_count = 41
    cell.metadata = {"execution": {"iopub.status.busy": "2030-01-01"}}
    cell.outputs[0].execution_count = 41
    cell.outputs[0].data["text/html"] = '<p><b lang="ja">重み</b><b lang="zh-Hant">權重</b></p>'
    cell.outputs[0].data["application/vnd.jupyter.widget-view+json"] = {"model_id": "f00"}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert names(lab.write(root, "ja")) == [[], [], ["alpha.ipynb"]]
    book("版 2")
    assert names(lab.write(root, "ja")) == [["alpha.ipynb"], [], []]


@pytest.mark.parametrize("what", ["output", "tag", "order", "a note in the other language"])
def test_any_other_change_is_one(book, what):
    root = book("版 1")
    lab.write(root, "ja")
    path = folder(root) / "alpha.ipynb"
    notebook = parse(path)
    if what == "output":
        notebook.cells[2].outputs = []
    elif what == "tag":
        notebook.cells[2].metadata = {"tags": ["mine"]}
    elif what == "a note in the other language":
        note = {"cell_type": "markdown", "id": "mine", "source": "筆記", "metadata": {"tags": ["lang-zh-Hant"]}}
        notebook.cells.append(nbformat.from_dict(note))
    else:
        notebook.cells.reverse()
    path.write_text(written(notebook), encoding="utf-8")
    before = path.read_bytes()
    book("版 2")
    assert names(lab.write(root, "ja")) == [[], ["alpha.ipynb"], []]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "record", ["", "{", "[]", '{"alpha.ipynb": 3}', '{"alpha.ipynb": "unreadable"}', b"\xff\xfe", None]
)
@pytest.mark.parametrize("content", [None, "{ half a file", "[" * 100_000])
def test_without_a_sound_record_every_file_counts_as_changed(book, record, content):
    root = book("版 1")
    lab.write(root, "ja")
    path = folder(root) / "alpha.ipynb"
    if content:
        path.write_text(content, encoding="utf-8")
    before = path.read_bytes()
    place = folder(root) / RECORD
    place.unlink()
    if record is not None:
        place.write_bytes(record if isinstance(record, bytes) else record.encode())
    book("版 2")
    report = lab.write(root, "ja")
    assert names(report) == [[], ["alpha.ipynb"], []]
    assert path.read_bytes() == before
    assert report.beside[path].name == "alpha.new.ipynb"
    assert parse(folder(root) / "alpha.new.ipynb").cells[1].source == "# 甲\n\n版 2"


def test_a_chapter_without_a_plain_form_writes_nothing(book):
    root = book("{nonsense}`x`")
    with pytest.raises(BookError, match="expected a role that has a plain form"):
        lab.write(root, "ja")
    assert not folder(root).exists()


def test_a_folder_that_cannot_be_written_is_named(book):
    root = book("版 1")
    (root / "_build").write_text("in the way", encoding="utf-8")
    with pytest.raises(BookError, match=r"_build.*cannot be written"):
        lab.write(root, "ja")


@pytest.mark.parametrize("act", [lab.write, lab.open_lab])
def test_an_unknown_edition_names_the_two(book, act):
    root = book("版 1")
    with pytest.raises(BookError, match="unknown edition 'en': expected one of ja, zh-Hant"):
        act(root, "en")
    assert not (root / "_build").exists()


@pytest.mark.lab
@pytest.mark.parametrize(("tag", "locale"), [("ja", "ja_JP"), ("zh-Hant", "zh_TW")])
def test_open_lab_serves_the_notebooks_in_its_language_and_leaves_the_user_alone(book, tmp_path, tag, locale):
    """Started as `make lab` starts it, asked over its API, ended by Ctrl-C."""
    root = book("版 1")
    home = tmp_path / "home"
    home.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (home / ".jupyter").mkdir()
    config = f"c.ServerApp.port = {port}\nc.ServerApp.open_browser = False\nc.ServerApp.allow_root = True\n"
    config += "c.IdentityProvider.token = 'test'\n"
    (home / ".jupyter" / "jupyter_lab_config.py").write_text(config, encoding="utf-8")
    users = {"JUPYTER_CONFIG_DIR": str(home / ".jupyter"), "JUPYTER_DATA_DIR": str(home / "data"), "HOME": str(home)}
    code = (
        "import sys\nfrom pathlib import Path\nfrom interview_book.book.lab import open_lab\n"
        "open_lab(Path(sys.argv[1]), sys.argv[2])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(root), tag],
        env={key: value for key, value in os.environ.items() if not key.startswith("JUPYTER")} | users,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )

    def ask(place):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{place}?token=test", timeout=10) as answer:
            return json.loads(answer.read().decode("utf-8"))

    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                found = ask("/api/contents")
                break
            except OSError:
                assert time.monotonic() < deadline and process.poll() is None, process.communicate(timeout=5)
                time.sleep(0.2)
        assert [one["name"] for one in found["content"]] == ["alpha.ipynb"]
        translation = ask("/lab/api/settings/@jupyterlab/translation-extension:plugin")
        assert translation["schema"]["properties"]["locale"]["default"] == locale
        notices = ask("/lab/api/settings/@jupyterlab/apputils-extension:notification")["schema"]["properties"]
        assert (notices["fetchNews"]["default"], notices["checkForUpdates"]["default"]) == ("false", False)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        told, _ = process.communicate(timeout=30)
    assert process.returncode == 0, told
    assert "/lab/tree/alpha.ipynb?token" in told
    assert [one.name for one in (home / ".jupyter").rglob("*")] == ["jupyter_lab_config.py"]
    assert not (home / "data" / "lab").exists()
