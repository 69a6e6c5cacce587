"""Light and dark: the button, its memory, and dark that is dark everywhere."""

import pytest

from interview_book.book.languages import other

CHAPTER = "chapters/two-scores.html"

# For every visible text: its contrast with what lies behind it; for every visible box: the lightness of its ground.
# Colours are read back from a canvas, so that oklch(), color-mix() and light-dark() are all plain sRGB.
_COLOURS = """() => {
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = pixel.getContext("2d", { willReadFrequently: true });
  const seen = new Map();
  const rgba = css => {
    if (!seen.has(css)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = css;
      pen.fillRect(0, 0, 1, 1);
      seen.set(css, [...pen.getImageData(0, 0, 1, 1).data].map(one => one / 255));
    }
    return seen.get(css);
  };
  const over = (top, under) => top.slice(0, 3).map((one, i) => one * top[3] + under[i] * (1 - top[3])).concat(1);
  const luminance = ([r, g, b]) => {
    const line = one => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * line(r) + 0.7152 * line(g) + 0.0722 * line(b);
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const canvas = rgba("Canvas");
  const grounds = new Map();
  const ground = one => {
    if (!one) return canvas;
    if (!grounds.has(one)) {
      const own = rgba(getComputedStyle(one).backgroundColor);
      grounds.set(one, own[3] === 1 ? own : over(own, ground(one.parentElement)));
    }
    return grounds.get(one);
  };
  const name = one => `${one.tagName.toLowerCase()}.${one.getAttribute("class") || ""}`;
  const weak = [], light = [];
  let texts = 0, svgTexts = 0;
  for (const one of [document.documentElement, ...document.querySelectorAll("body, body *")]) {
    if (!one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const behind = ground(one), area = box.width * box.height;
    if (luminance(behind) > 0.25 && area > 400) light.push(`${name(one)} ${luminance(behind).toFixed(2)}`);
    const own = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || one.closest("[aria-hidden=true]:not(.katex-html), .visually-hidden, title, style, script")) continue;
    const inSvg = one instanceof SVGElement;
    const ink = rgba(inSvg ? style.fill : style.color);
    if (!ink[3]) continue; // shown only under the pointer, in a colour of its own
    const ratio = contrast(luminance(over(ink, behind)), luminance(behind));
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 600);
    texts += 1;
    svgTexts += inSvg;
    const said = one.textContent.trim().slice(0, 20);
    if (ratio < (large ? 3 : 4.5)) weak.push(`${name(one)} «${said}» ${ratio.toFixed(2)}`);
  }
  const page = luminance(ground(document.documentElement));
  return { weak: [...new Set(weak)], light: [...new Set(light)], texts, svgTexts, page };
}"""
# What may be light in the dark: a control that is chosen or the main one, and a strong weight: both are drawn as ink.
INKED = ("button.", "a.button", "span.", "mark.", "input.", "kbd.", "td.num heat ")


def _dark_faults(page) -> list[str]:
    page.evaluate("document.querySelectorAll('details').forEach(one => (one.open = true))")
    found = page.evaluate(_COLOURS)
    assert found["texts"] > 3
    assert found["page"] < 0.05
    return found["weak"] + [one for one in found["light"] if not one.startswith(INKED)]


def test_dark_is_dark_everywhere_and_light_can_be_read(visit, edition, document):
    page = visit(f"{edition}/{document}.html", color_scheme="dark")
    assert _dark_faults(page) == []
    page.emulate_media(color_scheme="light")
    page.wait_for_function("getComputedStyle(document.documentElement).colorScheme !== 'dark'")
    found = page.evaluate(_COLOURS)
    assert found["page"] > 0.8
    assert found["weak"] == []


@pytest.mark.parametrize("path", ["#choose", "404.html", "ja/404.html", "zh-Hant/404.html"])
def test_dark_is_dark_outside_the_contents(visit, path):
    assert _dark_faults(visit(path, color_scheme="dark")) == []


def test_dark_by_the_button_is_as_dark_and_covers_what_opens(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", color_scheme="light")
    _press_until(page, "dark")
    page.locator(".tool-parallel").click()
    page.locator(".passage > .other").first.wait_for()
    assert _dark_faults(page) == []
    page.locator(".tool-search").click()
    page.locator(".search-dialog input").fill("softmax")
    page.locator(".search-dialog [role=option]").first.wait_for()
    assert _dark_faults(page) == []


def test_figures_have_text_that_follows_the_theme(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", color_scheme="dark")
    assert page.evaluate(_COLOURS)["svgTexts"] >= 4, "the figure's labels are looked at"
    ink = "getComputedStyle(document.querySelector('figure svg text')).fill"
    dark = page.evaluate(ink)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"dark => {ink} !== dark", arg=dark)


def _press_until(page, mode: str) -> None:
    for _ in range(3):
        if page.locator("html").get_attribute("data-mode") == mode:
            return
        page.locator(".theme-switch-button").click()
    assert page.locator("html").get_attribute("data-mode") == mode


@pytest.mark.parametrize("by", ["pointer", "keyboard"])
def test_button_goes_round_and_names_what_is_on(visit, edition, say, by):
    page = visit(f"{edition}/{CHAPTER}", color_scheme="light")
    button = page.locator(".theme-switch-button")
    seen = {}
    for _ in range(3):
        seen[page.locator("html").get_attribute("data-mode")] = button.get_attribute("aria-label")
        if by == "pointer":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Enter")
            assert button.evaluate("one => one === document.activeElement"), "the keyboard keeps its place"
    states = {"light": say["themeLight"], "dark": say["themeDark"]}
    states["auto"] = say["themeAuto"].replace("{now}", say["themeLight"])
    assert seen == {mode: say["theme"].replace("{state}", state) for mode, state in states.items()}


def test_choice_is_kept_over_pages_editions_and_visits(visit, edition, scheme):
    page = visit(f"{edition}/{CHAPTER}", scheme=scheme, color_scheme="light")
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    _press_until(page, "dark")
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert dark != light
    here = page.url.split("#")[0]
    for address in (
        here,
        here.replace("two-scores", "glossary"),
        here.replace(f"/{edition}/", f"/{other(edition).tag}/"),
    ):
        page.goto(address)
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark
        assert page.locator("html").get_attribute("data-mode") == "dark"
    _press_until(page, "light")
    page.reload()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == light


def test_kept_choice_reaches_pages_outside_the_contents(visit):
    page = visit(f"ja/{CHAPTER}", color_scheme="light")
    _press_until(page, "dark")
    for path in ("#choose", "404.html"):
        page.goto(page.url.split("/ja/")[0].split("/#")[0] + "/" + path)
        assert page.evaluate(_COLOURS)["page"] < 0.05
    page.locator(".theme-switch-button").click()
    assert page.evaluate(_COLOURS)["page"] > 0.8
