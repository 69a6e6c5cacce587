"""Where a widget's built files are found; the deck's own are in test_deck.py."""

import pytest

from interview_book.widgets import deck_files


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """Without what this process has already read, and with no book around."""
    monkeypatch.setattr(deck_files, "SOURCE", tmp_path)
    monkeypatch.setattr(deck_files, "PACKED", tmp_path / "packed")
    (tmp_path / "packed").mkdir()
    monkeypatch.setattr(deck_files, "module", deck_files.module.__wrapped__)
    return tmp_path


def test_the_wheel_s_module_comes_first_and_needs_no_bank(fresh):
    (fresh / "packed" / "stepper.mjs").write_text("export default 1; // 甲", encoding="utf-8")
    assert deck_files.module("stepper") == "export default 1; // 甲"
    with pytest.raises(RuntimeError, match=r"the practice deck's files: expected bank\.json, deck\.mjs, deck\.css in"):
        deck_files.folder.__wrapped__()


def test_an_installation_without_the_module_says_what_to_do(fresh):
    (fresh / "packed" / "deck.mjs").touch()
    with pytest.raises(
        RuntimeError, match=r"cannot find the widget's module: expected stepper\.mjs .*Install the wheel that the book"
    ):
        deck_files.module("stepper")


def test_a_module_that_cannot_be_made_says_why(fresh):
    (fresh / "_toc.yml").touch()
    with pytest.raises(RuntimeError, match=r"modules` ended with status 0, but left no unheard_of\.mjs\. It wrote"):
        deck_files.module("unheard_of")


def test_the_book_makes_the_module_and_not_the_bank(fresh):
    (fresh / "_toc.yml").touch()
    assert "export" in deck_files.module("stepper")
    assert {one.name for one in (fresh / "_build").iterdir()} == {"modules", "modules.lock"}
