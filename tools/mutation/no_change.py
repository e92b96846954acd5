"""Mutants that cannot change anything, told from the text alone: nobody owes a check of them.

A rule here must hold for every program: where it could hide a fault, the mutant is made. So there are few.
"""

import ast
from collections.abc import Iterator

_OTHER_ARRAYS = ("impl/gpu/", "impl/kernels/")
"""Arrays there are not numpy's, or the code is compiled: `reshape` may take no negative number but -1."""

Edit = tuple[tuple[int, int], tuple[int, int], str | None]
"""First and last place, line and column in bytes; the new text, None for every edit inside."""


def edits_without_effect(file: str, tree: ast.Module) -> list[Edit]:
    """Return the edits of a source that change nothing."""
    found: list[tuple[ast.expr, str | None]] = [(node, None) for node in _defaults_of_nothing(tree)]
    if file.startswith("impl/") and not file.startswith(_OTHER_ARRAYS):  # elsewhere others' arrays come in
        found += [(node, "2") for node in _inferred_axes(tree)]
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0), text)
        for node, text in found
    ]


def _inferred_axes(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the 1 of each -1 that is an axis of `reshape`: numpy infers the axis of any negative number."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr != "reshape":
            continue
        # Of `np.reshape` the first argument is the array.
        first = 1 if isinstance(node.func.value, ast.Name) and node.func.value.id == "np" else 0
        given = [
            *node.args[first:],
            *(item.value for item in node.keywords if item.arg in ("shape", "newshape")),
        ]
        axes = [
            axis
            for item in given
            for axis in (item.elts if isinstance(item, ast.Tuple | ast.List) else [item])
        ]
        for axis in axes:
            one = axis.operand if isinstance(axis, ast.UnaryOp) and isinstance(axis.op, ast.USub) else None
            if isinstance(one, ast.Constant) and type(one.value) is int and one.value == 1:
                yield one


def _defaults_of_nothing(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the defaults of functions without a statement: abstract ones, protocols, overloads."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if all(isinstance(item, ast.Pass) or _is_text(item) for item in node.body):
            # Others are evaluated when the function is defined, which may fail.
            given = (*node.args.defaults, *node.args.kw_defaults)
            yield from (item for item in given if isinstance(item, ast.Constant))


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring or `...`."""
    value = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else 0
    return value is ... or isinstance(value, str)
