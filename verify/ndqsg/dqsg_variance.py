"""Checks of `ndqsg/dqsg-variance`: all dithers in rationals, the worst gradient, samples, a run."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact, names
from verify.ndqsg.dithered_run import dithered_run
from verify.ndqsg.sabotaged_dither import ClippedValue, EuclideanScale, NarrowStep, StochasticRounding
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/dqsg-variance"
SABOTAGED: Mapping[str, type[DitheredQuantizer]] = {
    "stochastic-rounding": StochasticRounding,
    "narrow-step": NarrowStep,
    "clipped-value": ClippedValue,
    "euclidean-scale": EuclideanScale,
}


@dataclass(frozen=True)
class Instance:
    """A gradient, the number of levels, block lengths (None for one block), and points of the dither."""

    g: tuple[F, ...]
    M: int
    blocks: tuple[int, ...] | None = None
    points: int = 4

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"g": self.g, "M": self.M, "blocks": self.blocks, "points": self.points}

    @property
    def lengths(self) -> tuple[int, ...]:
        """Return the block lengths."""
        return self.blocks or (len(self.g),)

    @property
    def scales(self) -> tuple[F, ...]:
        """Return the largest absolute value of each block."""
        ends = itertools.accumulate(self.lengths)
        pairs = zip(ends, self.lengths, strict=True)
        return tuple(max(map(abs, self.g[end - length : end])) for end, length in pairs)

    def reversed(self) -> "Instance":
        """Return the same coordinates in reverse order."""
        return Instance(self.g[::-1], self.M, self.blocks and self.blocks[::-1], self.points)

    def codec(self, kind: type[DitheredQuantizer]) -> DitheredQuantizer:
        """Return the quantizer of this instance."""
        return kind(self.M, blocks=list(self.blocks) if self.blocks else None, points=self.points)


def _fractions(*items: Any) -> tuple[F, ...]:
    return tuple(F(item) for item in items)


SMALL = _fractions(3, -1, "1/2", 0)
SIX = _fractions("1/3", "-2/3", 1, "1/7", 0, "-5/6")
INSTANCES = {
    "four-one-level": Instance(SMALL, 1),
    "four-two-levels": Instance(SMALL, 2),
    "four-three-levels": Instance(SMALL, 3),
    "four-two-blocks": Instance(SMALL, 2, (2, 2)),
    "six-two-blocks": Instance(SIX, 2, (2, 4), points=2),
    "one-hot": Instance(_fractions(0, 0, -2), 1),
    "constant-modulus": Instance(_fractions(1, -1, 1), 3),
    "norm-7": Instance(_fractions(2, 3, 6), 2),
    "zero-block": Instance(_fractions(0, 0, 1), 2, (2, 1)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        _search("d2", (2,)),
        _search("two-blocks", (2, 6)),
        _search("d64", (64,)),
        _sampled(),
        _run(),
    )


def finite(name: str, **values: Any) -> Any:
    """Return a formula of `ndqsg/dither-finite`, exactly."""
    return rational(evaluate_exact(theory.claim("ndqsg/dither-finite").formulas[name], values))


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


def stated_variance(instance: Instance) -> Any:
    """Return the stated variance of an instance."""
    B = len(instance.lengths)
    return stated("exact", kappa_b=instance.scales, d_b=instance.lengths, B=B, M=instance.M)


# ---------------------------------------------------------------- all dithers


def compare(instance: Instance, kind: type[DitheredQuantizer]) -> Iterable[Comparison]:
    """Law of all outcomes: means, variances with the factor 1 - N^-2 of N points, covariances, ranges."""
    codec, g, N, M = instance.codec(kind), list(instance.g), instance.points, instance.M
    d, witness = len(g), instance.parameters
    kappa = [scale for scale, n in zip(instance.scales, instance.lengths, strict=True) for _ in range(n)]
    decoded = [(chance, codec.reference(g, draws)) for chance, draws in codec.outcomes(g)]
    errors = [(chance, [a - b for a, b in zip(out, g, strict=True)]) for chance, out in decoded]
    mean = [sum(chance * e[j] for chance, e in errors) for j in range(d)]
    second = [sum(chance * (e[j] - mean[j]) ** 2 for chance, e in errors) for j in range(d)]
    for j in range(d):
        claimed = kappa[j] / M * finite("mean", N=N, x=M * g[j] / kappa[j]) if kappa[j] else 0
        yield Comparison(f"mean error of coordinate {j}", "eq", mean[j], claimed, witness=witness)
        largest = max(abs(e[j]) for _, e in errors)
        allowed = stated("largest_error", kappa=kappa[j], M=M)
        yield Comparison(f"largest error of coordinate {j}", "le", largest, allowed, witness=witness)
        value = max(abs(out[j]) for _, out in decoded)
        allowed = stated("largest_value", kappa=kappa[j], M=M)
        yield Comparison(f"largest value of coordinate {j}", "le", value, allowed, witness=witness)
    for i, j in itertools.combinations(range(d), 2):
        mixed = sum(chance * (e[i] - mean[i]) * (e[j] - mean[j]) for chance, e in errors)
        yield Comparison(f"covariance of coordinates {i} and {j}", "eq", mixed, 0, witness=witness)
    factor = 1 - F(1, N**2)
    variance, claimed = sum(second), stated_variance(instance) * factor
    yield Comparison("variance", "eq", variance, claimed, witness=witness)
    lengths = range(len(instance.lengths))
    omega = max(stated("block_omega", d_b=instance.lengths, j=b, M=M) for b in lengths)
    above, below = (
        stated("bound", omega=omega, g=g, d=d) * factor,
        stated("lower", g=g, d=d, M=M) * factor,
    )
    yield Comparison("relative bound", "le", variance, above, witness=witness, headline=True)
    yield Comparison("lower bound", "le", below, variance, witness=witness)


# The scale by blocks differs from the norm where that is rational; a vector on the grid is rounded exactly.
VISIBLE = {
    "euclidean-scale": ("norm-7",),
    "stochastic-rounding": ("four-one-level", "four-two-levels", "four-two-blocks", "norm-7"),
    "narrow-step": ("four-one-level", "four-two-levels", "one-hot", "constant-modulus", "norm-7"),
    "clipped-value": ("four-one-level", "four-two-blocks", "one-hot", "constant-modulus", "norm-7"),
}


def _exact(name: str, instance: Instance) -> Check:
    mutants = {
        key: ExactCase(partial(compare, instance, kind))
        for key, kind in SABOTAGED.items()
        if name in VISIBLE[key]
    }
    mutants["reversed"] = ExactCase(lambda: compare(instance.reversed(), DitheredQuantizer))
    base = ExactCase(lambda: compare(instance, DitheredQuantizer))
    return Check("exact", name, base, instance.parameters, mutants, seconds=0.05)


# ---------------------------------------------------------------- search for the worst gradient


def _case(lengths: tuple[int, ...], omega_of: Any) -> AdversarialCase:
    M, d = 1, sum(lengths)
    omegas = [float(stated("block_omega", d_b=lengths, j=b, M=M)) for b in range(len(lengths))]
    unit = evaluate(theory.claim(ID).expressions["bound"], {"omega": omega_of(omegas), "g": (1.0,), "d": 1})
    codec = DitheredQuantizer(M, blocks=list(lengths))
    start = np.zeros(d)
    start[-1] = 1.0

    def bound(inputs: Any) -> Any:
        # The dither of 24 bits adds up to 2^-47 of the bound to the mean square.
        return unit * (np.asarray(inputs) ** 2).sum(axis=-1) * (1 + 2.0**-46)

    return AdversarialCase(codec.variance, bound, dim=d, starts=(start,), budget=400)


def _search(name: str, lengths: tuple[int, ...]) -> Check:
    mutants = {"average-block": Lazy(partial(_case, lengths, np.mean))} if len(lengths) > 1 else {}
    base = Lazy(partial(_case, lengths, max))
    return Check("adversarial", name, base, {"blocks": lengths, "M": 1}, mutants, seconds=0.2)


# ---------------------------------------------------------------- sampling and a run


def _sampling(kind: type[DitheredQuantizer]) -> MonteCarloCase:
    d, M = 50, 2
    x = np.sin(np.arange(1, d + 1))
    codec = kind(M)
    scale = float(np.abs(x).max())
    value = evaluate(theory.claim(ID).exact, {"kappa_b": (scale,), "d_b": (d,), "B": 1, "M": M})

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.broadcast_to(x, (size, d))
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - x) ** 2).sum(axis=-1)

    return MonteCarloCase("eq", sample, value, upper=d * (scale / M) ** 2 / 4)


SAMPLED = ("stochastic-rounding", "euclidean-scale")


def _sampled() -> Check:
    mutants = {name: Lazy(partial(_sampling, SABOTAGED[name]), tests=1) for name in SAMPLED}
    base = Lazy(partial(_sampling, DitheredQuantizer), tests=1)
    return Check("montecarlo", "d50", base, {"x": "sin(1..50)", "M": 2}, mutants, seconds=0.2)


def _along_run(kind: type[DitheredQuantizer]) -> MonteCarloCase:
    d, M, workers = 64, 2, 4
    value = evaluate(theory.claim(ID).exact, {"kappa_b": (1.0,), "d_b": (d,), "B": 1, "M": M})

    def sample(rng: np.random.Generator, size: int) -> Any:
        trace = dithered_run(kind(M), rng, iterations=size // (4 * workers), workers=workers, d=d)
        squares = ((trace.decoded - trace.gradients) ** 2 / trace.scales**2).sum(axis=-1)
        return squares.ravel() / value

    # No error exceeds half a step: three times the mean.
    return MonteCarloCase("eq", sample, 1.0, upper=3.0, resolution=0.02)


def _run() -> Check:
    mutants = {name: Lazy(partial(_along_run, SABOTAGED[name]), tests=1) for name in SAMPLED}
    base = Lazy(partial(_along_run, DitheredQuantizer), tests=1)
    parameters = {"d": 64, "M": 2, "workers": 4, "value": "error over its stated variance"}
    return Check("run", "relative-error", base, parameters, mutants, seconds=0.5)
