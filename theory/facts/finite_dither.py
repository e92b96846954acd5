r"""A dither of finitely many points: up to their order the errors are $\frac12-\frac{f+i}N$, $i=0,\dots,N-1$.

The points are $u_j=\frac{2j+1}{2N}-\frac12$, the error of an input $x$ is $e_j=\lfloor
x+u_j+\frac12\rfloor-u_j-x$, and $f=\{Nx+\frac12\}$.
"""

from collections.abc import Callable
from typing import Any

from sympy import Expr, Integer, Poly, Rational, Sum, Symbol, bernoulli, floor

from theory.facts.split_sum import split_sum
from theory.facts.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt

HALF = Rational(1, 2)


def point(j: Any, N: Any) -> Expr:
    """Return the dither number j."""
    return (2 * j + 1) / (2 * N) - HALF


def error(x: Any, j: Any, N: Any) -> Expr:
    """Return the error of the input x at the dither number j."""
    return floor(x + (2 * j + 1) / (2 * N)) - point(j, N) - x


def offset(x: Any, N: Any) -> Expr:
    r"""Return $f=\{Nx+\frac12\}$, all of the input that the errors depend on."""
    return N * x + HALF - floor(N * x + HALF)


def offset_range(K: Any, x: Any, N: Any) -> tuple[Any, Any]:
    r"""Return $0\le f$ and $f<1$."""
    f, y = offset(x, N), N * x + HALF
    return (
        K.cert(le(0, f), (1, K.axiom("floor-below", y))),
        K.cert(lt(f, 1), (1, K.axiom("floor-above", y))),
    )


def sum_of_errors(K: Any, x: Any, N: Any, body: Callable[[Any], Any], over: tuple[Any, Any, Any]) -> Any:
    r"""Return $\sum_jp(e_j)=\sum_{i=0}^{N-1}p(\frac12-\frac{f+i}N)$, summed up, for a polynomial p.

    `over` is (j, 0, N - 1); $N\ge1$ must be known to be an integer.
    """
    j, f = over[0], offset(x, N)
    n = floor(N * x + HALF)
    q = floor(n / N)
    r = n - N * q
    K.know(*offset_range(K, x, N), K.axiom("floor-integer", N * x + HALF), K.axiom("floor-integer", n / N))
    rest = K.cert(le(0, r), (N, K.axiom("floor-below", n / N)))
    below = K.cert(lt(r, N), (N, K.axiom("floor-above", n / N)))
    K.know(rest, below)
    K.know(K.axiom("integer-gap", r, N))
    value, G, k = body(error(x, j, N)), _primitive(body, N), Symbol("finite_k", real=True)
    split = split_sum(K, value, over, N - r)
    summed = [telescoping_sum(K, G(k + r, f), k, N - r), telescoping_sum(K, G(k, f), k, r)]
    low, high = Symbol(f"{j.name}_low", real=True), Symbol(f"{j.name}_high", real=True)
    cells = [
        _in_cell(K, x, N, body, (low, 0, N - r - 1), q, r),
        _in_cell(K, x, N, body, (high, N - r, N - 1), q + 1, r - N),
    ]
    return K.cert(
        eq(Sum(value, over), G(N, f) - G(Integer(0), f)), *((1, t) for t in (split, *summed, *cells))
    )


def _in_cell(K: Any, x: Any, N: Any, body: Any, span: tuple[Any, Any, Any], cell: Any, shift: Any) -> Any:
    """Return the sum over the dithers that lead to one cell; there i = j + shift."""
    (j, low, high), f = span, offset(x, N)
    y, value = x + (2 * j + 1) / (2 * N), body(error(x, j, N))
    inside = (
        K.cert(le(cell, y), (1 / N, K.assume(le(low, j))), (1 / N, f), (1 / N, low + shift)),
        K.cert(
            lt(y, cell + 1),
            (1 / N, K.assume(le(j, high))),
            (1 / N, offset_range(K, x, N)[1]),
            (1 / N, N - high - shift - 1),
        ),
    )
    unique = K.discharge(K.axiom("floor-unique", y, cell), *inside)
    same = K.rewrite(K.identity(value, value), unique, "right")
    return K.sum_over(same, span)


def _primitive(body: Any, N: Any) -> Any:
    i, f = Symbol("finite_i", real=True), Symbol("finite_f", real=True)
    polynomial = Poly(body(HALF - (f + i) / N), i)
    total = sum(c * bernoulli(p + 1, i) / (p + 1) for (p,), c in polynomial.terms())
    return lambda place, fraction: total.subs({i: place, f: fraction}, simultaneous=True)
