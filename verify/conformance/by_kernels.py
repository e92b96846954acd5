"""Contracts held once more with kernels: compiled, where numba is installed, and as they are written.

Compiling takes most of a minute, so compiled kernels, and mutants of their checks, are of the full profile.
"""

from collections.abc import Callable
from typing import Any

from impl import tiers
from verify.authoring import Comparisons
from verify.uncompiled import uncompiled


def by_kernels(contract: Callable[..., Comparisons], *given: Any) -> Comparisons:
    """Hold a contract on the fused tier; without numba on that of numpy, where it says the same again.

    Args:
        contract: One whose comparisons do not depend on the tier: of what is prescribed to the bit, or of
            samples beside the draws of an equal stream.
        given: Its arguments.
    """
    with tiers.tier("fused" if tiers.is_installed() else "numpy"):
        found = list(contract(*given))  # before the tier ends
    yield from found


def as_written(contract: Callable[..., Comparisons], *given: Any) -> Comparisons:
    """Hold a contract by kernels that run as Python, with numba and without; inputs should be short.

    Args:
        contract: As of `by_kernels`.
        given: Its arguments.
    """
    with uncompiled():
        found = list(contract(*given))  # before the kernels end
    yield from found


def at_both(mutants: tuple[Any, ...], before: str, after: str) -> tuple[Any, ...]:
    """Return mutants of one check as those of two, `exact/literal` and `exact/as-written`."""
    where = (f" at {before}:", f" at {before}, {after}:")
    return tuple(item.replace(*where) if isinstance(item, str) else item for item in mutants)


def also_at(mutants: tuple[Any, ...], before: str, after: str) -> tuple[Any, ...]:
    """Return mutants of one check as those of another, of the full profile.

    Args:
        mutants: As for `judge.sabotage`.
        before: Where they are, `exact/literal`.
        after: Where they are to be, `exact/by-kernels`.
    """
    renamed = (item.replace(f" at {before}:", f"-by-kernels, slow at {after}:") for item in mutants[::2])
    return tuple(part for pair in zip(renamed, mutants[1::2], strict=True) for part in pair)
