"""Admonitions with a title of their own, ```` ```{tip} In an interview ````, which docutils would put into the text."""

from __future__ import annotations

from docutils import nodes
from sphinx.addnodes import seealso
from sphinx.util.docutils import SphinxDirective

_NODES = {
    one.__name__: one
    for one in (
        nodes.attention, nodes.caution, nodes.danger, nodes.error, nodes.hint, nodes.important, nodes.note, nodes.tip,
        nodes.warning, seealso,
    )
}  # fmt: skip


class Titled(SphinxDirective):
    """An admonition under its usual name, or under the title given on its first line."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        if not self.arguments:
            box = _NODES[self.name]("\n".join(self.content))
        else:
            text, messages = self.state.inline_text(self.arguments[0], self.lineno)
            box = nodes.admonition("", nodes.title(self.arguments[0], "", *text), *messages, classes=[self.name])
        self.set_source_info(box)
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]


def setup(app) -> None:
    """Take the place of docutils' own admonitions."""
    for name in _NODES:
        app.add_directive(name, Titled, override=True)
