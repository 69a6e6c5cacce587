"""Running a learner's function in a child process, with a time limit, and reading what comes back without trusting it.

On Linux the child is a fork: whatever the function uses (other cells, closures, classes) is there. Elsewhere, and where
a fork does not answer within `READY` seconds (a lock held by another thread of the notebook's kernel), a fresh Python
gets the function's code and what it names (`carried`). The child only computes; every judgement is made here.

This keeps accidents out of the notebook (endless loops, gigabytes, ``os._exit``). It is no prison: a function may still
read and write files, as it may in the notebook itself.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from interview_book.practice import carried, sandbox_child
from interview_book.practice.messages import Outcome, Reader, outcome

WAYS = ("fork", "fresh")
READY = {"fork": 5.0, "fresh": 60.0}  # seconds to start; a cold disk takes long to import NumPy
MEMORY = 1 << 30
_DESCRIPTORS = 65_536  # a process has no more open files than this
PRINTED = 20_000  # bytes kept of what is printed

_FRESH = (
    "import sys; sys.path[:] = sys.argv[1:]; from interview_book.practice import sandbox_child; sandbox_child.main()"
)


@dataclass(frozen=True)
class Run:
    """What a run left.

    Attributes
    ----------
    outcomes : one for each call that came to an end, in order.
    stopped : None when all did; ``time``, ``ended`` (the process ended by itself), ``signal``, ``disturbed`` (something
        wrote into the way back) or ``start`` (no child could be started). The call that was running is number
        ``len(outcomes)``.
    detail : exit status or number of the signal.
    printed : the beginning of what was printed; ``cut`` when there was more.
    missing : names that a fresh process could not be given.
    """

    outcomes: tuple[Outcome, ...]
    stopped: str | None = None
    detail: int = 0
    printed: str = ""
    cut: bool = False
    missing: tuple[str, ...] = ()


def default_way() -> str:
    """``fork`` where it is safe. Apple's libraries, which NumPy may use, do not survive a fork; Windows has none."""
    return "fork" if hasattr(os, "fork") and sys.platform != "darwin" else "fresh"


def run(
    fn: Callable,
    calls: Sequence[Sequence[np.ndarray]],
    *,
    seconds: float = 10.0,
    memory: int = MEMORY,
    way: str | None = None,
) -> Run:
    """Call ``fn`` once for each entry of ``calls`` in a child process.

    Parameters
    ----------
    seconds : for all calls together, counted from when the child is ready.
    memory : bytes the calls may allocate (on Linux; elsewhere only the time limit holds).
    way : ``"fork"`` or ``"fresh"``; by default `default_way`.

    Raises
    ------
    carried.Unpackable : in a fresh process, ``fn`` is no plain Python function.
    ValueError : ``way`` or ``seconds`` is none.
    """
    if way not in (None, *WAYS):
        raise ValueError(f"expected way of {', '.join(WAYS)}, got {way!r}; leave it out")
    if not 0 < seconds <= 3600:
        raise ValueError(f"expected seconds above 0 and up to 3600, got {seconds!r}; 10 is enough for small arrays")
    chosen = way or default_way()
    done = _attempt(_START[chosen], fn, calls, seconds, memory, READY[chosen])
    if done.stopped == "start" and chosen == "fork":
        return _attempt(_fresh, fn, calls, seconds, memory, READY["fresh"])
    return done


