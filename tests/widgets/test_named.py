"""What every widget refuses alike."""

import pytest
import traitlets

from interview_book.widgets import ScalingLab, TwoScores
from interview_book.widgets.scaling_lab import CHOICES

CONTROLS = [(TwoScores, name) for name in ("scores", "divisor", "values", "language")]
CONTROLS += [(ScalingLab, name) for name in (*CHOICES, "language")]


@pytest.mark.parametrize(("kind", "name"), CONTROLS, ids=lambda one: getattr(one, "__name__", one))
def test_none_is_refused_and_the_old_value_stays(kind, name):
    widget = kind()
    before = getattr(widget, name)
    with pytest.raises(traitlets.TraitError, match=f"{name}: expected .*got None"):
        setattr(widget, name, None)
    assert getattr(widget, name) == before
