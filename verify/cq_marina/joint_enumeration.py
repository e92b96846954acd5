"""Exact mean and mean squared error of a joint compressor's estimate, over all its outcomes, in rationals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Rows = Sequence[Sequence[Any]]


@dataclass(frozen=True)
class JointMoments:
    """Moments of the estimate over all outcomes of one round.

    Args:
        probability: Of all outcomes together, 1 unless the compressor is wrong.
        mean: Of the estimate, (d,).
        error: Mean squared distance from the mean of the clients.
        coordinate_errors: Its parts, (d,).
        outcomes: Number of outcomes.
    """

    probability: Any
    mean: tuple[Any, ...]
    error: Any
    coordinate_errors: tuple[Any, ...]
    outcomes: int


def mean_of(rows: Rows) -> list[Any]:
    """Return the mean of the rows (n, d), exact for Fractions."""
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def mean_squares(rows: Rows) -> tuple[Any, Any]:
    r"""Return $M=\frac1n\sum_i\|a_i\|^2$ and $m=\|\bar a\|^2$ of joint inputs (n, d)."""
    M = sum((item**2 for row in rows for item in row), Fraction(0)) / len(rows)
    return M, sum((item**2 for item in mean_of(rows)), Fraction(0))


def estimates(compressor: Any, rows: Rows) -> Iterator[tuple[Any, list[Any]]]:
    """Yield (probability, estimate (d,)) for all outcomes of the literal form."""
    x = [list(row) for row in rows]
    for chance, draws in compressor.outcomes(x):
        yield chance, mean_of(compressor.reference(x, draws))


def enumerate_joint(compressor: Any, rows: Rows) -> JointMoments:
    """Sum over all outcomes of one round.

    Args:
        compressor: Has `outcomes(x)` and `reference(x, draws)`, as a `JointCompressor` does.
        rows: One joint input (n, d), of Fractions for exact results.
    """
    truth = mean_of(rows)
    d = len(truth)
    probability, count = Fraction(0), 0
    mean, errors = [Fraction(0)] * d, [Fraction(0)] * d
    for chance, estimate in estimates(compressor, rows):
        probability += chance
        mean = [old + chance * item for old, item in zip(mean, estimate, strict=True)]
        errors = [
            old + chance * (item - true) ** 2 for old, item, true in zip(errors, estimate, truth, strict=True)
        ]
        count += 1
    return JointMoments(probability, tuple(mean), sum(errors, Fraction(0)), tuple(errors), count)
