"""Checks of `cq_marina/ab-permk`: all ways to deal coordinates in rationals, and the sampler."""

from collections.abc import Iterable
from typing import Any

from impl.compressors import PermK
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.cq_marina.ab import joint_events
from verify.cq_marina.ab.ab_permk_sabotage import IdleClients, MissingScale
from verify.cq_marina.fixtures.grid_inputs import P1, P2, P3, REMAINDER, Rows, grid
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_of, mean_squares
from verify.cq_marina.fixtures.joint.sampled_errors import largest_error, squared_errors
from verify.rungs.montecarlo import MonteCarloCase

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

judge = checks_of("cq_marina/ab-permk", compressor=PermK, draw=joint_events.honest)


judge.sabotage(
    "theta-over-n at exact/P3, exact/n4-d2: $n$ for $n-1$ in the divisor: $\\frac{d-1}n$ for $t=0$, below "
    "the error.",
    exact=lambda formula: formula * _shrunk(formula),
)


def _shrunk(formula: Any) -> Any:
    (n,) = (symbol for symbol in formula.free_symbols if symbol.name == "n")
    return (n - 1) / n


# For d = 1 every client owns the coordinate, with the factor 1.
judge.sabotage(
    "missing-scale at exact/P?, exact/n5-*, exact/n4-d2, exact/n2-d5, montecarlo/P3: The owner sends its "
    "entry without the factor $n/q_j$: biased towards zero.",
    {"compressor": MissingScale},
    "idle-clients at exact/P3, exact/n5-*, exact/n4-d2, montecarlo/P3: Surplus clients stay idle for $d<n$: "
    "each coordinate has one owner and the error is $M-m$.",
    {"compressor": IdleClients},
    "common-draws at montecarlo/two-coordinates-perm-k, montecarlo/larger-share-perm-k: All coordinates "
    "have one owner: no coordinate alone shows it.",
    {"draw": joint_events.sabotaged},
)
judge.sabotage_data(
    "permuted-clients, neutral at exact/*: Number the clients and the coordinates in the reverse order: "
    "nothing may change.",
    lambda a: {"a": tuple(row[::-1] for row in a[::-1])},
)


@judge.exact(instances={name: {"a": rows} for name, rows in INSTANCES.items()})
def dealt(law: Law, a: Rows) -> Iterable[Comparison]:
    """All outcomes against the stated error, and the oracle: mean and error of each coordinate."""
    n, d, compressor = len(a), len(a[0]), law.compressor()
    moments, (M, m) = enumerate_joint(compressor, a), mean_squares(a)
    for column, mean, true, found in zip(
        zip(*a, strict=True), moments.mean, mean_of(a), moments.coordinate_errors, strict=True
    ):
        yield eq("mean of a coordinate", mean, true)
        square = sum(item**2 for item in column) / n
        own = law.exactly("exact", n=n, d=d, M=square, m=true**2)
        yield eq("error of a coordinate", found, own)
    error = law.exactly("exact", n=n, d=d, M=M, m=m)
    yield eq("enumerated error", moments.error, error, headline=True)
    yield eq("oracle", PermK().variance([list(row) for row in a]), error)
    theta, smaller = law.exactly("theta", n=n, d=d), max(1, n // d)
    if n % d == 0 or d >= n:
        yield eq("theta with equal numbers of owners", theta, law.exactly("theta_sample", n=n, q=smaller))
    if d < n:
        yield eq("theta", theta, law.exactly("theta_sizes", n=n, d=d, s=smaller, t=n % d))
        if n % d == 0:
            yield eq("theta of a multiple", theta, law.exactly("theta_divisible", n=n, d=d))


def _sampled(law: Law, a: Rows) -> MonteCarloCase:
    """The sampler at one input."""
    M, m = mean_squares(a)
    error = float(law.exactly("exact", n=len(a), d=len(a[0]), M=M, m=m))
    return MonteCarloCase("eq", squared_errors(law.compressor(), a), error, upper=largest_error(a))


judge.montecarlo(instances={name: {"a": INSTANCES[name]} for name in ("P3", "n5-d3")}, label="sampled error")(
    _sampled
)
judge.montecarlo(instances={"n50-d20": {"a": MANY}}, label="sampled error", profile="full")(_sampled)


@judge.montecarlo(
    instance="two-coordinates-perm-k",
    label="owners of two coordinates",
    parameters=joint_events.parameters("two-coordinates-perm-k"),
)
def same_owner(law: Law) -> MonteCarloCase:
    """Two coordinates have one owner with probability 2/15."""
    return joint_events.joint_event(law.draw, "two-coordinates-perm-k")


@judge.montecarlo(
    instance="larger-share-perm-k",
    label="a larger share",
    parameters=joint_events.parameters("larger-share-perm-k"),
)
def larger_share(law: Law) -> MonteCarloCase:
    """The first client has one coordinate more than others with probability 1/2."""
    return joint_events.joint_event(law.draw, "larger-share-perm-k")
