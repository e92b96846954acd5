"""The tridiagonal quadratics of the experiments, methods on them, and what they need to an accuracy."""

import functools
from collections.abc import Sequence
from typing import Any

from impl.problems import Quadratic, tridiagonal
from verify.cq_marina.fixtures.second_moments import MomentTrace
from verify.experiments.cq_marina.methods import Arrival, Method, first_below, method_of
from verify.rungs.costs import Samples

DIMENSION, CURVATURE, ACCURACY = 32, 1e-6, 1e-4
EXPECTED = ("rand_k", "perm_k", "independent")
"""Methods with exact expectations on identical clients."""


@functools.cache
def quadratic(n: int, heterogeneity: float = 0.0, offset: float = 0.0) -> Quadratic:
    """Return the quadratic of the experiment."""
    return tridiagonal(n, DIMENSION, heterogeneity=heterogeneity, mu=CURVATURE, offset=offset)


@functools.cache
def quadratic_method(n: int, name: str, heterogeneity: float = 0.0, offset: float = 0.0) -> Method:
    """Return a method on it with its theoretical parameters."""
    return method_of(quadratic(n, heterogeneity, offset), name)


@functools.cache
def expectations(method: Method, rounds: int) -> MomentTrace:
    """Return the exact expectations of a method; those at stated parameters are asked for several times."""
    return method.expectations(rounds)


def expected_bits(
    n: int, name: str, rounds: int, spread: Sequence[float] = (), accuracy: float = ACCURACY
) -> float:
    """Return the bits that a method with exact expectations needs to the accuracy."""
    method = quadratic_method(n, name, *spread)
    return float(method.bits(first_below(expectations(method, rounds).gradient_norm_sq, accuracy)))


def sampled_bits(
    method: Method, rng: Any, rounds: int, replicates: int, accuracy: float = ACCURACY
) -> Samples:
    """Return the bits to the accuracy of runs."""
    result = method.run(rng, rounds=rounds, replicates=replicates, accuracy=accuracy)
    return Arrival(result.gradient_norm_sq, accuracy, method).bits
