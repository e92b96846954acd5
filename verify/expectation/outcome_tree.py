"""All outcomes of a few rounds of randomly compressed gradient descent, for Fractions or floats.

A level of the tree is a list of leaves; equal states are merged, and each leaf remembers what its path has
gathered, so that expectations of products and sums along the path are exact, too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Vector = tuple[Any, ...]
Law = Sequence[tuple[Any, Vector]]
"""Chances and the vectors that are received."""


@dataclass(frozen=True)
class Leaf:
    """A state with its chance: the point (d,) and what the path to it has gathered, hashable."""

    chance: Any
    x: Vector
    memory: Any = None


@dataclass(frozen=True)
class Round:
    """What happens at a state.

    Args:
        estimates: Law of the vector g that the server takes for the gradient.
        step: The step size: the next point is x - step * g.
        memory: What the path has gathered after this round.
    """

    estimates: Law
    step: Any
    memory: Any = None


@dataclass(frozen=True)
class QuadraticNodes:
    r"""$f_i(x)=\frac12x^\top H_ix-b_i^\top x$ of n nodes, in numbers of any kind.

    Args:
        matrices: H_i, (n, d, d).
        linear: b_i, (n, d); zero if left out.
    """

    matrices: Sequence[Sequence[Sequence[Any]]]
    linear: Sequence[Sequence[Any]] | None = None

    def gradients(self, x: Vector) -> tuple[Vector, ...]:
        """Return the gradients of all nodes, (n, d)."""
        zero = [[0] * len(x)] * len(self.matrices)
        return tuple(
            tuple(inner(row, x) - shift for row, shift in zip(H, b, strict=True))
            for H, b in zip(self.matrices, self.linear or zero, strict=True)
        )

    def gradient(self, x: Vector) -> Vector:
        """Return the gradient of the mean of the nodes, (d,)."""
        return mean_vector(self.gradients(x))

    def objective(self, x: Vector) -> Any:
        """Return the mean of the node functions."""
        zero = [[0] * len(x)] * len(self.matrices)
        values = [
            inner(x, [inner(row, x) for row in H]) / 2 - inner(b, x)
            for H, b in zip(self.matrices, self.linear or zero, strict=True)
        ]
        return sum(values) / len(values)


def inner(a: Iterable[Any], b: Iterable[Any]) -> Any:
    """Return the inner product of two vectors."""
    return sum(left * right for left, right in zip(a, b, strict=True))


def square(a: Iterable[Any]) -> Any:
    """Return the squared norm of a vector."""
    return sum(item * item for item in a)


def mean_vector(vectors: Sequence[Vector]) -> Vector:
    """Return the mean of vectors."""
    return tuple(sum(items) / len(vectors) for items in zip(*vectors, strict=True))


def kept_entries(g: Vector, probabilities: Sequence[Any], *, scaled: bool = True) -> Law:
    """Return the law of a node that keeps entry j with its probability, independently, and divides by it.

    Args:
        g: Gradient of the node, (d,).
        probabilities: p_j, (d,); a zero entry is never kept.
        scaled: Whether the receiver divides by p_j; without it the message is biased.
    """
    choices = []
    for item, p in zip(g, probabilities, strict=True):
        if not item:
            choices.append([(p * 0 + 1, item)])
            continue
        received = item / p if scaled and p else item
        options = [(p, received), (1 - p, item * 0)]
        choices.append([option for option in options if option[0] > 0])
    return [
        (math.prod(chance for chance, _ in pattern), tuple(item for _, item in pattern))
        for pattern in itertools.product(*choices)
    ]


def systematic_entries(g: Vector, probabilities: Sequence[Any]) -> Law:
    """Return the law of systematic sampling: one uniform number decides on all entries.

    Entry j is kept if a whole number lies in u + [P_j, P_j + p_j), P_j the sum of the chances before it; so
    each p_j is as before, but the number of survivors takes two neighbouring values at most.
    """
    starts = list(itertools.accumulate(probabilities, initial=probabilities[0] * 0))
    cuts = sorted({-start - math.floor(-start) for start in starts} | {starts[0]})
    law = []
    for low, high in itertools.pairwise([*cuts, starts[0] + 1]):
        middle = (low + high) / 2
        ends = [math.floor(middle + start) for start in starts]
        kept = [second > first for first, second in itertools.pairwise(ends)]
        received = tuple(
            item / p if hit else item * 0 for item, p, hit in zip(g, probabilities, kept, strict=True)
        )
        law.append((high - low, received))
    return law


def merged(law: Law) -> Law:
    """Return a law whose outcomes are all different."""
    chances: dict[Vector, Any] = {}
    for chance, vector in law:
        chances[vector] = chances.get(vector, 0) + chance
    return [(chance, vector) for vector, chance in chances.items()]


def independent_mean(laws: Sequence[Law]) -> Law:
    """Return the law of the mean of the messages of independent nodes."""
    total = laws[0]
    for law in laws[1:]:
        total = merged(
            [
                (chance * other, tuple(a + b for a, b in zip(vector, more, strict=True)))
                for chance, vector in total
                for other, more in law
            ]
        )
    return [(chance, tuple(item / len(laws) for item in vector)) for chance, vector in total]


def outcome_tree(
    gradients: Callable[[Vector], Sequence[Vector]],
    start: Vector,
    method: Callable[[Vector, Sequence[Vector], Any], Round],
    rounds: int,
    *,
    memory: Any = None,
) -> list[list[Leaf]]:
    """Return the leaves after 0, ..., rounds rounds; chances of a level add up to 1.

    Args:
        gradients: Maps a point to the gradients of the nodes, (n, d).
        start: x_0, (d,).
        method: Maps the point, its gradients and what the path has gathered to a round.
        rounds: K; with independent nodes the tree has up to 2^(n d K) leaves.
        memory: What is gathered at the start.
    """
    level = [Leaf(1, tuple(start), memory)]
    levels = [level]
    for _ in range(rounds):
        chances: dict[tuple[Vector, Any], Any] = {}
        for leaf in level:
            made = method(leaf.x, gradients(leaf.x), leaf.memory)
            for chance, estimate in made.estimates:
                point = tuple(a - made.step * b for a, b in zip(leaf.x, estimate, strict=True))
                key = (point, made.memory)
                chances[key] = chances.get(key, 0) + leaf.chance * chance
        level = [Leaf(chance, x, gathered) for (x, gathered), chance in chances.items()]
        levels.append(level)
    return levels


def expected(level: Sequence[Leaf], function: Callable[[Leaf], Any]) -> Any:
    """Return the expectation of a function of the leaves of a level."""
    return sum(leaf.chance * function(leaf) for leaf in level)
