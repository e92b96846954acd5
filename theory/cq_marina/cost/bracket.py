r"""Rational bounds of minima over p of $k(p+(1-p)c)(1+s\sqrt{\frac{1-p}p})$, by a rational point near by."""

from dataclasses import dataclass
from typing import Any

from sympy import Rational, sqrt

from theory.cq_marina.cost.psi import HALF, at, p
from theory.formula import le

_ROOM = Rational(1, 10**6)


@dataclass(frozen=True)
class Bracket:
    """Bounds of a multiple of psi.

    Args:
        root: s, the root of the noise.
        length: c.
        multiple: k.
        point: A rational next to the minimiser in the root t of the odds.
        lower: Lower bound.
        upper: Upper bound.
    """

    root: Rational
    length: Rational
    multiple: Rational
    point: Rational
    lower: Rational
    upper: Rational

    def at_least(self, K: Any, stated: Any) -> Any:
        r"""Return that the stated cost is at least the lower bound, by $(t-\tau)^2(t+\rho)\ge0$."""
        s, c, k, tau, t = self.root, self.length, self.multiple, self.point, sqrt((1 - p) / p)
        rho = (tau**2 - 1 / c) / (2 * tau)
        quadratic = c - self.lower / k - c * s * (rho - 2 * tau)
        constant = 1 - self.lower / k - c * s * tau**2 * rho
        return K.cert(
            le(self.lower, stated),
            (k * c * s * (t + rho) * p, (t - tau) ** 2),
            (k * (1 - p) * quadratic + k * p * constant, K.sign(le(0, 1))),
        )

    def at(self, K: Any, value: Any, probability: Any) -> Any:
        """Return the hypothesis `lower`, that `value` is at most the cost, at a probability in (0, 1]."""
        odds = (1 - probability) / probability
        share, root = probability + (1 - probability) * self.length, sqrt(odds)
        return K.cert(
            le(value, self.multiple * share * (1 + self.root * root)),
            (probability, K.at(K.given("lower"), lambda _: root)),
            (self.multiple * share * self.root, K.axiom("abs-of-nonnegative", root)),
        )

    def at_most(self, K: Any, value: Any) -> Any:
        """Return that such a value is at most the upper bound, by the point."""
        near = K.at(K.given("lower"), lambda _: self.point)
        factor = self.multiple * (1 + self.length * self.point**2) * self.root
        equation = K.axiom("abs-of-nonnegative", self.point)
        share = 1 / (1 + self.point**2)
        return K.cert(le(value, self.upper), (share, near), (share * factor, equation))


@dataclass(frozen=True)
class Between:
    """Rational bounds of a number, with the theorems that say so.

    Args:
        low: Lower bound.
        high: Upper bound.
        above: That the number is at least the lower one.
        below: That it is at most the upper one.
    """

    low: Rational
    high: Rational
    above: Any
    below: Any


def of_minimum(K: Any, tau: Any, symbols: Any, known: Any, root: Between, length: Between) -> tuple[Any, Any]:
    """Return a lower and an upper bound of a minimum, from the root of the noise and the length.

    Args:
        K: The kernel.
        tau: A rational next to the root of the odds at which the cost is least.
        symbols: (value, best, noise, length): the minimum, where it is attained, and of which cost.
        known: Name of the hypothesis that says so, and the equation of the value at the best probability.
        root: Bounds of the root of the noise.
        length: Bounds of the length.
    """
    value, best, noise, c = symbols
    below, attained = known
    share = 1 / (1 + tau**2)
    most = (share + (1 - share) * length.high) * (1 + tau * root.high)
    upper = K.cert(
        le(value, most),
        (1, at(K, below, value, noise, c, share)),
        ((share + (1 - share) * c) * tau, root.below),
        ((1 - share) * (1 + tau * root.high), length.below),
    )
    least = (share + (1 - share) * length.low) * (1 + tau * root.low) * (1 - _ROOM)
    stated = (p + (1 - p) * length.low) * (1 + root.low * sqrt((1 - p) / p))
    bracket = Bracket(root.low, length.low, Rational(1), tau, least, most)
    lowest = K.instantiate(bracket.at_least(K, stated), {p: best})
    t = sqrt((1 - best) / best)
    own = best + (1 - best) * c
    lower = K.cert(
        le(least, value),
        (1, lowest),
        (own * t, root.above),
        ((1 - best) * (1 + t * root.low), length.above),
        (-own, K.axiom("root-product", (1 - best) / best, noise, HALF)),
        (-1, attained),
    )
    return lower, upper


def root_of_noise(length: Any, tau: Any) -> Any:
    """Return the root of the noise for which the odds tau^2 are the best."""
    return 2 * (1 - length) * tau / (length * tau**4 - (1 - 3 * length) * tau**2 + 1)


# The minimisers are t = 6.81884..., 6.18015... and 4.94716...
QUARTER = Bracket(
    Rational(1, 2),
    Rational(1, 32),
    Rational(32),
    Rational("6.818846805987"),
    Rational(7287354011, 10**9),
    Rational(7287354012, 10**9),
)
BINARY = Bracket(
    Rational(1),
    Rational(1, 32),
    Rational(32),
    Rational("6.180153105211"),
    Rational(12859162282, 10**9),
    Rational(12859162283, 10**9),
)
TERNARY = Bracket(
    Rational(1, 2),
    Rational(1, 16),
    Rational(16),
    Rational("4.947162806569"),
    Rational(5518916346, 10**9),
    Rational(5518916347, 10**9),
)
# Three levels take between these bits, which is next to log(3) / log(2); the minimiser is t = 5.51717...
BITS_OF_THREE = (Rational("1.5849625"), Rational("1.584962501"))
THREE_LEVELS = Bracket(
    Rational(1, 2),
    BITS_OF_THREE[1] / 32,
    32 / BITS_OF_THREE[1],
    Rational("5.517174169"),
    Rational(6052739, 10**6),
    Rational(6052740, 10**6),
)
