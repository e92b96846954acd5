"""How kernels are compiled: one thread, exact floating point, kept on disk."""

from collections.abc import Callable
from typing import Any

import numba
from numba.core.registry import CPUDispatcher

from impl.kernels.kernel_cache import FOLDER, KernelCache

_UNCOUNTED = {"_nrt": False}  # numba's name for no memory of its own


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, or take it from the cache.

    The folder is `BOUNDCHECK_KERNELS`, else one in the user's cache; its name tells the sources of all
    kernels and the versions that made it. Where it cannot be written, or others may write to it, numpy draws
    (`impl.tiers.why_not`); kernels that are called all the same are compiled anew in every process.

    It makes no array (`kernel_with_memory`), and numba does not count who uses which one.
    """
    return _kept(_made(function, **_UNCOUNTED))


def kernel_with_memory(function: Callable[..., Any]) -> Any:
    """Compile a kernel that makes arrays and hands them to a part.

    Loops belong there: here numba counts the uses of every view by locked additions, and a digit of the range
    coder takes five times as long.
    """
    return _kept(_made(function, _nrt=True))


def kernel_part(function: Callable[..., Any]) -> Any:
    """Compile a part that only kernels call: its way in from Python would take a sixth of all of the time."""
    return _part(function, False)


def kernel_of_sums(function: Callable[..., Any]) -> Any:
    """Compile a part with sums in the order that suits the machine: other machines round differently."""
    return _part(function, {"reassoc", "nsz"})


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a part of kernels into each of them, never as a call: where a loop of few cycles needs it."""
    return _closed(_made(function, forceinline=True, no_cpython_wrapper=True, **_UNCOUNTED))


class _Part(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A function without a way in from Python, which would be a jump to nowhere."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        name = self.py_func.__name__
        raise TypeError(f"{name} is a part of kernels; call it from a kernel, or {name}.py_func")


def _part(function: Callable[..., Any], fastmath: Any) -> Any:
    return _closed(_kept(_made(function, fastmath=fastmath, no_cpython_wrapper=True, **_UNCOUNTED)))


def _made(function: Callable[..., Any], **options: Any) -> Any:
    # x / 0 is infinite, as in numpy; no C code calls a kernel.
    return numba.njit(function, error_model="numpy", nogil=True, no_cfunc_wrapper=True, **options)


def _closed(dispatcher: Any) -> Any:
    dispatcher.__class__ = _Part
    return dispatcher


def _kept(dispatcher: Any) -> Any:
    if FOLDER is not None:
        dispatcher._cache = KernelCache(dispatcher.py_func)
    return dispatcher
