"""Checks of `ndqsg/nested-alpha`: one message with a gain, over all dithers and by sampling."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors.contract import Message
from impl.compressors.dither_stream import draw_dither
from theory.old_steps import ScalarLemma
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.nested_links import Link, UnitGainAtDecoder, exact_mean, grid
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/nested-alpha"
POINTS = 16
COPIES = 64
RATIO = 7
"""Wide enough for every innovation used here."""


@dataclass(frozen=True)
class UntiedGain(Link):
    """The receiver multiplies by a gain of its own."""

    beta: float = 1.0

    def received(self, message: Message, y: Any, u: Any) -> Any:
        return y + (super().received(message, y, u) - y) * (self.beta / self.alpha)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    unlimited = tuple(_without_lower_limit(step) for step in claim.derivation)
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"below-the-range": SymbolicCase(unlimited)},
            seconds=0.5,
        ),
        _exact("three-times-fine", F(7, 8), F(1, 2)),
        _exact("gain-one", F(1), F(3, 2)),
        _exact("wide", F(15, 16), F(3, 4)),
        Check("exact", "untied-gain", ExactCase(compare_untied), {"N": POINTS}, seconds=0.1),
        _searched(),
        _sampled(),
    )


def _without_lower_limit(step: Any) -> Any:
    """Leave out the lower end of the range from the lemma."""
    if not isinstance(step, ScalarLemma):
        return step
    (name,) = {symbol for symbol in step.goal.free_symbols if symbol.name == "x"}
    kept = tuple(item for item in step.hypotheses if name not in item.free_symbols or item.lhs == name)
    return replace(step, hypotheses=kept)


def _exact(name: str, alpha: F, size: F) -> Check:
    """Innovations of plus and minus `size` fine steps, whose variance is the square of that."""

    def case(link: Link, low: F = alpha, claimed: str = "exact", sign: int = 1) -> ExactCase:
        return ExactCase(partial(compare, replace(link, alpha=float(low)), size, claimed, sign))

    honest = Link(RATIO)
    mutants = {"reflected": case(honest, sign=-1)}
    if alpha < 1:
        mutants |= {
            "unsquared-gain": case(honest, claimed="unsquared"),
            "unit-gain-at-decoder": case(UnitGainAtDecoder(RATIO)),
            "below-the-range": case(honest, low=F(1, 2)),
        }
    parameters = {"alpha": alpha, "z": size, "N": POINTS}
    return Check("exact", name, case(honest), parameters, mutants, seconds=0.05)


def compare(link: Link, size: F, claimed: str, sign: int) -> Iterable[Comparison]:
    """Compare the enumerated error with the stated one and with D, the error at gain 1.

    The gradients are integers and the gain is a multiple of 1/16, so that the errors of the generator have
    the mean zero and the variance (1 - N^-2) / 12 exactly.
    """
    claim, alpha = theory.claim(ID), F(link.alpha)
    a, fine = alpha**2, F(1, 12) * (1 - F(1, POINTS**2))
    values = {"a": a, "D": fine, "sigma_z_sq": size**2}
    for g in (F(0), F(2), F(-3)):
        found, pulls = [], []
        for z in (size, -size):
            gradients = np.full(POINTS, sign * float(g))
            errors = link.errors(gradients, gradients - sign * float(z), grid(POINTS))
            found.append(exact_mean(errors**2))
            pulls.append(exact_mean(errors) / (-sign * z))
        square = (found[0] + found[1]) / 2
        stated = rational(evaluate_exact(claim.expressions["exact"], values))
        if claimed == "unsquared":
            stated = a * fine + (1 - alpha) ** 2 * size**2
        witness = {"g": g, "z": size, "alpha": alpha}
        yield Comparison("mean square", "eq", square, stated, witness=witness)
        yield Comparison("against D", "le", square, fine, witness=witness, headline=True)
        pull = evaluate_exact(claim.formulas["pull"], {"a": a})
        yield Comparison("pull towards y", "eq", sum(pulls) / 2, pull, witness=witness)


def compare_untied() -> Iterable[Comparison]:
    """Compare the error of a decoder with a gain of its own, and that of the best one, over all dithers."""
    for alpha, size in ((F(7, 8), F(1, 2)), (F(1), F(3, 2)), (F(15, 16), F(3, 4))):
        yield from _compare_untied(Link(RATIO, float(alpha)), size)


def _compare_untied(link: Link, size: F) -> Iterable[Comparison]:
    claim, fine = theory.claim(ID), (1 - POINTS**-2) / 12
    floats = {"a": link.alpha**2, "D": fine, "sigma_z_sq": float(size) ** 2}
    best = evaluate(claim.formulas["untied_gain"], floats)
    least = evaluate(claim.formulas["untied_least"], floats)
    gradients = np.full((2, POINTS), 2.0)
    sides = gradients - float(size) * np.array([[1.0], [-1.0]])
    for beta in (best, 0.9 * best, 1.1 * best):
        link_with = UntiedGain(link.ratio, link.alpha, beta)
        found = float((link_with.errors(gradients, sides, grid(POINTS)) ** 2).mean())
        stated = evaluate(claim.formulas["untied"], {**floats, "beta": beta})
        yield Comparison(f"untied gain {beta:.3g}", "eq", found, stated, ROUND_OFF)
        yield Comparison(f"least at untied gain {beta:.3g}", "le", least, found, ROUND_OFF)


def _searched() -> Check:
    """Gains inside the range and variances of at least D: the error is at most D, and not below its least."""
    claim = theory.claim(ID)

    def at(point: Any, name: str) -> float:
        variance = 1 / 12 * (1 + float(np.exp(point[1])))
        smallest = evaluate(claim.formulas["smallest"], {"D": 1 / 12, "sigma_z_sq": variance})
        a = smallest + (1 - smallest) / (1 + float(np.exp(-np.clip(point[0], -30, 30))))
        values = {"a": a, "D": 1 / 12, "sigma_z_sq": variance}
        least = evaluate(claim.formulas["least"], {"D": 1 / 12, "sigma_z_sq": variance})
        found = evaluate(claim.expressions["exact"], values)
        return max(found, least / found * (1 / 12)) if name == "value" else 1 / 12

    base = AdversarialCase(
        lambda points: np.array([at(np.clip(point, -30, 30), "value") for point in points]),
        lambda points: np.array([at(np.clip(point, -30, 30), "bound") for point in points]),
        2,
        scale_invariant=False,
        budget=800,
    )
    parameters = {"D": "1/12", "range": "whole"}
    return Check("adversarial", "gains-and-variances", base, parameters, seconds=0.9)


def _sampled() -> Check:
    """Innovations of plus and minus half a step: three times the fine variance, at the best gain."""
    size, alpha = 0.5, float(np.sqrt(5 / 6))

    def case(link: Link, a: float = alpha**2, claimed: str = "exact") -> MonteCarloCase:
        sender = replace(link, alpha=float(np.sqrt(a)))

        def sample(rng: np.random.Generator, count: int) -> Any:
            g = rng.uniform(-3, 3, (count, COPIES))
            z = size * (2.0 * rng.integers(0, 2, (count, COPIES)) - 1)
            return (sender.errors(g, g - z, draw_dither(rng, g.shape)) ** 2).mean(axis=-1)

        # The best gain is claimed: the mutant below the range uses another one.
        values = {"a": alpha**2, "D": 1 / 12, "sigma_z_sq": size**2}
        stated = evaluate(theory.claim(ID).expressions["exact"], values)
        if claimed == "unsquared":
            stated = alpha**2 / 12 + (1 - alpha) ** 2 * size**2
        return MonteCarloCase("eq", sample, stated, upper=1.0)

    honest = Link(RATIO)
    mutants = {
        "unsquared-gain": Lazy(partial(case, honest, claimed="unsquared"), tests=1),
        "unit-gain-at-decoder": Lazy(partial(case, UnitGainAtDecoder(RATIO)), tests=1),
        "below-the-range": Lazy(partial(case, honest, a=0.25), tests=1),
    }
    base = Lazy(partial(case, honest), tests=1)
    return Check("montecarlo", "best-gain", base, {"alpha_sq": "5/6", "z": "1/2"}, mutants, seconds=0.5)
