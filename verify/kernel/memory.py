"""Results that are kept during one derivation, since its steps share formulas; the next one shares few."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

_KEPT: list[Any] = []

Function = TypeVar("Function", bound=Callable[..., Any])


def kept(maxsize: int) -> Callable[[Function], Function]:
    """Keep up to `maxsize` results of a function of hashable arguments, until `forget` is called."""

    def decorate(function: Function) -> Function:
        _KEPT.append(functools.lru_cache(maxsize=maxsize)(function))
        return cast(Function, _KEPT[-1])

    return decorate


def forget() -> None:
    """Drop what is kept: a process that judges many claims would hold hundreds of megabytes of formulas."""
    for function in _KEPT:
        function.cache_clear()
