"""The inside of the child process: calls a learner's function and sends what it returns, as plain bytes.

It judges nothing: the parent compares, so that nothing a function prints, patches or returns here can say «right».
Only the standard library and NumPy are imported, for a fresh process has to start quickly.

A message is ``nonce (16) | length (8) | header length (4) | header (JSON) | data``; data are an array's bytes, never a
pickle.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import io
import json
import os
import signal
import sys
import sysconfig
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import numpy as np

#: Libraries that have attention or softmax ready-made; NumPy and the standard library are what an exercise is for.
READY_MADE = frozenset(
    ("interview_book", "scipy", "torch", "jax", "jaxlib", "flax", "tensorflow", "keras", "sklearn", "transformers")
)
MAX_BYTES = 1 << 20  # of one array; no exercise has a larger one
MAX_TEXT = 300
FRAMES = 6  # of a traceback

# NumPy's own: a notebook that lets every underflow raise would make a right function fail. The child inherits that.
_ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}

# Taken before any learner's code runs, which may put something else in their place.
_array, _write, _dumps = np.ndarray, os.write, json.dumps


class Channel:
    """The way back to the parent: a file descriptor and the secret that marks our own messages."""

    def __init__(self, descriptor: int, nonce: bytes) -> None:
        self.descriptor, self.nonce = descriptor, nonce

    def send(self, header: dict, data: bytes = b"") -> None:
        """Send one message whole; a closed descriptor raises ``OSError``."""
        head = _dumps(header).encode("utf-8", "replace")
        body = len(head).to_bytes(4, "big") + head + data
        rest = memoryview(self.nonce + len(body).to_bytes(8, "big") + body)
        while rest:
            rest = rest[_write(self.descriptor, rest) :]


def serve(fn: Callable, calls: Sequence[Sequence[np.ndarray]], channel: Channel, seconds: float, memory: int) -> None:
    """Call ``fn`` once for each entry of ``calls`` with fresh copies, and send each result.

    Parameters
    ----------
    seconds : after which the process should have ended; the parent ends it, this is for a parent that is gone.
    memory : bytes that may be allocated beyond what the process already has.
    """
    _quieten()
    room = _limit(seconds, memory)
    channel.send({"kind": "ready"})
    for number, arrays in enumerate(calls):
        given = [array.copy() for array in arrays]
        header, data = _call(fn, given, room)
        header["call"] = number
        header["changed"] = [at for at, (one, was) in enumerate(zip(given, arrays, strict=True)) if not _same(one, was)]
        channel.send(header, data)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    channel.send({"kind": "done"})


def _quieten() -> None:
    """Leave the parent's signals, debuggers, screens and keyboards alone."""
    sys.settrace(None)
    gc.freeze()  # what a notebook's kernel left to be finalised is finalised there
    sys.stdout, sys.stderr = _screen(1), _screen(2)
    warnings.resetwarnings()
    warnings.simplefilter("ignore")  # an overflow shows in the result, where it can be explained
    builtins.input = _no_input
    for name in ("SIGINT", "SIGTERM", "SIGCHLD"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


def _screen(descriptor: int) -> io.TextIOWrapper:
    file = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(file, encoding="utf-8", errors="replace", write_through=True)


def _no_input(prompt: object = "") -> str:
    raise EOFError("input() has no keyboard here")


def _limit(seconds: float, memory: int) -> AbstractContextManager:
    """Set limits where the system has them; return a context without the one on memory, where a report finds room."""
    try:
        import resource
    except ImportError:
        return contextlib.nullcontext()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(seconds) + 5)
    for kind, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_CPU, 4 * int(seconds) + 10)):
        _lower(resource, kind, value)
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            taken = int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return contextlib.nullcontext()
    return _Room(resource, taken + memory)


def _lower(resource, kind: int, value: int) -> None:
    soft, hard = resource.getrlimit(kind)
    if soft == resource.RLIM_INFINITY or value < soft:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (value, hard))


