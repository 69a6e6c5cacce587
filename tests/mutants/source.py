"""Small changes of a module's source, one at a time: what a typing error or a misunderstanding would leave behind.

Left alone: docstrings, annotations, decorators, imports, whatever only words a message (f-strings and the arguments of
``raise``), and ``copy=``, which says how and not what.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One mutant of a module."""

    line: int
    statement: str  # the source line, stripped: with ``what`` it names the change when lines move
    what: str
    code: CodeType


def changes(source: str, filename: str) -> Iterator[Change]:
    """Return every change of the module, compiled, in the order of its lines."""
    tree = ast.parse(source)
    lines = source.splitlines()
    for parent, field, index, node in list(_places(tree)):
        for new in _variants(node, parent):
            what = f"{_short(node)} → {_short(new)}"
            _put(parent, field, index, ast.fix_missing_locations(ast.copy_location(new, node)))
            try:
                code = compile(tree, filename, "exec")
            except SyntaxError:
                continue  # for example «nonlocal» without its statement
            finally:
                _put(parent, field, index, node)
            yield Change(node.lineno, lines[node.lineno - 1].strip(), what, code)


def _places(node: ast.AST, quiet: bool = False) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Return where expressions and statements stand; ``quiet`` inside what only words a message."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "type_params", "bases"}:
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(child, (ast.Import, ast.ImportFrom, ast.JoinedStr)):
                continue
            if _is_docstring(child) or (isinstance(child, ast.keyword) and child.arg == "copy"):
                continue
            inside = quiet or isinstance(node, ast.Raise)
            if hasattr(child, "lineno") and not inside:
                yield node, field, index, child
            yield from _places(child, inside)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _short(node: ast.AST) -> str:
    """Return a node as one short line."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _variants(node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
    """Return what a node may become."""
    match node:
        case ast.Compare():
            for i, op in enumerate(node.ops):
                ops = [*node.ops[:i], COMPARED[type(op)](), *node.ops[i + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)
        case ast.BinOp(left, op, right) if type(op) in COMPUTED:
            yield ast.BinOp(left, COMPUTED[type(op)](), right)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.USub(), ast.Constant()):
            return  # the number itself is changed
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
            if isinstance(value, int) and value > 1:
                yield ast.Constant(value - 1)
        # One word is a name, a policy or an axis; a sentence is for people.
        case ast.Constant(str() as value) if value and " " not in value and not isinstance(parent, ast.keyword):
            yield ast.Constant("other")  # not a longer word: a test may look for a part of it
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        # A comparison or a «not» is turned round by itself.
        case ast.If(test, body, orelse) if not isinstance(test, (ast.Compare, ast.UnaryOp)):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.While(test, body, orelse):
            yield ast.While(ast.Constant(False), body, orelse)
        case ast.Raise() | ast.AugAssign():
            yield ast.Pass()
        case ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.Call(func, args, keywords) if keywords:
            for i, keyword in enumerate(keywords):
                if keyword.arg not in {None, "copy"}:
                    yield ast.Call(func, args, keywords[:i] + keywords[i + 1 :])
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            if isinstance(value, ast.Call) and value.args and isinstance(value.func, ast.Name):
                yield ast.Return(copy.deepcopy(value.args[0]))  # the last function is not called
