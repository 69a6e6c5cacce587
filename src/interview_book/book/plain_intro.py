"""The sentences that a plain notebook has and the page has not: what this is, how to install the package, captions."""

from __future__ import annotations

from interview_book.book.errors import BookError
from interview_book.book.interface import words
from interview_book.book.plain_book import PlainBook
from interview_book.book.plain_inline import inline

_SOURCES = {"ja": "参考文献", "zh-Hant": "參考文獻"}

# Each language was written on its own.
_FIRST = {
    "ja": (
        "『{book}』の「{title}」の章を、手元で動かせるようにしたノートブックです。"
        "セルを上から順に実行してください。書き換えて試してもかまいません。{page}"
    ),
    "zh-Hant": (
        "這是《{book}》的〈{title}〉，做成可以自己執行的 notebook。從第一個儲存格依序往下執行，想改也儘管改。{page}"
    ),
}
_PAGE = {"ja": "読むだけなら、[サイトの同じ章]({})があります。", "zh-Hant": "只想閱讀的話，[網站上有同一章]({})。"}
_NEEDS = {
    "ja": (
        "動かすには、Python 3.11〜3.13 と、この本のパッケージ `interview_book` が要ります。"
        "`make lab` で開いたときは、もう入っています。まだなら、{where}次のコマンドで入れてください。"
    ),
    "zh-Hant": (
        "執行時需要 Python 3.11 到 3.13，還有本書的套件 `interview_book`。"
        "用 `make lab` 開啟的話，已經裝好了；還沒裝的話，{where}用這個指令安裝："
    ),
}
_WHERE = {
    "ja": "サイトのフォルダー（`ja` と `zh-Hant` のある所）へ移り、",
    "zh-Hant": "先切換到網站的資料夾（`ja` 和 `zh-Hant` 所在的那一層），再",
}
_RIGHTS = {"ja": "文章は CC BY 4.0、コードは MIT です。", "zh-Hant": "文字採 CC BY 4.0，程式碼採 MIT。"}


def introduction(tag: str, title: str, slug: str, wheel: str, url: str | None) -> dict:
    """Return the first cell of a plain notebook.

    Parameters
    ----------
    wheel : address of the wheel, or its path from the folder that holds the site's two editions.
    url : public address of the site, if there is one.
    """
    page = _PAGE[tag].format(f"{url.rstrip('/')}/{tag}/chapters/{slug}.html") if url else ""
    first = _FIRST[tag].format(book=words(tag)["title"], title=title, page=page)
    needs = _NEEDS[tag].format(where="" if url else _WHERE[tag])
    text = f"{first}\n\n{needs}\n\n```sh\npip install {wheel}\n```\n\n{_RIGHTS[tag]}"
    return {"cell_type": "markdown", "id": "about-this-notebook", "metadata": {}, "source": text}


def sources_heading(tag: str) -> str:
    """Return the heading over the sources of a chapter that cites but lists none."""
    return _SOURCES[tag]


def figure(told: dict, tag: str, book: PlainBook) -> str:
    """Return the Markdown under a figure: its anchor, its number if it has a name, its caption.

    Raises ``BookError`` for a figure without a caption in this language.
    """
    caption = (told.get("caption") or {}).get(tag)
    if not caption:
        raise BookError(f"expected metadata.book.figure.caption['{tag}'], found none; write it in both languages")
    text = inline(caption, book)
    if "name" not in told:
        return text
    return f'<a id="{told["name"]}"></a>**{book.figure_number(told["name"])}**\u3000{text}'
