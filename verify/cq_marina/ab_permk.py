"""Checks of `cq_marina/ab-permk`: all ways to deal coordinates in rationals, and the sampler."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import JointCompressor, PermK
from verify.binding import Check, Lazy, Profile
from verify.comparison import Comparison, rational
from verify.cq_marina.ab_permk_sabotage import IdleClients, MissingScale
from verify.cq_marina.grid_inputs import P1, P2, P3, Rows, grid
from verify.cq_marina.joint_draws import joint_law
from verify.cq_marina.joint_enumeration import enumerate_joint, mean_of, mean_squares
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

REMAINDER = grid(5, 3, 2, 5, 1, 11, 5, 2)
INSTANCES: dict[str, Rows] = {
    "P1": P1,
    "P2": P2,
    "P3": P3,
    "n5-d3": REMAINDER,
    "n5-d2": grid(5, 2, 1, 3, 2, 7, 3, 1),
    "n4-d2": grid(4, 2, 3, 1, 1, 8, 3, 2),
    "n4-d1": grid(4, 1, 3, 1, 1, 8, 3, 2),
    "n2-d5": grid(2, 5, 1, 2, 3, 9, 4, 3),
}
MANY = grid(50, 20, 3, 5, 7, 23, 11, 4)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/ab-permk")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_exact(name, rows) for name, rows in INSTANCES.items()),
        _sampled("P3", P3, ("missing-scale", "idle-clients"), "quick"),
        _sampled("n5-d3", INSTANCES["n5-d3"], (), "quick"),
        _sampled("n50-d20", MANY, (), "full"),
        joint_law("two-coordinates-perm-k"),
        joint_law("larger-share-perm-k"),
    )


def stated_error(rows: Rows) -> Any:
    """Return the claim's error at an input, exactly."""
    M, m = mean_squares(rows)
    values = {"n": len(rows), "d": len(rows[0]), "M": M, "m": m}
    return rational(evaluate_exact(theory.claim("cq_marina/ab-permk").exact, values))


def over_n(rows: Rows) -> Any:
    """Return the error with n for n - 1 in the divisor, for a multiple of the coordinates as clients."""
    return stated_error(rows) * (len(rows) - 1) / len(rows)


def turned(rows: Rows) -> Rows:
    """Return the input with clients and coordinates in the reverse order."""
    return tuple(row[::-1] for row in rows[::-1])


def compare(
    compressor: JointCompressor, rows: Rows, stated: Callable[[Rows], Any] = stated_error
) -> Iterable[Comparison]:
    """All outcomes against the stated error, and the oracle: mean and error of each coordinate."""
    moments, error = enumerate_joint(compressor, rows), stated(rows)
    witness = {"a": rows}
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    columns = zip(*rows, strict=True)
    M, m = mean_squares(rows)
    for j, (column, mean, true) in enumerate(zip(columns, moments.mean, mean_of(rows), strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, true, witness=witness)
        spread = sum((item - true) ** 2 for item in column) / len(rows)
        found = moments.coordinate_errors[j] * (M - m)
        yield Comparison(f"error of coordinate {j}", "eq", found, error * spread, witness=witness)
    yield Comparison("enumerated error", "eq", moments.error, error, witness=witness, headline=True)
    oracle = PermK().variance([list(row) for row in rows])
    yield Comparison("oracle", "eq", oracle, error, witness=witness)


def _exact(name: str, rows: Rows) -> Check:
    def case(
        compressor: JointCompressor, chosen: Rows, stated: Callable[[Rows], Any] = stated_error
    ) -> ExactCase:
        return ExactCase(lambda: compare(compressor, chosen, stated))

    n, d = len(rows), len(rows[0])
    mutants = {"permuted-clients": case(PermK(), turned(rows))}
    if d > 1:  # else every client owns the coordinate, with the factor 1
        mutants["missing-scale"] = case(MissingScale(), rows)
    # One coordinate for all clients has no error at all, and no clients are idle for d >= n.
    if 1 < d < n:
        mutants["idle-clients"] = case(IdleClients(), rows)
        if n % d == 0:
            mutants["theta-over-n"] = case(PermK(), rows, over_n)
    return Check("exact", name, case(PermK(), rows), {"a": rows}, mutants, seconds=0.1)


def squared_errors(compressor: JointCompressor, rows: Rows) -> Callable[[Any, int], Any]:
    """Return a function (rng, m) -> m independent squared errors of the estimate, (m,)."""
    x = np.array(rows, dtype=float)
    truth = x.mean(axis=0)

    def sample(rng: Any, size: int) -> Any:
        error = np.concatenate(list(compressor.sample_chunks(x, rng, size))) - truth
        return np.einsum("rd,rd->r", error, error)

    return sample


def largest_error(rows: Rows) -> float:
    """Return a sure bound of the squared error where each coordinate is a mean of entries of clients."""
    x = np.array(rows, dtype=float)
    return float(((x - x.mean(axis=0)) ** 2).max(axis=0).sum())


def _sampled(name: str, rows: Rows, mutants: Sequence[str], profile: Profile) -> Check:
    def case(compressor: JointCompressor) -> MonteCarloCase:
        return MonteCarloCase(
            "eq", squared_errors(compressor, rows), float(stated_error(rows)), upper=largest_error(rows)
        )

    sabotaged = {"missing-scale": MissingScale(), "idle-clients": IdleClients()}
    cases = {key: Lazy(partial(case, sabotaged[key]), tests=1) for key in mutants}
    parameters = {"n": len(rows), "d": len(rows[0])}
    base = Lazy(partial(case, PermK()), tests=1)
    return Check("montecarlo", name, base, parameters, cases, 0.5 if len(rows) < 10 else 10.0, profile)
