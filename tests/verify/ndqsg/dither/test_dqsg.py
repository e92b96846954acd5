"""Golden numbers on DQSG: its variance, its errors, averages of workers, and the dependence on the scale."""

from fractions import Fraction as F

import pytest

import theory
from verify.evaluation import evaluate_exact
from verify.ndqsg.fixtures.sabotaged_dither import ClippedValue, EuclideanScale, NarrowStep

VARIANCE = theory.claim("ndqsg/dqsg-variance")
NOISE = theory.claim("ndqsg/dqsg-conditional-independence")
AVERAGE = theory.claim("ndqsg/dqsg-average")
SCALE = theory.claim("ndqsg/finding-scale-dependence")


def squares(kind, g, M, points):
    codec, g = kind(M, points=points), list(g)
    errors = [
        (p, [a - b for a, b in zip(codec.reference(g, draws), g, strict=True)])
        for p, draws in codec.outcomes(g)
    ]
    mean = [sum(p * e[j] for p, e in errors) for j in range(len(g))]
    return mean, sum(p * sum(item**2 for item in e) for p, e in errors)


def test_narrow_step_overflows_half_of_the_time_and_is_biased():
    points, step = 64, F(2, 3)
    codec = NarrowStep(1, points=points)
    found = [codec.unclipped(F(1), F(1), draws.shared[0]) for _, draws in codec.outcomes([F(1)])]
    assert sum(q > 1 for q in found) * 2 == points
    mean, square = squares(NarrowStep, (F(1),), 1, points)
    assert mean == [F(-1, 3)]
    # Four times the variance of a step, but for the factor 1 - N^-2 of N points.
    assert square == step**2 * (F(1, 4) + (1 - F(1, points**2)) / 12)
    assert step**2 * (F(1, 4) + F(1, 12)) == 4 * step**2 / 12


def test_clipped_value_halves_the_error_and_is_biased():
    points, M = 16, 2
    mean, square = squares(ClippedValue, (F(1),), M, points)
    assert mean == [-F(1, M) / 8]
    assert square == F(1, 2) * (1 - F(1, points**2)) / (12 * M**2)


def test_euclidean_scale_multiplies_the_variance():
    g, points = (F(2), F(3), F(6)), 4
    bias, square = squares(EuclideanScale, g, 2, points)
    variance = square - sum(item**2 for item in bias)
    honest = evaluate_exact(VARIANCE.exact, {"kappa_b": (6,), "d_b": (3,), "B": 1, "M": 2}) * (
        1 - F(1, points**2)
    )
    assert variance / honest == F(49, 36)


@pytest.mark.parametrize("claim", [VARIANCE, NOISE, AVERAGE, SCALE], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    for case in claim.worst_cases:
        assert evaluate_exact(claim.exact, case.values) == case.value
