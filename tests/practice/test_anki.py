"""The decks in the real Anki: imported, learnt, changed, imported again; nothing twice, nothing lost."""

import copy
import hashlib
import io
import itertools
import json
import time
import zipfile

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from bs4 import BeautifulSoup

from interview_book.practice import anki, anki_cards, anki_types, bank, compiled
from interview_book.practice.anki_times import Times

JA, ZH, BOTH = (("ja",), ("zh-Hant",), ("ja", "zh-Hant"))
KINDS = ("choice", "number", "expression", "code", "diagnose")
IDS = [f"topic.{kind}" for kind in KINDS]
EXPLAIN = "scaling.why-sqrt-dk"
GRADES = [f"{EXPLAIN}.grade.{name}" for name in ("weak", "acceptable", "strong")]
THEN = 1_700_000_000  # before the present, in which the reader learns
DAY = 86400


class Press:
    """Prints decks of the questions as they are, and remembers what it printed."""

    def __init__(self, records, write, folder):
        self.records, self.out, self.memory = records, folder, ""
        self._write = write
        self.address = None

    def print(self, changed, look=THEN):
        """Print files that were changed at that time; ``look`` is when the code was."""
        questions = []
        for chapter in dict.fromkeys(record["chapter"] for record in self.records.values()):
            own = [record for record in self.records.values() if record["chapter"] == chapter]
            questions += bank.load(self._write(*own, name=f"{chapter}.questions.yml"))
        times = Times({"topic": changed, "other": THEN}, look, self.memory)
        anki.write(self.out, self.banks(questions), times, dict.fromkeys(bank.LANGUAGES, self.address))
        self.memory = times.text()
        return self

    @staticmethod
    def banks(questions):
        where = compiled.Setting(
            chapters={
                "topic": {"title": "章：<一> & ::二", "href": "topic.html", "notebook": None},
                "other": {"title": "別", "href": "other.html", "notebook": None},
            },
            topics={"softmax": "softmax"},
            topic_of=dict.fromkeys((claim for one in questions for claim in one.claims), "softmax"),
            note=lambda question: "誤差 < 1%",
        )
        return {tag: compiled.compile(questions, tag, anki_cards.set_formulas, where) for tag in bank.LANGUAGES}

    def file(self, languages):
        return self.out / anki_types.FILES[languages]


@pytest.fixture
def press(records, write, tmp_path):
    return Press(records, write, tmp_path / "anki")


class Reader:
    """A collection of Anki, used as a person does."""

    def __init__(self, folder):
        self.anki = Collection(str(folder / "collection.anki2"))
        self.anki.db.execute("pragma synchronous = off")

    def read(self, path):
        """Import with the choices that Anki's dialog offers first; return how many notes went which way."""
        request = ImportAnkiPackageRequest(package_path=str(path), options=ImportAnkiPackageOptions())
        log = self.anki.import_anki_package(request).log
        self.anki.models._clear_cache()
        return {name: len(getattr(log, name)) for name in ("new", "updated", "duplicate", "conflicting")}

    def notes(self, search=""):
        """Notes by (id of the question, language)."""
        found = [self.anki.get_note(number) for number in self.anki.find_notes(search)]
        return {(note.fields[-1], language(note)): note for note in found}

    def card(self, name, tag="ja"):
        (card,) = self.notes()[name, tag].cards()
        return card

    def learn(self, names, tag="ja"):
        """Answer until each of these cards has been seen once and once more."""
        for grade, name in zip(itertools.cycle((3, 4, 1)), names):
            for given in (grade, 4):
                card = self.card(name, tag)
                card.start_timer()
                self.anki.sched.answerCard(card, given)

    def history(self):
        """What Anki knows of every card that has been learnt: all but what is on it."""
        kept = {}
        for (name, tag), note in self.notes().items():
            (card,) = note.cards()
            if card.reps:
                log = self.anki.db.all("select id, ease, ivl, lastIvl, type from revlog where cid = ?", card.id)
                memory = card.memory_state and (card.memory_state.stability, card.memory_state.difficulty)
                state = (card.id, card.did, card.due, card.ivl, card.reps, card.lapses, card.queue, card.type)
                kept[name, tag] = (*state, memory, log)
        return kept

    def decks(self):
        return sorted(one.name for one in self.anki.decks.all_names_and_ids() if one.name != "Default")


def language(note):
    (tag,) = [one.rsplit("::", 1)[1] for one in note.tags if one.startswith("interview-book::lang::")]
    return tag


@pytest.fixture
def reader(tmp_path):
    one = Reader(tmp_path)
    yield one
    one.anki.close()


