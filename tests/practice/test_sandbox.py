"""Whatever a function does, the caller gets an account of it in time, and nothing outside the child is touched."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import signal
import sys
import threading
import time

import numpy as np
import pytest

from interview_book.practice import carried, sandbox, sandbox_child
from interview_book.practice.messages import outcome

TWO = ([np.arange(3.0)], [np.ones((2, 5))])
HELPER = 7.0


def helped(x):
    return x * HELPER


def run(fn, way, **more):
    return sandbox.run(fn, TWO, way=way, **{"seconds": 5, **more})


@pytest.fixture(params=sandbox.WAYS)
def way(request):
    return request.param


def gone(pid):
    """True when the process has ended (a zombie of somebody else's counts as ended)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def soon(condition, seconds=5.0):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def standing():
    """The threads and the open files of this process, each by a name that no other gets."""
    files = set()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the listing's own is closed by now
            files.add((number, os.readlink(f"/proc/self/fd/{number}")))
    return files | {(one.ident, one.name) for one in threading.enumerate()}


# What comes back


def test_arrays_come_back_bit_by_bit(way):
    done = run(lambda x: np.sqrt(x) / 3, way)
    assert done.stopped is None and [one.call for one in done.outcomes] == [0, 1]
    for got, (given,) in zip(done.outcomes, TWO, strict=True):
        assert got.kind == "array" and got.changed == () and got.ready_made == ()
        np.testing.assert_array_equal(got.value, np.sqrt(given) / 3, strict=True)


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex128", "int8", "bool", ">f8", "longdouble"])
def test_every_plain_dtype_comes_back(way, dtype):
    got = run(lambda x, dtype=dtype: x.astype(dtype), way).outcomes[0]
    np.testing.assert_array_equal(got.value, TWO[0][0].astype(dtype), strict=True)


def test_an_empty_array_comes_back(way):
    assert run(lambda x: x[:0], way).outcomes[0].value.shape == (0,)


def test_a_function_brings_along_what_it_uses(way):
    scale = np.array([2.0])

    def inner(x, *, by=3.0, power=1):
        def deepest(y):
            return sum([part * by for part in (y,)]) ** power

        return deepest(x) * scale

    def even(x, n=4):
        return x if n == 0 else odd(x, n - 1)

    def odd(x, n):
        return even(x, n - 1)

    for fn, factor in ((helped, 7.0), (inner, 6.0), (lambda x: inner(helped(x)), 42.0), (even, 1.0)):
        done = run(fn, way)
        assert done.stopped is None and done.missing == ()
        np.testing.assert_allclose(done.outcomes[1].value, factor * TWO[1][0], rtol=1e-15)


def test_other_callables_come_along_where_they_can(way):
    class Here:
        def __call__(self, x):
            return x

    assert run(functools.partial(np.multiply, 2.0), way).outcomes[0].value.tolist() == [0, 2, 4]
    assert run(np.exp, way).outcomes[0].value[0] == 1
    if way == "fork":
        assert run(Here(), way).outcomes[0].kind == "array"
    else:
        with pytest.raises(carried.Unpackable, match="got Here"):
            run(Here(), way)


def test_what_a_fresh_process_cannot_have_is_named():
    with open(os.devnull, encoding="utf-8") as file:

        def fn(x):
            file.fileno()
            return x

        done = run(fn, "fresh")
        assert done.missing == ("file",) and done.outcomes[0].type == "NameError"
        assert run(fn, "fork").outcomes[0].kind in ("array", "raised")


def test_a_default_that_cannot_come_along_is_named_by_its_argument():
    with open(os.devnull, encoding="utf-8") as file:

        def fn(x, factor=2.0, source=file, *, log=file):
            return factor * x

        done = run(fn, "fresh")
        assert done.missing == ("log", "source")
        np.testing.assert_array_equal(done.outcomes[1].value, 2.0 * TWO[1][0])


def test_what_the_notebook_lets_numpy_raise_is_not_inherited(way):
    def fn(x):
        with np.errstate(over="raise") if x.ndim == 2 else np.errstate():  # the function's own setting holds
            return np.exp(1000.0 * x - 2000.0)

    with np.errstate(all="raise"):
        done = run(fn, way)
        assert done.outcomes[0].kind == "array" and done.outcomes[0].value[0] == 0
        assert run(lambda x: np.exp(x * 1e4), way).outcomes[1].value[0, 0] == np.inf

        def strict(x):
            np.seterr(all="raise")
            return np.exp(-1e4 * x)

        # what one call sets is gone in the next
        assert [one.kind for one in run(strict, way).outcomes] == ["raised", "raised"]
        assert run(lambda x: strict(x) if x.ndim == 1 else np.exp(-1e4 * x), way).outcomes[1].kind == "array"


def test_more_defaults_than_arguments_belong_to_the_last_ones():
    def fn(x=0.0, factor=1.0):
        return factor * x

    fn.__defaults__ = (9.0, 1.0, 3.0)  # Python takes it
    for way in ("fork", "fresh"):
        assert run(fn, way).outcomes[1].value.tolist() == (3.0 * TWO[1][0]).tolist()


@pytest.mark.parametrize(
    ("fn", "kind", "name"),
    [
        (lambda x: None, "other", "NoneType"),
        (lambda x: x.tolist(), "other", "list"),
        (lambda x: (yield x), "other", "generator"),
        (lambda x: x.sum(), "other", "float64"),
        (lambda x: np.ma.masked_array(x), "other", "MaskedArray"),
        (lambda x: 1 / 0, "raised", "ZeroDivisionError"),
        (lambda x: [][1], "raised", "IndexError"),
        (lambda x: input("?"), "raised", "EOFError"),
        (lambda x: sys.exit("enough"), "exit", ""),
        (lambda x: (_ for _ in ()).throw(KeyboardInterrupt), "raised", "KeyboardInterrupt"),
    ],
)
def test_what_is_no_array_is_named(way, fn, kind, name):
    done = run(fn, way)
    assert done.stopped is None and [(one.kind, one.type) for one in done.outcomes] == [(kind, name)] * 2


def test_objects_and_giants_are_described_but_not_sent(way):
    objects = run(lambda x: np.array([x, None], dtype=object), way).outcomes[0]
    assert objects.kind == "array" and objects.value is None and objects.dtype == "|O"
    giant = run(lambda x: np.zeros(1 << 20), way).outcomes[0]
    assert giant.value is None and giant.shape == (1 << 20,)


def test_changed_arguments_are_told_and_the_next_call_gets_fresh_ones(way):
    def fn(x):
        x += 1
        return x.copy()

    before = [one[0].copy() for one in TWO]
    done = run(fn, way)
    assert [one.changed for one in done.outcomes] == [(0,), (0,)]
    assert all(np.array_equal(one[0], was) for one, was in zip(TWO, before, strict=True))
    assert np.array_equal(done.outcomes[1].value, TWO[1][0] + 1)

    def reshape(x):
        x.resize(x.size, refcheck=False)
        return x

    assert [one.changed for one in run(reshape, way).outcomes] == [(), (0,)]


def test_an_exception_has_the_learners_lines_only(way):
    def deeper(x):
        return np.linalg.inv(x)

    def fn(x):
        return deeper(x)

    found = run(fn, way).outcomes[0]
    line = deeper.__code__.co_firstlineno + 1
    assert (found.type, found.text[:10]) == ("LinAlgError", "1-dimensio")
    assert found.steps == ((__file__, line + 3, "fn"), (__file__, line, "deeper"))


def test_a_recursion_and_an_unspeakable_exception_are_cut(way):
    class Silent(Exception):
        def __str__(self):
            raise ValueError

    def endless(x):
        return endless(x)

    found = run(endless, way).outcomes[0]
    assert found.type == "RecursionError" and len(found.steps) == sandbox_child.FRAMES
    if way == "fork":

        def fn(x):
            raise Silent

        assert run(fn, way).outcomes[0].text == "(its text raises ValueError)"
    long = run(lambda x: (_ for _ in ()).throw(ValueError("x" * 10_000)), way).outcomes[0]
    assert len(long.text) == sandbox_child.MAX_TEXT


# What must not happen


def loop(x):
    while True:
        pass


def sleep(x):
    time.sleep(60)


@pytest.mark.parametrize("fn", [loop, sleep])
def test_the_time_limit_holds(way, fn):
    before = time.monotonic()
    done = run(fn, way, seconds=0.3)
    assert (done.stopped, done.outcomes) == ("time", ())
    assert time.monotonic() - before < 5


def test_the_call_that_ran_out_of_time_can_be_told(way):
    done = run(lambda x: x if x.ndim == 1 else loop(x), way, seconds=0.5)
    assert done.stopped == "time" and len(done.outcomes) == 1


def test_printing_is_caught_and_cut(way, capfd):
    def fn(x):
        print("値", x.size)
        print("to stderr", file=sys.stderr)
        os.write(1, b"raw\n")
        return x

    done = run(fn, way)
    assert done.printed == "値 3\nto stderr\nraw\n値 10\nto stderr\nraw\n" and not done.cut

    def endless(x):
        while True:
            print("y" * 80)

    done = run(endless, way, seconds=0.3)
    assert done.stopped == "time" and done.cut and len(done.printed) == sandbox.PRINTED
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("status", [0, 3])
def test_ending_the_process_is_told(way, status):
    done = run(lambda x, status=status: os._exit(status), way)
    assert (done.stopped, done.detail, done.outcomes) == ("ended", status, ())


def test_a_crash_is_told(way):
    done = run(lambda x: os.kill(os.getpid(), signal.SIGSEGV), way)
    assert (done.stopped, done.detail) == ("signal", signal.SIGSEGV)


@pytest.mark.skipif(sys.platform != "linux", reason="no limit on memory elsewhere")
def test_memory_is_limited_in_every_call(way):
    def fn(x):
        kept = [bytearray(1 << 24) for _ in range(64)]
        return x * len(kept)

    done = run(fn, way, memory=1 << 27)
    assert [(one.kind, one.type) for one in done.outcomes] == [("raised", "MemoryError")] * 2
    assert run(lambda x: np.ones(1 << 40), way).outcomes[0].type == "MemoryError"
    assert run(lambda x: x * len(bytearray(1 << 24)), way, memory=1 << 27).outcomes[0].kind == "array"


def test_patches_stay_in_the_child(way):
    exp, dumps = np.exp, sandbox_child.json.dumps

    def fn(x):
        import json

        np.exp = lambda x: x
        np.isfinite = np.allclose = np.array_equal = lambda *all: True
        json.dumps = lambda *all, **more: '{"kind": "done"}'
        os.write = lambda *all: len(all[-1])
        return np.exp(x)

    done = run(fn, way)
    assert done.stopped is None and done.outcomes[0].value.tolist() == [0, 1, 2]
    assert np.exp is exp and sandbox_child.json.dumps is dumps and np.isfinite(np.nan) is not True


def test_a_forged_message_is_no_message(way):
    """Somebody who knows the format writes «done», and an outcome, wherever a descriptor is open; and prints them."""

    def fn(x):
        for header in (b'{"kind": "done"}', b'{"kind": "exit", "call": 0, "changed": [], "ready-made": []}'):
            body = len(header).to_bytes(4, "big") + header
            whole = secrets.token_bytes(16) + len(body).to_bytes(8, "big") + body
            for descriptor in range(3, 64):
                with contextlib.suppress(OSError):
                    os.write(descriptor, whole)
        return x

    assert run(fn, way).stopped == "disturbed"

    def prints(x):
        sys.stdout.buffer.write(b"\x00" * 16 + b'{"kind": "done"}')
        return x

    assert run(prints, way).stopped is None


def test_closing_the_way_back_is_told(way):
    assert run(lambda x: os.closerange(3, 256), way).stopped in ("ended", "disturbed")


def test_a_fork_has_none_of_our_descriptors():
    reading, writing = os.pipe()
    try:

        def fn(x):
            for descriptor in range(3, 1024):
                with contextlib.suppress(OSError):
                    os.write(descriptor, b"stray")
            return x

        assert run(fn, "fork").stopped == "disturbed"
        os.set_blocking(reading, False)
        with pytest.raises(BlockingIOError):
            os.read(reading, 10)
    finally:
        os.close(reading)
        os.close(writing)


def test_nothing_stays_behind(way, tmp_path):
    """Only what is new counts: threads and files of other tests may end meanwhile."""
    file = tmp_path / "pids"
    noted = str(file)

    def fn(x, loop=False):
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        with open(noted, "a", encoding="ascii") as file:
            file.write(f"{os.getpid()} {child} ")
        while loop:
            pass
        return x

    def stuck(x):
        return fn(x, loop=True)

    before = standing()
    assert run(fn, way).stopped is None
    assert run(stuck, way, seconds=0.5).stopped == "time"
    pids = [int(one) for one in file.read_text(encoding="ascii").split()]
    assert len(pids) == 6 and soon(lambda: all(map(gone, pids)))
    assert soon(lambda: standing() <= before), standing() - before


def test_an_interrupt_ends_the_child(way, tmp_path):
    noted = tmp_path / "pid"
    name = str(noted)

    def fn(x):
        with open(name, "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
        while True:
            pass

    def interrupt(*_):
        raise KeyboardInterrupt

    was = signal.signal(signal.SIGUSR1, interrupt)
    watch = threading.Thread(
        target=lambda: soon(noted.exists) and time.sleep(0.1) is None and os.kill(os.getpid(), signal.SIGUSR1)
    )
    try:
        watch.start()
        with pytest.raises(KeyboardInterrupt):
            run(fn, way, seconds=20)
    finally:
        watch.join()
        signal.signal(signal.SIGUSR1, was)
    assert soon(lambda: gone(int(noted.read_text(encoding="ascii"))))


def test_a_fork_that_does_not_start_is_replaced_by_a_fresh_process(monkeypatch):
    """As if a lock were held at the moment of the fork: the patch is in the fork's memory and in no fresh process."""
    monkeypatch.setattr(sandbox_child, "serve", lambda *_: time.sleep(60))
    monkeypatch.setitem(sandbox.READY, "fork", 0.2)
    done = run(lambda x: x * 2, "fork")
    assert done.stopped is None and done.outcomes[0].value.tolist() == [0, 2, 4]


def test_busy_threads_do_no_harm(way):
    stop = threading.Event()
    lock = threading.Lock()

    def work():
        while not stop.is_set():
            with lock:
                np.ones((64, 64)) @ np.ones((64, 64))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for one in threads:
        one.start()
    try:
        before = time.monotonic()
        for _ in range(8 if way == "fork" else 2):
            assert run(lambda x: x @ x.T, way).stopped is None
        assert time.monotonic() - before < sandbox.READY["fork"]
    finally:
        stop.set()
        for one in threads:
            one.join()


# Ready-made libraries


def test_ready_made_libraries_are_noticed_however_they_come(way):
    from scipy import special

    from interview_book.attention import softmax as mine

    def imported(x):
        from scipy.special import softmax

        return softmax(x)

    alias = [special.log_softmax]
    for fn, name in (
        (imported, "scipy"),
        (lambda x: mine(x), "interview_book"),
        (lambda x: special.softmax(x, axis=-1), "scipy"),
        (mine, "interview_book"),
    ):
        assert [one.ready_made for one in run(fn, way).outcomes] == [(name,)] * 2
    assert run(lambda x: alias[0](x), "fork").outcomes[0].ready_made == ("scipy",)
    plain = run(lambda x: np.linalg.norm(np.sort(x)[None], axis=-1), way)
    assert [one.ready_made for one in plain.outcomes] == [()] * 2


# Words of strangers


GOOD = {"kind": "array", "call": 0, "changed": [], "ready-made": [], "dtype": "<f8", "shape": [2], "whole": True}


def test_an_honest_message_is_read():
    got = outcome(GOOD, np.array([1.5, 2]).tobytes())
    assert got.value.tolist() == [1.5, 2]


@pytest.mark.parametrize(
    "spoilt",
    [
        {"kind": "done"},
        {"kind": "array", "dtype": "|O"},
        {"dtype": "<f8,<f8"},
        {"dtype": "<f3"},
        {"shape": [3]},
        {"shape": [-1, -2]},
        {"shape": ["two"]},
        {"shape": None},
        {"call": None},
        {"changed": 3},
        {"ready-made": None},
        {"steps": [["file"]]},
        {"kind": "raised"},
    ],
)
def test_a_dishonest_message_is_refused(spoilt):
    assert outcome({**GOOD, **spoilt}, bytes(16)) is None


@pytest.mark.parametrize(("more", "says"), [({"way": "thread"}, "fork, fresh"), ({"seconds": 0}, "above 0")])
def test_wrong_arguments_are_named(more, says):
    with pytest.raises(ValueError, match=says):
        sandbox.run(helped, TWO, **more)
