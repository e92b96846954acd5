r"""What the rates share: $P$ workers send unbiased messages, whose errors are uncorrelated.

A coordinate of the average is $y_j+\frac1P\sum_pe_{pj}$ with the gradient $y=\nabla f(x_t)$ of the average
function and errors of mean 0 and variances $v_{pj}$.
"""

from typing import Any

from sympy import IndexedBase, Sum, symbols

from theory.claim import Hypothesis, Variable
from theory.expectation import E
from theory.formula import eq
from theory.hypotheses import definition, domain, model

d, P, j, p, eta = symbols("d P j p eta", real=True)
y, z, v, e, S = symbols("y z v e S", cls=IndexedBase, real=True)
COORDINATES, WORKERS = (j, 0, d - 1), (p, 0, P - 1)
_ERROR = Sum(e[p], WORKERS) / P


def mean(body: Any) -> Sum:
    """Return a sum over coordinates of the expectation of what one coordinate of the errors gives."""
    return Sum(E(body, e, WORKERS, mean=0, variance=v[p, j]), COORDINATES)


ERROR = mean(_ERROR**2)
"""Variance of the average."""
SECOND = mean((y[j] + _ERROR) ** 2)
"""Second moment of the average."""
MOVED = mean((z[j] - eta * (y[j] + _ERROR)) ** 2)
"""Squared distance after a step from z."""
INNER = mean(y[j] * (y[j] + _ERROR))
"""Inner product of gradient and average."""
GRADIENT = Sum(y[j] ** 2, COORDINATES)
PRODUCT = Sum(y[j] * z[j], COORDINATES)
NOISE = Sum(Sum(v[p, j], COORDINATES), WORKERS)

SIZES = domain(r"$d\ge1$ and $P\ge1$ are integers")
VARIANCES = domain(r"$v_{pj}\ge0$")
VARIABLES = (
    Variable(v, "v", r"\mathbb R_{\ge0}^{P\times d}", "variances of the messages", "(P, d)"),
    Variable(S, r"\sigma_{#1}^2", r"\mathbb R_{\ge0}^P", "variances of the gradients of the workers", "(P,)"),
    Variable(y, "y", r"\mathbb R^d", r"coordinates of $\nabla f(x_t)$", "(d,)"),
)
PLACE = Variable(z, "z", r"\mathbb R^d", "coordinates of $x_t-x^*$", "(d,)")
NOISES = model(r"$\sigma_p^2\le\sigma^2$")


def average(second: Any) -> dict[str, Hypothesis]:
    """Return the hypotheses on the average, its second moment and the squared gradient."""
    return {
        "gradient": definition(r"$\|\nabla f(x_t)\|^2=\sum_jy_j^2$"),
        "second": definition(
            r"$\mathbb E\|\hat g\|^2=\sum_j\mathbb E\bigl((y_j+\frac1P\sum_pe_p)^2\bigr)$, over "
            r"uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and variance $v_{pj}$"
        ),
        "noise": NOISES,
    }


def error(K: Any) -> Any:
    """Return that the variance of the average is the sum of all variances over P^2."""
    return K.cert(eq(ERROR, NOISE / P**2))


def second_moment(K: Any) -> Any:
    """Return the second moment of the average."""
    return K.cert(eq(SECOND, GRADIENT + NOISE / P**2))


def after_step(K: Any) -> Any:
    """Return the squared distance after a step."""
    before = Sum(z[j] ** 2, COORDINATES)
    return K.cert(eq(MOVED, before - 2 * eta * PRODUCT + eta**2 * (GRADIENT + NOISE / P**2)))


def inner(K: Any) -> Any:
    """Return the inner product of the gradient and the average."""
    return K.cert(eq(INNER, GRADIENT))
