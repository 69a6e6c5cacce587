"""Re-execute notebooks in place: a second run changes no byte, a failed run leaves the file as it was."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from interview_book.book import kernel, normal
from interview_book.book.errors import BookError

AT_ONCE = 2


def execute(paths: Sequence[Path]) -> list[Path]:
    """Execute each notebook from its first cell to its last and return those whose bytes changed.

    Every notebook gets a kernel of its own (this environment's, see :mod:`interview_book.book.kernel`) and an empty
    folder to run in, so that no relative path works by accident; at most two run at once. A notebook that fails is
    left untouched and does not keep the others from being written.

    Raises
    ------
    BookError : one line for each notebook that failed: file, cell, last line of the traceback.
    """
    files = list(dict.fromkeys(Path(path).resolve() for path in paths))
    results = asyncio.run(_all(files))
    failures = [str(result) for result in results if isinstance(result, BookError)]
    if failures:
        raise BookError("\n".join(failures))
    return [file for file, changed in zip(files, results, strict=True) if changed]


async def _all(files: list[Path]) -> list[bool | BookError]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(file: Path) -> bool | BookError:
        async with gate:
            try:
                return await _run(file)
            except BookError as error:
                return error

    return await asyncio.gather(*map(one, files))


async def _run(file: Path) -> bool:
    notebook = normal.parse(file)
    before = file.read_bytes()
    with tempfile.TemporaryDirectory(prefix="interview-book-", ignore_cleanup_errors=True) as folder:
        await _execute(notebook, file, Path(folder))
    after = normal.written(normal.normalise(notebook)).encode("utf-8")
    if after == before:
        return False
    replace(file, after)
    return True


async def _execute(notebook, file: Path, folder: Path) -> None:
    home, work = folder / "kernel", folder / "work"
    home.mkdir()
    work.mkdir()
    client = NotebookClient(
        notebook,
        kernel_manager_class=kernel.OwnKernelManager,
        kernel_name="python3",
        startup_timeout=kernel.STARTUP_SECONDS,
        timeout=kernel.CELL_SECONDS,
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
    )
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    await asyncio.to_thread(kernel.warm, home)
    # What the kernel process itself writes is shown only if it dies: it is no output of any cell.
    with (home / "stderr").open("w+", encoding="utf-8", errors="replace") as log:
        client.km = client.create_kernel_manager()
        try:
            # Cell by cell, not client.async_execute(): that takes SIGINT for itself, and two clients cannot share it.
            await client.async_start_new_kernel(cwd=str(work), env=kernel.environment(home), stderr=log)
            await client.async_start_new_kernel_client()
        except (RuntimeError, TimeoutError) as error:
            if client.km is not None:  # nbclient lets go of a kernel that died as it started
                await client._async_cleanup_kernel()
            raise BookError(f"{file}: the kernel did not start: {error}{_last(log)}") from error
        try:
            for index, cell in enumerate(notebook.cells):
                where = f"{file}: cell {index} ({cell.id})"
                try:
                    await client.async_execute_cell(cell, index)
                except CellExecutionError as error:
                    raise BookError(f"{where}: {error.ename}: {_line(error.evalue)}") from None
                except CellTimeoutError:
                    raise BookError(f"{where}: still running after {kernel.CELL_SECONDS} seconds") from None
                except DeadKernelError:
                    raise BookError(f"{where}: the kernel died{_last(log)}") from None
                if cell.cell_type == "code" and (found := normal.complaints(cell)):
                    raise BookError("\n".join(f"{where}: {one}" for one in found))
                # asyncio.wait_for (before Python 3.12), which nbclient awaits as a cell ends, can swallow a Ctrl-C.
                if asyncio.current_task().cancelling():
                    raise asyncio.CancelledError
        finally:
            await client._async_cleanup_kernel()


def replace(file: Path, content: bytes) -> None:
    """Put ``content`` in the place of ``file`` at once: whoever is killed meanwhile leaves the old file whole."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".tmp", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if file.exists():
            shutil.copymode(file, name)
        else:
            # mkstemp keeps the file to its owner; a new file gets what the user's umask gives any other.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _line(text: str) -> str:
    """Return the line of an exception's text that says most: the last that holds something."""
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _last(log) -> str:
    log.flush()
    log.seek(0)
    line = _line(log.read())
    return f" ({line})" if line else ""
