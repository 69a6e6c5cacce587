"""The book's Sphinx extension: an ordered list of registrations."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from sphinx.errors import ConfigError, ExtensionError

from interview_book.book import (
    admonitions,
    assets,
    bibliography,
    catalogue,
    deck_page,
    glossary,
    katex_setup,
    labels,
    pages,
    questions,
)
from interview_book.book.editions import edition
from interview_book.book.errors import BookError
from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES

HERE = Path(__file__).parent
# What may stay in _static of a lone `jupyter-book build`: the theme copies 9 MB that no page of ours asks for.
KEPT = {
    "katex.min.css", "tokens.css", "book.css", "mark.svg", "theme.js", "book.js", "widgets.js", "deck.js", "fonts",
    "parallel", "deck",
}  # fmt: skip


def code_digest() -> str:
    """Return a digest of this package's book code: pages read by other code are stale."""
    total = hashlib.sha256()
    for path in sorted(HERE.rglob("*")):
        if path.suffix in {".py", ".yml", ".po"}:
            total.update(path.read_bytes())
    return total.hexdigest()[:16]


def check_language(config) -> None:
    """Raise ``ConfigError`` for a language that is no edition, before anything asks for its words."""
    names = [one.sphinx for one in LANGUAGES.values()]
    if config.language not in names:
        raise ConfigError(
            f"unknown edition: expected sphinx.config.language to be one of {', '.join(names)}, got "
            f"{config.language!r}. Set it in _config.yml."
        )


def configure(app, config) -> None:
    """Complete the configuration: everything that does not depend on taste, or that a build must not get wrong."""
    tag = pages.tag_of(config)
    config.html_title = words(tag)["title"]
    config.html_theme_options = {**(config.html_theme_options or {}), **_NO_COMPONENTS}
    config.html_sidebars = {"**": []}
    config.templates_path = [str(HERE / "templates"), *config.templates_path]
    config.html_use_index = config.html_domain_indices = config.html_copy_source = False
    config.html_show_sourcelink = False
    config.myst_update_mathjax = False
    # The output is committed and tested; building a page must not depend on running it.
    config.nb_execution_mode = "off"
    config.nb_merge_streams = True
    config.book_code = code_digest()
    for caption in config.external_site_map.root.subtrees:
        caption.caption = _half(caption.caption, tag)
    try:
        katex_setup.configure(config, Path(app.srcdir), scratch=Path(app.outdir).parent / "katex")
        if not config.book_static:
            # A build without `interview-book site` makes its own.
            config.book_static = str(Path(app.outdir).parent / "assets")
            assets.write(Path(config.book_static), Path(app.srcdir))
    except BookError as error:
        raise ExtensionError(str(error)) from error
    config.book_assets = assets.digest(Path(config.book_static))
    config.html_static_path = [config.book_static]


_NO_COMPONENTS = {
    **{f"navbar_{place}": [] for place in ("start", "center", "end", "persistent")},
    **{name: [] for name in ("article_header_start", "article_header_end", "footer_content_items")},
    **{name: [] for name in ("primary_sidebar_end", "secondary_sidebar_items", "footer_start", "footer_end")},
    "disable_search": True,
    "back_to_top_button": False,
    "show_toc_level": 2,
}


def _half(caption: str | None, tag: str) -> str | None:
    """Return this edition's half of a caption written ``日本語 | 繁體中文``."""
    if not caption:
        return caption
    halves = [half.strip() for half in caption.split("|")]
    if len(halves) != len(LANGUAGES):
        raise ExtensionError(f"_toc.yml: expected a caption `日本語 | 繁體中文`, got {caption!r}. Give both halves.")
    return dict(zip(LANGUAGES, halves, strict=True))[tag]


def settle(app) -> None:
    """Switch Sphinx's own search off, which finds less than Pagefind; name automatic ids by what they stand for."""
    app.builder.search = False
    app.env.settings["auto_id_prefix"] = "%"  # footnote-reference-1, not id1


def read_edition(app, docname: str, source: list[str]) -> None:
    """Give Sphinx the notebook in this edition's language. (The directives note the data files that they read.)"""
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".ipynb":
        return
    try:
        chosen = edition(json.loads(source[0]), pages.tag_of(app.config), path.stem)
    except BookError as error:
        raise ExtensionError(str(error)) from error
    source[0] = json.dumps(chosen, ensure_ascii=False)


def prune(app, error) -> None:
    """Leave in ``_static`` only what a page asks for."""
    static = Path(app.outdir) / "_static"
    if error or app.builder.format != "html" or not static.is_dir():
        return
    for path in static.iterdir():
        if path.name not in KEPT:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def setup(app) -> dict:
    """Register everything, in the order in which it acts."""
    check_language(app.config)
    for name, default, rebuild in (
        ("book_site", False, "html"),  # one of two editions side by side, with search and notebooks beside it
        ("book_url", "", "html"),
        ("book_static", "", ""),
        ("book_assets", "", "html"),
        ("book_code", "", "env"),
        ("comments_config", None, ""),  # Jupyter Book sets it for an extension that we do not load
    ):
        app.add_config_value(name, default, rebuild)
    # Late: after sphinx-external-toc has parsed _toc.yml (900).
    app.connect("config-inited", configure, priority=950)
    app.connect("builder-inited", settle)
    # Early: whatever else looks at the source should see one language.
    app.connect("source-read", read_edition, priority=100)
    app.connect("build-finished", prune, priority=900)
    catalogue.install(app)
    katex_setup.setup(app)
    labels.setup(app)
    admonitions.setup(app)
    questions.register(app)
    glossary.setup(app)
    deck_page.setup(app)
    bibliography.setup(app)
    pages.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
