"""Checks of `cq_marina/est-exact`: all outcomes in rationals, and literal samplers against the oracles."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import (
    CorrelatedQuantizer,
    ImportanceSampling,
    Independent,
    IndependentQuantizer,
    JointCompressor,
    PermK,
    PermKQuantizer,
    RandK,
    WeightedPartition,
)
from verify.binding import Check, Lazy, Profile
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.est_exact_sabotage import CommonPermutation, MeanAsScale, MissingGroupScale
from verify.cq_marina.grid_inputs import INPUTS, P1, P2, WEIGHTS, Rows
from verify.cq_marina.joint_enumeration import enumerate_joint, mean_of, mean_squares
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.sabotaged_quantizers import rational_norm

CQ_BIN, CQ_TERN = CorrelatedQuantizer("binary"), CorrelatedQuantizer("ternary")
IQ_BIN, IQ_TERN = IndependentQuantizer("binary"), IndependentQuantizer("ternary")


@dataclass(frozen=True)
class Row:
    """One row of the table: a compressor with the formula of its error and what that needs beside inputs."""

    compressor: JointCompressor
    formula: str
    more: Any = None  # values by name, or a function from the inputs to them

    def values(self, rows: Rows) -> dict[str, Any]:
        """Return the values that the formula may need."""
        M, m = mean_squares(rows)
        values = {"n": len(rows), "d": len(rows[0]), "M": M, "m": m}
        return values | (self.more(rows) if callable(self.more) else self.more or {})

    def error(self, rows: Rows) -> Any:
        """Return the stated error, exact where the inputs are rational with rational norms."""
        formula = expression(self.formula)
        needed, values = names(formula), self.values(rows)
        if {"r", "u"} & set(needed):
            values |= directions(rows, all(_has_rational_norm(row) for row in rows))
        given = {name: values[name] for name in needed}
        exact = not any(isinstance(item, float) for value in given.values() for item in np.ravel(value))
        return evaluate_exact(formula, given) if exact else evaluate(formula, given)


def expression(name: str) -> Any:
    """Return a formula of the claim."""
    return theory.claim("cq_marina/est-exact").expressions[name]


def directions(rows: Rows, exact: bool) -> dict[str, Any]:
    """Return norms r and directions u of the clients; a zero client has the direction 0."""
    r = [rational_norm(row) if exact else float(sum(item**2 for item in row)) ** 0.5 for row in rows]
    u = [[item / norm if norm else F(0) for item in row] for row, norm in zip(rows, r, strict=True)]
    return {"r": r, "u": u}


def _has_rational_norm(row: Sequence[Any]) -> bool:
    try:
        rational_norm(row)
    except ValueError:
        return False
    return True


def weighted_mean_square(rows: Rows, weights: Sequence[Any]) -> Any:
    r"""Return $M_w$ in rationals, literally."""
    n = len(rows)
    squares = [sum((item**2 for item in row), F(0)) for row in rows]
    return sum((square / (n * w) for square, w in zip(squares, weights, strict=True)), F(0)) / n


def block_average(groups: int, rows: Rows) -> Any:
    """Return the average error of CQ-bin over all groups of clients and blocks of coordinates."""
    q, b = len(rows) // groups, len(rows[0]) // groups
    parts = [
        [[row[j] for j in places] for row in clients]
        for clients in itertools.combinations(rows, q)
        for places in itertools.combinations(range(len(rows[0])), b)
    ]
    return sum(_cq_error(part) for part in parts) / len(parts)


def slot_average(draws: int, weights: Sequence[Any], rows: Rows) -> Any:
    """Return the expected error of CQ-bin over the drawn clients."""
    n, total = len(rows), F(0)
    for drawn in itertools.product(range(n), repeat=draws):
        chance = np.prod([weights[i] for i in drawn])
        total += chance * _cq_error([[item / (n * weights[i]) for item in rows[i]] for i in drawn])
    return total


def _cq_error(rows: Any) -> Any:
    """Return the oracle's error of CQ-bin; rational where the norms are."""
    if all(_has_rational_norm(row) for row in rows):
        return CQ_BIN.variance([list(row) for row in rows])
    return CQ_BIN.variance(np.array(rows, dtype=float))


