"""Checks of `ndqsg/side-information`: enumerated and sampled messages and rounds, and rules."""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Max

from impl.compressors import DitheredQuantizer
from impl.compressors.contract import Draws
from impl.compressors.dithered.dither_stream import draw_dither
from impl.compressors.dithered.nested_ratio import gaussian_excess, smallest_ratio
from verify.authoring import checks_of, eq, le, lt, with_factor
from verify.authoring.law import Law
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.ndqsg.fixtures import sequential_side
from verify.ndqsg.fixtures.nested_average import Group
from verify.ndqsg.fixtures.nested_links import Link, grid
from verify.ndqsg.fixtures.nested_overload_oracle import moments, moments_of
from verify.ndqsg.fixtures.ratio_rule import sub_gaussian_ratio
from verify.rungs.montecarlo import MonteCarloCase

COPIES = 16
NOISE = 0.25
"""A worker's noise is plus or minus this, in fine steps: the golden variance 1/16."""


@dataclass(frozen=True)
class Style:
    """How side information and its variance are formed.

    Args:
        raw: Sabotage: y is the mean of raw gradients.
        own: Sabotage: half of y is the gradient that is predicted.
        divisor_m: Sabotage: the sample variance has the divisor m.
        reverse: Number the first group the other way round.
        subtracted: What is subtracted from a sample variance, D.
    """

    raw: bool = False
    own: bool = False
    divisor_m: bool = False
    reverse: bool = False
    subtracted: float = 1 / 12

    def observed(self, noises: Any, dithers: Any, own: Any) -> tuple[Any, Any]:
        """Return innovations and mean squared deviations in the first group, each (..., d).

        Args:
            noises: Noises of the first group, (m, ..., d); the true gradient is 0.
            dithers: Its dithers.
            own: Noise of the worker that is predicted, (..., d).
        """
        noises, dithers = (np.asarray(part)[:: -1 if self.reverse else 1] for part in (noises, dithers))
        decoded = DitheredQuantizer(1, scale=1.0).compress(noises, Draws(shared=dithers))
        y = (noises if self.raw else decoded).mean(axis=0)
        if self.own:
            y = (y + own) / 2
        return own - y, decoded.var(axis=0)

    def correction(self, m: int) -> F:
        """Return the factor that makes sample variances of mean squared deviations."""
        return F(1) if self.divisor_m else F(m, m - 1)


judge = checks_of(
    "ndqsg/side-information",
    style=Style(),
    ratio_rule=sub_gaussian_ratio,
    gaussian_rule=smallest_ratio,
    excess=gaussian_excess,
    rounds=sequential_side.Rounds,
    link=Link,
)


