"""What would make every command slow to start, and a build slow to end."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator
from types import ModuleType

_EXECUTE = "myst_nb.core.execute"


def skip_slow_imports() -> None:
    """Spare a second: at import jsonschema compiles grammars of addresses and durations, for formats that no schema of
    ours names. It copes with their absence."""
    for name in ("rfc3987_syntax", "rfc3986_validator", "isoduration"):
        sys.modules.setdefault(name, None)


def skip_execution() -> None:
    """Let MyST-NB do without what executes notebooks, a database and a client: pages show committed outputs."""
    for name in ("cache", "direct", "inline"):
        stand_in = ModuleType(f"{_EXECUTE}.{name}")
        setattr(stand_in, f"NotebookClient{name.title()}", _refuse)
        sys.modules.setdefault(stand_in.__name__, stand_in)


def _refuse(*_args, **_more) -> None:
    raise RuntimeError("a page is built from committed outputs: expected a notebook that does not ask to be executed. "
                       "Take execution_mode out of its metadata; `make run` executes it.")  # fmt: skip


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Let no garbage be looked for meanwhile: a build ends before what it leaves behind fills the memory, and a sixth
    of its time went into looking."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
