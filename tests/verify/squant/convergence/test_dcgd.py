"""Golden problems and one-step values of squant-dcgd, through the same code that the checks use."""

import numpy as np
import pytest

from verify.squant.convergence.dcgd import judge, one_step
from verify.squant.fixtures.convergence.dcgd_settings import golden_setting

LAW = judge._law()
# Goldens have 15 digits; matrix roots of these small matrices lose one or two of them.
DIGITS = 2e-14


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("S1", 4.10913580246914, 9.54486913580247),
        ("S2", 35.4128843594040, 42.7816775728733),
        ("S3", 5.12042265727212, 6.27360431359856),
    ],
)
def test_both_sides_of_one_step(name: str, left: float, right: float) -> None:
    chosen, state = golden_setting(name)
    (comparison,) = one_step(LAW, chosen, state)
    assert (comparison.value, comparison.bound) == pytest.approx((left, right), rel=DIGITS)


def test_the_golden_problems_are_those_of_the_specification() -> None:
    first, second, third = (golden_setting(name)[0] for name in ("S1", "S2", "S3"))
    solutions = ((first, [0.6, 0.0]), (second, [0.0, 1.0]), (third, [1.2, -0.4, 1.0]))
    for chosen, solution in solutions:
        np.testing.assert_allclose(chosen.problem.solution, solution, atol=DIGITS)
    assert (first.sigma_star(), first.step_size) == pytest.approx((0.26, 16 / 45), rel=DIGITS)
    assert second.variance_constants == pytest.approx((6.5, 7.75), rel=DIGITS)
