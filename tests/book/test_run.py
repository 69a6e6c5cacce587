import asyncio
import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
import time

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from interview_book.book import kernel
from interview_book.book.errors import BookError
from interview_book.book.run import execute


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a notebook of these code cells and returns its path."""

    def make(*sources, name="small", **metadata):
        cells = [new_code_cell(source, id=f"code-{i}") for i, source in enumerate(sources)]
        ours = {"tags": ["lang-ja"], "book": {"allow": ["2"]}}
        cells.insert(0, new_markdown_cell("本文", id="text-ja", metadata=ours))
        spec = {"name": "python3", "display_name": "any", "language": "python"}
        path = tmp_path / f"{name}.ipynb"
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": spec} | metadata), path)
        return path

    return make


def outputs(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_everything_is_normal_and_the_second_run_changes_no_byte(write):
    path = write(
        "print('一')\nimport sys\nsys.stdout.flush()\nprint(2, flush=True)",
        "from IPython.display import SVG, HTML, Math, display\n"
        "display(HTML('<b lang=\"ja\">値</b>'), SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>'), Math('x^2'))",
        "",
        "3 + 4",
        widgets={"application/vnd.jupyter.widget-state+json": {}},
    )
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["cells"][1]["metadata"] = {"execution": {"iopub.status": "2020-01-01"}, "scrolled": True, "tags": ["kept"]}
    path.write_text(json.dumps(raw), encoding="utf-8")
    path.chmod(0o640)

    assert execute([path]) == [path]
    first = path.read_bytes()
    assert execute([path]) == []
    assert path.read_bytes() == first

    text = first.decode("utf-8")
    notebook = json.loads(text)
    assert text == json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    assert notebook["metadata"] == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert [cell["id"] for cell in notebook["cells"]] == ["text-ja", "code-0", "code-1", "code-2", "code-3"]
    assert notebook["cells"][0]["metadata"] == {"book": {"allow": ["2"]}, "tags": ["lang-ja"]}
    assert notebook["cells"][1]["metadata"] == {"tags": ["kept"]}
    assert [cell["execution_count"] for cell in notebook["cells"][1:]] == [1, 2, 3, 4]
    streams, shown, empty, result = outputs(path)
    assert streams == [{"name": "stdout", "output_type": "stream", "text": ["一\n", "2\n"]}]
    assert [set(one["data"]) - {"text/plain"} for one in shown] == [{"text/html"}, {"image/svg+xml"}, {"text/latex"}]
    assert empty == []
    assert result[0]["execution_count"] == 4
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [one.name for one in path.parent.iterdir()] == [path.name]


WIDGET = """
import anywidget
class Small(anywidget.AnyWidget):
    _esm = "export default {{ render() {{}} }}"
    def _repr_mimebundle_(self, **options):
        view = super()._repr_mimebundle_(**options)
        data, extra = view if isinstance(view, tuple) else (view, {{}})
        return data | {fallback}, extra
