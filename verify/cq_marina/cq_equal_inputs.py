"""Checks of `cq_marina/cq-equal-inputs`: the law and the variance over all outcomes, suprema by search."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, JointCompressor, StochasticQuantizer
from verify.binding import Check, Lazy, Profile
from verify.comparison import Comparison
from verify.cq_marina.est_exact_sabotage import CommonPermutation
from verify.cq_marina.joint_enumeration import enumerate_joint, estimates
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.sabotaged_quantizers import rational_norm

Vector = tuple[F, ...]
Law = dict[tuple[Any, ...], Any]

# Inputs of rational norm, and the number of clients that hold them; small enough for all outcomes.
LAWS = {
    "two-clients": (2, (F(3), F(-4))),
    "two-clients-d3": (2, (F(1), F(2), F(-2))),
    "three-clients": (3, (F(3), F(4))),
    "four-clients": (4, (F(5), F(-12))),
}
# For the closed form; the golden ones first.
EXACT = {
    "odd-multiples": (4, (F(3), *(F(1),) * 7)),
    "nine-ones": (2, (F(1),) * 9),
    "basis-vector": (3, (F(1), *(F(0),) * 4)),
    "seven-clients": (7, (F(2), F(3), F(6), F(0))),
}
SEARCHED = {"even-low-dimension": (4, 8), "even-high-dimension": (2, 6), "odd": (3, 3)}


def expression(name: str) -> Any:
    """Return a formula of the claim."""
    return theory.claim("cq_marina/cq-equal-inputs").expressions[name]


def stated(name: str, clients: int, x: Vector) -> Any:
    """Return a formula of the claim at an input of rational norm, exactly."""
    values: dict[str, Any] = {"r": rational_norm(x), "n": clients, "d": len(x), "x": x}
    if name in ("bound", "ternary_bound"):
        del values["x"]
    return evaluate_exact(expression(name), values)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/cq-equal-inputs")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_law(name, *item) for name, item in LAWS.items()),
        *(_enumerated(name, *item) for name, item in LAWS.items()),
        *(_closed_form(name, *item) for name, item in EXACT.items()),
        Check("exact", "suprema", ExactCase(compare_suprema), {"n": [2, 3, 4, 5, 6]}, seconds=0.3),
        *(_searched(name, *item) for name, item in SEARCHED.items()),
        _sampled("three-clients", 3, tuple((-1.0) ** j * j for j in range(1, 17))),
    )


# ---------------------------------------------------------------- the law


def _law(name: str, clients: int, x: Vector) -> Check:
    def case(kind: Any = CorrelatedQuantizer, *, halved: bool = False) -> ExactCase:
        return ExactCase(lambda: compare_law(clients, x, kind("binary"), halved=halved))

    mutants = {"independent-thresholds": case(IndependentQuantizer), "half-step": case(halved=True)}
    seconds, profile = _cost(clients)
    return Check("exact", f"law-{name}", case(), {"n": clients, "x": x}, mutants, seconds, profile)


def _cost(clients: int) -> tuple[float, Profile]:
    """Two coordinates of four clients have 2304 outcomes."""
    return (1.0, "full") if clients > 3 else (0.1, "quick")


def compare_law(
    clients: int, x: Vector, quantizer: JointCompressor, *, halved: bool = False
) -> Iterable[Comparison]:
    """Compare the distribution of the estimate with that of one uniform quantizer, point by point."""
    step = evaluate_exact(expression("step"), {"r": rational_norm(x), "n": clients})
    found = distribution(estimates(quantizer, [x] * clients))
    wanted = distribution(one_quantizer(x, F(int(step.p), int(step.q)) / (2 if halved else 1)))
    witness = {"n": clients, "x": x}
    for point in sorted(set(found) | set(wanted)):
        label = f"chance of {tuple(map(str, point))}"
        yield Comparison(label, "eq", found.get(point, 0), wanted.get(point, 0), witness=witness)
    if clients % 2 == 0:  # only then 0 is a level, as it is for the quantizer of QSGD
        standard = distribution(standard_quantizer(x, F(2, clients)))
        same = all(found.get(point, 0) == standard.get(point, 0) for point in set(found) | set(standard))
        yield Comparison("the quantizer of QSGD", "eq", int(same), 1, witness=witness)


def distribution(outcomes: Iterator[tuple[Any, Sequence[Any]]]) -> Law:
    """Return the chance of each point."""
    law: Law = {}
    for chance, point in outcomes:
        law[tuple(point)] = law.get(tuple(point), F(0)) + chance
    return {point: chance for point, chance in law.items() if chance}


def one_quantizer(x: Vector, step: F) -> Iterator[tuple[F, tuple[F, ...]]]:
    """Yield the outcomes of stochastic rounding to levels at this distance above -||x||, literally."""
    r = rational_norm(x)
    choices = []
    for item in x:
        level = (item + r) / step
        low = math.floor(level)
        choices.append([(low + 1 - level, low * step - r), (level - low, (low + 1) * step - r)])
    for chosen in itertools.product(*choices):
        yield math.prod((chance for chance, _ in chosen), start=F(1)), tuple(item for _, item in chosen)


def standard_quantizer(x: Vector, step: F) -> Iterator[tuple[Any, Any]]:
    """Yield the outcomes of the quantizer of `squant/var` with this step."""
    quantizer = StochasticQuantizer(step)
    for chance, draws in quantizer.outcomes(list(x)):
        yield chance, quantizer.reference(list(x), draws)


# ---------------------------------------------------------------- the variance


def _enumerated(name: str, clients: int, x: Vector) -> Check:
    def case(kind: Any = CorrelatedQuantizer) -> ExactCase:
        return ExactCase(lambda: compare_enumerated(clients, x, kind("binary")))

    mutants = {
        "independent-thresholds": case(IndependentQuantizer),
        "common-permutation": case(CommonPermutation),
    }
    seconds, profile = _cost(clients)
    return Check("exact", f"all-outcomes-{name}", case(), {"n": clients, "x": x}, mutants, seconds, profile)


def compare_enumerated(clients: int, x: Vector, quantizer: JointCompressor) -> Iterable[Comparison]:
    """Sum over all outcomes of the clients' bits."""
    moments, witness = enumerate_joint(quantizer, [x] * clients), {"n": clients, "x": x}
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    for j, (mean, item) in enumerate(zip(moments.mean, x, strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, item, witness=witness)
    yield Comparison("variance", "eq", moments.error, stated("exact", clients, x), witness=witness)
    yield Comparison(
        "bound", "le", moments.error, stated("bound", clients, x), witness=witness, headline=True
    )


def _closed_form(name: str, clients: int, x: Vector) -> Check:
    def case(quarter: bool = False) -> ExactCase:
        return ExactCase(lambda: compare_closed_form(clients, x, quarter=quarter))

    return Check("exact", name, case(), {"n": clients, "x": x}, {"quarter-constant": case(True)}, seconds=0.1)


def compare_closed_form(clients: int, x: Vector, *, quarter: bool = False) -> Iterable[Comparison]:
    """Compare the oracle, which knows nothing of equal inputs, with the stated variances and bounds."""
    rows, witness = [list(x)] * clients, {"n": clients, "x": x}
    binary, ternary = (CorrelatedQuantizer(grid).variance(rows) for grid in ("binary", "ternary"))
    yield Comparison("binary variance", "eq", binary, stated("exact", clients, x), witness=witness)
    yield Comparison("ternary variance", "eq", ternary, stated("ternary", clients, x), witness=witness)
    most = stated("ternary_bound" if quarter else "bound", clients, x)
    yield Comparison("binary bound", "le", binary, most, witness=witness, headline=True)
    yield Comparison("ternary bound", "le", ternary, stated("ternary_bound", clients, x), witness=witness)


def compare_suprema() -> Iterable[Comparison]:
    """The inputs at which the stated suprema are taken, and the lower end for an odd number of clients."""
    for clients in (2, 4, 6):
        for d in range(clients**2 % 8 or 8, clients**2 + 1, 8):
            x = tuple(F(item) for item in odd_numbers(clients**2, d))
            value = CorrelatedQuantizer("binary").variance([list(x)] * clients)
            witness = {"n": clients, "x": x}
            yield Comparison("odd multiples", "eq", value, stated("bound", clients, x), witness=witness)
    for clients, root in itertools.product((2, 4), (4, 5)):
        x = (F(1),) * root**2
        value = CorrelatedQuantizer("binary").variance([list(x)] * clients)
        largest = root**2 * evaluate_exact(expression("high_dimension"), {"n": clients, "d": root**2})
        yield Comparison("equal entries", "eq", value, largest, witness={"n": clients, "d": root**2})
    for clients, d in itertools.product((3, 5), (1, 4, 7)):
        x = (F(1), *(F(0),) * (d - 1))
        value = CorrelatedQuantizer("binary").variance([list(x)] * clients)
        least = evaluate_exact(expression("odd_at_basis"), {"n": clients, "d": d})
        yield Comparison("basis vector", "eq", value, least, witness={"n": clients, "d": d})


def odd_numbers(total: int, count: int) -> tuple[int, ...]:
    """Return this many odd numbers, falling, with this sum of squares.

    Raises:
        ValueError: There are none.
    """
    found = _odd_numbers(total, count, math.isqrt(total))
    if found is None:
        raise ValueError(f"total={total} is no sum of {count} odd squares; it must be {count} modulo 8")
    return found


def _odd_numbers(total: int, count: int, largest: int) -> tuple[int, ...] | None:
    if count == 0:
        return () if total == 0 else None
    for item in range(largest - 1 + largest % 2, 0, -2):
        # The others are between 1 and item.
        if count - 1 <= total - item**2 <= (count - 1) * item**2:
            rest = _odd_numbers(total - item**2, count - 1, item)
            if rest is not None:
                return (item, *rest)
    return None


def _searched(name: str, clients: int, d: int) -> Check:
    """Search for the input of largest variance; the starts are the claimed ones."""
    starts: dict[str, tuple[float, ...]] = {
        "even-low-dimension": (3.0, *(1.0,) * (d - 1)),
        "even-high-dimension": (1.0,) * d,
        "odd": (1.0, *(0.0,) * (d - 1)),
    }

    def case(quarter: bool = False) -> AdversarialCase:
        quantizer = CorrelatedQuantizer("binary")
        values: dict[str, Any] = {"n": clients, "d": d}
        if name == "even-high-dimension" and not quarter:
            most = evaluate(expression("high_dimension"), values)
        else:
            most = evaluate(expression("ternary_bound" if quarter else "bound"), {**values, "r": 1})

        def value(inputs: Any) -> Any:
            rows = np.broadcast_to(inputs[..., None, :], (*inputs.shape[:-1], clients, d))
            return quantizer.variance(rows)

        return AdversarialCase(
            value, lambda inputs: most * (inputs**2).sum(axis=-1), d, starts=(starts[name],), budget=1000
        )

    mutants = {"quarter-constant": Lazy(lambda: case(True))}
    return Check("adversarial", name, Lazy(case), {"n": clients, "d": d}, mutants, seconds=0.3)


def _sampled(name: str, clients: int, x: tuple[float, ...]) -> Check:
    """Test the sampler against the stated variance."""

    def case(kind: Any) -> MonteCarloCase:
        rows, d = np.array([x] * clients), len(x)
        r = math.sqrt(sum(item**2 for item in x))
        variance = evaluate(expression("exact"), {"x": x, "r": r, "n": clients, "d": d})
        quantizer = kind("binary")

        def sample(rng: Any, size: int) -> Any:
            return ((quantizer.sample(rows, rng, size=size) - np.array(x)) ** 2).sum(axis=-1)

        # No coordinate is off by a whole step.
        step = evaluate(expression("step"), {"r": r, "n": clients})
        return MonteCarloCase("eq", sample, variance, upper=d * step**2)

    base = Lazy(partial(case, CorrelatedQuantizer), tests=1)
    mutants = {"independent-thresholds": Lazy(partial(case, IndependentQuantizer), tests=1)}
    return Check("montecarlo", name, base, {"n": clients, "x": x}, mutants, seconds=0.5)
