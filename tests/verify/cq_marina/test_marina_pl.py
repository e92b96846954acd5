"""Golden numbers of the specification for the linear rate of MARINA."""

from dataclasses import replace

import numpy as np
import pytest

from verify.cq_marina.marina_pl import SETTINGS, bounds, convexity, one_client, with_pl_step, wrong_start
from verify.cq_marina.marina_settings import formula, stated_step


def potential(setting):
    weight = formula("marina-pl", "weight", gamma=setting.step_size, p=setting.probability)
    return setting.trace.gap + weight * setting.trace.error


def test_the_smaller_step_is_taken():
    setting = with_pl_step(one_client())
    assert setting.step_size == pytest.approx(0.05, rel=1e-14)  # p / (2 mu), below 1 / (1 + sqrt(126))
    noisy = with_pl_step(SETTINGS["tridiagonal-one-bit"]())
    chi = formula("marina-pl", "X", A=2.5, B=0.0, L_plus=0.9414499824666, L_pm=0.0)
    assert noisy.step_size == pytest.approx(1 / (0.9109688679024 + (6 * chi) ** 0.5), rel=1e-12)
    assert convexity(noisy.problem) == pytest.approx(0.01, rel=1e-12)


@pytest.mark.parametrize(("k", "expected"), [(20, 1.56), (100, 20.6)])
def test_double_rate_is_rejected(k, expected):
    setting = with_pl_step(one_client())
    # Printed with three digits, as are the next ones.
    assert potential(setting)[k] / bounds(setting, rate=2.0)[k] == pytest.approx(expected, rel=3e-3)


@pytest.mark.parametrize(("k", "expected"), [(50, 30.3), (100, 691)])
def test_step_of_the_sublinear_rate_is_rejected(k, expected):
    setting = replace(one_client(), step=stated_step)
    assert potential(setting)[k] / bounds(setting)[k] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", SETTINGS)
def test_potential_stays_below_the_bound_at_every_round(name):
    setting = with_pl_step(SETTINGS[name]())
    assert np.all(potential(setting) <= np.array(bounds(setting)) * (1 + 1e-11))


def test_wrong_first_estimates_are_paid_for():
    setting = with_pl_step(wrong_start())
    assert setting.trace.error[0] == 8
    assert np.all(setting.trace.gap <= np.array(bounds(setting)))
    assert np.any(setting.trace.gap > np.array(bounds(setting, error=0.0)))
