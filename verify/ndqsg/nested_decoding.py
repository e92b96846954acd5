"""Checks of `ndqsg/nested-decoding`: all dithers of a small generator, sampled messages, recorded runs."""

from collections.abc import Iterable, Mapping
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors.contract import Draws
from impl.compressors.dither_stream import draw_dither
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.nested_links import SABOTAGED, Link, OtherCosetElement, exact_mean, grid
from verify.ndqsg.nested_runs import Setting, Side, recorded
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/nested-decoding"
POINTS = 16
SAMPLED = ("dither-not-subtracted", "receiver-ratio-four", "gain-at-sender-only")
"""Mutants that are sampled as well; the others are further from the truth."""

COPIES = 64
"""Coordinates whose squared errors are averaged in one sample."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        _exact("ratio-3", Link(3), sabotaged=True),
        _exact("ratio-4", Link(4)),
        _exact("ratio-3-gain", Link(3, 0.75)),
        Check("exact", "uniform-innovation", ExactCase(compare_uniform), {"k": 3}, seconds=0.1),
        _sharp(),
        *(
            searched_margin(f"margin-{link.ratio}", link, {"half-k-margin": link.ratio / (2 * link.alpha)})
            for link in (Link(3), Link(4, 0.75))
        ),
        _sampled(),
        _recorded(),
    )


def _exact(name: str, link: Link, sabotaged: bool = False) -> Check:
    mutants = {"other-coset-element": ExactCase(partial(compare, OtherCosetElement(link.ratio, link.alpha)))}
    if sabotaged:
        mutants |= {key: ExactCase(partial(compare, kind())) for key, kind in SABOTAGED.items()}
        mutants["half-k-margin"] = ExactCase(partial(compare, link, F(link.ratio, 2)))
    parameters = {"k": link.ratio, "alpha": link.alpha, "N": POINTS}
    return Check("exact", name, ExactCase(partial(compare, link)), parameters, mutants, seconds=0.1)


def compare(link: Link, margin: F | None = None) -> Iterable[Comparison]:
    """Compare errors over all dithers with the stated ones, for innovations inside the margin.

    The gradients are multiples of 1/4, at which the errors of this generator have the mean zero and the
    variance (1 - N^-2) / 12 exactly.
    """
    claim, alpha = theory.claim(ID), F(link.alpha)
    # A sabotaged ratio is judged by the margin of the stated one.
    values = {"alpha": alpha, "k": link.ratio}
    stated = rational(evaluate_exact(claim.formulas["margin"], values)) if margin is None else margin
    last = int(32 * stated) - (1 if (32 * stated).denominator == 1 else 0)
    innovations = np.arange(-last, last + 1) / 32
    u = grid(POINTS)
    for g in (F(0), F(7, 4), F(-5, 2)):
        gradients = np.full((len(innovations), POINTS), float(g))
        errors = link.errors(gradients, gradients - innovations[:, None], u)
        # What is left of the error when the stated pull towards y is taken out is alpha e.
        fine = np.abs(errors + (1 - link.alpha**2) * innovations[:, None])
        worst = int(fine.max(axis=1).argmax())
        witness = {"g": g, "z": float(innovations[worst])}
        largest = F(float(fine[worst].max()))
        yield Comparison("largest fine error", "le", largest, alpha / 2, witness=witness, headline=True)
        for place in {worst, 0, last, last + 7, 2 * last}:
            z = F(float(innovations[place]))
            at = {"z": z, "alpha": alpha, "delta": 1}
            square = evaluate_exact(claim.expressions["exact"], at) - alpha**2 / F(12 * POINTS**2)
            witness = {"g": g, "z": z}
            yield Comparison("mean square", "eq", exact_mean(errors[place] ** 2), square, witness=witness)
            bias = evaluate_exact(claim.formulas["bias"], at)
            yield Comparison("mean", "eq", exact_mean(errors[place]), bias, witness=witness)
            e = F(1, 2) - F(1, 2 * POINTS)
            extreme = evaluate_exact(claim.formulas["error"], {**at, "e": e})
            found = F(float(errors[place].max()))
            yield Comparison("error at the largest e", "eq", found, extreme, witness=witness)


def compare_uniform() -> Iterable[Comparison]:
    """Compare the stated overload for uniform innovations with the share of wrong cells on a fine grid.

    The share is a linear function of z between multiples of 1/64, the spacing of the dithers, so midpoints
    give its mean exactly.
    """
    formulas, ratio = theory.claim(ID).formulas, 3
    for numerator in (34, 40, 48, 64):
        width = F(numerator, 32)
        midpoints = (np.arange(4 * numerator) + 0.5) / 64 - float(width)
        stated = evaluate_exact(formulas["uniform_overload"], {"width": width, "k": ratio})
        share = _share_of_wrong(midpoints, ratio)
        yield Comparison(f"overload, width {width}", "eq", share, stated, headline=True)
    for z in (F(1), F(5, 4), F(3, 2), F(127, 64)):
        stated = evaluate_exact(formulas["failure"], {"alpha": 1, "z": z, "k": ratio})
        yield Comparison(f"failure at {z}", "eq", _share_of_wrong(np.array([float(z)]), ratio), stated)


def _share_of_wrong(innovations: Any, ratio: int) -> F:
    """Return the share of wrong indices over innovations and 64 dithers, at the gradient 0."""
    codec, u = Link(ratio).codec, np.repeat(grid(64)[:, None], len(innovations), axis=1)
    g = np.zeros(u.shape)
    wrong = codec.overloads(g, Draws(shared=u), g - innovations)
    return F(int(wrong.sum()), wrong.size)


def _sharp() -> Check:
    parameters = {"k": [2, 3, 4, 5], "alpha": [1, 0.75, 0.5], "N": POINTS}
    return Check("exact", "sharp-margin", ExactCase(compare_sharp), parameters, seconds=0.1)


def compare_sharp() -> Iterable[Comparison]:
    """No dither fails up to 1/32 before the margin, and one of 16 fails from 1/32 beyond it."""
    u = grid(POINTS)
    for ratio in (2, 3, 4, 5):
        for alpha in (F(1), F(3, 4), F(1, 2)):
            link = Link(ratio, float(alpha))
            margin = rational(
                evaluate_exact(theory.claim(ID).formulas["margin"], {"k": ratio, "alpha": alpha})
            )
            for sign in (1, -1):
                for beyond, fails in ((F(-1, 32), 0), (F(1, 32), 1)):
                    # The gradient is 0, where the fine errors are the dithers, up to 1/32 of one half.
                    z = sign * float(margin + beyond / alpha)
                    wrong = link.codec.overloads(np.zeros(POINTS), Draws(shared=u), np.full(POINTS, -z))
                    witness = {"k": ratio, "alpha": alpha, "z": z}
                    # A tie at minus half a cell stays inside, so the upper end alone fails at 1/32 exactly.
                    at_least = fails if sign > 0 else 0
                    yield Comparison("dithers that fail", "le", at_least, int(wrong.sum()), witness=witness)
                    yield Comparison("no more", "le", int(wrong.sum()), fails, witness=witness, headline=True)


def searched_margin(name: str, link: Link, mutants: Mapping[str, float]) -> Check:
    """No gradient and no innovation inside the margin at which some dither has a fine error beyond half.

    Args:
        name: Of the instance.
        link: Both ends.
        mutants: Claimed margins by name of the mutant.
    """
    u = grid(2 * POINTS)

    def case(margin: float | None = None) -> AdversarialCase:
        values = {"k": link.ratio, "alpha": link.alpha}
        stated = evaluate(theory.claim(ID).formulas["margin"], values) if margin is None else margin

        def value(inputs: Any) -> Any:
            g, place = np.asarray(inputs, dtype=float).T
            z = stated * (1 - ROUND_OFF.relative) * np.sin(place)
            gradients = np.broadcast_to(g[:, None], (len(g), len(u)))
            errors = link.errors(gradients, gradients - z[:, None], np.broadcast_to(u, gradients.shape))
            return np.abs(errors + (1 - link.alpha**2) * z[:, None]).max(axis=-1)

        return AdversarialCase(
            value,
            lambda inputs: np.full(len(inputs), link.alpha / 2),
            2,
            starts=([0.0, np.pi / 2], [0.5, -np.pi / 2]),
            scale_invariant=False,
            budget=1000,
        )

    cases = {key: Lazy(partial(case, margin)) for key, margin in mutants.items()}
    parameters = {"k": link.ratio, "alpha": link.alpha, "N": 2 * POINTS}
    return Check("adversarial", name, Lazy(case), parameters, cases, seconds=0.3)


def _sampled() -> Check:
    """Sampled errors for gradients in [-3, 3] and innovations in [-1, 1]: D on the average."""

    def case(kind: type[Link]) -> MonteCarloCase:
        link = kind()

        def sample(rng: np.random.Generator, size: int) -> Any:
            g = rng.uniform(-3, 3, (size, COPIES))
            z = rng.uniform(-1, 1, (size, COPIES))
            return (link.errors(g, g - z, draw_dither(rng, g.shape)) ** 2).mean(axis=-1)

        stated = evaluate(theory.claim(ID).expressions["exact"], {"z": 0, "alpha": 1, "delta": 1})
        return MonteCarloCase("eq", sample, stated, upper=0.25 + ROUND_OFF.relative)

    mutants = {key: Lazy(partial(case, SABOTAGED[key]), tests=1) for key in SAMPLED}
    base = Lazy(partial(case, Link), tests=1)
    parameters = {"k": 3, "g": "uniform on [-3, 3]", "z": "uniform on [-1, 1]"}
    return Check("montecarlo", "uniform", base, parameters, mutants, seconds=0.5)


def _recorded() -> Check:
    """Innovations of a run: errors of at most half a step inside the margin, and no wrong index there."""

    def case(margin: float | None = None, side: Side | None = None) -> DriftCase:
        return DriftCase(lambda rng: list(compare_run(rng, margin, side)))

    mutants = {"half-k-margin": case(margin=1.5), "no-side-information": case(side=np.zeros_like)}
    parameters = {"M": 3, "k": 3, "P": 4, "d": 32, "rounds": 20}
    return Check("run", "recorded", case(), parameters, mutants, seconds=0.2)


def compare_run(
    rng: np.random.Generator,
    margin: float | None = None,
    side: Side | None = None,
    setting: Setting = Setting(),  # noqa: B008 -- frozen
) -> Iterable[Comparison]:
    """Compare the errors of a run inside the margin with half a step."""
    stated = evaluate(theory.claim(ID).formulas["margin"], {"k": setting.ratio, "alpha": 1})
    limit = stated if margin is None else margin
    for number, seen in enumerate(recorded(setting, rng, 4, side)):
        # Round-off of the recorded innovation must not decide at the margin itself.
        inside = np.abs(seen.innovations) < limit * (1 - ROUND_OFF.relative)
        largest = float(np.abs(seen.errors[inside]).max())
        witness = {"round": number, "coordinates": int(inside.sum())}
        yield Comparison("largest error", "le", largest, 0.5, ROUND_OFF, witness, headline=True)
        yield Comparison("wrong indices", "eq", int(seen.wrong[inside].sum()), 0, witness=witness)
