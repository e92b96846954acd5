"""A compressor with what is claimed of it, and how large its fault is against what the claim allows."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

DIMENSIONS = (64, 4096)

_DRAWS = 2**14
"""Samples by which the size of a fault is measured."""


def equal(d: int) -> Any:
    """Return the input with d equal entries: all of them lie between two levels of a grid."""
    return np.ones(d)


def one_hot_first(d: int) -> Any:
    return np.eye(1, d)[0]


def one_hot_last(d: int) -> Any:
    return np.eye(1, d, d - 1)[0]


def unbiased(omega: float | Callable[[int], float] = 1.0) -> Callable[[int], dict[str, Any]]:
    """Return the claims of an unbiased compressor with this constant."""
    return lambda d: {"unbiased": True, "omega": omega(d) if callable(omega) else omega}


UNBIASED = unbiased()


@dataclass(frozen=True)
class Case:
    """A compressor of the battery.

    Args:
        name: Name in the table.
        fault: What is wrong, in words; empty for a right compressor.
        make: Maps d to the compressor.
        claims: Maps d to the arguments of `check_compressor`.
        at: Maps d to an input (d,), or (n, d), where the fault is largest or nearly so.
        kind: What the fault changes: "mean", "error" or "variance", which are measured at that input; a
            number is the size itself.
        n: Number of nodes.
        dimensions: Where it is judged.
    """

    name: str
    fault: str
    make: Callable[[int], Any]
    claims: Callable[[int], dict[str, Any]] = UNBIASED
    at: Callable[[int], Any] = equal
    kind: str | float = "mean"
    n: int | None = None
    dimensions: tuple[int, ...] = DIMENSIONS

    @property
    def right(self) -> bool:
        return not self.fault

    def size(self, d: int) -> float:
        """Return the fault relative to what the claim allows: of the norm where it bounds no error.

        A bias counts by its length over the square root of the bound, a mean squared error by its excess
        over the bound, a stated one by its difference, each over 2^14 samples.
        """
        if not isinstance(self.kind, str):
            return self.kind
        claims, x = self.claims(d), self.at(d)
        target = claims["unbiased_given"](x) if "unbiased_given" in claims else x
        with np.errstate(all="ignore"):
            mean, square, noise = self._moments(x, target, d)
        if self.kind == "variance":
            stated = claims["variance"](x) if "variance" in claims else self.make(d).variance(x)
            return abs(square / stated - 1)
        bound = self._bound(claims, x)
        if self.kind == "error":
            return square / bound - 1
        return math.sqrt(max(float(mean @ mean) - noise, 0.0) / bound)

    def _moments(self, x: Any, target: Any, d: int) -> tuple[Any, float, float]:
        """Return the mean error, the mean squared error, and the part of |mean|^2 that is noise."""
        compressor = self.make(d)
        call = getattr(compressor, "sample", compressor)
        rng = np.random.Generator(np.random.Philox((11, d)))
        total, square, first, draws = 0.0, 0.0, None, 0
        for draws in range(1, _DRAWS + 1):
            error = call(x.astype(claims_dtype(self.claims(d))), rng) - target
            error = error if self.n is None else error.mean(axis=0)
            total, square = total + error, square + float(error @ error)
            first = error if first is None else first
            if draws == 16 and abs(total - 16 * first).max() <= 1e-12 * abs(first).max():
                break
        mean = total / draws
        spread = max(square / draws - float(mean @ mean), 0.0)
        return mean, square / draws, spread / draws

    def _bound(self, claims: dict[str, Any], x: Any) -> float:
        norm = float((x**2).sum()) / (1 if self.n is None else self.n)
        if "omega" in claims:
            return claims["omega"] * norm
        if "contraction" in claims:
            return (1 - claims["contraction"]) * norm
        if "ab" in claims:
            mean = x.mean(axis=0)
            return claims["ab"][0] * norm - claims["ab"][1] * float(mean @ mean)
        return norm


def claims_dtype(claims: dict[str, Any]) -> str:
    return claims.get("dtype", "float64")
