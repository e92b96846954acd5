r"""Moments of the error of subtractive dithering, as integrals over the dither.

All is in units of the step: $Q(x+u)$ is 0 for $u<\frac12-x$ and 1 beyond, for an input $0\le x<1$.
"""

from sympy import Expr, Poly, Rational, Symbol

from theory.old_form import Variable
from theory.old_steps import StandardFact

x = Symbol("x", real=True)
N = Symbol("N", integer=True, positive=True)
p = Symbol("p", nonnegative=True)

HALF = Rational(1, 2)
FRACTION = Symbol("x", nonnegative=True)
"""An input in [0, 1), for derivations."""

INPUT = Variable(x, r"\mathbb R", "input in units of the step")
POINTS = Variable(N, r"\mathbb N", "number of points of the dither")
PHASE = Variable(p, r"[0,1)", "fractional part of the input in units of the step")

TRANSLATION = StandardFact(
    "translation",
    r"$Q(x+m)=Q(x)+m$ for all integers $m$, so the error has the period 1 in $x$.",
    "R. Graham, D. Knuth, O. Patashnik, Concrete Mathematics, 2nd ed., equation 3.6",
)

_u = Symbol("u", real=True)


def definite(integrand: Expr, variable: Symbol, low: Expr, high: Expr) -> Expr:
    """Return the integral of a polynomial in `variable` from `low` to `high`."""
    antiderivative = Poly(integrand, variable).integrate(variable)
    return antiderivative.eval(high) - antiderivative.eval(low)


def error_moment(order: int, point: Expr = FRACTION) -> Expr:
    """Return the moment of this order of $Q(x+u)-u-x$ for an input in [0, 1), u uniform of width 1."""
    edge = HALF - point
    return definite((-_u - point) ** order, _u, -HALF, edge) + definite(
        (1 - _u - point) ** order, _u, edge, HALF
    )
