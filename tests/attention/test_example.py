"""The two-position example gives the numbers the book prints."""

import math

import numpy as np
import pytest

from interview_book.attention import KEYS, QUERY, VALUES, attend, scores, weights


def test_scores_are_four_and_zero():
    np.testing.assert_array_equal(scores(QUERY, KEYS, 1), [[4, 0]])
    np.testing.assert_array_equal(scores(QUERY, KEYS), [[2, 0]])


def test_weights_and_outputs_by_hand():
    for scale, gap in ((1, 4), (None, 2)):
        p = 1 / (1 + math.exp(-gap))
        np.testing.assert_allclose(weights(QUERY, KEYS, scale=scale), [[p, 1 - p]], rtol=1e-13)
        np.testing.assert_allclose(attend(QUERY, KEYS, VALUES, scale=scale), [[10 * p]], rtol=1e-15)


def test_nobody_can_change_it():
    for array in (QUERY, KEYS, VALUES):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
