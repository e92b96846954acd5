"""Checks of `cq_marina/ab-compose`: exact errors of the instances against the composed constants."""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import (
    CorrelatedQuantizer,
    Draws,
    ImportanceSampling,
    Independent,
    JointCompressor,
    PermKQuantizer,
    RandK,
    WeightedPartition,
)
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.cq_marina.ab import joint_events
from verify.cq_marina.fixtures.grid_inputs import P2, WEIGHTS, Rows
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

UNIFORM = (F(1, 4),) * 4


@dataclass(frozen=True)
class Instance:
    """A sampling of four clients with a scheme after it.

    Args:
        make: Builds the compressor from the weights of the clients.
        inputs: Joint input (4, d).
        sizes: Clients of a group and coordinates of a block, or draws (with d where the scheme is CQ).
        scheme: `independent`, `correlated`, `unbiased` (relative variance 1) or `exact`.
        weights: Weights of the clients.
        is_attained: Whether the bound is attained.
        is_rational: Whether all norms are rational, so that everything is compared exactly.
    """

    make: Callable[[Sequence[F]], JointCompressor]
    inputs: Rows
    sizes: Mapping[str, int]
    scheme: str
    weights: Sequence[F] = UNIFORM
    is_attained: bool = True
    is_rational: bool = True

    @property
    def clients(self) -> tuple[int, int]:
        """Return the numbers of clients and of coordinates that the scheme sees."""
        first, *rest = self.sizes.values()
        return first, rest[0] if rest else len(self.inputs[0])


def _rows(*vectors: Sequence[int]) -> Rows:
    return tuple(tuple(F(item) for item in vector) for vector in vectors)


def one_client(d: int) -> Rows:
    """Return the first unit vector at the first of four clients and zeros elsewhere."""
    return _rows((1, *(0,) * (d - 1)), *((0,) * d,) * 3)


def _permk(inputs: Rows, groups: int, correlated: bool = True, **more: Any) -> Instance:
    """PermK with a quantizer; groups of one client have independent thresholds."""
    q, size = 4 // groups, len(inputs[0]) // groups
    scheme = "correlated" if correlated and q > 1 else "independent"
    make = functools.partial(PermKQuantizer, groups, correlated=correlated)
    return Instance(lambda _: make(), inputs, {"q": q, "size": size}, scheme, **more)


def _sampled_cq(inputs: Rows, **more: Any) -> Instance:
    def make(w: Sequence[F]) -> JointCompressor:
        return ImportanceSampling(2, w, CorrelatedQuantizer("binary"))

    return Instance(make, inputs, {"tau": 2}, "correlated", WEIGHTS, **more)


# All rescaled inputs are equal, (1, 1, 1, 1).
BALANCED = tuple((4 * w,) * 4 for w in WEIGHTS)
INSTANCES = {
    "permk-iq-p2": _permk(P2, 2, correlated=False, is_rational=False),
    "permk-cq-p2": _permk(P2, 2, is_attained=False, is_rational=False),
    "permk-cq-singles-p2": _permk(P2, 4),
    "permk-cq-ones": _permk(_rows(*((1,) * 8,) * 4), 2),
    "permk-cq-one-client-10": _permk(one_client(10), 2, is_rational=False),
    "permk-cq-one-client-12": _permk(one_client(12), 2, is_rational=False),
    "is-randk-p2": Instance(
        lambda w: ImportanceSampling(2, w, Independent(RandK(2))), P2, {"tau": 2}, "unbiased", WEIGHTS
    ),
    "is-cq-p2": _sampled_cq(P2, is_attained=False, is_rational=False),
    "is-cq-balanced": _sampled_cq(BALANCED),
    "partition-p2": Instance(WeightedPartition, P2, {"tau": 1}, "exact", WEIGHTS),
}
SLOW = "permk-cq-one-client-12"


judge = checks_of(
    "cq_marina/ab-compose",
    weights=lambda weights: weights,
    group_error=lambda law, n, q: law.exactly("theta_group", n=n, q=q),
    sampling_error=lambda error: error,
    rescale=lambda row, weight: [item / (4 * weight) for item in row],
    groups=lambda n, q: list(itertools.combinations(range(n), q)),
    sampler=ImportanceSampling,
    draw=joint_events.honest,
)


