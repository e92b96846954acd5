"""Checks of what users hand to the rules for steps and probabilities."""

import math
from collections.abc import Sequence

from verify.errors import UsageError


def require_step_arguments(
    where: str,
    L: Sequence[float],
    budget: float,
    *,
    blocks: Sequence[int] | None = None,
    n: int = 1,
    mu: float = 1.0,
    positive: bool = False,
    at_most_d: bool = False,
) -> None:
    """Raise one `UsageError` with everything that is wrong.

    Args:
        where: Name for the message.
        L: Diagonal of a smoothness matrix, (d,).
        budget: beta or tau.
        blocks: Lengths of blocks.
        n: Number of nodes.
        mu: Strong convexity.
        positive: Whether a zero in L (or in a whole block) would make a step infinite.
        at_most_d: Whether the budget is an expected number of entries.
    """
    problems = []
    bad = [j for j, item in enumerate(L) if not (math.isfinite(item) and item >= 0)]
    if bad:
        problems.append(
            f"L[{bad[0]}]={L[bad[0]]} must be finite and at least 0: a smoothness matrix is positive "
            "semidefinite"
        )
    if not (math.isfinite(budget) and budget > 0):
        problems.append(
            f"budget={budget} must be finite and positive, or the steps are infinite; sqrt(d) is usual"
        )
    elif at_most_d and budget > len(L):
        problems.append(f"budget={budget} exceeds d={len(L)}; ask for at most all entries")
    if not (math.isfinite(mu) and mu > 0):
        problems.append(f"mu={mu} must be positive; add a ridge, or use the steps for DCGD+ (squant/steps)")
    if n < 1:
        problems.append(f"n={n} must be at least 1")
    if blocks is not None and (min(blocks, default=0) < 1 or sum(blocks) != len(L)):
        problems.append(f"blocks={list(blocks)} must be lengths of at least 1 that sum to d={len(L)}")
    elif positive and not bad:
        start, ends = 0, []
        for length in blocks or (1,) * len(L):
            ends.append((start, start + length))
            start += length
        zero = next((place for place in ends if not any(L[slice(*place)])), None)
        if zero is not None:
            what = f"L[{zero[0]}]=0" if blocks is None else f"L[{zero[0]}:{zero[1]}]=0, a whole block,"
            problems.append(
                f"{what} makes its step infinite at any budget; add a ridge to the matrix, leave the "
                "coordinate out, or use the mixture steps of squant/steps-diana"
            )
    if problems:
        raise UsageError(f"{where}: " + "; ".join(problems))
