r"""Expectations over uncorrelated random variables, as sympy expressions.

`E(body, b, (j, 0, d - 1), mean=m, variance=v)` is $\mathbb E[\text{body}]$ where the $b_j$ are random with
$\mathbb Eb_j=m_j$ and $\mathbb Eb_jb_l=m_jm_l+[j=l]v_j$: all that a polynomial of degree 2 can see of them.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, IndexedBase, Tuple, sympify


class Expectation(Expr):  # type: ignore[misc]
    """Arguments: body, family, ranges ((index, low, high), ...), mean and variance of its entry at the
    indices.
    """

    def __new__(cls, body: Any, family: Any, ranges: Any, mean: Any, variance: Any) -> Expectation:
        return Expr.__new__(cls, *map(sympify, (body, family, ranges, mean, variance)))  # type: ignore[no-any-return]

    @property
    def free_symbols(self) -> set[Any]:
        """Return the symbols that the value depends on: neither the random family nor its indices."""
        body, family, ranges, mean, variance = self.args
        indices = {item[0] for item in ranges}
        outer = (mean.free_symbols | variance.free_symbols) - indices
        bounds = {symbol for item in ranges for limit in item[1:] for symbol in limit.free_symbols}
        random = {item for item in body.free_symbols if getattr(item, "base", item) == family}
        found: set[Any] = outer | bounds | (body.free_symbols - random - {family, family.label})
        return found


def E(body: Any, family: IndexedBase, *ranges: tuple[Any, Any, Any], mean: Any, variance: Any) -> Expectation:
    """Return the expectation of `body` over a family that is uncorrelated and has these moments.

    Args:
        body: Polynomial of degree at most 2 in the entries of the family.
        family: The random family.
        ranges: (index, low, high) of each of its indices.
        mean: Mean of the entry at these indices.
        variance: Its variance, at least 0.
    """
    return Expectation(body, family, Tuple(*(Tuple(*item) for item in ranges)), mean, variance)


def bernoulli(body: Any, family: IndexedBase, *ranges: tuple[Any, Any, Any], p: Any) -> Expectation:
    """Return the expectation over independent Bernoulli variables with these probabilities."""
    probability = sympify(p)
    return E(body, family, *ranges, mean=probability, variance=probability * (1 - probability))
