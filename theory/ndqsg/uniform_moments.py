r"""Expectations over errors of the dither, i.i.d. uniform on $(-\frac12,\frac12]$, term by term."""

from collections.abc import Sequence

from sympy import Expr, Integer, Poly, Rational, Symbol

from theory.old_steps import Identity, StandardFact

DITHER_ERROR = StandardFact(
    "dither-error",
    r"With fresh uniform dithers the normalised errors $\varepsilon$ of all workers and iterations are "
    r"i.i.d. uniform on $(-\frac12,\frac12]$, independent of the gradients and scales (claims "
    r"`ndqsg/dq-uniform-error` and `ndqsg/dqsg-conditional-independence`).",
    "L. Schuchman, Dither signals and their effect on quantization noise, IEEE Trans. Commun. Technol. 12 "
    "(1964)",
)


def moment(order: int) -> Expr:
    """Return the moment of this order of a uniform variable on [-1/2, 1/2]."""
    return Integer(0) if order % 2 else Rational(1, (order + 1) * 2**order)


def uniform_mean(polynomial: Expr, errors: Sequence[Symbol]) -> Expr:
    """Return the expectation of a polynomial in independent uniform errors."""
    total: Expr = Integer(0)
    for orders, coefficient in Poly(polynomial, *errors).terms():
        product = coefficient
        for order in orders:
            product *= moment(order)
        total += product
    return total


_e = Symbol("e", real=True)
_half = Rational(1, 2)

MOMENTS = tuple(
    Identity(
        f"moment-{order}",
        rf"$\mathbb E\varepsilon^{order}$ of a uniform variable on $[-\frac12,\frac12]$, by the "
        rf"antiderivative.",
        moment(order),
        (_e ** (order + 1) / (order + 1)).subs(_e, _half)
        - (_e ** (order + 1) / (order + 1)).subs(_e, -_half),
    )
    for order in (1, 2, 3, 4)
)
