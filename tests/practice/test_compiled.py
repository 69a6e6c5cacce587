"""The compiled bank: every text of the YAML arrives, escaped, in one language, with each formula set once."""

import html
import html.parser
import json
import math
import os
import re
import subprocess
import sys

import pytest
import yaml

from interview_book.practice import answers, bank, compiled, numbers
from interview_book.practice.compiled_text import UnsetFormulas
from interview_book.practice.faults import QuestionFaults
from interview_book.practice.tolerances import Tolerance

CHAPTERS = ("two-scores", "why-sqrt-dk")
SLOT = re.compile(r'<span class="f" data-f="(\d+)"></span>')


def setting(*chapters, topics=("softmax",), claims=None):
    return compiled.Setting(
        chapters={
            slug: {"title": f"<{slug}>", "href": f"{slug}.html", "notebook": f"{slug}.ipynb"} for slug in chapters
        },
        topics={key: f"name of {key}" for key in topics},
        topic_of=claims or {"a-claim": "softmax"},
        note=lambda question: f"note on {question.id}",
    )


class Set:
    """Stands for KaTeX: TeX between marks, and how often it was asked."""

    def __init__(self, bad=()):
        self.calls, self.bad = [], dict(bad)

    def __call__(self, formulas):
        self.calls.append(list(formulas))
        if self.bad:
            raise UnsetFormulas(self.bad)
        return {tex: f"[{html.escape(tex)}]" for tex in formulas}


@pytest.fixture(scope="module")
def book(root):
    """Both chapters: the records as YAML has them, the questions, and both languages compiled."""
    files = {slug: root / "chapters" / f"{slug}.questions.yml" for slug in CHAPTERS}
    raw = {one["id"]: one for path in files.values()
           for one in yaml.safe_load(path.read_text(encoding="utf-8"))["questions"]}  # fmt: skip
    questions = [one for path in files.values() for one in bank.load(path)]
    ledger = yaml.safe_load((root / "chapters" / "claims.yml").read_text(encoding="utf-8"))
    claims = {one["id"]: one["topic"] for one in ledger}
    where = setting(*CHAPTERS, topics=dict.fromkeys(claims.values()), claims=claims)
    made = {tag: compiled.compile(questions, tag, Set(), where) for tag in bank.LANGUAGES}
    return raw, questions, made


def records(one):
    return {name: (part, record) for part in one["parts"].values() for name, record in part["records"].items()}


def original(text, part):
    """Undo the HTML: what the author wrote."""
    text = SLOT.sub(lambda slot: f"${html.unescape(part['formulas'][int(slot[1])][1:-1])}$", text)
    return html.unescape(re.sub(r"</?code>", "`", text))