class UniformBits(ImportanceSampling):
    """Importance sampling whose expected bits are those of equal weights."""

    def expected_bits(self, x: Any) -> Any:
        alike = ImportanceSampling(self.draws, UNIFORM, self.inner)
        return alike.expected_bits(x)


judge.sabotage(
    "without-factor at exact/permk-cq-ones, exact/is-cq-balanced, adversarial/*: Omit $1-B_q$ on $B$ only: "
    "$B=B_q+\\theta$, exceeded 1.5 times by equal inputs of ones at $n=4$, $d=8$ in two groups. Where "
    "$B_q=0$ it changes nothing. | B = B + theta * B_q",
    "one-over-q at exact/permk-cq-one-client-*, exact/sampled-group: $\\theta=\\frac1q$ for PermK, as for "
    "draws with replacement: exceeded by one client where $B_q>1$, 1.0476 times at $n=4$, $d=12$ in two "
    "groups.",
    {"group_error": lambda law, n, q: F(1, q)},
    "plain-mean-square at exact/is-randk-p2, exact/partition-p2, exact/sampled-draws: $M$ for $M_w$: "
    "exceeded where a rarely drawn client has the largest input.",
    {"weights": lambda _: UNIFORM},
    "no-sampling-error at exact/permk-iq-p2, exact/is-randk-p2, exact/partition-p2, exact/sampled-*, "
    "adversarial/is-cq-n4-d3: $A_q$ and $B_q$ for $A$ and $B$: the error of the sample is forgotten. At "
    "$B_q=1$ it is none.",
    {"sampling_error": lambda error: 0 * error},
    "unscaled at exact/sampled-draws: Clients that are drawn are not rescaled by their weights.",
    {"rescale": lambda row, weight: row},
    "neighbours at exact/sampled-group: The groups of consecutive clients alone: pairs are not alike.",
    {"groups": lambda n, q: [range(i, i + q) for i in range(0, n, q)]},
    "second-term at exact/scheme-constants: The second term of the maximum for $B_q$ alone: wrong for few "
    "coordinates.",
    {"group_B": lambda formula: formula.args[1], "slot_B": lambda formula: formula.args[1]},
    "uniform-bits at exact/bits-of-a-client: The bits of importance sampling are counted with equal weights.",
    {"sampler": UniformBits},
    "common-draws at montecarlo/two-coordinates-*: All coordinates share one permutation or one owner: no "
    "coordinate alone shows it.",
    {"draw": joint_events.sabotaged},
    "uniform-owners at montecarlo/owner-partition: The owners of the weighted partition are drawn with "
    "equal weights.",
    {"draw": joint_events.sabotaged},
    "swapped-clients at montecarlo/client-of-a-slot: The sampled clients are those with the weights of "
    "others.",
    {"draw": joint_events.sabotaged},
)


# With one client there are thousands of subsets.
judge.sabotage_data(
    "permuted-clients, neutral: Number clients, with their weights, and coordinates in the reverse order: "
    "nothing may change.",
    lambda name, order: {"order": -order},
    at=tuple(f"exact/{name}" for name in INSTANCES if "one-client" not in name),
)


def relative_error(law: Law, sizes: Mapping[str, int], n: int = 4) -> Any:
    """Return the stated relative error of the sample."""
    if "q" in sizes:
        return law.sampling_error(law.group_error(law, n, sizes["q"]))
    return law.sampling_error(law.exactly("theta_draws", tau=sizes["tau"]))


def compose(law: Law, scheme: str, sizes: Mapping[str, int], coordinates: int) -> tuple[Any, Any]:
    """Return the stated A and B."""
    A_q, B_q = F(0), F(0)
    if scheme == "correlated" and "q" in sizes:
        B_q = law.exactly("group_B", **sizes)
        A_q = B_q + law.exactly("group_difference", **sizes)
    elif scheme == "correlated":
        slots = {**sizes, "d": coordinates}
        B_q = law.exactly("slot_B", **slots)
        A_q = B_q + law.exactly("slot_difference", **slots)
    elif scheme == "independent":
        A_q = law.exactly("independent_A", **sizes)
    elif scheme == "unbiased":
        A_q = law.exactly("unbiased_A", omega=1, **sizes)
    error = relative_error(law, sizes)
    return law.exactly("A", A_q=A_q, B_q=B_q, theta=error), law.exactly("B", B_q=B_q, theta=error)


