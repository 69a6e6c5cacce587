import copy
import json
import shutil
from pathlib import Path

import nbformat
import pytest
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.parsers.mdit import create_md_parser

from interview_book.book.errors import BookError
from interview_book.book.languages import LANGUAGES
from interview_book.book.notebooks import chapters, read
from interview_book.book.plain import convert, names, plain_file, wheel_name
from interview_book.book.plain_markdown import rewrite
from interview_book.book.question_words import WORDS


def passage(name, ja, zh, **ours):
    return [
        {
            "cell_type": "markdown",
            "id": f"{name}-{tag}",
            "metadata": {"tags": [f"lang-{tag}"], "book": ours},
            "source": text,
        }
        for tag, text in (("ja", ja), ("zh-Hant", zh))
    ]


def formula(name, source):
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def code(name, source, outputs=(), **ours):
    metadata = {"tags": ["remove-input"], "book": ours} if ours else {}
    return {
        "cell_type": "code",
        "execution_count": 7,
        "id": name,
        "metadata": metadata,
        "outputs": list(outputs),
        "source": source,
    }


def notebook(*cells):
    flat = [one for cell in cells for one in (cell if isinstance(cell, list) else [cell])]
    spec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return {"cells": flat, "metadata": {"kernelspec": spec, "book": {"x": 1}}, "nbformat": 4, "nbformat_minor": 5}


