"""Sparsifiers that keep the wrong entries, or scale them wrongly."""

import numpy as np

from benchmarks.foreign_battery.case import Case, one_hot_first, one_hot_last, unbiased
from benchmarks.foreign_battery.mechanisms import bernoulli, rand_k, top_k

THREE = unbiased(3.0)


def _rand_k_times(factor):
    return lambda d: lambda x, rng: factor(d) * rand_k(x, rng, d // 4)


def _with_replacement(x, rng):
    """Overwrite entries that are drawn twice: they should add up."""
    kept = np.zeros_like(x)
    at = rng.integers(len(x), size=len(x) // 4)
    kept[at] = 4 * x[at]
    return kept


def _never_last(x, rng):
    kept = np.zeros_like(x)
    at = rng.choice(len(x) - 1, len(x) // 4, replace=False)
    kept[at] = 4 * x[at]
    return kept


def _always_first(x, rng):
    found = rand_k(x, rng, len(x) // 4)
    found[0] = 4 * x[0]
    return found


def _window(x, rng):
    """A window that does not wrap around covers the ends too rarely."""
    k = len(x) // 4
    start = rng.integers(len(x) - k + 1)
    return np.where((np.arange(len(x)) >= start) & (np.arange(len(x)) < start + k), 4 * x, 0.0)


def _divided_by(p):
    return lambda d: lambda x, rng: 0.25 / p * bernoulli(x, rng, 0.25)


def _capped(x, rng):
    """Chances in proportion to |x|, capped for keeping but not for scaling."""
    total = float(np.abs(x).sum())
    p = len(x) / 4 * np.abs(x) / (total or 1.0)
    return np.where(rng.random(len(x)) < np.minimum(p, 1), x / np.maximum(p, 1e-300), 0.0)


def _top_and_rest(x, rng):
    """Keep the largest for sure and others at random, with the chance of all."""
    k = len(x) // 8
    kept = top_k(x, k)
    rest = x - kept
    return kept + np.where(rng.random(len(x)) < 0.25, rest * 3.5, 0.0)


def _same_mask(x, rng):
    return bernoulli(x, np.random.default_rng(1))


def _hashed(x, rng):
    """Positions a i + b mod d: no permutation where a is even."""
    d = len(x)
    at = (rng.integers(d) * np.arange(d // 4) + rng.integers(d)) % d
    kept = np.zeros_like(x)
    kept[at] = 4 * x[at]
    return kept


def _one_chance(x, rng):
    """One draw for all entries that is seldom exact: blocks of 5 do not divide d."""
    start = 5 * rng.integers(len(x) // 5)
    kept = np.zeros_like(x)
    kept[start : start + 5] = x[start : start + 5] * (len(x) // 5)
    return kept


CASES = (
    Case("rand-k over k + 1", "scaled by d / (k + 1)", _rand_k_times(lambda d: d / (d + 4)), THREE),
    Case("rand-k times 0.96", "scaled by 0.96 d / k", _rand_k_times(lambda d: 0.96), THREE),
    Case("rand-k unscaled", "not scaled at all", _rand_k_times(lambda d: 0.25), THREE),
    Case("drawn with replacement", "entries drawn twice count once", lambda d: _with_replacement, THREE),
    Case("last entry never kept", "drawn from d - 1 places", lambda d: _never_last, THREE, at=one_hot_last),
    Case(
        "first entry always kept", "kept and scaled always", lambda d: _always_first, THREE, at=one_hot_first
    ),
    Case("window without wrapping", "the ends are kept rarely", lambda d: _window, THREE, at=one_hot_first),
    Case("divided by 0.27", "kept with 0.25, divided by 0.27", _divided_by(0.27), THREE),
    Case("divided by 0.255", "kept with 0.25, divided by 0.255", _divided_by(0.255), THREE),
    Case(
        "chance capped",
        "the chance is capped, the divisor is not",
        lambda d: _capped,
        THREE,
        at=one_hot_first,
    ),
    Case("top-k and some others", "the chance of all for those not in top-k", lambda d: _top_and_rest, THREE),
    Case("top-k", "claimed unbiased", lambda d: lambda x, rng: top_k(x, d // 4), THREE),
    Case("the same mask", "the mask is drawn from a seed of its own", lambda d: _same_mask, THREE),
    Case("hashed positions", "the hash is no permutation", lambda d: _hashed, THREE),
    Case(
        "blocks that do not divide d",
        "the last d mod 5 entries are in no block",
        lambda d: _one_chance,
        unbiased(lambda d: d // 5 - 1.0),
        at=one_hot_last,
    ),
)
