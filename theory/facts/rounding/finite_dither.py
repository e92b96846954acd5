r"""A dither of finitely many points: up to their order the errors are $\frac12-\frac{f+i}N$, $i=0,\dots,N-1$.

The points are $u_j=\frac{2j+1}{2N}-\frac12$, the error of an input $x$ is $e_j=\lfloor
x+u_j+\frac12\rfloor-u_j-x$, and $f=\{Nx+\frac12\}$.
"""

from collections.abc import Callable
from typing import Any

from sympy import Expr, Integer, KroneckerDelta, Poly, Rational, Sum, Symbol, bernoulli, floor

from theory.facts.sums.split_sum import split_sum
from theory.facts.sums.telescoping_sum import telescoping_sum
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
    return sum_by_primitive(K, x, N, body, _primitive(body, N), over)


def sum_by_primitive(K: Any, x: Any, N: Any, body: Any, G: Any, over: tuple[Any, Any, Any]) -> Any:
    r"""Return $\sum_jp(e_j)=G(N,f)-G(0,f)$ where p at $\frac12-\frac{f+i}N$ is $G(i+1,f)-G(i,f)$."""
    f, k = offset(x, N), Symbol("finite_k", real=True)
    _, r, terms = _by_cells(K, x, N, body, over)
    summed = [telescoping_sum(K, G(k + r, f), k, N - r), telescoping_sum(K, G(k, f), k, r)]
    goal = eq(Sum(body(error(x, over[0], N)), over), G(N, f) - G(Integer(0), f))
    return K.cert(goal, *((1, item) for item in (*terms, *summed)))


def _by_cells(K: Any, x: Any, N: Any, body: Any, over: tuple[Any, Any, Any]) -> tuple[Any, Any, list[Any]]:
    r"""Return the lower cell q, $r=\lfloor Nx+\frac12\rfloor-Nq$, and the sum as those over both cells.

    The dithers from $N-r$ on lead to the upper cell.
    """
    j, n = over[0], floor(N * x + HALF)
    q = floor(n / N)
    r = n - N * q
    K.know(*offset_range(K, x, N), K.axiom("floor-integer", N * x + HALF), K.axiom("floor-integer", n / N))
    rest = K.cert(le(0, r), (N, K.axiom("floor-below", n / N)))
    below = K.cert(lt(r, N), (N, K.axiom("floor-above", n / N)))
    K.know(rest, below)
    K.know(K.axiom("integer-gap", r, N))
    low, high = Symbol(f"{j.name}_low", real=True), Symbol(f"{j.name}_high", real=True)
    return (
        q,
        r,
        [
            split_sum(K, body(error(x, j, N)), over, N - r),
            _in_cell(K, x, N, body, (low, 0, N - r - 1), q, r),
            _in_cell(K, x, N, body, (high, N - r, N - 1), q + 1, r - N),
        ],
    )


def count_of_errors(K: Any, x: Any, N: Any, scale: Any, place: Any, over: tuple[Any, Any, Any]) -> Any:
    r"""Return that one error times $\delta$, less the mean $\delta\frac{1-2f}{2N}$, is $\delta u_l$.

    The place l must be known to be an integer of the range `over`, and $\delta$ to be positive.
    """
    wanted, value = N - 1 - place, scale * point(place, N)

    def body(e: Any) -> Any:
        return KroneckerDelta(scale * (e - (HALF - offset(x, N)) / N), value)

    q, r, terms = _by_cells(K, x, N, body, over)
    j, total = over[0], Sum(body(error(x, over[0], N)), over)

    def term(cell: Any, at: Any) -> Any:
        return body(cell - point(at, N) - x)

    def none(cell: Any, span: tuple[Any, Any, Any], gap: Any, later: bool) -> Any:
        """Return that no error of a range is there: all are later, or earlier, than the wanted one."""
        sides = term(cell, span[0]).args
        first = next(side for side in sides if side.has(span[0]))
        ends = (first, value) if later else (value, first)
        away = K.cert(lt(*ends), (scale / N, gap))
        return K.sum_over(K.discharge(K.axiom("delta-other", first, value), away), span)

    def one(cell: Any, span: tuple[Any, Any, Any], shift: Any, inside: tuple[Any, Any]) -> list[Any]:
        """Return terms: of the range that has the wanted number one error is there."""
        k, low, high = span
        spot = wanted - shift
        split = K.discharge(K.split_off(Sum(term(cell, k), span), spot), *inside)
        before = K.cert(lt(k + shift, wanted), (1, K.assume(le(k, spot - 1))))
        after = K.cert(lt(wanted, k + shift), (1, K.assume(le(spot + 1, k))))
        return [
            split,
            K.axiom("delta-same", value),
            none(cell, (k, low, spot - 1), before, False),
            none(cell, (k, spot + 1, high), after, True),
        ]

    low = (Symbol(f"{j.name}_low", real=True), Integer(0), N - r - 1)
    high = (Symbol(f"{j.name}_high", real=True), N - r, N - 1)
    first, second = K.assume(le(r - wanted, 0)), K.axiom("integer-gap", Integer(0), r - wanted)
    in_low = (K.cert(le(0, wanted - r), (1, first)), K.cert(le(wanted - r, N - r - 1), (1, place)))
    in_high = (K.cert(le(N - r, wanted - r + N), (1, wanted)), K.cert(le(wanted - r + N, N - 1), (1, second)))
    gaps = (
        K.cert(lt(high[0] + r - N, wanted), (1, K.assume(le(high[0], N - 1))), (1, first)),
        K.cert(lt(wanted, low[0] + r), (1, K.assume(le(0, low[0]))), (1, second)),
    )
    goal = eq(total, 1)
    below = [*terms, *one(q, low, r, in_low), none(q + 1, high, gaps[0], False)]
    above = [*terms, *one(q + 1, high, r - N, in_high), none(q, low, gaps[1], True)]
    below, above = (K.cert(goal, *((1, item) for item in side)) for side in (below, above))
    return K.cases(r - wanted, below, K.discharge(above, K.cert(le(0, r - wanted - 1), (1, second))))


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
