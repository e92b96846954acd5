"""Checks of `ndqsg/dqsg-average`: all dithers of several workers in rationals, sampling, and a run."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, Draws, Key
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact, names
from verify.ndqsg.dithered_run import Rule, dithered_run, usual_key
from verify.ndqsg.sabotaged_dither import StochasticRounding
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/dqsg-average"
POINTS = 4
M = 2
# Gradients of the workers, one coordinate each; the scale of a worker is its own.
WORKERS: dict[str, tuple[tuple[F, ...], ...]] = {
    "two": ((F(1), F(1, 3)), (F(-2), F(1, 2))),
    "three": ((F(3, 2),),) * 3,
    "four": ((F(1),), (F(3),), (F(-1, 2),), (F(2),)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(name, rows) for name, rows in WORKERS.items()),
        _keys(),
        _sampled(),
        _run(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


# ---------------------------------------------------------------- all dithers


def outcomes(
    kind: type[DitheredQuantizer], rows: tuple[tuple[F, ...], ...], shared: bool
) -> Iterator[tuple[F, list[F]]]:
    """Yield chance and error of the average over the workers, over all dithers."""
    codec, P = kind(M, points=POINTS), len(rows)
    draws = [(chance, item.shared) for chance, item in codec.outcomes([F(0)] * len(rows[0]))]
    errors = [
        [
            (chance, [a - b for a, b in zip(codec.reference(list(row), Draws(shared=u)), row, strict=True)])
            for chance, u in draws
        ]
        for row in rows
    ]
    groups: Iterable[tuple[tuple[F, list[F]], ...]] = zip(*errors, strict=True)
    if not shared:
        groups = itertools.product(*errors)
    for group in groups:
        chance = group[0][0]
        if not shared:
            for other, _ in group[1:]:
                chance *= other
        yield chance, [sum(column, F(0)) / P for column in zip(*(e for _, e in group), strict=True)]


def compare(
    kind: type[DitheredQuantizer], rows: tuple[tuple[F, ...], ...], *, shared: bool = False, order: int = 1
) -> Iterable[Comparison]:
    """The variance of the average is the stated one, with the factor 1 - N^-2 of N points."""
    rows, witness = rows[::order], {"g": rows}
    d, P, scales = len(rows[0]), len(rows), [max(map(abs, row)) for row in rows]
    found = list(outcomes(kind, rows, shared))
    mean = [sum(chance * e[j] for chance, e in found) for j in range(d)]
    total = sum(chance * sum((e[j] - mean[j]) ** 2 for j in range(d)) for chance, e in found)
    factor = 1 - F(1, POINTS**2)
    claimed = stated("exact", kappa_p=scales, P=P, M=M, d=d) * factor
    yield Comparison("variance", "eq", total, claimed, witness=witness, headline=True)
    if len(set(rows)) == 1:
        equal = stated("equal", kappa=scales[0], P=P, M=M, d=d)
        yield Comparison("equal scales", "eq", total, equal * factor, witness=witness)
        same = [(chance, e) for chance, e in outcomes(kind, rows, shared=True)]
        lost = sum(chance * sum((e[j] - mean[j]) ** 2 for j in range(d)) for chance, e in same)
        one = stated("same_seed", kappa=scales[0], M=M, d=d)
        yield Comparison("same seed", "eq", lost, one * factor, witness=witness)


def _exact(name: str, rows: tuple[tuple[F, ...], ...]) -> Check:
    mutants = {
        "same-seed": ExactCase(partial(compare, DitheredQuantizer, rows, shared=True)),
        "permuted-workers": ExactCase(partial(compare, DitheredQuantizer, rows, order=-1)),
    }
    # A scalar is its own scale: stochastic rounding makes no error at all there.
    mutants["stochastic-rounding"] = ExactCase(partial(compare, StochasticRounding, rows))
    base = ExactCase(partial(compare, DitheredQuantizer, rows))
    return Check("exact", name, base, {"g": rows, "M": M, "points": POINTS}, mutants, seconds=0.2)


# ---------------------------------------------------------------- keyed streams


def without_worker(seed: tuple[int, int], worker: int, iteration: int) -> Key:
    """Return the key of worker 0, for all of them."""
    return usual_key(seed, 0, iteration)


def compare_keys(rule: Rule) -> Iterable[Comparison]:
    """No two messages of a run share a stream: their dithers agree at chance places only."""
    codec, d = DitheredQuantizer(1), 64
    keys = [
        replace(rule((2024, 0), worker, iteration), tensor=tensor)
        for tensor in range(2)
        for iteration in range(5)
        for worker in range(8)
    ]
    dithers = [codec.draw_keyed(key, (d,)).shared for key in keys]
    pairs = itertools.combinations(dithers, 2)
    shared = max(int(np.count_nonzero(first == second)) for first, second in pairs)
    # Two of 2^24 points agree by chance at 3 of 64 places with probability 1e-17.
    yield Comparison("coordinates that two messages share", "le", shared, 2, headline=True)


def _keys() -> Check:
    mutants = {"no-worker-in-key": ExactCase(partial(compare_keys, without_worker))}
    base = ExactCase(partial(compare_keys, usual_key))
    return Check(
        "exact", "keys", base, {"workers": 8, "iterations": 5, "tensors": 2, "d": 64}, mutants, seconds=0.1
    )


# ---------------------------------------------------------------- sampling and a run


def _sampling(shared: bool) -> MonteCarloCase:
    P, d = 8, 32
    x = np.cos(np.arange(d) ** 2)
    scale = float(np.abs(x).max())
    codec = DitheredQuantizer(1)
    value = evaluate(theory.claim(ID).formulas["equal"], {"d": d, "kappa": scale, "M": 1, "P": P})

    def sample(rng: np.random.Generator, size: int) -> Any:
        shape = (size, 1 if shared else P, d)
        errors = codec.compress(np.broadcast_to(x, shape), codec.draw(rng, shape)) - x
        return (errors.mean(axis=1) ** 2).sum(axis=-1)

    # A mean of uniform errors has a kurtosis below 3, so Var Z <= 2 value^2 / d.
    return MonteCarloCase(
        "eq", sample, value, upper=d * scale**2 / 4, variance=2 * value**2 / d, resolution=0.03
    )


def _sampled() -> Check:
    mutants = {"same-seed": Lazy(partial(_sampling, True), tests=1)}
    base = Lazy(partial(_sampling, False), tests=1)
    return Check("montecarlo", "eight-workers", base, {"P": 8, "d": 32, "M": 1}, mutants, seconds=0.5)


def _along_run(rule: Rule) -> MonteCarloCase:
    P, d, rounds = 4, 64, 128
    formula = theory.claim(ID).exact

    def sample(rng: np.random.Generator, size: int) -> Any:
        trace = dithered_run(DitheredQuantizer(M), rng, iterations=rounds, workers=P, d=d, rule=rule)
        square = ((trace.decoded - trace.gradients).mean(axis=1) ** 2).sum(axis=-1)
        one = evaluate(formula, {"kappa_p": (1.0,), "P": 1, "M": M, "d": d})
        return square / (one * (trace.scales[..., 0] ** 2).mean(axis=1) / P)

    # Half a step for every worker is the worst: 3 P times the mean.
    return MonteCarloCase("eq", sample, 1.0, upper=3.0 * P, variance=2 / d, resolution=0.05)


def _run() -> Check:
    mutants = {"no-worker-in-key": Lazy(partial(_along_run, without_worker), tests=1)}
    base = Lazy(partial(_along_run, usual_key), tests=1)
    return Check("run", "error-of-average", base, {"P": 4, "d": 64, "M": M}, mutants, seconds=0.8)
