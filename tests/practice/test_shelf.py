"""Question files are found in an installed wheel and in the sources, and read again when they change."""

import pytest

from interview_book.practice import shelf


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package ``tmp_path/src/book`` with no question files anywhere."""
    found = tmp_path / "src" / "book"
    found.mkdir(parents=True)
    monkeypatch.setattr(shelf, "_PACKAGE", found)
    return found


def test_the_sources_have_them(root):
    assert shelf.folder() == root / "chapters"


def test_a_wheel_carries_them_inside_the_package(package, records, write):
    sources = package.parents[1] / "chapters"
    sources.mkdir()
    write(records["choice"]).rename(sources / "topic.questions.yml")
    assert shelf.folder() == sources
    inside = package / "chapters"
    inside.mkdir()
    write(records["code"]).rename(inside / "topic.questions.yml")
    assert shelf.folder() == inside and shelf.question("topic.code").kind == "code"
    with pytest.raises(KeyError, match=r"topic\.choice"):
        shelf.question("topic.choice")


def test_a_changed_file_is_read_again(package, records, write):
    inside = package / "chapters"
    inside.mkdir()
    path = inside / "topic.questions.yml"
    write(records["code"]).rename(path)
    assert shelf.question("topic.code").level == "core"
    path.write_text(path.read_text(encoding="utf-8").replace("level: core", "level: research"), encoding="utf-8")
    assert shelf.question("topic.code").level == "research"


def test_no_files_is_an_error_that_says_what_to_do(package):
    with pytest.raises(FileNotFoundError, match="expected question files in book/chapters"):
        shelf.folder()
