"""Checks of `ndqsg/dqsg-conditional-independence`: joint laws over all dithers, sampling, and a run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, Key
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact, names
from verify.ndqsg.dithered_run import arms_of, dithered_run, unit, usual_key
from verify.ndqsg.sabotaged_dither import SharedCoordinates, StochasticRounding
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.rungs.uniformity_case import UniformityCase

ID = "ndqsg/dqsg-conditional-independence"
M = 2
POINTS = 8
# In steps all entries are multiples of 1/8: the grid of the errors is then the same at each of them.
GRADIENTS = (
    (F(1), F(3, 8)),
    (F(2), F(-1, 4)),
    (F(-3), F(0)),
    (F(5, 2), F(5, 16)),
    (F(1), F(1)),
)
NORMS = (1, F(1, 3), 5)
ORDERS = (2, 4, 6)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _exact(),
        _sampled(),
        _run(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


# ---------------------------------------------------------------- all dithers


def outcomes(kind: type[DitheredQuantizer], g: tuple[F, ...]) -> Iterator[tuple[F, tuple[F, ...]]]:
    """Yield chance and error of every outcome."""
    codec = kind(M, points=POINTS)
    for chance, draws in codec.outcomes(list(g)):
        decoded = codec.reference(list(g), draws)
        yield chance, tuple(a - b for a, b in zip(decoded, g, strict=True))


def scaled(errors: tuple[F, ...], g: tuple[F, ...], normalised: bool) -> tuple[F, ...]:
    """Return the errors in units of the step, or as they are."""
    return tuple(e * M / max(map(abs, g)) for e in errors) if normalised else errors


def wrong_cells(law: Mapping[tuple[F, ...], F]) -> int:
    """Return at how many pairs a law differs from that of two independent uniform points of the grid."""
    grid = [F(2 * j + 1 - POINTS, 2 * POINTS) for j in range(POINTS)]
    claimed: dict[tuple[F, ...], F] = {(a, b): F(1, POINTS**2) for a in grid for b in grid}
    return sum(law.get(pair, F(0)) != claimed.get(pair, F(0)) for pair in {*claimed, *law})


def compare(
    kind: type[DitheredQuantizer],
    *,
    normalised: bool = True,
    frozen: bool = False,
    order: int = 1,
) -> Iterable[Comparison]:
    """The errors of two coordinates, and of two iterations, are independent and the same at each gradient."""
    for pair in GRADIENTS:
        g, witness = pair[::order], {"g": pair, "M": M}
        law: defaultdict[tuple[F, ...], F] = defaultdict(F)
        for chance, errors in outcomes(kind, g):
            law[scaled(errors, g, normalised)] += chance
        yield Comparison("pairs of coordinates off the law", "eq", wrong_cells(law), 0, witness=witness)
        later: defaultdict[tuple[F, ...], F] = defaultdict(F)
        alone = (max(g, key=abs),)
        first = [(chance, scaled(errors, alone, normalised)[0]) for chance, errors in outcomes(kind, alone)]
        for index, (chance, error) in enumerate(first):
            for place, (other, next_error) in enumerate(first):
                if not frozen:
                    later[error, next_error] += chance * other
                elif index == place:
                    later[error, next_error] += chance
        yield Comparison("pairs of iterations off the law", "eq", wrong_cells(later), 0, witness=witness)
    yield from compare_moments(kind)


def compare_moments(kind: type[DitheredQuantizer]) -> Iterable[Comparison]:
    """Moments of the error at a given scale, up to the error of the midpoint rule on N points."""
    for kappa in NORMS:
        g = (F(kappa),)
        found = list(outcomes(kind, g))
        for n in ORDERS:
            moment = sum(chance * errors[0] ** n for chance, errors in found)
            away = abs(moment - stated("exact", kappa=g[0], M=M, n=n))
            # h^2 / 24 times the largest second derivative of e^n, with h = 1/N, in units of the step.
            allowed = F(n * (n - 1), 24 * POINTS**2 * 2 ** (n - 2)) * (g[0] / M) ** n
            witness = {"kappa": kappa, "order": n}
            yield Comparison("moment off the stated one", "le", away, allowed, witness=witness, headline=True)


def _exact() -> Check:
    mutants = {
        "unnormalised": ExactCase(partial(compare, DitheredQuantizer, normalised=False)),
        "stochastic-rounding": ExactCase(partial(compare, StochasticRounding)),
        "frozen-dither": ExactCase(partial(compare, DitheredQuantizer, frozen=True)),
        "shared-coordinates": ExactCase(partial(compare, SharedCoordinates)),
        "reversed": ExactCase(partial(compare, DitheredQuantizer, order=-1)),
    }
    parameters = {"g": GRADIENTS, "M": M, "points": POINTS}
    return Check(
        "exact", "joint-law", ExactCase(partial(compare, DitheredQuantizer)), parameters, mutants, 0.3
    )


# ---------------------------------------------------------------- sampling


def _student(kind: type[DitheredQuantizer], normalised: bool = True) -> UniformityCase:
    """Student gradients with 5 degrees of freedom: their scale varies a lot."""
    codec = kind(1)

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        g = rng.standard_t(5, size=(size, 4))
        scale = np.abs(g).max(axis=-1, keepdims=True)
        errors = codec.compress(g, codec.draw(rng, g.shape)) - g
        errors = errors / scale if normalised else errors / 20
        first, second = errors[:, 0], errors[:, 1]
        # With one dither for both coordinates this is the first error, up to whole steps.
        related = second - (g[:, 0] - g[:, 1]) / scale[:, 0]
        return [
            (first, None),
            (first, unit(g[:, 0])),
            (first, unit(np.log(scale[:, 0]))),
            (first, related - np.floor(related)),
        ]

    return UniformityCase(sample, batches=4)


def _sampled() -> Check:
    mutants = {
        "unnormalised": Lazy(partial(_student, DitheredQuantizer, False), tests=1),
        "stochastic-rounding": Lazy(partial(_student, StochasticRounding), tests=1),
        "shared-coordinates": Lazy(partial(_student, SharedCoordinates), tests=1),
    }
    base = Lazy(partial(_student, DitheredQuantizer), tests=1)
    parameters = {"gradients": "Student, 5 degrees of freedom", "d": 4, "M": 1}
    return Check("montecarlo", "student", base, parameters, mutants, seconds=0.3)


# ---------------------------------------------------------------- a run


def frozen_key(seed: tuple[int, int], worker: int, iteration: int) -> Key:
    """Return the key of the first iteration, always."""
    return usual_key(seed, worker, 0)


def _along_run(
    kind: type[DitheredQuantizer], *, normalised: bool = True, frozen: bool = False
) -> UniformityCase:
    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        rule = frozen_key if frozen else usual_key
        trace = dithered_run(kind(M), rng, rule=rule, start=3.0)
        errors = trace.errors(M)
        if not normalised:
            # One factor for the whole run: the largest scale.
            errors = errors * trace.scales / trace.scales.max()
        return arms_of(errors, trace.gradients)

    return UniformityCase(sample, batches=1)


def _run() -> Check:
    mutants = {
        "unnormalised": Lazy(partial(_along_run, DitheredQuantizer, normalised=False), tests=1),
        "stochastic-rounding": Lazy(partial(_along_run, StochasticRounding), tests=1),
        "frozen-dither": Lazy(partial(_along_run, DitheredQuantizer, frozen=True), tests=1),
    }
    base = Lazy(partial(_along_run, DitheredQuantizer), tests=1)
    parameters = {"M": M, "workers": 4, "d": 16, "iterations": 200}
    return Check("run", "errors-and-past", base, parameters, mutants, seconds=0.9)
