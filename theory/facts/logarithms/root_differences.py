r"""$\sum_{j=0}^{d-1}(\sqrt{j+1}-\sqrt j)^2\le1+\frac14\log d$ for integers $d\ge1$."""

from typing import Any

from sympy import Rational, Sum, Symbol, log, oo, sqrt

from theory.facts.logarithms.logarithm_above import logarithm_above
from theory.formula import le


def root_differences(K: Any, d: Any) -> Any:
    """Return it by induction: with y = sqrt((n+1)/n) the next term is (y-1)/(y+1), at most log(y)/2."""
    j, n = (Symbol(name, real=True) for name in ("j", "n"))
    K.index((n, 1, oo))

    def statement(count: Any) -> Any:
        return le(Sum((sqrt(j + 1) - sqrt(j)) ** 2, (j, 0, count - 1)), 1 + log(count) / 4)

    p, q, half = sqrt(n + 1), sqrt(n), Rational(1, 2)
    grows = K.cert(le(1, p / q), (1 / q, K.power(K.sign(le(n, n + 1)), half)))
    step = K.cert(
        statement(n + 1),
        (1, K.split_off(statement(n + 1).left)),
        (1, K.assume(statement(n))),
        (half, K.discharge(logarithm_above(K, p / q), grows)),
        (half, K.axiom("log-product", p, 1 / q)),
        (half, K.axiom("log-power", n + 1, half)),
        (half, K.axiom("log-power", n, -half)),
    )
    return K.at(K.induction(n, K.cert(statement(1)), step, low=1), d)
