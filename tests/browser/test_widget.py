"""The widget of the chapter: every control, by keyboard and by pointer, and every number it shows."""

import math
import random
import re

import pytest

from interview_book.book.languages import language

CHAPTER = "chapters/two-scores.html"
RANGES = ["s1", "s2", "v1", "v2", "c"]  # in the order of the page

# Everything the reader sees of the widget's state, as text.
_SHOWN = """() => {
  const widget = document.querySelector(".book-widget .widget");
  const text = one => one.textContent.trim();
  const rows = table => [...table.tBodies[0].rows].map(row => [...row.cells].slice(1).map(text));
  const [weights, gradients] = [...widget.querySelectorAll("table")].map(rows);
  return {
    inputs: [...widget.querySelectorAll("input[type=range]")].map(one => Number(one.value)),
    spoken: [...widget.querySelectorAll("input[type=range]")].map(one => one.getAttribute("aria-valuetext")),
    outputs: [...widget.querySelectorAll("output")].map(text),
    preset: [...widget.querySelectorAll("input[type=radio]")].filter(one => one.checked).map(one => Number(one.value)),
    weights, gradients, readings: [...widget.querySelectorAll(".readings dd")].map(text),
    bold: widget.querySelectorAll("table")[1].querySelector(".strong") ?
      [...widget.querySelectorAll("table")[1].tBodies[0].rows].map(row => Boolean(row.querySelector(".strong"))) : 0,
    live: text(widget.querySelector("[aria-live]")),
  };
}"""
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def _number(text: str) -> tuple[float, float]:
    """Return the number a reader reads, and half of its last digit."""
    text = text.replace("−", "-").strip()
    if text.startswith("1 - "):
        value, half = _number(text.removeprefix("1 - "))
        return 1 - value, half
    found = re.fullmatch(r"(-?\d+(?:\.(\d+))?)(?:×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)
    assert found, f"not a number: {text!r}"
    power = int((found[3] or "0").translate(_RAISED))
    return float(found[1]) * 10.0**power, 0.5 * 10.0 ** (power - len(found[2] or ""))


def _near(text: str, expected: float) -> bool:
    value, half = _number(text)
    return abs(value - expected) <= half + 1e-12


def _worked_out(s1, s2, v1, v2, c) -> dict:
    """The same quantities from the definitions: softmax by exponentials, derivatives by p1 p2."""
    e1, e2 = math.exp(s1 / c), math.exp(s2 / c)
    p1, p2 = e1 / (e1 + e2), e2 / (e1 + e2)
    return {
        "z": [s1 / c, s2 / c],
        "p": [p1, p2],
        "mixed": [p1 * v1, p2 * v2],
        "output": p1 * v1 + p2 * v2,
        "jacobian": p1 * p2,
        "gradient": p1 * p2 / c,
    }


def _check(page) -> dict:
    """Compare all that is shown with what the inputs say, and return what is shown."""
    shown = page.evaluate(_SHOWN)
    s1, s2, v1, v2, c = shown["inputs"]
    now, plain = _worked_out(s1, s2, v1, v2, c), _worked_out(s1, s2, v1, v2, 1)
    assert [_number(one)[0] for one in shown["outputs"]] == shown["inputs"]
    assert shown["spoken"] == shown["outputs"]
    assert shown["preset"] == [one for one in (1, 2, 4) if one == c]
    s, z, p, v, mixed = shown["weights"]
    expected = [(s, [s1, s2]), (z, now["z"]), (p, now["p"]), (v, [v1, v2]), (mixed, now["mixed"])]
    wrong = [(row, want) for row, want in expected if not all(map(_near, row[:2], want))]
    assert wrong == [], shown["inputs"]
    assert p[2] == "1"
    assert _near(mixed[2], now["output"])
    pairs = zip(shown["gradients"], (now, plain), strict=True)
    assert [
        [_near(one, want[key]) for one, key in zip(row, ("jacobian", "gradient"), strict=True)] for row, want in pairs
    ] == [
        [True, True],
        [True, True],
    ], (shown["gradients"], shown["inputs"])
    assert _near(shown["readings"][0], now["output"])
    assert _near(shown["readings"][1], plain["output"])
    gap = now["gradient"] - plain["gradient"]
    shown["larger"] = "tie" if abs(gap) < 1e-12 * plain["gradient"] else "scaled" if gap > 0 else "unscaled"
    assert shown["bold"] == {"tie": 0, "scaled": [True, False], "unscaled": [False, True]}[shown["larger"]]
    assert shown["readings"][2]
    assert shown["readings"][0] in shown["live"], "the sentence says the output"
    assert shown["gradients"][0][1] in shown["live"], "the sentence says the gradient"
    return shown


def _start(page) -> list[float]:
    """What the chapter's cell put into the page."""
    data = page.evaluate("JSON.parse(document.querySelector('.book-widget > script').textContent)")
    return [*data["scores"], *data["values"], data["divisor"]]


@pytest.fixture
def widget(visit, edition, scheme):
    page = visit(f"{edition}/{CHAPTER}", scheme=scheme)
    page.locator(".book-widget .widget").scroll_into_view_if_needed()
    return page


def test_widget_begins_with_the_numbers_of_the_chapter_in_its_language(widget, edition):
    shown = _check(widget)
    assert shown["inputs"] == _start(widget)
    assert shown["inputs"][:2] == [4, 0] and shown["inputs"][4] == 2
    assert shown["weights"][2][:2] == ["0.881", "0.119"]
    root = widget.locator(".book-widget .widget")
    assert root.evaluate("one => one.closest('[lang]').lang") in (edition, language(edition).html)
    assert widget.locator(".book-widget > table").count() == 0, "the fallback has gone"
    for label in root.locator("label, legend").all():
        assert label.inner_text().strip()
    kana = re.search(r"[ぁ-ヿ]", root.inner_text())
    assert bool(kana) == (edition == "ja")


# Keys and what they do to a range: steps up or down, its ends, larger steps.
KEYS = ["ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]


def test_every_range_moves_by_keyboard(widget):
    sliders = widget.locator(".book-widget input[type=range]")
    assert sliders.count() == len(RANGES)
    for i in range(len(RANGES)):
        sliders.nth(i).focus()
        for key in KEYS:
            before = _check(widget)
            widget.keyboard.press(key)
            after = _check(widget)
            assert after["inputs"][i] != before["inputs"][i], (RANGES[i], key)
            assert after["inputs"][:i] + after["inputs"][i + 1 :] == before["inputs"][:i] + before["inputs"][i + 1 :]
            assert (after["weights"], after["readings"]) != (before["weights"], before["readings"]), (RANGES[i], key)
            assert after["live"] != before["live"] or RANGES[i] in ("v1", "v2"), (RANGES[i], key)


def test_presets_and_reset_work_by_keyboard(widget):
    widget.locator(".book-widget input[type=range]").last.focus()
    widget.keyboard.press("Tab")
    focused = "document.activeElement.type"
    assert widget.evaluate(focused) == "radio", "the presets follow the last range"
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"):
        widget.keyboard.press(key)
        seen.append(_check(widget)["inputs"][4])
    assert seen == [4, 1, 4, 1]
    widget.locator(".book-widget .widget-head button").focus()
    widget.keyboard.press("Enter")
    assert _check(widget)["inputs"] == _start(widget)


def test_every_range_moves_by_pointer(widget):
    for i, slider in enumerate(widget.locator(".book-widget input[type=range]").all()):
        for part in (0.13, 0.71):
            before = _check(widget)
            slider.scroll_into_view_if_needed()
            box = slider.bounding_box()
            widget.mouse.click(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
            after = _check(widget)
            assert after["inputs"][i] != before["inputs"][i], RANGES[i]
            low, high = (float(slider.get_attribute(name)) for name in ("min", "max"))
            assert abs((after["inputs"][i] - low) / (high - low) - part) < 0.1, "where the pointer is"
        # Drawn along, it follows.
        box = slider.bounding_box()
        widget.mouse.move(box["x"] + 0.71 * box["width"], box["y"] + box["height"] / 2)
        widget.mouse.down()
        widget.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2, steps=3)
        widget.mouse.up()
        assert _check(widget)["inputs"][i] < after["inputs"][i], RANGES[i]


def test_presets_and_reset_work_by_pointer(widget):
    labels = widget.locator(".book-widget .segments label")
    seen = []
    for i in (2, 0, 1, 2):
        labels.nth(i).click()
        seen.append(_check(widget)["inputs"][4])
    assert seen == [4, 1, 2, 4]
    widget.locator(".book-widget .widget-head button").click()
    assert _check(widget)["inputs"] == _start(widget)


def test_numbers_are_right_wherever_the_controls_stand(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    rng = random.Random(2017)
    corners = [(8, -8, 10, -10, 0.5), (-8, 8, -10, 10, 0.5), (8, 8, 0, 0, 8), (0, 0, -0.5, 0.5, 1), (-8, 8, 10, 10, 1)]
    steps = [(rng.randrange(-16, 17) / 2, rng.randrange(-16, 17) / 2, rng.randrange(-20, 21) / 2,
              rng.randrange(-20, 21) / 2, rng.randrange(1, 17) / 2) for _ in range(60)]  # fmt: skip
    put = """values => {
      const sliders = [...document.querySelectorAll(".book-widget input[type=range]")];
      sliders.forEach((one, i) => (one.value = values[i]));
      sliders[0].dispatchEvent(new Event("input", { bubbles: true }));
    }"""
    said = {}
    for state in corners + steps:
        page.evaluate(put, list(state))
        shown = _check(page)
        assert tuple(shown["inputs"]) == state
        said.setdefault(shown["larger"], set()).add(shown["readings"][2])
    assert set(said) == {"scaled", "unscaled", "tie"}
    assert all(len(words) == 1 for words in said.values()), "one verdict, one wording"
    assert len(set.union(*said.values())) == 3, said


def test_widget_leaves_a_line_for_the_ear_and_no_doubled_id(widget):
    assert widget.locator(".book-widget [aria-live=polite]").count() == 1
    ids = widget.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
