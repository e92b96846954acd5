"""Inputs at which compressors of the field go wrong, or are near their worst."""

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any

from verify.context import MASTER_SEED

SCALES: dict[str, tuple[float, ...]] = {
    "all": (1.0,),
    "powers of two": (1.0, 1.2, 4 / 3, 1.5, 1.75),
    "none": (1.0, 1.2, 4 / 3, 1.5, *(2.0**power for power in (-20, -10, -4, -2, 2, 4, 10, 20))),
}
"""Scales at which inputs are tried, by the attribute `scale_equivariance` of a compressor.

The unit sphere alone would find only 0.97 of the supremum for rounding to powers of two.
"""

EXTREMES = {"float64": (5e-324, 1e-310, 1e-200, 1e200, 1e300), "float32": (1e-45, 1e-40, 1e-25, 1e25, 1e38)}
"""Scales at which squares leave the range of the numbers: subnormal and huge."""


def structured_inputs(d: int) -> tuple[Any, ...]:
    """Return inputs at which compressors of the field are near their worst, each (d,)."""
    import numpy as np

    index = np.arange(1, d + 1)
    generic = np.random.Generator(np.random.Philox(MASTER_SEED)).standard_normal((2, d))
    inputs = [
        np.ones(d),
        np.where(index % 2, 1.0, -1.0),
        np.eye(1, d)[0],
        index / d,
        0.9 ** np.minimum(index, 600.0),
        np.where(index <= max(1, d // 4), 1.0, 0.0),
        np.where(index == 1, 1.0, 1 / (1 + math.sqrt(d))),
    ]
    return (*inputs, *generic)


STRUCTURED = (
    "ones",
    "alternating signs",
    "one-hot first",
    "linear",
    "geometric",
    "first quarter",
    "one large entry",
    "generic",
    "generic 2",
)
"""Names of the structured inputs."""


def named_inputs(d: int) -> Iterator[tuple[str, Any]]:
    """Yield names and inputs, (d,): the structured ones, then those that look for one mistake each."""
    import numpy as np

    yield from zip(STRUCTURED, structured_inputs(d), strict=True)
    rng = np.random.Generator(np.random.Philox(MASTER_SEED + 2))
    index = np.arange(d)
    yield "one-hot last", (index == d - 1).astype(float)
    yield "one-hot middle", (index == d // 2).astype(float)
    yield "negative constant", -np.ones(d)
    yield "ties", rng.choice([-2.0, 1.0, 2.0], d)
    yield "heavy tails", np.clip(rng.standard_cauchy(d), -1e3, 1e3)
    sparse = np.zeros(d)
    sparse[:: max(2, d // max(1, d // 16))] = 1.0
    yield "sparse", sparse * rng.standard_normal(d) + 0.0
    yield "one-hot negative", np.where(index == d // 3, -1.0, 0.0)
    if d > 2:
        yield "signed zeros", np.where(index % 3 == 0, -0.0, np.where(index % 3 == 1, 0.0, 1.0 + index / d))
    powers = index[(index & (index - 1)) == 0]
    borders = np.isin(index, np.concatenate([powers - 1, powers, powers + 1]))
    yield "block borders", np.where(borders, 1.0, 0.0)
    yield "last eighth", np.where(index >= d - max(1, d // 8), 1.0 + index / d, 0.0)
    yield "last largest", np.where(index == d - 1, 4.0, 0.5)
    yield "powers of two", 2.0 ** -(index % 12.0)
    yield "four thirds", np.full(d, 4 / 3)
    yield "quarter levels", (2.0 * (index % 4) + 1) / 8
    yield "positive", rng.random(d) + 0.05
    yield "decaying squares", 1 / (1.0 + index) ** 2
    if d > 1:
        yield "one zero", np.where(index == d // 3, 0.0, 1.0)
        yield "block outlier", np.where(index == d - 2, 30.0, 1 + 0.5 * np.sin(index))
        half = rng.standard_normal(d - d // 2)
        yield "palindrome", np.concatenate([half, half[: d // 2][::-1]])
        yield "two magnitudes in turn", np.where(index % 4 > 1, -1.0, 1.0) * np.where(index % 2, 0.3, 1.0)
        yield "one far above", np.where(index == d // 2, 100.0, rng.uniform(0.5, 1.5, d))


def further_inputs(shape: tuple[int, ...], seed: int, scaled: bool) -> Iterator[tuple[str, Any]]:
    """Yield names and random inputs without end: of every distribution, sparseness and, if wanted, scale."""
    import numpy as np

    rng = np.random.Generator(np.random.Philox(seed))
    for place in itertools.count():
        x = (
            rng.standard_normal(shape),
            rng.random(shape) + 0.05,
            np.clip(rng.standard_cauchy(shape), -1e3, 1e3),
            rng.integers(-4, 5, shape) / 4.0,
        )[place % 4]
        if place % 3 == 1:
            x = x * (rng.random(shape) < rng.random())
        if place % 3 == 2:
            x = np.sign(x) * (1 + 0.01 * np.abs(x))
        # No vector and no node is zero: whether that is taken is looked at by itself.
        x = np.where(x.any(axis=-1, keepdims=True), x, 1.0)
        yield f"random {place}", x * 2.0 ** rng.uniform(-12, 12) if scaled and place % 5 > 2 else x


def largest_inputs(d: int, seed: int, places: Iterable[int]) -> Iterator[tuple[str, Any]]:
    """Yield names and random inputs, (d,), whose largest entry is at each of these places."""
    import numpy as np

    rng = np.random.Generator(np.random.Philox(seed))
    for place in places:
        x = rng.standard_normal(d)
        largest = int(np.argmax(np.abs(x)))
        x[[place, largest]] = x[[largest, place]]
        yield f"random, largest at {place}", x


def two_level_inputs(d: int) -> Iterator[tuple[float, float]]:
    """Yield (m, t): m entries equal to 1 and the others t, where most suprema of the field lie."""
    import numpy as np

    counts = np.unique(np.round(np.geomspace(1, d, 9)).astype(int))
    levels = [0.0, 1 / d, 1 / math.sqrt(d), 1 / (1 + math.sqrt(d)), 0.02, 0.05, 1 / 8, 0.25, 0.375, 0.5, 0.75]
    for count in counts:
        for level in levels:
            yield float(count), level


def two_level_input(d: int, count: float, level: float) -> Any:
    """Return the input (d,) with so many ones before entries of this level."""
    import numpy as np

    return np.where(np.arange(d) < count, 1.0, level)


def joint_inputs(d: int, n: int) -> Iterator[tuple[str, Any]]:
    """Yield names and inputs of n nodes, (n, d): equal, spread, opposite, one node nearly alone, generic.

    Two nodes of several are equal, where d suffices nodes are orthogonal or have no entry in common. No node
    is zero (`idle_inputs`).
    """
    import numpy as np

    generic = np.random.Generator(np.random.Philox(MASTER_SEED + 1)).standard_normal((n, d))
    singles = list(zip(STRUCTURED, structured_inputs(d), strict=True))
    yield from ((f"{name}, equal nodes", np.tile(x, (n, 1))) for name, x in singles)
    yield from ((f"{name}, spread nodes", np.outer(_spread(n), x)) for name, x in singles)
    yield "generic nodes", generic
    signs = np.where(np.arange(n) % 2, -1.0, 1.0)
    yield "opposite nodes", np.outer(signs, singles[-1][1])
    yield "last node alone", np.outer(np.where(np.arange(n) == n - 1, 1.0, 1e-3), singles[-1][1])
    yield "last node largest", np.outer(np.where(np.arange(n) == n - 1, 8.0, 1.0), np.ones(d))
    if n > 2:
        yield "first and last node equal", np.concatenate([generic[:-1], generic[:1]])
    if 1 < n <= d:
        yield "orthogonal nodes", np.linalg.qr(generic.T)[0].T * np.arange(1, n + 1)[:, None]
        yield (
            "nodes without a common entry",
            np.where(np.arange(d) % n == np.arange(n)[:, None], generic, 0.0),
        )


def idle_inputs(d: int, n: int) -> Iterator[tuple[str, Any]]:
    """Yield names and inputs of n nodes, (n, d), of which one is zero: many divide by its norm."""
    import numpy as np

    generic = np.random.Generator(np.random.Philox(MASTER_SEED + 1)).standard_normal((n, d))
    for name, node in {"first": 0, "last": n - 1}.items() if n > 1 else ():
        yield f"{name} node zero", np.where(np.arange(n)[:, None] == node, 0.0, generic)


def _spread(n: int) -> Any:
    """Return factors between -1 and 1, (n,), none of which is 0."""
    import numpy as np

    found = np.linspace(-1, 1, n)
    return np.where(found == 0, 0.5, found)
