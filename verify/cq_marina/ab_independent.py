"""Checks of `cq_marina/ab-independent`: all outcomes in rationals, a search, and samplers."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import theory
from impl.compressors import Draws, Independent, IndependentQuantizer, JointCompressor, RandK
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.cq_marina.grid_inputs import P3, Rows
from verify.cq_marina.joint_enumeration import enumerate_joint, estimates, mean_of
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

IQ_BIN, IQ_TERN = IndependentQuantizer("binary"), IndependentQuantizer("ternary")
Constant = Callable[[Sequence[Any], Sequence[Any]], Any]


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly, as a Fraction where it is rational."""
    return rational(evaluate_exact(theory.claim("cq_marina/ab-independent").expressions[name], values))


def largest(omega: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Return A, the largest product of a relative variance and its weight."""
    return max(factor * weight for factor, weight in zip(omega, weights, strict=True))


def unweighted(omega: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Return the constant of uniform weights, whatever the weights are."""
    return max(omega) / F(len(weights))


@dataclass(frozen=True)
class Mixture:
    """Clients with compressors of their own, used independently: joint ones that see one client each."""

    compressors: Sequence[JointCompressor]

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Sequence[Draws]]]:
        """Yield (probability, draws of each client) over all combinations."""
        own = [list(item.outcomes([row])) for item, row in zip(self.compressors, x, strict=True)]
        for chosen in itertools.product(*own):
            yield math.prod(chance for chance, _ in chosen), [draws for _, draws in chosen]

    def reference(self, x: Any, draws: Sequence[Draws]) -> Any:
        """Return the decoded clients (n, d), literally."""
        parts = zip(self.compressors, x, draws, strict=True)
        return [compressor.reference([row], drawn)[0] for compressor, row, drawn in parts]


class CommonThresholds(IndependentQuantizer):
    """One threshold per coordinate for all clients."""

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[Any]:
        return np.array(np.broadcast_to(rng.random((*shape[:-2], 1, shape[-1])), shape))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        y, _ = self._exact_chances(self._literal(x))
        pieces = []
        for column in zip(*y, strict=True):
            ends = sorted({F(0), F(1), *column})
            pieces.append([(high - low, (low + high) / 2) for low, high in itertools.pairwise(ends)])
        for chosen in itertools.product(*pieces):
            uniforms = [middle for _, middle in chosen]
            yield math.prod(width for width, _ in chosen), Draws(None, [uniforms for _ in y])


@dataclass(frozen=True)
class Instance:
    """Inputs with the compressors of the clients, their relative variances, and weights.

    Args:
        rows: Inputs (n, d) in Fractions.
        compressors: One for each client.
        omega: Relative variances as the claim states them, (n,).
        weights: Weights of the clients, (n,).
        is_attained: Whether each client attains its relative variance.
        is_sharp: Whether the constant is attained as well.
    """

    rows: Rows
    compressors: Sequence[JointCompressor]
    omega: Sequence[Any]
    weights: Sequence[Any]
    is_attained: bool = True
    is_sharp: bool = False

    @property
    def turned(self) -> "Instance":
        """Return the instance with the clients in the reverse order."""
        return replace(
            self,
            rows=self.rows[::-1],
            compressors=self.compressors[::-1],
            omega=self.omega[::-1],
            weights=self.weights[::-1],
        )

    def with_omega(self, value: Any) -> "Instance":
        """Return the instance with another relative variance claimed for all clients."""
        return replace(self, omega=(value,) * len(self.rows))


def _rows(*vectors: Sequence[Any]) -> Rows:
    return tuple(tuple(F(item) for item in vector) for vector in vectors)


def _uniform(n: int) -> tuple[F, ...]:
    return (F(1, n),) * n


