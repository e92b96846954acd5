"""Shares of messages of all sizes, literally from their definitions and without `impl.adaptive`."""

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np


def alphas(g: Sequence[Any]) -> list[Any]:
    """Return the share of the T largest squares, T = 1..d; numbers as they are given."""
    squares = sorted((item * item for item in g), reverse=True)
    whole = sum(squares)
    return [sum(squares[:size]) / whole for size in range(1, len(squares) + 1)]


def betas(g: Sequence[Any]) -> list[Any]:
    """Return S_T^2 / (T ||g||^2), T = 1..d."""
    sizes = sorted((abs(item) for item in g), reverse=True)
    whole = sum(item * item for item in sizes)
    return [sum(sizes[:size]) ** 2 / (size * whole) for size in range(1, len(sizes) + 1)]


def certain(sizes: Sequence[Any], T: Any) -> int:
    """Return the least k with |g|_(k+1) (T - k) at most the sum of what follows, for sorted magnitudes."""
    return next(k for k, item in enumerate(sizes) if item * (T - k) <= sum(sizes[k:]))


def chances(g: Sequence[Any], T: Any) -> list[Any]:
    """Return the keep-probabilities min(1, c |g_j|) whose sum is T."""
    sizes = sorted((abs(item) for item in g), reverse=True)
    k = certain(sizes, T)
    level = (T - k) / sum(sizes[k:])
    return [min(item * 0 + 1, level * abs(item)) for item in g]


def omegas(g: Sequence[Any]) -> list[Any]:
    """Return ||g||^2 / sum g_j^2 / p_j with these probabilities, T = 1..nnz."""
    whole = sum(item * item for item in g)
    found = []
    for T in range(1, sum(1 for item in g if item) + 1):
        p = chances(g, T)
        found.append(whole / sum(item * item / chance for item, chance in zip(g, p, strict=True) if item))
    return found


def expected_cost(g: Sequence[Any], T: Any, price: Callable[[int], Any]) -> Any:
    """Return the mean of `price` of the number of survivors, over all 2^d sets of them."""
    p = chances(g, T)
    mean = Fraction(0)
    for kept in itertools.product((False, True), repeat=len(p)):
        chance = Fraction(1)
        for own, item in zip(p, kept, strict=True):
            chance *= own if item else 1 - own
        if chance:
            mean += chance * Fraction(price(sum(kept)))
    return mean


def float_alphas(g: Any) -> Any:
    """Return `alphas` in double precision, (d,)."""
    squares = np.sort(np.asarray(g) ** 2)[::-1]
    return np.cumsum(squares) / squares.sum()


def float_betas(g: Any) -> Any:
    """Return `betas` in double precision, (d,)."""
    sizes = np.sort(np.abs(g))[::-1]
    return np.cumsum(sizes) ** 2 / (np.arange(1, len(sizes) + 1) * (sizes @ sizes))
