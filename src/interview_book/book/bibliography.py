"""Citations and sources as each language writes them, by sphinxcontrib-bibtex."""

from __future__ import annotations

from dataclasses import dataclass, field

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinxcontrib.bibtex.plugin import register_plugin
from sphinxcontrib.bibtex.style.referencing import BracketStyle, PersonStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

from interview_book.book.pages import tag_of


def _bracket() -> BracketStyle:
    return BracketStyle(left="（", right="）", sep="；")


def _japanese_person() -> PersonStyle:
    return PersonStyle(sep="、", sep2="・", last_sep="・", other=" ほか")


def _chinese_person() -> PersonStyle:
    return PersonStyle(sep="、", sep2=" 與 ", last_sep=" 與 ", other=" 等人")


@dataclass
class JapaneseReferences(AuthorYearReferenceStyle):
    """（Vaswani ほか、2017）"""

    bracket_textual: BracketStyle = field(default_factory=_bracket)
    bracket_parenthetical: BracketStyle = field(default_factory=_bracket)
    bracket_year: BracketStyle = field(default_factory=_bracket)
    person: PersonStyle = field(default_factory=_japanese_person)
    author_year_sep: str = "、"
    text_reference_sep: str = ""
    post_text_sep: str = "、"


@dataclass
class ChineseReferences(AuthorYearReferenceStyle):
    """（Vaswani 等人，2017）"""

    bracket_textual: BracketStyle = field(default_factory=_bracket)
    bracket_parenthetical: BracketStyle = field(default_factory=_bracket)
    bracket_year: BracketStyle = field(default_factory=_bracket)
    person: PersonStyle = field(default_factory=_chinese_person)
    author_year_sep: str = "，"
    text_reference_sep: str = ""
    post_text_sep: str = "，"


_STYLES = {"ja": JapaneseReferences, "zh-Hant": ChineseReferences}


class SourcesAreAList(SphinxPostTransform):
    """Make a bibliography a plain list of English entries: the right font and voice for them, and no label to cite by.

    docutils writes its citations with ARIA roles that are deprecated and do not belong to a list.
    """

    default_priority = 20  # after bibtex has made the entries (5)

    def run(self, **kwargs) -> None:
        lists = {id(entry.parent): entry.parent for entry in self.document.findall(nodes.citation)}
        for entries in lists.values():
            sources = [_source(one) for one in entries if isinstance(one, nodes.citation)]
            entries.replace_self(nodes.bullet_list("", *sources, classes=["sources"], ids=entries["ids"]))
        for link in self.document.findall(nodes.reference):
            if link.get("refid", "").startswith("source-"):
                link.attributes.pop("reftitle", None)  # English, and said again by the entry it leads to


def _source(entry: nodes.citation) -> nodes.list_item:
    paragraphs = [one for one in entry if isinstance(one, nodes.paragraph)]
    for paragraph in paragraphs:
        paragraph["classes"].append("language-en")  # docutils writes this class as the element's lang
    return nodes.list_item("", *paragraphs, ids=entry["ids"])


def configure(app, config) -> None:
    """Choose the edition's way of citing."""
    tag = tag_of(config)
    name = f"book-{tag}"
    register_plugin("sphinxcontrib.bibtex.style.referencing", name, _STYLES[tag], force=True)
    config.bibtex_reference_style = name
    # Labels that a source keeps in every chapter; a number would be another one's elsewhere. Nobody sees them.
    config.bibtex_default_style = "alpha"
    # By itself docutils would call them id1, id2, …, whatever they stand for.
    config.bibtex_bibliography_id = "references-{bibliography_count}"
    config.bibtex_cite_id = "source-{bibliography_count}-{key}"


def setup(app) -> None:
    """Register the styles before sphinxcontrib-bibtex reads its settings (at builder-inited)."""
    app.connect("config-inited", configure, priority=810)
    app.add_post_transform(SourcesAreAList)
