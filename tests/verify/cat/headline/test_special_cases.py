"""The least size behind a check is a lower bound."""

from fractions import Fraction as F

import numpy as np

from impl.adaptive import keep_probabilities
from verify.cat.fixtures.golden_vectors import GI, rational
from verify.cat.headline.special_cases import least_size


def test_least_size_is_a_lower_bound():
    g, rng = rational(GI), np.random.default_rng(0)
    p = keep_probabilities(g, F(5))
    for _ in range(30):
        q = [F(int(item), 40) for item in rng.integers(4, 41, len(g))]
        allowed = sum(item * item / chance for item, chance in zip(g, q, strict=True))
        assert least_size(g, p, allowed) <= sum(q)
