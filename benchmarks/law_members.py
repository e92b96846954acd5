"""Rows of the table: Monte Carlo and exact moments."""

import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from cases import Case, both, gaussian, limits

import impl
from impl.compressors import CorrelatedQuantizer, StochasticQuantizer, squared_errors


def monte_carlo() -> Iterator[Case]:
    """Yield rows of squared errors of 1000 samples."""
    rng, count = np.random.default_rng(1), 1000
    for compressor, x in [
        (StochasticQuantizer(1 / 4), gaussian(1000, dtype=np.float64)),
        (CorrelatedQuantizer("binary"), gaussian(16, 100, dtype=np.float64)),
    ]:
        joint = isinstance(compressor, CorrelatedQuantizer)

        def naive(compressor: Any = compressor, x: Any = x, joint: bool = joint) -> Any:
            truth = x.mean(axis=0) if joint else x
            return np.array([((compressor.sample(x, rng) - truth) ** 2).sum() for _ in range(count)])

        def call(tier: str, compressor: Any = compressor, x: Any = x) -> Any:
            return squared_errors(compressor, x, rng, count, tier=tier)

        def check(compressor: Any = compressor, x: Any = x, call: Any = call) -> None:
            for member in both(call).values():
                found = member()
                assert abs(found.mean() - compressor.variance(x)) < 6 * found.std() / count**0.5

        members = {**both(call), "naive": naive, **limits(x, count * x.size, np.float64)}
        size = f"{count} x {' x '.join(map(str, x.shape))}"
        yield Case(
            f"squared errors, {type(compressor).__name__}", size, members, check, {} if joint else {"ms": 1.5}
        )


def exact_variances() -> Iterator[Case]:
    """Yield rows of an exact variance beside plain Python that estimates it to one percent.

    One percent is one standard deviation of the estimate: so many samples as (deviation / mean / 0.01)^2.
    """
    quantizer, levels = StochasticQuantizer(1 / 4), 4
    for d in (10**3, 10**5):
        x = gaussian(d, dtype=np.float64)
        moments = quantizer.moments(x)
        count = math.ceil((math.sqrt(moments.variance) / moments.mean / 0.01) ** 2)
        entries, norm = x.tolist(), float(np.linalg.norm(x))

        def estimate(entries: Any = entries, norm: float = norm, count: int = count) -> float:
            total = 0.0
            for _ in range(count):
                for entry in entries:
                    v = abs(entry) / norm * levels
                    floor = math.floor(v)
                    level = floor + (random.random() < v - floor)
                    total += ((level - v) * norm / levels) ** 2
            return total / count

        def exact(tier: str, x: Any = x) -> Any:
            with impl.tier(tier):
                return quantizer.variance(x)

        def check(exact: Any = exact, estimate: Any = estimate) -> None:
            for tier in both(str):
                assert abs(estimate() / exact(tier) - 1) <= 0.05  # five standard deviations

        members = {**both(exact), "naive": estimate, **limits(x, 0, None)}
        size = f"1e{len(str(d)) - 1} f8, {count} samples"
        yield Case("exact variance, s = 4", size, members, check, {"naive": 1000} if d == 10**5 else {})


def law_cases() -> Iterator[Case]:
    """Yield all rows of this module."""
    yield from monte_carlo()
    yield from exact_variances()
