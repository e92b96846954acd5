r"""$\frac{e^y+e^{-y}}2\le e^{y^2/2}$ for all y: the exponential moment of a fair sign (Hoeffding's lemma).

With $c_i$ the left side at $is$, $c_{i+1}\le c_i\,(c_1+is\sinh s)$, since $\sinh is\le is\,c_i$; so
$\ln c_n\le n(c_1-1)+\frac{n(n-1)}2s\sinh s$, which at $s=y/n$ is above $y^2/2$ by a constant over n at most.
"""

from typing import Any

from sympy import Integer, Rational, Symbol, exp, log, oo

from theory.facts.archimedes import archimedes
from theory.facts.logarithms.hyperbolic_tangent import tangent_below, x
from theory.formula import le

t, s, i, k = (Symbol(f"sign_{name}", real=True) for name in "tsik")
_HALF = Rational(1, 2)


def cosine(at: Any) -> Any:
    """Return the hyperbolic cosine."""
    return (exp(at) + exp(-at)) / 2


def sine(at: Any) -> Any:
    """Return the hyperbolic sine."""
    return (exp(at) - exp(-at)) / 2


def fair_sign(K: Any, y: Any) -> Any:
    """Return it at a term."""
    positive = _of_positive(K)
    return K.cases(y, K.instantiate(positive, {t: -y}), K.instantiate(positive, {t: y}))


def _of_positive(K: Any) -> Any:
    """Return it for the name `t`, under 0 <= t."""
    positive = K.assume(le(0, t))
    K.know(positive)
    K.index((k, 0, oo))
    n, most = k + 1, exp(t)
    part = t / n
    base, back = exp(part), exp(-part)
    unit = K.axiom("exp-sum", part, -part)
    one = K.cert(le(1, base), (1, K.axiom("exp-above", part)), (1 / n, positive))
    K.know(K.cert(le(0, part * base + base - 1), (1, one), (part, K.sign(le(0, base)))))
    below_most = K.exp(K.cert(le(part, t), (k / n, positive)))
    rise = K.cert(le(base - 1, part * base), (base, K.axiom("exp-above", -part)), (-1, unit))
    excess = K.cert(
        le(cosine(part) - 1, part**2 * most / 2),
        (back * (part * base + base - 1) / 2, rise),
        (part**2 / 2, below_most),
        ((base - 2 - part**2 * base) / 2, unit),
    )
    tall = K.cert(le(sine(part), part * (1 + part**2 * most / 2)), (1, _sine_below(K, part)), (part, excess))
    slope = log(cosine(t)) - t**2 / 2
    bound = t**2 * most / 2 + t**4 * most / 4
    multiple = K.cert(
        le(n * slope, bound),
        (n, K.instantiate(K.at(_logarithms(K), n), {s: part})),
        (n**2, excess),
        (k * t * n / 2, tall),
        (t**2 / 2 + t**4 * most * (n**2 - k) / (4 * n**2), Integer(1)),
    )
    every_one = K.every(K.cert(le(k * slope, bound - slope), (1, multiple)), (k, 0, oo))
    logarithm = K.cert(le(log(cosine(t)), t**2 / 2), (1, archimedes(K, slope, bound - slope, every_one)))
    return K.cert(le(cosine(t), exp(t**2 / 2)), (1, K.exp(logarithm)), (-1, K.axiom("exp-log", cosine(t))))


def _sine_below(K: Any, at: Any) -> Any:
    """Return that the hyperbolic sine is at most its argument times the cosine; at >= 0 must be known."""
    tangent = K.instantiate(tangent_below(K), {x: 2 * at})
    return K.cert(
        le(sine(at), at * cosine(at)),
        ((exp(2 * at) + 1) * exp(-at) / 4, tangent),
        ((1 - at) / 2, K.axiom("exp-sum", 2 * at, -at)),
    )


def _logarithms(K: Any) -> Any:
    r"""Return $\ln c_i\le i(c_1-1)+\frac{i(i-1)}2s\sinh s$ for every i, under 0 <= s."""
    K.index((i, 0, oo))
    positive = K.assume(le(0, s))
    now, after = i * s, (i + 1) * s
    K.know(positive)
    ratio = cosine(s) + now * sine(s)

    def bound(at: Any) -> Any:
        return le(log(cosine(at * s)), at * (cosine(s) - 1) + at * (at - 1) / 2 * s * sine(s))

    K.know(K.exp(K.cert(le(-s, s), (2, positive))))
    unit = [K.axiom("exp-sum", now, s), K.axiom("exp-sum", -now, -s)]
    grows = K.cert(
        le(cosine(after), ratio * cosine(now)),
        (sine(s), _sine_below(K, now)),
        (_HALF, unit[0]),
        (_HALF, unit[1]),
    )
    step = K.cert(
        bound(i + 1),
        (1, K.log(grows)),
        (1, K.axiom("log-product", ratio, cosine(now))),
        (1, K.axiom("log-below", ratio)),
        (1, K.assume(bound(i))),
    )
    return K.induction(i, K.cert(bound(Integer(0))), step)
