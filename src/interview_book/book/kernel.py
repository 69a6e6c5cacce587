"""The kernel that chapters run in: this environment's Python, alone with its packages.

What a user keeps outside the environment (a start-up file, an IPython profile, a ``matplotlibrc``, a kernel of the
same name, a wide terminal) must not reach the committed outputs, and neither may hash order or the number of threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets import default

STARTUP_SECONDS = 120
CELL_SECONDS = 600

# Everything is an error but what the kernel itself raises: while it stops, and (from Python 3.12) tornado as it starts.
WARNINGS = (
    "error,ignore::PendingDeprecationWarning:ipykernel.kernelbase,"
    "ignore:There is no current event loop:DeprecationWarning"
)

_DROPPED = ("PYTHONSTARTUP", "IPYTHONDIR", "FORCE_COLOR", "PYTHONBREAKPOINT")


def environment(folder: Path, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment variables of a kernel whose profile and settings live in ``folder``.

    Parameters
    ----------
    folder : an existing folder that belongs to this run alone; an empty ``matplotlibrc`` is written into it.
    base : the variables to start from.
    """
    settings = folder / "matplotlibrc"
    settings.write_text("", encoding="utf-8")
    kept = {name: value for name, value in base.items() if name not in _DROPPED}
    return kept | {
        "PYTHONWARNINGS": WARNINGS,
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "IPYTHONDIR": str(folder),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "MATPLOTLIBRC": str(settings),
        "SOURCE_DATE_EPOCH": "0",
        "TZ": "UTC",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        # The last digits of a sum depend on how many threads share it.
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def warm(folder: Path) -> None:
    """Let Matplotlib find its fonts before the first cell: the first time it says so on stderr, which is an error."""
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "import matplotlib.font_manager"],
        env=environment(folder),
        cwd=folder,
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class _OwnKernel(KernelSpecManager):
    """Knows one kernel, this environment's; a ``python3`` installed in the user's folder does not shadow it."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


class OwnKernelManager(AsyncKernelManager):
    """Starts :class:`_OwnKernel`'s kernel under any name."""

    @default("kernel_spec_manager")
    def _own(self) -> KernelSpecManager:
        return _OwnKernel(parent=self)