def instances() -> dict[str, Instance]:
    """Return the instances of the exact rung."""
    two, four = stated("binary", d=2), stated("binary", d=4)
    flat = stated("ternary", d=4)
    tenths = tuple(F(item, 10) for item in (1, 2, 3, 4))
    return {
        "binary": Instance(
            _rows((3, 4), (0, -5), (6, -8)), (IQ_BIN,) * 3, (two,) * 3, _uniform(3), True, True
        ),
        "binary-alone": Instance(
            _rows((0, 0), (0, 0), (0, 0), (3, 4)), (IQ_BIN,) * 4, (two,) * 4, tenths, True, True
        ),
        "binary-weights": Instance(
            _rows((3, 4), (5, 12), (-8, 6)), (IQ_BIN,) * 3, (two,) * 3, (F(1, 6), F(1, 3), F(1, 2))
        ),
        "ternary-flat": Instance(
            _rows((1, 1, 1, 1), (2, -2, 2, -2)), (IQ_TERN,) * 2, (flat,) * 2, _uniform(2), True, True
        ),
        "ternary": Instance(
            _rows((1, 2, 2, 4), (1, 1, -3, 5)), (IQ_TERN,) * 2, (flat,) * 2, _uniform(2), False
        ),
        "mixture": Instance(
            _rows((1, 2, 2, 4), (1, 1, 1, 1), (1, 2, -2, 0)),
            (IQ_BIN, IQ_TERN, Independent(RandK(1))),
            (four, flat, F(3)),
            (F(1, 6), F(1, 2), F(1, 3)),
        ),
    }


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/ab-independent")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_exact(name) for name in ("binary", "binary-alone", "binary-weights")),
        *(_exact(name) for name in ("ternary-flat", "ternary", "mixture")),
        Check("exact", "equal-clients", *_equal_clients(), seconds=0.1),
        _searched("binary-weights", IQ_BIN, 4, (F(1, 6), F(1, 3), F(1, 2))),
        _searched("ternary", IQ_TERN, 4, _uniform(2)),
        _sampled_equal(),
        _sampled_grid(),
    )


