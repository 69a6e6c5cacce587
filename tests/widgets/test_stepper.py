"""The stepper's Python half: its state, its checks and what a notebook stores of it."""

import html.parser
import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest
import traitlets

from interview_book.widgets import Stepper, deck_files, stepper_tables
from interview_book.widgets import stepper_data as data

CONTROLS = ("sentence", "mode", "query", "step", "computed")
# Weights of bank by hand: e to 0.46, 0, 2.3 and 0.69, over their sum.
BANK = [math.exp(z) / sum(map(math.exp, (0.46, 0, 2.3, 0.69))) for z in (0.46, 0, 2.3, 0.69)]


@pytest.fixture(autouse=True)
def module(request, monkeypatch):
    """A small module instead of the real one, which `test_in_a_kernel` takes."""
    if "kernel" not in request.node.name:
        monkeypatch.setattr(deck_files, "module", lambda stem: f"export default {{ name: {json.dumps(stem)} }};")


@pytest.fixture
def own():
    """Own tokens, one of them twice, with sizes that differ."""
    rng = np.random.default_rng(5)
    x, w_q, w_k, w_v = (rng.normal(size=shape) for shape in ((3, 7), (7, 5), (7, 5), (7, 2)))
    return {"tokens": ["a", "<b>", "a"], "X": x, "W_q": w_q, "W_k": w_k, "W_v": w_v}


def html_of(widget):
    return widget._repr_mimebundle_()[0]["text/html"]


def data_of(widget):
    text = html_of(widget)
    start = '<div class="book-widget" data-widget="stepper"><script type="application/json">'
    assert text.startswith(start) and text.endswith("</div>") and "\n" not in text
    return json.loads(text[len(start) : text.index("</script>")])


def test_starts_with_the_lesson():
    widget = Stepper()
    assert widget.state == {"sentence": "river", "mode": "scaled", "query": 3, "step": 1, "computed": 4}
    assert (widget.language, widget.edited, widget.given) == ("ja", False, data.lesson())
    assert data.lesson()["X"] == widget.X
    assert np.allclose(widget.reading["A"][3], BANK, rtol=1e-14)
    assert widget.reading == data.reading(data.lesson(), widget.X, "river", "scaled", 3)


def test_starts_with_own_tokens(own):
    widget = Stepper(**own, features=list("uvwxyzå"), mode="raw")
    assert widget.state == {"sentence": "own", "mode": "raw", "query": 2, "step": 1, "computed": 3}
    assert own["X"].tolist() == widget.X and not widget.edited
    assert widget.reading["tokens"] == ["a", "<b>", "a"] and widget.reading["beta"] == 1
    assert np.allclose(widget.reading["S"], own["X"] @ own["W_q"] @ (own["X"] @ own["W_k"]).T, rtol=1e-12)
    assert widget.given["features"] == list("uvwxyzå")
    assert Stepper(*own.values()).given == Stepper(**own).given


def test_state_travels_as_plain_json():
    widget = Stepper(sentence="savings", mode="uniform", query=np.int64(1), step=6.0, computed=0, language="zh-Hant")
    state = widget.get_state()
    sent = {name: json.loads(json.dumps(state[name])) for name in (*CONTROLS, "X", "given", "language")}
    assert [sent[name] for name in CONTROLS] == ["savings", "uniform", 1, 6, 0]
    assert all(type(state[name]) is int for name in ("query", "step", "computed"))
    assert sent["X"] == sent["given"]["X"] and sent["language"] == "zh-Hant"
    assert state["_esm"] == 'export default { name: "stepper" };' and ".stepper" in state["_css"]


def test_a_message_from_the_page_changes_the_state():
    widget = Stepper()
    table = [[0.2, 0.2, 0, 1], [0.2, 0.2, 0, 1], [0, 0, 0, 1], [2, 0, 0, 0], [0, 2, 0, 0], [0.3, -7, 1, 0]]
    widget.set_state({"sentence": "savings", "mode": "raw", "query": 0, "step": 5, "computed": 2, "X": table})
    assert list(widget.state.values()) == ["savings", "raw", 0, 5, 2]
    assert table == widget.X and widget.edited
    assert widget.reading["X"][3] == [0.3, -7, 1, 0]
    widget.set_state({"X": data.lesson()["X"]})
    assert not widget.edited


