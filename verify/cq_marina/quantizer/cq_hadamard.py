"""Checks of `cq_marina/cq-hadamard`: all signs in rationals, a search for the worst input, the sampler."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import RotatedQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.fixtures.grid_inputs import P2, Rows
from verify.cq_marina.fixtures.joint.joint_draws import EVENTS, HALF_WIDTH, events
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint
from verify.cq_marina.quantizer.rotated_quantizers import (
    CommonScale,
    ForgottenSigns,
    NoRotation,
    PrivateSigns,
    mean_square_of_sup_norm,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

Vector = tuple[F, ...]


def _rationals(*numbers: int) -> Vector:
    return tuple(F(item) for item in numbers)


# One client: the inputs of largest relative variance that were found, a basis vector, and some others.
SINGLE = {
    "d2-largest": _rationals(1, 1),
    "d2": _rationals(3, -1),
    "d4-largest": _rationals(0, 1, 1, 1),
    "d4": _rationals(2, -1, 5, 0),
    "d8-largest": _rationals(0, 1, 1, 1, 1, 1, 1, 1),
    "d8-basis-vector": _rationals(1, 0, 0, 0, 0, 0, 0, 0),
}
# Of the kind of "d8-largest" and "rotation-d8", which notice all that it notices.
MORE = "d8-basis-vector"
EQUAL = {
    "two-clients-d2": (2, _rationals(2, 1)),
    "four-clients-d4": (4, _rationals(0, 1, 1, 1)),
    "three-clients-d4": (3, _rationals(2, -1, 5, 0)),
}
ENUMERATED: dict[str, Rows] = {
    "two-clients-d2": (_rationals(2, 1), _rationals(-1, 3)),
    "one-client-d4": (_rationals(2, -1, 3, 0),),
}
EVENT = EVENTS["two-coordinates-rotated"]

judge = checks_of("cq_marina/cq-hadamard", quantizer=RotatedQuantizer, plain=NoRotation, common=False)


judge.sabotage(
    "log-d at exact/*-largest, adversarial/one-client-d4: The constant $\\ln d$ for $2\\ln(2d)+1$: broken "
    "at $d=4$, where (0, 1, 1, 1) has the variance 6. | bound = bound / (2 * log(2 * d) + 1) * log(d)",
    "no-rotation at exact/rotation-*: Quantize $a$ itself at the scale $\\|a\\|_\\infty$: $d-1$ at $e_1$, "
    "above the bound for $d\\ge8$.",
    {"quantizer": NoRotation},
    "private-signs at montecarlo/equal-inputs: Every client draws its own signs: what the clients send is "
    "no longer correlated, and at equal inputs the variance falls like 1/n only.",
    {"quantizer": PrivateSigns},
    "common-scale at exact/all-outcomes-two-clients-d2, exact/inputs-P2: The largest scale of all clients "
    "for each of them: more noise than stated where the inputs differ.",
    {"quantizer": CommonScale},
    "forgotten-signs at exact/all-outcomes-*: The receiver does not take the signs off: biased.",
    {"quantizer": ForgottenSigns},
    "flat at exact/d?-largest: The scale of a vector that the rotation makes flat, in (a). "
    "| sup_norm = 1 / d",
    "swapped-bits at exact/equal-*, exact/inputs-P2: Correlated bits for independent ones and the reverse.",
    {"quantizer": lambda correlated: RotatedQuantizer(not correlated)},
    "common-draws at montecarlo/two-coordinates-rotated: All coordinates share one permutation: no "
    "coordinate alone shows it. | common = True",
)


@judge.data_mutant(
    "Change the signs of some coordinates of the input: nothing may change.",
    at=("exact/d?", "exact/d?-largest", "exact/equal-*", "exact/all-outcomes-*"),
    neutral=True,
)
def flipped_signs(rows: Rows | None = None, x: Vector = (), **_: Any) -> Mapping[str, Any]:
    return {"rows": tuple(map(_flipped, rows))} if rows else {"x": _flipped(x)}


def _flipped(x: Vector) -> Vector:
    return tuple(-item if j % 2 else item for j, item in enumerate(x))


def _squares(rows: Sequence[Vector]) -> tuple[F, ...]:
    return tuple(sum((item**2 for item in row), F(0)) for row in rows)


def _values(rows: Rows) -> dict[str, Any]:
    return {"n": len(rows), "d": len(rows[0]), "A": _squares(rows)}


def _compare(law: Law, rows: Rows) -> Iterable[Comparison]:
    """Independent bits: the exact variance as stated, and below its bound."""
    value = law.quantizer(False).variance([list(row) for row in rows])
    given = _values(rows)
    stated = law.exactly("exact", S=tuple(map(mean_square_of_sup_norm, rows)), **given)
    yield eq("oracle", value, stated, witness={"a": rows})
    yield le(
        "relative variance",
        float(value),
        law("bound", **given),
        ROUND_OFF,
        witness={"a": rows},
        headline=True,
    )


@judge.exact(instances={f"all-outcomes-{name}": {"rows": rows} for name, rows in ENUMERATED.items()})
def all_outcomes(law: Law, rows: Rows) -> Iterable[Comparison]:
    """All signs and all bits."""
    for correlated in (True, False):
        quantizer = law.quantizer(correlated)
        moments, witness = enumerate_joint(quantizer, rows), {"a": rows, "correlated": correlated}
        for found, column in zip(moments.mean, zip(*rows, strict=True), strict=True):
            yield eq("mean", found, sum(column, F(0)) / len(rows), witness=witness)
        stated = quantizer.variance([list(row) for row in rows])
        if not correlated:
            stated = law.exactly("exact", S=tuple(map(mean_square_of_sup_norm, rows)), **_values(rows))
        yield eq("variance", moments.error, stated, witness=witness)
    yield from _compare(law, rows)


@judge.exact(instances={MORE: {"x": SINGLE[MORE]}}, profile="full")
@judge.exact(instances={name: {"x": x} for name, x in SINGLE.items() if name != MORE})
def single(law: Law, x: Vector) -> Iterable[Comparison]:
    """One client: the sup norm over all signs and the variance."""
    supremum = mean_square_of_sup_norm(x)
    most = law("sup_norm", d=len(x)) * float(_squares([x])[0])
    yield le("sup norm", float(supremum), most, ROUND_OFF)
    yield from _compare(law, (x,))


@judge.exact(instance="inputs-P2", a=P2)
def clients(law: Law, a: Rows) -> Iterable[Comparison]:
    """Clients with different inputs."""
    yield from _compare(law, a)


def _basis_vector(law: Law, d: int) -> Iterable[Comparison]:
    """A basis vector: the rotation spreads it out evenly, so that nothing is lost."""
    row = np.eye(1, d)
    value = law.quantizer(False).variance(row)
    yield le("relative variance", value, law("bound", n=1, d=d, A=(1.0,)), ROUND_OFF, headline=True)
    yield eq("without rotation", law.plain(False).variance(row), law("unrotated", d=d), ROUND_OFF)


judge.exact(_basis_vector, instance="rotation-d8", d=8)
judge.exact(_basis_vector, instance="rotation-d16", d=16, profile="full")


def _equal_inputs(law: Law, n: int, x: Vector) -> Iterable[Comparison]:
    """Correlated bits of equal inputs against their bound, and never worse than independent ones."""
    rows = (x,) * n
    correlated, independent = (
        law.quantizer(kind).variance([list(row) for row in rows]) for kind in (True, False)
    )
    most = law("equal_inputs", **_values(rows))
    yield le("equal inputs", float(correlated), most, ROUND_OFF, headline=True)
    yield le("against independent bits", correlated, independent)


judge.exact(_equal_inputs, instances={f"equal-{name}": {"n": n, "x": x} for name, (n, x) in EQUAL.items()})
# The exact variance of correlated bits sums over all signs.
judge.exact(_equal_inputs, instance="equal-two-clients-d8", n=2, x=SINGLE["d8-largest"], profile="full")


def _one_client(law: Law, d: int) -> AdversarialCase:
    """Search for the input of one client with the largest relative variance."""
    quantizer, omega = law.quantizer(False), law("bound", n=1, d=d, A=(1.0,))
    return AdversarialCase(
        lambda inputs: quantizer.variance(inputs[..., None, :]),
        lambda inputs: omega * (inputs**2).sum(axis=-1),
        d,
        starts=((0.0, *(1.0,) * (d - 1)), (1.0,) * d),
        budget=400,
    )


judge.adversarial(_one_client, instance="one-client-d4", d=4)
judge.adversarial(_one_client, instance="one-client-d8", d=8, profile="full")


@judge.montecarlo(label="error at equal inputs", n=8, x=(0.0, *(1.0,) * 7))
def equal_inputs(law: Law, n: int, x: tuple[float, ...]) -> MonteCarloCase:
    """Equal inputs of eight clients at the worst direction found, against the variance over all signs."""
    rows, truth = np.array([x] * n), np.array(x)
    quantizer = law.quantizer(True)

    def sample(rng: Any, size: int) -> Any:
        return ((quantizer.sample(rows, rng, size=size) - truth) ** 2).sum(axis=-1)

    exact = RotatedQuantizer(True).variance(rows)
    # No coordinate of any z is off by a whole step 2R, and R is at most the sum of |x_j| / sqrt(d).
    return MonteCarloCase("eq", sample, exact, upper=4 * float(np.abs(truth).sum()) ** 2, resolution=0.05)


@judge.montecarlo(
    instance="two-coordinates-rotated",
    label="coordinates share a permutation",
    parameters={"n": 4, "d": 8, "chance": EVENT.chance},
)
def joint_law(law: Law) -> MonteCarloCase:
    """How often two coordinates of four clients have the same permutation: once in 4! rounds."""

    def sample(rng: Any, size: int) -> Any:
        return events(EVENT, rng, size, sabotaged=law.common)

    return MonteCarloCase("eq", sample, EVENT.chance, upper=1.0, tolerance=HALF_WIDTH)
