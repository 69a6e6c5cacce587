"""Tests against torch run in an environment of their own: ``make test-torch``.

Elsewhere this folder holds no tests. ``make test-torch`` cannot pass without running them: where none is collected,
pytest ends with exit code 5.
"""

from __future__ import annotations

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["test_*.py"]
