r"""$\{t\}(1-\{t\})$ at a difference $t=u-v$ of levels, and its bound $|t|$; the bound of a common cell."""

from typing import Any

from sympy import Abs, Integer, KroneckerDelta, Max, Min, Rational, Symbol, floor

from theory.facts.rounding.rounding import rounding_variance, variance_below_level
from theory.facts.rounding.stratified_shares import within
from theory.formula import eq, le, lt


def variance_of_difference(K: Any, u: Any, v: Any) -> Any:
    r"""Return $\{u-v\}(1-\{u-v\})=p(1-p)+q(1-q)-2\min\{p,q\}+2pq$ with $p=\{u\}$, $q=\{v\}$."""
    p, q = u - floor(u), v - floor(v)
    goal = eq(rounding_variance(u - v), p * (1 - p) + q * (1 - q) - 2 * Min(p, q) + 2 * p * q)
    K.know(*(K.axiom("floor-integer", x) for x in (u, v)))
    low_u, low_v = (K.axiom("floor-below", x) for x in (u, v))
    high_u, high_v = (K.axiom("floor-above", x) for x in (u, v))
    halves = []
    for down, order, least in ((0, le(q, p), (q, p)), (1, lt(p, q), (p, q))):
        cell, above = floor(u) - floor(v) - down, K.assume(order)
        inside = (
            K.cert(le(cell, u - v), *(((1, low_u), (1, high_v)) if down else ((1, above),))),
            K.cert(lt(u - v, cell + 1), *(((1, above),) if down else ((1, high_u), (1, low_v)))),
        )
        unique = K.discharge(K.axiom("floor-unique", u - v, cell), *inside)
        value = rounding_variance(u - v)
        same = K.rewrite(K.identity(value, value), unique, "right")
        halves.append(K.cert(goal, (1, same), (2, K.axiom("min-is-left", *least))))
    return K.cases(q - p, *halves)


def variance_below_size(K: Any, t: Any) -> Any:
    r"""Return $\{t\}(1-\{t\})\le|t|$ for every $t$."""
    goal, fraction = le(rounding_variance(t), Abs(t)), t - floor(t)
    positive = K.cert(
        goal, (1, variance_below_level(K, t, K.assume(le(0, t)))), (-1, K.axiom("abs-of-nonnegative", t))
    )
    below = K.cert(lt(floor(t), 0), (1, K.axiom("floor-below", t)), (1, K.assume(lt(t, 0))))
    K.know(K.axiom("floor-integer", t))
    gap = K.discharge(K.axiom("integer-gap", floor(t), Integer(0)), below)
    negative = K.cert(goal, (1, gap), (1, (1 - fraction) ** 2), (-1, K.axiom("abs-of-nonpositive", t)))
    return K.cases(-t, positive, negative)


def common_cell_below_quarter(K: Any, s: Any, t: Any) -> Any:
    r"""Return that $\min\{\alpha,\beta\}(1-\max\{\alpha,\beta\})$ in a common cell is at most $\frac14$."""
    A, B = floor(s), floor(t)
    alpha, beta, delta = s - A, t - B, KroneckerDelta(A, B)
    least, most, quarter = Min(alpha, beta), Max(alpha, beta), Rational(1, 4)
    zero = K.discharge(
        K.axiom("min-greatest", alpha, beta, Integer(0)),
        *(K.cert(le(0, x - floor(x)), (1, K.axiom("floor-below", x))) for x in (s, t)),
    )
    K.know(zero, *(K.axiom("floor-integer", x) for x in (s, t)))
    product = K.cert(
        le(least * (1 - most), quarter),
        (1, (least - Rational(1, 2)) ** 2),
        (least, K.axiom("max-above-left", alpha, beta)),
        (least, K.axiom("min-below-left", alpha, beta)),
    )
    goal = le(within(s, t), quarter)
    top, bottom = K.axiom("max-is-right", A, B), K.axiom("max-is-right", B, A)
    same = K.cert(eq(B, A), (-1, top), (1, bottom))
    one = K.rewrite(K.identity(delta, delta), same, side="right")
    one = K.cert(eq(delta, 1), (1, one), (1, K.axiom("delta-same", A)))
    together = K.cert(goal, (1, product), (least * (1 - most), one))
    small, large = (Symbol(f"quarter_{name}", real=True) for name in ("small", "large"))
    apart = []
    for first, second in ((A, B), (B, A)):
        K.know(K.assume(lt(small, large)))
        other = K.instantiate(K.axiom("delta-other", small, large), {small: first, large: second})
        apart.append(K.cert(goal, (1, quarter), (least * (1 - most), other)))
    return K.cases(B - A, K.cases(A - B, together, apart[1]), apart[0])


def common_cell_below_square(K: Any, s: Any, t: Any) -> Any:
    r"""Return that the same is at most $\frac14(1-t+s)^2$, under $s\le t$."""
    A, B = floor(s), floor(t)
    low, high, delta = s - A, t - B, KroneckerDelta(A, B)
    least, most, width = Min(low, high), Max(low, high), 1 - t + s
    goal, order = le(within(s, t), width**2 / 4), K.assume(le(s, t))
    K.know(*(K.axiom("floor-integer", x) for x in (s, t)))
    zero = K.discharge(
        K.axiom("min-greatest", low, high, Integer(0)),
        *(K.cert(le(0, x - floor(x)), (1, K.axiom("floor-below", x))) for x in (s, t)),
    )
    K.know(zero)
    top = K.discharge(K.axiom("max-is-right", A, B), K.floor(order))
    same = K.cert(eq(B, A), (-1, top), (1, K.axiom("max-is-right", B, A)))
    one = K.rewrite(K.identity(delta, delta), same, side="right")
    one = K.cert(eq(delta, 1), (1, one), (1, K.axiom("delta-same", A)))
    ends = K.axiom("max-above-right", low, high), K.axiom("min-below-left", low, high)
    gap = K.cert(le(1 - most, width - least), *((1, end) for end in ends), (1, same))
    product = K.cert(le(least * (1 - most), width**2 / 4), (1, (width / 2 - least) ** 2), (least, gap))
    together = K.cert(goal, (1, product), (least * (1 - most), one))
    small, large = (Symbol(f"square_{name}", real=True) for name in ("small", "large"))
    K.know(K.assume(lt(small, large)))
    none = K.instantiate(K.axiom("delta-other", small, large), {small: A, large: B})
    return K.cases(B - A, together, K.cert(goal, (1, width**2 / 4), (least * (1 - most), none)))
