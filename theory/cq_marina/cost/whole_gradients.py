r"""Where no probability of a whole gradient promises less than whole gradients only."""

from typing import Any

from sympy import Rational, sqrt

from theory.formula import le


def promised(p: Any, c: Any, A: Any) -> Any:
    """Return the cost that the rate promises, in units of whole gradients."""
    return (p + (1 - p) * c) * (1 + sqrt((1 - p) / p * A))


def whole_gradients(K: Any, p: Any, c: Any, A: Any, noisy: Any) -> Any:
    r"""Return that this is at least 1, from the theorem $A\ge\frac{(1-c)^2}{4c}$, where A is positive."""
    odds = (1 - p) / p
    v, a, s = sqrt(odds), sqrt(A), sqrt(c)
    return K.cert(
        le(1, promised(p, c, A)),
        (p * v * a, (1 - s * v) ** 2),
        (4 * c * p * v**2 / (2 * a * s + 1 - c), noisy),
        (-(p + (1 - p) * c), K.axiom("root-product", odds, A, Rational(1, 2))),
    )