def test_an_edit_leaves_what_was_given_alone():
    widget = Stepper()
    table = np.array(widget.X)
    table[5, 1] = 1000
    widget.X = table
    assert widget.edited and widget.given == data.lesson() == Stepper().given
    assert Stepper().X[5][1] == 0.3


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("sentence", "own", "sentence: expected 'river' or 'savings', got 'own'"),
        ("sentence", ["river"], r"got \['river'\]"),
        ("mode", "Scaled", "mode: expected 'scaled' or 'raw' or 'uniform', got 'Scaled'"),
        ("mode", None, "mode: .* got None"),
        ("query", 4, "query: expected a whole number from 0 to 3, got 4"),
        ("query", -1, "query: .* got -1"),
        ("query", True, "query: .* got True"),
        ("query", "3", "query: .* got '3'"),
        ("step", 0, "step: expected a whole number from 1 to 6, got 0"),
        ("step", 2.5, "step: .* got 2.5"),
        ("step", math.nan, "step: .* got nan"),
        ("computed", 5, "computed: expected a whole number from 0 to 4, got 5"),
        ("language", "zh", "language: expected 'ja' or 'zh-Hant', got 'zh'"),
    ],
)
def test_bad_state_is_named_and_the_old_one_kept(name, value, says):
    if value is not None:  # as an argument it means «as usual»
        with pytest.raises(traitlets.TraitError, match=says):
            Stepper(**{name: value})
    widget = Stepper()
    before = getattr(widget, name)
    with pytest.raises(traitlets.TraitError, match=says):
        setattr(widget, name, value)
    assert getattr(widget, name) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda x: x[:5], r"X: expected shape \(rows, d_model\) = \(6, 4\), got \(5, 4\)"),
        (lambda x: [row[:3] for row in x], r"got \(6, 3\)"),
        (lambda x: [*x[:5], [0, 0, 0, math.nan]], r"X\[5\]\[3\]: expected a number from -1000 to 1000, got nan"),
        (lambda x: [*x[:5], [0, 0, 1000.5, 0]], r"X\[5\]\[2\]: .* got 1000\.5"),
        (lambda x: [*x[:5], [0, 0, "1", 0]], "X: expected a matrix of numbers"),
        (lambda x: [*x[:5], [0, 0, None, 0]], "X: expected a matrix of numbers"),
        (lambda x: None, "X: expected a matrix of numbers"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_the_old_one_kept(change, says):
    widget = Stepper()
    widget.X = first = [[i + f / 8 for f in range(4)] for i in range(6)]
    for put in (lambda x: setattr(widget, "X", x), lambda x: widget.set_state({"X": x})):
        with pytest.raises(traitlets.TraitError, match=says):
            put(change(first))
        assert first == widget.X and widget.edited


def test_what_was_given_cannot_be_set(own):
    for widget in (Stepper(), Stepper(**own)):
        given = widget.given
        with pytest.raises(traitlets.TraitError, match="read-only"):
            widget.given = {}
        for wrong in ({}, given | {"lesson": 3}):
            with pytest.raises(traitlets.TraitError, match="given: expected what Python computed"):
                widget.set_state({"given": wrong})
            assert widget.given == given
        widget.set_state({"given": json.loads(json.dumps(given))})
        assert widget.given == given


@pytest.mark.parametrize("left_out", ["tokens", "X", "W_q", "W_k", "W_v"])
def test_own_numbers_are_given_together(own, left_out):
    del own[left_out]
    with pytest.raises(TypeError, match=f"expected tokens, X, W_q, W_k, W_v together, got none for {left_out}; give"):
        Stepper(**own)


def test_names_of_features_alone_are_not_enough():
    with pytest.raises(TypeError, match="got none for tokens, X, W_q, W_k, W_v; give them all, or none"):
        Stepper(features=["a"])


def test_shapes_that_do_not_fit_are_named(own):
    with pytest.raises(ValueError, match=r"W_q and W_k: .* same d_k, got 5 and 3 \(W_q \(7, 5\), W_k \(7, 3\)\)"):
        Stepper(**own | {"W_k": np.ones((7, 3))})


@pytest.mark.parametrize(
    ("name", "mend"),
    [("W_Q", "did you mean W_q?"), ("langage", "did you mean language?"), ("keys", "mend"), ("beta", "mend the name")],
)
def test_a_mistyped_name_is_not_passed_over(name, mend):
    with pytest.raises(TypeError, match=f"expected tokens, X, .* or language, got {name}; {re.escape(mend)}"):
        Stepper(**{name: 1})


def test_bundle_has_the_view_and_what_remains_without_a_kernel(own):
    bundle, _ = Stepper(mode="raw", step=5)._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert bundle["text/plain"] == 'Stepper(sentence="river", mode="raw", query=3, step=5, computed=4)'
    assert repr(Stepper(**own)) == (
        'Stepper(3 tokens, d_model=7, sentence="own", mode="scaled", query=2, step=1, computed=3)'
    )
    assert html_of(Stepper()) == html_of(Stepper())  # no model id, no address


def test_html_is_one_element_with_its_data(own):
    found = data_of(Stepper(sentence="savings", query=2))
    assert found == {**Stepper(sentence="savings", query=2).state, "X": data.lesson()["X"], "given": data.lesson()}
    state = {name: found[name] for name in CONTROLS}
    assert Stepper(**state).state == state
    assert len(html_of(Stepper())) < 17_000
    # A token may be called anything; it ends no script, and is no tag.
    widget = Stepper(**own | {"tokens": ["</script>", "<b>", "&"]})
    assert data_of(widget)["given"]["sentences"][0]["tokens"] == ["</script>", "<b>", "&"]
    assert html_of(widget).count("<b>") == 0 and html_of(widget).count("</script>") == 1


class Reader(html.parser.HTMLParser):
    """The tables, one language of them: caption, and rows of ``(tag, attributes, text)``; all texts by language."""

    def __init__(self, widget, language):
        super().__init__()
        self.keep, self.open, self.tables, self.texts = language, [], [], []
        self.feed(html_of(widget))
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append((tag, dict(attributes)))
        if tag == "table":
            self.tables.append({"class": dict(attributes)["class"], "caption": "", "rows": []})
        elif tag == "tr":
            self.tables[-1]["rows"].append([])
        elif tag in ("td", "th"):
            self.tables[-1]["rows"][-1].append([tag, dict(attributes), ""])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        tags = [tag for tag, _ in self.open]
        lang = next((one["lang"] for _, one in reversed(self.open) if "lang" in one), None)
        if "script" in tags:
            return
        self.texts.append((lang, text))
        if lang not in (None, self.keep):
            return
        if "caption" in tags:
            self.tables[-1]["caption"] += text
        elif tags[-1:] and ("td" in tags or "th" in tags):
            self.tables[-1]["rows"][-1][-1][2] += text

    def cells(self, table):
        """Rows of text, without the head."""
        return [[text for _, _, text in row] for row in self.tables[table]["rows"] if row[0][1].get("scope") == "row"]


def test_six_tables_by_hand():
    reader = Reader(Stepper(), "ja")
    assert [one["caption"][:2] for one in reader.tables] == ["1.", "2.", "3.", "4.", "5.", "6."]
    assert reader.cells(0) == [
        ["by", "0.2", "0.2", "0", "1"],
        ["the", "0", "0", "0", "1"],
        ["river", "2", "0", "0", "0"],
        ["bank", "0.3", "0.3", "1", "0"],
    ]
    assert reader.cells(1)[-1] == ["bank", *(str(x) for x in (2.3, 2.3, 0, 0, 0.3, 0.3, 2, 0, 0.3, 0.3, 1, 0))]
    assert reader.cells(1)[2] == ["c2 名詞", *(str(x) for x in (2, 2, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0))]
    assert reader.cells(2) == [
        ["by", "2.3×0.2 = 0.46", "2.3×0.2 = 0.46", "0×0 = 0", "0×0 = 0", "0.92", "0.46"],
        ["the", "2.3×0 = 0", "2.3×0 = 0", "0×0 = 0", "0×0 = 0", "0", "0"],
        ["river", "2.3×2 = 4.6", "2.3×0 = 0", "0×0 = 0", "0×0 = 0", "4.6", "2.3"],
        ["bank", "2.3×0.3 = 0.69", "2.3×0.3 = 0.69", "0×2 = 0", "0×0 = 0", "1.38", "0.69"],
    ]
    assert "√dₖ = 2 で割る" in reader.tables[2]["caption"]
    assert reader.cells(3) == [
        ["by", "0.46", "1.584", "0.108856", "0.11"],
        ["the", "0", "1", "0.068719", "0.07"],
        ["river", "2.3", "9.974", "0.685418", "0.69"],
        ["bank", "0.69", "1.994", "0.137007", "0.14"],
        ["Σ", "", "14.552", "1", "1.01"],
    ]
    assert reader.cells(4)[2:] == [
        ["river", "0.69", "1.371", "0", "0", "0"],
        ["bank", "0.14", "0.041", "0.041", "0.137", "0"],
        ["出力", "1", "1.434", "0.063", "0.137", "0"],
        ["argmax：river だけ", "1", "2", "0", "0", "0"],
    ]
    assert reader.cells(5) == [
        ["by", "0.17", "0.16", "0.20", "0.47", "1", "1.272"],
        ["the", "0.17", "0.17", "0.17", "0.48", "1", "1.268"],
        ["river", "0.11", "0.09", "0.67", "0.12", "1", "0.987"],
        ["bank", "0.11", "0.07", "0.69", "0.14", "1", "0.957"],
    ]


def test_another_mode_shows_the_scaled_numbers_beside_its_own():
    reader = Reader(Stepper(mode="raw", sentence="savings"), "zh-Hant")
    heads = [[text for _, _, text in one["rows"][0]] for one in reader.tables]
    assert [head[-1] for head in heads[2:4]] == ["除以 √dₖ = 2 時"] * 2 and heads[5][-1] == "除以 √dₖ = 2 時"
    assert reader.cells(2)[2][-3:] == ["4.6", "4.6", "2.3"]
    assert reader.cells(3)[2] == ["savings", "4.6", "99.484", "0.930034", "0.93", "0.69"]
    assert reader.cells(4)[4:6] == [
        ["輸出", "1", "0.016", "1.876", "0.037", "0"],
        ["除以 √dₖ = 2 時", "1", "0.063", "1.434", "0.137", "0"],
    ]
    assert reader.cells(5)[3][-2:] == ["0.322", "0.957"]
    uniform = Reader(Stepper(mode="uniform"), "ja")
    assert uniform.cells(3)[0] == ["by", "0", "1", "0.250000", "0.25", "0.11"]
    assert "どの Key も同じ" in uniform.tables[2]["caption"]


def test_tables_have_headers_and_frames():
    widget = Stepper()
    reader = Reader(widget, "ja")
    assert [one["class"] for one in reader.tables] == ["matrix"] * 5 + ["matrix attention"]
    for one in reader.tables:
        width = [sum(int(cell[1].get("colspan", 1)) for cell in row) for row in one["rows"]]
        assert len(set(width)) == 1
        scopes = {cell[1].get("scope") for row in one["rows"] for cell in row if cell[0] == "th"}
        assert {"row", "col"} <= scopes <= {"row", "col", "rowgroup", "colgroup"}
    cells = [cell for row in reader.tables[5]["rows"][1:] for cell in row if "heat" in cell[1].get("class", "")]
    framed = [i for i, cell in enumerate(cells) if "strongest" in cell[1]["class"]]
    assert framed == [3, 7, 10, 14]
    weights = np.ravel(widget.reading["A"])
    assert [int(cell[1]["data-heat"]) for cell in cells] == [math.floor(8 * p) for p in weights]
    # With equal weights nothing is framed, and of two that tie both are.
    assert "strongest" not in html_of(Stepper(mode="uniform"))
    same = Stepper(["a", "a", "b"], [[1, 0], [1, 0], [0, 1]], np.eye(2), np.eye(2), np.eye(2))
    assert html_of(same).count("strongest") == 2 + 2 + 1


def test_both_languages_say_the_same_numbers(own):
    for widget in (Stepper(), Stepper(mode="uniform"), Stepper(**own, mode="raw")):
        ja, zh = Reader(widget, "ja"), Reader(widget, "zh-Hant")
        for language, text in ja.texts:
            if re.search(r"[\u3040-\u30ff\u3400-\u9fff]", text):
                assert language in ("ja", "zh-Hant"), text
        assert "-" not in "".join(text for language, text in ja.texts if language is None)
        for one, other in zip(ja.tables, zh.tables, strict=True):
            assert sorted(re.findall(r"\d[\d.]*", one["caption"])) == sorted(re.findall(r"\d[\d.]*", other["caption"]))
            assert one["caption"] != other["caption"]


@pytest.mark.parametrize("state", [{}, {"mode": "raw", "sentence": "savings"}, {"mode": "uniform", "query": 1}])
def test_fallback_passes_the_rules_for_outputs(state):
    from interview_book.book.outputs import html_findings

    assert html_findings(html_of(Stepper(**state))) == []


def test_last_bits_move_no_digit_of_the_tables():
    def moved(value, factor):
        if isinstance(value, dict):
            return {key: moved(one, factor) for key, one in value.items()}
        if isinstance(value, list):
            return [moved(one, factor) for one in value]
        return value * factor if isinstance(value, float) else value

    for sentence in ("river", "savings"):
        for mode in data.MODES:
            now = Stepper(sentence=sentence, mode=mode).reading
            # What comes before the softmax is exact, and so are equal weights; the rest may differ a little.
            names = ("weighted", "output", "entropy", *(("A",) if mode != "uniform" else ()))
            made = set()
            for factor in (1 - 2**-47, 1, 1 + 2**-47):
                scaled = {name: moved(now["scaled"][name], factor) for name in ("A", "output", "entropy")}
                one = now | {name: moved(now[name], factor) for name in names} | {"scaled": now["scaled"] | scaled}
                made.add(stepper_tables.tables(data.lesson(), one, 3, mode))
            assert len(made) == 1


@pytest.mark.parametrize(
    ("x", "shown"),
    [
        (0, "0"),
        (-0.0, "0"),
        (2.3, "2.3"),
        (-1.25, "−1.25"),
        (1234.5, "1,234.5"),
        (0.08000000000000002, "0.08"),
        (0.0005, "0.001"),
        (0.0004, "4×10<sup>−4</sup>"),
        (-123456789.0, "−1.23×10<sup>8</sup>"),
        (2 / 3, "0.667"),
        (1000, "1,000"),
        (1e21, "1×10<sup>21</sup>"),
    ],
)
def test_numbers_are_short(x, shown):
    assert stepper_tables.number(x) == shown


def test_halves_are_rounded_as_the_page_does():
    """JavaScript's toFixed takes the larger of two equally near numbers, Python's format the even one."""
    cases = [(0.125, 2, "0.13"), (0.375, 2, "0.38"), (-0.125, 2, "−0.13"), (0.5, 0, "1"), (-0.001, 2, "0.00")]
    for x, decimals, shown in cases:
        assert stepper_tables.fixed(x, decimals) == shown
    assert stepper_tables.fixed(1e22, 2) == "10,000,000,000,000,000,000,000.00"


def test_own_tokens_and_features_stand_over_their_numbers(own):
    reader = Reader(Stepper(**own, features=["f<", *"uvwxyz"], query=0), "ja")
    assert [text for _, _, text in reader.tables[0]["rows"][0]] == ["トークン", "f<", *"uvwxyz"]
    assert [row[0] for row in reader.cells(0)] == ["a1", "<b>", "a3"]
    caption = reader.tables[2]["caption"]
    assert caption.startswith("3. スコア：a1 の Query と各 Key の内積") and "√dₖ ≈ 2.236 で割る" in caption
    assert [text for _, _, text in reader.tables[2]["rows"][0]][1:6] == [f"q{i}k{i}" for i in range(5)]
    assert [text for _, _, text in reader.tables[4]["rows"][0]][2:] == ["v0", "v1"]
    weighted = (np.array(Stepper(**own).reading["A"])[0][:, None] * (own["X"] @ own["W_v"])).sum(axis=0)
    assert reader.cells(4)[3][2:] == [f"{x:.3f}".replace("-", "−") for x in weighted]


def test_a_tie_is_told_beside_argmax():
    same = Stepper(["a", "a", "b"], [[1, 0], [1, 0], [0, 1]], np.eye(2), np.eye(2), np.eye(2), query=0)
    assert Reader(same, "ja").cells(4)[-1] == ["argmax：同点なので最初の a1 だけ", "1", "1", "0"]
    assert Reader(same, "zh-Hant").cells(4)[-1][0] == "argmax：同分，只取第一個 a1"


def test_large_scores_do_not_overflow_the_tables():
    widget = Stepper(["a", "b"], [[1000], [999]], [[1000]], [[1000]], [[1]])
    reader = Reader(widget, "ja")
    assert reader.tables[3]["rows"][0][2][2] == "ez − max z"
    assert reader.cells(3)[0] == ["a", "9.99×1011", "1", "1.000000", "1.00"]
    assert reader.cells(3)[1][2:] == ["0", "0.000000", "0.00"]


def test_the_book_is_not_imported_by_its_widgets():
    code = (
        "import sys\nfrom interview_book.widgets import Stepper\n"
        "print([name for name in sys.modules if name.startswith('interview_book.book')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"


def test_in_a_kernel():
    """The real module, a notebook's cell, and the trait that a page would send."""
    import nbclient
    import nbformat

    source = (
        "from interview_book.widgets import Stepper\nwidget = Stepper()\nwidget.set_state({'step': 5, 'query': 2})\n"
        "print(widget.step, widget.query, 'export' in widget._esm, len(widget._css) > 0)\nwidget"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    nbclient.NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    printed, shown = notebook.cells[0].outputs
    assert printed["text"] == "5 2 True True\n"
    assert 'data-widget="stepper"' in shown["data"]["text/html"]
    assert shown["data"]["application/vnd.jupyter.widget-view+json"]["version_major"] == 2
