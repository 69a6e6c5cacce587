"""Every formula is set by KaTeX; what KaTeX and MathJax do not share is refused."""

from __future__ import annotations

import pytest

from interview_book.book.formulas import Placed, formula_faults, latex_output, messages


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\frac{1}{", "expected '}' at end of input"),
        (r"\nosuch{x}", "Undefined control sequence: \\nosuch"),
        ("x_a_b", "Double subscript"),
        (r"\newcommand{\q}{q}\q", "\\newcommand is not read alike"),
        (r"\def\q{q}\q", "\\def is not read alike"),
        (r"\href{https://example.org}{x}", "\\href is not read alike"),
        (r"\begin{dcases}x\end{dcases}", "begin{dcases} is not read alike"),
        (r"x \tag{1}", "\\tag is not read alike"),
        ("次元", "strict mode"),
    ],
)
def test_bad_formulas(root, tex, said):
    assert said in messages(root, [(tex, True)])[tex, True]


@pytest.mark.parametrize(
    "tex",
    [
        r"\operatorname{softmax}(QK^\top/\sqrt{d_k})V",
        r"\begin{aligned}a &= b \\ &= c\end{aligned}",
        r"\begin{pmatrix}1 & -1 \\ -1 & 1\end{pmatrix}",
        r"\mathbb{E}[q_i^2]\,\mathrm{Var}(s)",
        r"\begin{cases}1 & i = j \\ 0 & i \ne j\end{cases}",
        r"2\,\mathrm{arccosh}\,\varphi",
        r"\left[ \sqrt{d_{k}}\right]",
        r"\text{if } x \ge 0",
    ],
)
def test_good_formulas(root, tex):
    assert messages(root, [(tex, True), (tex, False)]) == {}


def test_no_formulas_need_no_node(tmp_path):
    assert messages(tmp_path, []) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"$\displaystyle \frac{1}{2}$", [(r" \frac{1}{2}", True)]),
        ("$$x$$", [("x", True)]),
        ("$x$ and $y$", [("x", False), ("y", False)]),
        (r"\begin{aligned}x\end{aligned}", [(r"\begin{aligned}x\end{aligned}", True)]),
    ],
)
def test_latex_outputs(text, found):
    assert latex_output(text) == found


def test_a_fault_names_file_cell_formula_and_message(root):
    placed = [Placed("a.ipynb", "cell 3 (x)", "a", False), Placed("a.ipynb", "cell 7 (y)", "{", True)]
    (fault,) = formula_faults(root, placed)
    assert (fault.file, fault.where, fault.rule) == ("a.ipynb", "cell 7 (y)", "formula")
    assert "«{»: Expected '}'" in fault.message


@pytest.mark.parametrize("place", ["passage", "formula", "caption", "question", "output"])
def test_a_bad_formula_in_a_book(book, place):
    bad = r"\frac{p}{"
    if place == "passage":
        for tag in ("ja", "zh-Hant"):
            book.replace(f"tip-{tag}", "$c = 0.5$", f"$c = 0.5 {bad}$")
        book.expect("formula", "expected '}' at end of input", where="cell 10 (tip-ja)")
    elif place == "formula":
        book.replace("softmax", "p_i =", bad)
        book.expect("formula", "expected '}' at end of input", where="cell 7 (softmax)")
    elif place == "caption":
        caption = {"ja": f"直線 ${bad}$ は 0.982", "zh-Hant": "直線是 0.982"}
        book.cell("figure", lambda cell: cell["metadata"]["book"]["figure"].update(caption=caption))
        book.expect("formula", "expected '}' at end of input", where="cell 12 (figure) caption.ja")
    elif place == "question":
        book.file("chapters/example.questions.yml", "$p$ はいくつ", f"${bad}$ はいくつ")
        book.expect("formula", "expected '}' at end of input", where="question example.weight question.ja")
    else:
        book.cell("verdict", lambda cell: cell["outputs"][0]["data"].update({"text/latex": f"${bad}$"}))
        book.expect("formula", "expected '}' at end of input", where="cell 13 (verdict) output")
