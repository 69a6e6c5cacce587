"""What stands on the cards for Anki: every text of the bank, whole, in one language, and no answer on a front."""

import re

import pytest
import yaml
from bs4 import BeautifulSoup

from interview_book.book import interface, question_words
from interview_book.practice import anki_cards, anki_types, bank, compiled, numbers, wording
from interview_book.practice.anki_words import WORDS

CHAPTERS = ("two-scores", "why-sqrt-dk")
# The fields that were published under each id. An id that is taken keeps them; other fields need another id.
PUBLISHED = {
    1488203117: [
        "質問", "回答例（30 秒）", "回答例（2 分）", "評価の観点", "追加の質問", "英語の最初の一文", "種類", "すること",
        "章", "ページ", "ID",
    ],
    1488203118: [
        "題目", "參考回答（30 秒）", "參考回答（2 分鐘）", "評分要點", "追問", "英文的第一句", "題型", "作答方式",
        "章", "頁面", "ID",
    ],
    1488203227: ["質問", "問題の材料", "答え", "解説", "種類", "すること", "章", "ページ", "ID"],
    1488203228: ["題目", "題目附的內容", "答案", "說明", "題型", "作答方式", "章", "頁面", "ID"],
}  # fmt: skip


def compiled_banks(questions, claims, chapters):
    where = compiled.Setting(
        chapters={slug: {"title": slug, "href": f"{slug}.html", "notebook": None} for slug in chapters},
        topics=dict.fromkeys(claims.values(), ""),
        topic_of=claims,
        note=lambda question: "",
    )
    return {tag: compiled.compile(questions, tag, anki_cards.set_formulas, where) for tag in bank.LANGUAGES}


@pytest.fixture(scope="module")
def book(root):
    """The questions of the book by id, and the notes of each language by id."""
    questions = [one for slug in CHAPTERS for one in bank.load(root / "chapters" / f"{slug}.questions.yml")]
    ledger = yaml.safe_load((root / "chapters" / "claims.yml").read_text(encoding="utf-8"))
    banks = compiled_banks(questions, {one["id"]: one["topic"] for one in ledger}, CHAPTERS)
    notes = {tag: {note.id: note for note in anki_cards.notes(one)} for tag, one in banks.items()}
    return {one.id: one for one in questions}, notes


@pytest.fixture
def notes_of(write):
    """``notes_of(record, …)``: the notes of these records, by language and id."""

    def make(*records):
        questions = bank.load(write(*records))
        claims = dict.fromkeys((claim for one in questions for claim in one.claims), "softmax")
        banks = compiled_banks(questions, claims, ["topic"])
        return {tag: {note.id: note for note in anki_cards.notes(one)} for tag, one in banks.items()}

    return make


def sides(note):
    """Front and back of a note's card as trees, its fields put into the note type."""
    kind = anki_types.note_type(note.type, note.language, None)
    fields = dict(zip(kind.fields, note.fields, strict=True))
    made = [re.sub(r"\{\{(.+?)\}\}", lambda match: fields[match[1]], side) for side in (kind.front, kind.back)]
    assert "{{" not in "".join(made)
    return [BeautifulSoup(one, "html.parser") for one in made]


def squeezed(text):
    return re.sub(r"\s", "", text)


def as_shown(text):
    """A text of the bank as a card shows it, by this test's own reading of its marks."""
    formulas = re.sub(r"(?<!\\)\$\s*([^$]+?)\s*(?<!\\)\$", r"\\(\1\\)", text)
    return squeezed(re.sub(r"`([^`]+)`", r"\1", formulas).replace(r"\$", "$"))


def filled(question, text):
    """The text of a number item as drawn for the chapter's page."""
    if question.kind != "number":
        return [text]
    item = numbers.draw(question, 0)
    wrong = item.distractors.values()
    return [numbers.fill(text, {**item.words(), "wrong": item.tolerance.show(value)}) for value in wrong]


# The names of mutants belong to the grader's report.
HIDDEN = re.compile(r"mutants\[|unit$")


