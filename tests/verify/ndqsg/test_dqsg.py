"""Golden numbers on DQSG: its variance, its errors, averages of workers, and the dependence on the scale."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import DitheredQuantizer
from verify.context import Context
from verify.evaluation import evaluate_exact
from verify.ndqsg.dqsg_average import outcomes
from verify.ndqsg.dqsg_variance import INSTANCES, SIX, SMALL, Instance, _case, stated_variance
from verify.ndqsg.finding_scale_dependence import correlation_of_squares
from verify.ndqsg.sabotaged_dither import ClippedValue, EuclideanScale, NarrowStep
from verify.rungs import judge

VARIANCE = theory.claim("ndqsg/dqsg-variance")
NOISE = theory.claim("ndqsg/dqsg-conditional-independence")
AVERAGE = theory.claim("ndqsg/dqsg-average")
SCALE = theory.claim("ndqsg/finding-scale-dependence")


@pytest.mark.parametrize(
    ("g", "M", "blocks", "golden"),
    [
        (SMALL, 1, None, F(3)),
        (SMALL, 2, None, F(3, 4)),
        (SMALL, 3, None, F(1, 3)),
        (SMALL, 2, (2, 2), F(37, 96)),
        (SIX, 1, None, F(1, 2)),
        (SIX, 2, None, F(1, 8)),
        (SIX, 3, None, F(1, 18)),
        (SIX, 2, (2, 4), F(11, 108)),
    ],
)
def test_variance(g, M, blocks, golden):
    instance = Instance(g, M, blocks)
    assert stated_variance(instance) == golden
    x = np.array(g, dtype=float)
    codec = DitheredQuantizer(M, blocks=list(blocks) if blocks else None)
    # The dither of 24 bits changes the variance by 1e-14 of it.
    assert codec.variance(x) == pytest.approx(float(golden), rel=1e-12)


@pytest.mark.parametrize("lengths", [(2,), (2, 6), (64,)])
def test_search_attains_the_relative_bound(lengths):
    found = judge("adversarial", _case(lengths, max), Context(VARIANCE.id, "adversarial", "test"))
    assert found.verdict == "consistent"
    # The specification: the supremum found lies in [0.999, 1].
    assert 0.999 <= found.value / found.bound <= 1


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
    g, points = INSTANCES["norm-7"].g, 4
    bias, square = squares(EuclideanScale, g, 2, points)
    variance = square - sum(item**2 for item in bias)
    honest = stated_variance(Instance(g, 2)) * (1 - F(1, points**2))
    assert variance / honest == F(49, 36)


@pytest.mark.parametrize(
    ("order", "golden"), [(2, Rational(1, 48)), (4, Rational(1, 1280)), (6, Rational(1, 28672))]
)
def test_moments_of_the_noise(order, golden):
    assert evaluate_exact(NOISE.exact, {"kappa": 1, "M": 2, "n": order}) == golden


def test_correlation_of_squares_for_student_gradients():
    assert correlation_of_squares() == pytest.approx(0.342, abs=5e-4)  # printed with three digits


@pytest.mark.parametrize(
    ("P", "golden"), [(4, Rational(1, 48)), (8, Rational(1, 96)), (16, Rational(1, 192))]
)
def test_average(P, golden):
    assert evaluate_exact(AVERAGE.exact, {"kappa_p": (1,) * P, "P": P, "M": 1, "d": 1}) == golden
    assert evaluate_exact(AVERAGE.formulas["equal"], {"kappa": 1, "P": P, "M": 1, "d": 1}) == golden


def test_one_seed_for_eight_workers_costs_a_factor_of_eight():
    values = {"kappa": 1, "M": 1, "d": 1}
    ratio = evaluate_exact(AVERAGE.formulas["same_seed"], values) / evaluate_exact(
        AVERAGE.formulas["equal"], {**values, "P": 8}
    )
    assert ratio == 8
    # The same by enumeration, for three workers.
    rows = ((F(1),),) * 3
    lost = sum(p * e[0] ** 2 for p, e in outcomes(DitheredQuantizer, rows, shared=True))
    kept = sum(p * e[0] ** 2 for p, e in outcomes(DitheredQuantizer, rows, shared=False))
    assert lost / kept == 3


@pytest.mark.parametrize("claim", [VARIANCE, NOISE, AVERAGE, SCALE], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    for case in claim.worst_cases:
        assert evaluate_exact(claim.exact, case.values) == case.value
