"""Questions on the page: the markup of the visual reference, both languages, and the directive in a real build."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from interview_book.book import questions
from interview_book.book.errors import Faults
from interview_book.book.question_words import WORDS, tolerance_words, unit_words
from interview_book.practice.tolerances import Tolerance

HERE = Path(__file__).parent
LANGUAGES = ["ja", "zh-Hant"]


def page(question, language, number=1):
    made = questions.html(question, language, number, lambda tex: f'<span class="m">{tex.replace("<", "&lt;")}</span>')
    return BeautifulSoup(made, "html.parser").section


@pytest.fixture(scope="module")
def explain():
    return questions.load(HERE.parent / "practice" / "calibration.yml")[0]


@pytest.fixture(scope="module")
def kinds():
    return {one.kind: one for one in questions.load(HERE / "kinds.questions.yml")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_explain_has_the_markup_of_the_reference(explain, language):
    section = page(explain, language, 3)
    assert section["class"] == ["question"] and section["id"] == "q-scaling.why-sqrt-dk"
    assert section["aria-label"] == {"ja": "質問 3", "zh-Hant": "第 3 題"}[language]
    assert [one["class"][0] for one in section.select("section > .q-meta:first-child > span")] == [
        "kind",
        "level",
        "time",
    ]
    assert section.select_one(".q-meta use")["href"] == "#i-voice"
    ask = section.select_one("section > .q-ask").text
    assert ask.startswith("「") and ask.endswith("」") and explain["question"][language] in ask
    titles = [one.text for one in section.select("section > details.fold > summary")]
    assert (
        titles
        == {
            "ja": ["回答例（30 秒）", "回答例（2 分）", "評価の観点", "三つの回答と評価", "追加の質問"],
            "zh-Hant": ["參考回答（30 秒）", "參考回答（2 分鐘）", "評分要點", "三種回答與評分", "追問"],
        }[language]
    )
    # Nothing stands open before the reader has answered.
    assert not section.select("details[open]")
    assert len(section.select("section > details.fold:nth-of-type(2) .said > p")) == 4
    assert section.select_one(".q-english")["lang"] == "en"


def test_rubric_and_samples_show_what_they_weigh(explain):
    section = page(explain, "ja")
    rows = section.select(".rubric > li")
    assert [len(row.select(".pips i")) for row in rows] == [3, 3, 2, 2]
    assert [bool(row.select(".must")) for row in rows] == [True, True, False, False]
    assert [one.text for one in rows[0].select("dt")] == ["言えた", "足りない"]
    assert len(section.select(".fatal li")) == 2
    captions = [(one.b.text, one.span.text, one.use["href"]) for one in section.select(".sample figcaption")]
    assert captions == [
        ("不足", "0 / 10", "#i-question"),
        ("合格ライン", "6 / 10", "#i-half"),
        ("優れた回答", "10 / 10", "#i-check"),
    ]


def test_follow_ups_end_with_push_back_and_deeper(explain):
    fold = page(explain, "zh-Hant").select("section > details.fold")[-1]
    asked = fold.select(".q-ask.small")
    assert len(asked) == len(fold.select("details.fold")) == 6
    assert [one.text for one in fold.select(".level")] == ["面試官反駁", "再往下問"]
    assert explain["push_back"]["ask"]["zh-Hant"] in asked[-2].text


def test_a_question_links_to_its_passage_if_it_has_one(explain, kinds):
    assert page(explain, "ja").select_one("a")["href"] == "#derivation"
    assert page(kinds["expression"], "ja").select("a") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_choice_names_the_misconception_of_each_wrong_option(kinds, language):
    question = kinds["choice"]
    section = page(question, language)
    shown = [one.text for one in section.select("ol.options > li")]
    assert sorted(shown) == sorted(one["text"][language] for one in question["options"])
    explained = section.select(".rubric > li")
    assert [row.select_one(".point").text for row in explained] == [
        f"{a}. {b}" for a, b in zip("ABC", shown, strict=True)
    ]
    for row, text in zip(explained, shown, strict=True):
        option = next(one for one in question["options"] if one["text"][language] == text)
        if option.get("right"):
            assert row.use["href"] == "#i-check" and WORDS[language]["right"] in row.text
        else:
            assert row.use["href"] == "#i-cross" and option["misconception"][language] in row.text


def test_the_order_of_options_is_one_for_both_languages_and_not_always_right_first(kinds):
    question = kinds["choice"]
    orders = []
    for language in LANGUAGES:
        ids = {one["text"][language]: one["id"] for one in question["options"]}
        orders.append([ids[one.text] for one in page(question, language).select("ol.options > li")])
    assert orders[0] == orders[1]
    first = set()
    for number in range(20):
        renamed = {**question, "id": f"kinds.choice-{number}"}
        first.add(page(renamed, "ja").select_one("ol.options > li").text)
    assert len(first) == 3


def test_written_text_is_escaped_and_its_maths_left_to_the_page(kinds):
    ask = page(kinds["choice"], "ja").select_one(".q-ask")
    assert ask.select_one(".m").text == "p < 1"
    assert ask.code.text == "p"
    assert "<b>" in ask.text and not ask.select("b") and "$" not in ask.text and "「" not in ask.text
    assert [one.tex for one in questions.pieces(kinds["choice"], "ja", 1) if isinstance(one, questions.Maths)] == [
        "p < 1",
        "p^2",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_number_shows_seed_0_its_answer_and_the_named_mistakes(kinds, language):
    # Seed 0 of two-scores.jacobian is [6, 0] / 5: p(1 - p) at 1.2 is 0.17789, at 6 it is 0.0024665, p is 0.76852.
    section = page(kinds["number"], language)
    assert [one.text for one in section.select(".q-ask .m")] == ["[6, 0]", "5"]
    assert [one.text for one in section.select(".rubric-meta")] == ["0.00247", "0.769", "−0.178"]
    assert (
        section.select_one(".fold .point").text == {"ja": "正解：0.178 ナット", "zh-Hant": "答案：0.178 nat"}[language]
    )
    notes = {
        "ja": "単位はナットです。正しい値との差が 1% 以内なら正解です。",
        "zh-Hant": "單位是 nat。和正確的值相差 1% 以內都算對。",
    }
    assert section.select_one(".fine").text == notes[language]
    assert not re.search(r"<\w+>", section.text)


@pytest.mark.parametrize(
    ("tolerance", "ja", "zh"),
    [
        (Tolerance("absolute", 0.001), "誤差 ±0.001 以内なら正解です。", "誤差在 ±0.001 以內都算對。"),
        (Tolerance("relative", 0.005), "正しい値との差が 0.5% 以内なら正解です。", "和正確的值相差 0.5% 以內都算對。"),
        (Tolerance("significant", 3), "有効数字 3 桁で答えてください。", "請取 3 位有效數字。"),
    ],
)
def test_the_tolerance_is_said(tolerance, ja, zh):
    assert tolerance_words(tolerance, "ja") == ja
    assert tolerance_words(tolerance, "zh-Hant") == zh


def test_no_unit_is_not_mentioned():
    assert unit_words("none", "ja") == unit_words("none", "zh-Hant") == ""


def test_expression_code_and_diagnose_are_rendered(kinds):
    expression = page(kinds["expression"], "ja")
    assert expression.select_one(".fold .m").text == "p(1-p)" and "p-p^2" in expression.text
    code = page(kinds["code"], "zh-Hant")
    assert [one.text.strip().splitlines()[-1].strip() for one in code.select("pre")] == [
        "return x if len(x) < 2 else ...",
        'grade("kinds.code", double, language="zh-Hant")',
    ]
    assert [one.summary.text for one in code.select("section > details")] == [
        "提示 1",
        "提示 2",
        "提示 3",
        "說明與常見的錯誤",
    ]
    assert code.select_one(".q-example").text == "例子：3 就是 6"
    diagnose = page(kinds["diagnose"], "ja")
    assert [one.text for one in diagnose.select("ul.options > li")] == ["標準偏差の比", "ノルム"]
    assert [one.summary.text for one in diagnose.select("section > details")] == ["測定の結果", "原因と解説"]
    wrong = diagnose.select(".rubric > li")[-1]
    assert [one.text for one in wrong.select("dd")] == ["ノルム", "ノルムは同じ"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_model_of_a_code_question_is_shown_nowhere(kinds, language):
    question = kinds["code"]
    made = questions.html(question, language, 1, str) + questions.markdown(question, language, 1)
    assert "return 2 * x" in question["model"] and "return 2 * x" not in made
    assert all(one["code"] not in made for one in (*question["equivalents"], *question["mutants"]))
    assert f'language="{language}"' in questions.html(question, language, 1, str)


def test_every_word_exists_in_both_languages():
    assert WORDS["ja"].keys() == WORDS["zh-Hant"].keys()
    assert not any(re.search("[\u3040-\u30ff]", word) for word in WORDS["zh-Hant"].values())
    assert all(word.count("{}") == WORDS["zh-Hant"][key].count("{}") for key, word in WORDS["ja"].items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_holds_the_other_language(explain, kinds, language):
    other = LANGUAGES[1 - LANGUAGES.index(language)]
    for question in [explain, *kinds.values()]:
        made = questions.html(question, language, 1, str) + questions.markdown(question, language, 1)
        assert question["question"][other] not in made
        for key in ("rubric", "options", "good_answer", "passage", "result"):
            assert WORDS[other][key] not in made


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_is_plain_and_closed(explain, kinds, language):
    for question in [explain, *kinds.values()]:
        made = questions.markdown(question, language, 2)
        assert made.startswith(f"### {WORDS[language]['question'].format(2)}（")
        assert made.count("<details>") == made.count("</details>") >= 1
        # CommonMark reads what stands between HTML blocks as Markdown only after an empty line.
        assert re.findall(r"</summary>(\n+)", made) == ["\n\n"] * made.count("<details>")
        assert "{" not in made.replace("\\frac{", "") and "<wrong>" not in made
    spoken = questions.markdown(explain, language, 1)
    assert r"√d\_model" in spoken and "[" in spoken and "](#derivation)" in spoken


def test_markdown_keeps_maths_and_code_as_they_are(kinds):
    made = questions.markdown(kinds["choice"], "ja", 1)
    assert "$p < 1$ のとき、`p` と &lt;b> は" in made


def test_faults_are_the_books_and_name_the_file_from_the_root(tmp_path):
    chapters = tmp_path / "chapters"
    chapters.mkdir()
    text = (HERE / "kinds.questions.yml").read_text(encoding="utf-8")
    (chapters / "kinds.questions.yml").write_text(text, encoding="utf-8")
    assert questions.faults(tmp_path) == []
    (chapters / "other.questions.yml").write_text(text.replace("chapter: kinds", "chapter: other"), encoding="utf-8")
    found = questions.faults(tmp_path)
    assert [(one.file, one.where, one.rule) for one in found[:1]] == [
        ("chapters/other.questions.yml", "question kinds.choice", "duplicate-id")
    ]
    assert len(found) == 5
    (chapters / "other.questions.yml").write_text(
        "questions:\n- {id: a.b, kind: essay}\n- {kind: essay}\n", encoding="utf-8"
    )
    with pytest.raises(Faults) as caught:
        questions.load(chapters / "other.questions.yml", tmp_path)
    assert [one.where for one in caught.value.faults] == ["question 2 kind", "question a.b kind"]
    assert questions.faults(tmp_path) == caught.value.faults


def test_faults_hold_those_of_speech(tmp_path):
    chapters = tmp_path / "chapters"
    chapters.mkdir()
    text = (HERE.parent / "practice" / "calibration.yml").read_text(encoding="utf-8")
    text = re.sub(r"chapter: \S+", "chapter: kinds", text).replace("光看這個還不能下結論。", "")
    (chapters / "kinds.questions.yml").write_text(text, encoding="utf-8")
    assert [(one.rule, one.where) for one in questions.faults(tmp_path)] == [
        ("speech", "question monitoring.low-entropy-one-head answer_30s.zh-Hant")
    ]


CONF = """
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
language = {language!r}
html_theme = "basic"
def setup(app):
    from interview_book.book import questions
    questions.register(app)
    app.add_html_math_renderer("test", inline_renderers=(inline, None), block_renderers=(inline, None))
