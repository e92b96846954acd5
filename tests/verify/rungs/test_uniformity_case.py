import math

import numpy as np
import pytest

from verify.context import Context
from verify.errors import CheckError
from verify.outcome import ALPHA
from verify.rungs.dispatch import judge
from verify.rungs.uniformity_case import BATCH, UniformityCase

HERE = Context("fake/one", "montecarlo", "here")
MUTANT = Context("fake/one", "montecarlo", "here", "mutant:wrong")


def uniform(rng, size):
    return [(rng.random(size) - 0.5, None), (rng.random((size, 2)) - 0.5, rng.random((size, 2)))]


@pytest.mark.parametrize("rung", ["montecarlo", "run"])
def test_uniform_errors_are_consistent_and_prove_nothing(rung):
    found = judge(rung, UniformityCase(uniform, batches=3), HERE)
    assert (found.verdict, found.grade, found.tests) == ("consistent", "search", 1)
    assert found.samples == 3 * 3 * BATCH
    assert not found.rejects


def test_a_narrow_law_in_one_arm_of_several_is_violated():
    def sample(rng, size):
        return [(rng.random(size) - 0.5, None), (0.9 * (rng.random(size) - 0.5), None)]

    found = judge("montecarlo", UniformityCase(sample), HERE)
    assert (found.verdict, found.grade) == ("violated", "guaranteed")
    assert found.witness["arm"] == 1
    assert f"{ALPHA:g}" in found.reason


def test_dependence_on_a_covariate_is_violated():
    def sample(rng, size):
        x = rng.random(size)
        return [((x + 0.1 * rng.standard_normal(size)) % 1 - 0.5, x)]

    assert judge("montecarlo", UniformityCase(sample), MUTANT).rejects


def test_a_mutant_needs_twice_the_evidence():
    def sample(rng, size):
        return [(0.97 * (rng.random(200) - 0.5), None)]

    base, mutant = (judge("montecarlo", UniformityCase(sample, batches=400), at) for at in (HERE, MUTANT))
    assert base.verdict == mutant.verdict == "violated"
    # The evidence grows faster than the samples: it must first find the law.
    assert mutant.samples > 1.1 * base.samples


@pytest.mark.parametrize("error", [0.51, -0.5 - 1e-6, 0.5 + 1.5e-9, -0.5 - 1.5e-9, math.inf, math.nan])
def test_an_error_outside_of_the_cell_is_violated(error):
    def sample(rng, size):
        return [(np.array([0.0, error]), None)]

    found = judge("montecarlo", UniformityCase(sample), HERE)
    assert (found.verdict, found.grade) == ("violated", "numerical")
    assert "outside" in found.reason


def test_round_off_at_the_ends_is_no_violation():
    def sample(rng, size):
        errors = rng.random(size) - 0.5
        errors[:3] = [0.5 + 1e-12, -0.5 - 1e-12, -0.5]
        return [(errors, None)]

    assert judge("montecarlo", UniformityCase(sample, batches=1), HERE).verdict == "consistent"


def test_no_errors_are_no_evidence():
    with pytest.raises(CheckError, match="arm 1 has no errors in batch 0"):
        judge(
            "run",
            UniformityCase(lambda rng, size: [(rng.random(size) - 0.5, None), (np.empty(0), None)]),
            HERE,
        )


def test_the_same_errors_on_each_stream_are_refused():
    grid = (np.arange(4096) + 0.5) / 4096 - 0.5
    with pytest.raises(CheckError, match="two batches from different streams are equal"):
        judge("montecarlo", UniformityCase(lambda rng, m: [(grid, None)]), HERE)


def test_a_few_errors_refute_nothing():
    with pytest.raises(CheckError, match="3 errors are too few"):
        judge("montecarlo", UniformityCase(lambda rng, m: [(rng.random(3) - 0.5, None)], batches=1), HERE)


def test_arms_are_one_test_together():
    def sample(rng, size):
        return [(np.full(12, 0.3), None), *((rng.random(size) - 0.5, None) for _ in range(200))]

    alone = judge("run", UniformityCase(lambda rng, m: sample(rng, m)[:1] * 2, batches=1), HERE)
    assert alone.verdict == "violated"
    assert judge("run", UniformityCase(sample, batches=1), HERE).verdict == "consistent"
