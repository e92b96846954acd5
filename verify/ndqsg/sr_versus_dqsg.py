"""Checks of `ndqsg/sr-versus-dqsg`: all dithers, quantile vectors, search, sampling, a run."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, rational
from verify.evaluation import evaluate, evaluate_exact, names
from verify.ndqsg.dithered_run import dithered_run
from verify.ndqsg.sabotaged_dither import StochasticRounding
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.sabotaged_quantizers import rational_norm

ID = "ndqsg/sr-versus-dqsg"


@dataclass(frozen=True)
class Instance:
    """A gradient, levels, and a number of dithers for which all phases are multiples of their spacing."""

    g: tuple[F, ...]
    M: int
    points: int

    @property
    def kappa(self) -> F:
        """Return the largest absolute value."""
        return max(map(abs, self.g))

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"g": self.g, "M": self.M, "points": self.points}

    def reversed(self) -> "Instance":
        """Return the same coordinates in reverse order."""
        return Instance(self.g[::-1], self.M, self.points)


FOUR = (F(3), F(-1), F(1, 2), F(0))
SIX = (F(1, 3), F(-2, 3), F(1), F(1, 7), F(0), F(-5, 6))
INSTANCES = {
    "four-one-level": Instance(FOUR, 1, 6),
    "four-two-levels": Instance(FOUR, 2, 6),
    "four-three-levels": Instance(FOUR, 3, 6),
    "six-one-level": Instance(SIX, 1, 42),
    "six-two-levels": Instance(SIX, 2, 42),
    "half-steps": Instance((F(1), F(1, 2), F(-1, 2), F(1, 2)), 1, 2),
    "grid-point": Instance((F(1), F(0), F(0), F(-1)), 1, 2),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check("exact", "euclidean", ExactCase(compare_euclidean), {"norm": (7, 9)}, seconds=0.1),
        _quantiles("sparse", ("sparse",), (1,)),
        _quantiles("quantiles", tuple(VECTORS), (1, 3), profile="full"),
        _search(),
        _search_below(),
        _sampled(),
        _sampled_dithered(),
        _run(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


# ---------------------------------------------------------------- all dithers


def square(kind: type[DitheredQuantizer], instance: Instance) -> F:
    """Return the mean square error over all dithers, coordinate by coordinate."""
    codec, total = kind(instance.M, scale=instance.kappa, points=instance.points), F(0)
    for value in instance.g:
        for chance, draws in codec.outcomes([value]):
            total += chance * (codec.reference([value], draws)[0] - value) ** 2
    return total


def rounding(instance: Instance) -> F:
    """Return the stated variance of stochastic rounding."""
    g, M = instance.g, instance.M
    return F(stated("exact", g=g, kappa=instance.kappa, M=M, d=len(g)))


def average_phase(instance: Instance) -> F:
    """A sixth of the squared step for every coordinate, where the phases count."""
    return len(instance.g) * (instance.kappa / instance.M) ** 2 / 6


def dithering(instance: Instance) -> F:
    """Return the stated variance of DQSG."""
    return F(stated("dqsg", kappa=instance.kappa, M=instance.M, d=len(instance.g)))


def nonzeros_only(instance: Instance) -> F:
    """The zeros forgotten in the variance of DQSG."""
    return dithering(instance) * sum(item != 0 for item in instance.g) / len(instance.g)


def compare(
    instance: Instance,
    kind: type[DitheredQuantizer] = StochasticRounding,
    *,
    value: Callable[[Instance], F] = rounding,
    dithered: Callable[[Instance], F] = dithering,
    factor: F = F(1),
) -> Iterable[Comparison]:
    """Both methods over all dithers, against the formulas; the indices have one law."""
    witness, found = instance.parameters, square(kind, instance)
    yield Comparison("stochastic rounding", "eq", found, value(instance), witness=witness)
    bound = stated("bound", kappa=instance.kappa, M=instance.M, d=len(instance.g)) * factor
    yield Comparison("at most the bound", "le", found, bound, witness=witness, headline=True)
    # On N points the variance has the factor 1 - N^-2, and the mean is 0 or half a spacing at a tie.
    exact = DitheredQuantizer(instance.M, scale=instance.kappa, points=instance.points)
    law = square(DitheredQuantizer, instance) - sum(bias**2 for bias in exact_bias(exact, instance))
    claimed = dithered(instance) * (1 - F(1, instance.points**2))
    yield Comparison("dithering", "eq", law, claimed, witness=witness)
    if instance.M == 1:
        short = stated("one_level", g=instance.g, kappa=instance.kappa, d=len(instance.g))
        yield Comparison("one level", "eq", value(instance), short, witness=witness)
    yield from compare_indices(instance, kind)


def exact_bias(codec: DitheredQuantizer, instance: Instance) -> list[F]:
    """Return the bias of every coordinate over all dithers."""
    biases = []
    for value in instance.g:
        errors = [
            chance * (codec.reference([value], draws)[0] - value) for chance, draws in codec.outcomes([value])
        ]
        biases.append(sum(errors, F(0)))
    return biases


def compare_indices(instance: Instance, kind: type[DitheredQuantizer]) -> Iterable[Comparison]:
    """The index of a coordinate is the two-point rounding of its value in steps, for both methods."""
    for method in (kind, DitheredQuantizer):
        codec = method(instance.M, scale=instance.kappa, points=instance.points)
        for value in instance.g:
            level = instance.M * value / instance.kappa
            found = [
                chance * (codec.reference_symbols([value], draws)[0] > math.floor(level))
                for chance, draws in codec.outcomes([value])
            ]
            chance = sum(found, F(0))
            yield Comparison("chance of rounding up", "eq", chance, level % 1, witness={"level": level})


def _exact(name: str, instance: Instance) -> Check:
    cases: Mapping[str, Any] = {
        "average-phase": partial(compare, instance, value=average_phase),
        "forget-zeros": partial(compare, instance, dithered=nonzeros_only),
        "two-fold-bound": partial(compare, instance, factor=F(2, 3)),
        "subtracted": partial(compare, instance, DitheredQuantizer),
        "reversed": lambda: compare(instance.reversed()),
    }
    zeros = 0 in instance.g
    blind = {
        "forget-zeros": not zeros,
        "two-fold-bound": name != "half-steps",
    }
    mutants = {key: ExactCase(case) for key, case in cases.items() if not blind.get(key, False)}
    base = ExactCase(partial(compare, instance))
    return Check("exact", name, base, instance.parameters, mutants, seconds=0.1)


def compare_euclidean() -> Iterable[Comparison]:
    """QSGD by its own implementation: the closed form, and its two bounds."""
    for g in ((2, 3, 6), (1, 4, 8), (-2, 6, 3)):
        x, norm = [F(item) for item in g], rational_norm(g)
        for s in (1, 2, 3, 5):
            found = StochasticQuantizer([F(1, s)] * len(x)).variance(x)
            values = {"g": x, "norm": norm, "s": s, "d": len(x)}
            witness = {"g": g, "s": s}
            yield Comparison("QSGD", "eq", found, stated("euclidean", **values), witness=witness)
            yield Comparison("fine bound", "le", found, stated("euclidean_fine", **values), witness=witness)
            limit = evaluate(
                theory.claim(ID).formulas["euclidean_coarse"],
                {"norm": float(norm), "s": s, "d": len(x)},
            )
            yield Comparison("coarse bound", "le", float(found), limit, ROUND_OFF, witness=witness)


# ---------------------------------------------------------------- quantile vectors


def gauss(positions: Any) -> Any:
    """Return quantiles of the standard normal law."""
    from scipy.special import ndtri

    return ndtri(positions)


def laplace(positions: Any) -> Any:
    """Return quantiles of the Laplace law of scale 1."""
    away = positions - 0.5
    return -np.sign(away) * np.log1p(-2 * np.abs(away))


VECTORS: Mapping[str, tuple[Callable[[Any], Any], int]] = {
    "gauss": (gauss, 1000),
    "laplace": (laplace, 1000),
    "sparse": (gauss, 50),
}
D = 1000


def vector(name: str) -> Any:
    """Return the quantiles of a law at (i - 1/2)/count, followed by zeros, (1000,)."""
    law, count = VECTORS[name]
    return np.r_[law((np.arange(1, count + 1) - 0.5) / count), np.zeros(D - count)]


def relative(name: str, x: Any, M: int) -> float:
    """Return a stated variance over the squared norm."""
    formula = theory.claim(ID).expressions[name]
    values = {"g": x, "kappa": float(np.abs(x).max()), "M": M, "d": len(x)}
    return evaluate(formula, {key: values[key] for key in names(formula)}) / float((x**2).sum())


def compare_quantiles(
    scale: Callable[[Any], float], vectors: Iterable[str], levels: Iterable[int]
) -> Iterable[Comparison]:
    """Closed forms on the quantile vectors; DQSG by the oracle of the codec, rounding by counting phases."""
    for name in vectors:
        x = vector(name)
        norm, kappa = float((x**2).sum()), float(np.abs(x).max())
        for M in levels:
            level = M * np.abs(x) / kappa
            fraction = level - np.floor(level)
            counted = float((kappa / M) ** 2 * (fraction * (1 - fraction)).sum()) / norm
            stated_value = relative("exact", x, M)
            witness = {"vector": name, "M": M}
            yield Comparison("stochastic rounding", "eq", counted, stated_value, ROUND_OFF, witness=witness)
            oracle = DitheredQuantizer(M).variance(x) / norm
            claimed = relative("dqsg", x, M) * scale(x)
            yield Comparison("dithering", "eq", oracle, claimed, ROUND_OFF, witness=witness, headline=True)


def _quantiles(name: str, vectors: tuple[str, ...], levels: tuple[int, ...], **more: Any) -> Check:
    def share(x: Any) -> float:
        return float(np.count_nonzero(x)) / len(x)

    # Only a vector with zeros shows that they were forgotten.
    seen = tuple(item for item in vectors if item == "sparse")
    mutants = {"forget-zeros": ExactCase(partial(compare_quantiles, share, seen, levels))}
    base = ExactCase(partial(compare_quantiles, lambda x: 1.0, vectors, levels))
    parameters = {"vectors": vectors, "d": D, "M": levels}
    return Check("exact", name, base, parameters, mutants, seconds=0.4, **more)


# ---------------------------------------------------------------- search, sampling, a run


def rounding_variance(x: Any, M: int) -> Any:
    """Return the variance of stochastic rounding with the largest entry as the scale, (...,)."""
    kappa = np.abs(x).max(axis=-1, keepdims=True)
    level = M * (np.abs(x) / np.where(kappa == 0, 1, kappa))
    fraction = level - np.floor(level)
    return ((kappa / M) ** 2 * fraction * (1 - fraction)).sum(axis=-1)


def _case(factor: float) -> AdversarialCase:
    M, d = 1, 16
    unit = factor * evaluate(theory.claim(ID).expressions["bound"], {"kappa": 1.0, "M": M, "d": d})
    worst = np.r_[1.0, np.full(d - 1, 0.5)]
    return AdversarialCase(
        partial(rounding_variance, M=M),
        lambda inputs: unit * np.abs(np.asarray(inputs)).max(axis=-1) ** 2,
        dim=d,
        starts=(worst,),
        budget=400,
    )


def _search() -> Check:
    mutants = {"two-fold-bound": Lazy(partial(_case, 2 / 3))}
    base = Lazy(partial(_case, 1.0))
    return Check("adversarial", "half-steps", base, {"d": 16, "M": 1}, mutants, seconds=0.1)


def _search_below() -> Check:
    """What DQSG has more than stochastic rounding is at most all of its variance: on points of the grid."""

    def case() -> AdversarialCase:
        M, d = 2, 8
        formula = theory.claim(ID).formulas["dqsg"]
        unit = evaluate(formula, {"kappa": 1.0, "M": M, "d": d})

        def dithered(inputs: Any) -> Any:
            return unit * np.abs(np.asarray(inputs)).max(axis=-1) ** 2

        return AdversarialCase(
            lambda inputs: dithered(inputs) - rounding_variance(np.asarray(inputs), M),
            dithered,
            dim=d,
            starts=(np.r_[1.0, 0.5, -0.5, np.zeros(d - 3)],),
            budget=400,
        )

    return Check("adversarial", "grid-points", Lazy(case), {"d": 8, "M": 2}, seconds=0.1)


SPARSE = tuple([1.0, -0.7, 0.2, 0.85] + [0.0] * 28)


def _sampling(kind: type[DitheredQuantizer], name: str, factor: float = 1.0) -> MonteCarloCase:
    x, M = np.array(SPARSE), 1
    codec, d = kind(M), len(SPARSE)
    value = relative(name, x, M) * float((x**2).sum()) * factor

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.broadcast_to(x, (size, d))
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - x) ** 2).sum(axis=-1)

    # Off by less than a step each, and by half of one where the dither is subtracted.
    return MonteCarloCase(
        "eq", sample, value, upper=float(d if kind is DitheredQuantizer else 4), resolution=0.02
    )


def _sampled() -> Check:
    x = np.array(SPARSE)
    too_much = average_phase_factor(x)
    mutants = {
        "average-phase": Lazy(partial(_sampling, StochasticRounding, "exact", too_much), tests=1),
        "subtracted": Lazy(partial(_sampling, DitheredQuantizer, "exact"), tests=1),
    }
    base = Lazy(partial(_sampling, StochasticRounding, "exact"), tests=1)
    return Check("montecarlo", "rounding", base, {"g": SPARSE, "M": 1}, mutants, seconds=0.3)


def average_phase_factor(x: Any) -> float:
    """Return a sixth of a squared step for every coordinate over the variance of stochastic rounding."""
    return float(len(x) * np.abs(x).max() ** 2 / 6 / rounding_variance(x, 1))


def _sampled_dithered() -> Check:
    share = float(np.count_nonzero(SPARSE)) / len(SPARSE)
    mutants = {"forget-zeros": Lazy(partial(_sampling, DitheredQuantizer, "dqsg", share), tests=1)}
    base = Lazy(partial(_sampling, DitheredQuantizer, "dqsg"), tests=1)
    return Check("montecarlo", "dithering", base, {"g": SPARSE, "M": 1}, mutants, seconds=0.3)


def _along_run(kind: type[DitheredQuantizer]) -> MonteCarloCase:
    """Errors of both methods, each less its stated value given the gradient, in units of the bound: mean 0.

    Both run from one start with one stream, side by side; a sample is the mean of the two.
    """
    M, d, workers = 2, 64, 4
    formula = theory.claim(ID).formulas["dqsg"]
    unit = evaluate(formula, {"kappa": 1.0, "M": M, "d": d})

    def surprise(codec: DitheredQuantizer, rng: np.random.Generator, size: int, rounded: bool) -> Any:
        trace = dithered_run(codec, rng, iterations=size // (4 * workers), workers=workers, d=d)
        found = ((trace.decoded - trace.gradients) ** 2).sum(axis=-1)
        claimed = rounding_variance(trace.gradients, M) if rounded else unit * trace.scales[..., 0] ** 2
        return ((found - claimed) / (d * trace.scales[..., 0] ** 2 / (4 * M**2))).ravel()

    def sample(rng: np.random.Generator, size: int) -> Any:
        seed = int(rng.integers(2**63))
        streams = [np.random.Generator(np.random.Philox(seed)) for _ in range(2)]
        ours = surprise(kind(M), streams[0], size, rounded=True)
        return (ours + surprise(DitheredQuantizer(M), streams[1], size, rounded=False)) / 2

    # An error is less than a step, four times the bound, and half a step with the dither subtracted.
    return MonteCarloCase("eq", sample, 0.0, lower=-1.0, upper=2.5, tolerance=0.02)


def _run() -> Check:
    mutants = {"subtracted": Lazy(partial(_along_run, DitheredQuantizer), tests=1)}
    base = Lazy(partial(_along_run, StochasticRounding), tests=1)
    parameters = {"d": 64, "M": 2, "workers": 4, "methods": "both, from the same start"}
    return Check("run", "both-methods", base, parameters, mutants, seconds=0.9)
