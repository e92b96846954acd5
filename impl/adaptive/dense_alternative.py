"""The whole gradient, without indices, as an alternative to what a rule chose (arXiv 2003.06377)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.choice import Choice
from impl.adaptive.sorted_gradient import costs_of
from impl.communication import dense_bits
from impl.compressors import BernoulliSparsifier


def or_dense(choice: Choice, d: int, cost: Callable[[Any], Any], float_bits: int, exact: bool) -> Choice:
    """Return the choice, or all d entries where these achieve strictly more per cost.

    The whole gradient has the share 1 for d numbers of `float_bits`; nothing about it is random or biased.
    """
    bits = dense_bits(d, float_bits)
    whole = costs_of(cost, np.array([bits]), exact)[0]
    if choice.cost <= choice.share * whole:
        return choice
    one: Any = Fraction(1) if exact else 1.0
    everything = BernoulliSparsifier(np.full(d, 1.0))
    return Choice(d, one, one / whole, one, whole, everything, dense=True, bits=bits)
