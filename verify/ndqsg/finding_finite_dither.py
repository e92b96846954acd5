"""Checks of `ndqsg/finding-finite-dither`: laws about the mean over all dithers, averages, a search."""

import itertools
from collections.abc import Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, Draws
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact, names
from verify.ndqsg.dither_finite import INPUTS, SHIFT
from verify.ndqsg.sabotaged_dither import HalfWidth, RuledQuantizer
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/finding-finite-dither"
SCALE, M = F(3), 2
STEP = SCALE / M
POINTS = (2, 3, 4, 16)
# Points and workers whose dithers are enumerated together.
AVERAGES = ((2, 3), (4, 2), (4, 3))


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        _exact(),
        _search(),
        _sampled(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


class Misaligned(RuledQuantizer):
    """The receiver subtracts the points j/N - 1/2, the sender has added the symmetric ones."""

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        return kappa * ((self.index(x, kappa, u) - (u - F(1, 2 * self.points))) / self.levels)


# ---------------------------------------------------------------- all dithers


def errors(kind: type[DitheredQuantizer], x: F, points: int) -> list[F]:
    """Return the errors of all dithers at an input in units of the step, sorted."""
    codec = kind(M, scale=SCALE, points=points)
    value = x * STEP
    return sorted(codec.reference([value], draws)[0] - value for _, draws in codec.outcomes([value]))


def compare(
    kind: type[DitheredQuantizer] = DitheredQuantizer,
    *,
    unbiased: bool = False,
    averaged: bool = False,
    shift: int = 0,
) -> Iterable[Comparison]:
    """The law about the mean is one for all inputs; the mean is within its bound, and attains it."""
    for N in POINTS:
        grid = [STEP * F(2 * i + 1 - N, 2 * N) for i in range(N)]
        bound = F(0) if unbiased else stated("bound", N=N, delta=STEP)
        largest = F(0)
        for x in (*INPUTS, F(1, 2 * N)):
            found, witness = errors(kind, x + shift, N), {"x": x + shift, "points": N}
            mean = sum(found, F(0)) / N
            centred = [error - mean for error in found]
            wrong = sum(a != b for a, b in zip(centred, grid, strict=True))
            yield Comparison("points of the law about the mean", "eq", wrong, 0, witness=witness)
            for name, order in (("second", 2), ("fourth", 4)):
                moment = sum((item**order for item in centred), F(0)) / N
                claimed = stated(name, N=N, delta=STEP)
                yield Comparison(f"{name} central moment", "eq", moment, claimed, witness=witness)
            yield Comparison("mean", "le", abs(mean), bound, witness=witness, headline=True)
            largest = max(largest, abs(mean))
        yield Comparison("largest mean", "eq", largest, bound, witness={"points": N})
    yield from compare_averages(kind, averaged=averaged, shift=shift)


def compare_averages(kind: type[DitheredQuantizer], *, averaged: bool, shift: int) -> Iterable[Comparison]:
    """Mean squares of averages of workers over all their dithers, at a tie and elsewhere."""
    for N, P in AVERAGES:
        claimed = stated("average", N=N, delta=STEP, P=P)
        if averaged:
            claimed = stated("second", N=N, delta=STEP) / P
        for x in (F(1, 2 * N), F(1, 3), F(0)):
            one = errors(kind, x + shift, N)
            groups = itertools.product(one, repeat=P)
            square = sum(((sum(group, F(0)) / P) ** 2 for group in groups), F(0)) / N**P
            label, witness = f"mean square of the average of {P}", {"x": x + shift, "points": N}
            relation: Any = "eq" if x == F(1, 2 * N) else "le"
            yield Comparison(label, relation, square, claimed, witness=witness)
        workers = stated("workers", N=N)
        alone = stated("second", N=N, delta=STEP) / workers
        yield Comparison("break-even", "eq", 2 * alone, stated("average", N=N, delta=STEP, P=workers))


def _exact() -> Check:
    mutants = {
        "unbiased": ExactCase(partial(compare, unbiased=True)),
        "averaged-away": ExactCase(partial(compare, averaged=True)),
        "misaligned": ExactCase(partial(compare, Misaligned)),
        "half-width": ExactCase(partial(compare, HalfWidth)),
        "shifted-input": ExactCase(partial(compare, shift=SHIFT)),
    }
    parameters = {"points": POINTS, "x": INPUTS, "delta": STEP, "points,P": AVERAGES}
    return Check("exact", "all-dithers", ExactCase(compare), parameters, mutants, seconds=0.6)


# ---------------------------------------------------------------- the worst input


def _case(kind: type[DitheredQuantizer] = DitheredQuantizer, part: float = 1.0) -> AdversarialCase:
    N = 16
    codec = kind(1, scale=1.0, points=N)
    dither = (2 * np.arange(N) + 1 - N) / (2 * N)
    bound = part * evaluate(theory.claim(ID).expressions["bound"], {"N": N, "delta": 1.0})

    def value(inputs: Any) -> Any:
        # The error has the period 1: inputs stay near 0, where sums are exact to 1e-16.
        x = np.asarray(inputs)[:, :1] % 1.0
        batch = np.broadcast_to(x, (len(x), N))
        decoded = codec.compress(batch, Draws(shared=np.broadcast_to(dither, batch.shape)))
        return np.abs((decoded - batch).mean(axis=-1))

    return AdversarialCase(
        value,
        lambda inputs: np.full(len(inputs), bound),
        dim=1,
        starts=([1 / (2 * N)], [0.25]),
        scale_invariant=False,
        budget=400,
    )


def _search() -> Check:
    mutants = {
        # A tenth of the bound for a mean of 0: no ratio to 0 is formed.
        "unbiased": Lazy(partial(_case, part=0.1)),
        "misaligned": Lazy(partial(_case, Misaligned)),
    }
    return Check("adversarial", "mean", Lazy(_case), {"points": 16}, mutants, seconds=0.1)


# ---------------------------------------------------------------- averages by sampling

WORKERS, FEW = 64, 4


def _sampling(averaged: bool) -> MonteCarloCase:
    """The squared average error of many workers with few points, at a tie."""
    codec = DitheredQuantizer(1, scale=1.0, points=FEW)
    value = evaluate(theory.claim(ID).formulas["average"], {"N": FEW, "delta": 1.0, "P": WORKERS})
    if averaged:
        value = evaluate(theory.claim(ID).formulas["second"], {"N": FEW, "delta": 1.0}) / WORKERS
    x = 1 / (2 * FEW)

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.full((size, WORKERS), x)
        return (codec.compress(batch, codec.draw(rng, batch.shape)) - x).mean(axis=-1) ** 2

    return MonteCarloCase("eq", sample, value, upper=0.25, resolution=0.05)


def _sampled() -> Check:
    mutants = {"averaged-away": Lazy(partial(_sampling, True), tests=1)}
    base = Lazy(partial(_sampling, False), tests=1)
    parameters = {"points": FEW, "P": WORKERS, "x": "1/8"}
    return Check("montecarlo", "many-workers", base, parameters, mutants, seconds=0.3)
