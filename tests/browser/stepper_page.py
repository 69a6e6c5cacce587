"""The stepper on a page: choosing a state, reading all that is shown, and comparing it with what must be shown."""

from __future__ import annotations

import json
import re

CHAPTER = "chapters/soft-lookup.html"
ROOT = ".book-widget[data-widget='stepper'] .stepper"
AXES = {"ja": ["岸", "金融", "名詞", "機能語"], "zh-Hant": ["河岸", "金融", "名詞", "虛詞"]}

# Choose each of `states` in turn, touching only what differs, and read all that is then shown.
_WALK = """([root, states]) => {
  const widget = document.querySelector(root), text = one => one.textContent.replace(/\\s+/g, " ").trim();
  const inputs = one => [...one.querySelectorAll("input")];
  const fields = () => [...widget.querySelectorAll(".controls > fieldset")].map(inputs);
  const without = (one, hide) => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll(hide).forEach(part => part.remove());
    return text(copy);
  };
  const cell = one => {
    const input = one.querySelector("input"), was = one.querySelector(".was"), factors = one.querySelector(".factors");
    return {
      tag: one.tagName, was: was && text(was).slice(1, -1),
      text: input ? input.value : was || factors ? without(one, ".was, .factors") : text(one),
      factors: factors && text(factors), heat: one.dataset.heat === undefined ? null : Number(one.dataset.heat),
      framed: one.matches(".strongest, .top > .score"), raw: one.classList.contains("raw"),
    };
  };
  const table = one => ({
    caption: text(one.caption), head: [...one.tHead.rows].at(-1) && [...[...one.tHead.rows].at(-1).cells].map(text),
    rows: [...one.querySelectorAll("tbody tr:not(.band, .refused)")].map(row => [...row.cells].map(cell)),
  });
  const chosen = () => {
    const query = fields().at(-1).findIndex(input => input.checked), sentences = fields().slice(0, -2);
    return {
      sentence: sentences[0]?.find(input => input.checked)?.value ?? "own",
      mode: fields().at(-2).find(input => input.checked)?.value, query,
      step: [...widget.querySelectorAll(".steps button")].findIndex(one => one.ariaCurrent === "step") + 1,
      computed: Number(widget.querySelector(".stage input[type=range]")?.value ?? -1),
    };
  };
  const shown = () => ({
    ...chosen(), live: text(widget.querySelector(".live")),
    against: [...widget.querySelectorAll(".against")].map(text).join(""),
    tables: [...widget.querySelectorAll(".stage table")].map(table),
    contrast: [...widget.querySelectorAll(".contrast table")].map(table),
    told: [...widget.querySelectorAll(".contrast p")].map(text).join(""),
    notes: [...widget.querySelectorAll(".stage > .fine")].map(text),
    readings: [...widget.querySelectorAll(".stage dd")].map(cell),
    links: [...widget.querySelectorAll(".stage .links path[data-query]")].map(one => {
      const from = one.getPointAtLength(0).y, to = one.getPointAtLength(one.getTotalLength()).y;
      const width = Number(one.getAttribute("stroke-width")), top = one.classList.contains("top");
      return { query: Number(one.dataset.query), from, to, width, top };
    }),
    slider: Number(widget.querySelector(".widget-foot input").value),
    edited: Boolean(widget.querySelector(".stage .edited")),
    refused: [...widget.querySelectorAll(".stage .refused")].map(text),
  });
  // As text: Playwright takes long over many small objects.
  return JSON.stringify(states.map(state => {
    for (const [name, value] of Object.entries(state)) {
      if (chosen()[name] === value) continue;
      if (name === "step") widget.querySelectorAll(".steps button")[value - 1].click();
      if (name === "query") fields().at(-1)[value].click();
      if (name === "sentence") fields()[0].find(input => input.value === value).click();
      if (name === "mode") fields().at(-2).find(input => input.value === value).click();
      if (name === "computed") {
        const range = widget.querySelector(".stage input[type=range]");
        range.value = value;
        range.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    return shown();
  }));
}"""

# Parts of the widget that leave it, unless their box scrolls; and boxes that scroll but cannot be reached by keyboard.
BEYOND = """root => {
  const widget = document.querySelector(root), box = widget.getBoundingClientRect();
  const all = [...widget.querySelectorAll("*")].filter(one => !one.closest(".away")), out = all.filter(one => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 1 && (left < box.left - 0.5 || right > box.right + 0.5) && !one.parentElement.closest(".scroll");
  });
  const stuck = all.filter(one => one.scrollWidth > one.clientWidth + 1
    && /auto|scroll/.test(getComputedStyle(one).overflowX) && one.checkVisibility() && one.tabIndex < 0);
  return [...out, ...stuck].map(one => one.outerHTML.slice(0, 90));
}"""


def walk(page, states: list[dict]) -> list[dict]:
    """What is shown in each of these states, one after the other."""
    return json.loads(page.evaluate(_WALK, [ROOT, states]))


def show(page, **state) -> dict:
    """What is shown once these controls, and no others, are moved."""
    return walk(page, [state])[0]


def unfolded(page):
    """The page, the widget in sight and its contrast unfolded."""
    page.locator(f"{ROOT} summary").click()
    page.locator(f"{ROOT} .contrast table").first.wait_for()
    return page


def opened(visit, edition: str, folded: bool = False, **options):
    """The chapter."""
    page = visit(f"{edition}/{CHAPTER}", **options)
    page.locator(ROOT).scroll_into_view_if_needed()
    return page if folded else unfolded(page)


def alone(visit, edition: str, folded: bool = False, element: str = "", **options):
    """The chapter's widget, or another, on a page of its own with the site's styles and scripts; it loads sooner."""
    page = visit("#choose", **options)
    base = page.url.removesuffix("#choose") + f"{edition}/"
    chapter = page.request.get(base + CHAPTER).text()
    (lesson,) = re.findall(r'<div class="book-widget" data-widget="stepper">.*?</table>(?:</div>){3}', chapter, re.S)
    html = f"""{chapter[: chapter.index(">", chapter.index("<html")) + 1]}<head><meta charset="utf-8"><title>x</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="_static/tokens.css"><link rel="stylesheet" href="_static/book.css">
<script defer src="_static/widgets.js"></script></head>
<body><main class="bd-article" style="max-width: 42.625rem; margin: auto; padding: 1.125rem">
<h1>x</h1><h2>x</h2>{element or lesson}</main></body></html>"""
    page.route(f"{base}alone.html", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    page.goto(f"{base}alone.html")
    page.locator(ROOT).wait_for()
    return page if folded else unfolded(page)