def counted(new=0, updated=0, duplicate=0):
    return {"new": new, "updated": updated, "duplicate": duplicate, "conflicting": 0}


@pytest.mark.parametrize(("languages", "notes"), [(JA, 9), (ZH, 9), (BOTH, 18)])
def test_a_package_brings_its_notes_and_a_card_for_each(press, reader, languages, notes):
    assert reader.read(press.print(THEN).file(languages)) == counted(new=notes)
    assert reader.anki.note_count() == reader.anki.card_count() == notes
    assert set(reader.notes()) == {(name, tag) for name in (EXPLAIN, *GRADES, *IDS) for tag in languages}
    books = {"ja": "AI 面接問題集", "zh-Hant": "AI 面試題庫"}
    expected = [f"{books[tag]}{part}" for tag in languages for part in ("", "::章：<一> & ：二")]
    assert reader.decks() == sorted(expected)
    for (_, tag), note in reader.notes().items():
        (card,) = note.cards()
        assert reader.anki.decks.name(card.did).startswith(f"{books[tag]}::")
    assert reader.anki.decks.by_name(books[languages[0]])["desc"]


def test_new_cards_come_in_the_order_of_their_use(press, reader):
    press.records["diagnose"]["frequency"] = "rare"
    press.records["choice"]["frequency"] = "occasional"
    reader.read(press.print(THEN).file(JA))
    cards = [reader.anki.get_card(one) for one in reader.anki.find_cards("", order="c.due")]
    assert [card.due for card in cards] == list(range(1, 10))
    order = [card.note().fields[-1] for card in cards]
    first = [EXPLAIN, "topic.number", "topic.expression", "topic.code"]
    assert order == [*first, *GRADES, "topic.choice", "topic.diagnose"]


def test_tags_say_what_a_question_is(press, reader):
    reader.read(press.print(THEN).file(ZH))
    (note,) = reader.notes("tag:interview-book::kind::choice").values()
    said = {"lang::zh-Hant", "chapter::topic", "topic::softmax", "level::core", "kind::choice", "frequency::common",
            "role::research"}  # fmt: skip
    assert set(note.tags) == {f"interview-book::{one}" for one in said}
    assert set(reader.notes("tag:interview-book::kind::grade")) == {(name, "zh-Hant") for name in GRADES}


def test_tags_follow_the_question(press, reader):
    reader.read(press.print(THEN).file(JA))
    press.records["choice"]["roles"] = ["inference"]
    assert reader.read(press.print(THEN + DAY).file(JA)) == counted(updated=9)
    assert set(reader.notes("tag:interview-book::role::inference")) == {("topic.choice", "ja")}


def test_an_edited_question_replaces_its_note_and_keeps_the_history(press, reader):
    reader.read(press.print(THEN).file(JA))
    reader.learn([EXPLAIN, GRADES[0], *IDS])
    before, ids = reader.history(), {key: note.id for key, note in reader.notes().items()}
    assert len(before) == 7 and {entry[4] for entry in before.values()} == {2}
    press.records["choice"]["options"][0]["why"]["ja"] = "$a < b$ なので 0 < 1 です。"
    press.records["explain"]["answer_30s"]["ja"] += "以上です。"
    assert reader.read(press.print(THEN + DAY).file(JA)) == counted(updated=9)
    assert reader.history() == before
    assert {key: note.id for key, note in reader.notes().items()} == ids
    notes = reader.notes()
    assert r"\(a &lt; b\) なので 0 &lt; 1 です。" in notes["topic.choice", "ja"]["答え"]
    assert "以上です。" in notes[EXPLAIN, "ja"]["回答例（30 秒）"]


def test_what_has_not_changed_is_left_alone(press, reader):
    for kind in ("number", "code"):
        press.records[kind]["chapter"] = "other"
    reader.read(press.print(THEN).file(JA))
    note = reader.notes()["topic.number", "ja"]
    note["解説"] += "自分のメモ"
    note.add_tag("mine")
    reader.anki.update_note(note)
    assert reader.read(press.print(THEN).file(JA)) == counted(duplicate=9)
    press.records["choice"]["question"]["ja"] = "別の問い"
    assert reader.read(press.print(int(time.time()) + DAY).file(JA)) == counted(updated=7, duplicate=2)
    note = reader.notes()["topic.number", "ja"]
    assert note["解説"].endswith("自分のメモ") and "mine" in note.tags


def test_a_change_arrives_even_when_the_builders_clock_went_back(press, reader):
    reader.read(press.print(THEN).file(JA))
    for step in range(1, 4):
        press.records["code"]["solution"]["ja"] = f"解説その {step}"
        assert reader.read(press.print(THEN - step * DAY).file(JA)) == counted(updated=1, duplicate=8)
        assert f"解説その {step}" in reader.notes()["topic.code", "ja"]["解説"]


