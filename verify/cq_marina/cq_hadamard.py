"""Checks of `cq_marina/cq-hadamard`: all signs in rationals, a search for the worst input, the sampler."""

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import RotatedQuantizer
from verify.binding import Check, Lazy, Profile
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.cq_hadamard_sabotage import NoRotation, PrivateSigns
from verify.cq_marina.grid_inputs import P2, Rows
from verify.cq_marina.joint_draws import joint_law
from verify.cq_marina.joint_enumeration import enumerate_joint
from verify.evaluation import evaluate, names
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

Vector = tuple[F, ...]


def rationals(*numbers: int) -> Vector:
    """Return the numbers as Fractions."""
    return tuple(F(item) for item in numbers)


# One client: the inputs of largest relative variance that were found, a basis vector, and some others.
SINGLE = {
    "d2-largest": rationals(1, 1),
    "d2": rationals(3, -1),
    "d4-largest": rationals(0, 1, 1, 1),
    "d4": rationals(2, -1, 5, 0),
    "d8-largest": rationals(0, 1, 1, 1, 1, 1, 1, 1),
    "d8-basis-vector": rationals(1, 0, 0, 0, 0, 0, 0, 0),
}
EQUAL = {
    "two-clients-d2": (2, rationals(2, 1)),
    "four-clients-d4": (4, rationals(0, 1, 1, 1)),
    "three-clients-d4": (3, rationals(2, -1, 5, 0)),
    "two-clients-d8": (2, rationals(0, 1, 1, 1, 1, 1, 1, 1)),
}
ENUMERATED: dict[str, Rows] = {
    "two-clients-d2": (rationals(2, 1), rationals(-1, 3)),
    "one-client-d4": (rationals(2, -1, 3, 0),),
}


def stated(name: str, **values: Any) -> float:
    """Return a formula of the claim."""
    formula = theory.claim("cq_marina/cq-hadamard").expressions[name]
    return evaluate(formula, {key: values[key] for key in names(formula)})


def log_of_d(d: int) -> float:
    """Return the constant of the mutant `log-d`."""
    return math.log(d)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/cq-hadamard")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_outcomes(name, rows) for name, rows in ENUMERATED.items()),
        *(_single(name, x) for name, x in SINGLE.items()),
        _without_rotation(8, "quick"),
        _without_rotation(16, "full"),
        *(_equal(name, clients, x) for name, (clients, x) in EQUAL.items()),
        Check("exact", "inputs-P2", ExactCase(lambda: compare_clients(P2)), {"a": P2}, seconds=0.1),
        _searched(4, "quick"),
        _searched(8, "full"),
        _sampled(),
        joint_law("two-coordinates-rotated"),
    )


def _flipped(x: Vector) -> Vector:
    """Return the input with every other sign changed."""
    return tuple(-item if j % 2 else item for j, item in enumerate(x))


def _square(x: Sequence[F]) -> F:
    return sum((item**2 for item in x), F(0))


def _outcomes(name: str, rows: Rows) -> Check:
    """All signs and all bits, against the oracle."""

    def case(chosen: Rows) -> ExactCase:
        return ExactCase(lambda: [*compare_outcomes(chosen, True), *compare_outcomes(chosen, False)])

    mutants = {"flipped-signs": case(tuple(_flipped(row) for row in rows))}
    return Check("exact", f"all-outcomes-{name}", case(rows), {"a": rows}, mutants, seconds=0.3)


def compare_outcomes(rows: Rows, correlated: bool) -> Iterable[Comparison]:
    """Compare mean and error over all outcomes with the mean of the inputs and the exact variance."""
    quantizer = RotatedQuantizer(correlated)
    moments, witness = enumerate_joint(quantizer, rows), {"a": rows, "correlated": correlated}
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    for j, column in enumerate(zip(*rows, strict=True)):
        truth = sum(column, F(0)) / len(rows)
        yield Comparison(f"mean of coordinate {j}", "eq", moments.mean[j], truth, witness=witness)
    exact = quantizer.variance([list(row) for row in rows])
    yield Comparison("variance", "eq", moments.error, exact, witness=witness)
    if not correlated:
        yield from compare_clients(rows)


def _single(name: str, x: Vector) -> Check:
    def case(chosen: Vector, *, log_only: bool = False) -> ExactCase:
        return ExactCase(lambda: compare_single(chosen, log_only=log_only))

    mutants = {"flipped-signs": case(_flipped(x))} if len(x) <= 4 else {}
    if name.endswith("largest"):
        mutants["log-d"] = case(x, log_only=True)
    return Check("exact", name, case(x), {"x": x}, mutants, seconds=0.1)


def compare_single(x: Vector, *, log_only: bool = False) -> Iterable[Comparison]:
    """Compare one client's exact variance with the sup norm over all signs, and both with their bounds."""
    d, square, witness = len(x), _square(x), {"x": x}
    supremum = mean_square_of_sup_norm(x)
    variance = RotatedQuantizer(False).variance([list(x)])
    yield Comparison("by the sup norm", "eq", variance, d * supremum - square, witness=witness)
    most = stated("sup_norm", d=d) * float(square)
    yield Comparison("sup norm", "le", float(supremum), most, ROUND_OFF, witness)
    omega = log_of_d(d) if log_only else stated("bound", d=d)
    yield Comparison(
        "relative variance", "le", float(variance / square), omega, ROUND_OFF, witness, headline=True
    )


