"""Contracts held once more with kernels, where numba is installed: the same comparisons and results.

Compiling kernels takes most of a minute, so they and their mutants belong to the full profile.
"""

from collections.abc import Callable
from typing import Any

from impl import tiers
from verify.authoring import Comparisons


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


def also_at(mutants: tuple[Any, ...], before: str, after: str) -> tuple[Any, ...]:
    """Return mutants of one check as those of another, of the full profile.

    Args:
        mutants: As for `judge.sabotage`.
        before: Where they are, `exact/literal`.
        after: Where they are to be, `exact/by-kernels`.
    """
    renamed = (item.replace(f" at {before}:", f"-by-kernels, slow at {after}:") for item in mutants[::2])
    return tuple(part for pair in zip(renamed, mutants[1::2], strict=True) for part in pair)
