r"""Quadratics beside $\{u\}(1-\{u\})$; but for the tangent at levels $u$ that are known to be at least 0."""

from typing import Any

from sympy import Integer, Rational, Symbol, floor

from theory.facts.rounding.rounding import rounding_variance
from theory.formula import eq, le, lt


def variance_of_small(K: Any, u: Any, below_one: Any) -> Any:
    r"""Return $\{u\}(1-\{u\})=u(1-u)$ from the theorem $u<1$."""
    zero = K.discharge(K.axiom("floor-unique", u, Integer(0)), below_one)
    return K.cert(eq(rounding_variance(u), u * (1 - u)), (2 * u - 1 - floor(u), zero))


def variance_above_parabola(K: Any, u: Any) -> Any:
    r"""Return $u-u^2\le\{u\}(1-\{u\})$: with $k=\lfloor u\rfloor$ the difference is $k(k-1)+2k(u-k)$."""
    k, goal = floor(u), le(u - u**2, rounding_variance(u))
    beside = (2 * k, K.axiom("floor-below", u))
    low = K.cert(goal, beside, (1, k**2), (1, K.assume(le(k, 0))))
    above = K.axiom("integer-gap", Integer(0), k)
    return K.cases(k, low, K.cert(goal, beside, (1, (k - 1) ** 2), (1, above)))


def variance_below_binomial(K: Any, y: Any, n: Any) -> Any:
    r"""Return $\{ny\}(1-\{ny\})\le ny(1-y)$ for a known integer $n\ge1$ and known $0\le y\le1$.

    With $m=\lfloor ny\rfloor$, $f=\{ny\}$ and $N=n-1$, n times the difference is $(N-m)f^2+m(1-f)^2+m(N-m)$.
    """
    u = n * y
    m, f = floor(u), u - floor(u)
    goal, low = le(rounding_variance(u), u * (1 - y)), K.axiom("floor-below", u)
    K.know(K.axiom("floor-integer", u), K.floor(K.sign(le(0, u))), K.cert(le(0, f), (1, low)))
    inside = K.assume(le(m - n + 1, 0))
    middle = K.cert(goal, ((f**2 + m) / n, inside), (1 / n, m * (1 - f) ** 2))
    end = K.cert(le(f, 0), (1, K.axiom("integer-gap", n - 1, m)), (n, K.sign(le(y, 1))))
    last = K.cert(goal, (1, end), (1, f**2), (1, u * (1 - y)))
    return K.cases(m - n + 1, middle, last)


def variance_below_quadratic(K: Any, u: Any, v: Any, weight: Any, nu: Any, at_v: Any, scale: Any) -> Any:
    r"""Return $L\{u\}(1-\{u\})+\nu(v^2-u^2)\le Lv(1-v)$ times `scale`, from the theorem $L=2(L+\nu)v$.

    The fraction $p=\{u\}$ is at most $u$, and $Lv(1-v)-Lp(1-p)-\nu(v^2-p^2)=(L+\nu)(p-v)^2$.
    """
    p = u - floor(u)
    return K.cert(
        le(scale * (weight * rounding_variance(u) + nu * (v**2 - u**2)), scale * weight * v * (1 - v)),
        (scale * (weight + nu), (p - v) ** 2),
        (scale * nu * floor(u), K.axiom("floor-below", u)),
        (scale * nu * floor(u), u),
        (scale * (p - v), at_v),
    )


def tangent_line(K: Any, point: Any, level: Any) -> Any:
    r"""Return $\{w\}(1-\{w\})\le\frac v2+(\frac1{2v}-1)w^2$ at a point $0<v\le\frac12$, for a level w."""
    v, w = Symbol("tangent_v", real=True), Symbol("tangent_w", real=True)
    K.know(K.assume(lt(0, v)), K.assume(le(v, Rational(1, 2))))
    goal = le(rounding_variance(w), v / 2 + (1 / (2 * v) - 1) * w**2)
    fraction = w - floor(w)
    sides = []
    for sign in (1, -1):
        place = Integer(0 if sign == 1 else -1)
        cell = K.axiom("floor-unique", w, place)
        near = K.cert(goal, (1 / (2 * v), (w - sign * v) ** 2), (-(1 - 2 * w + place + floor(w)), cell))
        beyond = K.assume(le(1, sign * w))
        square = K.cert(le(1, w**2), (1, (sign * w - 1) ** 2), (2, beyond))
        far = K.cert(
            goal,
            (1, (fraction - Rational(1, 2)) ** 2),
            ((1 - 2 * v) / (2 * v), square),
            (1 / (4 * v), (1 - 2 * v) * (2 - v)),
        )
        sides.append((near, far))
    right = K.cases(1 - w, sides[0][1], sides[0][0])
    left = K.cases(w + 1, sides[1][1], sides[1][0])
    return K.instantiate(K.cases(-w, right, left), {v: point, w: level})
