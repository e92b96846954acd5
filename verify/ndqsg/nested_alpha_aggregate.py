"""Checks of `ndqsg/nested-alpha-aggregate`: the average of dithered and nested messages."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors.dither_stream import draw_dither
from theory.ndqsg.nested_alpha_aggregate import INDEPENDENT_ERRORS
from verify.binding import Check, Lazy, Profile
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.nested_average import Group
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/nested-alpha-aggregate"
COPIES = 16
"""Coordinates in one sample: with more, the sure range decides the number of samples."""

POINTS = {1: 16, 2: 8}
"""Points of the generator that is enumerated, by m."""

ROUNDS = 5


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        _exact("two-workers", Group(1, 0.75)),
        _exact("four-workers", Group(2, 0.5)),
        _exact("four-workers-gain-one", Group(2, 1.0)),
        _searched(),
        _sampled("m-2", Group(2, 0.9), sabotaged=True),
        _sampled("m-4", Group(4, 0.9)),
        _sampled("m-2-gain-one", Group(2, 1.0)),
        _sampled("m-4-gain-0.8", Group(4, 0.8)),
        _sampled("m-2-gain-0.8", Group(2, 0.8), profile="full"),
        _sampled("m-4-gain-one", Group(4, 1.0), profile="full"),
        _estimated(),
    )


def stated(group: Group, fine: Any, name: str = "exact", formula: Any = None) -> Any:
    """Return a formula of the claim for a group, exactly."""
    values = {"a": F(group.alpha) ** 2, "sigma_n_sq": F(group.noise) ** 2, "D": fine, "m": group.m}
    chosen = theory.claim(ID).expressions[name] if formula is None else formula
    needed = {symbol.name for symbol in chosen.free_symbols}
    return rational(evaluate_exact(chosen, {key: values[key] for key in needed}))


def _exact(name: str, group: Group) -> Check:
    mutants = {"other-order": ExactCase(partial(compare, replace(group, reverse=True)))}
    mutants["workers-of-one-group"] = ExactCase(partial(compare, group, "one-group"))
    if group.alpha < 1:
        mutants["independent-errors"] = ExactCase(partial(compare, group, "independent"))
        mutants["gain-hurts-nothing"] = ExactCase(partial(compare, group, "hurts-nothing"))
    parameters = {"m": group.m, "alpha": group.alpha, "N": POINTS[group.m]}
    return Check(
        "exact",
        name,
        ExactCase(partial(compare, group)),
        parameters,
        mutants,
        seconds=0.1 * 3 ** (group.m - 1),
    )


def compare(group: Group, claimed: str = "stated") -> Iterable[Comparison]:
    """Compare the enumerated variance with the stated one, and both with that at gain 1."""
    points = POINTS[group.m]
    fine = F(1, 12) * (1 - F(1, points**2))
    found = group.enumerated(points)
    value = stated(group, fine)
    if claimed == "independent":
        value = stated(group, fine, formula=INDEPENDENT_ERRORS)
    elif claimed == "one-group":
        value *= 2
    witness = {"m": group.m, "alpha": group.alpha}
    yield Comparison("variance of the average", "eq", found, value, witness=witness, headline=True)
    at_one = stated(group, fine, "at_one")
    if claimed == "hurts-nothing":
        yield Comparison("at most that at gain 1", "le", found, at_one, witness=witness)
    yield Comparison("excess", "eq", found - at_one, stated(group, fine, "excess"), witness=witness)
    yield Comparison("at least that at gain 1", "le", at_one, found, witness=witness)


def _searched() -> Check:
    """No gain up to 1, no m and no noise has an average below that at gain 1; nor any below the minimiser."""
    claim = theory.claim(ID)

    def values(point: Any) -> dict[str, float]:
        a, noise, m = np.clip(point, -20, 20)
        return {
            "a": 1 / (1 + float(np.exp(-a))),
            "sigma_n_sq": float(np.exp(noise)),
            "D": 1.0,
            "m": 1 + int(abs(m)),
        }

    def lowest(point: Any) -> float:
        chosen = values(point)
        rest = {key: chosen[key] for key in ("sigma_n_sq", "D")}
        best = evaluate(claim.formulas["minimiser"], rest)
        least = evaluate(claim.expressions["exact"], {**chosen, "a": best})
        at_one = evaluate(claim.formulas["at_one"], {**rest, "m": chosen["m"]})
        gain = evaluate(claim.formulas["relative_gain"], rest)
        # The minimum is below the value at 1 by the stated part, at most an eighth of it.
        return max(at_one, least, 8 * gain * at_one)

    base = AdversarialCase(
        lambda points: np.array([lowest(point) for point in points]),
        lambda points: np.array([evaluate(claim.expressions["exact"], values(point)) for point in points]),
        3,
        scale_invariant=False,
        budget=800,
    )
    return Check("adversarial", "gains-noises-sizes", base, {"a": "up to 1"}, seconds=0.3)


def _sampled(name: str, group: Group, sabotaged: bool = False, profile: Profile = "quick") -> Check:
    def case(claimed: str = "stated") -> MonteCarloCase:
        formula = INDEPENDENT_ERRORS if claimed == "independent" else None
        value = float(stated(group, F(1, 12), formula=formula)) * (2 if claimed == "one-group" else 1)
        return MonteCarloCase(
            "eq", lambda rng, size: group.sampled(rng, size, COPIES), value, upper=group.upper
        )

    mutants = {
        "independent-errors": Lazy(partial(case, "independent"), tests=1),
        "workers-of-one-group": Lazy(partial(case, "one-group"), tests=1),
    }
    parameters = {"m": group.m, "alpha": group.alpha, "sigma_n_sq": "1/4", "D": "1/12"}
    base = Lazy(case, tests=1)
    shown = mutants if sabotaged else {}
    return Check("montecarlo", name, base, parameters, shown, seconds=0.7, profile=profile)


def _estimated() -> Check:
    """Estimation of one vector over rounds: the running mean of the averages, against its variance.

    At a gain far below one the variance at gain 1 is exceeded by a quarter.
    """
    group = Group(2, 0.6)

    def case(claimed: str = "stated") -> TrajectoryCase:
        def bounds() -> Any:
            name = "at_one" if claimed == "hurts-nothing" else "exact"
            return float(stated(group, F(1, 12), name)) / np.arange(1, ROUNDS + 1)

        def rows(rng: np.random.Generator, replicates: int) -> Any:
            d = 256
            centre = np.linspace(-2, 2, d)
            total, found = np.zeros((replicates, d)), []
            for count in range(1, ROUNDS + 1):
                shape, workers = (replicates, d), range(group.workers)
                noises = [group.noise * (2.0 * rng.integers(0, 2, shape) - 1) for _ in workers]
                dithers = [draw_dither(rng, shape) for _ in workers]
                total += group.average([centre + noise for noise in noises], dithers)
                found.append(((total / count - centre) ** 2).mean(axis=-1))
            return np.stack(found, axis=-1)

        return TrajectoryCase(bounds, rows)

    mutants = {"gain-hurts-nothing": case("hurts-nothing")}
    parameters = {"m": 2, "alpha": 0.6, "d": 256, "rounds": ROUNDS}
    return Check("run", "mean-estimation", case(), parameters, mutants, seconds=0.5)