"""


def test_a_widget_keeps_its_fallback_and_nothing_of_the_session(write):
    path = write(WIDGET.format(fallback={"text/html": "<p>0.982</p>", "text/plain": "Small()"}), "Small()")
    execute([path])
    [shown] = outputs(path)[1]
    assert shown["data"] == {"text/html": ["<p>0.982</p>"], "text/plain": ["Small()"]}
    assert "widget" not in path.read_text(encoding="utf-8").replace("anywidget", "")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("1 / 0", "cell 2 (code-1): ZeroDivisionError: division by zero"),
        ("import sys\nprint('careful', file=sys.stderr)", "expected nothing on stderr, got 'careful'"),
        ("import warnings\nwarnings.warn('old', DeprecationWarning)", "DeprecationWarning: old"),
        ("import warnings\nwarnings.warn('odd')", "UserWarning: odd"),
        ("object()", "expected an output that repeats, got 'at 0x"),
        ("print(__import__('os').path.basename(__import__('tempfile').mkdtemp('ipykernel_12')))", "got 'ipykernel_12'"),
        ("open('chapters/terms.yml', encoding='utf-8')", "No such file or directory: 'chapters/terms.yml'"),
        ("import os\nos._exit(3)", "cell 2 (code-1): the kernel died"),
        (
            "from IPython.display import Image\nImage(data=b'\\x89PNG\\r\\n\\x1a\\n0000')",
            "figures as SVG, got image/png",
        ),
        ("import matplotlib.pyplot as p\np.plot([1, 2]);", "expected figures as SVG, got image/png"),
        (WIDGET.format(fallback={}) + "Small()", "expected a text/html fallback beside the widget"),
        ("raise ValueError('first\\nsecond\\n')", "ValueError: second"),
    ],
)
def test_a_failed_run_says_where_and_leaves_the_file(write, source, told):
    path = write("1", source)
    before = path.read_bytes()
    with pytest.raises(BookError) as caught:
        execute([path])
    assert told in str(caught.value)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_cell_that_does_not_end_is_stopped(write, monkeypatch):
    monkeypatch.setattr(kernel, "CELL_SECONDS", 2)
    path = write("import time\ntime.sleep(60)")
    with pytest.raises(BookError, match=r"cell 1 \(code-0\): still running after 2 seconds"):
        execute([path])


def test_one_failure_keeps_no_other_from_being_written(write):
    bad, good, worse = write("1 / 0", name="bad"), write("5", name="good"), write("nowhere", name="worse")
    with pytest.raises(BookError) as caught:
        execute([bad, good, worse])
    lines = str(caught.value).splitlines()
    assert len(lines) == 2
    assert "bad.ipynb" in lines[0] and "worse.ipynb" in lines[1]
    assert outputs(good)[0][0]["data"] == {"text/plain": ["5"]}


@pytest.fixture
def interrupted(write, tmp_path):
    """Return a function that sends a signal to a run in its second cell; it gives the file, its bytes and stderr."""

    def interrupt(number):
        begun = tmp_path / "begun"
        path = write(f"from pathlib import Path\nPath({str(begun)!r}).write_text('')", "import time\ntime.sleep(60)")
        before = path.read_bytes()
        code = "import sys, pathlib; from interview_book.book.run import execute; execute([pathlib.Path(sys.argv[1])])"
        with subprocess.Popen([sys.executable, "-c", code, str(path)], stderr=subprocess.PIPE) as process:
            try:
                deadline = time.monotonic() + 60
                while not begun.exists():
                    assert time.monotonic() < deadline and process.poll() is None
                    time.sleep(0.05)
                process.send_signal(number)
                _, told = process.communicate(timeout=30)
            finally:
                process.kill()
        return path, before, told

    return interrupt


def test_a_killed_run_leaves_the_file(interrupted):
    path, before, _ = interrupted(signal.SIGKILL)
    assert path.read_bytes() == before


def test_ctrl_c_ends_the_run_and_leaves_the_file(interrupted):
    path, before, told = interrupted(signal.SIGINT)
    assert b"KeyboardInterrupt" in told
    assert path.read_bytes() == before


def test_ctrl_c_that_a_cell_swallows_as_it_ends_is_heard_after_it(write, tmp_path, monkeypatch):
    ran = NotebookClient.async_execute_cell

    async def swallows(client, cell, index):
        await ran(client, cell, index)
        asyncio.current_task().cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0)

    monkeypatch.setattr(NotebookClient, "async_execute_cell", swallows)
    path = write("1", f"from pathlib import Path\nPath({str(tmp_path / 'second')!r}).write_text('')")
    before = path.read_bytes()
    with pytest.raises(asyncio.CancelledError):
        execute([path])
    assert path.read_bytes() == before and not (tmp_path / "second").exists()


def test_nothing_of_the_user_reaches_the_kernel(write, tmp_path, monkeypatch):
    home = tmp_path / "home"
    startup = home / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("leaked = 'profile'", encoding="utf-8")
    (home / "start.py").write_text("leaked = 'PYTHONSTARTUP'", encoding="utf-8")
    (home / "matplotlibrc").write_text("lines.linewidth: 17", encoding="utf-8")
    spec = home / "kernels" / "python3"
    spec.mkdir(parents=True)
    shadow = {"argv": [sys.executable, "-c", "raise SystemExit(7)"], "display_name": "x", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(shadow), encoding="utf-8")
    monkeypatch.setenv("IPYTHONDIR", str(home))
    monkeypatch.setenv("JUPYTER_PATH", str(home))
    monkeypatch.setenv("PYTHONSTARTUP", str(home / "start.py"))
    monkeypatch.setenv("MATPLOTLIBRC", str(home / "matplotlibrc"))
    monkeypatch.setenv("PYTHONHASHSEED", "5")
    path = write(
        "import sys\n'leaked' in globals(), sys.flags.hash_randomization, sys.executable, __import__('os').listdir()",
        "import matplotlib\nmatplotlib.rcParams['lines.linewidth'], matplotlib.get_backend()",
    )
    execute([path])
    first, second = (eval(one[0]["data"]["text/plain"][0]) for one in outputs(path))
    assert first == (False, 0, sys.executable, [])
    assert second == (1.5, "module://matplotlib_inline.backend_inline")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda raw: raw.update(nbformat_minor=4), "expected nbformat 4.5, got 4.4"),
        (lambda raw: raw["cells"][1].pop("id"), "'id' is a required property"),
        (lambda raw: raw["cells"][1].update(id="text-ja"), "expected one cell an id, got several with text-ja"),
        (lambda raw: raw["metadata"]["kernelspec"].update(name="conda-x"), "expected the kernel python3, got conda-x"),
        (lambda raw: raw.clear(), "expected a notebook, got:"),
    ],
)
def test_a_notebook_of_another_form_is_refused(write, change, told):
    path = write("1")
    raw = json.loads(path.read_text(encoding="utf-8"))
    change(raw)
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(BookError, match=told):
        execute([path])


def test_a_missing_or_broken_file_is_named(tmp_path):
    broken = tmp_path / "broken.ipynb"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(BookError) as caught:
        execute([tmp_path / "gone.ipynb", broken])
    first, second = str(caught.value).splitlines()
    assert "gone.ipynb: no such notebook" in first
    assert "broken.ipynb: expected a notebook, got:" in second


def test_two_run_at_once_and_never_three(write, tmp_path):
    source = (
        "import os, time, uuid\nfrom pathlib import Path\n"
        f"here = Path({str(tmp_path / 'running')!r}) / uuid.uuid4().hex\nhere.touch()\n"
        "time.sleep(1)\nseen = len(list(here.parent.iterdir()))\nhere.unlink()\n"
        f"with Path({str(tmp_path / 'seen')!r}).open('a') as log:\n    log.write(f'{{seen}} ')"
    )
    (tmp_path / "running").mkdir()
    execute([write(source, name=f"n{i}") for i in range(3)])
    seen = [int(one) for one in (tmp_path / "seen").read_text(encoding="utf-8").split()]
    assert len(seen) == 3
    assert max(seen) == 2


def test_a_link_stays_a_link(write, tmp_path):
    path = write("2 + 3")
    link = tmp_path / "link.ipynb"
    os.symlink(path, link)
    assert execute([link, path]) == [path]
    assert link.is_symlink()
