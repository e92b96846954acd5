"""Symbols and assumptions that the claims on nested quantization share.

The innovation is in units of the fine step where it is called z, and in absolute units where its variance
stands beside D.
"""

from sympy import Expr, Rational, Symbol, floor, integrate

from theory.old_form import Variable

z = Symbol("z", real=True)
e = Symbol("e", real=True)
m = Symbol("m", integer=True, positive=True)
sigma = Symbol("sigma", positive=True)
sigma_n_sq = Symbol("sigma_n_sq", nonnegative=True)
sigma_z_sq = Symbol("sigma_z_sq", positive=True)
# The square of the gain, where only the square enters.
a = Symbol("a", nonnegative=True)

INNOVATION = Variable(z, r"\mathbb R", r"innovation $z=(g-y)/\delta$ in fine steps")
FINE_ERROR = Variable(
    e, r"[-\frac12,\frac12]", "error of the fine quantizer in steps, $e=i-\\alpha g/\\delta-u$"
)
DEVIATION = Variable(sigma, r"\mathbb R_{>0}", "standard deviation of the innovation in fine steps")
FIRST_GROUP = Variable(m, r"\mathbb N", "number of messages of which the side information is the mean")
WORKER_NOISE = Variable(
    sigma_n_sq, r"\mathbb R_{\ge0}", r"$\sigma_n^2$: variance of a worker's own noise in one coordinate"
)
INNOVATION_VARIANCE = Variable(
    sigma_z_sq, r"\mathbb R_{>0}", r"$\sigma_z^2=\mathbb E(g-y)^2$ in one coordinate, absolute units"
)
GAIN_SQUARED = Variable(a, r"[0,1]", r"$a=\alpha^2$, the square of the gain")

NESTED = (
    r"The sender sends $s\in i+k\mathbb Z$ for $i=Q(\alpha g/\delta+u)$; the receiver knows $u$ and side "
    r"information $y$ and decodes $\hat g=y+\alpha\delta\,(r\bmod^*k)$, $r=s-u-\alpha y/\delta$."
)
UNIFORM_ERROR = (
    r"$e=i-\alpha g/\delta-u$ is uniform on $\pm\frac12$ and independent of $g$ and $y$, by "
    r"`ndqsg/dq-uniform-error`."
)
NO_OVERLOAD = r"No overload: $|\alpha z|<\frac{k-1}2$ surely."
MODEL = (
    r"$g_p=\nabla f+n_p$ with independent centred $n_p$ of variance $\sigma_n^2$ in each coordinate, "
    "independent of all dithers."
)
HALF = Rational(1, 2)


def mean_over_error(function: Expr, low: Expr = -HALF, high: Expr = HALF) -> Expr:
    """Return the integral of a polynomial in e over a part of the interval of the fine error."""
    return integrate(function.expand(), (e, low, high))


def with_integers_outside(formula: Expr) -> Expr:
    """Return the formula with the integer terms of the arguments of floor taken out of it."""
    return formula.replace(floor, _floor)


def _floor(inner: Expr) -> Expr:
    number, rest = inner.expand().as_coeff_Add()
    # sympy takes out integers and symbols of integers, but no integer part of a fraction.
    return floor(number) + floor(rest + number - floor(number))
