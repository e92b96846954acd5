r"""Arithmetic and geometric mean: $\sum_j\log a_j\le d\log\frac sd$, $s=\sum_ja_j$, for $a_j>0$."""

from typing import Any

from sympy import Sum, log, sympify

from theory.formula import le


def mean_of_logarithms(K: Any, a: Any, over: tuple[Any, Any, Any]) -> Any:
    r"""Return it; $a_j>0$ in the range `over` and $s>0$ must be known."""
    _, low, high = over
    a = sympify(a)
    count = high - low + 1
    mean = Sum(a, over) / count
    each = K.cert(
        le(log(a) - log(mean), a / mean - 1),
        (1, K.axiom("log-below", a / mean)),
        (-1, K.axiom("log-product", a, 1 / mean)),
        (-1, K.axiom("log-power", mean, -1)),
    )
    return K.cert(le(Sum(log(a), over), count * log(mean)), (1, K.sum_over(each, over)))
