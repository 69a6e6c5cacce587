"""The register of results: complete, honest about what is proved, and printable."""

import importlib
import inspect
import itertools
import re

import pytest
import yaml

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation
from interview_book.checks.row_measurements import Measurement
from interview_book.checks.theory_results import RESULTS, results_for
from interview_book.checks.typesetting import latex
from tests.checks.proving import chain_of, printed_under

MODULES = sorted({name.split(".")[0] for name in RESULTS})
# Known to KaTeX and to MathJax without extensions.
WORDS = (
    r"\begin|\end|\left|\right|\frac|\sqrt|\partial|\cosh|\sinh|\tanh|\cos|\log|\operatorname|\iff|\infty|\int|\displaystyle"
    r"|\pi|\lVert|\rVert|\lvert|\rvert|\sum|\lim|\to|\delta|\beta|\sigma|\eta|\alpha|\gamma|\Gamma|\geq|\leq|\cdot|\max"
    r"|\mathsf|\xi|\substack|\Delta|\mid|\neq|\kappa|\rho|\gamma|\theta|\sin|\text|\mu"
)
COMMANDS = {*WORDS.split("|"), r"\,", "\\\\"}


@pytest.fixture(scope="module")
def made():
    """Every proved result, built but not proved again: that is for the tests of its module."""
    return {name: one.make() for name, one in RESULTS.items() if one.status == "proved"}


def test_status_says_what_it_is(made):
    assert {one.status for one in RESULTS.values()} == {"proved", "measured"}
    assert all(isinstance(one, (Derivation, Bound)) for one in made.values())
    for one in RESULTS.values():
        if one.status == "measured":
            assert one.make.__annotations__["return"] == "Measurement" and Measurement.__name__ == "Measurement"


def test_every_result_of_these_modules_is_registered():
    for module in MODULES:
        home = importlib.import_module(f"interview_book.checks.{module}")
        for name, function in vars(home).items():
            if not inspect.isfunction(function) or function.__module__ != home.__name__ or name.startswith("_"):
                continue
            if function.__annotations__.get("return") in ("Derivation", "Bound", "Measurement"):
                assert f"{module}.{name}" in RESULTS


def test_every_source_is_a_claim_or_a_section(root):
    ids = {one["id"] for one in yaml.safe_load((root / "chapters" / "claims.yml").read_text(encoding="utf-8"))}
    sections = {f"theory-3.{k}" for k in range(1, 10)}
    for one in RESULTS.values():
        assert one.sources and set(one.sources) <= ids | sections, one.name
    assert {one for result in RESULTS.values() for one in result.sources} >= sections


def test_exact_claims_about_variance_softmax_and_alternatives_are_proved(root):
    claims = yaml.safe_load((root / "chapters" / "claims.yml").read_text(encoding="utf-8"))
    topics = ("variance", "softmax", "alternatives")
    exact = {one["id"] for one in claims if one["topic"] in topics and one["kind"] == "exact"}
    assert len(exact) >= 16
    for claim in exact:
        assert any(one.status == "proved" for one in results_for(claim)), claim


def test_no_line_is_printed_twice(made):
    for name, one in made.items():
        lines = [latex(step.expression) for step in chain_of(one).steps]
        assert all(a != b for a, b in itertools.pairwise(lines)), name


def test_latex_uses_only_what_both_renderers_know(made):
    for name, one in made.items():
        text = one.latex()
        used = set(re.findall(r"\\(?:[A-Za-z]+|[^A-Za-z\s])", text))
        assert used <= COMMANDS, (name, used - COMMANDS)
        assert set(re.findall(r"\\begin\{(\w+)\}", text)) <= {"aligned", "matrix"}
        assert text.count(r"\begin") == text.count(r"\end") and text.count(r"\left") == text.count(r"\right")
        assert text.isascii()
        assert all(re.fullmatch(r"[a-z][a-z-]*(\.[a-z-]+)+", step.reason) for step in chain_of(one).steps), name


def test_latex_does_not_depend_on_the_hash_seed():
    program = (
        "from interview_book.checks.theory_results import RESULTS\n"
        "for one in RESULTS.values():\n"
        "    print(one.name, one.make().latex() if one.status == 'proved' else str())"
    )
    printed = printed_under(program, "1", "4242")
    assert len(printed) == 1 and printed.pop().count(r"\begin{aligned}") > 100


def test_what_a_proof_rests_on_is_a_key():
    assert {one.assumes for one in RESULTS.values()} == {
        "", "law-of-large-numbers", "heuristic-of-heights", "random-energy-model", "jensen",
        "joint-normal", "normal-gap", "chi-density",
    }  # fmt: skip


def test_an_unknown_source_is_named():
    with pytest.raises(KeyError, match=r"expected one of .*theory-3.4.*got 'theory-9'"):
        results_for("theory-9")
    assert {one.name for one in results_for("softmax-derivative")} >= {"softmax_theory.jacobian_entry"}