judge.sabotage(
    "raw-mean at montecarlo/innovation-*, exact/messages-*: y is the mean of the raw gradients, which no "
    "receiver knows: sigma_n^2 (1 + 1/m).",
    lambda law: law.replace(style=Style(raw=True)),
    "own-gradient at exact/messages-*: Half of y is the gradient that is predicted.",
    lambda law: law.replace(style=Style(own=True)),
    "exact-messages at montecarlo/innovation-*, exact/messages-*, exact/sequential-*: Omit D/m: 40, 21 and "
    "14 % too small for 1, 4 and 7 messages. | exact = exact(D = 0)",
    "quantization-not-subtracted at montecarlo/estimate-4, exact/messages-*: Estimate sigma_z^2 by s^2 (1 + "
    "1/m): 1.84 times too large for four messages.",
    lambda law: law.replace(
        estimate=lambda formula: with_factor(formula, "D", 0), style=Style(subtracted=0.0)
    ),
    "divisor-m at exact/messages-*, montecarlo/estimate-4: Sample variance with the divisor m: smaller by "
    "the factor 1 - 1/m.",
    lambda law: law.replace(style=Style(divisor_m=True)),
    "one-message at exact/average, exact/sequential-*: Claim the variance of one message for the average. "
    "| average = message",
    "smallest-ratio at exact/ratio: Always take the ratio 2.",
    {"ratio_rule": lambda sigma, probability: 2},
    "first-group-alone at exact/sequential-*: Decode each nested message beside the first group alone.",
    {"rounds": sequential_side.FirstGroupAlone},
    "one-too-many at exact/sequential-*: Divide the sum of m messages by m + 1.",
    {"rounds": sequential_side.OneTooMany},
    "iteration-before at exact/sequential-*: Decode beside the side information of the iteration before, "
    "when the gradient was another.",
    {"rounds": sequential_side.IterationBefore},
    "one-dither at exact/sequential-*: All workers have the same dither: their errors are correlated.",
    {"rounds": sequential_side.OneDither},
    "overloads at exact/sequential-*: Send with the ratio 2, beyond its margin: overloads spoil later side "
    "information.",
    {"rounds": sequential_side.RatioTwo},
    "variance-for-deviation at exact/smallest-ratio: Choose the ratio by the variance of the innovation.",
    {"gaussian_rule": lambda sigma, tolerated, odd: smallest_ratio(sigma**2, tolerated, odd=odd)},
    "variance-in-excess at exact/smallest-ratio: Take the excess of the variance of the innovation.",
    {"excess": lambda sigma, k: gaussian_excess(sigma**2, k)},
    "tenfold-excess at exact/smallest-ratio: Choose the ratio for an excess of ten per cent.",
    {"gaussian_rule": lambda sigma, tolerated, odd: smallest_ratio(sigma, 10 * tolerated, odd=odd)},
    "even-too at exact/smallest-ratio: Take even ratios for odd ones.",
    {"gaussian_rule": lambda sigma, tolerated, odd: smallest_ratio(sigma, tolerated)},
    "next-ratio at exact/smallest-ratio, exact/decoded-ratio: Claim the ratio, odd or any, after the "
    "smallest. | smallest = smallest + 1, smallest_odd = smallest_odd + 2",
    "ratio-before at exact/smallest-ratio, exact/decoded-ratio: Claim the ratio, odd or any, before the "
    "smallest, where there is one.",
    lambda law: law.replace(
        smallest=lambda formula: Max(2, formula - 1), smallest_odd=lambda formula: Max(3, formula - 2)
    ),
    "other-order, neutral at exact/messages-*: Number the first group differently: nothing may change.",
    lambda law: law.replace(style=Style(reverse=True)),
)


@judge.exact(instances={"messages-2": {"m": 2, "N": 32}, "messages-4": {"m": 4, "N": 4}}, sigma_n_sq="1/16")
def messages(law: Law, m: int, N: int, sigma_n_sq: str) -> Iterable[Comparison]:
    """Innovation and sample variance over all noises and dithers.

    The noises are multiples of the spacing of the dithers, so the errors have the mean zero and the variance
    (1 - N^-2) / 12 exactly; all numbers are dyadic.
    """
    values = [np.array([-NOISE, NOISE]), grid(N)]
    axes = np.meshgrid(*(values[0],) * m, *(values[1],) * m, indexing="ij")
    rows = np.stack([axis.reshape(-1, 1) for axis in axes])
    fine, noise = F(1, 12) * (1 - F(1, N**2)), F(sigma_n_sq)
    squares, samples = [], []
    for own in (-NOISE, NOISE):
        innovation, deviation = law.style.observed(rows[:m], rows[m:], own)
        squares.append(F(float((innovation**2).sum())) / len(innovation))
        samples.append(law.style.correction(m) * F(float(deviation.sum())) / len(deviation))
    found = (squares[0] + squares[1]) / 2
    yield eq("innovation", found, law.exactly("exact", sigma_n_sq=noise, D=fine, m=m), headline=True)
    mean = law.exactly("message", sigma_n_sq=noise, D=fine)
    yield eq("mean of the sample variance", samples[0], mean)
    yield eq("estimate at that mean", law.exactly("estimate", sample_sq=mean, D=fine, m=m), found)
    factor, kept = law.style.correction(m), F(float(deviation.sum())) / len(deviation)
    above = deviation[deviation > float(fine / factor)]
    cut = (factor * F(float(above.sum())) - fine * len(above)) / len(deviation)
    yield le("mean of the estimates", found, cut + factor * kept / m)
    # No number of messages takes it below a worker's own noise.
    yield le("own noise", noise, found)