def weighted_squares(inputs: Rows, weights: Sequence[F]) -> tuple[F, F]:
    """Return M_w and m."""
    n = len(inputs)
    square = sum((item**2 / (n * w) for row, w in zip(inputs, weights, strict=True) for item in row), F(0))
    m = sum((sum(column, F(0)) ** 2 for column in zip(*inputs, strict=True)), F(0)) / n**2
    return square / n, m


@functools.cache
def exact_error(name: str, order: int) -> Any:
    """Return the exact error; mutants of the bound have that of the base."""
    instance = INSTANCES[name]
    inputs = [list(row[::order]) for row in instance.inputs[::order]]
    compressor = instance.make(instance.weights[::order])
    if instance.is_rational:
        return compressor.variance(inputs)
    return float(compressor.variance(np.array(inputs, dtype=float)))


def composed(law: Law, name: str, order: int) -> Iterable[Comparison]:
    """The exact error against the composed bound, and the constants of the instance."""
    instance = INSTANCES[name]
    clients, coordinates = instance.clients
    A, B = compose(law, instance.scheme, instance.sizes, coordinates)
    weights = law.weights(instance.weights)
    M_w, m = weighted_squares(tuple(row[::order] for row in instance.inputs[::order]), weights[::order])
    tolerance = EXACT if instance.is_rational else ROUND_OFF
    error, bound = exact_error(name, order), law.exactly("bound", A=A, B=B, M_w=M_w, m=m)
    yield le("error", error, bound, tolerance, headline=True)
    if instance.is_attained:
        yield eq("attained", error, bound, tolerance)
    if instance.scheme == "correlated":
        difference = "group_difference" if "q" in instance.sizes else "slot_difference"
        values = instance.sizes if "q" in instance.sizes else {"tau": clients, "d": coordinates}
        yield eq("difference of the constants", A - B, law.exactly(difference, **values))
    elif instance.scheme == "independent":
        own = law.exactly("permk_iq_A", n=4, **instance.sizes)
        yield eq("constants of independent thresholds", A, own)
        if clients == 1:
            yield eq("constants of single clients", A, F(coordinates))
            yield eq("second constant of single clients", B, F(1))
    else:
        omega = 1 if instance.scheme == "unbiased" else 0
        yield eq("constants of draws", A, law.exactly("is_A", tau=clients, omega=omega))


def _named(*names: str) -> dict[str, Mapping[str, Any]]:
    return {name: {"name": name, "order": 1} for name in names}


judge.exact(instances=_named(*(name for name in INSTANCES if name != SLOW)), parameters={"clients": 4})(
    composed
)
judge.exact(instances=_named(SLOW), parameters={"clients": 4}, profile="full")(composed)


@judge.exact(clients=(2, 3, 5, 8), coordinates=(1, 4, 9))
def scheme_constants(law: Law, clients: Sequence[int], coordinates: Sequence[int]) -> Iterable[Comparison]:
    """The constants of CQ for groups and for slots are those of `cq_marina/ab-cq`, in both of its cases."""
    pair = law.of("cq_marina/ab-cq")
    for n, d in itertools.product(clients, coordinates):
        A, B = pair.exactly("A", n=n, d=d), pair.exactly("B", n=n, d=d)
        yield eq("constants of CQ", law.exactly("group_B", q=n, size=d), B)
        yield eq("constants of CQ in slots", law.exactly("slot_B", tau=n, d=d), B)
        yield eq("difference of the constants of CQ", law.exactly("group_difference", q=n, size=d), A - B)
        yield eq("difference for CQ in slots", law.exactly("slot_difference", tau=n, d=d), A - B)


