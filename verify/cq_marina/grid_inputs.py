"""Inputs of the specification: joint inputs (n, d) in rationals, made by a modular formula."""

from fractions import Fraction

Rows = tuple[tuple[Fraction, ...], ...]


def grid(n: int, d: int, u: int, v: int, w: int, mod: int, sub: int, div: int) -> Rows:
    """Return a_ij = (((u i + v j + w i j) mod `mod`) - sub) / div for i = 1..n, j = 1..d."""
    return tuple(
        tuple(Fraction((u * i + v * j + w * i * j) % mod - sub, div) for j in range(1, d + 1))
        for i in range(1, n + 1)
    )


P1 = grid(3, 4, 1, 3, 2, 7, 3, 2)
P2 = grid(4, 4, 3, 2, 1, 9, 4, 5)
P3 = grid(6, 3, 2, 3, 1, 7, 3, 1)
INPUTS = {"P1": P1, "P2": P2, "P3": P3}
WEIGHTS = tuple(Fraction(item, 10) for item in (1, 2, 3, 4))
REMAINDER = grid(5, 3, 2, 5, 1, 11, 5, 2)
