"""The convention table holds what the libraries of this environment really do; tests/torch holds torch to it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.libraries import probes
from tests.libraries.adapters import Jax, NaiveNumPy, Ours

COLUMNS = {"torch-sdpa", "torch-mha-weights", "torch-mha", "jax", "numpy", "ours", "ours-zero"}


def test_the_table_answers_every_question_in_every_column():
    answers = probes.read_table()["answers"]
    assert set(answers) == set(probes.PROBES)
    assert {name: set(row) for name, row in answers.items() if set(row) != COLUMNS} == {}
    for row in answers.values():
        for answer in row.values():
            assert answer is None or isinstance(answer, str) or (list(answer) == ["refuses"] and answer["refuses"])


def test_the_oracle_of_the_probes_by_hand():
    # Scores ln 1, ln 2 and ln 5 by the only feature; without the last Key the weights are 1/3 and 2/3.
    q, k, v = np.ones((1, 1)), np.log([[1.0], [2.0], [5.0]]), np.array([[3.0], [6.0], [80.0]])
    np.testing.assert_allclose(probes.formula(q, k, v), [[(3 + 12 + 400) / 8]], rtol=1e-15)
    np.testing.assert_allclose(probes.formula(q, k, v, np.array([[True, True, False]])), [[5]], rtol=1e-15)
    np.testing.assert_allclose(probes.formula(q, k, v, scale=2), [[(3 + 24 + 2000) / 30]], rtol=1e-15)


@pytest.mark.parametrize(
    ("column", "library"), [("numpy", NaiveNumPy()), ("ours", Ours()), ("ours-zero", Ours("zero"))]
)
def test_numpy_and_ours(column, library):
    assert probes.disagreements(probes.measure(library), probes.column(column)) == []


def test_jax(jax):
    assert jax.__version__ in probes.read_table()["versions"]["jax"], "measure the table again and add this version"
    assert probes.disagreements(probes.measure(Jax(jax)), probes.column("jax")) == []


def test_a_wrong_table_is_found_out():
    found = probes.measure(NaiveNumPy())
    column = probes.column("numpy")
    for name, wrong in {"scale": "1", "fewer-value-heads": {"refuses": "out of memory"}, "empty-row": None}.items():
        (said,) = probes.disagreements(found, {**column, name: wrong})
        assert said.startswith(f"{name}: the table says {wrong!r}, measured")
    (said,) = probes.disagreements(found, {name: column[name] for name in column if name != "scale"})
    assert said == "scale: the table says 'not in the table', measured '1/sqrt(d_k)'"
