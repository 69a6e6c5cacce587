"""A folder of ``_build``: made once for the same inputs, whole or as before."""

import pytest

from interview_book.book import built, swap
from interview_book.book.errors import BookError


def filler(text, calls):
    def fill(folder):
        calls.append(text)
        (folder / "file").write_text(text, encoding="utf-8")

    return fill


def test_it_is_made_when_the_inputs_change(tmp_path):
    folder, calls = tmp_path / "_build" / "made", []
    for digest, text in (("1", "a"), ("1", "b"), ("2", "c"), ("1", "d")):
        assert built.bring_up_to_date(folder, lambda digest=digest: digest, filler(text, calls)) == folder
    assert calls == ["a", "c", "d"]
    assert (folder / "file").read_text(encoding="utf-8") == "d"
    assert {one.name for one in folder.iterdir()} == {"file", built.MARK}
    assert {one.name for one in folder.parent.iterdir()} == {"made", "made.lock"}


def test_what_is_gone_from_the_inputs_is_gone_from_the_folder(tmp_path):
    folder = tmp_path / "made"
    built.bring_up_to_date(folder, lambda: "1", lambda new: (new / "old").touch())
    built.bring_up_to_date(folder, lambda: "2", lambda new: (new / "new").touch())
    assert {one.name for one in folder.iterdir()} == {"new", built.MARK}


def test_a_fill_that_fails_leaves_the_folder_that_was_there(tmp_path):
    folder = tmp_path / "made"
    built.bring_up_to_date(folder, lambda: "1", filler("a", []))

    def fail(new):
        (new / "file").write_text("half", encoding="utf-8")
        raise BookError("no")

    with pytest.raises(BookError, match="no"):
        built.bring_up_to_date(folder, lambda: "2", fail)
    assert (folder / "file").read_text(encoding="utf-8") == "a"
    assert {one.name for one in tmp_path.iterdir()} == {"made", "made.lock"}
    # It is still current for what it was made of, and for nothing else.
    calls = []
    built.bring_up_to_date(folder, lambda: "1", filler("b", calls))
    built.bring_up_to_date(folder, lambda: "2", filler("c", calls))
    assert calls == ["c"]


def test_a_folder_of_a_killed_build_is_made_again(tmp_path):
    folder, calls = tmp_path / "made", []
    folder.mkdir()
    (swap.fresh(folder)).mkdir()
    (swap.fresh(folder) / "half").touch()
    built.bring_up_to_date(folder, lambda: "1", filler("a", calls))
    assert calls == ["a"] and {one.name for one in folder.iterdir()} == {"file", built.MARK}


def test_two_at_once_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(swap, "PATIENCE_SECONDS", 0.1)
    folder = tmp_path / "made"

    def again(new):
        built.bring_up_to_date(folder, lambda: "2", filler("b", []))

    with pytest.raises(BookError, match="another build of this book is running"):
        built.bring_up_to_date(folder, lambda: "1", again)
    assert not folder.exists()
