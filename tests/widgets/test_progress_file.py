"""Progress in a file: nothing that anybody wrote is lost, whatever happens to the file."""

import errno
import json
import os
import stat
import subprocess
import sys

import pytest

from interview_book.widgets import progress_file
from interview_book.widgets.progress_file import ProgressFile


def document(*reviews, version=1):
    return json.dumps({"version": version, "reviews": [list(reviews)]}, ensure_ascii=False)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "practice.json"


def opened(path):
    one = ProgressFile(path)
    return one, one.read()


def test_a_new_file_is_written_in_a_new_folder(tmp_path):
    path = tmp_path / "new" / "folder" / "practice.json"
    one, text = opened(path)
    assert (text, one.state, path.parent.exists()) == ("", "ok", False), "looking changes nothing"
    assert one.write(document("甲")) is None
    assert path.read_text(encoding="utf-8") == document("甲")
    assert [other.name for other in path.parent.iterdir()] == ["practice.json"], "no temporary file is left"


def test_the_page_s_export_is_read_and_what_is_written_is_an_export(path):
    exported = json.dumps({"version": 1, "cards": {"a.b": {"due": 5}}, "reviews": []}, indent=1)
    path.write_text("\ufeff" + exported, encoding="utf-8")
    one, text = opened(path)
    assert text == exported, "a mark that an editor put in front is none of the document"
    assert one.write(document(1)) is None
    assert opened(path)[1] == document(1)


def test_the_default_is_in_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    one, _ = opened(progress_file.DEFAULT)
    assert one.path == tmp_path / ".interview-book" / "practice.json"


def test_a_relative_path_is_next_to_the_notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, _ = opened("mine.json")
    monkeypatch.chdir("/")
    one.write(document(1))
    assert (tmp_path / "mine.json").exists()


@pytest.mark.parametrize(
    "content",
    [b"ERROR", b"{", b"[]", b"{}", b"null", b'{"version": "1"}', b'{"version": 0}', b'{"version": true}',
     b'{"version": 1.5}', b"\xff\xfe\x00", b"[" * 100_000],
)  # fmt: skip
def test_a_corrupt_file_is_kept_under_another_name(path, content):
    path.write_bytes(content)
    one, text = opened(path)
    assert (text, one.state) == ("", "ok") and one.kept.startswith("practice.corrupt-")
    assert path.read_bytes() == content, "until something is to be written"
    assert one.write(document(1)) is None
    assert path.read_text(encoding="utf-8") == document(1)
    assert (path.parent / one.kept).read_bytes() == content
    assert one.write(document(1, 2)) is None
    assert (path.parent / one.kept).read_bytes() == content


def test_two_corrupt_files_are_two_files(path):
    names = set()
    for content in (b"one", b"two"):
        path.write_bytes(content)
        one, _ = opened(path)
        one.write(document(1))
        names.add(one.kept)
    assert {(path.parent / name).read_bytes() for name in names} == {b"one", b"two"}


def test_a_document_that_the_deck_refuses_is_kept_too(path):
    refused = json.dumps({"version": 1, "cards": "none of ours"})
    path.write_text(refused, encoding="utf-8")
    one, text = opened(path)
    assert text == refused
    one.set_aside()
    assert one.kept
    one.write(document(1))
    assert (path.parent / one.kept).read_text(encoding="utf-8") == refused


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_is_no_progress(path, content):
    path.write_bytes(content)
    one, text = opened(path)
    assert (text, one.kept) == ("", "")
    assert one.write(document(1)) is None and path.read_text(encoding="utf-8") == document(1)


def test_a_file_from_the_future_is_never_overwritten(path):
    future = document("later", version=progress_file.VERSION + 1)
    path.write_text(future, encoding="utf-8")
    one, text = opened(path)
    assert (text, one.state) == ("", "future")
    for _ in range(2):
        assert one.write(document(1)) is None
        assert one.state == "future" and path.read_text(encoding="utf-8") == future
    path.unlink()
    assert one.write(document(1)) is None
    assert one.state == "ok" and path.read_text(encoding="utf-8") == document(1)


def test_what_another_deck_wrote_comes_back_instead_of_being_overwritten(path):
    mine, theirs = opened(path)[0], opened(path)[0]
    assert theirs.write(document("theirs")) is None
    assert mine.write(document("mine")) == document("theirs")
    assert path.read_text(encoding="utf-8") == document("theirs")
    # The deck merges and writes again.
    assert mine.write(document("mine", "theirs")) is None
    assert path.read_text(encoding="utf-8") == document("mine", "theirs")
    # Now the other one is behind.
    assert theirs.write(document("theirs", 2)) == document("mine", "theirs")


def test_a_change_is_seen_without_writing(path):
    one = opened(path)[0]
    assert one.changed() is None
    opened(path)[0].write(document("theirs"))
    assert one.changed() == document("theirs")
    assert one.changed() is None, "it is told once"
    assert one.write(document("merged")) is None


