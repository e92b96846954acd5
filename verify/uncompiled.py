"""Kernels as the Python functions that they are written as: what they do is judged without compiling them.

A kernel is a function of arrays and numbers in the subset of Python that numba compiles, with numbers of
numpy's types. Run as it stands it gives the same, but for the order of sums, some thousand times slower.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np

import impl
from impl import tiers

_KERNELS = "impl.kernels"
_LANES = 16


@contextmanager
def uncompiled() -> Iterator[None]:
    """Draw by kernels that run as Python inside a `with` block, as on the fused tier; numba is not needed.

    It holds for the process, so no other thread may draw meanwhile. Where `impl.tier` has found before that
    kernels cannot be kept here, numpy draws wherever a call asks for a tier anew.
    """
    asked_before = tiers.why_not.cache_info().currsize
    compiled = _taken_out()
    sys.modules.update(_stand_ins())
    fused = tiers.tier("numpy")
    fused.name = "fused"
    try:
        with fused:
            yield
    finally:
        _taken_out()
        sys.modules.update(compiled)
        impl.__dict__.pop("kernels", None)
        if _KERNELS in compiled:
            impl.__dict__["kernels"] = compiled[_KERNELS]
        if not asked_before:
            tiers.why_not.cache_clear()  # what these functions say is nothing about numba


def _taken_out() -> dict[str, ModuleType]:
    """Take kernels, and numba, out of the modules that are imported, and out of what remembers them."""
    for name in [name for name in sys.modules if name.startswith("impl.") and name != tiers.__name__]:
        for item in list(vars(sys.modules[name]).values()):
            code = getattr(getattr(item, "__wrapped__", None), "__code__", None)
            if code is not None and hasattr(item, "cache_clear") and _KERNELS in " ".join(code.co_names):
                item.cache_clear()
    names = [name for name in sys.modules if name == "numba" or f"{name}.".startswith(f"{_KERNELS}.")]
    return {name: sys.modules.pop(name) for name in names}


def _stand_ins() -> dict[str, ModuleType]:
    """Return modules that stand for numba and for what asks for it."""
    entry: dict[str, Any] = {"kernel": _entry, "kernel_with_memory": _entry}
    parts: dict[str, Any] = dict.fromkeys(("kernel_part", "kernel_of_sums", "inlined"), lambda part: part)
    errors: dict[str, Any] = {
        "core": type("core", (), {"errors": type("errors", (), {"NumbaError": ImportError})})
    }
    return {
        "numba": _module("numba", errors),
        f"{_KERNELS}.kernel_cache": _module(f"{_KERNELS}.kernel_cache", {"NO_FOLDER": None}),
        f"{_KERNELS}.compiled": _module(f"{_KERNELS}.compiled", entry | parts),
        f"{_KERNELS}.instructions": _module(f"{_KERNELS}.instructions", INSTRUCTIONS),
    }


def _module(name: str, content: Any) -> ModuleType:
    made = ModuleType(name)
    made.__spec__ = ModuleSpec(name, None)
    vars(made).update(content)
    return made


def _entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """Call a kernel with numbers of numpy: sums go round, and quotients may be infinite."""

    @functools.wraps(function)
    def called(*given: Any) -> Any:
        with np.errstate(all="ignore"):
            return _plain(function(*map(_typed, given)))

    return called


def _plain(found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(map(_plain, found))
    return found.item() if isinstance(found, np.generic) else found


def _typed(given: Any) -> Any:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return given
    return np.int64(given) if isinstance(given, int) else np.float64(given)


# ---------------------------------------------------------------- instructions


def _leading_zeros(word: Any) -> int:
    return 64 - int(word).bit_length()


def _upper_product(a: Any, b: Any) -> Any:
    return np.uint64(int(a) * int(b) >> 64)


def _both_halves(a: Any, b: Any) -> Any:
    product = int(a) * int(b)
    return np.uint64(product >> 64), np.uint64(product % 2**64)


def _add_one_behind(numbers: Any, start: Any, edge: Any) -> None:
    place = int(start) + np.arange(_LANES)
    numbers[place[place > edge]] += 1


def _how_many_begin_before(numbers: Any, start: Any, base: Any, share: Any, width: Any, limit: Any) -> Any:
    counts = numbers[int(start) : int(start) + _LANES].astype(np.int64) + int(base)
    return np.int64(np.sum(counts * share * width < limit))


def _how_many_scaled_reach(
    numbers: Any, start: Any, base: Any, scale: Any, place: Any, step: Any, limit: Any
) -> Any:
    counts = numbers[int(start) : int(start) + _LANES].astype(np.int64) + int(base)
    places = int(place) + int(step) * np.arange(_LANES)
    return np.int64(np.sum(np.floor(counts * scale) + places <= limit))


INSTRUCTIONS: dict[str, Any] = {
    "LANES": _LANES,
    "leading_zeros": _leading_zeros,
    "upper_product": _upper_product,
    "both_halves": _both_halves,
    "add_one_behind": _add_one_behind,
    "how_many_begin_before": _how_many_begin_before,
    "how_many_scaled_reach": _how_many_scaled_reach,
}
"""What `impl.kernels.instructions` has, number by number."""
