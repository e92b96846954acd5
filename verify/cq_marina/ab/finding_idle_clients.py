"""Checks of `cq_marina/finding-idle-clients`: the variant with idle clients, over all its outcomes."""

from collections.abc import Iterable
from typing import Any

from impl.compressors import PermK
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.cq_marina.ab.ab_permk_sabotage import IdleClients
from verify.cq_marina.fixtures.grid_inputs import P3, REMAINDER, Rows, grid
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_of, mean_squares
from verify.cq_marina.fixtures.joint.sampled_errors import largest_error, squared_errors
from verify.rungs.montecarlo import MonteCarloCase

INSTANCES = {"n5-d3": REMAINDER, "P3": P3, "n4-d2": grid(4, 2, 3, 1, 1, 8, 3, 2)}

judge = checks_of("cq_marina/finding-idle-clients", compressor=IdleClients)


@judge.mutant(
    r"Claim that the variant with idle clients has the error $\theta(M-m)$ of the balanced one: it is "
    r"exceeded by $\frac{12}7$ at $n=5$, $d=3$ and by $\frac52$ at $n=6$, $d=3$.",
    at=("exact/*", "montecarlo/*"),
)
def balanced_constant(law: Law) -> Law:
    from theory.cq_marina.ab.ab_permk import CLAIM

    return law.replace(exact=CLAIM.formulas["exact"])


class UnscaledOwners(IdleClients):
    """The owners send their entries without the factor n."""

    def reference(self, x: Any, draws: Any) -> Any:
        return [[item / len(x) for item in row] for row in super().reference(x, draws)]


judge.sabotage(
    "busy-clients at exact/*, montecarlo/*: Let the surplus clients share coordinates, as "
    "`cq_marina/ab-permk` does: the error is below $M-m$.",
    {"compressor": PermK},
    "missing-scale at exact/*: The owner sends its entry without the factor $n$: biased towards zero.",
    {"compressor": UnscaledOwners},
)
judge.sabotage_data(
    "permuted-clients, neutral at exact/*: Number the clients and the coordinates in the reverse order: "
    "nothing may change.",
    lambda a: {"a": tuple(row[::-1] for row in a[::-1])},
)


@judge.exact(instances={name: {"a": rows} for name, rows in INSTANCES.items()})
def owned(law: Law, a: Rows) -> Iterable[Comparison]:
    """All ways to choose the owners, and all ways to employ every client."""
    n, d, (M, m) = len(a), len(a[0]), mean_squares(a)
    moments = enumerate_joint(law.compressor(), a)
    for mean, true in zip(moments.mean, mean_of(a), strict=True):
        yield eq("mean of a coordinate", mean, true)
    yield eq("error with idle clients", moments.error, stated(law, a), headline=True)
    balanced = enumerate_joint(PermK(), a).error
    theta = law.exactly("theta", n=n, d=d, s=n // d, t=n % d)
    yield eq("balanced error", balanced, law.exactly("balanced", theta=theta, M=M, m=m))
    if n % d == 0:
        yield eq("times the balanced error", moments.error / balanced, law.exactly("factor", n=n, d=d))
    else:
        yield eq("five clients on three coordinates", moments.error / balanced, law.exactly("five"))


def stated(law: Law, a: Rows) -> Any:
    """Return the stated error; a sabotaged formula may take the sizes, too."""
    M, m = mean_squares(a)
    sizes = {"n": len(a), "d": len(a[0])} if "exact" in law.changed else {}
    return law.exactly("exact", M=M, m=m, **sizes)


@judge.montecarlo(instances={"n5-d3": {"a": REMAINDER}}, label="sampled error")
def sampled(law: Law, a: Rows) -> MonteCarloCase:
    """The sampler at the input of the specification."""
    bound = float(stated(law, a))
    return MonteCarloCase("eq", squared_errors(law.compressor(), a), bound, upper=largest_error(a))
