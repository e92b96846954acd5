"""Norms that are rounded, clipped, or of something else."""

import math

import numpy as np

from benchmarks.foreign_battery.case import Case, one_hot_first
from benchmarks.foreign_battery.mechanisms import norm, on_grid, qsgd, steps


def _sent(change):
    """Return rounding whose receiver multiplies by `change(norm, x)` instead of the norm."""

    def compress(x, rng):
        scale = norm(x)
        return qsgd(x, rng) * (change(scale, x) / scale) if scale else np.zeros_like(x)

    return lambda d: compress


def _mantissa(bits):
    """Return truncation of a number to so many bits behind its first one."""

    def cut(value, x):
        mantissa, exponent = math.frexp(value)
        return math.ldexp(math.floor(mantissa * 2 ** (bits + 1)) / 2 ** (bits + 1), exponent)

    return cut


def _up_to_power(value, x):
    return 2.0 ** math.ceil(math.log2(value))


def _used(change):
    """Return rounding that uses another norm on both sides, with levels cut at s."""

    def compress(x, rng):
        scale, s = change(x), steps(len(x))
        return on_grid(np.clip(x, -scale, scale), scale, s, rng.random(len(x)))

    return lambda d: compress


def _first_half(x):
    return norm(x[: len(x) // 2])


def _at_norm(value):
    return lambda d: np.full(d, value / math.sqrt(d))


CASES = (
    Case("norm in float32", "the norm is rounded to float32", _sent(lambda v, x: float(np.float32(v)))),
    Case(
        "norm in float16",
        "overflows at 65504",
        _sent(lambda v, x: float(np.float16(v))),
        at=_at_norm(1e4),
        kind=1.0,
    ),
    Case("norm truncated to 7 bits", "as by a shift to bfloat16", _sent(_mantissa(7)), at=_at_norm(1.0078)),
    Case("norm truncated to 4 bits", "4 bits behind the first", _sent(_mantissa(4)), at=_at_norm(1.0624)),
    Case(
        "norm up to a power of two", "used as it is, sent as a power", _sent(_up_to_power), at=_at_norm(1.01)
    ),
    Case(
        "norm clipped at 10",
        "a norm above 10 is sent as 10",
        _sent(lambda v, x: min(v, 10.0)),
        at=_at_norm(100.0),
    ),
    Case(
        "norm floored at 1e-2",
        "a smaller norm is sent as 0.01",
        _sent(lambda v, x: max(v, 1e-2)),
        at=_at_norm(1e-3),
    ),
    Case(
        "norm plus 1e-2",
        "divided by norm + 0.01, multiplied by norm",
        _sent(lambda v, x: v * v / (v + 1e-2)),
        at=_at_norm(1e-3),
    ),
    Case(
        "norm plus 1e-8",
        "divided by norm + 1e-8, multiplied by norm",
        _sent(lambda v, x: v * v / (v + 1e-8)),
        at=_at_norm(1e-3),
    ),
    Case(
        "largest entry sent",
        "rounded by the norm, multiplied by the largest",
        _sent(lambda v, x: np.abs(x).max()),
    ),
    Case(
        "l1 norm sent", "rounded by the norm, multiplied by the l1 norm", _sent(lambda v, x: np.abs(x).sum())
    ),
    Case(
        "root mean square",
        "levels cut at the root mean square",
        _used(lambda x: norm(x) / math.sqrt(len(x))),
        at=one_hot_first,
    ),
    Case(
        "norm of the first half",
        "levels cut at the norm of one half",
        _used(_first_half),
        at=lambda d: np.where(np.arange(d) < d // 2, 0.1, 1.0),
    ),
    Case(
        "norm with d - 1",
        "multiplied by sqrt(d / (d - 1))",
        _sent(lambda v, x: v * math.sqrt(len(x) / (len(x) - 1))),
    ),
)
