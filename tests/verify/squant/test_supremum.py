"""Golden suprema of squant-sup and squant-steps, in both regimes."""

import math

import pytest

import theory
from verify.evaluation import evaluate
from verify.squant.fixtures.step_rules import optimal_probabilities, optimal_steps
from verify.squant.fixtures.supremum import supremum_of

STEPS = theory.claim("squant/steps").formulas
DIGITS = 5e-15
"""Goldens are printed with 15 digits."""


@pytest.mark.parametrize(
    ("L", "h", "value"),
    [
        ((4, 1), (3, 3), 8.67954544979760),
        ((9, 4, 1), (2, 3, 6), 16.2602761720076),
        ((1,) * 100, (1,) * 100, 9.0),
    ],
)
def test_coarse_regime(L: tuple[float, ...], h: tuple[float, ...], value: float) -> None:
    found = supremum_of(L, h)
    assert found.lower == found.upper == pytest.approx(value, rel=DIGITS)
    assert found.maximiser is not None
    assert math.hypot(*found.maximiser) == pytest.approx(1, rel=1e-12)  # the root is found to the last digits


def test_fine_regime_is_an_interval_unless_a_weight_vanishes() -> None:
    zero = supremum_of((1, 0), (1, 5))
    assert (zero.lower, zero.upper) == (0.25, 0.25)
    interval = supremum_of((3, 2, 1), (0.9, 0.8, 0.7))
    total = 3 * 0.81 + 2 * 0.64 + 0.49
    assert interval.upper == pytest.approx(total / 4, rel=1e-15)
    assert interval.lower == pytest.approx((total - 0.49) / 4, rel=1e-15)
    assert supremum_of((1,) * 64, (0.125,) * 64).upper == 0.25


def test_one_coordinate() -> None:
    assert supremum_of((2,), (0.5,)).upper == 0  # 1/h is an integer
    assert supremum_of((2,), (0.4,)).upper == pytest.approx(2 * 0.16 * 0.25, rel=1e-14)


@pytest.mark.parametrize(
    ("L", "beta", "bound", "varying", "sparse", "uniform"),
    [
        ((4, 1), 1, 5, 2.42428887524503, 2.24502833757803, 2.5),
        ((4, 1, 1, 1), 1, 7, 4.86923075068275, 4.74491382771371, 5.60902144209941),
        ((9, 4, 1, 1), 2, 7.5, 3.46599793410508, 3.06542532488892, 3.75),
    ],
)
def test_suprema_at_the_three_kinds_of_steps(
    L: tuple[float, ...], beta: float, bound: float, varying: float, sparse: float, uniform: float
) -> None:
    d = len(L)
    assert evaluate(STEPS["value"], {"L": L, "beta": beta, "d": d}) == bound
    assert supremum_of(L, optimal_steps(L, beta)).upper == pytest.approx(varying, rel=DIGITS)
    _, p = optimal_probabilities(L, beta)
    h = [evaluate(STEPS["sparse_step"], {"beta": beta, "p_j": p_j}) for p_j in p]
    assert supremum_of(L, h).upper == pytest.approx(sparse, rel=DIGITS)
    step = evaluate(STEPS["uniform_step"], {"beta": beta, "d": d})
    assert supremum_of(L, (step,) * d).upper == pytest.approx(uniform, rel=DIGITS)
