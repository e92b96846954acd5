"""Checks of `cq_marina/finding-quarter-constant`: the constants in use against exact errors."""

from collections.abc import Iterable, Mapping
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, Independent, IndependentQuantizer, RandK
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.fixtures.grid_inputs import INPUTS, Rows
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_squares
from verify.rungs.adversarial import AdversarialCase

# Rational norms, so that everything is rational; the first is one client in two dimensions.
PYTHAGOREAN: dict[str, Rows] = {
    "one-client": ((F(3), F(4)),),
    "two-clients": ((F(3), F(4)), (F(12), F(-5))),
    "three-dimensions": ((F(1), F(2), F(2)), (F(2), F(-3), F(6))),
}
# Equal inputs of an even number of clients with odd multiples of r/n: the correlated bits do their worst.
EQUAL = {
    "golden": (4, (F(3), *(F(1),) * 7)),
    "two-clients": (2, (F(1),) * 4),
    "six-clients": (6, (F(5), F(3), F(1), F(1))),
}
_ALL = ("exact/independent-*", "exact/correlated-*", "exact/inputs-*")

judge = checks_of("cq_marina/finding-quarter-constant", binary="binary", ternary="ternary")


judge.sabotage(
    "quarter-for-one-bit at exact/independent-*, exact/inputs-*: Claim d/(4n) for independent one-bit "
    "quantizers: broken by 4(d - 1)/d at every input. | exact = bound",
    "quarter-for-correlated-bits at exact/correlated-*, adversarial/two-clients: Claim d/(4n^2) for "
    "correlated one-bit quantizers of equal inputs: broken fourfold. | equal_cq = claimed_cq",
)
judge.sabotage(
    "binary-for-ternary: Take the binary grid for the ternary one: it violates both constants. "
    "| ternary = 'binary'",
    "ternary-for-binary: Take the ternary grid for the binary one: it keeps both constants. "
    "| binary = 'ternary'",
    at=_ALL,
)
judge.sabotage(
    "rand-k-is-sharp at exact/inputs-*: Claim that the constant in use for RandK, without 1/n, is its exact "
    "one. | rand_k = rand_k_claimed",
)


@judge.data_mutant("Multiply all inputs by one number: no ratio may change.", at=_ALL, neutral=True)
def scaled_inputs(**values: Any) -> Mapping[str, Any]:
    def scaled(item: Any) -> Any:
        return tuple(map(scaled, item)) if isinstance(item, tuple) else F(7, 3) * item

    return {key: item if key == "n" else scaled(item) for key, item in values.items()}


@judge.exact(instances={f"independent-{name}": {"a": rows} for name, rows in PYTHAGOREAN.items()})
def independent(law: Law, a: Rows) -> Iterable[Comparison]:
    """One-bit quantizers exceed the constant by the stated factor, ternary ones keep it."""
    sizes = {"n": len(a), "d": len(a[0])}
    M, _ = mean_squares(a)
    claimed = law.exactly("bound", **sizes)
    binary = enumerate_joint(IndependentQuantizer(law.binary), a).error / M
    ternary = enumerate_joint(IndependentQuantizer(law.ternary), a).error / M
    yield eq("one bit", binary, law.exactly("exact", **sizes))
    yield eq("factor", binary, law.exactly("ratio_iq", d=sizes["d"]) * claimed)
    yield le("one bit exceeds the constant in use", claimed, binary)
    yield le("ternary keeps the constant in use", ternary, claimed, headline=True)


@judge.exact(instances={f"correlated-{name}": {"n": n, "x": x} for name, (n, x) in EQUAL.items()})
def correlated(law: Law, n: int, x: tuple[F, ...]) -> Iterable[Comparison]:
    """Correlated bits take four times the constant in use, the ternary grid keeps it."""
    rows = [list(x)] * n
    M, _ = mean_squares(rows)
    claimed = law.exactly("claimed_cq", n=n, d=len(x))
    binary, ternary = (CorrelatedQuantizer(grid).variance(rows) / M for grid in (law.binary, law.ternary))
    yield eq("correlated bits", binary, law.exactly("equal_cq", n=n, d=len(x)))
    yield eq("fourfold", binary, 4 * claimed)
    yield le("ternary keeps the constant in use", ternary, claimed, headline=True)


@judge.exact(instances={f"inputs-{name}": {"a": rows} for name, rows in INPUTS.items()})
def inputs(law: Law, a: Rows) -> Iterable[Comparison]:
    """RandK with one and two coordinates, in rationals; one bit at irrational norms."""
    sizes = {"n": len(a), "d": len(a[0])}
    M, _ = mean_squares(a)
    for k in (1, 2):
        error = Independent(RandK(k)).variance([list(row) for row in a]) / M
        yield eq("constant of RandK", error, law.exactly("rand_k", K=k, **sizes))
        yield le("constant in use for RandK", error, law.exactly("rand_k_claimed", K=k, d=sizes["d"]))
    floats = np.array(a, dtype=float)
    error = IndependentQuantizer(law.binary).variance(floats) / float(M)
    yield eq("one bit in floats", error, law("exact", **sizes), ROUND_OFF)
    error = IndependentQuantizer(law.ternary).variance(floats) / float(M)
    sharp = law("ternary_iq", **sizes)
    yield le("ternary, smaller constant", error, sharp, ROUND_OFF)
    yield le("smaller than the one in use", sharp, law("bound", **sizes), ROUND_OFF)


@judge.exact(parameters={"d": [1, 8, 33]})
def messages(law: Law) -> Iterable[Comparison]:
    """The messages of both grids with norms of 32 bits."""
    for d in (1, 8, 33):
        for grid in ("binary", "ternary"):
            (bits, _) = CorrelatedQuantizer(grid, norm_bits=32).expected_bits(np.ones((2, d)))
            yield eq("bits of a message", int(bits), law.exactly(f"{grid}_bits", d=d))


@judge.adversarial(instance="two-clients", label="largest error", n=2, d=4)
def searched(law: Law, n: int, d: int) -> AdversarialCase:
    """Search for the equal inputs of two clients with the largest error."""
    quantizer, constant = CorrelatedQuantizer("binary"), law("equal_cq", n=n, d=d)

    def value(inputs: Any) -> Any:
        return quantizer.variance(np.broadcast_to(inputs[..., None, :], (*inputs.shape[:-1], n, d)))

    return AdversarialCase(
        value,
        lambda inputs: constant * (inputs**2).sum(axis=-1),
        d,
        starts=((1.0,) * d, (1.0, *(0.0,) * (d - 1))),
        budget=500,
    )