def compare(instance: Instance, constant: Constant = largest) -> Iterable[Comparison]:
    """All outcomes against the stated sum and the bound, in rationals."""
    rows, n = instance.rows, len(instance.rows)
    moments = enumerate_joint(Mixture(instance.compressors), rows)
    square = [sum((item**2 for item in row), F(0)) for row in rows]
    M_w = stated("weighted_mean_square", n=n, square=square, w=instance.weights)
    bound = stated("bound", A=constant(instance.omega, instance.weights), M_w=M_w)
    witness = {"a": rows, "w": instance.weights}
    for j, (mean, true) in enumerate(zip(moments.mean, mean_of(rows), strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, true, witness=witness)
    total = stated("sum", n=n, omega=instance.omega, square=square)
    relation: Any = "eq" if instance.is_attained else "le"
    yield Comparison("sum of the clients", relation, moments.error, total, witness=witness)
    yield Comparison("bound", "le", moments.error, bound, witness=witness, headline=True)
    if instance.is_sharp:
        yield Comparison("attained", "eq", moments.error, bound, witness=witness)


def _exact(name: str) -> Check:
    def case(
        change: Callable[[Instance], Instance] = lambda item: item, constant: Constant = largest
    ) -> Lazy:
        return Lazy(lambda: ExactCase(lambda: compare(change(instances()[name]), constant)))

    mutants = {} if name == "mixture" else {"permuted-clients": case(lambda item: item.turned)}
    if name.startswith("binary"):
        mutants["quarter-for-binary"] = case(lambda item: item.with_omega(stated("quarter", d=2)))
    if name == "binary-alone":
        mutants["unweighted-constant"] = case(constant=unweighted)
    if name == "ternary-flat":
        mutants["half-ternary"] = case(lambda item: item.with_omega(stated("ternary", d=4) / 2))
    seconds = 0.5 if name == "mixture" else 0.1
    return Check("exact", name, case(), {"instance": name}, mutants, seconds=seconds)


def _equal_clients() -> tuple[ExactCase, dict[str, Any], dict[str, Any]]:
    """Three equal inputs, where common thresholds have three times the error."""
    rows = _rows(*((3, 4),) * 3)

    def case(compressor: JointCompressor) -> ExactCase:
        return ExactCase(lambda: _compare_equal(compressor, rows))

    return case(IQ_BIN), {"a": rows}, {"common-thresholds": case(CommonThresholds("binary"))}


def _compare_equal(compressor: JointCompressor, rows: Rows) -> Iterable[Comparison]:
    n, d, error = len(rows), len(rows[0]), F(0)
    truth = mean_of(rows)
    for chance, estimate in estimates(compressor, rows):
        error += chance * sum((g - a) ** 2 for g, a in zip(estimate, truth, strict=True))
    square = [sum((item**2 for item in row), F(0)) for row in rows]
    total = stated("sum", n=n, omega=(stated("binary", d=d),) * n, square=square)
    yield Comparison("equal clients", "eq", error, total, witness={"a": rows}, headline=True)


def _searched(name: str, quantizer: IndependentQuantizer, d: int, weights: Sequence[F]) -> Check:
    """Search for inputs above the bound; those that attain it are among the first."""
    n = len(weights)
    w = np.array([float(weight) for weight in weights])
    alone, flat = np.zeros((n, d)), np.ones((n, d))
    alone[-1] = 1.0

    def case(omega: str, factor: float = 1.0, constant: Constant = largest) -> AdversarialCase:
        relative = [
            factor * evaluate(theory.claim("cq_marina/ab-independent").expressions[omega], {"d": d})
        ] * n
        A = float(constant(relative, [float(weight) for weight in weights]))

        def bound(inputs: Any) -> Any:
            squares = (inputs.reshape(-1, n, d) ** 2).sum(axis=-1)
            return A * (squares / (n * w)).mean(axis=-1)

        def value(inputs: Any) -> Any:
            return quantizer.variance(inputs.reshape(-1, n, d))

        return AdversarialCase(value, bound, n * d, starts=(alone.ravel(), flat.ravel()), budget=800)

    own = quantizer.grid
    if own == "binary":
        mutants = {
            "quarter-for-binary": Lazy(lambda: case("quarter")),
            "unweighted-constant": Lazy(lambda: case(own, constant=unweighted)),
        }
    else:
        mutants = {"half-ternary": Lazy(lambda: case(own, 0.5))}
    parameters = {"n": n, "d": d, "weights": weights, "grid": own}
    return Check("adversarial", name, Lazy(lambda: case(own)), parameters, mutants, seconds=0.3)


def _squared_errors(compressor: JointCompressor, rows: Rows) -> Callable[[Any, int], Any]:
    x = np.array(rows, dtype=float)

    def sample(rng: Any, size: int) -> Any:
        error = compressor.sample(x, rng, size) - x.mean(axis=0)
        return np.einsum("rd,rd->r", error, error)

    return sample


def _case(compressor: IndependentQuantizer, rows: Rows) -> MonteCarloCase:
    """The stated sum for inputs at which each client attains its relative variance."""
    x = np.array(rows, dtype=float)
    n, d = x.shape
    expressions = theory.claim("cq_marina/ab-independent").expressions
    omega = evaluate(expressions[compressor.grid], {"d": d})
    squares = (x**2).sum(axis=1)
    total = evaluate(expressions["sum"], {"n": n, "omega": [omega] * n, "square": squares})
    reach = np.sqrt(squares).mean()
    upper = float(((reach + np.abs(x.mean(axis=0))) ** 2).sum())
    return MonteCarloCase("eq", _squared_errors(compressor, rows), total, upper=upper)


def _sampled_equal() -> Check:
    """Three equal flat inputs on the ternary grid."""
    rows = _rows(*((1, 1, 1, 1),) * 3)
    mutants = {"common-thresholds": Lazy(partial(_case, CommonThresholds("ternary"), rows), tests=1)}
    base = Lazy(partial(_case, IQ_TERN, rows), tests=1)
    return Check("montecarlo", "equal-clients", base, {"a": rows}, mutants, seconds=0.4)


def _sampled_grid() -> Check:
    base = Lazy(partial(_case, IQ_BIN, P3), tests=1)
    return Check("montecarlo", "P3", base, {"a": P3}, {}, seconds=0.4)
