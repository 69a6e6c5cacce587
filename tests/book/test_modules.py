"""The modules that a notebook asks for: one file each, made again when our code changes, and without the bank."""

import re

import pytest

from interview_book import cli
from interview_book.book import built, deck, fingerprint, modules, node
from interview_book.book.errors import BookError


def test_scripts_of_several_files_are_found(tmp_path):
    for name in ("alpha.py", "alpha.js", "beta.py", "beta.js", "gamma.js"):
        (tmp_path / name).touch()
    for name in ("beta_view", "gamma_view", "delta_view"):
        (tmp_path / name).mkdir()
    assert [one.name for one in modules.entries(tmp_path)] == ["beta.js"]
    assert [one.stem for one in modules.entries()] == ["stepper"]


def test_writing_twice_does_nothing_the_second_time(book, monkeypatch, capsys):
    monkeypatch.setattr(deck, "banks", lambda root: pytest.fail("the bank is not asked for"))
    cli.main(["--root", str(book.root), "modules"])
    folder = book.root.resolve() / "_build" / "modules"
    assert capsys.readouterr().out == f"modules: {folder}\n"
    assert {one.name for one in folder.iterdir()} == {"stepper.mjs", built.MARK}
    module = (folder / "stepper.mjs").read_text(encoding="utf-8")
    assert re.search(r"export ?\{[^}]*\w+ as default", module)
    # Nothing is left to import, from a file or from elsewhere.
    assert not re.search(r'\bimport\s*[({"\'*]|import\.meta|process\.env', module)
    stamp = (folder / "stepper.mjs").stat().st_mtime_ns
    assert modules.write(book.root) == folder
    assert (folder / "stepper.mjs").stat().st_mtime_ns == stamp
    # What the chapters say does not matter, what our code says does.
    book.file("chapters/example.questions.yml", "level: core", "level: easy")
    modules.write(book.root)
    assert (folder / "stepper.mjs").stat().st_mtime_ns == stamp
    monkeypatch.setattr(fingerprint, "of_package", lambda: "other")
    modules.write(book.root)
    assert (folder / "stepper.mjs").stat().st_mtime_ns > stamp


def test_a_broken_script_is_named_and_the_old_module_stays(book, tmp_path, monkeypatch):
    folder = modules.write(book.root)
    before = (folder / "stepper.mjs").read_bytes()
    (tmp_path / "stepper.js").write_text("export default {\n", encoding="utf-8")
    monkeypatch.setattr(modules, "entries", lambda: [tmp_path / "stepper.js"])
    monkeypatch.setattr(fingerprint, "of_package", lambda: "other")
    with pytest.raises(BookError, match=r"stepper\.js:2:0"):
        modules.write(book.root)
    assert (folder / "stepper.mjs").read_bytes() == before


def test_the_module_runs_in_node(book):
    """It is a module with a render function, without a page around it."""
    folder = modules.write(book.root)
    address = (folder / "stepper.mjs").as_uri()
    script = f'const m = await import("{address}"); process.stdout.write(typeof m.default.render);'
    assert node.run_node(["--input-type=module", "-"], input=script).stdout == "function"
