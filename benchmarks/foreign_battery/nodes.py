"""Several nodes that share what they must not, or whose mean is scaled wrongly."""

import numpy as np

from benchmarks.foreign_battery.case import Case
from benchmarks.foreign_battery.mechanisms import norm, on_grid, qsgd, steps

N = 4


def _with_uniforms(draw):
    """Return rounding of all nodes with uniforms `draw(rng, n, d)`."""

    def compress(x, rng):
        n, d = x.shape
        u = draw(rng, n, d)
        return np.array([on_grid(row, norm(row), steps(d), u[i]) for i, row in enumerate(x)])

    return lambda d: compress


def _then(change):
    def compress(x, rng):
        return change(np.array([qsgd(row, rng) for row in x]))

    return lambda d: compress


def _without_last(rows):
    rows[-1] = 0.0
    return rows


def _first_twice(rows):
    rows[-1] = rows[0]
    return rows


def _half_present(x, rng):
    """Half of the nodes take part, and the sum is divided by all of them."""
    present = rng.permutation(len(x)) < len(x) // 2
    return np.array([qsgd(row, rng) * here for row, here in zip(x, present, strict=True)])


def _parts(x, rng, scale=None):
    """Each coordinate is sent by one node; those left over by none."""
    n, d = x.shape
    owner = np.full(d, -1)
    whole = d // n * n
    owner[:whole] = rng.permutation(np.repeat(np.arange(n), d // n))
    return np.where(owner == np.arange(n)[:, None], (scale or n) * x, 0.0)


def _norm_of_first(x, rng):
    """All nodes divide by the norm of the first, and cut off what is above."""
    scale, d = norm(x[0]), x.shape[1]
    return np.array([on_grid(np.clip(row, -scale, scale), scale, steps(d), rng.random(d)) for row in x])


def _claims(a, b=0.0):
    return lambda d: {"unbiased": True, "ab": (a, b)}


def _equal(d):
    return np.ones((N, d))


def _three(d):
    return np.outer([1, 1, 0], np.eye(1, d, d - 1))


def _larger_others(d):
    return np.outer([0.01, 1, 1, 1], np.eye(1, d)[0])


MEAN = _claims(1 / N)
"""n independent compressors with omega = 1."""

CASES = (
    Case(
        "shared seeds",
        "all nodes draw the same numbers",
        _with_uniforms(lambda rng, n, d: np.tile(rng.random(d), (n, 1))),
        MEAN,
        _equal,
        "error",
        N,
    ),
    Case(
        "two nodes share a seed",
        "two of four nodes draw the same numbers",
        _with_uniforms(lambda rng, n, d: rng.random((n, d))[[0, 0, 1, 2]]),
        MEAN,
        _equal,
        "error",
        N,
    ),
    Case(
        "seeds that overlap",
        "a tenth of the numbers are those of the node before",
        _with_uniforms(lambda rng, n, d: _shared_tenth(rng.random((n, d)))),
        MEAN,
        _equal,
        "error",
        N,
    ),
    Case(
        "sum for the mean", "not divided by n", _then(lambda rows: len(rows) * rows), MEAN, _equal, "mean", N
    ),
    Case(
        "divided by n - 1",
        "divided by n - 1",
        _then(lambda rows: rows * (N / (N - 1))),
        MEAN,
        _equal,
        "mean",
        N,
    ),
    Case(
        "divided by n + 1",
        "divided by n + 1",
        _then(lambda rows: rows * (N / (N + 1))),
        MEAN,
        _equal,
        "mean",
        N,
    ),
    Case("last node dropped", "one node is not added", _then(_without_last), MEAN, _equal, "mean", N),
    Case(
        "first node twice",
        "one node stands for another",
        _then(_first_twice),
        MEAN,
        lambda d: np.outer([1, 0, 0, -1], np.ones(d)),
        "mean",
        N,
    ),
    Case(
        "half of the nodes",
        "half take part, divided by all",
        lambda d: _half_present,
        MEAN,
        _equal,
        "mean",
        N,
    ),
    Case(
        "norm of the first node",
        "all divide by the norm of one",
        lambda d: _norm_of_first,
        MEAN,
        _larger_others,
        "mean",
        N,
    ),
    Case(
        "parts that do not divide d",
        "d mod 3 coordinates are sent by no node",
        lambda d: _parts,
        _claims(1.0, 1.0),
        _three,
        "mean",
        3,
    ),
    Case(
        "parts times n - 1",
        "the parts are scaled by n - 1",
        lambda d: lambda x, rng: _parts(x, rng, N - 1),
        _claims(1.0, 1.0),
        lambda d: np.outer([1, 1, 1, 0.9], np.ones(d)),
        "mean",
        N,
    ),
    Case(
        "gain that is none",
        "B = 0.2 claimed of independent nodes",
        _then(lambda rows: rows),
        _claims(1 / N, 0.02),
        _equal,
        "error",
        N,
    ),
)


def _shared_tenth(u):
    d = u.shape[1]
    u[1:, : d // 10] = u[:-1, : d // 10]
    return u
