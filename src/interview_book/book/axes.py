"""行 and 列 mean row and column in Japan and the reverse in Taiwan: where they stand, their gloss stands too."""

from __future__ import annotations

import re

from interview_book.book.findings import Finding
from interview_book.book.spans import near

GLOSS = {"ja": {"行": "row", "列": "column"}, "zh-Hant": {"列": "row", "行": "column"}}
# Words that merely contain the character.
_COMPOUND = {
    "ja": re.compile(
        r"[逆各同]?行列式?|[数系配並直整序陳隊]列|列[挙車島]|行(?=[わいうえおっ為動程事政儀先楷])"
        r"|[実進並執流銀発平旅走言改換運横刊試履飛夜孝遂現施慣品同続決強代移逆徐通歩非奉励尾航修]行(?!列)"
    ),
    "zh-Hant": re.compile(
        r"行列式?|[系序數排陣並陳羅條前下上]列|以下列|列(?=[舉出印表車入於為在席])|行(?=[為動程業銷使星李進不得])"
        r"|[進執實可並平流發運舉銀旅例強同先自另施履推試盛現通步飛直爬言品修遵隨奉暫壓單換]行"
    ),
}
# Said in an answer, 行 is also «fine»: 「不行。第 t 個 query……」.
_SAID = {"ja": re.compile(r"(?!)"), "zh-Hant": re.compile(r"不行|行不行|可行(?=。|，)|行(?=嗎|了)")}
_TAIL = re.compile(r"[（(]\s*([A-Za-z]+)")


def axis_findings(text: str, tag: str, *, spoken: bool = False) -> list[Finding]:
    """行 or 列 without its gloss at the first use in a passage, caption or question, or with the wrong one.

    Parameters
    ----------
    text : the visible text of the whole passage, its blocks joined.
    tag : ``ja`` or ``zh-Hant``.
    spoken : True for what people say to one another in a question.
    """

    def blank(match: re.Match[str]) -> str:
        return "＿" * len(match[0])

    bare = _COMPOUND[tag].sub(blank, _SAID[tag].sub(blank, text) if spoken else text)
    found, glossed = [], set()
    for match in re.finditer("[行列]", bare):
        word = match[0]
        right = GLOSS[tag][word]
        tail = _TAIL.match(bare, match.end())
        where = near(text, *match.span())
        if tail is None:
            if word not in glossed:
                found.append(
                    Finding(
                        "row-column-gloss",
                        f"expected {word}（{right}） at the first use, found {word} without its gloss near {where}",
                        f"name the axis by what lies on it, or write {word}（{right}）; a line of code is 行（line）",
                    )
                )
        elif (said := tail[1].lower().rstrip("s")) != right and not (word == "行" and said == "line"):
            found.append(
                Finding(
                    "row-column-gloss",
                    f"expected {word}（{right}）, found {word}（{tail[1]}） near {where}; "
                    f"{word} is {right} in this language",
                    "exchange 行 and 列, or mend the gloss",
                )
            )
        else:
            glossed.add(word)
    return list(dict.fromkeys(found))