def test_without_a_memory_such_a_change_arrives_with_the_next_one(press, reader):
    reader.read(press.print(THEN).file(JA))
    press.records["code"]["solution"]["ja"] = "待つ解説"
    press.memory = ""
    assert reader.read(press.print(THEN - DAY).file(JA)) == counted(duplicate=9)
    press.records["choice"]["question"]["ja"] = "別の問い"
    press.memory = ""
    assert reader.read(press.print(THEN + DAY).file(JA)) == counted(updated=9)
    assert "待つ解説" in reader.notes()["topic.code", "ja"]["解説"]


def test_a_note_edited_by_the_reader_is_replaced_by_a_later_change_only(press, reader):
    reader.read(press.print(THEN).file(JA))
    for change, replaced in ((THEN + DAY, False), (int(time.time()) + DAY, True)):
        note = reader.notes()["topic.choice", "ja"]
        note["解説"] = "自分のメモ"
        reader.anki.update_note(note)
        press.records["choice"]["question"]["ja"] = f"{change} の問い"
        reader.read(press.print(change).file(JA))
        assert (reader.notes()["topic.choice", "ja"]["解説"] != "自分のメモ") == replaced


def test_both_languages_stand_side_by_side_and_their_package_adds_nothing(press, reader):
    # Alike in both languages to the last sign.
    for record in press.records.values():
        if record["kind"] != "explain":
            record["question"] = {"ja": "$x < y$", "zh-Hant": "$x < y$"}
    press.print(THEN)
    assert reader.read(press.file(JA)) == counted(new=9)
    reader.learn([EXPLAIN, "topic.choice"])
    assert reader.read(press.file(ZH)) == counted(new=9)
    reader.learn(["topic.choice"], "zh-Hant")
    before, decks = reader.history(), reader.decks()
    assert reader.read(press.file(BOTH)) == counted(duplicate=18)
    assert (reader.history(), reader.decks()) == (before, decks)
    press.records["choice"]["options"][0]["text"] = {"ja": "新しい", "zh-Hant": "新的"}
    assert reader.read(press.print(THEN + DAY).file(BOTH)) == counted(updated=18)
    assert reader.history() == before
    notes = reader.notes()
    assert "新しい" in notes["topic.choice", "ja"]["答え"] and "新的" in notes["topic.choice", "zh-Hant"]["答案"]


def test_the_single_packages_add_nothing_to_both(press, reader):
    press.print(THEN)
    assert reader.read(press.file(BOTH)) == counted(new=18)
    assert reader.read(press.file(ZH)) == reader.read(press.file(JA)) == counted(duplicate=9)


def test_a_removed_question_stays_with_its_history_and_may_come_back(press, reader):
    gone = copy.deepcopy(press.records["choice"])
    reader.read(press.print(THEN).file(JA))
    reader.learn(["topic.choice", "topic.number"])
    before = reader.history()
    del press.records["choice"]
    assert reader.read(press.print(THEN + DAY).file(JA)) == counted(updated=8)
    assert reader.history() == before
    press.records["choice"] = gone
    gone["question"]["ja"] = "戻ってきた問い"
    assert reader.read(press.print(THEN).file(JA)) == counted(updated=1, duplicate=8)
    assert reader.history() == before and len(before) == 2
    assert reader.notes()["topic.choice", "ja"]["質問"] == "戻ってきた問い"


def test_a_new_question_joins_the_old_ones(press, reader):
    number = press.records.pop("number")
    reader.read(press.print(THEN).file(JA))
    press.records["number"] = number
    assert reader.read(press.print(THEN - DAY).file(JA)) == counted(new=1, duplicate=8)


def test_a_new_look_reaches_old_notes(press, reader, monkeypatch):
    reader.read(press.print(THEN).file(JA))
    reader.learn(["topic.choice"])
    before = reader.history()
    new = anki_types.style() + ".new { color: red; }"
    monkeypatch.setattr(anki_types, "style", lambda: new)
    assert reader.read(press.print(THEN, look=THEN + DAY).file(JA)) == counted(duplicate=9)
    assert ".new { color: red; }" in reader.card("topic.choice").render_output().css
    press.address = "https://example.org/ja/chapters/"
    assert reader.read(press.print(THEN).file(JA)) == counted(duplicate=9)
    assert reader.history() == before
    assert len([one for one in reader.anki.models.all_names_and_ids() if one.name.startswith("AI ")]) == 2
    link = BeautifulSoup(reader.card("topic.choice").render_output().answer_text, "html.parser").find("a")
    assert link["href"] == "https://example.org/ja/chapters/topic.html#start"


