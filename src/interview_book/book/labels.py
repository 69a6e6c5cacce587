"""A section's label is its only id, and figures are numbered within their page.

docutils would name a section after its title: ``id1`` for one in Han or kana, a scrap of Latin for a mixed one. Links
to such ids move with every heading that is inserted above.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
# Anchors that the book makes itself, in HTML that docutils does not look into: passages, questions, terms.
_MADE = re.compile(r'\bid="((?:p|q|term)-[^"]+)"')


class LabelIsTheId(SphinxTransform):
    """Give each labelled section its explicit label as its one id."""

    # After docutils has handed the labels to the sections (260), before the contents are collected (880).
    default_priority = 270

    def apply(self, **kwargs) -> None:
        explicit = {
            self.document.nameids[name]
            for name, given in self.document.nametypes.items()
            if given and self.document.nameids.get(name)
        }
        # MyST looks here for what `[text](page.ipynb#label)` may lead to; by itself it knows ids made from titles only.
        slugs = self.env.metadata[self.env.docname].setdefault("myst_slugs", {})
        for raw in self.document.findall(nodes.raw):
            slugs.update({made: (0, made, "") for made in _MADE.findall(raw.astext())})
        self.document.myst_slugs = slugs
        for section in self.document.findall(nodes.section):
            labels = [one for one in section["ids"] if one in explicit]
            if not labels:
                title = section.next_node(nodes.title)
                LOGGER.warning(
                    "a heading without a label: expected `(some-label)=` above «%s»",
                    title.astext() if title else "",
                    location=section,
                    type="book",
                    subtype="label",
                )
                continue
            for name, given in self.document.nameids.items():
                if given in section["ids"] and given not in labels:
                    self.document.nameids[name] = labels[0]
            section["ids"] = labels[:1]
            slugs[labels[0]] = (section.line or 0, labels[0], section.next_node(nodes.title).astext())


def _global_numbers_back(app, env) -> list[str]:
    """Show Sphinx the numbers it gave last time, so that it finds out which pages really changed."""
    if hasattr(env, "book_fignumbers"):
        env.toc_fignumbers = env.book_fignumbers
    return []


def _numbers_per_page(app, env) -> list[str]:
    """Start figures at 1 on every page, as equations do."""
    env.book_fignumbers = env.toc_fignumbers
    env.toc_fignumbers = {
        page: {
            kind: {one: (number,) for number, one in enumerate(figures, start=1)} for kind, figures in kinds.items()
        }
        for page, kinds in env.toc_fignumbers.items()
    }
    return []


def setup(app) -> None:
    """Register the transform and the numbering around Sphinx's own (500)."""
    app.add_transform(LabelIsTheId)
    app.connect("env-get-updated", _global_numbers_back, priority=400)
    app.connect("env-get-updated", _numbers_per_page, priority=600)
