r"""The average of messages of several nodes: symbols, hypotheses and its second moment.

The gradient of node $i$ has the entries $a_{ij}$; its message is off by $e_i$ in coordinate $j$, with mean 0
and variance $v_{ij}$, and the errors of different nodes are uncorrelated.
"""

from typing import Any

from sympy import IndexedBase, Sum, symbols

from theory.expectation import E as expectation
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter

n, d, q, G, M, i, j = symbols("n d q G M i j", real=True)
E, omega, y, a, v, e = symbols("E omega y a v e", cls=IndexedBase, real=True)
NODES, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)


def nodes(body: Any) -> Sum:
    """Return a sum over the nodes."""
    return Sum(body, NODES)


def coordinates(body: Any) -> Sum:
    """Return a sum over the coordinates."""
    return Sum(body, COORDINATES)


def mean(body: Any) -> Any:
    """Return the expectation over the errors in one coordinate."""
    return expectation(body, e, NODES, mean=0, variance=v[i, j])


SENT = y[j] + nodes(e[i]) / n
"""One coordinate of the average of the messages."""

SECOND = G + nodes((1 / omega[i] - 1) * E[i]) / n**2
ENERGY = nodes(E[i]) / n

HYPOTHESES = {
    "sizes": domain(r"$n,d\ge1$ are integers"),
    "shares": domain(r"$\omega_i>0$"),
    "variances": domain(r"$v_{ij}\ge0$"),
    "gradient": definition(r"$\nabla_jF(x)=\frac1n\sum_ig_{ij}$, $\|\nabla F(x)\|^2=\sum_j(\nabla_jF(x))^2$"),
    "norms": definition(r"$\|g_i\|^2=\sum_jg_{ij}^2$"),
    "messages": model(
        r"$\sum_jv_{ij}=(\frac1{\omega_i}-1)\|g_i\|^2$, since messages have the shares $\omega_i$"
    ),
    "average": definition(
        r"$\mathbb E\|\hat g\|^2=\sum_j\mathbb E\bigl((\nabla_jF(x)+\frac1n\sum_ie_i)^2\bigr)$, "
        r"over uncorrelated $e_i$, $1\le i\le n$, with mean $0$ and variance $v_{ij}$"
    ),
    "noise": parameter(r"$q\ge\frac1{\omega_i}-1$ for each $i$"),
}


def second_moment(kernel: Any) -> Any:
    """Return the second moment of the average."""
    each = kernel.identity(mean(SENT**2), y[j] ** 2 + nodes(v[i, j]) / n**2)
    return kernel.cert(
        eq(M, SECOND),
        (1, kernel.given("average")),
        (1, kernel.sum_over(each, COORDINATES)),
        (-1, kernel.given("gradient", 1)),
        (1 / n**2, kernel.sum_over(kernel.at(kernel.given("messages"), i), NODES)),
    )


def second_moment_bound(kernel: Any) -> Any:
    r"""Return $\mathbb E\|\hat g\|^2\le\|\nabla F\|^2+\frac qn\cdot\frac1n\sum_i\|g_i\|^2$."""
    norms = kernel.at(kernel.given("norms"), i)
    energy = kernel.cert(le(0, E[i]), (-1, norms), (1, coordinates(a[i, j] ** 2)))
    kernel.know(kernel.every(energy, NODES))
    each = kernel.cert(le((1 / omega[i] - 1) * E[i], q * E[i]), (E[i], kernel.at(kernel.given("noise"), i)))
    rest = kernel.sum_over(each, NODES)
    return kernel.cert(le(M, G + q / n * ENERGY), (1, second_moment(kernel)), (1 / n**2, rest))


def gradient_nonnegative(kernel: Any) -> Any:
    r"""Return $0\le\|\nabla F\|^2$."""
    return kernel.cert(le(0, G), (-1, kernel.given("gradient", 1)), (1, coordinates(y[j] ** 2)))
