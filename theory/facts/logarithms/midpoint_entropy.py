r"""$\frac{n^2}4\le\frac{n^2}2\ln n-\sum_{j=0}^{n-1}m_j\ln m_j\le\frac{n^2}4+\frac n4$ with $m_j=j+\frac12$.

Over $n^2$ the middle is the midpoint sum of the integral of $t\ln\frac1t$ over $[0,1]$, which is $\frac14$.
"""

from typing import Any

from sympy import Integer, Rational, Sum, Symbol, log, oo

from theory.facts.logarithms.logarithm_above import logarithm_above
from theory.formula import eq, le

HALF, QUARTER = Rational(1, 2), Rational(1, 4)
n, j = Symbol("midpoint_n", real=True), Symbol("midpoint_j", real=True)


def midpoint_sum(count: Any) -> Any:
    r"""Return $\sum_jm_j\ln m_j$."""
    return Sum((j + HALF) * log(j + HALF), (j, 0, count - 1))


def midpoint_entropy(K: Any, count: Any, above_half: Any) -> tuple[Any, Any]:
    r"""Return both inequalities for an integer from 1 on; `above_half` is $\ln2>\frac12$."""
    K.index((n, 1, oo))
    middle, after, one, two = n + HALF, n + 1, Integer(1), Integer(2)

    def value(at: Any) -> Any:
        return at**2 * log(at) * HALF - midpoint_sum(at)

    def low(at: Any) -> Any:
        return le(at**2 * QUARTER, value(at))

    def high(at: Any) -> Any:
        return le(value(at), at**2 * QUARTER + at * QUARTER)

    # With m = n + 1/2 one more point adds (n + 1)^2/2 times ln((n + 1)/m) and n^2/2 times ln(m/n).
    pairs = ((after**2 * HALF, after / middle, after, middle), (n**2 * HALF, middle / n, middle, n))
    last = (1, K.split_off(midpoint_sum(after)))
    rises, falls = [last], [(-1, last[1])]
    for weight, ratio, top, bottom in pairs:
        quotient = K.cert(
            eq(log(ratio), log(top) - log(bottom)),
            (1, K.axiom("log-product", top, 1 / bottom)),
            (1, K.axiom("log-power", bottom, -1)),
        )
        rises += [(weight, logarithm_above(K, ratio)), (weight, quotient)]
        falls += [(weight, K.axiom("log-below", ratio)), (-weight, quotient)]
    left = (1, (2 * n + 1) / (64 * n**2 + 64 * n + 12))
    half = K.axiom("log-power", two, -1)
    first = K.cert(low(one), (HALF, above_half), (HALF, half))
    least = K.induction(n, first, K.cert(low(after), (1, K.assume(low(n))), *rises, left), low=1)
    first = K.cert(high(one), (HALF, K.axiom("log-below", two)), (-HALF, half))
    most = K.induction(
        n, first, K.cert(high(after), (1, K.assume(high(n))), *falls, (1, n / (8 * middle))), low=1
    )
    return K.at(least, count), K.at(most, count)
