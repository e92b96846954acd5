"""Checks of `ndqsg/finding-silent-desync`: pairs of dithers, the law of the errors, and noisy training."""

from collections.abc import Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact, names
from verify.ndqsg.protocol_desync import INPUTS, POINTS, SwappedEnds
from verify.ndqsg.sabotaged_dither import Desynchronised
from verify.rungs.exact import ExactCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase
from verify.rungs.uniformity_case import UniformityCase

ID = "ndqsg/finding-silent-desync"
NOISES = (F(0), F(1, 12), F(18, 12))
STEP_VARIANCE = F(1, 12)
"""D in units of the squared step."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _exact(),
        _law(),
        _training(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


# ---------------------------------------------------------------- all pairs of dithers


def compare(kind: type[DitheredQuantizer] = Desynchronised, loud: bool = False) -> Iterable[Comparison]:
    """A desynchronised message is unbiased, and its variance is lost in the noise as stated."""
    codec = kind(1, scale=1, points=POINTS)
    for x in INPUTS:
        errors = [(chance, codec.reference([x], draws)[0] - x) for chance, draws in codec.outcomes([x])]
        bias, square = sum(p * e for p, e in errors), sum(p * e * e for p, e in errors)
        witness, phase = {"x": x, "points": POINTS}, x % 1
        # A receiver without any dither would be off by the dither's mean effect: zero as well.
        claimed = phase - F(1, 2) if loud else F(0)
        yield Comparison("bias", "eq", bias, claimed, witness=witness)
        for s in NOISES:
            D = STEP_VARIANCE
            # N points have the variance (1 - N^-2) / 12 at the receiver.
            found = (s + 12 * D * (square + F(1, 12 * POINTS**2))) / (s + D)
            values = {"s": s, "D": D, "p": phase}
            yield Comparison("ratio", "eq", found, stated("exact", **values), witness=witness)
            yield Comparison("bound", "le", found, stated("bound", **values), witness=witness, headline=True)
    for s in NOISES:
        # Simpson's rule is exact for the quadratic dependence on the phase.
        ends = [stated("exact", s=s, D=STEP_VARIANCE, p=p) for p in (F(0), F(1, 2), F(1))]
        average = (ends[0] + 4 * ends[1] + ends[2]) / 6
        yield Comparison("average", "eq", average, stated("average", s=s, D=STEP_VARIANCE))


def _exact() -> Check:
    mutants = {
        "loud": ExactCase(partial(compare, loud=True)),
        "swapped-ends": ExactCase(partial(compare, SwappedEnds)),
    }
    parameters = {"points": POINTS, "x": INPUTS, "s": NOISES}
    return Check("exact", "dither-pairs", ExactCase(compare), parameters, mutants, seconds=0.2)


# ---------------------------------------------------------------- the law of the errors


def _uniformity(kind: type[DitheredQuantizer]) -> UniformityCase:
    codec, x = kind(1, scale=1.0), np.array([0.0, 0.25, 0.5])

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        batch = np.broadcast_to(x, (size, len(x)))
        errors = codec.compress(batch, codec.draw(rng, batch.shape)) - batch
        return [(column, None) for column in errors.T]

    return UniformityCase(sample, batches=2)


def _law() -> Check:
    mutants = {"unseen-law": Lazy(partial(_uniformity, Desynchronised), tests=1)}
    base = Lazy(partial(_uniformity, DitheredQuantizer), tests=1)
    return Check("montecarlo", "law-of-errors", base, {"x": (0, 0.25, 0.5)}, mutants, seconds=0.1)


# ---------------------------------------------------------------- training with noise

WORKERS, DIMENSION, ROUNDS, STEP = 4, 32, 40, 0.3


def _training_case(noise: float, claimed_noise: float) -> TrajectoryCase:
    """Squared distances of SGD on |x|^2 / 2 from its solution, against the synchronous ones times the bound.

    The workers' gradients are half a step beside x, where desynchronisation costs most.
    """
    codec, D = Desynchronised(1, scale=1.0), float(STEP_VARIANCE)
    offsets = np.where(np.arange(WORKERS) % 2, 0.5, -0.5)[:, None]
    decay = (1 - STEP) ** 2

    def bounds() -> Any:
        ratio = evaluate(theory.claim(ID).expressions["bound"], {"s": claimed_noise, "D": D})
        grown = (1 - decay ** np.arange(1, ROUNDS + 1)) / (1 - decay)
        return ratio * STEP**2 * (noise + D) / WORKERS * grown

    def rows(rng: np.random.Generator, replicates: int) -> Any:
        x, found = np.zeros((replicates, DIMENSION)), []
        for _ in range(ROUNDS):
            shape = (replicates, WORKERS, DIMENSION)
            g = x[:, None] + offsets + np.sqrt(12 * noise) * (rng.random(shape) - 0.5)
            x = x - STEP * codec.compress(g, codec.draw(rng, shape)).mean(axis=1)
            found.append((x**2).mean(axis=1))
        return np.stack(found, axis=1)

    return TrajectoryCase(bounds, rows)


def _training() -> Check:
    much = float(NOISES[-1])
    mutants = {"no-noise": Lazy(partial(_training_case, 0.0, much), tests=1)}
    base = Lazy(partial(_training_case, much, much), tests=1)
    parameters = {"workers": WORKERS, "d": DIMENSION, "rounds": ROUNDS, "step": STEP, "s/D": 18}
    return Check("run", "noisy-training", base, parameters, mutants, seconds=0.5)