SVG = {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": "<svg/>", "text/plain": "Figure"}}
WIDGET = {
    "output_type": "execute_result",
    "execution_count": 7,
    "metadata": {},
    "data": {
        "text/html": '<div><p lang="ja">重み</p><p lang="zh-Hant">權重</p></div>',
        "text/plain": "TwoScores()",
        "application/vnd.jupyter.widget-view+json": {"model_id": "abc"},
    },
}
FIGURE = {
    "name": "fig-walk",
    "caption": {"ja": "[Query]{.role .q} の歩み $d_k$", "zh-Hant": "[Query]{.role .q} 走的路 $d_k$"},
    "alt": {"ja": "線", "zh-Hant": "線"},
}


@pytest.fixture
def book(tmp_path, root):
    """A book of a landing page and two chapters that point at each other in every way we write."""
    folder = tmp_path / "chapters"
    folder.mkdir()
    toc = "format: jb-book\nroot: chapters/index\nparts:\n- chapters: [{file: chapters/alpha}, {file: chapters/beta}]\n"
    (tmp_path / "_toc.yml").write_text(toc, encoding="utf-8")
    (folder / "references.bib").write_text(
        "@misc{one2017, author={Vaswani, Ashish and Shazeer, Noam and Parmar, Niki}, title={Scores}, year={2017}}\n"
        "@misc{two2020, author={Ba, Jimmy and Kiros, Jamie}, title={Norm}, year={2020}}\n"
        "@article{bare, author={Ba, Jimmy}, title={Norm}, year={2020}}\n",
        encoding="utf-8",
    )
    (folder / "terms.yml").write_text(
        "- {key: dot-product, en: dot product, ja: 内積, kana: ないせき, ja_said: 内積, "
        "zh-Hant: 內積, zh_said: 內積}\n",
        encoding="utf-8",
    )
    shutil.copy(root / "chapters" / "two-scores.questions.yml", folder / "two-scores.questions.yml")
    alpha = notebook(
        passage("title", "(alpha-title)=\n# 甲の[章]{.c}", "(alpha-title)=\n# 甲[章]{.c}"),
        passage("h-short", "(short-answer)=\n## 短く", "(short-answer)=\n## 簡短"),
        passage("h-weights", "(weights)=\n## 重み", "(weights)=\n## 權重"),
        passage("h-raw", "(raw-gradient)=\n## 勾配", "(raw-gradient)=\n## 梯度"),
        formula("first", "$$\na = b\n$$ (first)"),
        formula("unnumbered", "$$\nc = d\n$$"),
        formula("second", "$$e = f$$ (second)"),
        passage(
            "text",
            "[Query]{.role .q} は式 {eq}`second` と{numref}`fig-walk`、{eq}`beta-law` を見る "
            "{cite:p}`one2017,two2020` 。\n\n"
            "{.lead}\n[重み](#weights)、[](#raw-gradient)、[乙](beta.ipynb)、[乙の節](beta.ipynb#beta-part)、"
            "{ref}`beta-part`、{doc}`beta`、[表紙](index.ipynb)、[外](https://example.org/a_(b))、[段落](#p-note)、"
            "{cite:t}`two2020` は\\{eq}。",
            "[Query]{.role .q} 看式 {eq}`second`、{numref}`fig-walk` 和 {eq}`beta-law`（{cite:t}`one2017`）。\n\n"
            "[權重](#weights)、[](#raw-gradient)、[乙](beta.ipynb)、[乙的一節](beta.ipynb#beta-part)。",
        ),
        passage(
            "note", "```{tip} 面接で\n`x`{.python} は $x_{[1]}$。\n\n- 一\n- 二\n```", "```{tip} 面試時\n好。\n```"
        ),
        passage("warn", "````{warning}\n内\n```{note}\n深い[所]{.a}\n```\n````", "```{warning}\n內\n```"),
        passage("many", "% 消える\n用語\n: 意味 $a$\n\n注[^n]。\n\n[^n]: 脚注 {eq}`first`", "很多[^n]。\n\n[^n]: 註腳"),
        code("walk", "figure()", [SVG], figure=FIGURE, values={"4": "a"}),
        code("widget", "TwoScores()", [WIDGET]),
        passage("list", "```{questions} two-scores\n```", "```{questions} two-scores\n```"),
        passage("sources", "```{bibliography}\n:filter: docname in docnames\n```", "```{bibliography}\n```"),
    )
    beta = notebook(
        passage("title", "(beta-title)=\n# 乙", "(beta-title)=\n# 乙"),
        passage("h-part", "(beta-part)=\n## 乙の節", "(beta-part)=\n## 乙的一節"),
        formula("law", "$$\nx\n$$ (beta-law)"),
        passage("cites", "{numref}`fig-walk` と {cite:p}`two2020`", "見{numref}`fig-walk`{cite:p}`two2020`"),
        passage("terms", "```{terms}\n```", "```{terms}\n```"),
    )
    index = notebook(passage("title", "(top)=\n# 表紙", "(top)=\n# 封面"))
    for name, one in (("index", index), ("alpha", alpha), ("beta", beta)):
        (folder / f"{name}.ipynb").write_text(json.dumps(one, ensure_ascii=False), encoding="utf-8")
    return tmp_path


def text(made, name):
    return next(cell["source"] for cell in made["cells"] if cell["id"] == name)


def myst_left(markdown):
    """What a MyST parser still finds in ``markdown`` that CommonMark with tables and maths has not."""
    config = MdParserConfig(enable_extensions={"attrs_block", "attrs_inline", "deflist", "dollarmath", "colon_fence"})
    found = []

    def walk(tokens):
        for token in tokens:
            odd = (
                token.type.startswith(("myst_", "footnote", "dl_", "span_", "colon_fence"))
                or token.type == "math_block_label"
            )
            odd |= token.type == "fence" and token.info.startswith("{")
            odd |= bool(set(token.attrs) - {"href", "src", "alt", "title", "start", "style"})
            if odd:
                found.append((token.type, token.content, token.attrs))
            walk(token.children or [])

    walk(create_md_parser(config, DocutilsRenderer).parse(markdown))
    return found


def test_references_become_text_numbers_and_file_links(book):
    made = plain_file(book, "alpha", "ja")
    assert text(made, "title") == '<a id="alpha-title"></a>\n\n# 甲の章'
    assert text(made, "first") == '<a id="first"></a>\n\n$$\na = b \\tag{1}\n$$'
    assert text(made, "unnumbered") == "$$\nc = d\n$$"
    assert text(made, "second") == '<a id="second"></a>\n\n$$\ne = f \\tag{2}\n$$'
    assert text(made, "text") == (
        "Query は式 (2) と図 1、[(1)](beta.ipynb#beta-law) を見る（Vaswani ほか、2017；Ba・Kiros、2020）。\n\n"
        "[重み](#weights)、[勾配](#raw-gradient)、[乙](beta.ipynb)、[乙の節](beta.ipynb#beta-part)、"
        "[乙の節](beta.ipynb#beta-part)、[乙](beta.ipynb)、表紙、[外](https://example.org/a_(b))、[段落](#p-note)、"
        "Ba・Kiros（2020） は\\{eq}。"
    )
    made = plain_file(book, "alpha", "zh-Hant")
    assert text(made, "text") == (
        "Query 看式 (2)、圖 1 和 [(1)](beta.ipynb#beta-law)（Vaswani 等人（2017））。\n\n"
        "[權重](#weights)、[梯度](#raw-gradient)、[乙](beta.ipynb)、[乙的一節](beta.ipynb#beta-part)。"
    )
    assert text(plain_file(book, "beta", "zh-Hant"), "cites") == "見[圖 1](alpha.ipynb#fig-walk)（Ba 與 Kiros，2020）"


def test_blocks_become_markdown(book):
    made = plain_file(book, "alpha", "ja")
    assert text(made, "note") == ('<a id="p-note"></a>\n\n> **面接で**\n>\n> `x` は $x_{[1]}$。\n>\n> - 一\n> - 二')
    assert text(made, "warn") == "> **警告**\n>\n> 内\n> > **補足**\n> >\n> > 深い所"
    assert text(made, "many") == "**用語**\n\n> 意味 $a$\n\n注<sup>1</sup>。\n\n<sup>1</sup> 脚注 (1)"
    assert text(made, "walk-caption") == '<a id="fig-walk"></a>**図 1**\u3000Query の歩み $d_k$'
    assert [cell["id"] for cell in made["cells"]].index("walk-caption") == [cell["id"] for cell in made["cells"]].index(
        "walk"
    ) + 1
    assert text(made, "sources") == (
        "- Ashish Vaswani, Noam Shazeer, and Niki Parmar\\. Scores\\. 2017\\.\n"
        "- Jimmy Ba and Jamie Kiros\\. Norm\\. 2020\\."
    )
    assert text(made, "list").count("\n### 質問 ") == 5
    assert "[この節を読む](#short-answer)" in text(made, "list")


def test_a_chapter_that_lists_no_sources_gets_them_at_its_end(book):
    made = plain_file(book, "beta", "ja")
    assert made["cells"][-1]["source"] == "## 参考文献\n\n- Jimmy Ba and Jamie Kiros\\. Norm\\. 2020\\."
    assert "参考文献" not in json.dumps(plain_file(book, "alpha", "ja"), ensure_ascii=False)


def test_the_glossary_is_a_table(book):
    assert text(plain_file(book, "beta", "ja"), "terms").splitlines()[2] == (
        '| <a id="term-dot-product"></a>内積 | ないせき | 内積 | dot product | <span lang="zh-Hant">內積</span> |'
    )
    assert text(plain_file(book, "beta", "zh-Hant"), "terms").splitlines()[2] == (
        '| <a id="term-dot-product"></a>內積 | 內積 | dot product | <span lang="ja">内積</span> |'
    )


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_notebook_is_valid_fresh_and_in_one_language(book, tag):
    path = book / "chapters" / "alpha.ipynb"
    given = read(path)
    before = copy.deepcopy(given)
    made = convert(given, tag, slug="alpha", root=book)
    assert given == before
    nbformat.validate(nbformat.from_dict(made))
    assert made["metadata"] == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert all(cell["metadata"] == {} for cell in made["cells"])
    walk, widget = (cell for cell in made["cells"] if cell["cell_type"] == "code")
    assert walk["outputs"] == [SVG]
    shown = {"ja": '<div><p lang="ja">重み</p></div>', "zh-Hant": '<div><p lang="zh-Hant">權重</p></div>'}[tag]
    assert widget["outputs"][0]["data"] == {"text/html": shown, "text/plain": "TwoScores()"}
    assert (widget["execution_count"], widget["outputs"][0]["execution_count"]) == (7, 7)
    assert "widget-view" not in json.dumps(made)
    assert [cell["id"] for cell in made["cells"]][:3] == ["about-this-notebook", "title", "h-short"]


@pytest.mark.parametrize("tag", LANGUAGES)
def test_no_myst_is_left(book, root, tag):
    for place, slugs in ((book, ("alpha", "beta")), (root, names(root, tag))):
        for slug in slugs:
            for cell in plain_file(place, slug, tag)["cells"]:
                if cell["cell_type"] == "markdown":
                    assert myst_left(cell["source"]) == [], (slug, cell["id"])


def test_the_oracle_of_the_test_above_sees_myst(book):
    for cell in read(book / "chapters" / "alpha.ipynb")["cells"]:
        if cell["id"] in ("title-ja", "first", "text-ja", "note-ja", "warn-ja", "many-ja", "list-ja", "sources-ja"):
            assert myst_left(cell["source"]), cell["id"]


def test_the_first_cell_says_what_this_is_and_how_to_install(book):
    url = "https://book.example/site/"
    here, there = (plain_file(book, "alpha", tag, url)["cells"][0]["source"] for tag in ("ja", "zh-Hant"))
    assert "『AI 面接問題集』の「甲の章」" in here
    assert "《AI 面試題庫》的〈甲章〉" in there
    for tag, told in (("ja", here), ("zh-Hant", there)):
        assert f"```sh\npip install https://book.example/site/wheel/{wheel_name()}\n```" in told
        assert f"(https://book.example/site/{tag}/chapters/alpha.html)" in told
    local = plain_file(book, "alpha", "ja")["cells"][0]["source"]
    assert f"pip install wheel/{wheel_name()}" in local
    assert "http" not in local and "サイトのフォルダー" in local


def test_pages_that_only_the_site_has_need_its_address(book):
    text_of = text(plain_file(book, "alpha", "ja", "https://book.example"), "text")
    assert "[表紙](https://book.example/ja/chapters/index.html)" in text_of


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("{eq}`nowhere`", "expected a label 'nowhere'"),
        ("{eq}`weights`", "expected 'weights' to name a equation, it names a section"),
        ("{numref}`first`", "expected 'first' to name a figure, it names a equation"),
        ("[節](#nowhere)", "expected a label 'nowhere'"),
        ("[章](gamma.ipynb)", "expected a chapter, got a link to 'gamma.ipynb'"),
        ("[章](beta.ipynb#weights)", "expected a label 'weights'"),
        ("{cite:p}`nobody`", "expected an entry 'nobody'"),
        ("{cite:p}`bare`\n\n```{bibliography}\n```", "expected complete entries, got: missing journal in bare"),
        ("{bogus}`x`", "expected a role that has a plain form, got {bogus}`x`"),
        ("```{bogus}\n```", "expected a directive that has a plain form, got {bogus}"),
        ("$$\na", "expected $$ that closes the formula"),
    ],
)
def test_what_has_no_plain_form_is_an_error_with_its_cell(book, broken, told):
    given = read(book / "chapters" / "alpha.ipynb")
    place = next(n for n, cell in enumerate(given["cells"]) if cell["id"] == "note-ja")
    given["cells"][place]["source"] = broken
    with pytest.raises(BookError) as caught:
        convert(given, "ja", slug="alpha", root=book)
    assert told in str(caught.value)
    assert str(caught.value).startswith("alpha: cell ")
    assert "(note-ja)" in str(caught.value)


