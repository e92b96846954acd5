"""Golden numbers of the specification for the distance to the solution."""

from fractions import Fraction as F

import numpy as np
import pytest

from verify.cat.descent.finding_distance_grows import HESSIAN, LONG, SHORT, judge

LAW = judge._law()


def test_one_step_in_the_plane():
    # Printed with 12 digits.
    assert LAW("grown") == pytest.approx(1.14589803375, rel=5e-12)
    assert LAW("top") == pytest.approx(np.linalg.eigvalsh(np.array(HESSIAN, float))[-1], rel=1e-14)
    assert LAW("plane_limit", eta=1e-3) > 1.998


def test_the_rate_from_the_initial_distance_at_one_iteration():
    # Isotropic, flat, d = 64, T = 1: 0.98822 of the rate.
    rate = LAW("rate", L=1, R_0=8, Sigma=F(1, 64))
    assert 31.5 / rate == pytest.approx(0.98822, abs=5e-6)
    assert 31.5 < LAW("bound", L=1, R_0=8, alpha=F(1, 64)) < rate


def test_the_first_phase_of_the_specification_grows():
    x = LONG.after_leaps(10_000_000)
    # 12.29 is printed with four digits and is that of 3 * 10^7 steps, which the full profile takes.
    assert (LONG.kernel @ x) ** 2 == pytest.approx(12.29, abs=0.01)
    # The squared distance passes 11.74 on its way.
    assert x @ x > 11.74


def test_the_first_phase_of_the_quick_instance():
    x = SHORT.after_leaps(15_000_000)
    assert (SHORT.kernel @ x) ** 2 == pytest.approx(9.9856, abs=5e-4)
    assert x @ x == pytest.approx((SHORT.kernel @ x) ** 2, rel=1e-6)
