r"""Values cut to the range of a rounding error: $\max(-\frac12,\min(v,\frac12))$."""

from typing import Any

from sympy import Expr, Max, Min, Rational

from theory.formula import eq

HALF = Rational(1, 2)


def cut(value: Any) -> Expr:
    """Return the place from minus one half to one half that is nearest to a value."""
    return Max(-HALF, Min(value, HALF))


def at_top(K: Any, value: Any) -> Any:
    """Return that a value from one half on is cut to one half."""
    same = K.rewrite(K.identity(cut(value), cut(value)), K.axiom("min-is-left", HALF, value), "right")
    return K.cert(eq(cut(value), HALF), (1, same))


def at_bottom(K: Any, value: Any, *below: Any) -> Any:
    """Return that a value up to minus one half, and so below one half, is cut to minus one half."""
    least = K.discharge(K.axiom("min-is-left", value, HALF), *below)
    most = K.axiom("max-is-right", value, -HALF)
    return K.rewrite(K.rewrite(K.identity(cut(value), cut(value)), least, "right"), most, "right")


def unchanged(K: Any, value: Any, end: Any) -> Any:
    """Return that a value between the ends is not cut; the theorem says that it is on one side of one."""
    same = K.identity(cut(value), cut(value))
    for limit in (K.axiom("min-is-left", value, HALF), K.axiom("max-is-right", -HALF, value)):
        same = K.rewrite(same, limit, "right")
    return K.discharge(same, end)
