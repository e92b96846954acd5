"""The root of a continuous function between two points where it has other signs, by Brent's method.

It is scipy's `brentq` step by step, and gives the same doubles; to import that takes longer than all that
`boundcheck show` does besides.

Source: R. P. Brent, Algorithms for Minimization Without Derivatives (1973), chapters 3 and 4.
"""

import contextlib
import math
from collections.abc import Callable

MOST_STEPS = 100


def root_between(
    function: Callable[[float], float], start: float, end: float, *, absolute: float, relative: float
) -> float:
    """Return a root of a function, which is 0 at an end or has other signs at the two.

    Args:
        function: The function.
        start: One end.
        end: The other one.
        absolute: The root is this close to the returned point,
        relative: or this close relative to its size.

    Raises:
        ArithmeticError: The signs at the ends are the same, or 100 steps do not lead to a root.
    """
    before, best = start, end
    value_before, value = function(before), function(best)
    if value_before == 0.0:
        return before
    if value == 0.0:
        return best
    if _is_negative(value_before) == _is_negative(value):
        raise ArithmeticError(f"the function has one sign at {start!r} and {end!r}: there need be no root")
    beyond, value_beyond = before, value_before
    last = step = best - before
    for _ in range(MOST_STEPS):
        if value_before != 0.0 and value != 0.0 and _is_negative(value_before) != _is_negative(value):
            beyond, value_beyond = before, value_before
            last = step = best - before
        if abs(value_beyond) < abs(value):
            before, best, beyond = best, beyond, best
            value_before, value, value_beyond = value, value_beyond, value
        close = (absolute + relative * abs(best)) / 2
        half = (beyond - best) / 2
        if value == 0.0 or abs(half) < close:
            return best
        tried = math.inf  # bisection, unless an interpolation is short enough
        if abs(last) > close and abs(value) < abs(value_before):
            with contextlib.suppress(ZeroDivisionError):  # values that underflow tell no slope
                tried = _interpolated((before, best, beyond), (value_before, value, value_beyond))
        is_short = 2 * abs(tried) < min(abs(last), 3 * abs(half) - close)
        last, step = (step, tried) if is_short else (half, half)
        before, value_before = best, value
        best += step if abs(step) > close else math.copysign(close, half)
        value = function(best)
    raise ArithmeticError(f"{MOST_STEPS} steps from {start!r} and {end!r} do not lead to a root")


def _interpolated(points: tuple[float, float, float], values: tuple[float, float, float]) -> float:
    """Return the step from the middle point to where a line, or an inverse parabola, has its root."""
    before, best, beyond = points
    value_before, value, value_beyond = values
    if before == beyond:
        return -value * (best - before) / (value - value_before)
    slope = (value_before - value) / (before - best)
    slope_beyond = (value_beyond - value) / (beyond - best)
    bent = value_beyond * slope_beyond - value_before * slope
    return -value * bent / (slope_beyond * slope * (value_beyond - value_before))


def _is_negative(value: float) -> bool:
    return math.copysign(1.0, value) < 0.0
