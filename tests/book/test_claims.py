"""The claims ledger: its schema, its use, and the book's own file."""

from __future__ import annotations

import pytest

from interview_book.book.claims import KINDS, load, read, use_faults
from interview_book.book.errors import Faults
from interview_book.book.language_rules import language_findings

ENTRY = {
    "id": "a-claim",
    "topic": "softmax",
    "kind": "exact",
    "source": "[book]",
    "statement": "{en: It holds.}",
    "check": "prose",
}


def _line(**changes):
    fields = {**ENTRY, **changes}
    return "- " + "\n  ".join(f"{key}: {value}" for key, value in fields.items() if value is not None) + "\n"


@pytest.mark.parametrize(
    ("text", "rule", "said"),
    [
        (_line(check=None), "claim-field", "expected a field 'check', found none"),
        (_line(topic="''"), "claim-field", "expected a text 'topic'"),
        (_line(status="ok"), "unknown-key", "found 'status'"),
        (_line(id="A claim"), "claim-id", "found 'A claim'"),
        (_line(kind="rumour"), "claim-kind", "found 'rumour'"),
        (_line(source="book"), "claim-source", "found 'book'"),
        (_line(source="[hearsay]"), "claim-source", "['hearsay']"),
        (_line(statement="It holds."), "claim-statement", "statement: {en: …"),
        (_line(statement="{en: a, fr: b}"), "claim-statement", "statement: {en: …"),
        (_line(statement="{en: a, ja: ''}"), "claim-statement", "expected texts in statement"),
        (_line() + _line(), "duplicate-id", "found 'a-claim' again"),
        ("- 3\n", "type", "expected a mapping, found 3"),
        ("a: b\n", "type", "expected a list of claims, found dict"),
        ("- id: [\n", "yaml", "expected plain YAML"),
    ],
)
def test_faults_of_the_file(book, text, rule, said):
    (book.root / "chapters" / "claims.yml").write_text(text, encoding="utf-8")
    _, faults = read(book.root)
    assert [(one.file, one.rule) for one in faults] == [("chapters/claims.yml", rule)]
    assert said in faults[0].message
    with pytest.raises(Faults):
        load(book.root)


def test_a_missing_file(book):
    (book.root / "chapters" / "claims.yml").unlink()
    book.expect("missing-file", "expected the file", where="chapters/claims.yml")


@pytest.mark.parametrize("name", ["read-ja", "weights"])
def test_an_unknown_claim(book, name):
    book.cell(name, lambda cell: cell["metadata"]["book"].update(claims=["weights-sum-to-one", "nobody-said"]))
    found = [(place, message) for place, rule, message in book.faults() if rule == "unknown-claim"]
    assert len(found) == 1
    assert f"({name})" in found[0][0]
    assert "found 'nobody-said'" in found[0][1]


def test_an_unknown_claim_of_a_question(book):
    book.file("chapters/example.questions.yml", "[weights-sum-to-one]", "[nobody-said]")
    book.expect("unknown-claim", "found 'nobody-said'", where="question example.weight")


def test_a_used_claim_in_one_language(book):
    book.file("chapters/claims.yml", "    zh-Hant: 權重的總和是 1。\n", "")
    book.expect("claim-language", "found none in zh-Hant", where="claims.yml: claim weights-sum-to-one")


def test_an_unused_claim_may_wait(book):
    claims = load(book.root)
    assert set(claims["not-used-yet"].statement) == {"en"}
    assert use_faults(claims, [("weights-sum-to-one", "a", "b")]) == []
    assert [one.rule for one in use_faults(claims, [("not-used-yet", "a", "b")])] == ["claim-language"]


# --- the book's own ledger --------------------------------------------------------------------------------------------

TWO_POSITIONS = (
    "softmax-definition",
    "weights-depend-on-score-differences",
    "common-shift-has-no-effect",
    "large-gap-concentrates-weight",
    "softmax-derivative",
    "softmax-jacobian",
    "saturation-makes-derivatives-small",
    "example-setup-two-scores",
    "example-unscaled-weights",
    "example-scaled-weights",
    "example-output-unscaled",
    "example-output-scaled",
    "example-order-preserved",
    "example-weak-match-weight-rises",
    "example-is-not-measured-data",
    "example-is-original-illustration",
    "divisor-lowers-saturation-risk-without-guarantee",
    "divisor-effect-depends-on-score-scale",
    "large-scale-can-shrink-softmax-jacobian",
    "gradient-raw-carries-1-over-c",
    "gradient-crossover-two-scores",
    "verify-reproduce-two-position-example",
)


def test_the_ledger_is_clean(root):
    claims = load(root)
    assert len(claims) == 225
    assert {one.kind for one in claims.values()} == set(KINDS)


@pytest.fixture(scope="module")
def ledger(root):
    """The book's own claims."""
    return load(root)


@pytest.mark.parametrize("name", TWO_POSITIONS)
def test_the_claims_of_the_first_chapter_speak_both_languages(ledger, name):
    claim = ledger[name]
    assert set(claim.statement) == {"en", "ja", "zh-Hant"}
    assert [one for tag in ("ja", "zh-Hant") for one in language_findings(claim.statement[tag], tag)] == []


@pytest.mark.parametrize(
    ("name", "said", "noted"),
    [
        ("cause-misused-embedding-width", "raises the entropy", "As written that fails"),
        ("example-weak-match-weight-rises", "6.63-fold", "v2 = 0"),
        ("context-changes-bank-output", "Keys and Values", "weights of both sentences are identical"),
        ("verify-masked-weights-are-zero", "NaN in a masked Value", "0 * NaN = NaN"),
        ("mask-sets-forbidden-scores-to-minus-infinity", "averages forbidden Values silently", "-1e9"),
    ],
)
def test_corrected_claims_say_so(ledger, name, said, noted):
    claim = ledger[name]
    assert said in claim.statement["en"]
    assert noted in claim.note
