"""The command line: what a person can mend is one message and status 1, whatever the cause."""

from __future__ import annotations

import pytest

from interview_book import cli
from interview_book.book import check
from interview_book.book.errors import BookError, Fault


def said(monkeypatch, capsys, error):
    def fail(root):
        raise error

    monkeypatch.setattr(check, "faults", fail)
    with pytest.raises(SystemExit) as left:
        cli.main(["check"])
    return left.value.code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (BookError("no book there"), "no book there\n"),
        (
            OSError(28, "No space left on device", "site"),
            "site: No space left on device; mend that and try again\n",
        ),
        (
            ModuleNotFoundError("No module named 'pagefind'", name="pagefind"),
            "pagefind is not installed in this environment: run `make setup` and try again\n",
        ),
    ],
)
def test_one_message_and_status_one(monkeypatch, capsys, error, text):
    assert said(monkeypatch, capsys, error) == (1, text)


def test_a_fault_of_the_code_keeps_its_traceback(monkeypatch):
    monkeypatch.setattr(check, "faults", lambda root: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cli.main(["check"])


def test_faults_are_listed_and_counted(monkeypatch, capsys):
    monkeypatch.setattr(check, "faults", lambda root: [Fault("a.ipynb", "cell 1 (x)", "rule", "message", "mend")])
    with pytest.raises(SystemExit) as left:
        cli.main(["check"])
    assert left.value.code == 1
    assert capsys.readouterr().err == "a.ipynb: cell 1 (x): [rule] message\n    -> mend\n1 fault\n"


def test_a_clean_book(root, capsys):
    cli.main(["--root", str(root), "check"])
    assert capsys.readouterr().out == "no faults\n"
