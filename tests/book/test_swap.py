"""One builder at a time, and a site that is old or new but never neither."""

import subprocess
import sys
import threading

import pytest

from interview_book.book import swap
from interview_book.book.errors import BookError


def folder(path, text):
    path.mkdir()
    (path / "page").write_text(text, encoding="utf-8")


def page(site):
    return (site / "page").read_text(encoding="utf-8")


@pytest.mark.parametrize("exchange", [True, False])
def test_the_new_site_takes_the_old_one_s_place(tmp_path, monkeypatch, exchange):
    if not exchange:
        monkeypatch.setattr(swap, "_exchange", lambda one, two: False)
    site = tmp_path / "site"
    folder(swap.fresh(site), "first")
    swap.put(site)
    assert page(site) == "first"
    folder(swap.fresh(site), "second")
    swap.put(site)
    assert page(site) == "second"
    assert [one.name for one in tmp_path.iterdir()] == ["site"]


def test_a_rename_that_fails_leaves_the_old_site(tmp_path, monkeypatch):
    monkeypatch.setattr(swap, "_exchange", lambda one, two: False)
    site = tmp_path / "site"
    folder(site, "old")
    with pytest.raises(OSError, match=r"site\.new"):
        swap.put(site)  # there is no new one
    assert page(site) == "old"


def test_a_build_killed_between_two_renames_is_mended(tmp_path):
    site = tmp_path / "site"
    folder(tmp_path / "site.old", "old")
    folder(tmp_path / "site.new", "half")
    swap.recover(site)
    assert page(site) == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["site"]


def test_recovering_changes_nothing_where_all_is_well(tmp_path):
    site = tmp_path / "site"
    folder(site, "new")
    folder(tmp_path / "site.old", "old")
    swap.recover(site)
    assert page(site) == "new"
    assert not (tmp_path / "site.old").exists()


def test_a_second_builder_is_told_to_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(swap, "PATIENCE_SECONDS", 0)
    lock = tmp_path / "_build" / "site.lock"
    told = pytest.raises(BookError, match="another build of this book is running")
    with swap.only_one(lock), told, swap.only_one(lock):
        pass
    with swap.only_one(lock):
        pass  # free again


def test_a_builder_that_goes_at_once_is_waited_for(tmp_path):
    lock = tmp_path / "lock"
    first = swap.only_one(lock)
    first.__enter__()
    leaving = threading.Timer(0.2, first.__exit__, (None, None, None))
    leaving.start()
    with swap.only_one(lock):
        assert not leaving.is_alive() or leaving.join() is None


def test_another_process_is_kept_out_as_well(tmp_path):
    code = (
        "import sys, pathlib\nfrom interview_book.book import swap, errors\n"
        "try:\n    with swap.only_one(pathlib.Path(sys.argv[1])): print('in')\n"
        "except errors.BookError: print('kept out')"
    )
    lock = tmp_path / "lock"

    def other():
        command = [sys.executable, "-c", code, str(lock)]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()

    with swap.only_one(lock):
        assert other() == "kept out"
    assert other() == "in"