@pytest.mark.parametrize("tag", bank.LANGUAGES)
def test_every_written_and_spoken_text_arrives(book, tag):
    raw, _, made = book
    for name, (part, record) in records(made[tag]).items():
        source = raw[name]

        def same(shown, texts, part=part):
            assert original(shown, part) == texts[tag].strip()

        def spoken(shown, texts):
            assert "\n\n".join(map(html.unescape, shown)) == texts[tag].strip()

        match source["kind"]:
            case "explain":
                same(record["ask"], source["question"])
                spoken(record["answer30"], source["answer_30s"])
                spoken(record["answer120"], source["answer_2min"])
                assert record["english"] == source["english_first_line"]
                for shown, point in zip(record["rubric"], source["rubric"], strict=True):
                    assert (shown["id"], shown["weight"], shown["must"]) == (
                        point["id"], point["weight"], point["must"])  # fmt: skip
                    for mine, theirs in (("point", "point"), ("counts", "counts_if"), ("lacks", "not_enough")):
                        same(shown[mine], point[theirs])
                for shown, said in zip(record["fatal"], source["fatal"], strict=True):
                    same(shown, said)
                for shown, (sample, said) in zip(record["samples"], source["samples"].items(), strict=True):
                    spoken(shown["text"], said)
                    same(shown["why"], said["why"])
                    earned = sum(one["weight"] for one in source["rubric"] if one["id"] in said["earns"])
                    assert (shown["name"], shown["points"], shown["earns"]) == (sample, earned, said["earns"])
                    assert shown["fatal"] == said.get("fatal", [])
                    assert shown["total"] == sum(one["weight"] for one in source["rubric"])
                for shown, asked in zip(record["followUps"], source["follow_ups"], strict=True):
                    assert (shown["id"], shown["missing"]) == (asked["id"], asked["when_missing"])
                for mine, theirs in (("pushBack", "push_back"), ("deeper", "deeper")):
                    same(record[mine]["ask"], source[theirs]["ask"])
                    spoken(record[mine]["answer"], source[theirs]["good_answer"])
            case "choice":
                same(record["ask"], source["question"])
                options = {one["id"]: one for one in source["options"]}
                assert sorted(one["id"] for one in record["options"]) == sorted(options)
                assert sum(one["right"] for one in record["options"]) == 1
                for shown in record["options"]:
                    option = options[shown["id"]]
                    same(shown["text"], option["text"])
                    same(shown["why"], option["why"])
                    if shown["right"]:
                        assert shown["misconception"] is None
                    else:
                        same(shown["misconception"], option["misconception"])
            case "expression":
                same(record["ask"], source["question"])
                same(record["solution"], source["solution"])
                assert original(record["answerHtml"], part) == f"${source['tex']}$"
                assert [one["name"] for one in record["variables"]] == list(source["variables"])
                assert record["answer"] == source["answer"] and record["equivalents"] == source["equivalents"]
            case "code":
                for field in ("question", "example", "solution"):
                    same(record["ask" if field == "question" else field], source[field])
                for shown, hint in zip(record["hints"], source["hints"], strict=True):
                    same(shown, hint)
                assert (record["function"], record["starter"]) == (source["function"], source["starter"])
                assert record["notebook"] == f"{source['chapter']}.ipynb"
            case "number":
                assert record["note"] == f"note on {name}"
            case kind:
                pytest.fail(f"say what arrives of a question of kind {kind}")


@pytest.mark.parametrize("tag", bank.LANGUAGES)
def test_each_number_has_its_twenty_items(book, tag):
    raw, questions, made = book
    all_records = records(made[tag])
    drawn = [one for one in questions if one.kind == "number"]
    assert len(drawn) >= 7
    for question in drawn:
        part, record = all_records[question.id]
        assert len(record["items"]) == 20
        assert len({one["ask"] for one in record["items"]}) > 10
        tolerance = Tolerance(**record["tolerance"])
        for seed, item in enumerate(record["items"]):
            assert item["answer"] == numbers.draw(question, seed).answer
            # What is shown is read, and right; every distractor is read, and wrong.
            assert answers.judge(item["shown"], item["answer"], tolerance).verdict == "right"
            for wrong in item["distractors"]:
                assert answers.judge(wrong["shown"], item["answer"], tolerance).verdict == "wrong"
                assert wrong["name"] and wrong["why"]
            shown = original(item["ask"] + item["solution"], part)
            assert not re.search(r"<[a-z_]+>", shown), shown
        assert len(record["items"][0]["distractors"]) == len(raw[question.id]["distractors"])
        assert all(answers.judge(record["example"], one["answer"], tolerance).verdict == "wrong"
                   for one in record["items"])  # fmt: skip


def test_items_are_right_by_hand(book):
    """Softmax of [a, 0] divided by c, with a and c taken from what the learner reads."""
    _, _, made = book
    part, record = records(made["ja"])["two-scores.weight-after-division"]
    for item in record["items"]:
        ask = original(item["ask"], part)
        a, c = re.search(r"\$\[([-\d.]+), 0\]\$.*\$([\d.]+)\$ で割って", ask).groups()
        assert math.isclose(item["answer"], 1 / (1 + math.exp(-float(a) / float(c))), rel_tol=1e-12)


