"""Checks of `cq_marina/cq-optimal`: five protocols against both bounds in rationals, at grids of inputs."""

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from typing import Any

from impl.compressors.joint.correlated.stratified_variance import stratified_variance_literal
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.quantizer import one_bit_protocols
from verify.cq_marina.quantizer.one_bit_protocols import PROTOCOLS, moments, nearest

Protocol = Callable[[Sequence[F]], one_bit_protocols.Law]

# Clients, s and t.
TWO_POINTS = {
    "two-clients": (2, F(1, 5), F(2, 3)),
    "three-clients": (3, F(1, 3), F(2, 3)),
    "four-clients": (4, F(1, 8), F(7, 9)),
}
# ns and nt are integers: correlated quantization attains the bound.
SHARP = {
    "six-clients": (6, F(1, 6), F(4, 6)),
    "five-clients": (5, F(0), F(3, 5)),
    "three-clients": (3, F(1, 3), F(2, 3)),
}
QUARTERS = [F(k, 4) for k in range(5)]

judge = checks_of("cq_marina/cq-optimal", protocol=PROTOCOLS.__getitem__)


judge.sabotage(
    "half-for-quarter at exact/attained-*: The bound $\\frac{\\delta(1-\\delta)}{2n}$: correlated "
    "quantization stays a factor 2 below it. | bound = 2 * bound",
    "independent-floor at exact/sums-correlated, exact/equal-inputs: $\\frac1n$ for $\\frac1{n^2}$ in the "
    "first bound: correlated quantization of equal inputs is below it. | integer_sum = n * integer_sum",
    "nearest-rounding at exact/sums-*, exact/average-*: Round every input to the nearest bit: variance 0, "
    "but biased, so that it is no protocol of the class.",
    {"protocol": lambda _: nearest},
    "reversed-clients, neutral at exact/sums-*, exact/average-*: Number the clients the other way round: "
    "nothing may change.",
    {"protocol": lambda name: _reversed(PROTOCOLS[name])},
)


def _reversed(protocol: Protocol) -> Protocol:
    def bits(y: Sequence[F]) -> one_bit_protocols.Law:
        for chance, found in protocol(y[::-1]):
            yield chance, found[::-1]

    return bits


@judge.exact(
    instances={f"sums-{name}": {"name": name} for name in PROTOCOLS},
    parameters={"n": [2, 3], "denominator": 4},
)
def sums(law: Law, name: str) -> Iterable[Comparison]:
    """Unbiased bits, and at least the variance that integer sums enforce, at all inputs of a grid."""
    inputs = [
        *itertools.product(QUARTERS, repeat=2),
        *itertools.combinations_with_replacement(QUARTERS, 3),
        (F(1, 8),) * 4,
        (F(1, 9), F(2, 9), F(4, 9), F(8, 9)),
    ]
    for y in inputs:
        chances, variance = moments(law.protocol(name)(y), len(y))
        for found, wanted in zip(chances, y, strict=True):
            yield eq("probability of a bit", found, wanted, witness={"y": y})
        least = law.exactly("integer_sum", y=y, n=len(y))
        yield le("least variance", least, variance, witness={"y": y}, headline=True)


@judge.exact(parameters={"n": [2, 3, 4]})
def equal_inputs(law: Law) -> Iterable[Comparison]:
    """Correlated quantization of equal inputs has the least variance."""
    for n, number in itertools.product((2, 3, 4), range(1, 12, 2)):
        y = (F(number, 12),) * n
        variance = moments(law.protocol("correlated")(y), n)[1]
        least = law.exactly("integer_sum", y=y, n=n)
        yield eq("attained at equal inputs", variance, least, witness={"y": y}, headline=True)


def _deviation(y: Sequence[F]) -> F:
    """Return the mean deviation of inputs, literally."""
    mean = sum(y, F(0)) / len(y)
    return sum((abs(item - mean) for item in y), F(0)) / len(y)


@judge.exact(
    instances={f"average-{name}": dict(zip("nst", item, strict=True)) for name, item in TWO_POINTS.items()}
)
def average(law: Law, n: int, s: F, t: F) -> Iterable[Comparison]:
    """Average the variance of every protocol over the inputs, beside the mean deviation."""
    least, coefficient = (law.exactly(name, delta=t - s, n=n) for name in ("bound", "coefficient"))
    inputs = list(itertools.product((s, t), repeat=n))
    for name in PROTOCOLS:
        variances = [moments(law.protocol(name)(y), n)[1] for y in inputs]
        witness = {"protocol": name}
        yield le("average variance", least, sum(variances, F(0)) / 2**n, witness=witness, headline=True)
        multiple = coefficient * sum(map(_deviation, inputs), F(0)) / 2**n
        yield le("this multiple on average", multiple, sum(variances, F(0)) / 2**n, witness=witness)


@functools.cache
def _variance(y: tuple[F, ...]) -> F:
    """Return the exact variance of the mean of correlated bits."""
    return F(stratified_variance_literal(y)) / len(y) ** 2


@judge.exact(
    instances={f"attained-{name}": dict(zip("nst", item, strict=True)) for name, item in SHARP.items()}
)
def attained(law: Law, n: int, s: F, t: F) -> Iterable[Comparison]:
    """Average the exact variance of correlated quantization over all inputs."""
    inputs, values = list(itertools.product((s, t), repeat=n)), {"delta": t - s, "n": n}
    found = sum(map(_variance, inputs), F(0)) / 2**n
    yield eq("attained", found, law.exactly("bound", **values), headline=True)
    spread = sum(map(_deviation, inputs), F(0)) / 2**n
    yield eq("mean deviation", spread, law.exactly("mean_deviation", **values))


@judge.exact(parameters={"n": 2, "denominator": 24})
def two_clients_everywhere(law: Law) -> Iterable[Comparison]:
    """For two clients correlated quantization needs no multiple of the mean deviation."""
    for y in itertools.combinations_with_replacement([F(k, 24) for k in range(25)], 2):
        yield le("two clients", _variance(y), law.exactly("two_clients"), witness={"y": y}, headline=True)


@judge.exact(parameters={"c_2": "1/16..1/4"})
def constants(law: Law) -> Iterable[Comparison]:
    """What every protocol needs is no more than correlated quantization has; it tends to one half."""
    for n, share in itertools.product((2, 3, 10, 100), (1, 4)):
        values: dict[str, Any] = {"n": n, "c_2": 1 / (4 * share)}
        yield le("no more than one", law("c1_needed", **values), 1.0, ROUND_OFF, witness=values)
    for n in (10**4, 10**8):
        # The distance is (2 sqrt(n) - 1) / (2 (n - 1)) for c_2 = 1/4.
        gap = abs(law("c1_needed", n=n, c_2=0.25) - 0.5)
        yield le("limit one half", gap, n**-0.5, ROUND_OFF, witness={"n": n, "c_2": 0.25})
