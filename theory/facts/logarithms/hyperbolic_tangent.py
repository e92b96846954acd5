r"""$2\,\frac{e^x-1}{e^x+1}\le x$ for $x\ge0$: the hyperbolic tangent of $x/2$ is at most $x/2$.

With $u=e^{x/n}$ the left side is at most n times the one at $x/n$, which is above $x/n$ by at most
$(u-1)^2/2$, and $n(u-1)\le e^x-1$: so it is above x by at most $(e^x-1)^2/(2n)$, for every n.
"""

from typing import Any

from sympy import Integer, Rational, Symbol, exp, oo

from theory.facts.archimedes import archimedes
from theory.formula import eq, le

x, u, s, i, k = (Symbol(f"tanh_{name}", real=True) for name in "xusik")
_HALF = Rational(1, 2)


def twice_tangent(power: Any) -> Any:
    """Return twice the hyperbolic tangent of half the logarithm of this."""
    return 2 * (power - 1) / (power + 1)


def tangent_below(K: Any) -> Any:
    """Return it for the name `x` of this file, under 0 <= x."""
    positive = K.assume(le(0, x))
    K.index((k, 0, oo))
    step = x / (k + 1)
    first = K.cert(le(1, exp(step)), (1, K.axiom("exp-above", step)), (1 / (k + 1), positive))
    known = K.instantiate(_at_parts(K, positive), {u: exp(step)})
    slope = twice_tangent(exp(x)) - x
    bound = (exp(x) - 1) ** 2 / 2 - slope
    multiple = K.cert(le(k * slope, bound), (1, K.discharge(known, first)))
    return K.cert(
        le(twice_tangent(exp(x)), x), (1, archimedes(K, slope, bound, K.every(multiple, (k, 0, oo))))
    )


def _at_parts(K: Any, positive: Any) -> Any:
    """Return how far it is above x at most where u is the exponential function of x/(k + 1)."""
    n, whole, base = k + 1, exp(x), K.assume(eq(u, exp(x / (k + 1))))
    growth, shares, powers = _powers(K)
    one = K.assume(le(1, u))
    K.know(one)
    together = K.cert(eq(u**n, whole), (-1, K.instantiate(K.at(powers, n), {s: x / n})))
    grown = K.rewrite(K.cert(le(n * (u - 1), u**n - 1), (1, K.at(growth, n))), together)
    share = le(twice_tangent(u**n), n * twice_tangent(u))
    shared = K.rewrite(K.cert(share, (1, K.at(shares, n))), together)
    below = K.cert(
        le(1 - 1 / u, x / n),
        (1, K.axiom("exp-above", -x / n)),
        (-1 / u, K.axiom("exp-sum", -x / n, x / n)),
        (exp(-x / n) / u, base),
    )
    sides = (whole - 1) / 2 + n * (u - 1) / 2
    K.know(
        K.cert(le(0, sides), (_HALF, K.axiom("exp-above", x)), (_HALF, positive), (n / 2, one)),
    )
    return K.cert(
        le(n * (twice_tangent(whole) - x), (whole - 1) ** 2 / 2),
        (n, shared),
        (n**2, below),
        (sides, grown),
        (n**2 * (u - 1) ** 3 * (u + 2) / (2 * u * (u + 1)), Integer(1)),
    )


def _powers(K: Any) -> tuple[Any, Any, Any]:
    r"""Return Bernoulli's inequality, that tangents add up, and powers of $u=e^s$, for $i\ge0$, $u\ge1$."""
    K.index((i, 0, oo))
    one, v = K.assume(le(1, u)), u**i
    K.know(one)

    def grows(at: Any) -> Any:
        return le(at * (u - 1), u**at - 1)

    def shares(at: Any) -> Any:
        return le(twice_tangent(u**at), at * twice_tangent(u))

    def power(at: Any) -> Any:
        return eq(exp(at * s), u**at)

    more = K.cert(grows(i + 1), (u, K.assume(grows(i))), (i * (u - 1), one))
    growth = K.induction(i, K.cert(grows(Integer(0))), more)
    above = K.cert(le(1, v), (1, K.at(growth, i)), (i, one))
    K.know(above, K.cert(le(1, u * v), (u, above), (1, one)))
    apart = 2 * (v - 1) * (u * v - 1) / ((u + 1) * (v + 1) * (u * v + 1))
    added = K.cert(le(twice_tangent(u * v), twice_tangent(u) + twice_tangent(v)), (apart, one))
    next_share = K.cert(shares(i + 1), (1, added), (1, K.assume(shares(i))))
    base = K.assume(eq(u, exp(s)))
    next_power = K.cert(
        power(i + 1), (1, K.axiom("exp-sum", i * s, s)), (exp(s), K.assume(power(i))), (-v, base)
    )
    return (
        growth,
        K.induction(i, K.cert(shares(Integer(0))), next_share),
        K.induction(i, K.cert(power(Integer(0))), next_power),
    )
