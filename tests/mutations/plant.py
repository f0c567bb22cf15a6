"""The small mistakes: each puts something else in one place of a module of rules."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
NEIGHBOURS = {"next_seat": -1, "previous_seat": 1}  # the way to the seat on the other side
SEATS = {"me", "p"}  # what rules call a seat

Change = tuple[ast.AST, ast.AST]  # what stands in the source, and what is put in its place


@dataclass(frozen=True)
class Mutant:
    """A module with one mistake in it."""

    file: Path
    line: int
    where: str  # the function, or nothing for what stands outside of any
    what: str  # the mistake, in words
    nth: int  # of all mistakes that can be planted in this module

    def tree(self) -> ast.Module:
        """The module with the mistake."""
        tree = _parsed(self.file)
        _, (place, other) = list(_changes(tree))[self.nth]
        _Replace(place, other).visit(tree)
        return ast.fix_missing_locations(tree)


class _Replace(ast.NodeTransformer):
    def __init__(self, place: ast.AST, other: ast.AST) -> None:
        self._place, self._other = place, other

    def visit(self, node: ast.AST) -> Any:
        if node is self._place:
            return ast.copy_location(self._other, node)
        return self.generic_visit(node)


def mutants(file: Path) -> list[Mutant]:
    """All mistakes that can be planted in a module."""
    return [
        Mutant(file, getattr(place, "lineno", 0), where, _in_words(place, other), n)
        for n, (where, (place, other)) in enumerate(_changes(_parsed(file)))
    ]


def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def _in_words(place: ast.AST, other: ast.AST) -> str:
    if isinstance(other, ast.Pass):
        return f"leave out `{ast.unparse(place)}`"
    return f"`{ast.unparse(other)}` for `{ast.unparse(place)}`"


# ---- where


def _changes(tree: ast.Module) -> Iterator[tuple[str, Change]]:
    """All changes to a module, each with the function that it is in."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            has_a_state = bool(statement.args.args) and statement.args.args[0].arg == "s"
            for part in statement.body:
                for node in _nodes(part):
                    for change in _mistakes(node):
                        yield statement.name, change
                    for change in _seats(node) if has_a_state else ():
                        yield statement.name, change
        elif isinstance(statement, ast.Assign) and not _is_numbering(statement.value):
            for node in ast.walk(statement.value):
                for change in _constant(node):
                    yield "", change


def _is_numbering(value: ast.expr) -> bool:
    """Whether names are merely told apart, as in `RED, BLUE = range(2)`."""
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") == "range"


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and all within it, without docstrings and types."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    yield node
    for name, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST) and name != "annotation":
                yield from _nodes(part)


# ---- what


def _mistakes(node: ast.AST) -> Iterator[Change]:
    yield from _constant(node)
    match node:
        case ast.Compare():
            for n, op in enumerate(node.ops):
                if type(op) in COMPARISONS:
                    yield node, _with(node, "ops", n, COMPARISONS[type(op)]())
        case ast.BinOp() if type(node.op) in OPERATORS:
            yield node, ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        case ast.AugAssign() if type(node.op) in OPERATORS:
            yield node, ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)
        case ast.BoolOp():
            for n in range(len(node.values)):
                yield node, ast.BoolOp(node.op, node.values[:n] + node.values[n + 1 :])
        case ast.UnaryOp(operand=operand):
            yield node, operand
        case ast.If() | ast.IfExp():
            yield node.test, ast.Constant(True)
            yield node.test, ast.Constant(False)
        case ast.While():
            yield node.test, ast.Constant(False)
    if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.Break | ast.Continue) or (
        isinstance(node, ast.Return) and node.value is None
    ):
        yield node, ast.Pass()


def _with(node: ast.AST, field: str, n: int, value: ast.AST) -> ast.AST:
    """A copy of which one part is another."""
    other = copy.copy(node)
    parts = list(getattr(node, field))
    parts[n] = value
    setattr(other, field, parts)
    return other


def _constant(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Constant(value=bool(value)):
            yield node, ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield node, ast.Constant(value + 1)


def _seats(node: ast.AST) -> Iterator[Change]:
    """Another seat than the one that is meant."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[_, seat]) if name in NEIGHBOURS:
            yield node, _neighbour(seat, NEIGHBOURS[name])
        case ast.Call():
            for n, argument in enumerate(node.args):
                if isinstance(argument, ast.Name) and argument.id in SEATS:
                    yield node, _with(node, "args", n, _neighbour(argument, 1))


def _neighbour(seat: ast.expr, step: int) -> ast.expr:
    return ast.parse(f"({ast.unparse(seat)} + {step}) % s.players", mode="eval").body
