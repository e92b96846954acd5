"""Checks of `ndqsg/finding-gain-below-one`: each message gains, the average loses."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.nested_alpha_aggregate import stated as stated_average
from verify.ndqsg.nested_average import Group
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/finding-gain-below-one"
COPIES = 16
POINTS = 32
INSTANCES = {
    "four-workers": (F(1, 4), F(1, 12), 2),
    "eight-workers": (F(1, 4), F(1, 12), 4),
    "no-noise": (F(0), F(1), 1),
    "much-noise": (F(10), F(1, 12), 3),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check("exact", "best-gains", ExactCase(compare_best), {"instances": list(INSTANCES)}, seconds=0.1),
        _enumerated(),
        _sampled(),
    )


def stated(name: str, noise: F, fine: F, m: int) -> F:
    """Return a formula of the claim at the innovation of parallel side information, exactly."""
    expressions = theory.claim(ID).expressions
    values = {"sigma_n_sq": noise, "D": fine, "m": m}
    values["sigma_z_sq"] = rational(evaluate_exact(expressions["innovation"], values))
    needed = {symbol.name for symbol in expressions[name].free_symbols}
    return F(rational(evaluate_exact(expressions[name], {key: values[key] for key in needed})))


def compare_best() -> Iterable[Comparison]:
    """Hold the stated saving and loss against the two claims they rest on, at the best gain."""
    message = theory.claim("ndqsg/nested-alpha").expressions["exact"]
    average = theory.claim("ndqsg/nested-alpha-aggregate").expressions
    for name, (noise, fine, m) in INSTANCES.items():
        gain = stated("gain", noise, fine, m)
        innovation = stated("innovation", noise, fine, m)
        witness = {"instance": name, "a": gain}
        error = rational(evaluate_exact(message, {"a": gain, "D": fine, "sigma_z_sq": innovation}))
        saved = stated("saved", noise, fine, m)
        yield Comparison("saving of a message", "eq", fine - error, saved, witness=witness)
        values = {"sigma_n_sq": noise, "D": fine, "m": m}
        at_gain = rational(evaluate_exact(average["exact"], {**values, "a": gain}))
        at_one = rational(evaluate_exact(average["at_one"], values))
        lost = stated("exact", noise, fine, m)
        yield Comparison("loss of the average", "eq", at_gain - at_one, lost, witness=witness, headline=True)
        yield Comparison("the average is worse", "le", at_one, at_gain, witness=witness)


def _enumerated() -> Check:
    """Two workers with the gain 7/8, inside the range in which a message gains: all noises and dithers."""
    group = Group(1, 0.875, noise=0.25)
    mutants = {
        "average-like-message": ExactCase(partial(compare_enumerated, group, like_message=True)),
        "own-side-information": ExactCase(partial(compare_enumerated, replace(group, own_side=True))),
        "other-order": ExactCase(partial(compare_enumerated, replace(group, reverse=True))),
    }
    base = ExactCase(partial(compare_enumerated, group))
    parameters = {"m": 1, "alpha": "7/8", "sigma_n_sq": "1/16", "N": POINTS}
    return Check("exact", "enumerated", base, parameters, mutants, seconds=0.3)


def compare_enumerated(group: Group, like_message: bool = False) -> Iterable[Comparison]:
    """Compare the enumerated average with its stated variance; each message errs less than at gain 1."""
    fine = F(1, 12) * (1 - F(1, POINTS**2))
    innovation = stated("innovation", F(group.noise) ** 2, fine, group.m)
    values = {"a": F(group.alpha) ** 2, "D": fine, "sigma_z_sq": innovation}
    error = rational(evaluate_exact(theory.claim("ndqsg/nested-alpha").expressions["exact"], values))
    yield Comparison("error of a message", "le", error, fine)
    found, at_one = group.enumerated(POINTS), stated_average(group, fine, "at_one")
    witness = {"alpha": group.alpha}
    claimed = stated_average(group, fine)
    if like_message:
        claimed = at_one - (fine - error) / (4 * group.m)
    yield Comparison("variance of the average", "eq", found, claimed, witness=witness, headline=True)
    yield Comparison("the average is worse", "le", at_one, found, witness=witness)


def _sampled() -> Check:
    """Four workers at the best gain of a message, where the average loses 16 %."""
    noise, fine, m = F(1, 16), F(1, 12), 2

    def case(own_side: bool = False, like_message: bool = False) -> MonteCarloCase:
        group = Group(m, float(stated("gain", noise, fine, m)) ** 0.5, noise=0.25, own_side=own_side)
        values = {"sigma_n_sq": float(noise), "D": float(fine), "m": m}
        formulas = theory.claim("ndqsg/nested-alpha-aggregate").formulas
        claimed = evaluate(formulas["at_one"], values) + float(stated("exact", noise, fine, m))
        if like_message:
            saved = float(stated("saved", noise, fine, m))
            claimed = evaluate(formulas["at_one"], values) - saved / (4 * m)

        def sample(rng: Any, size: int) -> Any:
            return group.sampled(rng, size, COPIES)

        return MonteCarloCase("eq", sample, claimed, upper=group.upper)

    mutants = {
        "average-like-message": Lazy(partial(case, like_message=True), tests=1),
        "own-side-information": Lazy(partial(case, own_side=True), tests=1),
    }
    parameters = {"m": m, "sigma_n_sq": noise, "D": fine, "gain": "best for a message"}
    return Check("montecarlo", "best-gain", Lazy(case, tests=1), parameters, mutants, seconds=0.5)
