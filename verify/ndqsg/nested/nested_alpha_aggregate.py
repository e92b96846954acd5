"""Checks of `ndqsg/nested-alpha-aggregate`: the average of dithered and nested messages."""

from collections.abc import Iterable, Mapping
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors.dithered.dither_stream import draw_dither
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.nested_average import Group
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase

MESSAGE = "ndqsg/nested-alpha"
COPIES = 16
"""Coordinates in one sample: with more, the sure range decides the number of samples."""

judge = checks_of("ndqsg/nested-alpha-aggregate", group=Group)


@judge.mutant(
    "Claim the mean of the error variances over P, as if the errors were independent: 5.4 % too small at "
    "m = 2 and alpha = 0.9.",
    at=("exact/two-workers", "exact/four-workers", "montecarlo/m-2"),
)
def independent_errors(law: Law) -> Law:
    at = {symbol.name: symbol for symbol in law.formulas["exact"].free_symbols}
    noise, D, m = at["sigma_n_sq"], at["D"], at["m"]
    message = law.of(MESSAGE).formulas["exact"]
    innovation = next(symbol for symbol in message.free_symbols if symbol.name == "sigma_z_sq")
    nested = message.xreplace({innovation: noise * (1 + 1 / m) + D / m})
    return law.replace(exact=(noise + (D + nested) / 2) / (2 * m))


judge.sabotage(
    "workers-of-one-group at exact/*-workers, exact/four-workers-gain-one, montecarlo/m-2: Put m where 2 m "
    "messages are averaged: twice the variance. | exact = 2 * exact",
    "gain-hurts-nothing at exact/two-workers, exact/four-workers, run/mean-estimation: Claim that with "
    "alpha < 1 the average has the variance at alpha = 1. | exact = at_one",
    "doubled-at-one at exact/two-workers, exact/four-workers, exact/beyond-gain-one, adversarial/*: Claim "
    "twice the variance at gain 1, and no saving beyond it. "
    "| at_one = 2 * at_one, relative_gain = 0 * relative_gain",
    "other-order, neutral at exact/*-workers: Number the workers of each group differently: nothing may "
    "change.",
    {"group": lambda m, alpha: Group(m, alpha, reverse=True)},
)


def _values(group: Group, fine: F) -> dict[str, Any]:
    return {"sigma_n_sq": F(group.noise) ** 2, "D": fine, "m": group.m}


def stated(law: Law, group: Group, fine: F) -> F:
    """Return the stated variance of the average of a group."""
    return F(law.exactly("exact", a=F(group.alpha) ** 2, **_values(group, fine)))


@judge.exact(
    instances={
        "two-workers": {"m": 1, "alpha": 0.75, "N": 16},
        "four-workers": {"m": 2, "alpha": 0.5, "N": 8},
        "four-workers-gain-one": {"m": 2, "alpha": 1.0, "N": 8},
    }
)
def enumerated(law: Law, m: int, alpha: float, N: int) -> Iterable[Comparison]:
    """The enumerated variance, and its excess over that at gain 1."""
    group, fine = law.group(m, alpha), F(1, 12) * (1 - F(1, N**2))
    found, values = group.enumerated(N), _values(group, fine)
    yield eq("variance of the average", found, stated(law, group, fine), headline=True)
    at_one = law.exactly("at_one", **values)
    yield eq("excess", found - at_one, law.exactly("excess", a=F(alpha) ** 2, **values))
    yield le("at least that at gain 1", at_one, found)


@judge.exact(m=(1, 2, 5), sigma_n_sq=("0", "1/4", "3"), D=("1/12", "1"))
def beyond_gain_one(law: Law, m: Any, sigma_n_sq: Any, D: Any) -> Iterable[Comparison]:
    """The stated variance at the minimiser, against what it saves, and against gains about it."""
    for values in ({"m": k, "sigma_n_sq": F(s), "D": F(v)} for k in m for s in sigma_n_sq for v in D):
        rest = {"sigma_n_sq": values["sigma_n_sq"], "D": values["D"]}
        best, saving = law.exactly("minimiser", **rest), law.exactly("relative_gain", **rest)
        least = law.exactly("at_one", **values) * (1 - saving)
        yield eq("saving beyond gain 1", law.exactly("exact", a=best, **values), least, witness=values)


@judge.adversarial(label="lower bounds", instance="gains-noises-sizes", parameters={"a": "up to 1"})
def gains_noises_sizes(law: Law) -> AdversarialCase:
    """No gain up to 1, no m and no noise has an average below that at gain 1; nor any below the minimiser."""

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
        least = law("exact", **{**chosen, "a": law("minimiser", **rest)})
        at_one = law("at_one", **rest, m=chosen["m"])
        # The minimum is below the value at 1 by the stated part, at most an eighth of it.
        return max(at_one, least, 8 * law("relative_gain", **rest) * at_one)

    return AdversarialCase(
        lambda points: np.array([lowest(point) for point in points]),
        lambda points: np.array([law("exact", **values(point)) for point in points]),
        3,
        scale_invariant=False,
        budget=800,
    )


def _sampled(law: Law, m: int, alpha: float, sigma_n_sq: str, D: str) -> MonteCarloCase:
    """Sampled averages have the stated variance."""
    group = law.group(m, alpha, float(F(sigma_n_sq)) ** 0.5)
    return MonteCarloCase(
        "eq",
        lambda rng, size: group.sampled(rng, size, COPIES),
        float(stated(law, group, F(D))),
        upper=group.upper,
    )


_SHARED: dict[str, Any] = {"label": "variance of the average", "sigma_n_sq": "1/4", "D": "1/12"}
_GROUPS = {"m-2": (2, 0.9), "m-2-gain-one": (2, 1.0), "m-4-gain-0.8": (4, 0.8)}
_MORE = {"m-4": (4, 0.9), "m-2-gain-0.8": (2, 0.8), "m-4-gain-one": (4, 1.0)}


def _instances(groups: Mapping[str, tuple[int, float]]) -> dict[str, dict[str, Any]]:
    return {name: {"m": m, "alpha": alpha} for name, (m, alpha) in groups.items()}


judge.montecarlo(instances=_instances(_GROUPS), **_SHARED)(_sampled)
judge.montecarlo(instances=_instances(_MORE), profile="full", **_SHARED)(_sampled)


@judge.trajectory(label="mean square of the running mean", m=2, alpha=0.6, d=256, rounds=5)
def mean_estimation(law: Law, m: int, alpha: float, d: int, rounds: int) -> TrajectoryCase:
    """Estimation of one vector over rounds: the running mean of the averages, against its variance.

    At a gain far below one the variance at gain 1 is exceeded by a quarter.
    """
    group = law.group(m, alpha)

    def rows(rng: np.random.Generator, replicates: int) -> Any:
        centre = np.linspace(-2, 2, d)
        total, found = np.zeros((replicates, d)), []
        for count in range(1, rounds + 1):
            shape, workers = (replicates, d), range(group.workers)
            noises = [group.noise * (2.0 * rng.integers(0, 2, shape) - 1) for _ in workers]
            dithers = [draw_dither(rng, shape) for _ in workers]
            total += group.average([centre + noise for noise in noises], dithers)
            found.append(((total / count - centre) ** 2).mean(axis=-1))
        return np.stack(found, axis=-1)

    bounds = float(stated(law, group, F(1, 12))) / np.arange(1, rounds + 1)
    # Mutants have twice as many: with 64 one of them is not refuted.
    return TrajectoryCase(lambda: bounds, rows, replicates=256)
