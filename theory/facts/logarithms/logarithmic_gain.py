r"""$m(\ln(m+1)-\ln\max(m,1))$ grows in integers $m\ge0$: logarithms are concave."""

from typing import Any

from sympy import Integer, Max, Symbol, log, oo

from theory.formula import eq, le

i, j = (Symbol(f"gain_{name}", real=True) for name in "ij")


def gain(at: Any) -> Any:
    """Return what m ln m gains beyond the logarithm of m! at the next place."""
    return at * (log(at + 1) - log(Max(at, 1)))


def gain_grows(K: Any) -> Any:
    """Return that the gain at j is at most the one at j + i, for every i from 0 and every j from 0."""
    K.index((i, 0, oo), (j, 0, oo))
    first = K.cert(le(gain(Integer(0)), gain(Integer(1))), (1, K.log(K.sign(le(1, 2)))))
    # m + 1 times (m + 2)/(m + 1) and once 1 have the mean (m + 3)/(m + 2).
    one, two, three = i + 1, i + 2, i + 3
    ratio, other = two / one, two / three
    rises = K.cert(
        le(gain(one), gain(two)),
        (one, K.axiom("log-below", ratio * other)),
        (1, K.axiom("log-below", other)),
        (-one, K.axiom("log-product", ratio, other)),
        (-one, _quotient(K, two, one)),
        (-two, _quotient(K, two, three)),
        (-one, _above_one(K, one)),
        (two, _above_one(K, two)),
    )
    grows = K.induction(i, first, rises)
    step = K.cert(
        le(gain(j), gain(j + i + 1)), (1, K.assume(le(gain(j), gain(j + i)))), (1, K.at(grows, j + i))
    )
    return K.every(K.induction(i, K.cert(le(gain(j), gain(j))), step), (j, 0, oo))


def _quotient(K: Any, top: Any, bottom: Any) -> Any:
    """Return the logarithm of a quotient."""
    return K.cert(
        eq(log(top / bottom), log(top) - log(bottom)),
        (1, K.axiom("log-product", top, 1 / bottom)),
        (1, K.axiom("log-power", bottom, -1)),
    )


def _above_one(K: Any, number: Any) -> Any:
    """Return that the logarithm of max(number, 1) is that of a number of at least 1."""
    most = log(Max(1, number))
    return K.rewrite(K.identity(most, most), K.axiom("max-is-right", 1, number), side="right")
