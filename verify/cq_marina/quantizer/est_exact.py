"""Checks of `cq_marina/est-exact`: all outcomes in rationals, and literal samplers against the oracles."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

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
from impl.compressors.joint.joint_message import RoundKey
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.conformance.arguments import REFUSALS, arguments, compressor_places, places, taken
from verify.conformance.by_kernels import also_at, as_written, at_both, by_kernels
from verify.conformance.leading_axes import axes_of_joint, many_long_clients
from verify.conformance.messages.joint_messages import (
    ALL_LARGER,
    clients_told,
    in_blocks,
    joint_agreement,
    over_rounds,
    received,
)
from verify.conformance.own_laws import (
    OTHER,
    laws_of_many,
    own_joint_laws,
    sampled_joint_squares,
    shifted_lengths,
    stated,
)
from verify.conformance.told_apart import ALL_ALIKE, apart, different, told_apart
from verify.conformance.wrong_arguments import one_of_each, wrong_arguments
from verify.cq_marina.fixtures.est_exact_sabotage import CommonPermutation, MeanAsScale, MissingGroupScale
from verify.cq_marina.fixtures.estimator_values import (
    block_average,
    directions,
    has_rational_norm,
    slot_average,
    weighted_mean_square,
)
from verify.cq_marina.fixtures.grid_inputs import (
    ALONE,
    FIVE,
    FOUR,
    FOUR_SMALL,
    INPUTS,
    LONG,
    P1,
    P2,
    THREE,
    TWO,
    WEIGHTS,
    WITH_ZERO,
    Rows,
    rows_of,
)
from verify.cq_marina.fixtures.joint.joint_arguments import joint_inside, joint_outside
from verify.cq_marina.fixtures.joint.joint_compressors import (
    BLOCKED,
    CQ_BIN,
    CQ_TERN,
    EIGHTHS,
    IQ_BIN,
    IQ_TERN,
    JOINT_COMPRESSORS,
    JOINT_FOR_KERNELS,
    JOINT_INPUTS,
    LONG_JOINT,
    MANY_CLIENTS,
    SHIFTED,
    SHORT_ENTRIES,
    SMALL_INPUTS,
    joint_examples,
)
from verify.cq_marina.fixtures.joint.joint_enumeration import (
    enumerate_joint,
    estimates,
    mean_of,
    mean_squares,
)
from verify.cq_marina.fixtures.joint.reach_of_estimates import largest_square
from verify.cq_marina.fixtures.joint.sampled_errors import squared_errors
from verify.formulas.evaluation import names
from verify.rungs.montecarlo import MonteCarloCase

judge = checks_of(
    "cq_marina/est-exact",
    cq=CorrelatedQuantizer,
    groups=PermKQuantizer,
    stated=stated,
    received=received,
    taken=taken,
    apart=apart,
)


judge.sabotage(
    *at_both(OTHER[:2], "exact/own-laws", "exact/laws-as-written"),
    *OTHER[2:],
    *ALL_ALIKE,
    *at_both(ALL_LARGER, "exact/literal", "exact/as-written"),
    *also_at(ALL_LARGER, "exact/literal", "exact/by-kernels"),
    *REFUSALS,
    "missing-step at exact/cq-bin-*, exact/equal-inputs, montecarlo/cq-bin-P1: Forget the factor $(2r)^2$ "
    "of a bit, taking $r^2$: a quarter of the error of CQ. | exact = exact / 4",
    "mean-as-scale at exact/cq-bin-alone, montecarlo/cq-bin-P1-bias: $\\|\\bar a\\|$ as the scale of all "
    "clients, clipped: biased where a client is larger.",
    {"cq": MeanAsScale},
    "missing-group-scale at exact/perm-cq-single-coordinates, montecarlo/perm-cq-P2: Groups with CQ without "
    "the factor $g$, the number of groups: the mean is $\\bar a/g$.",
    {"groups": MissingGroupScale},
)
judge.sabotage(
    "independent-thresholds at montecarlo/cq-bin-P1: Claim the error of CQ for independent thresholds.",
    cq=IndependentQuantizer,
    at=(*(f"exact/cq-bin-{name}" for name in ("two", "long", "three", "zero")),),
)
judge.sabotage(
    "common-permutation at exact/cq-bin-two, exact/cq-bin-three: One permutation for all coordinates: the "
    "error is a sum over coordinates and does not change, the joint law does.",
    cq=CommonPermutation,
)


@dataclass(frozen=True)
class Row:
    """One row of the table: a compressor with the formula of its error and what that needs beside inputs."""

    compressor: JointCompressor
    formula: str
    more: Any = None  # values by name, or a function from the inputs to them
    by: Callable[[Law], JointCompressor] | None = None  # the implementation that is judged

    def made(self, law: Law) -> JointCompressor:
        """Return the compressor that is judged."""
        return self.compressor if self.by is None else self.by(law)

    def values(self, rows: Rows) -> dict[str, Any]:
        """Return the values that the formula may need."""
        M, m = mean_squares(rows)
        n, d = len(rows), len(rows[0])
        values = {"n": n, "d": d, "M": M, "m": m, "s": n // d, "t": n % d}
        return values | (self.more(rows) if callable(self.more) else self.more or {})

    def error(self, law: Law, rows: Rows) -> Any:
        """Return the stated error, exact where the inputs are rational with rational norms."""
        needed, values = names(judge.units[0].law.formulas[self.formula]), self.values(rows)
        if {"r", "u"} & set(needed):
            values |= directions(rows, all(has_rational_norm(row) for row in rows))
        given = {name: values[name] for name in needed}
        exact = not any(isinstance(item, float) for value in given.values() for item in np.ravel(value))
        return law.exactly(self.formula, **given) if exact else law(self.formula, **given)


def rand_k(k: int) -> Row:
    """Return the row of independent RandK."""
    return Row(Independent(RandK(k)), "rand_k", {"K": k})


def perm_quantizer(groups: int, correlated: bool) -> Row:
    """Return the row of PermK+CQ or PermK+IQ."""

    def more(rows: Rows) -> dict[str, Any]:
        sizes = {"groups": groups, "q": len(rows) // groups, "b": len(rows[0]) // groups}
        return sizes | ({"V_block": block_average(groups, rows)} if correlated else {})

    name = "perm_cq" if correlated else "perm_iq"
    return Row(PermKQuantizer(groups, correlated), name, more, lambda law: law.groups(groups, correlated))


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


UNEVEN = (F(1, 4), F(3, 4))
# The squared errors spread less than with `WEIGHTS`, so that sampling decides.
MILD = (F(1, 5), F(1, 5), F(3, 10), F(3, 10))

BINARY = Row(CQ_BIN, "exact", by=lambda law: law.cq("binary"))
TERNARY = Row(CQ_TERN, "cq_tern")
ENUMERATED: dict[str, tuple[Row, Rows]] = {
    "rand-k": (rand_k(1), THREE),
    "rand-k-two": (rand_k(2), LONG),
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
    "perm-k-five": (Row(PermK(), "perm_few"), FIVE),
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
            ("perm-k", Row(PermK(), "perm_k" if name != "P3" else "perm_few")),
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


@judge.exact(instances={name: {"name": name} for name in ENUMERATED})
def enumerated(law: Law, name: str) -> Iterable[Comparison]:
    """All outcomes against the stated error and against the oracle, in rationals."""
    row, rows = ENUMERATED[name]
    compressor, witness = row.made(law), {"a": rows}
    moments, stated, truth = enumerate_joint(compressor, rows), row.error(law, rows), mean_of(rows)
    for mean, true in zip(moments.mean, truth, strict=True):
        yield eq("mean", mean, true, witness=witness)
    yield eq(row.formula, moments.error, stated, witness=witness, headline=True)
    oracle = row.compressor.variance([list(item) for item in rows])
    yield eq(f"oracle of {row.formula}", oracle, stated, witness=witness)
    if row is BINARY:
        products = (
            chance * (found[0] - truth[0]) * (found[1] - truth[1])
            for chance, found in estimates(compressor, rows)
        )
        yield eq("covariance of two coordinates", sum(products, F(0)), 0, witness=witness)


@judge.exact(parameters={"inputs": EQUAL})
def equal_inputs(law: Law) -> Iterable[Comparison]:
    """Equal inputs, where the errors are rational: formula and oracle."""
    for rows in EQUAL.values():
        oracle = CQ_BIN.variance([list(row) for row in rows])
        yield eq("equal inputs", oracle, BINARY.error(law, rows), witness={"a": rows}, headline=True)


@judge.exact(parameters={"inputs": INPUTS})
def grids(law: Law) -> Iterable[Comparison]:
    """Inputs with irrational norms: the oracle of every estimator against the formula."""
    for name, (row, rows) in FLOATING.items():
        oracle, shown = row.compressor.variance(np.array(rows, dtype=float)), {"row": name, "a": rows}
        stated = float(row.error(law, rows))
        yield eq("oracle in floating point", oracle, stated, ROUND_OFF, witness=shown, headline=True)


# A coarser resolution where a few clients make the squared errors heavy-tailed.
SAMPLED: dict[str, tuple[Row, Rows, float]] = {
    "cq-bin-P1": (BINARY, P1, 0.01),
    "perm-cq-P2": (perm_quantizer(2, True), P2, 0.01),
    "rand-k-P2": (rand_k(2), P2, 0.01),
    "iq-tern-P1": (Row(IQ_TERN, "iq_tern"), P1, 0.01),
    "perm-iq-P2": (perm_quantizer(2, False), P2, 0.01),
    "is-rand-k-P2": (sampling(2, MILD, 2), P2, 0.05),
    "partition-P2": (partition(MILD), P2, 0.05),
    "cq-tern-P1": (TERNARY, P1, 0.01),
    "is-cq-P2": (sampling(2, MILD), P2, 0.01),
}
_FULL = ("cq-tern-P1", "is-cq-P2")


def _error(law: Law, name: str) -> MonteCarloCase:
    """Squared errors of samples."""
    row, rows, resolution = SAMPLED[name]
    sampler, upper = squared_errors(row.made(law), rows), largest_square(row.compressor, rows)
    return MonteCarloCase("eq", sampler, float(row.error(law, rows)), upper=upper, resolution=resolution)


judge.montecarlo(
    _error, label="error", instances={name: {"name": name} for name in SAMPLED if name not in _FULL}
)
judge.montecarlo(_error, label="error", profile="full", instances={name: {"name": name} for name in _FULL})


@judge.montecarlo(instance="cq-bin-P1-bias", parameters={"a": P1})
def bias(law: Law) -> MonteCarloCase:
    """The mean error along one direction, in which no coordinate is left out."""
    x = np.array(P1, dtype=float)
    direction = np.array([1.0, -1.25, 0.75, -1.5])[: x.shape[1]]
    reach = float(np.abs(direction) @ (np.linalg.norm(x, axis=1).mean() + np.abs(x.mean(axis=0))))
    compressor = law.cq("binary")

    def sample(rng: Any, size: int) -> Any:
        return (compressor.sample(x, rng, size) - x.mean(axis=0)) @ direction

    # A fiftieth of the standard deviation of the errors.
    variance = float(CQ_BIN.variance(x, weight=direction**2))
    return MonteCarloCase(
        "eq", sample, 0.0, lower=-reach, upper=reach, variance=None, tolerance=variance**0.5 / 50
    )


@judge.exact(instance="own-laws", count=len(JOINT_COMPRESSORS))
def own(law: Law, count: int) -> Iterable[Comparison]:
    """What joint compressors state of their laws and messages is what their outcomes give."""
    yield from own_joint_laws(law.stated, JOINT_COMPRESSORS)
    yield from axes_of_joint(law.stated, JOINT_COMPRESSORS, seed=count)
    yield from many_long_clients(law.stated, CQ_BIN, 70, 2000)
    yield from clients_told(law.stated, JOINT_INPUTS)
    yield from laws_of_many(law.stated, MANY_CLIENTS, SHORT_ENTRIES)
    yield from sampled_joint_squares(law.stated, JOINT_COMPRESSORS)
    drawn, *fixed = SHIFTED.values()
    yield from shifted_lengths(law.stated, drawn, fixed, EIGHTHS)


@judge.exact(count=len(JOINT_INPUTS))
def literal(law: Law, count: int) -> Iterable[Comparison]:
    """Decoded clients, bits and packed messages of joint compressors are those of their literal method."""
    del count
    yield from joint_agreement(law.received, JOINT_INPUTS | joint_examples(), RoundKey((1, 2**64 - 1), 3, 1))
    yield from over_rounds(law.received, JOINT_INPUTS)
    yield from in_blocks(law.received, BLOCKED, LONG_JOINT, seed=3)


@judge.exact(instance="by-kernels", profile="full", count=len(JOINT_INPUTS))
def kernels(law: Law, count: int) -> Iterable[Comparison]:
    """The same with kernels, where they are installed."""
    key = RoundKey((count, 2**64 - 1), 3, 1)
    yield from by_kernels(joint_agreement, law.received, JOINT_INPUTS | joint_examples(), key)


@judge.exact(instance="as-written", count=len(JOINT_FOR_KERNELS))
def written(law: Law, count: int) -> Iterable[Comparison]:
    """The same by kernels that run as Python."""
    key = RoundKey((count, 2**64 - 1), 3, 1)
    yield from as_written(joint_agreement, law.received, JOINT_FOR_KERNELS, key)
    yield from as_written(over_rounds, law.received, JOINT_INPUTS)


@judge.exact(instance="laws-as-written", count=len(JOINT_COMPRESSORS))
def laws_written(law: Law, count: int) -> Iterable[Comparison]:
    """Sampled squares of errors by kernels that run as Python."""
    del count
    drawn = {n: row for n, row in JOINT_COMPRESSORS.items() if isinstance(row[0], CorrelatedQuantizer)}
    yield from as_written(sampled_joint_squares, law.stated, drawn)


@judge.exact(n=2, d=2)
def domain(law: Law, n: int, d: int) -> Iterable[Comparison]:
    """One finite row and one message for each client, weights that sum to 1, draws that fit."""
    del n, d
    yield from arguments(law.taken, joint_inside(), joint_outside())
    yield from places(law.taken, compressor_places(JOINT_INPUTS))
    yield from wrong_arguments(law.taken, one_of_each(SMALL_INPUTS | JOINT_INPUTS))


@judge.exact(instance="told-apart", count=len(JOINT_INPUTS))
def told(law: Law, count: int) -> Iterable[Comparison]:
    """Joint compressors are equal where kind and parameters are, and told apart where one of these is not."""
    del count
    rows = JOINT_COMPRESSORS | JOINT_INPUTS | joint_examples()
    yield from told_apart(law.apart, different({name: made for name, (made, *_) in rows.items()}))
