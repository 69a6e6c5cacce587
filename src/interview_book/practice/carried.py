"""A function of a notebook as bytes, for a process that is not a copy of this one.

The code object, defaults, closure and the globals that the code names go along, functions of the notebook by value and
everything importable by name. What cannot go along (an open file, an instance of a class of the notebook) is left out
and named. The bytes are only for the same Python on the same machine.
"""

from __future__ import annotations

import importlib
import io
import marshal
import pickle
import sys
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType, ModuleType

import numpy as np

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_ABSENT = object()


class Unpackable(ValueError):
    """The function itself is no plain Python function; ``kind`` is its type."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(f"expected a function written with def or lambda, got {kind}; define one")


def pack(fn: object) -> tuple[bytes, tuple[str, ...]]:
    """Return the bytes of ``fn`` and the names that could not go along; `Unpackable` for what is no function."""
    packer = _Packer()
    root = packer.value(fn)
    if root is None:
        raise Unpackable(type(fn).__name__)
    return marshal.dumps({"root": root, "functions": packer.functions}), tuple(sorted(packer.missing))


def unpack(data: bytes) -> object:
    """Return the function that `pack` packed."""
    packed = marshal.loads(data)
    return _Unpacker(packed["functions"]).value(packed["root"])


def dump(array: np.ndarray) -> bytes:
    """An array as the bytes of an ``.npy`` file."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def array(data: bytes) -> np.ndarray:
    """The array of `dump`."""
    return np.load(io.BytesIO(data), allow_pickle=False)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _importable(value: object) -> tuple[str, str] | None:
    """Module and name under which another process finds ``value``, None for what lives in the notebook."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or module == "__main__":
        return None
    found: object = sys.modules.get(module)
    if getattr(found, "__spec__", None) is None or getattr(found.__spec__, "origin", None) is None:
        return None
    try:
        known = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None
    for step in name.split("."):
        found = getattr(found, step, None)
    return (module, name) if found is value and known is not None else None


class _Packer:
    def __init__(self) -> None:
        self.functions: list[dict] = []
        self.missing: set[str] = set()
        self._number: dict[int, int] = {}

    def value(self, value: object) -> list | None:
        """``[tag, …]`` of marshal's own types, None for what cannot go along."""
        if isinstance(value, _PLAIN) and type(value) in _PLAIN:
            return ["plain", value]
        if type(value) in (tuple, list) and all(type(one) in _PLAIN for one in value):
            return ["plain", value]
        if isinstance(value, ModuleType):
            return ["module", value.__name__]
        if type(value) is np.ndarray and not value.dtype.hasobject:
            return ["array", dump(value)]
        if isinstance(value, FunctionType) and _importable(value) is None:
            return ["function", self.function(value)]
        try:
            data = pickle.dumps(value)
        except Exception:
            return None
        return None if b"__main__" in data else ["pickle", data]

    def function(self, fn: FunctionType) -> int:
        if id(fn) in self._number:
            return self._number[id(fn)]
        number = self._number[id(fn)] = len(self.functions)
        made: dict = {"code": fn.__code__, "name": fn.__name__}
        self.functions.append(made)
        # Defaults belong to the last of the arguments.
        arguments = fn.__code__.co_varnames[: fn.__code__.co_argcount]
        given = zip(reversed(arguments), reversed(fn.__defaults__ or ()), strict=False)
        made["defaults"] = [self.named(name, one) for name, one in given][::-1]
        made["named"] = {name: self.named(name, one) for name, one in (fn.__kwdefaults__ or {}).items()}
        cells = zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True)
        made["closure"] = [self.named(name, _content(cell)) for name, cell in cells]
        wanted = {name for name in _names(fn.__code__) if name in fn.__globals__}
        made["globals"] = {name: self.named(name, fn.__globals__[name]) for name in sorted(wanted)}
        return number

    def named(self, name: str, value: object) -> list | None:
        packed = None if value is _ABSENT else self.value(value)
        if packed is None:
            self.missing.add(name)
        return packed


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return _ABSENT


class _Unpacker:
    def __init__(self, functions: list[dict]) -> None:
        self._packed, self._made = functions, {}

    def value(self, packed: list | None) -> object:
        if packed is None:
            return None
        tag, content = packed
        if tag == "plain":
            return content
        if tag == "module":
            return importlib.import_module(content)
        if tag == "array":
            return array(content)
        if tag == "pickle":
            return pickle.loads(content)  # our own bytes: the parent made them
        return self.function(content)

    def function(self, number: int) -> FunctionType:
        if number in self._made:
            return self._made[number]
        made = self._packed[number]
        cells = tuple(CellType() for _ in made["closure"])
        space = {"__name__": "__main__", "__builtins__": __builtins__}
        fn = self._made[number] = FunctionType(made["code"], space, made["name"], None, cells)
        fn.__defaults__ = tuple(self.value(one) for one in made["defaults"]) or None
        fn.__kwdefaults__ = {name: self.value(one) for name, one in made["named"].items()} or None
        for cell, content in zip(cells, made["closure"], strict=True):
            if content is not None:
                cell.cell_contents = self.value(content)
        for name, content in made["globals"].items():
            if content is not None:
                space[name] = self.value(content)
        return fn
