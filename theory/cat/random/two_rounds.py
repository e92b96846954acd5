r"""Two rounds on $\frac12x_1^2+\frac{19}{40}x_2^2$ from $(1,\frac{20}{19})$, one entry kept in expectation.

$L$ is 1; entry $j$ is kept with probability $|g_j|/\|g\|_1$, so that the share is $\|g\|^2/\|g\|_1^2$.
"""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Symbol

from theory.expectation import bernoulli
from theory.formula import lt

MU = Rational(19, 20)
START = (Integer(1), Rational(20, 19))
FIRST_GAP = (START[0] ** 2 + MU * START[1] ** 2) / 2
_WEIGHTS = (Integer(1), MU)
_b, _k = IndexedBase("b", real=True), Symbol("k", real=True)


def _round(x: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the share at a point of the first quadrant, and the expected gap after a round from there."""
    g = [weight * item for weight, item in zip(_WEIGHTS, x, strict=True)]
    total = sum(g)
    share = sum(item**2 for item in g) / total**2
    gap = sum(
        weight / 2 * bernoulli((item - share * total * _b[0]) ** 2, _b, (_k, 0, 0), p=slope / total)
        for weight, item, slope in zip(_WEIGHTS, x, g, strict=True)
    )
    return share, gap


def two_rounds() -> tuple[Any, Any]:
    """Return the expected gap after two rounds and the expected product of the factors.

    In the first round both entries of the gradient are 1 and kept with probability 1/2, each by itself.
    """
    share, _ = _round(START)
    points = [(START[0] - first, START[1] - second) for first in (0, 1) for second in (0, 1)]
    later = [_round(point) for point in points]
    product = sum((1 - share * MU) * (1 - other * MU) for other, _ in later) / 4
    return sum(gap for _, gap in later) / 4, product


def random_product(kernel: Any, first: Any, factors: Any, second: Any) -> Any:
    """Return that the first gap times the expected product is below the expected gap after two rounds."""
    gaps = [kernel.given("two", place) for place in range(3)]
    return kernel.cert(lt(first * factors, second), (-1, gaps[1]), (FIRST_GAP, gaps[2]), (factors, gaps[0]))
