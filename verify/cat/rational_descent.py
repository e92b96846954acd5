"""Descent with chosen compressors in rational numbers, on quadratics whose constants are rational."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive import Choice
from impl.compressors import Draws, TopK, TopKSigns

Vector = list[Fraction]
Rule = Callable[[Vector], Choice]


@dataclass(frozen=True)
class RationalQuadratic:
    r"""$\frac12\sum_jh_jx_j^2+\frac12(w^\top x)^2$; its minimum is 0, at 0.

    Attributes:
        diagonal: h, nonnegative.
        coupling: w; zero if empty.
    """

    diagonal: tuple[Any, ...]
    coupling: tuple[Any, ...] = ()

    @property
    def L(self) -> Fraction:
        """Return max h + ||w||^2, at least the largest eigenvalue and equal to it for equal h."""
        return Fraction(max(self.diagonal)) + sum(
            (Fraction(item) ** 2 for item in self.coupling), Fraction(0)
        )

    @property
    def mu(self) -> Fraction:
        """Return min h, at most the smallest eigenvalue."""
        return Fraction(min(self.diagonal))

    def gradient(self, x: Vector) -> Vector:
        """Return the gradient at x."""
        pull = self._along(x)
        weights = self.coupling or (0,) * len(x)
        return [h * item + w * pull for h, item, w in zip(self.diagonal, x, weights, strict=True)]

    def value(self, x: Vector) -> Fraction:
        """Return the objective at x."""
        own = sum((h * item * item for h, item in zip(self.diagonal, x, strict=True)), Fraction(0))
        return (own + self._along(x) ** 2) / 2

    def _along(self, x: Vector) -> Fraction:
        pairs = zip(self.coupling, x, strict=True) if self.coupling else ()
        return sum((w * item for w, item in pairs), Fraction(0))


@dataclass(frozen=True)
class State:
    """An iterate with what the rule chose there, and the gap after the step."""

    x: Vector
    gradient: Vector
    value: Fraction
    choice: Choice
    next_value: Fraction

    @property
    def square(self) -> Fraction:
        """Return the squared norm of the gradient."""
        return squared_norm(self.gradient)


def squared_norm(x: Sequence[Any]) -> Fraction:
    """Return the squared norm of a vector of rationals."""
    return sum((Fraction(item) ** 2 for item in x), Fraction(0))


def descend(
    problem: RationalQuadratic,
    rule: Rule,
    start: Sequence[Any],
    rounds: int,
    *,
    reached: Callable[[Fraction, Fraction], bool] = lambda value, square: square == 0,
    rng: np.random.Generator | None = None,
) -> list[State]:
    """Return the states of a run before the accuracy is reached, at most `rounds` of them.

    Args:
        problem: What is minimised.
        rule: Maps a gradient in rationals to a `Choice`.
        start: First iterate.
        rounds: Largest number of iterations.
        reached: Whether a value and a squared gradient end the run.
        rng: Stream of random messages; None for deterministic rules.
    """
    x = [Fraction(item) for item in start]
    states: list[State] = []
    for _ in range(rounds):
        gradient, value = problem.gradient(x), problem.value(x)
        if reached(value, squared_norm(gradient)):
            break
        choice = rule(gradient)
        after = stepped(problem, x, gradient, choice, rng)
        states.append(State(x, gradient, value, choice, problem.value(after)))
        x = after
    return states


def stepped(
    problem: RationalQuadratic,
    x: Vector,
    gradient: Vector,
    choice: Choice,
    rng: np.random.Generator | None = None,
) -> Vector:
    """Return the next iterate, in rationals whatever the rule."""
    compressor, factor = choice.compressor, Fraction(1)
    if isinstance(compressor, TopKSigns):
        # The same step without a root: the mean magnitude at 1/L.
        compressor = TopKSigns(choice.size, scale="mean")
    elif not isinstance(compressor, TopK):
        factor = Fraction(choice.step_factor)
    draws = Draws() if rng is None else compressor.draw(rng, (len(x),))
    sent = compressor.reference(gradient, draws)
    return [item - factor * entry / problem.L for item, entry in zip(x, sent, strict=True)]
