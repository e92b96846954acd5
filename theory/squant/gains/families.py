r"""Families of matrices with heavy blocks: for `squant/gain-block` and `squant/finding-aware-sqrt-gain`.

There are $n$ nodes and $n$ equal blocks. Some nodes have 1 on one block, all other entries are equal.
"""

from dataclasses import dataclass
from typing import Any

from sympy import (
    IndexedBase,
    Integer,
    KroneckerDelta,
    Poly,
    Rational,
    Symbol,
    fraction,
    sqrt,
    symbols,
    together,
)

from theory.claim import Hypothesis, Variable
from theory.formula import Compare, eq
from theory.hypotheses import domain, model

n, d, beta, L, mu, largest, K_std, K_block, i, l = symbols("n d beta L mu L_max K_std K_block i l", real=True)
F = IndexedBase("F", real=True)
NODES, BLOCKS = (i, 0, n - 1), (l, 0, n - 1)
LENGTH = sqrt(d / n)
_SIZE = n**2 + n - 1


def _words(name: str, norm: str, ones: str, inverse: str) -> str:
    """Return what the norms of blocks are, where the ones are there and other entries are such an inverse."""
    inside = rf"\frac1{{{inverse}}}+\Big(1-\frac1{{{inverse}}}\Big){ones}"
    return rf"${norm}=\sqrt{{d/n}}\Big({inside}\Big)$, since this is family {name}"


@dataclass(frozen=True)
class Family:
    """A family: where entries are 1 and what the others are, constants and condition numbers.

    `words` say the norms of blocks of node i, `of_heavy` those of a node with ones in block 1.
    """

    words: str
    of_heavy: str
    said: str
    heavy: Any
    rest: Any
    L: Any
    mu: Any
    K_std: Any
    K_block: Any
    ratio: Any

    @property
    def norm(self) -> Any:
        """Return the norm of block l of node i."""
        return LENGTH * (self.rest + (1 - self.rest) * self.heavy)

    @property
    def constants(self) -> tuple[Compare, ...]:
        """Return its constants as formulas."""
        return eq(largest, 1), eq(L, self.L), eq(mu, self.mu)

    def hypotheses(self, name: str) -> dict[str, Hypothesis]:
        """Return the hypotheses that the matrices are those of the family, and what its constants are."""
        return {name: model(self.words), f"{name}-constants": model(self.said)}

    def of_four(self, size: int) -> tuple[dict[Any, Any], list[list[Any]]]:
        """Return the constants of four nodes with so many coordinates, and the norms of their blocks."""
        at = {n: 4, d: size}
        norms = [[self.norm.subs({**at, i: a, l: b}) for b in range(4)] for a in range(4)]
        known = (*self.constants, eq(K_block, self.K_block))
        return {**at, **{item.left: item.right.subs(at) for item in known}}, norms


FAMILIES = {
    "V": Family(
        _words("V", r"\|D_{i,ll}\|_F", r"\mathbb I(i,1)\mathbb I(l,1)", "n"),
        _words("V", r"\|D_{ll}\|_F", r"\mathbb I(l,1)", "n"),
        r"$L_{\max}=1$, $L=\frac{2n-1}{n^2}$, $\mu=\frac1n$",
        KroneckerDelta(i, 0) * KroneckerDelta(l, 0),
        1 / n,
        (2 * n - 1) / n**2,
        1 / n,
        (2 * n - 1) / n + 2 * n,
        3 * (2 * n - 1) / n,
        (2 * n**2 + 2 * n - 1) / (3 * (2 * n - 1)),
    ),
    "H": Family(
        _words("H", r"\|D_{i,ll}\|_F", r"\mathbb I(i,l)", "n^2"),
        _words("H", r"\|D_{ll}\|_F", r"\mathbb I(l,1)", "n^2"),
        r"$L_{\max}=1$, $L=\frac{1+\frac{n-1}{n^2}}n$, $\mu=\frac{1+\frac{n-1}{n^2}}n$",
        KroneckerDelta(i, l),
        n**-2,
        (1 + (n - 1) / n**2) / n,
        (1 + (n - 1) / n**2) / n,
        1 + 2 * n**3 / _SIZE,
        Integer(3),
        (2 * n**3 + n**2 + n - 1) / (3 * _SIZE),
    ),
    "equal": Family(
        r"$\|D_{i,ll}\|_F=\sqrt{d/n}$, since the matrices are the identity",
        r"$\|D_{ll}\|_F=\sqrt{d/n}$, since the matrix is the identity",
        r"$L_{\max}=1$, $L=1$, $\mu=1$",
        Integer(0),
        *map(Integer, (1, 1, 1, 3, 3, 1)),
    ),
}
SIZES = {str(size): domain(rf"${size}\ge1$ is an integer") for size in (n, d)}
VARIABLES = (
    Variable(n, "n", r"\mathbb N", "number of nodes, and of blocks"),
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
    Variable(largest, r"L_{\max}", r"\mathbb R_{>0}", "largest eigenvalue of a matrix of a node"),
    Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
    Variable(mu, r"\mu", r"\mathbb R_{>0}", "strong convexity of $f$"),
    Variable(K_std, r"K_{\rm std}", r"\mathbb R_{>0}", "condition number of the unaware method"),
    Variable(K_block, r"K_{\rm block}", r"\mathbb R_{>0}", "condition number with blocks"),
)


def steps(value: Any, share: Any = 1, root: int = 1) -> list[tuple[Any, Any]]:
    """Return share times value, a fraction in n (or its root), as terms of a certificate.

    They are the powers of n - 1 (or of the root less one) in the numerator of the value.
    """
    x = Symbol("x", positive=True)
    above, below = fraction(together(value))
    powers = Poly(above.subs(n, (1 + x) ** root), x).terms()
    return [(share * factor / below, (n ** Rational(1, root) - 1) ** k) for (k,), factor in powers]