def test_unknown_chapters_and_editions_are_named(book):
    with pytest.raises(BookError, match=r"expected a chapter of _toc.yml \(alpha, beta\), got 'index'"):
        plain_file(book, "index", "ja")
    with pytest.raises(BookError, match="unknown edition 'zh'"):
        plain_file(book, "alpha", "zh")
    given = read(book / "chapters" / "alpha.ipynb")
    next(cell for cell in given["cells"] if cell["id"] == "walk")["metadata"]["book"]["figure"]["caption"].pop("ja")
    with pytest.raises(BookError, match=r"expected metadata.book.figure.caption\['ja'\], found none"):
        convert(given, "ja", slug="alpha", root=book)


class _Nothing:
    """References for texts that refer to nothing."""

    tag = "ja"

    def link(self, shown, target, image):
        return f"{'!' if image else ''}[{shown}]({target})"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("区間 [0, 1) と a[i](x) と配列 `[a]{.b}` と $[x]{y}$", None),
        ("```python\nx = {eq}`a`\n(label)=\n```", None),
        ("<div class=\"twin\"><p lang='ja'>{eq}</p></div>", None),
        ("| a | b |\n| --- | --- |\n| $x$ | `y` |", None),
        ("**太字**と*強調*と\\*星\\*", None),
        ("![図](a.svg){width=50%}", "![図](a.svg)"),
        ("[開く](a.html){.button .primary}", "[開く](a.html)"),
        ("[**太** `c`]{#here .x}", '<a id="here"></a>**太** `c`'),
        ("{math}`a_b` と {sub}`2` と {strong}`重要`", "$a_b$ と <sub>2</sub> と **重要**"),
        ("- 項目\n  ```{note}\n  中\n  ```", "- 項目\n  > **補足**\n  >\n  > 中"),
        ("```{math}\n:label: x\na\n```", "$$\na \\tag{1}\n$$"),
        ("```{code-block} python\n:linenos:\nx = 1\n```", "```python\nx = 1\n```"),
        ("> 引用 [a]{.b}\n>\n> $$\n> x\n> $$", "> 引用 a\n>\n> $$\n> x\n> $$"),
    ],
)
def test_syntax_case_by_case(given, expected):
    refs = _Nothing()
    refs.number = lambda label: 1
    assert rewrite(given, refs) == (given if expected is None else expected)