@pytest.mark.parametrize("tag", bank.LANGUAGES)
def test_cards_of_the_index(book, root, tag):
    raw, _, made = book
    index, known = made[tag]["index"], records(made[tag])
    cards = index["cards"]
    assert index["version"] == 1 and index["language"] == tag
    assert [one["id"] for one in cards if "of" not in one] == list(raw), "in the order of the book"
    assert len({one["id"] for one in cards}) == len(cards)
    explains = [one for one in cards if one["kind"] == "explain"]
    marked = [one for one in cards if one["kind"] == "grade"]
    assert len(marked) == 3 * len(explains)
    for card in cards:
        part, record = known[card.get("of", card["id"])]
        assert card["chapter"] == part["chapter"] and card["topic"] in index["topics"]
        source = raw[card.get("of", card["id"])]
        assert (card["level"], card["frequency"], card["roles"]) == (
            source["level"], source["frequency"], source["roles"])  # fmt: skip
        assert card["href"] == f"{source['chapter']}.html#{source['passage']}"
        if "of" in card:
            assert card["id"] == f"{card['of']}.grade.{card['sample']}" and card["seconds"] == 60
            assert card["sample"] in [one["name"] for one in record["samples"]]
        else:
            seconds = {"explain": 300, "choice": 20, "number": 75, "expression": 120, "code": 1200, "diagnose": 240}
            assert card["seconds"] == seconds[card["kind"]]
    ledger = yaml.safe_load((root / "chapters" / "claims.yml").read_text(encoding="utf-8"))
    used = {card["topic"] for card in cards}
    assert list(index["topics"]) == [one for one in dict.fromkeys(claim["topic"] for claim in ledger) if one in used]
    first = {claim["id"]: claim["topic"] for claim in ledger}
    assert all(card["topic"] == first[raw[card.get("of", card["id"])]["claims"][0]] for card in cards)


def test_both_languages_have_the_same_cards(book):
    _, _, made = book
    ja, zh = (made[tag]["index"]["cards"] for tag in bank.LANGUAGES)
    assert ja == zh
    assert made["ja"]["index"]["digest"] != made["zh-Hant"]["index"]["digest"]


def test_each_formula_is_asked_for_once_and_every_slot_is_filled_and_used(book):
    _, questions, _ = book
    known = {claim: "softmax" for one in questions for claim in one.claims}
    asked = Set()
    made = compiled.compile(questions, "ja", asked, setting(*CHAPTERS, claims=known))
    (formulas,) = asked.calls
    assert len(formulas) == len(set(formulas)) > 100
    for part in made["parts"].values():
        used = {int(one) for one in SLOT.findall("\n".join(strings(part["records"])))}
        assert used == set(range(len(part["formulas"])))
        assert len(set(part["formulas"])) == len(part["formulas"])
        assert not [text for text in strings(part["records"]) if "$" in text]


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


class Balance(html.parser.HTMLParser):
    """The tags of a fragment, and what is still open at its end."""

    def __init__(self, text):
        super().__init__()
        self.open, self.names = [], set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.names.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("tag", bank.LANGUAGES)
def test_texts_are_whole_fragments_of_harmless_html(book, tag):
    _, _, made = book
    for part, record in records(made[tag]).values():
        for text in strings(record):
            one = Balance(text)
            assert one.open == [] and one.names <= {"span", "code"}, text
        assert part["formulas"]


def test_signs_of_html_are_escaped(records, write):
    choice = records["choice"]
    evil = "</script><script>alert(1)</script> $a<b$ & `x < y`"
    choice["question"] = {"ja": evil, "zh-Hant": evil}
    (question,) = bank.load(write(choice))
    made = compiled.compile([question], "ja", Set(), setting("topic"))
    part = made["parts"]["topic"]
    assert part["records"]["topic.choice"]["ask"] == (
        "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; "
        '<span class="f" data-f="0"></span> &amp; <code>x &lt; y</code>'
    )
    assert part["formulas"][0] == "[a&lt;b]"


@pytest.mark.parametrize("text", ["</script>", "<!-- <script>", "a\u2028b\u2029c", 'quote " and \\ and </', "𝒙 日本"])
def test_a_script_is_one_line_that_javascript_reads_back(text):
    from interview_book.book import node

    written = compiled.script({"part": {"text": text}})
    assert "</" not in written and "<!--" not in written and "\u2028" not in written and "\u2029" not in written
    assert written.startswith("interviewBookDeck({") and written.endswith("});\n") and written.count("\n") == 1
    show = f"globalThis.interviewBookDeck = one => process.stdout.write(JSON.stringify(one));\n{written}"
    assert json.loads(node.run_node(["-"], input=show).stdout) == {"part": {"text": text}}


