r"""Sums against the coordinate vector $e_m$: $\sum_j\delta_{jm}f(j)=f(m)$."""

from typing import Any

from sympy import Expr, KroneckerDelta, Mul, Sum, Symbol

from theory.formula import eq


def picked(K: Any, term: Any, over: tuple[Any, Any, Any], place: Any) -> Any:
    r"""Return $\sum_j\delta_{jm}f(j)=f(m)$ for a term $f(j)$; `place` must be known to lie in the range."""
    j, low, high = over
    total = Sum(_times(KroneckerDelta(j, place), term), over)
    parts = []
    for name, span in (("before", (low, place - 1)), ("after", (place + 1, high))):
        index = Symbol(f"{j.name}_{name}", real=True)
        value = term.subs(j, index)
        zero = K.cert(
            eq(_times(KroneckerDelta(index, place), value), 0), (value, K.axiom("delta-other", index, place))
        )
        parts.append((1, K.sum_over(zero, (index, *span))))
    return K.cert(eq(total, term.subs(j, place)), (1, K.split_off(total, place)), *parts)


def _times(delta: Any, term: Any) -> Expr:
    """Return a product that sympy leaves alone; the square of a delta would become the delta."""
    return Mul(delta, term, evaluate=False)
