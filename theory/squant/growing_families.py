r"""The families of matrices with which the gains grow, in symbols (arXiv 2106.03524; `squant/gain-block`).

Each node that counts has the entry 1 on one of $n$ equal blocks and the entry $w$ on the others, and so have
the entries of all nodes on one such block: V with $w=1/n$, H with $w=n^{-2}$, homogeneous nodes with $w=1$.
"""

from dataclasses import dataclass

from sympy import Expr, Integer, expand, sqrt

from theory.squant.symbols import n


@dataclass(frozen=True)
class GrowingFamily:
    r"""A family at the budget $\beta=d/n$, with $L_{\max}=1$.

    Args:
        rest: The entry $w$ beside the heavy block.
        mu: Strong convexity constant.
    """

    rest: Expr
    mu: Expr

    @property
    def L(self) -> Expr:
        """Largest eigenvalue of the mean matrix: that of one block, on which one node has the entry 1."""
        return (1 + (n - 1) * self.rest) / n

    @property
    def rho(self) -> Expr:
        r"""Dominance of one node, $L_{\max}/(nL)$."""
        return 1 / (n * self.L)

    @property
    def nu_B(self) -> Expr:
        r"""Heavy blocks of a node, $c_{\rm block}/(d/n)$."""
        return 1 + (n - 1) * self.rest

    @property
    def plus(self) -> Expr:
        r"""Constant of the aware single step, $c_{\rm plus}/\beta$."""
        return sqrt(expand(n * (1 + (n - 1) * self.rest**2)))


V = GrowingFamily(1 / n, 1 / n)
H = GrowingFamily(1 / n**2, (1 + (n - 1) / n**2) / n)
HOMOGENEOUS = GrowingFamily(Integer(1), Integer(1))
