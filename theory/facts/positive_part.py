r"""The positive part $\max(0,a)$ is the derivative of half its square."""

from typing import Any

from sympy import Integer, Max, Rational, symbols

from theory.formula import le, lt

HALF = Rational(1, 2)


def square_of_positive_part(K: Any) -> tuple[Any, Any, Any, Any]:
    r"""Return that half the square of a positive part rises by at least a step times that part before.

    And by at most that after the step; and where it begins, and its length.
    """
    a, h = symbols("cell_a cell_h", real=True)
    before, after = Max(0, a), Max(0, a + h)
    K.know(K.assume(le(0, h)))
    low = [K.axiom("max-above-right", Integer(0), a), K.axiom("max-above-right", Integer(0), a + h)]
    K.know(K.axiom("max-above-left", Integer(0), a), K.axiom("max-above-left", Integer(0), a + h))
    rise = K.discharge(K.axiom("max-least", Integer(0), a, after), K.cert(le(a, after), (1, low[1]), (1, h)))
    step = K.discharge(
        K.axiom("max-least", Integer(0), a + h, before + h), K.cert(le(a + h, before + h), (1, low[0]))
    )
    K.know(rise, step)
    steep = K.assume(lt(0, a))
    gain = (after**2 - before**2) / 2
    zero = K.axiom("max-is-right", a, Integer(0))
    same = [
        K.discharge(K.axiom("max-is-right", Integer(0), end), K.cert(le(0, end), (1, steep), (1, end - a)))
        for end in (a, a + h)
    ]
    less = le(h * before, gain)
    small = K.cases(
        a,
        K.cert(less, (h + before / 2, zero), (HALF, after**2)),
        K.cert(less, (h + (before + a) / 2, same[0]), (-(after + a + h) / 2, same[1]), (HALF, h**2)),
    )
    large = K.cert(le(gain, h * after), ((after + before) / 2, step), (h / 2, rise))
    return small, large, a, h
