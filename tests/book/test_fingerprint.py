"""What a site was made from, in one line."""

import pytest

from interview_book.book import fingerprint


@pytest.fixture
def small(tmp_path):
    (tmp_path / "chapters" / ".ipynb_checkpoints").mkdir(parents=True)
    for name in ("_config.yml", "_toc.yml", "package-lock.json", "chapters/a.ipynb", "chapters/terms.yml"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


def of(root, url=None):
    return fingerprint.of_book(root, root, url)


@pytest.mark.parametrize("name", ["_config.yml", "_toc.yml", "package-lock.json", "chapters/a.ipynb", "chapters/b.yml"])
def test_every_input_counts(small, name):
    before = of(small)
    assert of(small) == before
    (small / name).write_text("changed", encoding="utf-8")
    assert of(small) != before


def test_the_address_and_our_code_count(small, monkeypatch):
    before = of(small)
    assert of(small, "https://example.org/") != before
    monkeypatch.setattr(fingerprint, "of_package", lambda: "other code")
    assert of(small) != before


def test_scripts_depend_on_our_code_and_the_libraries_alone(small, monkeypatch):
    before = fingerprint.of_scripts(small)
    (small / "chapters" / "a.ipynb").write_text("changed", encoding="utf-8")
    assert fingerprint.of_scripts(small) == before
    (small / "package-lock.json").write_text("changed", encoding="utf-8")
    other = fingerprint.of_scripts(small)
    assert other != before
    monkeypatch.setattr(fingerprint, "of_package", lambda: "other code")
    assert fingerprint.of_scripts(small) != other
    (small / "package-lock.json").unlink()
    assert fingerprint.of_scripts(small) != other


def test_what_is_no_input_does_not_count(small):
    before = of(small)
    (small / "chapters" / ".ipynb_checkpoints" / "a.ipynb").write_text("x", encoding="utf-8")
    (small / "README.md").write_text("x", encoding="utf-8")
    assert of(small) == before


def test_two_files_that_exchange_their_names_differ(small):
    before = of(small)
    a, b = small / "chapters" / "a.ipynb", small / "chapters" / "terms.yml"
    one, two = a.read_bytes(), b.read_bytes()
    a.write_bytes(two)
    b.write_bytes(one)
    assert of(small) != before


def test_a_folder_is_whole_only_with_all_its_files(small):
    whole = fingerprint.of_files(small, without="mark")
    (small / "mark").write_text("x", encoding="utf-8")
    assert fingerprint.of_files(small, without="mark") == whole
    (small / "chapters" / "a.ipynb").unlink()
    assert fingerprint.of_files(small, without="mark") != whole