def test_a_file_that_becomes_corrupt_or_newer_meanwhile(path):
    one = opened(path)[0]
    one.write(document(1))
    path.write_bytes(b"{half")
    assert one.write(document(1, 2)) is None
    assert path.read_text(encoding="utf-8") == document(1, 2)
    assert (path.parent / one.kept).read_bytes() == b"{half"
    path.write_text(document(version=2), encoding="utf-8")
    assert one.write(document(1, 2, 3)) is None
    assert one.state == "future" and path.read_text(encoding="utf-8") == document(version=2)


def test_a_file_that_was_removed_is_written_again(path):
    one = opened(path)[0]
    one.write(document(1))
    path.unlink()
    assert one.changed() is None
    assert one.write(document(1, 2)) is None and path.exists()


@pytest.mark.parametrize("text", ["", "{}", "nonsense", document(version=2), '{"version": NaN}'])
def test_only_documents_are_written(path, text):
    one = opened(path)[0]
    one.write(document(1))
    with pytest.raises(ValueError, match="nothing was written"):
        one.write(text)
    assert path.read_text(encoding="utf-8") == document(1)


def test_a_folder_that_is_none_blocks_and_says_so(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    one, text = opened(tmp_path / "file" / "practice.json")
    assert (text, one.state) == ("", "blocked") and one.reason
    assert one.write(document(1)) is None and one.state == "blocked"


def test_a_path_that_is_a_folder_blocks(tmp_path):
    one, text = opened(tmp_path)
    assert (text, one.state) == ("", "blocked") and "directory" in one.reason.lower()
    assert one.write(document(1)) is None and one.state == "blocked"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_path_that_is_no_file_is_neither_waited_for_nor_replaced(tmp_path):
    """A pipe stands for a device, which a test must never try: a superuser would lose it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    file = ProgressFile(pipe)
    assert file.read() == "" and file.state == "blocked" and file.reason == "Not a regular file"
    assert file.write('{"version": 1}') is None and file.state == "blocked" and file.changed() is None
    assert pipe.is_fifo() and [one.name for one in tmp_path.iterdir()] == ["pipe"]


def test_what_may_be_read_but_not_written_is_read(path, monkeypatch):
    path.write_text(document(1), encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda place, mode: mode != os.W_OK)  # root may write anywhere
    one, text = opened(path)
    assert (text, one.state, one.reason) == (document(1), "blocked", "Permission denied")
    assert one.write(document(2)) is None
    assert one.state == "blocked" and path.read_text(encoding="utf-8") == document(1)
    monkeypatch.undo()
    assert one.write(document(2)) is None and one.state == "ok" and path.read_text(encoding="utf-8") == document(2)


@pytest.mark.parametrize("step", ["fsync", "replace", "mkstemp"])
def test_a_write_that_fails_leaves_the_old_file_and_no_other(path, monkeypatch, step):
    one = opened(path)[0]
    one.write(document(1))

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(progress_file.tempfile if step == "mkstemp" else os, step, full)
    assert one.write(document(1, 2)) is None
    assert (one.state, one.reason) == ("blocked", os.strerror(errno.ENOSPC))
    assert path.read_text(encoding="utf-8") == document(1)
    assert [other.name for other in path.parent.iterdir()] == ["practice.json"]
    monkeypatch.undo()
    assert one.write(document(1, 2)) is None and one.state == "ok"


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path):
    real = tmp_path / "cloud.json"
    real.write_text(document(1), encoding="utf-8")
    real.chmod(0o640)
    link = tmp_path / "practice.json"
    link.symlink_to(real)
    one, _ = opened(link)
    one.write(document(2))
    assert link.is_symlink() and real.read_text(encoding="utf-8") == document(2)
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_two_processes_lose_no_review(path):
    """Each adds 40 numbers of its own, merging what it is given; all 80 arrive."""
    program = (
        "import json, sys\n"
        "from interview_book.widgets.progress_file import ProgressFile\n"
        "one = ProgressFile(sys.argv[1]); text = one.read()\n"
        "mine = set(json.loads(text)['reviews']) if text else set()\n"
        "for number in range(40):\n"
        "    mine.add(f'{sys.argv[2]}{number}')\n"
        "    while True:\n"
        "        theirs = one.write(json.dumps({'version': 1, 'reviews': sorted(mine)}))\n"
        "        if theirs is None: break\n"
        "        mine |= set(json.loads(theirs)['reviews'])\n"
        "assert one.state == 'ok', one.reason\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(path), name]) for name in "ab"]
    assert [one.wait(timeout=60) for one in running] == [0, 0]
    held = json.loads(path.read_text(encoding="utf-8"))["reviews"]
    assert sorted(held) == sorted(f"{name}{number}" for name in "ab" for number in range(40))
