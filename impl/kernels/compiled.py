"""How kernels are compiled: one thread, exact floating point, kept on disk."""

from collections.abc import Callable
from typing import Any

import numba

from impl.kernels.kernel_cache import FOLDER, KernelCache


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, or take it from the cache.

    The folder is `BOUNDCHECK_KERNELS`, else one in the user's cache; its name tells the sources of all
    kernels and the versions that made it. Where it cannot be written, or others may write to it, numpy draws
    (`impl.tiers.why_not`); kernels that are called all the same are compiled anew in every process.
    """
    return _compiled(function, False)


def kernel_of_sums(function: Callable[..., Any]) -> Any:
    """Compile likewise, with sums in the order that suits the machine: other machines round differently."""
    return _compiled(function, {"reassoc", "nsz"})


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a part of kernels into each of them, never as a call: where a loop of few cycles needs it."""
    return numba.njit(function, error_model="numpy", nogil=True, forceinline=True)


def _compiled(function: Callable[..., Any], fastmath: Any) -> Any:
    # x / 0 is infinite, as in numpy.
    dispatcher = numba.njit(function, error_model="numpy", nogil=True, fastmath=fastmath)
    if FOLDER is not None:
        dispatcher._cache = KernelCache(function)
    return dispatcher
