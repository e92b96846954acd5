r"""The content of a message at the budget $d/n$: the length of `squant/bits-bound` without its norm."""

from typing import Any

from sympy import E, Min, Rational, log, sqrt

from theory.formula import le, lt
from theory.squant.gains.families import d, n

_FIRST, _SECOND = d / n + 1, (d + 1) * sqrt(2) / E
_GAPS = Min(_FIRST, _SECOND)
_OTHERS = 2 * d / n + 2 * d / (n * E) * log(E, 2)
CONTENT = _GAPS * (1 + 2 * log((d + 1) / _GAPS, 2)) + _OTHERS
LEAST = 2 * d / n
MOST = _FIRST * (1 + 2 * log(n, 2)) + _OTHERS


def bounds(K: Any, nodes: Any, two: Any) -> tuple[Any, Any]:
    """Return `LEAST <= CONTENT` and `CONTENT <= MOST`, from the theorems 1 <= n and 2 <= n."""
    K.know(K.sign(lt(0, _GAPS)))
    below, mean = K.axiom("min-below-left", _FIRST, _SECOND), (d + 1) / _FIRST
    least = K.cert(le(LEAST, CONTENT), K.log(K.cert(le(1, (d + 1) / _GAPS), (1 / _GAPS, below), nodes)))
    # log 2 is at least 16 log(24/23), which is at least 2/3.
    share = Rational(24, 23)
    third = K.cert(
        le(2, 3 * log(2)),
        K.log(K.sign(le(share**16, 2))),
        K.axiom("log-power", share, 16),
        K.axiom("log-product", share, 1 / share),
        K.axiom("log-below", 1 / share),
    )
    slope = log(2) + 2 * log(n) - 2
    K.know(K.cert(le(0, slope), K.log(two), third))
    # The logarithm is below its tangent at the first number of gaps.
    most = K.cert(
        le(CONTENT, MOST),
        K.axiom("log-product", mean, _FIRST / _GAPS),
        K.axiom("log-below", _FIRST / _GAPS),
        K.log(K.cert(le(mean, n), nodes)),
        below,
    )
    return least, most
