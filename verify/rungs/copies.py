"""Refuse samples that are copies: of fewer draws, or of those of another stream."""

from typing import Any

from verify.context import Context
from verify.errors import CheckError

ORDERLY = 92.0
"""How rarely batches of such shares are equal by chance, as a natural logarithm, from where on it is none."""


def require_fresh(first: Any, second: Any, context: Context) -> None:
    """Refuse samples that do not depend on the generator, or of which each is there several times.

    Args:
        first: Samples of one stream, shape (m,).
        second: Those of another one.
        context: Where they are judged; mutants may be what they are.

    Raises:
        CheckError: Both are equal, which is no chance where values vary; or the numbers of times at which
            values are there have a common divisor, and no value is in both, as values of an atom would be.
    """
    import numpy as np

    if context.is_mutant:
        return
    values, counts = np.unique(first, return_counts=True)
    if np.array_equal(first, second):
        if (counts * np.log(counts.sum() / counts)).sum() >= ORDERLY:
            raise CheckError(
                "two batches from different streams are equal; sample(rng, size) must draw from the "
                "generator that it is given"
            )
        return
    times = int(np.gcd.reduce(counts))
    if times > 1 and not np.isin(values, second).any():
        raise CheckError(
            f"each value of a batch is there {times} times or a multiple of it, and none of them in another "
            "one; samples must be independent: copies of fewer draws count as evidence that is not there"
        )
