"""Numbers of the finding on the attained rate, which `ndqsg/conv-strong` has as well."""

from fractions import Fraction as F

import pytest

import theory
from verify.ndqsg.convergence.finding_rate_attained import expected_lengths, judge
from verify.ndqsg.fixtures.one_dimension import HONEST, LONG_STEP, SAME_SEED

LAW, OMEGA = judge._law(), F(1, 12)


@pytest.mark.parametrize(("P", "golden"), [(1, F(1, 13)), (4, F(1, 49))])
def test_least_factor(P, golden):
    assert LAW.exactly("least", omega=OMEGA, P=P) == golden == 1 - LAW.exactly("longest", omega=OMEGA, P=P)


def test_values_of_the_statement():
    # Three digits in the specification.
    values = theory.claim("ndqsg/finding-rate-attained").values
    assert float(values["half"]) == pytest.approx(1.96, abs=5e-3)
    assert float(values["shared"]) == pytest.approx(3.94, abs=5e-3)


# Factors of one step and what is claimed, three or more digits in the specification.
@pytest.mark.parametrize(
    ("method", "part", "P", "found", "claimed", "digits"),
    [
        (HONEST, F(1, 2), 1, 0.0784, 0.04, 5e-5),
        (SAME_SEED, 1, 4, 0.0803832, 0.0204082, 5e-8),
        (LONG_STEP, 1, 1, 0.3077, 0.0769, 5e-5),
        (LONG_STEP, 1, 4, 0.2653, 0.0204, 5e-5),
    ],
)
def test_faults(method, part, P, found, claimed, digits):
    step = LAW.exactly("longest", omega=part * OMEGA, P=P)
    assert float(method.second_moments(step, F(1), 1, P, 1)[1]) == pytest.approx(found, abs=digits)
    assert float(1 - step) == pytest.approx(claimed, abs=digits)


def test_one_block_of_two_is_below_the_bound_after_two_steps():
    step = LAW.exactly("longest", omega=F(2, 12) * F(15, 16), P=1)
    first, second = expected_lengths(2, step)
    assert first == 1 - step
    assert second < F(9, 10) * (1 - step) ** 2
