"""Put a mutant into a function that is imported already."""

import ast
import sys
import types
from typing import Any

from tools.mutation.operators import Mutant


def put(mutant: Mutant, source: bytes) -> bool:
    """Put a mutant into the live function that it changes; return whether that is possible."""
    module: Any = sys.modules.get(mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    path, found, space = [], None, vars(module) if module else {}
    for name in mutant.function.split("."):
        found = space.get(name)
        path.append(name)
        if not isinstance(found, type):
            break
        space = vars(found)
    function, place = _function(found), ".".join(path)
    old, new = (_code(text, mutant.file, place) for text in (source, mutant.applied(source)))
    if function is None or old is None or new is None or old == new:
        return False
    if (function.__code__.co_firstlineno, function.__code__.co_freevars) != (
        old.co_firstlineno,
        new.co_freevars,
    ):
        return False
    function.__code__ = new
    return True


def _function(found: Any) -> Any:
    """Return the function behind properties, class methods and caches."""
    while not isinstance(found, types.FunctionType) or hasattr(found, "__wrapped__"):
        names = ("__wrapped__", "fget", "__func__", "func")
        inside = next(
            (getattr(found, name) for name in names if getattr(found, name, None) is not None), None
        )
        if inside is None:
            return None
        found = inside
    return found


def _code(source: bytes, file: str, place: str) -> types.CodeType | None:
    """Return the code of the function at a place, None where there is none or more than one."""
    waiting, found = [compile(source, file, "exec", dont_inherit=True)], []
    while waiting:
        code = waiting.pop()
        waiting += [item for item in code.co_consts if isinstance(item, types.CodeType)]
        found += [code] * (code.co_qualname == place)
    return found[0] if len(found) == 1 else None


def is_in_head(mutant: Mutant, source: bytes) -> bool:
    """Tell whether a mutant lies in the head of a function."""
    heads = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(range(n.lineno, n.body[0].lineno) == mutant.lines for n in heads)
