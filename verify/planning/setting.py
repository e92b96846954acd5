"""A problem, a link and an accuracy: what the bounds of the methods need to know of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from verify.errors import UsageError

if TYPE_CHECKING:
    from sympy import Expr

    from impl.communication import CostModel
    from impl.matrix_roots import MatrixRoots
    from impl.problems import Problem, SmoothnessConstants
    from verify.planning.mean_prices import EntryPrices
    from verify.wires.methods import Choice

_MOST_ROUNDS = 2**60
LEAST_ACCURACY = 1e-100
"""Below it targets of some problems are 0 in double precision."""
FLOAT_BITS = 32
"""Bits of a number that is sent, unless told otherwise."""


@dataclass(frozen=True)
class Setting:
    r"""To reach $f(x)-f^\star\le$ accuracy $\cdot(f(0)-f^\star)$ from $x^0=0$.

    Args:
        problem: n strongly convex node functions on R^d.
        cost: Cost of a message by its bits.
        accuracy: Relative accuracy, from `LEAST_ACCURACY` on and below 1.
        float_bits: Bits of a number that is sent.

    Raises:
        UsageError: A problem without a certified strong convexity, or an accuracy out of range.
    """

    problem: Problem
    cost: CostModel
    accuracy: float
    float_bits: int = FLOAT_BITS

    def __post_init__(self) -> None:
        if not self.problem.mu > 0:
            raise UsageError("the bounds need a strongly convex problem; give a ridge above 0")
        if not self.gap > 0:
            raise UsageError(
                "x = 0 is the solution of this problem already, as far as double precision tells; nothing "
                "has to be sent: give a smaller ridge, or another problem"
            )
        if not LEAST_ACCURACY <= self.accuracy < 1:
            raise UsageError(
                f"accuracy={self.accuracy!r} must be between 0 and 1, at least {LEAST_ACCURACY:g}, "
                "such as 1e-3"
            )

    @property
    def n(self) -> int:
        """Number of nodes."""
        return self.problem.n

    @property
    def d(self) -> int:
        """Number of coordinates."""
        return self.problem.d

    @cached_property
    def L(self) -> float:
        """Smoothness constant of f."""
        return self.problem.L

    @cached_property
    def L_max(self) -> float:
        """Largest smoothness constant of a node."""
        return float(self.problem.L_nodes.max())

    @property
    def mu(self) -> float:
        """Constant of strong convexity."""
        return float(self.problem.mu)

    @cached_property
    def gap(self) -> float:
        """f(0) - f*."""
        import numpy as np

        start = self.problem.objective(np.zeros(self.d))
        return float(start - self.problem.objective(self.problem.solution))

    @cached_property
    def distance(self) -> float:
        """||x*||^2, the squared distance of the start."""
        return float((self.problem.solution**2).sum())

    @cached_property
    def node_gradients(self) -> Any:
        """||grad f_i(x*)||^2 of the nodes, (n,)."""
        return (self.problem.gradients(self.problem.solution) ** 2).sum(axis=-1)

    @cached_property
    def constants(self) -> SmoothnessConstants:
        """Smoothness constants of MARINA."""
        from impl.problems import smoothness_constants

        return smoothness_constants(self.problem)

    @property
    def on_a_real_link(self) -> bool:
        """Whether costs are seconds of rounds."""
        from impl.communication import RoundSeconds

        return isinstance(self.cost, RoundSeconds)

    @property
    def target(self) -> float:
        """The accuracy of f."""
        return self.accuracy * self.gap

    @property
    def squared_target(self) -> float:
        """A squared distance that is close enough: f - f* is at most L/2 times it."""
        return 2 * self.target / self.L

    @cached_property
    def roots(self) -> MatrixRoots:
        """Roots of the smoothness matrices of the nodes."""
        from impl.matrix_roots import MatrixRoots

        return MatrixRoots.of_nodes(self.problem.smoothness)

    def price(self, bits: int) -> float:
        """Return the cost of a message whose length is sure."""
        return float(self.cost(bits))

    def mean_price(self, bits: float) -> float:
        """Return what messages of any random length with at most this mean cost at most in the mean."""
        slope, offset = self._line
        return slope * bits + offset

    def mean_price_of_entries(self, entries: float) -> float:
        """Return what messages of any random number of entries with this mean cost at most in the mean."""
        return self._entries.mean(entries)

    @cached_property
    def _line(self) -> tuple[float, float]:
        from verify.planning.mean_prices import line_above

        return line_above(self.cost)

    @cached_property
    def _entries(self) -> EntryPrices:
        from impl.communication import sparse_bits
        from verify.planning.mean_prices import EntryPrices

        return EntryPrices(self.cost, self.d, int(sparse_bits(1, self.d, self.float_bits)))


@dataclass(frozen=True)
class Prediction:
    """What a bound says about a method.

    Attributes:
        method: Name, with parameters.
        rounds: Rounds that surely suffice, None where the bound is one on the cost; where the method is
            random, after which the mean of f - f* (or of a squared distance that implies it) has the
            accuracy.
        bits: Bits of a node in a round, a bound or a mean.
        cost: Cost of a node to the accuracy, infinite where no bound gives a number.
        claims: Ids of the claims behind rounds, bits and cost.
        note: What the number takes for granted.
        run: Runs the method: maps (rounds, generator) to gaps f - f* and costs by round, each (R, K + 1).
        wire: The method with halves for processes, where it has some.
    """

    method: str
    rounds: int | None
    bits: float | None
    cost: float
    claims: tuple[str, ...]
    note: str = ""
    run: Callable[[int, Any], tuple[Any, Any]] | None = None
    wire: Choice | None = None


def cheapest(found: Iterable[Prediction]) -> Prediction:
    """Return the cheapest of predictions along a growing parameter, up to the second dearer one in a row."""
    best: Prediction | None = None
    dearer = 0
    for prediction in found:
        if best is None or prediction.cost < best.cost:
            best, dearer = prediction, 0
        elif best.cost < math.inf:
            dearer += 1
            if dearer == 2:
                break
    if best is None:
        raise ValueError("no prediction to choose from")
    return best


def first_round(formula: Expr, symbol: str, values: Mapping[str, Any], target: float) -> int | None:
    """Return the first number of rounds at which a falling bound is at most the target.

    None where it is not in 2**60 rounds, in double precision.
    """
    from verify.formulas.evaluation import evaluate

    def reached(count: int) -> bool:
        return evaluate(formula, {**values, symbol: count}) <= target

    high = 1
    while not reached(high):
        high *= 2
        if high > _MOST_ROUNDS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