def mean_square_of_sup_norm(x: Vector) -> F:
    """Return the mean of the squared sup norm of HDx over all signs, by a matrix of Sylvester's recursion."""
    d, rows = len(x), [[1]]
    while len(rows) < d:
        rows = [[*row, *row] for row in rows] + [[*row, *(-item for item in row)] for row in rows]
    total = F(0)
    for signs in itertools.product((-1, 1), repeat=d):
        signed = [s * item for s, item in zip(signs, x, strict=True)]
        z = [sum((h * item for h, item in zip(row, signed, strict=True)), F(0)) for row in rows]
        total += max(abs(item) for item in z) ** 2
    return F(total, d * 2**d)


def _without_rotation(d: int, profile: Profile) -> Check:
    """A basis vector: the rotation spreads it out evenly, so that nothing is lost."""
    x = rationals(1, *(0,) * (d - 1))

    def case(kind: type[RotatedQuantizer]) -> ExactCase:
        return ExactCase(lambda: compare_basis_vector(x, kind))

    mutants = {"no-rotation": case(NoRotation)}
    seconds = 0.1 if profile == "quick" else 3.0
    return Check(
        "exact", f"rotation-d{d}", case(RotatedQuantizer), {"x": x}, mutants, seconds=seconds, profile=profile
    )


def compare_basis_vector(x: Vector, kind: type[RotatedQuantizer]) -> Iterable[Comparison]:
    """The relative variance of this quantizer at a basis vector; without a rotation it is as stated."""
    d = len(x)
    row = np.array([x], dtype=float)
    value = kind(False).variance(row)
    yield Comparison("relative variance", "le", value, stated("bound", d=d), ROUND_OFF, {"x": x})
    plain = NoRotation(False).variance(row)
    yield Comparison("without rotation", "eq", plain, stated("unrotated", d=d), ROUND_OFF, {"x": x})


def _equal(name: str, clients: int, x: Vector) -> Check:
    def case(chosen: Vector) -> ExactCase:
        return ExactCase(lambda: compare_equal(clients, chosen))

    mutants = {"flipped-signs": case(_flipped(x))}
    seconds, profile = _cost(x)
    return Check("exact", f"equal-{name}", case(x), {"n": clients, "x": x}, mutants, seconds, profile)


def _cost(x: Vector) -> tuple[float, Profile]:
    """The exact variance of correlated bits sums over all signs."""
    return (1.0, "full") if len(x) > 4 else (0.1, "quick")


def compare_equal(clients: int, x: Vector) -> Iterable[Comparison]:
    """Correlated bits of equal inputs against their bound, and never worse than independent ones."""
    rows, witness = [list(x)] * clients, {"n": clients, "x": x}
    correlated, independent = (RotatedQuantizer(kind).variance(rows) for kind in (True, False))
    most = stated("equal_inputs", n=clients, d=len(x)) * float(_square(x))
    yield Comparison("variance", "le", float(correlated), most, ROUND_OFF, witness, headline=True)
    yield Comparison("against independent bits", "le", correlated, independent, witness=witness)


def compare_clients(rows: Rows) -> Iterable[Comparison]:
    """Different clients, independent bits: the sum of the clients' bounds."""
    n, d = len(rows), len(rows[0])
    value = RotatedQuantizer(False).variance([list(row) for row in rows])
    most = stated("bound", d=d) * float(sum(map(_square, rows), F(0))) / n**2
    yield Comparison("independent clients", "le", float(value), most, ROUND_OFF, {"a": rows}, headline=True)


def _searched(d: int, profile: Profile) -> Check:
    """Search for the input of one client with the largest relative variance."""

    def case(log_only: bool = False) -> AdversarialCase:
        quantizer, omega = RotatedQuantizer(False), log_of_d(d) if log_only else stated("bound", d=d)
        return AdversarialCase(
            lambda inputs: quantizer.variance(inputs[..., None, :]),
            lambda inputs: omega * (inputs**2).sum(axis=-1),
            d,
            starts=((0.0, *(1.0,) * (d - 1)), (1.0,) * d),
            budget=400,
        )

    mutants = {"log-d": Lazy(lambda: case(True))}
    seconds = 0.3 if profile == "quick" else 5.0
    return Check(
        "adversarial", f"one-client-d{d}", Lazy(case), {"d": d}, mutants, seconds=seconds, profile=profile
    )


def _sampled() -> Check:
    """Equal inputs of eight clients at the worst direction found."""
    clients, x = 8, (0.0, *(1.0,) * 7)

    def case(kind: type[RotatedQuantizer]) -> MonteCarloCase:
        rows, truth = np.array([x] * clients), np.array(x)
        quantizer = kind(True)

        def sample(rng: Any, size: int) -> Any:
            return ((quantizer.sample(rows, rng, size=size) - truth) ** 2).sum(axis=-1)

        exact = RotatedQuantizer(True).variance(rows)  # over all signs; the bound is for other rungs
        # No coordinate of any z is off by a whole step 2R, and R is at most the sum of |x_j| / sqrt(d).
        upper = 4 * float(np.abs(truth).sum()) ** 2
        return MonteCarloCase("eq", sample, exact, upper=upper, resolution=0.05)

    base = Lazy(partial(case, RotatedQuantizer), tests=1)
    mutants = {"private-signs": Lazy(partial(case, PrivateSigns), tests=1)}
    return Check("montecarlo", "equal-inputs", base, {"n": clients, "x": x}, mutants, seconds=0.3)
