"""The two-point law: a Bernoulli variable per coordinate, and expectations over independent ones."""

import itertools
from collections.abc import Callable, Sequence

from sympy import Expr, Integer, Mul

from theory.old_steps import StandardFact

INDEPENDENCE = StandardFact(
    "independence",
    r"For independent random variables $\mathbb E[XY]=\mathbb E X\,\mathbb EY$, and expectation is linear; "
    r"so $\mathbb E\big(\sum_j e_j\big)^2=\sum_j\mathbb Ee_j^2$ for any number of independent centred $e_j$.",
    "P. Billingsley, Probability and Measure, 3rd ed., section 5",
)


def expectation(function: Callable[..., Expr], *probabilities: Expr) -> Expr:
    """Return the expectation over independent Bernoulli variables, as the sum over all their outcomes.

    Args:
        function: Maps the outcomes, each 0 or 1, to an expression.
        probabilities: Probability of the outcome 1, one for each variable.
    """
    total: Expr = Integer(0)
    for outcome in itertools.product((0, 1), repeat=len(probabilities)):
        weights = [p if bit else 1 - p for bit, p in zip(outcome, probabilities, strict=True)]
        total += Mul(*weights) * function(*outcome)
    return total


def quadratic_form(weights: Sequence[Sequence[Expr]], vector: Sequence[Expr]) -> Expr:
    """Return `vector^T weights vector` for a square array of weights."""
    total: Expr = Integer(0)
    for row, left in zip(weights, vector, strict=True):
        for weight, right in zip(row, vector, strict=True):
            total += weight * left * right
    return total
