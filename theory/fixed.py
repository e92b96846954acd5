"""What a claim is made of cannot change once it is made, and reads the same to everybody who asks.

A list or a mapping that its file keeps could say one relation to a text and another one to a proof; so could
a class of its own that answers otherwise from call to call.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

_PLAIN = frozenset({str, int, bool, float, Fraction, type(None)})
_OURS = frozenset({"claim", "formula", "paper", "public_constant", "expectation", "extremum"})
"""Modules of this package whose classes stand in claims."""


def fixed(value: Any, where: str) -> Any:
    """Return a value whose lists are tuples and whose mappings are copies that nobody can change.

    Args:
        value: A field of a claim, with all that is in it.
        where: What it is, for messages.

    Raises:
        TypeError: Something in it is of a class that is neither plain, nor of sympy, nor of ours.
    """
    kind = type(value)
    if kind in _PLAIN or is_known(value):
        return value
    if kind in (tuple, list):
        items = [fixed(item, where) for item in value]
        same = kind is tuple and all(one is other for one, other in zip(items, value, strict=True))
        return value if same else tuple(items)
    if kind in (dict, MappingProxyType):
        found = {fixed(key, where): fixed(item, f"{where}[{key!r}]") for key, item in value.items()}
        return MappingProxyType(found)
    if is_dataclass(kind) and _is_ours(kind):
        return _with_fixed_fields(value, where)
    raise TypeError(
        f"{where}: {f'{value!r}'[:80]} is, or has in it, something of a class of its own, which could answer "
        "otherwise from call to call; take what boundcheck and sympy have, tuples, dictionaries, texts and "
        f"numbers, not a {kind.__name__}"
    )


def _with_fixed_fields(value: Any, where: str) -> Any:
    changed = {}
    for item in fields(value):
        given = getattr(value, item.name)
        found = fixed(given, f"{where}, {item.name}")
        if found is not given:
            changed[item.name] = found
    return replace(value, **changed) if changed else value


def is_known(value: Any) -> bool:
    """Return whether something is an expression or a function of sympy, or of ours, with all parts of it."""
    from sympy import Basic

    if isinstance(value, type):
        return _is_known_kind(value)
    if not isinstance(value, Basic):
        return _is_ours(type(value)) and isinstance(value, str)
    pending = [value]
    while pending:
        part = pending.pop()
        kind: Any = type(part)
        if not _is_known_kind(kind) or type(getattr(part, "name", "")) is not str:
            return False
        pending += [item for item in part.args if isinstance(item, Basic)]
    return True


@functools.cache
def _is_known_kind(kind: type) -> bool:
    """Return whether a class of expressions is one of sympy or of ours, or a function without a value."""
    from sympy.core.function import UndefinedFunction

    if type(kind) is UndefinedFunction:  # what it has beside its assumptions could be a value
        beside = vars(kind).keys() - vars(UndefinedFunction("f")).keys()
        return all(name.startswith("is_") for name in beside)
    return (kind.__module__.startswith("sympy.") and _is_there(kind)) or _is_ours(kind)


def _is_ours(kind: type) -> bool:
    package, _, module = kind.__module__.partition(".")
    return package == "theory" and module in _OURS and _is_there(kind)


def _is_there(kind: type) -> bool:
    """Return whether a class is the one that its module has under its name, which any class may claim."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind
