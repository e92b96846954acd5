"""Checks of `ndqsg/finding-sparse-gradients`: both methods on sparse vectors, exactly and by sampling."""

from collections.abc import Callable, Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.sabotaged_dither import StochasticRounding
from verify.ndqsg.sr_versus_dqsg import D, Instance, exact_bias, rounding_variance, square, vector
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/finding-sparse-gradients"
NONZEROS = 50
INSTANCES = tuple(
    Instance((*(F(item) for item in g), *(F(0),) * zeros), M, points)
    for g, zeros, M, points in (
        ((1, F(1, 2), F(-1, 2)), 9, 1, 2),
        ((3, -1, F(1, 2)), 7, 1, 6),
        ((2, -1, F(1, 2), 1), 12, 3, 4),
        ((1, F(1, 3)), 18, 2, 3),
    )
)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        _exact(),
        _quantiles(),
        _sampled(),
    )


def stated(d: int, m: int) -> Any:
    """Return the stated ratio, exactly."""
    return rational(evaluate_exact(theory.claim(ID).expressions["bound"], {"d": d, "m": m}))


# ---------------------------------------------------------------- all dithers


def dithered(instance: Instance) -> F:
    """Return the variance of DQSG over all dithers, without the factor 1 - N^-2 of N points."""
    codec = DitheredQuantizer(instance.M, scale=instance.kappa, points=instance.points)
    found = square(DitheredQuantizer, instance) - sum(bias**2 for bias in exact_bias(codec, instance))
    return found / (1 - F(1, instance.points**2))


def at_nonzeros(instance: Instance) -> F:
    """The variance of DQSG with the zeros forgotten."""
    return dithered(Instance(tuple(item for item in instance.g if item), instance.M, instance.points))


def compare(
    variance: Callable[[Instance], F] = dithered, order: int = 1, spread: bool = False
) -> Iterable[Comparison]:
    """The ratio of the two variances over all dithers is at least the stated one."""
    for given in INSTANCES:
        m, d = sum(item != 0 for item in given.g), len(given.g)
        g = tuple(F(j + 1, d) for j in range(d)) if spread else given.g[::order]
        instance = Instance(g, given.M, given.points)
        found = variance(instance) / square(StochasticRounding, instance)
        witness = {**instance.parameters, "nonzeros": m}
        yield Comparison("ratio", "le", stated(d, m), found, witness=witness, headline=True)
    limit = theory.claim(ID).formulas["sparsest_win"]
    for d in (3, 12):
        yield Comparison("break-even", "eq", stated(d, rational(evaluate_exact(limit, {"d": d}))), 1)


def _exact() -> Check:
    mutants = {
        "forget-zeros": ExactCase(partial(compare, at_nonzeros)),
        "spread-gradient": ExactCase(partial(compare, spread=True)),
        "moved-zeros": ExactCase(partial(compare, order=-1)),
    }
    parameters = {"g": [item.g for item in INSTANCES], "M": [item.M for item in INSTANCES]}
    return Check("exact", "all-dithers", ExactCase(compare), parameters, mutants, seconds=0.3)


def compare_quantiles(name: str) -> Iterable[Comparison]:
    """Ten times the variance on 50 Gaussian quantiles among 950 zeros; less on the spread quantiles."""
    x = vector(name)
    for M in (1, 3):
        ratio = DitheredQuantizer(M).variance(x) / float(rounding_variance(x, M))
        witness = {"vector": name, "M": M}
        yield Comparison("ratio", "le", float(stated(D, NONZEROS)), ratio, witness=witness, headline=True)
        yield Comparison("at least ten times", "le", 10.0, ratio, witness=witness)


def _quantiles() -> Check:
    mutants = {"spread-gradient": ExactCase(partial(compare_quantiles, "gauss"))}
    base = ExactCase(partial(compare_quantiles, "sparse"))
    parameters = {"d": D, "nonzeros": NONZEROS, "M": (1, 3)}
    return Check("exact", "quantiles", base, parameters, mutants, seconds=0.1)


# ---------------------------------------------------------------- sampling


def _sampling(name: str, *, zeros: bool = True) -> MonteCarloCase:
    """The stated ratio times the error of stochastic rounding, less that of DQSG, is negative on average."""
    x, M = vector(name), 1
    x = x / np.abs(x).max()
    ratio = evaluate(theory.claim(ID).expressions["bound"], {"d": D, "m": NONZEROS})
    dqsg, rounding = DitheredQuantizer(M), StochasticRounding(M)
    counted = x != 0 if not zeros else np.ones(D, dtype=bool)

    def sample(rng: np.random.Generator, size: int) -> Any:
        found = []
        for start in range(0, size, 256):
            batch = np.broadcast_to(x, (min(256, size - start), D))
            draws = dqsg.draw(rng, batch.shape)
            ours = ((dqsg.compress(batch, draws) - x)[:, counted] ** 2).sum(axis=-1)
            theirs = ((rounding.compress(batch, draws) - x) ** 2).sum(axis=-1)
            found.append(ratio * theirs - ours)
        return np.concatenate(found) / D

    support = int(np.count_nonzero(x))
    return MonteCarloCase("le", sample, 0.0, lower=-0.25, upper=ratio * support / D)


def _sampled() -> Check:
    mutants = {
        "forget-zeros": Lazy(partial(_sampling, "sparse", zeros=False), tests=1),
        "spread-gradient": Lazy(partial(_sampling, "gauss"), tests=1),
    }
    base = Lazy(partial(_sampling, "sparse"), tests=1)
    parameters = {"d": D, "nonzeros": NONZEROS, "M": 1}
    return Check("montecarlo", "quantiles", base, parameters, mutants, seconds=1.5)
