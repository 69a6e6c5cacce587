"""What would make every command slow to start."""

from __future__ import annotations

import sys


def skip_slow_imports() -> None:
    """Spare a second: at import jsonschema compiles 38 grammars of addresses, for formats that no schema of ours names.
    It copes with their absence."""
    sys.modules.setdefault("rfc3987_syntax", None)
