"""Golden numbers of the specification for the number of levels."""

import pytest

from verify.ndqsg.convergence.levels_tradeoff import best_levels, judge, linear_variance

LAW = judge._law()


# Printed with 14 digits.
@pytest.mark.parametrize(
    ("c", "M", "bits"),
    [
        (1, 2, 2.9024101186092),
        (10, 7, 4.7042152069572),
        (100, 27, 6.5744131721700),
        (0.1, 1, 1.7434587507933),
    ],
)
def test_bits_at_the_best_number_of_levels(c, M, bits):
    assert LAW("exact", c=c, M=M) == pytest.approx(bits, abs=5e-14)


def test_linear_variance_has_other_minimisers():
    assert [best_levels(linear_variance(LAW), c) for c in (0.1, 10, 100)] == [1, 33, 612]