@judge.exact(instance="average", P=(2, 4))
def averages(law: Law, P: Any) -> Iterable[Comparison]:
    """The enumerated average of all messages at gain 1."""
    for workers, points in zip(P, (16, 8), strict=True):
        fine, group = F(1, 12) * (1 - F(1, points**2)), Group(workers // 2, 1.0)
        stated = law.exactly("average", sigma_n_sq=F(group.noise) ** 2, D=fine, P=workers)
        yield eq("average", group.enumerated(points), stated, witness={"P": workers}, headline=True)


@judge.exact(
    instances={"sequential-1": {"plain": 1, "points": 16}, "sequential-2": {"plain": 2, "points": 4}},
    nested=2,
    sigma_n_sq="1/16",
)
def sequential(law: Law, plain: int, nested: int, points: int, sigma_n_sq: str) -> Iterable[Comparison]:
    """The second of two rounds in sequential mode over all noises and dithers.

    Beside one and two messages all numbers are dyadic; a mean of three is rounded.
    """
    fine, workers = F(1, 12) * (1 - F(1, points**2)), plain + nested
    values = {"sigma_n_sq": F(sigma_n_sq), "D": fine}
    gradients, decoded, known = law.rounds(plain, nested).enumerated(points)
    tolerance = EXACT if plain == 1 else ROUND_OFF

    def mean_square(items: Any) -> Any:
        total = float((items**2).sum())
        return (F(total) if plain == 1 else total) / len(items)

    innovations = [mean_square(gradients[:, plain + place] - known[:, place]) for place in range(nested)]
    for place, found in enumerate(innovations):
        stated = law.exactly("exact", m=plain + place, **values)
        yield eq(
            "sequential innovation", found, stated, tolerance, witness={"m": plain + place}, headline=True
        )
    for later, earlier in zip(innovations[1:], innovations, strict=False):
        yield lt("later innovation", later, earlier, tolerance)
    errors = decoded - gradients
    for p, q in itertools.combinations_with_replacement(range(workers), 2):
        # Two errors of variance D are uncorrelated where their sum has the variance 2 D.
        found = mean_square(errors[:, p]) if p == q else mean_square(errors[:, p] + errors[:, q]) / 2
        yield eq("sequential errors", found, fine, tolerance, witness={"workers": [p, q]})
    whole = mean_square(decoded.sum(axis=1) - workers * sequential_side.CENTRES[0]) / workers**2
    stated = law.exactly("average", P=workers, **values)
    yield eq("sequential average", whole, stated, tolerance, witness={"P": workers})


@judge.exact(instance="ratio", epsilon=(0.01, 0.0001), sigma=(0.25, 0.5, 1.0, 3.0))
def ratios(law: Law, epsilon: Any, sigma: Any) -> Iterable[Comparison]:
    """The exact overload of a Gaussian innovation at the stated ratio against its probability."""
    for probability, deviation in ((first, second) for first in epsilon for second in sigma):
        ratio = law.ratio_rule(deviation, probability)
        least = law("ratio", sigma=deviation, epsilon=probability)
        witness = {"sigma": deviation, "epsilon": probability, "k": ratio}
        yield le("stated ratio", least, max(ratio, 2), ROUND_OFF, witness=witness)
        overload = moments(deviation, ratio).overload
        yield le("overload", overload, probability, ROUND_OFF, witness=witness, headline=True)


# In fine steps.
DEVIATIONS = ("1/10", "1/5", "1/4", "3/10", "1/2", "3/4", "1", "3/2", "2", "4")
RULES = (("smallest", "smallest ratio", 1), ("smallest_odd", "smallest odd ratio", 2))


@judge.exact(instance="smallest-ratio", sigma=DEVIATIONS)
def smallest_ratios(law: Law, sigma: Any) -> Iterable[Comparison]:
    """The ratio that is chosen, and the stated excess there and at all smaller ones."""
    tolerated = law("tolerated") / 100
    for text, (name, label, step) in ((text, rule) for text in sigma for rule in RULES):
        deviation, value = float(F(text)), law.exactly(name, sigma=F(text))
        stated = round(value)
        witness = {"sigma": text, "k": stated}
        chosen = law.gaussian_rule(deviation, tolerated, odd=step == 2)
        # In floats, as the excess that decides: no exact result.
        yield eq(label, float(chosen), float(value), ROUND_OFF, witness=witness)
        found = _excess(law, deviation, stated)
        yield le(f"excess at the {label}", found, tolerated, ROUND_OFF, witness=witness, headline=True)
        smaller = [_excess(law, deviation, ratio) for ratio in range(step + 1, stated, step)]
        if smaller:
            yield le(f"excess below the {label}", tolerated, min(smaller), ROUND_OFF, witness=witness)
        own = 1 + law.excess(deviation, stated)
        yield eq("excess of a Gaussian innovation", own, 1 + found, ROUND_OFF, witness=witness)
    for wide, k in ((6.0, 2), (10.0, 2), (30.0, 9), (50.0, 3)):
        # The error is the innovation and, uniform on a cell, its own residue: up to exp(-2 (pi sigma / k)^2).
        own = 1 + law.excess(wide, k)
        witness = {"sigma": wide, "k": k}
        yield eq("excess of a Gaussian innovation", own, k**2 + 12 * wide**2, ROUND_OFF, witness=witness)


def _excess(law: Law, sigma: float, k: int) -> float:
    """Return the excess by `ndqsg/nested-overload`; further boundaries add less than 1e-20."""
    found = moments_of(law.of("ndqsg/nested-overload"), sigma, k, cells=math.ceil(10 * sigma / k) + 1)
    return 12 * (k**2 * found.squares - 2 * k * found.cross)


@judge.exact(instance="decoded-ratio", sigma=DEVIATIONS, points=16)
def decoded_ratios(law: Law, sigma: Any, points: int) -> Iterable[Comparison]:
    """The same for messages: innovations are normal on multiples of the spacing of the dithers."""
    tolerated = law("tolerated") / 100
    for text, (name, label, step) in ((text, rule) for text in sigma for rule in RULES):
        stated = round(law.exactly(name, sigma=F(text)))
        witness = {"sigma": text, "k": stated}
        found = _decoded_excess(law.link(stated), float(F(text)), points)
        yield le(f"decoded at the {label}", found, tolerated, ROUND_OFF, witness=witness, headline=True)
        if stated > step + 1:
            found = _decoded_excess(law.link(stated - step), float(F(text)), points)
            yield le(f"decoded below the {label}", tolerated, found, ROUND_OFF, witness=witness)


def _decoded_excess(link: Link, sigma: float, points: int) -> float:
    """Return the excess of messages with all dithers of a small generator, up to 8 deviations."""
    places = np.arange(-int(8 * sigma * points), int(8 * sigma * points) + 1)
    weights = np.exp(-((places / points / sigma) ** 2) / 2)
    z, g = places[:, None] / points, 7 * places[:, None] % 64 / points
    square = (link.errors(g, g - z, grid(points)) ** 2).mean(axis=-1)
    return float(weights @ square / weights.sum() / ((1 - points**-2) / 12) - 1)


def _drawn(rng: np.random.Generator, m: int, size: int) -> tuple[Any, Any, Any]:
    """Return noises (m, size, COPIES), dithers of this shape and the noise of one more worker."""
    noises = NOISE * (2.0 * rng.integers(0, 2, (m + 1, size, COPIES)) - 1)
    return noises[:m], draw_dither(rng, (m, size, COPIES)), noises[m]


@judge.montecarlo(
    label="innovation",
    instances={f"innovation-{m}": {"m": m} for m in (1, 4)},
    sigma_n_sq=F(1, 16),
    D=F(1, 12),
)
def sampled_innovation(law: Law, m: int, sigma_n_sq: F, D: F) -> MonteCarloCase:
    """Sampled innovations."""

    def sample(rng: np.random.Generator, size: int) -> Any:
        return (law.style.observed(*_drawn(rng, m, size))[0] ** 2).mean(axis=-1)

    stated = float(law.exactly("exact", sigma_n_sq=sigma_n_sq, D=D, m=m))
    return MonteCarloCase("eq", sample, stated, upper=(2 * NOISE + 0.5) ** 2)


@judge.montecarlo(label="estimate", instance="estimate-4", m=4, sigma_n_sq=F(1, 16), D=F(1, 12))
def sampled_estimate(law: Law, m: int, sigma_n_sq: F, D: F) -> MonteCarloCase:
    """The estimate from the sample variance, without its cut at zero, against the innovation."""
    subtracted = law.style.subtracted

    def sample(rng: np.random.Generator, size: int) -> Any:
        deviations = law.style.observed(*_drawn(rng, m, size))[1].mean(axis=-1)
        variances = float(law.style.correction(m)) * deviations
        return variances - subtracted + variances / m

    # m messages lie within half a step and a noise of zero.
    upper = (NOISE + 0.5) ** 2 * m / (m - 1) * (1 + 1 / m) - subtracted
    stated = float(law.exactly("exact", sigma_n_sq=sigma_n_sq, D=D, m=m))
    return MonteCarloCase("eq", sample, stated, lower=-subtracted, upper=upper)
