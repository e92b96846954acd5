"""Measured runs behind `squant/gain-block`: DCGD and DCGD+ on the growing families, real messages counted.

Interpolation, x* = 0, Gaussian start, theoretical step sizes from the bounds of `squant/bounds`, stop at a
relative squared distance of 1e-6. Nothing depends on the size of the start: it is small, so that runs that
stop at an absolute distance do not arrive.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import theory
from verify.experiments.squant.run_costs import ACCURACY, RunCosts, costs_of
from verify.formulas.evaluation import evaluate
from verify.rungs.costs import CostCase, Exponent, Ordering, Samples
from verify.squant.fixtures.families import Family
from verify.squant.fixtures.family_constants import steps, variance_constants

REPLICATES = 36
"""The least with intervals of the medians of up to 32 quantities at level 1e-9 together."""

LONGEST = 5_000

SHORT, LONG = (4, 8), (4, 8, 16, 32)
"""Numbers of nodes in the quick and in the full profile."""
PAIR = ("std", "block")

# A family for each number of nodes.
Growing = Callable[[int], Family]


def run_costs(
    matrices: Family, method: str, rng: Any, replicates: int = REPLICATES, accuracy: float = ACCURACY
) -> RunCosts:
    """Return the costs of one method at the budget d / n; `std` is DCGD, the other methods are DCGD+."""
    from impl.compressors import StochasticQuantizer
    from impl.optimizers import dcgd, dcgd_plus
    from impl.problems import Quadratic

    n, d = matrices.n, matrices.d
    problem = Quadratic(np.repeat(matrices.eigenvalues, matrices.multiplicity, axis=1))
    constant = float(variance_constants(matrices, method, d / n).max())
    step_size = evaluate(
        theory.claim("squant/dcgd").formulas["step_size"], {"L": matrices.L, "Lcal_max": constant, "n": n}
    )
    h: Any = steps(matrices, method, d / n)
    blocks = None
    if method.startswith("block"):
        blocks = [int(length) for length in matrices.block_lengths]
        first = np.flatnonzero(np.diff(matrices.block, prepend=-1))
        h = h[:, first]
    elif method == "vary":
        h = np.repeat(h, matrices.multiplicity, axis=1)
    else:
        h = float(h[0, 0])
    result = (dcgd if method == "std" else dcgd_plus)(
        problem,
        StochasticQuantizer(h, blocks=blocks, norm_bits=32),
        step_size=step_size,
        rounds=LONGEST,
        rng=rng,
        replicates=replicates,
        start=2.0**-10 * rng.standard_normal((replicates, d)),
        until=accuracy,
    )
    return costs_of(result, accuracy)


def samples_of(
    make: Growing,
    sizes: Sequence[int],
    methods: Sequence[str],
    stream: Callable[[int], Any],
    accuracy: float = ACCURACY,
    replicates: int = REPLICATES,
) -> Mapping[str, Samples]:
    """Return rounds and bits of the methods at each number of nodes, by `COST of METHOD, n=N`."""
    found: dict[str, Samples] = {}
    for index, (n, method) in enumerate((n, method) for n in sizes for method in methods):
        costs = run_costs(make(n), method, stream(index), replicates, accuracy)
        found |= {f"{name} of {method}, n={n}": costs.samples(name) for name in ("rounds", "bits")}
    return found


def ratio_exponent(
    cost: str,
    sizes: Sequence[int],
    methods: tuple[str, str],
    claimed: float,
    tolerance: float,
    side: Any = "both",
) -> Exponent:
    """Return the claim that the ratio of two methods' costs grows like a power of n."""
    first, second = methods
    return Exponent(
        f"{cost} of {first} / {second}",
        sizes,
        [f"{cost} of {first}, n={n}" for n in sizes],
        [f"{cost} of {second}, n={n}" for n in sizes],
        claimed,
        tolerance,
        side,
    )


def cost_case(
    make: Growing,
    sizes: Sequence[int],
    claims: Sequence[Exponent | Ordering],
    methods: Sequence[str],
    accuracy: float = ACCURACY,
    replicates: int = REPLICATES,
) -> CostCase:
    """Return the case that runs the methods at all sizes and judges the claims."""
    options: dict[str, Any] = {"accuracy": accuracy, "replicates": replicates}
    return CostCase(functools.partial(samples_of, make, sizes, methods, **options), claims)
