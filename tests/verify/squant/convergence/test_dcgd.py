"""Golden one-step values of squant-dcgd, through the same code that the checks use."""

import numpy as np
import pytest

from verify.expectation.one_step import OneStep
from verify.squant.convergence.dcgd import judge, one_step
from verify.squant.fixtures.dcgd_settings import (
    breast_cancer_setting,
    formula,
    golden_setting,
    sharp_setting,
    stated_step_size,
)

LAW = judge._law()


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
    # Goldens have 15 digits; matrix roots of these small matrices lose one or two of them.
    assert comparison.value == pytest.approx(left, rel=2e-14)
    assert comparison.bound == pytest.approx(right, rel=2e-14)


def test_first_golden_problem_in_detail() -> None:
    chosen, _ = golden_setting("S1")
    assert chosen.step_size == pytest.approx(16 / 45, rel=1e-15)
    assert chosen.sigma_star() == pytest.approx(0.26, rel=1e-14)
    assert chosen.problem.solution == pytest.approx([0.6, 0.0], abs=1e-15)


@pytest.mark.parametrize(
    ("factor", "ratio"),
    [(1, 37 / 38), (4, 369 / 285)],
)
def test_the_sharp_problem(factor: float, ratio: float) -> None:
    chosen = sharp_setting(lambda L, constant, n: factor * stated_step_size(L, constant, n))
    (comparison,) = one_step(LAW, chosen, np.ones((1, 100)))
    assert comparison.value / comparison.bound == pytest.approx(ratio, rel=1e-13)
    assert formula("sharp_ratio", omega=9) == pytest.approx(37 / 38, rel=1e-15)


def test_without_the_variance_term_the_sharp_problem_leaves_the_noise_against_zero() -> None:
    chosen = sharp_setting(lambda L, constant, n: stated_step_size(L, 0.0, n))
    (comparison,) = one_step(LAW, chosen, np.ones((1, 100)))
    assert comparison.bound == 0
    assert comparison.value == pytest.approx(9 * 100, rel=1e-13)  # omega times the squared distance


def test_node_variances_agree_with_sampling_of_the_method() -> None:
    from impl.optimizers import dcgd_plus

    chosen = breast_cancer_setting()
    x = chosen.problem.solution + 0.1
    step = OneStep(chosen.problem, chosen.compressor, chosen.compression, chosen.step_size)
    exact = float(step.expected_distance(x[None])[0])
    result = dcgd_plus(
        chosen.problem,
        chosen.compressor,
        step_size=chosen.step_size,
        rounds=1,
        rng=np.random.Generator(np.random.Philox(5)),
        replicates=4000,
        start=x,
        smoothness=chosen.compression,
    )
    assert result.distance_sq is not None
    sampled = result.distance_sq[:, 1]
    assert abs(sampled.mean() - exact) < 6 * sampled.std() / 4000**0.5  # six standard errors, fixed seed
