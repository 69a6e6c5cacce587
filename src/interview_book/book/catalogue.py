"""Interface strings that Sphinx and the theme lack or have wrong: our catalogues, put in front of theirs."""

from __future__ import annotations

import gettext
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from interview_book.book.interface import LOCALE


def translations(sphinx_language: str) -> gettext.GNUTranslations:
    """Compile ``locale/<language>.po`` in memory: a ``.mo`` file would be one more thing that can be out of date."""
    with (LOCALE / f"{sphinx_language}.po").open("rb") as file:
        catalogue = read_po(file, locale=sphinx_language, charset="utf-8", abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def install(app) -> None:
    """Let our strings win over Sphinx's and the theme's, which stay as the fallback."""
    from sphinx.locale import translators

    ours = translations(app.config.language)
    ours.add_fallback(app.translator)
    translators["general", "sphinx"] = ours
    app.translator = ours  # the templates' gettext
