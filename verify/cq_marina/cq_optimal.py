"""Checks of `cq_marina/cq-optimal`: five protocols against both bounds in rationals, at grids of inputs."""

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import theory
from impl.compressors.stratified_variance import stratified_variance_literal
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.cq_optimal_protocols import PROTOCOLS, Law, moments, nearest
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

Protocol = Callable[[Sequence[F]], Law]
Stated = Callable[[str, dict[str, Any]], Any]


@dataclass(frozen=True)
class TwoPoints:
    """Inputs at s or t by fair coins."""

    n: int
    s: F
    t: F

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"n": self.n, "s": self.s, "t": self.t}

    @property
    def inputs(self) -> list[tuple[F, ...]]:
        """Return all inputs, equally likely."""
        return list(itertools.product((self.s, self.t), repeat=self.n))


TWO_POINTS = {
    "two-clients": TwoPoints(2, F(1, 5), F(2, 3)),
    "three-clients": TwoPoints(3, F(1, 3), F(2, 3)),
    "four-clients": TwoPoints(4, F(1, 8), F(7, 9)),
}
# ns and nt are integers: correlated quantization attains the bound.
SHARP = {
    "six-clients": TwoPoints(6, F(1, 6), F(4, 6)),
    "five-clients": TwoPoints(5, F(0), F(3, 5)),
    "three-clients": TwoPoints(3, F(1, 3), F(2, 3)),
}


def stated(name: str, values: dict[str, Any]) -> Any:
    """Return a formula of the claim, exactly."""
    return evaluate_exact(theory.claim("cq_marina/cq-optimal").expressions[name], values)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/cq-optimal")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_integer_sums(name, protocol) for name, protocol in PROTOCOLS.items()),
        *(_average(name, points) for name, points in TWO_POINTS.items()),
        *(_sharp(name, points) for name, points in SHARP.items()),
        Check("exact", "two-clients-everywhere", ExactCase(compare_two_clients), {"n": 2, "denominator": 24}),
        Check("exact", "constants", ExactCase(compare_constants), {"c_2": "1/16..1/4"}, seconds=0.1),
    )


def _integer_sums(name: str, protocol: Protocol) -> Check:
    mutants = {"reversed-clients": ExactCase(lambda: compare_sums(_reversed(protocol)))}
    if name == "correlated":
        mutants["independent-floor"] = ExactCase(lambda: compare_sums(protocol, _times_n))
        mutants["nearest-rounding"] = ExactCase(lambda: compare_sums(nearest))
    parameters = {"protocol": name, "n": [2, 3], "denominator": 4}
    return Check("exact", f"sums-{name}", ExactCase(lambda: compare_sums(protocol)), parameters, mutants, 0.2)


def _times_n(name: str, values: dict[str, Any]) -> Any:
    return values["n"] * stated(name, values)


def _reversed(protocol: Protocol) -> Protocol:
    """Return the protocol with the clients numbered the other way round."""

    def law(y: Sequence[F]) -> Law:
        for chance, bits in protocol(y[::-1]):
            yield chance, bits[::-1]

    return law


def compare_sums(protocol: Protocol, formula: Stated = stated) -> Iterable[Comparison]:
    """Unbiased bits, and at least the variance that integer sums enforce, at all inputs of a grid."""
    inputs = [
        *itertools.product([F(k, 4) for k in range(5)], repeat=2),
        *itertools.combinations_with_replacement([F(k, 4) for k in range(5)], 3),
        (F(1, 8),) * 4,
        (F(1, 9), F(2, 9), F(4, 9), F(8, 9)),
    ]
    for y in inputs:
        chances, variance = moments(protocol(y), len(y))
        for i, (found, wanted) in enumerate(zip(chances, y, strict=True)):
            yield Comparison(f"chance of bit {i}", "eq", found, wanted, witness={"y": y})
        least = formula("integer_sum", {"y": y, "n": len(y)})
        yield Comparison("least variance", "le", least, variance, witness={"y": y}, headline=True)


