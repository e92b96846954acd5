"""All outcomes of independent coins, with uniforms that give them."""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from impl.compressors.contract import Draws


def coin_outcomes(chances: Sequence[Any], exact: bool) -> Iterator[tuple[Any, Draws]]:
    """Yield (probability, draws) for the 2^m patterns of coins of which m have a chance inside of (0, 1).

    Args:
        chances: Of the coins: one shows up where its uniform is below its chance.
        exact: Whether these are Fractions, and so are the results.
    """
    one: Any = Fraction(1) if exact else 1.0
    choices = []
    for p in chances:
        # Far above p, which the compressor may round otherwise, and below 1.
        missed = (1 - p, (1 + p) / 2 if exact else min((1 + p) / 2, 1 - 2.0**-53))
        choices.append([missed, (p, p / 2)] if 0 < p < 1 else [(one, one / 2)])
    for pattern in itertools.product(*choices):
        uniforms: Any = [u for _, u in pattern]
        probability = math.prod((q for q, _ in pattern), start=one)
        yield probability, Draws(private=uniforms if exact else np.array(uniforms))