def test_without_an_address_a_card_names_its_chapter_and_links_nothing(press, reader):
    reader.read(press.print(THEN).file(ZH))
    back = BeautifulSoup(reader.card("topic.choice", "zh-Hant").render_output().answer_text, "html.parser")
    assert back.select_one(".place").text == "《AI 面試題庫》「章：<一> & ::二」這一章"
    assert not back.find_all(["a", "img", "script", "link"])


# What the tests above are there to catch: each of these spoils a second import, and is seen to do so.
@pytest.mark.parametrize(
    ("spoil", "went"),
    [
        ("ids from what a note says", {"new": 1, "updated": 8, "duplicate": 0, "conflicting": 0}),
        ("other note types", {"new": 0, "updated": 0, "duplicate": 0, "conflicting": 9}),
        ("other fields", {"new": 0, "updated": 0, "duplicate": 0, "conflicting": 9}),
        ("old times", {"new": 0, "updated": 0, "duplicate": 9, "conflicting": 0}),
    ],
)
def test_a_spoilt_package_is_seen_by_these_tests(press, reader, monkeypatch, spoil, went):
    def from_fields(one, tag):
        return hashlib.sha256(str(texts[one, tag]).encode()).hexdigest()[:10]

    texts = {}
    notes = anki_cards.notes

    def remembered(compiled_bank):
        made = notes(compiled_bank)
        texts.update({(note.id, note.language): note.fields for note in made})
        return made

    if spoil == "ids from what a note says":
        monkeypatch.setattr(anki_cards, "notes", remembered)
        monkeypatch.setattr(anki, "guid", from_fields)
    reader.read(press.print(THEN).file(JA))
    press.records["choice"]["question"]["ja"] = "別の問い"
    if spoil == "other note types":
        monkeypatch.setattr(anki_types, "IDS", {key: number + 5 for key, number in anki_types.IDS.items()})
    if spoil == "other fields":
        made = anki_types.note_type

        def shorter(*given):
            one = made(*given)
            return anki_types.NoteType(one.id, one.name, (*one.fields[:-1], "番号"), one.front, one.back, one.css)

        monkeypatch.setattr(anki_types, "note_type", shorter)
    if spoil == "old times":
        monkeypatch.setattr(Times, "of", lambda *given: THEN)
    assert reader.read(press.print(THEN + DAY).file(JA)) == went


def test_the_same_sources_give_the_same_bytes(press, tmp_path):
    press.print(THEN)
    first = {path.name: path.read_bytes() for path in press.out.iterdir()}
    assert sorted(first) == sorted(anki_types.FILES.values())
    press.print(THEN)
    assert {path.name: path.read_bytes() for path in press.out.iterdir()} == first
    press.memory = ""
    press.print(THEN)
    assert {path.name: path.read_bytes() for path in press.out.iterdir()} == first
    with zipfile.ZipFile(io.BytesIO(first["interview-book-ja.apkg"])) as archive:
        assert archive.namelist() == ["collection.anki2", "media"]
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.testzip() is None and json.loads(archive.read("media")) == {}


def test_a_field_that_anki_would_cut_stops_the_build(press, monkeypatch):
    monkeypatch.setattr(anki_cards, "set_formulas", lambda formulas: {tex: f"\\({tex}\\)" for tex in formulas})
    press.records["choice"]["question"]["ja"] = "$a <b, c> d$"
    with pytest.raises(anki.AnkiFault, match=r"expected fields of whole HTML, got: .*invalid HTML tags.*<b, c>"):
        press.print(THEN)


def test_a_bank_without_cards_gives_no_package():
    empty = {tag: {"index": {"language": tag, "cards": [], "chapters": {}}, "parts": {}} for tag in bank.LANGUAGES}
    assert anki.packages(empty, Times({}, THEN), dict.fromkeys(bank.LANGUAGES)) == {}


def test_a_note_is_known_by_question_and_language_for_ever():
    # The first ten digits of base 91, by hand from SHA-256 of "two-scores.halving__ja".
    table = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&()*+,-./:;<=>?@[]^_`{|}~"
    for card, tag in (("two-scores.halving", "ja"), ("two-scores.halving.grade.weak", "zh-Hant")):
        number, digits = int.from_bytes(hashlib.sha256(f"{card}__{tag}".encode()).digest()[:8], "big"), ""
        while number:
            number, digit = divmod(number, 91)
            digits = table[digit] + digits
        assert anki.guid(card, tag) == digits
