"""Users' mistakes in rules for steps: one clear error with every problem and a remedy."""

import numpy as np
import pytest

from impl.problems import Logistic, Quadratic
from verify.errors import UsageError
from verify.experiments.squant.methods import COMPRESSIONS, method_of
from verify.squant.fixtures.step_rules import (
    mixture_block_steps,
    mixture_probabilities,
    mixture_steps,
    optimal_block_steps,
    optimal_probabilities,
    optimal_steps,
)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: optimal_steps([1.0, 0.0], 1.0), ("L[1]=0", "infinite", "mixture steps")),
        (lambda: optimal_steps([1.0, 2.0], 0.0), ("budget=0.0", "infinite")),
        (lambda: optimal_steps([1.0, np.inf], -1.0), ("L[1]=inf", "budget=-1.0")),
        (lambda: optimal_block_steps([1.0, 0.0, 0.0], [1, 2], 1.0), ("L[1:3]=0", "ridge")),
        (lambda: optimal_block_steps([1.0, 1.0], [2, 0], 1.0), ("blocks=[2, 0]", "at least 1")),
        (lambda: optimal_probabilities([1.0, 2.0], 3.0), ("budget=3.0 exceeds d=2",)),
        (lambda: optimal_probabilities([1.0, 0.0], 1.0), ("L[1]=0",)),
        (lambda: mixture_steps([1.0, -1.0], 0, 0.0, 1.0), ("L[1]=-1.0", "mu=0.0", "n=0", "ridge")),
        (lambda: mixture_block_steps([1.0, 1.0], [1], 4, 0.1, 1.0), ("blocks=[1]",)),
        (lambda: mixture_probabilities([1.0], 4, 0.1, np.nan), ("budget=nan",)),
    ],
)
def test_mistakes_are_named_with_a_remedy(call, words):
    with pytest.raises(UsageError) as error:
        call()
    for word in words:
        assert word in str(error.value)


def test_mu_zero_is_refused_where_steps_need_it():
    problem = Logistic([[[1.0, 2.0]], [[2.0, 1.0]]], [[1.0], [-1.0]], 0.0)
    with pytest.raises(UsageError, match=r"mu=0.0 must be positive; add a ridge"):
        method_of(problem, "diana_plus", "varying", 1.0)


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("name", ["dcgd_plus", "diana_plus"])
def test_zero_coordinates_and_blocks_work(name, compression):
    # Node 0 has no curvature in the last two coordinates; interpolation, so that DCGD+ has no floor.
    problem = Quadratic.from_centers(
        [[2.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 2.0]], np.tile([3.0, 1.0, -1.0, 2.0], (2, 1))
    )
    method = method_of(problem, name, compression, 2.0)
    result = method.run(np.random.default_rng(0), rounds=5000, replicates=3, until=1e-9)
    assert result.distance_sq[:, -1].max() <= 1e-9 * result.distance_sq[0, 0]


def test_an_unknown_method_lists_the_known_ones():
    problem = Quadratic.from_centers([[2.0]], [[3.0]])
    with pytest.raises(UsageError, match="dcgd, diana, dcgd_plus, diana_plus"):
        method_of(problem, "marina", "standard", 1.0)
    with pytest.raises(UsageError, match=r"budget=0.0 must be finite and positive"):
        method_of(problem, "diana", "standard", 0.0)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_one_node_and_one_coordinate_work(compression):
    problem = Quadratic.from_centers([[2.0]], [[3.0]])
    for name in ("dcgd_plus", "diana_plus"):
        result = method_of(problem, name, compression, 1.0).run(
            np.random.default_rng(0), rounds=50, replicates=2
        )
        assert result.distance_sq[:, -1].max() < 1e-9