class _Room:
    """A limit on memory that is lifted while one is inside, as often as needed."""

    def __init__(self, resource, limit: int) -> None:
        self._resource, self._limit = resource, limit
        self._before = resource.getrlimit(resource.RLIMIT_AS)
        _lower(resource, resource.RLIMIT_AS, limit)

    def __enter__(self) -> None:
        self._resource.setrlimit(self._resource.RLIMIT_AS, self._before)

    def __exit__(self, *error: object) -> None:
        _lower(self._resource, self._resource.RLIMIT_AS, self._limit)


def _same(one: np.ndarray, was: np.ndarray) -> bool:
    return one.shape == was.shape and one.dtype == was.dtype and one.tobytes() == was.tobytes()


def _call(fn: Callable, given: list[np.ndarray], room: AbstractContextManager) -> tuple[dict, bytes]:
    seen: set[str] = set()
    try:
        sys.setprofile(_watch(seen))
        try:
            with np.errstate(**_ERRORS):
                result = fn(*given)
        finally:
            sys.setprofile(None)
        header, data = _described(result)
    except MemoryError as error:
        with room:
            header, data = _raised(error, fn), b""
    except SystemExit as error:
        header, data = {"kind": "exit", "text": _text(error.code)}, b""
    except BaseException as error:
        header, data = _raised(error, fn), b""
    header["ready-made"] = sorted(seen)
    return header, data


def _watch(seen: set[str]) -> Callable:
    """A profile function that notes which ready-made libraries are used, however the function came by them."""

    def profile(frame, event: str, arg: object) -> None:
        if event == "call":
            name = frame.f_globals.get("__name__")
        elif event == "c_call":
            name = getattr(arg, "__module__", None) or type(getattr(arg, "__self__", None)).__module__
        else:
            return
        if isinstance(name, str) and name != __name__ and name.partition(".")[0] in READY_MADE:
            seen.add(name.partition(".")[0])

    return profile


def _described(result: object) -> tuple[dict, bytes]:
    kind = type(result)
    if kind is not _array:
        if hasattr(result, "close") and kind.__name__ in ("coroutine", "generator"):
            result.close()
        return {"kind": "other", "type": kind.__name__[:60]}, b""
    header = {"kind": "array", "dtype": result.dtype.str[:20], "shape": list(result.shape)}
    plain = result.dtype.kind in "fciub" and result.nbytes <= MAX_BYTES
    return {**header, "whole": plain}, result.tobytes() if plain else b""


def _raised(error: BaseException, fn: Callable) -> dict:
    """Type, words and the learner's own lines; frames of this module, NumPy and the standard library are left out."""
    steps, own = [], getattr(getattr(fn, "__code__", None), "co_filename", None)
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == own or not _ours(code.co_filename):
            steps.append([code.co_filename, trace.tb_lineno, code.co_name])
        trace = trace.tb_next
    if len(steps) > FRAMES:
        steps = steps[: FRAMES // 2] + steps[-FRAMES // 2 :]
    return {"kind": "raised", "type": type(error).__name__[:60], "text": _text(error), "steps": steps}


_OTHERS = (
    *(os.path.realpath(sysconfig.get_path(one)) + os.sep for one in ("stdlib", "purelib", "platlib")),
    os.path.realpath(os.path.dirname(np.__file__)) + os.sep,
    os.path.realpath(__file__),
)


def _ours(filename: str) -> bool:
    return filename.startswith("<frozen") or os.path.realpath(filename).startswith(_OTHERS)


def _text(value: object) -> str:
    try:
        return str(value)[:MAX_TEXT]
    except BaseException as error:
        return f"(its text raises {type(error).__name__})"


def main() -> None:
    """A fresh process: read the job from standard input, keep standard output for the answers, print to the other."""
    import marshal

    from interview_book.practice import carried

    answers = os.dup(1)
    os.dup2(2, 1)
    job = marshal.loads(sys.stdin.buffer.read())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    channel = Channel(answers, job["nonce"])
    try:
        fn = carried.unpack(job["function"])
        calls = [[carried.array(one) for one in arrays] for arrays in job["calls"]]
        serve(fn, calls, channel, job["seconds"], job["memory"])
    finally:
        os._exit(0)
