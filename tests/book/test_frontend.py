"""Where npm's tools are found."""

import pytest

from interview_book.book import frontend
from interview_book.book.errors import BookError


def test_a_book_s_own_tools_come_first_and_the_project_s_serve_the_others(tmp_path):
    assert frontend.home(tmp_path) == frontend.PROJECT
    dist = tmp_path / "node_modules" / "katex" / "dist"
    dist.mkdir(parents=True)
    assert frontend.home(tmp_path) == tmp_path
    assert frontend.katex(tmp_path) == dist


def test_without_tools_the_mend_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(frontend, "PROJECT", tmp_path / "elsewhere")
    with pytest.raises(BookError, match=r"expected .*node_modules.katex, found nothing\. Run `make setup`"):
        frontend.home(tmp_path)
