"""The convention table holds what torch really does."""

from __future__ import annotations

import pytest
import torch

from tests.libraries import probes
from tests.torch.adapters import Mha, Sdpa


def test_the_version_is_the_measured_one():
    version = torch.__version__.partition("+")[0]  # 2.13.0+cpu is the same release
    assert version in probes.read_table()["versions"]["torch"], "measure the table again and add this version"


@pytest.mark.parametrize(
    ("column", "library"),
    [("torch-sdpa", Sdpa()), ("torch-mha-weights", Mha(True)), ("torch-mha", Mha(False))],
)
def test_torch(column, library):
    assert probes.disagreements(probes.measure(library), probes.column(column)) == []