def test_the_same_bytes_under_another_hash_seed(root):
    code = (
        "from pathlib import Path; from interview_book.practice import bank, compiled\n"
        "q = bank.load(Path('chapters/two-scores.questions.yml'))\n"
        "s = compiled.Setting({'two-scores': {'title': 't', 'href': 'h'}}, {'t': 'T'},"
        " {c: 't' for one in q for c in one.claims}, lambda one: '')\n"
        "print(compiled.script(compiled.compile(q, 'ja', lambda f: {one: one for one in f}, s)))"
    )
    said = {
        subprocess.run([sys.executable, "-c", code], cwd=root, env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1 and len(said.pop()) > 10_000


@pytest.mark.parametrize(
    ("kind", "spoil", "field"),
    [
        ("choice", lambda one: one["options"][2]["why"].update(ja=r"$\oops$"), "options[2].why.ja"),
        ("choice", lambda one: one["question"].update(ja=r"$\oops$"), "question.ja"),
        ("explain", lambda one: one["rubric"][1]["point"].update(ja=r"$\oops$"), "rubric[1].point.ja"),
        ("explain", lambda one: one["samples"]["weak"]["why"].update(ja=r"$\oops$"), "samples.weak.why.ja"),
        ("number", lambda one: one["distractors"][1]["why"].update(ja=r"<wrong> $\oops$"), "distractors[1].why.ja"),
        ("expression", lambda one: one.update(tex=r"\oops"), "tex"),
        ("expression", lambda one: one["variables"]["p"].update(tex=r"\oops"), "variables.p.tex"),
        ("diagnose", lambda one: one["causes"][1]["text"].update(ja=r"$\oops$"), "causes[1].text.ja"),
    ],
)
def test_a_formula_that_cannot_be_set_is_named_with_file_question_and_field(records, write, kind, spoil, field):
    spoil(records[kind])
    (question,) = bank.load(write(records[kind]))
    claims = {claim: "softmax" for claim in question.claims}
    with pytest.raises(QuestionFaults) as caught:
        compiled.compile(
            [question], "ja", Set({r"\oops": "Undefined control sequence"}), setting("topic", claims=claims)
        )
    (fault,) = caught.value.faults
    assert (fault.file, fault.question, fault.field) == ("chapters/topic.questions.yml", question.id, field)
    assert fault.got == r"«\oops»: Undefined control sequence" and fault.rule == "formula"


@pytest.mark.parametrize("kind", ["code", "diagnose"])
def test_kinds_that_no_chapter_has_yet(records, write, kind):
    (question,) = bank.load(write(records[kind]))
    made = compiled.compile([question], "zh-Hant", Set(), setting("topic"))
    record = made["parts"]["topic"]["records"][question.id]
    source = records[kind]
    if kind == "code":
        assert (record["function"], record["starter"]) == (source["function"], source["starter"])
        everything = json.dumps(record)
        assert source["model"].splitlines()[1].strip() not in everything, "the model solution stays out of the page"
        assert source["mutants"][0]["code"].splitlines()[1].strip() not in everything
    else:
        assert [one["id"] for one in record["measurements"]] == ["std", "norm", "loss"]
        causes = {one["id"]: one for one in record["causes"]}
        assert causes["no-scale"]["right"] and causes["no-scale"]["ruledOutBy"] is None
        assert causes["learned"]["ruledOutBy"] == "norm" and record["needs"] == ["std"]


def test_what_the_setting_does_not_know_is_an_error(records, write):
    (question,) = bank.load(write(records["choice"]))
    with pytest.raises(ValueError, match=r"topic\.choice: expected a chapter of other, got 'topic'"):
        compiled.compile([question], "ja", Set(), setting("other"))
    with pytest.raises(ValueError, match=r"topic\.choice: expected a claim of the ledger, got 'a-claim'"):
        compiled.compile([question], "ja", Set(), setting("topic", claims={"b": "softmax"}))
    with pytest.raises(ValueError, match="expected a name for each topic, got none for masks"):
        compiled.compile([question], "ja", Set(), setting("topic", claims={"a-claim": "masks"}))
    with pytest.raises(ValueError, match=r"topic\.choice: expected each id once"):
        compiled.compile([question, question], "ja", Set(), setting("topic"))


def test_the_digest_follows_every_text(records, write):
    def digest():
        return compiled.compile(bank.load(write(records["choice"])), "ja", Set(), setting("topic"))["index"]["digest"]

    before = digest()
    assert digest() == before
    records["choice"]["options"][0]["why"]["ja"] = "別の理由"
    assert digest() != before
