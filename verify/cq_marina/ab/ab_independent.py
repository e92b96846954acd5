"""Checks of `cq_marina/ab-independent`: all outcomes in rationals, a search, and samplers."""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import (
    Compressor,
    DitheredQuantizer,
    Independent,
    IndependentQuantizer,
    JointCompressor,
    Key,
    NaturalCompression,
    OneBit,
    RandK,
    StochasticQuantizer,
    TernGrad,
    TopK,
    TwoPointRounding,
)
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.conformance.arguments import REFUSALS, arguments, compressor_places, places, taken
from verify.conformance.by_kernels import also_at, as_written, at_both, by_kernels
from verify.conformance.ends_of_range import ends_of_range
from verify.conformance.fast_and_literal import (
    LARGER,
    agreement,
    block_by_block,
    by_a_twister,
    exactly_literal,
    in_pieces,
    largest_levels,
    long_vectors,
    norms_of_blocks,
    received,
)
from verify.conformance.leading_axes import axes_of_clients
from verify.conformance.left_out import LEFT_OUT, left_out
from verify.conformance.messages.forged_scales import forged_norms, forged_scales
from verify.conformance.messages.packed_messages import LONGER, counted, packed
from verify.conformance.nearly_symmetric import skewed_weights
from verify.conformance.node_means import means_over_nodes
from verify.conformance.own_laws import (
    OTHER,
    long_variances,
    near_certain,
    neighbours,
    own_laws,
    sampled_squares,
    stated,
)
from verify.conformance.told_apart import ALL_ALIKE, apart, different, told_apart
from verify.conformance.wrong_arguments import one_of_each, wrong_arguments
from verify.cq_marina.ab.mixtures import CommonThresholds, Mixture
from verify.cq_marina.fixtures.grid_inputs import P3, Rows
from verify.cq_marina.fixtures.joint.client_arguments import client_inside, client_outside
from verify.cq_marina.fixtures.joint.client_compressors import (
    AT_THE_ENDS,
    BLOCKS_DIMENSION,
    CLIENT_COMPRESSORS,
    CLIENT_INPUTS,
    IN_BLOCKS,
    LONG_COMPRESSORS,
    LONG_INPUTS,
    MANY_BLOCKS,
    MANY_EQUALS,
    OF_NODES,
    ONE_COORDINATE,
    ONE_ENTRY,
    RATIONAL,
    client_examples,
    exported,
)
from verify.cq_marina.fixtures.joint.joint_compressors import WITH_NORMS
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.fixtures.joint.sampled_errors import squared_errors
from verify.cq_marina.fixtures.random_atoms import (
    ATOMIC_COMPRESSORS,
    ATOMIC_INPUTS,
    atomic_inside,
    atomic_outside,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase


def largest(omega: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Return A, the largest product of a relative variance and its weight."""
    return max(factor * weight for factor, weight in zip(omega, weights, strict=True))


def unweighted(omega: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Return the constant of uniform weights, whatever the weights are."""
    return max(omega) / F(len(weights))


def _rows(*vectors: Sequence[Any]) -> Rows:
    return tuple(tuple(F(item) for item in vector) for vector in vectors)


def _weights(*parts: int) -> tuple[F, ...]:
    return tuple(F(item, sum(parts)) for item in parts)


def _instance(a: Rows, kinds: Sequence[str], w: Sequence[F], attained: str = "") -> dict[str, Any]:
    """Return inputs, the kind of each client's compressor, weights, and what is attained."""
    return {"a": a, "kinds": tuple(kinds), "w": tuple(w), "attained": attained}


INSTANCES = {
    "binary": _instance(_rows((3, 4), (0, -5), (6, -8)), ("binary",) * 3, _weights(1, 1, 1), "sum and bound"),
    "binary-alone": _instance(
        _rows((0, 0), (0, 0), (0, 0), (3, 4)), ("binary",) * 4, _weights(1, 2, 3, 4), "sum and bound"
    ),
    "binary-weights": _instance(_rows((3, 4), (5, 12), (-8, 6)), ("binary",) * 3, _weights(1, 2, 3), "sum"),
    "ternary-flat": _instance(
        _rows((1, 1, 1, 1), (2, -2, 2, -2)), ("ternary",) * 2, _weights(1, 1), "sum and bound"
    ),
    "ternary": _instance(_rows((1, 2, 2, 4), (1, 1, -3, 5)), ("ternary",) * 2, _weights(1, 1)),
}
MIXTURE = _instance(
    _rows((1, 2, 2, 4), (1, 1, 1, 1), (1, 2, -2, 0)), ("binary", "ternary", "RandK"), _weights(1, 3, 2), "sum"
)

COMPRESSORS = CLIENT_COMPRESSORS | ATOMIC_COMPRESSORS | ONE_COORDINATE
OF_SEVERAL = {repr(made): (made, *law) for made, *law in COMPRESSORS.values() if len(law[0]) == 4}
COMPRESSED = CLIENT_INPUTS | ATOMIC_INPUTS | ONE_ENTRY
WITH_KERNELS = (DitheredQuantizer, NaturalCompression, OneBit, RandK, StochasticQuantizer, TernGrad, TopK)
FOR_KERNELS = {
    name: case
    for name, case in (COMPRESSED | client_examples()).items()
    if type(case[0]) in WITH_KERNELS and case[1].size <= 100 and "norm_bits" not in name
}

ONE_OF_EACH = one_of_each(
    {"few dithers": (DitheredQuantizer(2, points=3), np.array([3.0, -4.0]))} | COMPRESSED | client_examples()
)

judge = checks_of(
    "cq_marina/ab-independent",
    constant=largest,
    quantizer=IndependentQuantizer,
    shrink=lambda rows: rows,
    stated=stated,
    taken=taken,
    received=received,
    counted=counted,
    apart=apart,
)


judge.sabotage(
    *at_both(OTHER[:2], "exact/own-laws", "exact/leading-axes, exact/laws-as-written"),
    *at_both(OTHER[2:], "exact/own-laws", "exact/leading-axes"),
    *also_at(OTHER, "exact/own-laws", "exact/laws-by-kernels"),
    *REFUSALS,
    *at_both(LARGER, "exact/literal", "exact/as-written"),
    *also_at(LARGER, "exact/literal", "exact/by-kernels"),
    *LONGER,
    *ALL_ALIKE,
    "quarter-for-binary at exact/binary*, adversarial/binary-weights: $\\frac d4$, which fits the ternary "
    "grid, for the binary one: exceeded by $\\frac{4(d-1)}d$. | binary = quarter",
    "unweighted-constant at exact/binary-alone, adversarial/binary-weights: $\\max_i\\omega_i/n$ with other "
    "weights: exceeded where a client of large weight is alone.",
    {"constant": unweighted},
    "common-thresholds at exact/equal-clients, montecarlo/equal-clients: One threshold per coordinate for "
    "all clients: equal inputs have $n$ times the error.",
    {"quantizer": CommonThresholds},
    "half-ternary at exact/ternary-flat, adversarial/ternary: $\\frac12(\\sqrt d-1)$ for the ternary grid: "
    "exceeded twice at flat inputs. | ternary = ternary / 2",
    "half-inputs at exact/binary*, exact/ternary*: The messages are those of half the inputs: biased.",
    {"shrink": lambda rows: tuple(tuple(item / 2 for item in row) for row in rows)},
)
judge.sabotage_data(
    "permuted-clients, neutral at exact/binary*, exact/ternary*: Number the clients with their weights in "
    "the reverse order: nothing may change.",
    lambda a, kinds, w, attained: {"a": a[::-1], "kinds": kinds[::-1], "w": w[::-1]},
)


def _squares(a: Rows) -> tuple[F, ...]:
    return tuple(sum((item**2 for item in row), F(0)) for row in a)


def _relative(law: Law, kind: str, d: int) -> Any:
    """Return the stated relative variance of a compressor."""
    return F(d - 1) if kind == "RandK" else law.exactly(kind, d=d)


def _outcomes(law: Law, a: Rows, kinds: Sequence[str], w: Sequence[F], attained: str) -> Iterable[Comparison]:
    """All outcomes against the stated sum and the bound."""
    n, d, square = len(a), len(a[0]), _squares(a)
    compressors = tuple(Independent(RandK(1)) if kind == "RandK" else law.quantizer(kind) for kind in kinds)
    moments = enumerate_joint(Mixture(compressors), law.shrink(a))
    for mean, true in zip(moments.mean, mean_of(a), strict=True):
        yield eq("mean of a coordinate", mean, true)
    omega = [_relative(law, kind, d) for kind in kinds]
    total = law.exactly("sum", n=n, omega=omega, square=square)
    yield (eq if attained else le)("sum of the clients", moments.error, total)
    M_w = law.exactly("weighted_mean_square", n=n, square=square, w=w)
    bound = law.exactly("bound", A=law.constant(omega, w), M_w=M_w)
    yield le("bound", moments.error, bound, headline=True)
    if attained.endswith("bound"):
        yield eq("attained", moments.error, bound)
    yield le("quarter", law.exactly("ternary", d=4), law.exactly("quarter", d=4))


judge.exact(instances=INSTANCES)(_outcomes)
judge.exact(instances={"mixture": MIXTURE})(_outcomes)


@judge.exact(a=_rows(*((3, 4),) * 3))
def equal_clients(law: Law, a: Rows) -> Iterable[Comparison]:
    """Three equal inputs, where common thresholds have three times the error."""
    n, d = len(a), len(a[0])
    error = enumerate_joint(law.quantizer("binary"), a).error
    total = law.exactly("sum", n=n, omega=(law.exactly("binary", d=d),) * n, square=_squares(a))
    yield eq("equal clients", error, total, headline=True)


@judge.adversarial(
    instances={
        "binary-weights": {"grid": "binary", "w": _weights(1, 2, 3)},
        "ternary": {"grid": "ternary", "w": _weights(1, 1)},
    },
    d=4,
)
def search(law: Law, grid: str, w: Sequence[F], d: int) -> AdversarialCase:
    """Inputs above the bound; those that attain it are among the first."""
    n, weights = len(w), [float(item) for item in w]
    A = float(law.constant([law(grid, d=d)] * n, weights))
    alone, flat = np.zeros((n, d)), np.ones((n, d))
    alone[-1] = 1.0

    def bound(inputs: Any) -> Any:
        squares = (inputs.reshape(-1, n, d) ** 2).sum(axis=-1)
        return A * (squares / (n * np.array(weights))).mean(axis=-1)

    quantizer = law.quantizer(grid)
    return AdversarialCase(
        lambda inputs: quantizer.variance(inputs.reshape(-1, n, d)),
        bound,
        n * d,
        starts=(alone.ravel(), flat.ravel()),
        budget=800,
    )


@judge.montecarlo(
    instances={
        "equal-clients": {"grid": "ternary", "a": _rows(*((1, 1, 1, 1),) * 3)},
        "P3": {"grid": "binary", "a": P3},
    },
    label="sampled error",
)
def sampled(law: Law, grid: str, a: Rows) -> MonteCarloCase:
    """The stated sum for inputs at which each client attains its relative variance."""
    x = np.array(a, dtype=float)
    n, d = x.shape
    squares = (x**2).sum(axis=1)
    total = law("sum", n=n, omega=[law(grid, d=d)] * n, square=squares)
    reach = np.sqrt(squares).mean()
    upper = float(((reach + np.abs(x.mean(axis=0))) ** 2).sum())
    compressor: JointCompressor = law.quantizer(grid)
    return MonteCarloCase("eq", squared_errors(compressor, a), total, upper=upper)


@judge.exact(instance="own-laws", count=len(COMPRESSORS))
def own(law: Law, count: int) -> Iterable[Comparison]:
    """What compressors of one client state of their laws, and messages, are what their outcomes give."""
    del count
    yield from own_laws(law.stated, COMPRESSORS)
    yield from skewed_weights(law.stated, COMPRESSORS)
    yield from long_variances(law.stated, LONG_COMPRESSORS)
    yield from sampled_squares(law.stated, COMPRESSED)
    yield from near_certain(law.stated, RATIONAL)
    yield from neighbours(law.stated, {n: c for n, c in RATIONAL.items() if isinstance(c, TwoPointRounding)})


@judge.exact(instance="leading-axes", count=len(OF_SEVERAL))
def axes(law: Law, count: int) -> Iterable[Comparison]:
    """Of several vectors, and of none, they make and say what they do of each alone."""
    yield from axes_of_clients(law.stated, OF_SEVERAL, seed=count)


@judge.exact(instance="laws-by-kernels", profile="full", count=len(COMPRESSORS))
def laws_by_kernels(law: Law, count: int) -> Iterable[Comparison]:
    """The same of laws, with kernels, where they are installed."""
    del count
    yield from by_kernels(own_laws, law.stated, COMPRESSORS)
    yield from by_kernels(long_variances, law.stated, LONG_COMPRESSORS)


@judge.exact(count=len(COMPRESSED))
def literal(law: Law, count: int) -> Iterable[Comparison]:
    """What is received, as such, as messages and as samples, is what the literal method gives."""
    yield from agreement(law.received, COMPRESSED | client_examples(), seed=count)
    yield from long_vectors(law.received, LONG_COMPRESSORS, seed=count)
    yield from exactly_literal(law.received, MANY_EQUALS, seed=count)
    yield from block_by_block(law.received, IN_BLOCKS, BLOCKS_DIMENSION, seed=count)
    yield from norms_of_blocks(law.received, MANY_BLOCKS, BLOCKS_DIMENSION, seed=count)
    yield from means_over_nodes(law.received, OF_NODES, seed=count)
    yield from largest_levels(law.received, {"49 levels": StochasticQuantizer(1 / 49, norm="max")})
    yield from ends_of_range(law.received, AT_THE_ENDS, seed=count)
    yield from by_a_twister(law.received, {"quarters": StochasticQuantizer(0.25)}, seed=count)


@judge.exact(instance="by-kernels", profile="full", count=len(COMPRESSED))
def kernels(law: Law, count: int) -> Iterable[Comparison]:
    """The same with kernels, where they are installed."""
    yield from by_kernels(agreement, law.received, COMPRESSED | client_examples(), count)
    yield from by_kernels(long_vectors, law.received, LONG_COMPRESSORS, count)
    yield from by_kernels(in_pieces, law.received, LONG_INPUTS, count)


@judge.exact(instance="as-written", count=len(FOR_KERNELS))
def written(law: Law, count: int) -> Iterable[Comparison]:
    """The same of short vectors by kernels that run as Python."""
    yield from as_written(agreement, law.received, FOR_KERNELS, count)
    nodes = {name: OF_NODES[name] for name in ("quantizer", "RandK")}
    yield from as_written(means_over_nodes, law.received, nodes, count, 3)


@judge.exact(instance="laws-as-written", count=len(COMPRESSORS))
def laws_written(law: Law, count: int) -> Iterable[Comparison]:
    """Variances and sampled squares of errors by kernels that run as Python."""
    del count
    yield from as_written(long_variances, law.stated, LONG_COMPRESSORS)
    rounded = {n: case for n, case in FOR_KERNELS.items() if type(case[0]) in (StochasticQuantizer, TernGrad)}
    yield from as_written(sampled_squares, law.stated, rounded)


@judge.exact(instance="packed", count=len(COMPRESSED))
def packed_messages(law: Law, count: int) -> Iterable[Comparison]:
    """Payloads are as long as messages say, and the key of a round is all that the receiver needs."""
    inputs = {name: (codec, x) for name, (codec, x, _) in (COMPRESSED | client_examples()).items()}
    yield from packed(law.counted, inputs, Key((count, 2**64 - 1), 5, 7, 1))
    yield from forged_scales(law.counted, AT_THE_ENDS, 7, seed=count)
    yield from forged_norms(law.counted, WITH_NORMS, 4, 8)


@judge.exact(d=2)
def domain(law: Law, d: int) -> Iterable[Comparison]:
    """Compressors of one client take finite vectors, draws that fit, and numbers that mean something."""
    del d
    yield from arguments(
        law.taken, {**client_inside(), **atomic_inside()}, {**client_outside(), **atomic_outside()}
    )
    yield from places(law.taken, compressor_places(COMPRESSED))
    yield from wrong_arguments(law.taken, ONE_OF_EACH)


@judge.exact(instance="told-apart", count=len(COMPRESSED))
def told(law: Law, count: int) -> Iterable[Comparison]:
    """Compressors are equal where kind and parameters are, told apart where not; defaults are as stated."""
    del count
    made = {name: codec for name, (codec, *_) in (COMPRESSORS | COMPRESSED).items()}
    made |= {repr(codec): codec for codec in exported(Compressor)}
    words = (7, 2**64 - 1, 5, 3, 1)
    digest = hashlib.sha256(struct.pack("<5Q", *words)).digest()[:16]
    key = Key(words[:2], *words[2:])
    scaled = {f"a scale of {scale}": DitheredQuantizer(3, scale=scale) for scale in (1.0, 2.0)}
    yield from told_apart(law.apart, different(made) | scaled, [(key.digest(), digest)])
    yield from left_out(law.apart, LEFT_OUT)