def inline(self, node):
    from docutils.nodes import SkipNode
    self.body.append('<span class="m">' + node.astext().replace("<", "&lt;") + "</span>")
    raise SkipNode
html_math_renderer = "test"
"""


@pytest.fixture
def build(tmp_path):
    """Build one page with the directive; return (html, warnings, documents that were read)."""
    from io import StringIO

    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    source = tmp_path / "source"
    source.mkdir()

    def run(text, *, language="ja"):
        # Written once: Sphinx goes by the time of a file.
        if not (source / "conf.py").exists():
            (source / "conf.py").write_text(CONF.format(language=language), encoding="utf-8")
            (source / "index.md").write_text("# T\n\n```{questions} kinds\n```\n\nafter\n", encoding="utf-8")
        if text is not None:
            (source / "kinds.questions.yml").write_text(text, encoding="utf-8")
        warnings = StringIO()
        with patch_docutils(str(source)), docutils_namespace():
            app = Sphinx(
                str(source),
                str(source),
                str(tmp_path / "out"),
                str(tmp_path / "trees"),
                "html",
                status=None,
                warning=warnings,
            )
            read = []
            app.connect("source-read", lambda app, name, content: read.append(name))
            app.build()
        return (tmp_path / "out" / "index.html").read_text(encoding="utf-8"), warnings.getvalue(), read

    return run


@pytest.mark.parametrize(("language", "tag"), [("ja", "ja"), ("zh_TW", "zh-Hant")])
def test_the_directive_gives_the_same_html_with_the_pages_maths(build, kinds, language, tag):
    made, warnings, _ = build((HERE / "kinds.questions.yml").read_text(encoding="utf-8"), language=language)
    assert warnings == ""
    want = "".join(
        questions.html(one, tag, number, lambda tex: f'<span class="m">{tex.replace("<", "&lt;")}</span>')
        for number, one in enumerate(kinds.values(), start=1)
    )
    assert want in made
    assert made.index("q-kinds.diagnose") < made.index("after")


def test_a_changed_question_file_is_read_again_and_an_unchanged_one_is_not(build):
    text = (HERE / "kinds.questions.yml").read_text(encoding="utf-8")
    assert build(text)[2] == ["index"]
    assert build(None)[2] == []
    made, _, read = build(text.replace("エントロピーが低い", "損失が高い"))
    assert read == ["index"] and "損失が高い" in made


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        (None, "ja", "[missing-file] expected a question file"),
        ("questions: [{kind: essay}]", "ja", "kinds.questions.yml: question 1 kind: [choice]"),
        ("questions: []", "en", "expected language of an edition, got 'en'"),
    ],
)
def test_a_bad_file_is_a_warning_of_the_build(build, text, language, message):
    _, warnings, _ = build(text, language=language)
    assert message in warnings


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_leads_to_its_practice_where_there_is_such_a_page(explain, language):
    alone = BeautifulSoup(questions.html(explain, language, 1, str), "html.parser")
    assert not alone.select("a[href*=practise]")
    made = BeautifulSoup("".join(map(str, questions.pieces(explain, language, 1, "practice.html"))), "html.parser")
    (link,) = made.select("section > .q-passage > a[href*=practise]")
    assert link["href"] == "practice.html#practise=scaling.why-sqrt-dk"
    assert link.text == {"ja": "この質問を練習する", "zh-Hant": "練習這一題"}[language]
