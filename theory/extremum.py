r"""Largest and smallest entry over an index, as sympy expressions: $\max_l\,\text{body}$.

Statements read and compare them. In proofs they are names: say what is used of them by hypotheses.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Tuple, sympify


class MaxOver(Expr):  # type: ignore[misc]
    """The largest value of `body` over a range (index, low, high)."""

    def __new__(cls, body: Any, limits: Any) -> MaxOver:
        return Expr.__new__(cls, sympify(body), Tuple(*limits))  # type: ignore[no-any-return]

    @property
    def free_symbols(self) -> set[Any]:
        """Return the symbols that the value depends on."""
        body, limits = self.args
        return set((body.free_symbols - {limits[0]}).union(*(end.free_symbols for end in limits[1:])))


class MinOver(MaxOver):
    """The smallest value of `body` over a range (index, low, high)."""
