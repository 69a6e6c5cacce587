"""The widget's Python half: its state, its checks and what a notebook stores of it."""

import html.parser
import json
import math
import re

import numpy as np
import pytest
import traitlets

from interview_book.checks import raw_gradient
from interview_book.widgets import TwoScores
from interview_book.widgets.two_scores import reading


def html_of(widget):
    return widget._repr_mimebundle_()[0]["text/html"]


def test_starts_with_the_example():
    widget = TwoScores()
    assert (widget.scores, widget.divisor, widget.values, widget.language) == ((4, 0), 2, (10, 0), "ja")
    assert all(type(x) is float for x in (*widget.scores, widget.divisor, *widget.values))


def test_reading_by_hand():
    now = reading([4, 0], 2, [10, 5])
    p, q = 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(-4))
    assert now["scaled"]["z"] == [2, 0] and now["unscaled"]["z"] == [4, 0]
    for part, weight, c in (("scaled", p, 2), ("unscaled", q, 1)):
        one = now[part]
        assert np.allclose(one["p"], [weight, 1 - weight], rtol=1e-13)
        assert np.allclose(one["mixed"], [10 * weight, 5 * (1 - weight)], rtol=1e-13)
        assert math.isclose(one["output"], 5 + 5 * weight, rel_tol=1e-14)
        assert math.isclose(one["jacobian"], weight * (1 - weight), rel_tol=1e-13)
        assert math.isclose(one["gradient"], raw_gradient(4, c), rel_tol=1e-13)
    assert now["larger"] == "scaled"
    assert reading([1, 0], 2, [0, 0])["larger"] == "unscaled"
    assert reading([1, 0], 1, [0, 0])["larger"] == "tie"
    assert TwoScores().reading == reading([4, 0], 2, [10, 0])


def test_state_travels_as_plain_json():
    state = TwoScores(scores=np.array([1.5, -2.0]), divisor=4).get_state()
    sent = {name: json.loads(json.dumps(state[name])) for name in ("scores", "divisor", "values", "language")}
    assert sent == {"scores": [1.5, -2.0], "divisor": 4.0, "values": [10.0, 0.0], "language": "ja"}
    assert "export default" in state["_esm"] and ".two-scores" in state["_css"]


def test_a_message_from_the_page_changes_the_state():
    widget = TwoScores()
    widget.set_state({"scores": [1, 0.5], "divisor": 0.5, "values": [-10, 10]})
    assert (widget.scores, widget.divisor, widget.values) == ((1.0, 0.5), 0.5, (-10.0, 10.0))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("scores", [9, 0], r"scores\[0\]: expected a number from -8 to 8, got 9"),
        ("scores", [0, 0.3], r"scores\[1\]: expected a multiple of 0\.5, got 0\.3; the nearest is 0\.5"),
        ("scores", [0], r"scores: expected two numbers, got \[0\]; try scores=\[4, 0\]"),
        ("scores", "40", "scores: expected two numbers, got '40'"),
        ("scores", 4, "scores: expected two numbers, got 4"),
        ("scores", [True, 0], r"scores\[0\]: .* got True"),
        ("scores", [math.nan, 0], "got nan"),
        ("values", [0, -20.5], r"values\[1\]: expected a number from -20 to 20"),
        ("divisor", 0, r"divisor: expected a number from 0\.5 to 8, got 0"),
        ("divisor", -2, "divisor: expected a number"),
        ("divisor", "2", "divisor: expected a number from 0.5 to 8, got '2'"),
        ("language", "zh", "language: expected 'ja' or 'zh-Hant', got 'zh'"),
    ],
)
def test_bad_state_is_named_and_the_old_one_kept(name, value, says):
    with pytest.raises(traitlets.TraitError, match=says):
        TwoScores(**{name: value})
    widget = TwoScores()
    before = getattr(widget, name)
    with pytest.raises(traitlets.TraitError, match=says):
        setattr(widget, name, value)
    assert getattr(widget, name) == before


def test_bundle_has_the_view_and_what_remains_without_a_kernel():
    data, _ = TwoScores()._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert data["text/plain"] == "TwoScores(scores=[4, 0], divisor=2, values=[10, 0])"
    assert html_of(TwoScores()) == html_of(TwoScores())  # no model id, no address


def test_html_is_one_element_with_its_data():
    text = html_of(TwoScores(scores=[1.5, 0], values=[10, -5]))
    start = '<div class="book-widget" data-widget="two_scores"><script type="application/json">'
    assert text.startswith(start) and text.endswith("</div>") and "\n" not in text
    data = json.loads(text[len(start) : text.index("</script>")])
    assert data == {"scores": [1.5, 0], "divisor": 2, "values": [10, -5]}
    assert TwoScores(**data).scores == (1.5, 0)


class Reader(html.parser.HTMLParser):
    """Text per language, and the stack of open tags."""

    def __init__(self):
        super().__init__()
        self.open, self.texts = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append((tag, dict(attributes).get("lang")))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if all(tag != "script" for tag, _ in self.open):
            self.texts.append((next((lang for _, lang in reversed(self.open) if lang), None), data))


@pytest.mark.parametrize(
    ("name", "mend"), [("divsor", "did you mean divisor"), ("keys", "mend"), ("score", "did you mean scores")]
)
def test_a_mistyped_name_is_not_passed_over(name, mend):
    with pytest.raises(TypeError, match=f"TwoScores: expected scores, divisor, values or language, got {name}; {mend}"):
        TwoScores(**{name: 4})


def test_fallback_is_a_table_in_both_languages():
    reader = Reader()
    reader.feed(html_of(TwoScores(scores=[-4, 0])))
    assert reader.open == []
    for language, text in reader.texts:
        if re.search(r"[\u3040-\u30ff\u3400-\u9fff]", text):
            assert language in ("ja", "zh-Hant"), text
    words = {language: [t for tag, t in reader.texts if tag == language] for language in ("ja", "zh-Hant")}
    assert len(words["ja"]) == len(words["zh-Hant"]) == 5
    plain = [text for language, text in reader.texts if language is None]
    assert {"−4", "0.119", "0.881", "1.19", "0.105", "0.0525"} <= {text.strip() for text in plain}
    assert not any("-" in text for text in plain)


def test_small_numbers_are_powers_of_ten():
    assert "1.13×10<sup>−7</sup>" in html_of(TwoScores(scores=[8, -8], divisor=1))


def test_package_lists_its_widgets():
    import interview_book.widgets as widgets

    assert {"ScalingLab", "TwoScores"} <= set(widgets.__all__) <= set(dir(widgets))
    assert all(getattr(widgets, name).__name__ == name for name in widgets.__all__)
    with pytest.raises(AttributeError, match=r"no attribute 'Two'; it has .*TwoScores"):
        _ = widgets.Two
