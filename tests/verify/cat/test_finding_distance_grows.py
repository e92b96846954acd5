"""Golden numbers of the specification for the distance to the solution."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from verify.cat.finding_distance_grows import HESSIAN, LONG, SHORT
from verify.evaluation import evaluate

CLAIM = theory.claim("cat/finding-distance-grows")


def test_one_step_in_the_plane():
    # Printed with 12 digits.
    assert evaluate(CLAIM.formulas["grown"], {}) == pytest.approx(1.14589803375, rel=5e-12)
    assert evaluate(CLAIM.formulas["top"], {}) == pytest.approx(np.linalg.eigvalsh(HESSIAN)[-1], rel=1e-14)


def test_growth_in_the_plane_comes_near_two():
    assert evaluate(CLAIM.formulas["plane_limit"], {"eta": 1e-3}) > 1.998


def test_the_rate_from_the_initial_distance_at_one_iteration():
    # Isotropic, flat, d = 64, T = 1: 0.98822 of the rate.
    alpha = F(1, 64)
    gap = F(63, 2)
    rate = evaluate(CLAIM.formulas["rate"], {"L": 1, "R_0": 8, "Sigma": alpha})
    assert float(gap) / rate == pytest.approx(0.98822, abs=5e-6)
    bound = evaluate(CLAIM.bound, {"L": 1, "R_0": 8, "alpha": alpha})
    assert float(gap) < bound < rate


def test_a_slow_phase_exceeds_the_rate():
    # u^2 = 12.29 exceeds the rate by at least 1.53, as the width of the Huber function vanishes.
    u = 12.29**0.5
    assert evaluate(CLAIM.formulas["ratio"], {"u": u, "tau": 1e-9, "R_0": 1}) == pytest.approx(
        1.536, abs=5e-4
    )
    values = {"u": u, "f": 1e-9, "L": LONG[0].L}
    count = evaluate(CLAIM.formulas["half_way"], values)
    assert count == pytest.approx(u * LONG[0].L / 2e-9)
    gap = evaluate(CLAIM.formulas["gap"], {**values, "tau": 1e-9, "N": count})
    rate = evaluate(CLAIM.formulas["rate"], {"L": LONG[0].L, "R_0": 1, "Sigma": count})
    assert gap / rate > 1.53


def test_the_first_phase_of_the_specification_grows():
    problem, steps = LONG
    assert problem.start @ problem.start == 1
    x = problem.after_leaps(10_000_000)
    # 12.29 is printed with four digits and is that of 3 * 10^7 steps, which the full profile takes.
    assert (problem.kernel @ x) ** 2 == pytest.approx(12.29, abs=0.01)
    assert steps == 30_000_000
    # The squared distance passes 11.74 on its way.
    assert x @ x > 11.74


def test_the_first_phase_of_the_quick_instance():
    problem, steps = SHORT
    x = problem.after_leaps(steps)
    assert (problem.kernel @ x) ** 2 == pytest.approx(9.9856, abs=5e-4)
    assert x @ x == pytest.approx((problem.kernel @ x) ** 2, rel=1e-6)
