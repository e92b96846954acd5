"""Numbers of the finding on one-sided tests, and of the specification's mutant with rounding."""

import numpy as np
import pytest

from verify.ndqsg.convergence.finding_one_sided_tests import judge
from verify.ndqsg.fixtures.fixed_scale_runs import STYLES, rounded_distance


# .400 / .0008 measured in the specification; exactly 0.39950 and 0.00084993.
@pytest.mark.parametrize(("T", "measured", "digits"), [(10, 0.400, 1e-3), (100, 0.0008, 5.1e-5)])
def test_rounding(T, measured, digits):
    assert rounded_distance(T) == pytest.approx(measured, abs=digits)


def test_factor_at_the_end():
    # "Factor 80 at T = 100 in favour of rounding": 85.
    assert 0.0723011899627709 / rounded_distance(100) == pytest.approx(85.07, abs=5e-3)


def test_exact_laws_agree_with_runs():
    found = STYLES["stochastic-rounding"].run(20, np.random.default_rng(5), 64 * 100)
    assert found.mean() == pytest.approx(rounded_distance(20), abs=6 * found.std() / 80)


def test_crossing():
    law = judge._law()
    assert law("crossing", delta=1) == pytest.approx(0.09175, abs=5e-6)
    ratio = law("rounding_variance", y=0.05, delta=1, P=4) / law("bound", delta=1, P=4)
    assert ratio == pytest.approx(0.57, abs=5e-3)
