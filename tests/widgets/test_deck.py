"""The deck's Python half: its files, its words, and the talk with the front end about progress and parts."""

import copy
import html.parser
import json
import subprocess
import sys

import pytest
import traitlets

from interview_book.widgets import Deck, deck_files

BANK = {
    "version": 1,
    "url": None,
    "languages": {
        tag: {
            "index": {
                "language": tag,
                "chapters": {"alpha": {"title": title, "href": "alpha.html", "notebook": "../notebooks/alpha.ipynb"}},
                "cards": [{"id": "alpha.one", "chapter": "alpha", "href": "alpha.html#start"}],
            },
            "parts": {
                "alpha": {
                    "chapter": "alpha",
                    "formulas": [],
                    "records": {"alpha.one": {"ask": title}, "alpha.code": {"notebook": "../notebooks/alpha.ipynb"}},
                }
            },
        }
        for tag, title in (("ja", "始め"), ("zh-Hant", "開頭"))
    },
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The deck's files, small; the function writes them again with another bank."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "deck.mjs").write_text("export default { render() {} };", encoding="utf-8")
    (folder / "deck.css").write_text(".deck-notebook {}", encoding="utf-8")
    monkeypatch.setattr(deck_files, "folder", lambda: folder)

    def put(bank):
        (folder / "bank.json").write_text(json.dumps(bank), encoding="utf-8")
        deck_files.bank.cache_clear()

    put(BANK)
    yield put
    deck_files.bank.cache_clear()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "practice.json"


@pytest.fixture
def deck(files, path):
    one = Deck(progress=path)
    one.sent = []
    one.send = lambda content, buffers=None: one.sent.append(content)
    return one


def said(deck, **message):
    """A message of the front end arrives."""
    deck._handle_custom_msg(message, [])


def document(*reviews, version=1):
    return json.dumps({"version": version, "reviews": list(reviews)})


def test_the_state_is_plain_json_and_names_the_language(deck):
    state = deck.get_state()
    names = ("language", "index", "progress", "foreign", "file")
    sent = json.loads(json.dumps({name: state[name] for name in names}))
    assert (sent["language"], sent["index"]["language"], sent["progress"], sent["foreign"]) == ("ja", "ja", "", "")
    assert "export default" in state["_esm"] and ".deck-notebook" in state["_css"]
    assert "parts" not in json.dumps(sent)


def test_links_lead_to_the_notebooks_beside_it(deck):
    (card,) = deck.index["cards"]
    assert card["href"] == "alpha.ipynb#start"
    assert deck.index["chapters"]["alpha"]["href"] == "alpha.ipynb"
    said(deck, type="part", chapter="alpha")
    assert deck.sent[-1]["part"]["records"]["alpha.code"]["notebook"] == "alpha.ipynb"


def test_links_lead_to_the_site_that_has_an_address(files, path):
    files({**copy.deepcopy(BANK), "url": "https://example.org/book/"})
    (card,) = Deck(language="zh-Hant", progress=path).index["cards"]
    assert card["href"] == "https://example.org/book/zh-Hant/chapters/alpha.html#start"


def test_parts_come_when_they_are_asked_for(deck):
    said(deck, type="part", chapter="alpha")
    said(deck, type="part", chapter="beta")
    first, second = deck.sent
    assert (first["type"], first["chapter"], first["part"]["records"]["alpha.one"]) == (
        "part",
        "alpha",
        {"ask": "始め"},
    )
    assert second == {"type": "part", "chapter": "beta", "part": None}


@pytest.mark.parametrize("message", [{}, {"type": "part"}, {"type": "part", "chapter": 5}, {"type": "other"}, "part"])
def test_other_messages_are_left_alone(deck, message):
    deck._handle_custom_msg(message, [])
    assert deck.sent == []


def test_the_language_changes_index_and_parts(deck):
    deck.language = "zh-Hant"
    assert deck.index["language"] == "zh-Hant"
    said(deck, type="part", chapter="alpha")
    assert deck.sent[-1]["part"]["records"]["alpha.one"] == {"ask": "開頭"}


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("language", "zh", "language: expected 'ja' or 'zh-Hant', got 'zh'"),
        ("language", None, "got None"),
        ("progress", 5, "progress: expected the path of a file, got 5"),
        ("progress", "", "progress: expected the path of a file, got ''"),
        ("progress", "a\0b", "progress: expected the path of a file"),
        ("progress", "\ud800.json", "progress: expected the path of a file"),
        ("progress", b"a.json", "progress: expected the path of a file"),
    ],
)
def test_bad_arguments_are_named(files, path, name, value, says):
    with pytest.raises(traitlets.TraitError, match=says):
        Deck(**{"progress": path, name: value})


def test_progress_is_read_and_written(files, path):
    path.write_text(document("before"), encoding="utf-8")
    deck = Deck(progress=str(path))
    assert deck.progress == document("before")
    assert deck.file == {"path": str(path), "state": "ok", "saved": 0, "notices": []}
    deck.set_state({"progress": document("before", "now")})
    assert path.read_text(encoding="utf-8") == document("before", "now")
    assert deck.file["saved"] == 1
    deck.set_state({"progress": "no document"})
    assert path.read_text(encoding="utf-8") == document("before", "now") and deck.file["saved"] == 1


