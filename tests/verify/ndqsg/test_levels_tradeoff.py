"""Golden numbers of the specification for the number of levels."""

import pytest

import theory
from verify.evaluation import evaluate
from verify.ndqsg.levels_tradeoff import RULES, STATED, best_levels

CLAIM = theory.claim("ndqsg/levels-tradeoff")


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
def test_best_number_of_levels(c, M, bits):
    assert best_levels(STATED, c) == M
    assert evaluate(CLAIM.exact, {"c": c, "M": M}) == pytest.approx(bits, abs=5e-14)
    # Complete by force, far beyond where the raw bits alone are more.
    values = [evaluate(CLAIM.exact, {"c": c, "M": other}) for other in range(1, 400)]
    assert 1 + values.index(min(values)) == M


def test_linear_variance_has_other_minimisers():
    found = [best_levels(RULES["linear-variance"], c) for c in (0.1, 10, 100)]
    assert found == [1, 33, 612]


def test_bits_of_an_iteration_always_want_one_level():
    assert [best_levels(RULES["bits-per-iteration"], c) for c in (0.1, 1, 10, 100)] == [1] * 4
