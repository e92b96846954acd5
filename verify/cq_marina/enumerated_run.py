"""All outcomes of a short MARINA run on quadratics, exact in rationals: what the recursion must reproduce."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.cq_marina.joint_enumeration import estimates, mean_of

Vector = Sequence[Any]
Matrix = Sequence[Vector]


@dataclass(frozen=True)
class Leaf:
    """One outcome: its probability, x and g."""

    probability: Any
    x: Vector
    g: Vector


def enumerated_levels(
    matrices: Sequence[Matrix],
    start: Vector,
    compressor: Any,
    *,
    step_size: Any,
    probability: Any,
    rounds: int,
) -> list[list[Leaf]]:
    """Return the outcomes after 0..`rounds` rounds of a run on f_i(x) = x^T A_i x / 2, g^0 exact.

    Args:
        matrices: A_i, (n, d, d), nested sequences of Fractions or floats.
        start: x^0, (d,).
        compressor: has `outcomes` and `reference`, as a `JointCompressor` does.
        step_size: gamma.
        probability: p.
        rounds: K; the last level has (1 + outcomes)^K leaves.
    """
    gradient = mean_of([_times(A, start) for A in matrices])
    levels = [[Leaf(Fraction(1), start, gradient)]]
    for _ in range(rounds):
        leaves = []
        for leaf in levels[-1]:
            x = [a - step_size * c for a, c in zip(leaf.x, leaf.g, strict=True)]
            gradient = mean_of([_times(A, x) for A in matrices])
            leaves.append(Leaf(leaf.probability * probability, x, gradient))
            moved = [-step_size * c for c in leaf.g]
            for chance, estimate in estimates(compressor, [_times(A, moved) for A in matrices]):
                g = [a + c for a, c in zip(leaf.g, estimate, strict=True)]
                leaves.append(Leaf(leaf.probability * (1 - probability) * chance, x, g))
        levels.append(leaves)
    return levels


def level_moments(matrices: Sequence[Matrix], leaves: Sequence[Leaf]) -> tuple[Any, Any, Any]:
    """Return E f (for f* = 0), E||grad f||^2 and E||g - grad f||^2 over the leaves of a level."""
    gap, norm, error = Fraction(0), Fraction(0), Fraction(0)
    for leaf in leaves:
        gradient = mean_of([_times(A, leaf.x) for A in matrices])
        gap += leaf.probability * sum(a * c for a, c in zip(leaf.x, gradient, strict=True)) / 2
        norm += leaf.probability * sum(c * c for c in gradient)
        error += leaf.probability * sum((a - c) ** 2 for a, c in zip(leaf.g, gradient, strict=True))
    return gap, norm, error


def _times(matrix: Matrix, vector: Vector) -> list[Any]:
    return [sum(a * c for a, c in zip(row, vector, strict=True)) for row in matrix]