@dataclass
class _Child:
    pid: int
    answers: int
    prints: int
    poll: Callable[[], int | None]  # exit status, negative for a signal
    missing: tuple[str, ...] = ()

    def end(self) -> None:
        """Kill it with whatever it started, and wait until it is gone."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
        if self.poll() is None:
            with contextlib.suppress(OSError):
                os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        until = time.monotonic() + 5
        while self.poll() is None and time.monotonic() < until:
            time.sleep(0.001)


def _attempt(start: Callable, fn: Callable, calls: Sequence, seconds: float, memory: int, ready: float) -> Run:
    nonce = secrets.token_bytes(16)
    try:
        child = start(fn, calls, nonce, seconds, memory)
    except (OSError, subprocess.SubprocessError):
        return Run((), "start")
    answers, prints = Reader(child.answers, 64 * sandbox_child.MAX_BYTES), Reader(child.prints, PRINTED)
    try:
        outcomes, stopped = _listen(answers, nonce, len(calls), seconds, ready)
        if stopped == "closed":
            outcomes, stopped, detail = _ended(child, outcomes)
        else:
            detail = 0
    finally:
        child.end()  # also when the reader of the notebook interrupts us
        answers.close(), prints.close()
    text, cut = prints.text()
    return Run(tuple(outcomes), stopped, detail, text, cut, child.missing)


def _listen(
    answers: Reader, nonce: bytes, count: int, seconds: float, ready: float
) -> tuple[list[Outcome], str | None]:
    """Messages until the child has done, is out of time, or says something that is not ours."""
    outcomes: list[Outcome] = []
    started, deadline = False, time.monotonic() + ready
    while True:
        message = answers.message(nonce, deadline)
        if isinstance(message, str):
            return outcomes, "start" if not started and message != "disturbed" else message
        kind = message[0].get("kind")
        if kind == "ready" and not started:
            started, deadline = True, time.monotonic() + seconds
        elif kind == "done" and len(outcomes) == count:
            return outcomes, None
        else:
            one = outcome(*message) if started and len(outcomes) < count else None
            if one is None or one.call != len(outcomes):
                return outcomes, "disturbed"
            outcomes.append(one)


def _ended(child: _Child, outcomes: list[Outcome]) -> tuple[list[Outcome], str, int]:
    """The way back was closed: say how the process ended. One that only closed it and lives on is ended here."""
    until = time.monotonic() + 1
    while child.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    status = child.poll()
    if status is None:
        return outcomes, "disturbed", 0
    return outcomes, "signal" if status < 0 else "ended", abs(status)


def _fork(fn: Callable, calls: Sequence, nonce: bytes, seconds: float, memory: int) -> _Child:
    answers, prints = os.pipe(), os.pipe()
    with warnings.catch_warnings():
        # «multi-threaded, use of fork() may lead to deadlocks»: it may, and READY is for that.
        warnings.simplefilter("ignore")
        pid = os.fork()
    if pid == 0:
        _inside(fn, calls, nonce, seconds, memory, answers[1], prints[1])
    os.close(answers[1])
    os.close(prints[1])
    found: list[int] = []

    def poll() -> int | None:
        if not found:
            with contextlib.suppress(InterruptedError):
                try:
                    done, status = os.waitpid(pid, os.WNOHANG)
                except ChildProcessError:  # somebody else waited for it
                    done, status = pid, 0
                if done:
                    found.append(os.waitstatus_to_exitcode(status))
        return found[0] if found else None

    return _Child(pid, answers[0], prints[0], poll)


def _inside(fn, calls, nonce, seconds, memory, answers: int, prints: int) -> None:
    """The forked child; never returns into the parent's code."""
    try:
        import faulthandler

        faulthandler.disable()
        os.setsid()
        signal.set_wakeup_fd(-1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for at, descriptor in enumerate((nothing, prints, prints)):
            os.dup2(descriptor, at)
        # The kernel's sockets and files are not for the function, not even by a stray number.
        os.closerange(3, answers)
        os.closerange(answers + 1, _DESCRIPTORS)
        sandbox_child.serve(fn, calls, sandbox_child.Channel(answers, nonce), seconds, memory)
    finally:
        os._exit(0)


def _fresh(fn: Callable, calls: Sequence, nonce: bytes, seconds: float, memory: int) -> _Child:
    function, missing = carried.pack(fn)
    arrays = [[carried.dump(one) for one in call] for call in calls]
    job = {"function": function, "calls": arrays, "nonce": nonce, "seconds": seconds, "memory": memory}
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    process = subprocess.Popen(
        [sys.executable, "-c", _FRESH, *sys.path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        creationflags=flags,
    )

    def write() -> None:
        with contextlib.suppress(OSError), process.stdin as pipe:
            pipe.write(marshal.dumps(job))

    threading.Thread(target=write, daemon=True).start()
    # The readers close these descriptors; the file objects must not do so once more.
    answers, prints = os.dup(process.stdout.fileno()), os.dup(process.stderr.fileno())
    process.stdout.close()
    process.stderr.close()
    return _Child(process.pid, answers, prints, process.poll, missing)


_START = {"fork": _fork, "fresh": _fresh}