def _average(name: str, points: TwoPoints) -> Check:
    base = ExactCase(lambda: compare_average(points))
    mutants = {"reversed-clients": ExactCase(lambda: compare_average(points, _reversed))}
    return Check("exact", f"average-{name}", base, points.parameters, mutants, seconds=0.3)


def compare_average(
    points: TwoPoints, change: Callable[[Protocol], Protocol] | None = None
) -> Iterable[Comparison]:
    """Average the variance of every protocol over the inputs; look for an input with a large multiple."""
    delta, n = points.t - points.s, points.n
    least = stated("bound", {"delta": delta, "n": n})
    coefficient = stated("coefficient", {"delta": delta, "n": n})
    for name, protocol in PROTOCOLS.items():
        law = change(protocol) if change else protocol
        variances = [moments(law(y), n)[1] for y in points.inputs]
        average = sum(variances, F(0)) / 2**n
        witness = {"protocol": name, **points.parameters}
        yield Comparison("average variance", "le", least, average, witness=witness, headline=True)
        excess = [
            v - _rational(coefficient) * deviation(y) for v, y in zip(variances, points.inputs, strict=True)
        ]
        yield Comparison("some input has this multiple", "le", 0, max(excess), witness=witness)


def _rational(number: Any) -> F:
    return F(int(number.p), int(number.q))


def deviation(y: Sequence[F]) -> F:
    """Return the mean deviation of inputs, literally."""
    mean = sum(y, F(0)) / len(y)
    return sum((abs(item - mean) for item in y), F(0)) / len(y)


def _sharp(name: str, points: TwoPoints) -> Check:
    def case(factor: int = 1, change: bool = False) -> ExactCase:
        return ExactCase(lambda: compare_sharp(points, factor, change))

    mutants = {"half-for-quarter": case(2), "reversed-clients": case(change=True)}
    return Check("exact", f"attained-{name}", case(), points.parameters, mutants, seconds=0.1)


def compare_sharp(points: TwoPoints, factor: int = 1, change: bool = False) -> Iterable[Comparison]:
    """Average the exact variance of correlated quantization over all inputs."""
    values = {"delta": points.t - points.s, "n": points.n}
    inputs = [y[::-1] if change else y for y in points.inputs]
    average = sum((_variance(tuple(y)) for y in inputs), F(0)) / 2**points.n
    least = factor * stated("bound", values)
    witness = points.parameters
    yield Comparison("average variance", "le", least, average, witness=witness, headline=True)
    yield Comparison("attained", "eq", average, least, witness=witness)
    spread = sum((deviation(y) for y in inputs), F(0)) / 2**points.n
    yield Comparison("mean deviation", "eq", spread, stated("mean_deviation", values), witness=witness)


@functools.cache
def _variance(y: tuple[F, ...]) -> F:
    """Return the exact variance of the mean of correlated bits."""
    return F(stratified_variance_literal(y)) / len(y) ** 2


def compare_two_clients() -> Iterable[Comparison]:
    """For two clients correlated quantization needs no multiple of the mean deviation."""
    most = stated("two_clients", {})
    for y in itertools.combinations_with_replacement([F(k, 24) for k in range(25)], 2):
        yield Comparison("two clients", "le", _variance(y), most, witness={"y": y}, headline=True)


def compare_constants() -> Iterable[Comparison]:
    """What every protocol needs is no more than correlated quantization has; it tends to one half."""
    claim = theory.claim("cq_marina/cq-optimal")

    def needed(n: int, c_2: float) -> float:
        return evaluate(claim.formulas["c1_needed"], {"n": n, "c_2": c_2})

    for n, share in itertools.product((2, 3, 10, 100), (1, 4)):
        found = needed(n, 1 / (4 * share))
        witness = {"n": n, "c_2": 1 / (4 * share)}
        yield Comparison("c_1 of correlated quantization", "le", found, 1.0, ROUND_OFF, witness)
    for n in (10**4, 10**8):
        # The distance is (2 sqrt(n) - 1) / (2 (n - 1)) for c_2 = 1/4.
        gap = abs(needed(n, 0.25) - 0.5)
        yield Comparison("limit one half", "le", gap, n**-0.5, ROUND_OFF, {"n": n, "c_2": 0.25})