@pytest.mark.parametrize("tag", bank.LANGUAGES)
def test_every_text_of_the_book_is_there_to_its_last_sign(book, tag):
    questions, notes = book
    seen = 0
    for name, question in questions.items():
        own = [note for note in notes[tag].values() if note.id == name or note.id.startswith(f"{name}.grade.")]
        shown = squeezed("".join(tree.get_text() for note in own for tree in sides(note)))
        for field, text in wording.texts(question, tag):
            if not HIDDEN.match(field):
                for paragraph in re.split(r"\n\s*\n", text.strip()):
                    seen += 1
                    assert any(as_shown(one) in shown for one in filled(question, paragraph)), (name, field)
    assert seen > 300


@pytest.mark.parametrize("tag", bank.LANGUAGES)
def test_formulas_are_set_by_anki_and_no_dollar_is_left(book, tag):
    questions, notes = book
    fields = [field for note in notes[tag].values() for field in note.fields]
    assert not [field for field in fields if "$" in field]
    assert sum(field.count(r"\(") for field in fields) == sum(field.count(r"\)") for field in fields) > 100
    for note in notes[tag].values():
        for tree in sides(note):
            assert not [one for one in tree.select("code") if r"\(" in one.text]
    formulas = {tex.strip() for one in questions.values() for _, text in wording.texts(one, tag)
                for tex in re.findall(r"(?<!\\)\$([^$]+?)(?<!\\)\$", text) if "<" not in tex}  # fmt: skip
    shown = "".join(BeautifulSoup(field, "html.parser").get_text() for field in fields)
    assert len(formulas) > 20 and not [tex for tex in formulas if rf"\({tex}\)" not in shown]


def test_signs_that_html_knows_arrive_as_they_were_written(records, notes_of):
    hostile = "1 < 2 & `a<b>c</b>` <script>x</script> $p<q \\& r>s$ \\$5 \"q\" 'q' &lt; 末尾"
    seen = "1<2&a<b>c</b><script>x</script>\\(p<q\\&r>s\\)$5\"q\"'q'&lt;末尾"
    choice = records["choice"]
    choice["question"]["ja"] = choice["options"][0]["text"]["ja"] = choice["options"][1]["why"]["ja"] = hostile
    records["explain"]["english_first_line"] = "If a <b, c> d & so on."
    notes = notes_of(choice, records["explain"])["ja"]
    front, back = sides(notes["topic.choice"])
    assert squeezed(front.get_text()).count(seen) == 2
    assert squeezed(back.get_text()).count(seen) == 4
    assert not front.find_all("script")
    assert all("$" not in field for field in notes["topic.choice"].fields)
    (english,) = sides(notes["scaling.why-sqrt-dk"])[1].select(".said[lang=en]")
    assert english.text == "If a <b, c> d & so on."


def test_the_code_of_a_question_keeps_its_lines_and_never_shows_the_model(records, notes_of):
    code = records["code"]
    code["starter"] = "def double(x):\n    if x < 2:\n        ...\n"
    for tag, notes in notes_of(code).items():
        front, back = sides(notes["topic.code"])
        assert front.select_one("pre").text == code["starter"].rstrip()
        grading = back.select("pre")[1].text
        assert grading == question_words.grade_call({"id": "topic.code", "function": "double"}, tag).rstrip()
        for hidden in (code["model"], code["equivalents"][0]["code"], "return"):
            assert hidden.strip() not in back.get_text()