def test_every_chapter_of_the_book_has_a_plain_form(root):
    for tag in LANGUAGES:
        known = names(root, tag)
        assert list(known) == [path.stem for path in chapters(root)][1:]
        for slug in known:
            made = plain_file(root, slug, tag)
            nbformat.validate(nbformat.from_dict(made))
            assert len(made["cells"]) > 2


@pytest.mark.parametrize("tag", ["ja", "zh-Hant"])
def test_a_function_is_written_and_graded_in_cells_of_their_own(root, tag):
    cells = plain_file(root, "why-sqrt-dk", tag)["cells"]
    at = next(index for index, cell in enumerate(cells) if cell["id"] == "questions-list")
    write, grade = cells[at + 1 : at + 3]
    assert [write["id"], grade["id"]] == ["attention-scaled-attention", "attention-scaled-attention-grade"]
    assert write["cell_type"] == grade["cell_type"] == "code" and write["outputs"] == grade["outputs"] == []
    space = {}
    exec(write["source"], space)
    *head, call = grade["source"].splitlines()
    exec("\n".join(head), space)
    told = eval(call, space)
    assert (told.language, told.right) == (tag, False) and "None" in str(told)
    assert WORDS[tag]["code.cells"] in cells[at]["source"] and "grade(" not in cells[at]["source"]


def test_the_module_needs_no_file_of_the_repository(book):
    assert Path(book / "src").exists() is False
    assert plain_file(book, "beta", "ja")["nbformat_minor"] == 5
