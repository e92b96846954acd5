"""Complex numbers are refused on every rung: numpy would judge their real parts."""

import numpy as np
import pytest

from verify.context import Context
from verify.errors import CheckError
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.costs import CostCase, Ordering
from verify.rungs.dispatch import judge
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.uniformity_case import UniformityCase


def rotated(inputs):
    return np.array([np.linalg.eigvals(np.array([[0.0, -9 * x[0]], [9 * x[0], 0.0]])).max() for x in inputs])


def large(stream):
    return {name: (np.full(64, value),) * 2 for name, value in (("one", 1 + 99j), ("two", 2.0))}


@pytest.mark.parametrize(
    ("rung", "case", "what"),
    [
        ("adversarial", AdversarialCase(rotated, lambda x: np.abs(x[:, 0]), 2), "value and bound"),
        ("montecarlo", MonteCarloCase("le", lambda rng, m: rng.random(m) + 9j, 0.6, upper=1.0), "samples"),
        ("montecarlo", UniformityCase(lambda rng, m: [(rng.random(m) - 0.5 + 3j, None)]), "errors"),
        ("run", CostCase(large, [Ordering("one", "two", 1.0)]), "samples of 'one'"),
        ("run", TrajectoryCase(lambda: np.ones(2), lambda rng, r: np.full((r, 2), 0.5 + 9j)), "rows"),
        ("run", TrajectoryCase(lambda: np.ones(2) + 1j, lambda rng, r: np.full((r, 2), 0.5)), "bounds"),
    ],
)
def test_complex_numbers_are_refused(rung, case, what):
    with pytest.raises(CheckError, match=f"{what} are complex"):
        judge(rung, case, Context("fake/one", rung, "here"))
