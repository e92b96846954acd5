"""Means that are off by a factor or by a shift."""

import math

import numpy as np

from benchmarks.foreign_battery.case import Case, one_hot_first
from benchmarks.foreign_battery.mechanisms import norm, on_grid, qsgd, steps


def _scaled(factor):
    return Case(f"scaled by {factor}", "a factor too much", lambda d: lambda x, rng: factor * qsgd(x, rng))


def _chance_shifted(x, rng):
    return on_grid(x, norm(x), steps(len(x)), rng.random(len(x)) - 0.02)


def _chance_shrunk(x, rng):
    return on_grid(x, norm(x), steps(len(x)), rng.random(len(x)) / 0.95)


def _offset(x, rng):
    return qsgd(x, rng) + 0.03 * norm(x) / math.sqrt(len(x))


def _offset_first(x, rng):
    found = qsgd(x, rng)
    found[0] += 0.03 * norm(x)
    return found


def _clipped(x, rng):
    most = 3 * norm(x) / math.sqrt(len(x))
    return qsgd(np.clip(x, -most, most), rng)


def _clipped_after(x, rng):
    most = 6 * norm(x) / math.sqrt(len(x))
    return np.clip(qsgd(x, rng), -most, most)


def _signs_flipped(x, rng):
    return qsgd(x, rng) * np.where(rng.random(len(x)) < 0.02, -1.0, 1.0)


def _lost(x, rng):
    return qsgd(x, rng) if rng.random() >= 1 / 30 else np.zeros_like(x)


def _small_cut(part):
    def compress(x, rng):
        return qsgd(np.where(np.abs(x) < part * norm(x) / math.sqrt(len(x)), 0.0, x), rng)

    return compress


def _nearly_cut(part):
    return lambda d: np.where(np.arange(d) == 0, math.sqrt(d), 0.95 * part)


CASES = (
    *map(_scaled, (1.001, 0.995, 1.01, 0.975, 1.03, 0.95)),
    Case("chance + 0.02", "every coordinate rounds up too often", lambda d: _chance_shifted),
    Case("chance times 0.95", "every coordinate rounds up too rarely", lambda d: _chance_shrunk),
    Case("offset", "a constant is added to all coordinates", lambda d: _offset),
    Case("offset of the first", "a constant is added to one coordinate", lambda d: _offset_first),
    Case(
        "input clipped", "entries above 3 root mean squares are clipped", lambda d: _clipped, at=one_hot_first
    ),
    Case(
        "output clipped",
        "entries above 6 root mean squares are clipped after rounding",
        lambda d: _clipped_after,
        at=one_hot_first,
    ),
    Case("signs flipped", "one sign in 50 is lost", lambda d: _signs_flipped),
    Case("messages lost", "one message in 30 is lost and read as 0", lambda d: _lost),
    Case(
        "small entries cut",
        "entries below 0.1 root mean squares are 0",
        lambda d: _small_cut(0.1),
        at=_nearly_cut(0.1),
    ),
    Case(
        "tiny entries cut",
        "entries below 0.01 root mean squares are 0",
        lambda d: _small_cut(0.01),
        at=_nearly_cut(0.01),
    ),
)