def test_what_another_kernel_wrote_goes_to_the_front_end_which_merges(files, path):
    one, two = Deck(progress=path), Deck(progress=path)
    two.set_state({"progress": document("two")})
    one.set_state({"progress": document("one")})
    assert one.foreign == document("two") and one.file["saved"] == 0
    assert path.read_text(encoding="utf-8") == document("two")
    one.set_state({"progress": document("one", "two")})
    assert path.read_text(encoding="utf-8") == document("one", "two")
    assert one.file["saved"] == 1
    # The same content as before comes again: the front end, which hears of changes only, hears of it.
    heard = []
    one.observe(lambda change: heard.append(json.loads(change["new"])), "foreign")
    path.write_text(document("two"), encoding="utf-8")
    one.set_state({"progress": document("one", "two", "more")})
    assert heard == [json.loads(document("two"))]


def test_a_file_changed_meanwhile_is_told_on_request(files, path):
    deck = Deck(progress=path)
    said(deck, type="read")
    assert deck.foreign == ""
    path.write_text(document("theirs"), encoding="utf-8")
    said(deck, type="read")
    assert deck.foreign == document("theirs")


def test_corrupt_future_and_blocked_files_are_told(files, path, tmp_path):
    path.write_text("ERROR", encoding="utf-8")
    deck = Deck(progress=path)
    (notice,) = deck.file["notices"]
    assert notice["kind"] == "corrupt" and notice["kept"].startswith("practice.corrupt-")
    deck.set_state({"progress": document(1)})
    assert (tmp_path / notice["kept"]).read_text(encoding="utf-8") == "ERROR"

    path.write_text(document(version=7), encoding="utf-8")
    deck = Deck(progress=path)
    assert (deck.progress, deck.file["state"]) == ("", "future")
    deck.set_state({"progress": document(1)})
    assert path.read_text(encoding="utf-8") == document(version=7)
    assert [one["kind"] for one in deck.file["notices"]] == ["future"] and deck.file["saved"] == 0

    deck = Deck(progress=path / "below")
    assert [one["kind"] for one in deck.file["notices"]] == ["blocked"]
    deck.set_state({"progress": document(1)})
    assert deck.progress == document(1), "it works in memory"
    assert deck.file["state"] == "blocked" and deck.file["notices"][0]["reason"]


def test_a_document_that_the_front_end_refuses_is_set_aside(files, path, tmp_path):
    path.write_text(document("odd"), encoding="utf-8")
    deck = Deck(progress=path)
    said(deck, type="set-aside")
    assert deck.progress == "" and deck.file["notices"][0]["kind"] == "corrupt"
    deck.set_state({"progress": document(1)})
    assert (tmp_path / deck.file["notices"][0]["kept"]).read_text(encoding="utf-8") == document("odd")
    assert path.read_text(encoding="utf-8") == document(1)


class Reader(html.parser.HTMLParser):
    """Text by language."""

    def __init__(self, text):
        super().__init__()
        self.now, self.texts = None, {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.now = dict(attrs).get("lang", self.now)

    def handle_data(self, data):
        self.texts[self.now] = self.texts.get(self.now, "") + data


def test_what_a_notebook_keeps_of_it_is_small_and_has_both_languages(deck, path):
    data, _ = deck._repr_mimebundle_()
    assert data["text/plain"] == "Deck()"
    text = data["text/html"]
    assert text.startswith('<div class="book-deck">') and len(text) < 600
    assert str(path) not in json.dumps(data)
    assert set(Reader(text).texts) == {"ja", "zh-Hant"}
    other, _ = Deck(language="zh-Hant", progress=path)._repr_mimebundle_()
    assert other["text/html"] == text


def test_the_wheel_s_files_come_first(tmp_path, monkeypatch):
    for name in deck_files.NAMES:
        (tmp_path / name).write_text("{}", encoding="utf-8")
    monkeypatch.setattr(deck_files, "PACKED", tmp_path)
    monkeypatch.setattr(deck_files, "folder", deck_files.folder.__wrapped__)
    assert deck_files.folder() == tmp_path


def test_an_installation_without_files_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(deck_files, "SOURCE", tmp_path)
    with pytest.raises(RuntimeError, match="Install the wheel that the book's site offers"):
        deck_files.folder.__wrapped__()


def test_files_that_cannot_be_made_say_why(tmp_path, monkeypatch):
    (tmp_path / "_toc.yml").write_text("[", encoding="utf-8")
    monkeypatch.setattr(deck_files, "SOURCE", tmp_path)
    with pytest.raises(RuntimeError, match=r"(?s)`interview-book deck` ended with status 1, expected 0\. .*_toc\.yml"):
        deck_files.folder.__wrapped__()


def test_the_book_is_not_imported_by_its_widgets():
    code = (
        "import sys\nfrom interview_book.widgets import Deck\n"
        "print([name for name in sys.modules if name.startswith('interview_book.book')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"
