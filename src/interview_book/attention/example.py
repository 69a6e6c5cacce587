"""The two-position example as data: one Query, two Keys, two Values, d_k = 4.

The Query agrees with the first Key in every feature and with the second in half of them, so that the raw scores are 4
and 0; √d_k = 2 divides them into 2 and 0. The numbers were chosen for the illustration; nobody measured them.
"""

from __future__ import annotations

import numpy as np

QUERY = np.ones((1, 4))
KEYS = np.array([[1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, -1.0]])
VALUES = np.array([[10.0], [0.0]])
# Shared by everything that imports them, so nobody may change them in place.
for _array in (QUERY, KEYS, VALUES):
    _array.flags.writeable = False