def rand_k(k: int) -> Row:
    """Return the row of independent RandK."""
    return Row(Independent(RandK(k)), "rand_k", {"K": k})


def perm_quantizer(groups: int, correlated: bool, kind: type[PermKQuantizer] = PermKQuantizer) -> Row:
    """Return the row of PermK+CQ or PermK+IQ."""

    def more(rows: Rows) -> dict[str, Any]:
        sizes = {"groups": groups, "q": len(rows) // groups, "b": len(rows[0]) // groups}
        return sizes | ({"V_block": block_average(groups, rows)} if correlated else {})

    return Row(kind(groups, correlated), "perm_cq" if correlated else "perm_iq", more)


def sampling(draws: int, weights: Sequence[Any], k: int | None = None) -> Row:
    """Return the row of importance sampling over RandK(k), or over CQ-bin."""

    def more(rows: Rows) -> dict[str, Any]:
        values = {"tau": draws, "M_w": weighted_mean_square(rows, weights)}
        if k is None:
            return values | {"V_slots": slot_average(draws, weights, rows)}
        return values | {"omega": F(len(rows[0]), k) - 1}

    inner = CQ_BIN if k is None else RandK(k)
    return Row(
        ImportanceSampling(draws, weights, inner), "is_correlated" if k is None else "is_unbiased", more
    )


def partition(weights: Sequence[Any]) -> Row:
    """Return the row of the weighted partition."""
    return Row(
        WeightedPartition(weights), "partition", lambda rows: {"M_w": weighted_mean_square(rows, weights)}
    )


def rows_of(*vectors: Sequence[Any]) -> Rows:
    """Return a joint input in Fractions."""
    return tuple(tuple(F(item) for item in vector) for vector in vectors)


TWO = rows_of((3, 4), (4, -3))
LONG = rows_of((2, 3, 6), (1, 2, -2))
ALONE = rows_of((3, 4), (0, 0))  # the mean has a rational norm
THREE = rows_of((3, 4), (0, -5), (6, -8))
WITH_ZERO = rows_of((3, 4), (0, 0), (5, 12))
FIVE = rows_of((3, 4), (4, -3), (1, 2), (-2, 7), (0, 1))
# All blocks of two coordinates have rational norms.
FOUR = rows_of((3, 4, 0, 0), (0, 3, -4, 0), (0, 0, 0, 0), (0, 0, 0, 0))
FOUR_SMALL = rows_of((3, 4), (4, -3), (0, 1), (-2, 7))
UNEVEN = (F(1, 4), F(3, 4))
# The squared errors spread less than with `WEIGHTS`, so that sampling decides.
MILD = (F(1, 5), F(1, 5), F(3, 10), F(3, 10))

BINARY, TERNARY = Row(CQ_BIN, "exact"), Row(CQ_TERN, "cq_tern")
ENUMERATED: dict[str, tuple[Row, Rows]] = {
    "rand-k": (rand_k(1), THREE),
    "iq-bin": (Row(IQ_BIN, "iq_bin"), THREE),
    "iq-tern": (Row(IQ_TERN, "iq_tern"), THREE),
    "cq-bin-two": (BINARY, TWO),
    "cq-bin-alone": (BINARY, ALONE),
    "cq-bin-long": (BINARY, LONG),
    "cq-bin-three": (BINARY, THREE),
    "cq-bin-zero": (BINARY, WITH_ZERO),
    "cq-tern-two": (TERNARY, TWO),
    "cq-tern-three": (TERNARY, THREE),
    "cq-tern-zero": (TERNARY, WITH_ZERO),
    "perm-k-long": (Row(PermK(), "perm_k"), LONG),
    "perm-k-five": (Row(PermK(), "perm_k"), FIVE),
    "perm-cq": (perm_quantizer(2, True), FOUR),
    "perm-cq-single-coordinates": (perm_quantizer(2, True), FOUR_SMALL),
    "perm-iq": (perm_quantizer(2, False), FOUR),
    "is-cq": (sampling(2, UNEVEN), TWO),
    "is-rand-k": (sampling(2, UNEVEN, 1), LONG),
    "partition": (partition((F(1, 6), F(1, 3), F(1, 2))), THREE),
}
FLOATING = {
    **{
        f"{label}-{name}": (row, rows)
        for name, rows in INPUTS.items()
        for label, row in (
            ("rand-k", rand_k(1)),
            ("iq-bin", Row(IQ_BIN, "iq_bin")),
            ("cq-bin", BINARY),
            ("iq-tern", Row(IQ_TERN, "iq_tern")),
            ("cq-tern", TERNARY),
            ("perm-k", Row(PermK(), "perm_k")),
        )
    },
    "perm-cq-2": (perm_quantizer(2, True), P2),
    "perm-cq-4": (perm_quantizer(4, True), P2),
    "perm-iq-2": (perm_quantizer(2, False), P2),
    "is-cq": (sampling(2, WEIGHTS), P2),
    "is-rand-k": (sampling(2, WEIGHTS, 2), P2),
    "partition": (partition(WEIGHTS), P2),
}
EQUAL = {
    "n4-d2": rows_of(*((3, 4),) * 4),
    "n2-d9": rows_of(*((1,) * 9,) * 2),
    "n3-d5": rows_of(*((1, 0, 0, 0, 0),) * 3),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/est-exact")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.4),
        *(_exact(name, row, rows) for name, (row, rows) in ENUMERATED.items()),
        Check("exact", "equal-inputs", ExactCase(_compare_equal), {"inputs": EQUAL}, seconds=0.1),
        Check("exact", "grids", ExactCase(_compare_floating), {"inputs": INPUTS}, seconds=0.1),
        _sampled("cq-bin-P1", BINARY, P1, ("missing-step", "independent-thresholds"), "quick"),
        _bias("cq-bin-P1-bias", P1),
        _sampled("perm-cq-P2", perm_quantizer(2, True), P2, ("missing-group-scale",), "quick"),
        _sampled("rand-k-P2", rand_k(2), P2, (), "quick"),
        _sampled("iq-tern-P1", Row(IQ_TERN, "iq_tern"), P1, (), "quick"),
        _sampled("perm-iq-P2", perm_quantizer(2, False), P2, (), "quick"),
        _sampled("is-rand-k-P2", sampling(2, MILD, 2), P2, (), "quick", resolution=0.05),
        _sampled("partition-P2", partition(MILD), P2, (), "quick", resolution=0.05),
        _sampled("cq-tern-P1", TERNARY, P1, (), "full"),
        _sampled("is-cq-P2", sampling(2, MILD), P2, (), "full"),
    )


def compare(compressor: JointCompressor, row: Row, rows: Rows, share: Any = 1) -> Iterable[Comparison]:
    """All outcomes against the stated error (times `share`) and against the oracle, in rationals."""
    moments, stated = enumerate_joint(compressor, rows), row.error(rows) * share
    witness = {"a": rows}
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    for j, (mean, true) in enumerate(zip(moments.mean, mean_of(rows), strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, true, witness=witness)
    yield Comparison("enumerated error", "eq", moments.error, stated, witness=witness, headline=True)
    oracle = row.compressor.variance([list(item) for item in rows])
    yield Comparison("oracle", "eq", oracle, stated, witness=witness)


def _exact(name: str, row: Row, rows: Rows) -> Check:
    def case(compressor: JointCompressor, share: Any = 1) -> ExactCase:
        return ExactCase(lambda: compare(compressor, row, rows, share))

    mutants = {}
    if name.startswith("cq-bin"):
        mutants = {
            "missing-step": case(CQ_BIN, F(1, 4)),
            "common-permutation": case(CommonPermutation("binary")),
        }
        # One client alone has nothing to be correlated with.
        unseen = name == "cq-bin-alone"
        mutants |= {"mean-as-scale": case(MeanAsScale("binary"))} if unseen else {}
        mutants |= {} if unseen else {"independent-thresholds": case(IQ_BIN)}
    if name == "perm-cq-single-coordinates":
        mutants = {"missing-group-scale": case(MissingGroupScale(2))}
    seconds = 0.4 if name == "perm-cq" else 0.1
    return Check("exact", name, case(row.compressor), {"a": rows}, mutants, seconds=seconds)


def _compare_equal() -> Iterable[Comparison]:
    """Equal inputs, where the errors are rational: formula and oracle."""
    for rows in EQUAL.values():
        oracle = CQ_BIN.variance([list(row) for row in rows])
        yield Comparison("equal inputs", "eq", oracle, BINARY.error(rows), witness={"a": rows}, headline=True)


def _compare_floating() -> Iterable[Comparison]:
    """Inputs with irrational norms: the oracle of every estimator against the formula."""
    for name, (row, rows) in FLOATING.items():
        oracle = row.compressor.variance(np.array(rows, dtype=float))
        yield Comparison(name, "eq", oracle, row.error(rows), ROUND_OFF, {"a": rows}, headline=True)


def error_sampler(compressor: JointCompressor, rows: Rows) -> Callable[[Any, int], Any]:
    """Return a function (rng, m) -> m independent squared errors of the estimate, (m,)."""
    x = np.array(rows, dtype=float)
    truth = x.mean(axis=0)

    def sample(rng: Any, size: int) -> Any:
        error = compressor.sample(x, rng, size) - truth
        return np.einsum("rd,rd->r", error, error)

    return sample


def largest_error(rows: Rows, reach: float) -> float:
    """Return a sure bound of the squared error where no coordinate of the estimate exceeds `reach`."""
    return float(((reach + np.abs(np.array(rows, dtype=float).mean(axis=0))) ** 2).sum())


def _kept(compressor: Any) -> int:
    """Return how many coordinates RandK keeps at each client."""
    return int(compressor.compressor.k)


def _reach(row: Row, rows: Rows) -> float:
    """Return a sure bound of the coordinates of an estimate."""
    r = np.linalg.norm(np.array(rows, dtype=float), axis=1)
    if isinstance(row.compressor, ImportanceSampling | WeightedPartition):  # one client may stand for all
        inner = getattr(row.compressor, "inner", None)
        factor = len(rows[0]) / _kept(inner) if isinstance(inner, Independent) else 1.0
        return factor * float((r / (len(r) * np.array(row.compressor.weights, dtype=float))).max())
    if isinstance(row.compressor, Independent):
        return float(r.mean()) * len(rows[0]) / _kept(row.compressor)
    if isinstance(row.compressor, PermKQuantizer):  # the mean of any group
        return float(np.sort(r)[-(len(r) // row.compressor.groups) :].mean())
    return float(r.mean())


def _sampled(
    name: str, row: Row, rows: Rows, mutants: Sequence[str], profile: Profile, *, resolution: float = 0.01
) -> Check:
    """Squared errors of samples; a coarser resolution where a few clients make them heavy-tailed."""
    upper = largest_error(rows, _reach(row, rows))

    def case(compressor: JointCompressor, share: float = 1.0) -> MonteCarloCase:
        bound = float(row.error(rows)) * share
        sampler = error_sampler(compressor, rows)
        return MonteCarloCase("eq", sampler, bound, upper=upper, resolution=resolution)

    sabotaged = {
        "missing-step": partial(case, CQ_BIN, 0.25),
        "independent-thresholds": partial(case, IQ_BIN),
        "missing-group-scale": partial(case, MissingGroupScale(2)),
    }
    cases = {key: Lazy(sabotaged[key], tests=1) for key in mutants}
    base = Lazy(partial(case, row.compressor), tests=1)
    return Check("montecarlo", name, base, {"a": rows}, cases, seconds=0.5, profile=profile)


def _bias(name: str, rows: Rows) -> Check:
    """The mean error along one direction, in which no coordinate is left out."""
    x = np.array(rows, dtype=float)
    direction = np.array([1.0, -1.25, 0.75, -1.5])[: x.shape[1]]
    reach = float(np.abs(direction) @ (np.linalg.norm(x, axis=1).mean() + np.abs(x.mean(axis=0))))

    def case(compressor: JointCompressor) -> MonteCarloCase:
        def sample(rng: Any, size: int) -> Any:
            return (compressor.sample(x, rng, size) - x.mean(axis=0)) @ direction

        # A fiftieth of the standard deviation of the errors.
        variance = float(CQ_BIN.variance(x, weight=direction**2))
        return MonteCarloCase(
            "eq", sample, 0.0, lower=-reach, upper=reach, variance=None, tolerance=variance**0.5 / 50
        )

    cases = {"mean-as-scale": Lazy(partial(case, MeanAsScale("binary")), tests=1)}
    return Check("montecarlo", name, Lazy(partial(case, CQ_BIN), tests=1), {"a": rows}, cases, seconds=0.5)