def test_a_front_does_not_give_the_answer_away(book):
    questions, notes = book
    for tag, own in notes.items():
        words = WORDS[tag]
        for note in own.values():
            front, back = sides(note)
            text = squeezed(front.get_text())
            question = questions[note.id.split(".grade.")[0]]
            if note.id.endswith((".grade.weak", ".grade.acceptable", ".grade.strong")):
                sample = question["samples"][note.id.rsplit(".", 1)[1]]
                assert squeezed(sample[tag]) in text and squeezed(sample["why"][tag]) not in text
                assert not [words[name] for name in ("weak", "acceptable", "strong") if words[name] in text]
                assert len(back.select(".points.yes li")) == len(sample["earns"])
                assert len(back.select(".points.said li")) == len(sample.get("fatal", ()))
            elif question.kind == "choice":
                right = next(one for one in question["options"] if one.get("right"))
                assert len(front.select(".options li")) == len(question["options"])
                assert as_shown(right["why"][tag]) not in text and as_shown(right["why"][tag]) in squeezed(back.text)
                letter = next(one.b.text for one in front.select(".options li")
                              if squeezed(one.text).endswith(as_shown(right["text"][tag])))  # fmt: skip
                assert back.select_one(".result").text.startswith(letter)
            elif question.kind == "number":
                answer = numbers.draw(question).words()["answer"].replace("-", "−")
                assert answer not in front.get_text() and answer in back.select_one(".result").text
            elif question.kind == "explain":
                assert squeezed(question["question"][tag]) in text and not front.select("h2, details")
                assert len(back.select(".rubric > li")) == len(question["rubric"])
                must = [bool(one.select(".must")) for one in back.select(".rubric > li")]
                assert must == [point["must"] for point in question["rubric"]]
                assert len(back.select(".ask.small")) == len(question["follow_ups"]) + 2


def test_a_diagnosis_shows_its_measurements_first_and_its_cause_last(records, notes_of):
    front, back = sides(notes_of(records["diagnose"])["ja"]["topic.diagnose"])
    assert [one.text for one in front.select(".points li")] == ["std", "norm", "loss"]
    assert not front.find(string=re.compile("甲|乙"))
    assert back.select_one(".result").text == "甲"
    assert [one.text for one in back.select(".more h2")] == ["測定の結果", "ほかの原因"]
    assert back.select(".more .row")[0].text == "除外の根拠norm"


def test_each_side_says_its_language_and_holds_no_other(book):
    _, notes = book
    kana, simplified = re.compile("[ぁ-んァ-ヶ]"), re.compile("[这们吗说为对应样]")
    for tag, lang in (("ja", "ja"), ("zh-Hant", "zh-TW")):
        for note in notes[tag].values():
            for tree in sides(note):
                assert tree.select_one(".side")["lang"] == lang
                assert not (tag == "zh-Hant" and (kana.search(tree.text) or simplified.search(tree.text))), note.id


def test_the_fields_of_a_published_note_type_never_change():
    types = [anki_types.note_type(name, tag, None) for name in anki_types.FIELDS for tag in bank.LANGUAGES]
    assert {one.id: list(one.fields) for one in types} == PUBLISHED, (
        "fields were changed under an id that readers have: give that note type a new id in anki_types.IDS and add it "
        "here; say in the release that its notes come anew"
    )
    assert all(2**30 <= one.id < 2**31 for one in types)


def test_the_words_are_the_books():
    assert WORDS["ja"].keys() == WORDS["zh-Hant"].keys()
    shared = {"must", "weight", "fatal", "good_answer", "push_back", "deeper", "weak", "acceptable", "strong", "hint",
              "misconception", "ruled_out_by", "shows", "measurements", "core", "advanced", "research"}  # fmt: skip
    kinds = {"explain", "choice", "number", "expression", "code", "diagnose"}
    for tag, words in WORDS.items():
        page = question_words.WORDS[tag]
        assert {key: words[key] for key in shared | kinds} == {key: page[key] for key in shared | kinds}
        assert words["read"] == page["passage"]
        for field in ("answer_30s", "answer_2min", "rubric", "follow_ups"):
            assert words[f"field.{field}"] == page[field]
        assert words["book"] == interface.words(tag)["title"]


@pytest.mark.parametrize("tag", bank.LANGUAGES)
def test_the_buttons_are_called_as_in_anki(tag):
    buttons = {"ja": ("もう一度", "難しい", "正解"), "zh-Hant": ("重來", "困難", "良好")}[tag]
    for name in ("explain.mark", "grade.mark"):
        assert [one for one in buttons if f"「{one}」" not in WORDS[tag][name]] == []
