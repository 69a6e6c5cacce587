"""One notebook, one language."""

import copy

import pytest

from interview_book.book.editions import edition, select
from interview_book.book.errors import BookError

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 5"><path id="a" d="M0 0"/></svg>'


def half(name, tag, source, **book):
    metadata = {"tags": [f"lang-{tag}"], **({"book": book} if book else {})}
    return {"cell_type": "markdown", "id": f"{name}-{tag}", "metadata": metadata, "source": source}


def code(name, *outputs, **book):
    return {
        "cell_type": "code",
        "id": name,
        "metadata": {"book": book},
        "source": "x",
        "outputs": list(outputs),
        "execution_count": 1,
    }


def shown(data):
    return {"output_type": "execute_result", "execution_count": 1, "metadata": {"image/svg+xml": {}}, "data": data}


def notebook(*cells):
    return {"cells": list(cells), "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}


FORMULA = {"cell_type": "markdown", "id": "law", "metadata": {}, "source": "$$\nx\n$$ (law)"}
BOTH = notebook(
    half("title", "ja", "(top)=\n# 題"),
    half("title", "zh-Hant", "(top)=\n# 標題"),
    half("one", "ja", "本文です。"),
    half("one", "zh-Hant", "內文。"),
    FORMULA,
    code("table", shown({"text/html": ['<b lang="ja">甲</b>', '<b lang="zh-Hant">乙</b>', "<i>1</i>"]})),
)


@pytest.mark.parametrize(
    ("tag", "ids", "html"),
    [
        ("ja", ["title-ja", "one-ja", "law", "table"], '<b lang="ja">甲</b><i>1</i>'),
        ("zh-Hant", ["title-zh-Hant", "one-zh-Hant", "law", "table"], '<b lang="zh-Hant">乙</b><i>1</i>'),
    ],
)
def test_one_half_and_what_both_share(tag, ids, html):
    before = copy.deepcopy(BOTH)
    chosen = select(BOTH, tag)
    assert [cell["id"] for cell in chosen["cells"]] == ids
    assert chosen["cells"][-1]["outputs"][0]["data"]["text/html"] == html
    assert chosen["metadata"] == BOTH["metadata"]
    chosen["cells"][2]["source"] = chosen["metadata"]["kernelspec"]["name"] = "changed"
    assert before == BOTH


@pytest.mark.parametrize("make", [lambda tag: select(BOTH, tag), lambda tag: edition(BOTH, tag, "page")])
@pytest.mark.parametrize("tag", ["zh", "zh_TW", "en", "", None])
def test_an_unknown_edition_is_named_with_the_known_ones(make, tag):
    with pytest.raises(BookError, match=r"unknown edition.*expected one of ja, zh-Hant"):
        make(tag)


def sources(*cells, tag="ja"):
    return [cell["source"] for cell in edition(notebook(*cells), tag, "page")["cells"]]


def test_a_passage_has_an_anchor_and_a_link_to_it():
    assert sources(half("one", "ja", "本文です。\n"), tag="ja") == [
        '<div class="passage" id="p-one"><a class="passage-link" href="#p-one" aria-label="この段落へのリンク"></a>\n\n'
        "本文です。\n\n</div>\n"
    ]
    assert 'id="p-one"' in sources(half("one", "zh-Hant", "內文。"), tag="zh-Hant")[0]
    assert "這一段的連結" in sources(half("one", "zh-Hant", "內文。"), tag="zh-Hant")[0]


def test_headings_and_formulas_stay_bare():
    heading = half("title", "ja", "(top-of-page)=\n# 題 √dₖ\n")
    assert sources(heading, FORMULA) == [heading["source"], FORMULA["source"]]


def test_a_heading_with_text_below_it_is_a_passage():
    assert sources(half("title", "ja", "(top)=\n# 題\n\n本文"))[0].startswith('<div class="passage"')


def test_a_passage_carries_its_own_classes():
    text = sources(half("hero", "ja", "本文", **{"class": 'hero-text "wide'}))[0]
    assert text.startswith('<div class="passage hero-text &quot;wide" id="p-hero">')


@pytest.mark.parametrize("source", ["```{questions} page\n```", "```{terms}\n```\n"])
def test_a_shared_block_has_the_anchor_but_is_no_passage(source):
    assert sources(half("list", "ja", source)) == [f'<div class="block" id="p-list">\n\n{source.strip()}\n\n</div>\n']


def test_nothing_stands_between_a_sentence_and_its_citation():
    text = sources(half("one", "ja", "あります {cite:p}`a2017`。 {cite:t}`b2018` も"))[0]
    assert "あります{cite:p}`page-a2017`。 {cite:t}`page-b2018` も" in text


def test_two_chapters_may_cite_one_source():
    source = "本文{cite:p}`a2017, b2018`。\n\n```{bibliography}\n:filter: docname in docnames\n```"
    text = sources(half("one", "ja", source))[0]
    assert "{cite:p}`page-a2017,page-b2018`。" in text
    assert "```{bibliography}\n:keyprefix: page-\n:filter: docname in docnames\n```" in text


TOLD = {
    "name": "fig-line",
    "caption": {"ja": "直線", "zh-Hant": "直線圖"},
    "alt": {"ja": "右上がり", "zh-Hant": "往右上升"},
}


def test_a_figure_is_part_of_the_page_and_told_in_its_language():
    given = notebook(code("line", shown({"image/svg+xml": SVG, "text/plain": "Figure"}), figure=TOLD))
    cell = edition(given, "zh-Hant", "page")["cells"][0]
    assert cell["metadata"]["mystnb"] == {"figure": {"caption": "直線圖", "name": "fig-line"}}
    assert list(cell["outputs"][0]["data"]) == ["text/html"]
    html = cell["outputs"][0]["data"]["text/html"]
    assert 'aria-label="往右上升"' in html and 'role="img"' in html and 'id="page-line-a"' in html
    assert given["cells"][0]["outputs"][0]["data"]["image/svg+xml"] == SVG


def test_two_pictures_of_a_cell_do_not_share_ids():
    given = notebook(code("line", shown({"image/svg+xml": SVG}), shown({"image/svg+xml": SVG}), figure=TOLD))
    first, second = (out["data"]["text/html"] for out in edition(given, "ja", "page")["cells"][0]["outputs"])
    assert 'id="page-line-a"' in first and 'id="page-line-1-a"' in second


@pytest.mark.parametrize(
    ("figure", "kind"),
    [
        (None, "alt"),
        ({**TOLD, "alt": {"ja": "右上がり"}}, "alt"),
        ({**TOLD, "caption": {"ja": "直線"}}, "caption"),
        ({**TOLD, "alt": {"ja": "右上がり", "zh-Hant": ""}}, "alt"),
    ],
)
def test_a_figure_without_its_texts_is_named(figure, kind):
    given = notebook(code("line", shown({"image/svg+xml": SVG}), **({"figure": figure} if figure else {})))
    with pytest.raises(BookError, match=rf"page: cell line: a figure without {kind} in zh-Hant"):
        edition(given, "zh-Hant", "page")