@judge.exact(instances={"sampled-group": {"sizes": {"q": 2}}, "sampled-draws": {"sizes": {"tau": 2}}})
def sampled(law: Law, sizes: Mapping[str, int]) -> Iterable[Comparison]:
    """All groups, or all sequences of draws: mean, mean of squares and error of the sample."""
    weights = UNIFORM if "q" in sizes else WEIGHTS
    rows = [law.rescale(row, w) for row, w in zip(P2, weights, strict=True)]
    if "q" in sizes:
        groups = law.groups(4, sizes["q"])
        outcomes = [(F(1, len(groups)), group) for group in groups]
    else:
        drawn = itertools.product(range(4), repeat=sizes["tau"])
        outcomes = [(F(math.prod(WEIGHTS[i] for i in clients)), clients) for clients in drawn]
    mean = [sum(column, F(0)) / 4 for column in zip(*P2, strict=True)]
    squares, error, found = F(0), F(0), [F(0)] * 4
    for chance, clients in outcomes:
        size, columns = len(clients), zip(*(rows[i] for i in clients), strict=True)
        estimate = [sum(column, F(0)) / size for column in columns]
        squares += chance * sum(item**2 for i in clients for item in rows[i]) / size
        error += chance * sum((item - true) ** 2 for item, true in zip(estimate, mean, strict=True))
        found = [old + chance * item for old, item in zip(found, estimate, strict=True)]
    for item, true in zip(found, mean, strict=True):
        yield eq("mean of the sample", item, true)
    M_w, m = weighted_squares(P2, law.weights(weights))
    yield eq("squares of the sample", squares, M_w)
    yield eq("error of the sample", error, relative_error(law, sizes) * (M_w - m), headline=True)


@judge.exact(parameters={"n": 4, "draws": 2, "weights": WEIGHTS})
def bits_of_a_client(law: Law) -> Iterable[Comparison]:
    """Bits that a client sends: those counted in all sequences of draws against the expected ones."""
    compressor = law.sampler(2, WEIGHTS, CorrelatedQuantizer("binary"))
    x, n, draws = np.array(P2, dtype=float), len(P2), compressor.draws
    inner = compressor.inner.draw(np.random.default_rng(0), (draws, len(P2[0])))
    counted = np.zeros(n)
    for sampled in itertools.product(range(n), repeat=draws):
        chance = math.prod(float(WEIGHTS[i]) for i in sampled)
        drawn = Draws((np.array(sampled), inner.shared), inner.private)
        counted += chance * compressor.compress_counted(x, drawn)[1]
    for found, expected in zip(compressor.expected_bits(x), counted, strict=True):
        yield eq("bits of a client", float(found), float(expected), ROUND_OFF)


def _search(law: Law, d: int) -> AdversarialCase:
    """Importance sampling of two slots with correlated thresholds, over all inputs of four clients."""
    A, B = (float(item) for item in compose(law, "correlated", {"tau": 2}, d))
    weights = np.array([float(w) for w in WEIGHTS])
    compressor = ImportanceSampling(2, WEIGHTS, CorrelatedQuantizer("binary"))

    def bound(inputs: Any) -> Any:
        a = inputs.reshape(-1, 4, d)
        M_w = ((a**2).sum(axis=2) / (4 * weights)).mean(axis=1)
        return A * M_w - B * (a.mean(axis=1) ** 2).sum(axis=1)

    return AdversarialCase(
        lambda inputs: compressor.variance(inputs.reshape(-1, 4, d)),
        bound,
        4 * d,
        starts=(np.repeat(4 * weights, d), np.array(one_client(d), dtype=float).ravel()),
        budget=1500,
    )


for _d, _profile in ((3, "quick"), (4, "full")):
    judge.adversarial(
        instances={f"is-cq-n4-d{_d}": {"d": _d}},
        label="search",
        parameters={"n": 4, "d": _d, "draws": 2, "weights": WEIGHTS},
        profile=_profile,
    )(_search)


def _event(name: str, label: str) -> None:
    @judge.montecarlo(instance=name, label=label, parameters=joint_events.parameters(name))
    def happens(law: Law) -> MonteCarloCase:
        return joint_events.joint_event(law.draw, name)


_event("two-coordinates-groups", "groups of two coordinates")
_event("two-coordinates-partition", "owners of two coordinates")
_event("owner-partition", "owner of a coordinate")
_event("client-of-a-slot", "client of a slot")
