"""Figures as part of the page: an SVG file becomes an inline element that takes its colours from the page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from interview_book.book.errors import BookError

_REFERENCE = re.compile(r"url\(\s*(['\"]?)#([^)'\"]+)\1\s*\)")
_ID_LISTS = ("aria-labelledby", "aria-describedby")
# What only a picture file needs, or what names the machine and the day it was drawn.
_DROPPED = frozenset({"style", "metadata", "title", "desc", "script"})


def _local(name: str) -> str:
    return name.rsplit("}", 1)[-1]


def _clean(element: ET.Element, prefix: str) -> None:
    """Drop namespaces, styles and comments below ``element``; prefix ids and whatever refers to them."""
    element.tag = _local(element.tag)
    attributes = {}
    for name, value in element.attrib.items():
        name = _local(name)
        if name == "id":
            value = prefix + value
        elif name in _ID_LISTS:
            value = " ".join(prefix + one for one in value.split())
        elif name == "href" and value.startswith("#i-"):
            pass  # the page's own sprite of icons
        elif name == "href" and value.startswith("#"):
            value = f"#{prefix}{value[1:]}"
        else:
            value = _REFERENCE.sub(lambda match: f"url(#{prefix}{match[2]})", value)
        attributes[name] = value
    element.attrib.clear()
    element.attrib.update(attributes)
    for child in list(element):
        if not isinstance(child.tag, str) or _local(child.tag) in _DROPPED:
            element.remove(child)
        else:
            _clean(child, prefix)


def inline(svg: str, prefix: str, label: str) -> str:
    """Return ``svg`` as an HTML element: ids prefixed, inner style sheet gone, named by ``label`` for ears.

    Raises
    ------
    BookError
        When the text is not well-formed XML or its root is not ``svg``.
    """
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        raise BookError(f"a figure is not well-formed SVG: {error}. Draw it again: `make run`.") from error
    if _local(root.tag) != "svg":
        raise BookError(f"a figure is not SVG: expected <svg>, got <{_local(root.tag)}>. End the cell with a Figure.")
    _clean(root, prefix)
    for name in ("width", "height", "version", "style"):
        root.attrib.pop(name, None)
    classes = root.attrib.get("class", "").split()
    root.set("class", " ".join(classes if "fig" in classes else ["fig", *classes]))
    root.set("role", "img")
    root.set("aria-label", label)
    root.tail = None
    # A blank line would end the HTML block when a notebook's reader parses the output as Markdown.
    return re.sub(r"\n\s*\n", "\n", ET.tostring(root, encoding="unicode"))
