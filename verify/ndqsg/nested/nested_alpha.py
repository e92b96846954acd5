"""Checks of `ndqsg/nested-alpha`: one message with a gain, over all dithers and by sampling."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors.contract import Message
from impl.compressors.dithered.dither_stream import draw_dither
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.ndqsg.fixtures.nested_links import Link, UnitGainAtDecoder, exact_mean, grid
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

POINTS = 16
COPIES = 64
RATIO = 7
"""Wide enough for every innovation used here."""
_GAINS = ("exact/three-times-fine", "exact/wide")


@dataclass(frozen=True)
class UntiedGain(Link):
    """The receiver multiplies by a gain of its own."""

    beta: float = 1.0

    def received(self, message: Message, y: Any, u: Any) -> Any:
        return y + (super().received(message, y, u) - y) * (self.beta / self.alpha)


# Gradient and side information are multiplied by `sign`.
judge = checks_of("ndqsg/nested-alpha", link=Link, own=UntiedGain, sign=1)


judge.sabotage_data(
    "below-the-range at exact/three-times-fine, exact/wide: Take a gain below the range: the error exceeds "
    "D.",
    lambda alpha, z, N: {"alpha": F(1, 2), "z": z, "N": N},
    "above-the-fine-step at exact/below-the-fine-step: Claim that gain 0 is best above the fine step, too.",
    lambda alpha, z, N: {"alpha": alpha, "z": 4 * z, "N": N},
)
judge.sabotage(
    "unsquared-gain: Claim (1 - alpha)^2 for (1 - alpha^2)^2: 6.6 % too small at sigma_z^2 = 1/4. "
    "| exact = a * D + (1 - sqrt(a))**2 * sigma_z_sq",
    at=(*_GAINS, "montecarlo/best-gain"),
)
judge.sabotage(
    "unit-gain-at-decoder at exact/below-the-fine-step, montecarlo/best-gain, exact/three-times-fine, "
    "exact/wide: The decoder adds the reduced innovation without the gain: 11 % more error at sigma_z^2 = "
    "1/4.",
    {"link": UnitGainAtDecoder},
    "tied-after-all at exact/untied-gain: The decoder with a gain of its own uses the one of the sender.",
    {"own": lambda ratio, alpha, beta: Link(ratio, alpha)},
    "doubled-least at exact/untied-gain, adversarial/*: Claim twice the least error. "
    "| least = 2 * least, untied_least = 2 * untied_least",
    "reflected, neutral at exact/gain-one, exact/three-times-fine, exact/wide: Change the sign of gradient "
    "and side information: nothing may change. | sign = -1",
)


# ---------------------------------------------------------------- all dithers


def _fine(N: int) -> F:
    """Return the variance of N dithers, in steps."""
    return F(1, 12) * (1 - F(1, N**2))


def _moments(law: Law, alpha: F, z: F, N: int, g: F) -> tuple[F, F]:
    """Return mean square and pull for innovations of plus and minus z.

    The gradients are integers and the gain is a multiple of 1/16, so that the errors of the generator have
    the mean zero and the variance (1 - N^-2) / 12 exactly.
    """
    link, squares, pulls = law.link(RATIO, float(alpha)), F(0), F(0)
    for innovation in (z, -z):
        gradients = np.full(N, law.sign * float(g))
        errors = link.errors(gradients, gradients - law.sign * float(innovation), grid(N))
        squares += exact_mean(errors**2) / 2
        pulls += exact_mean(errors) / (-law.sign * innovation) / 2
    return squares, pulls


@judge.exact(
    N=POINTS,
    instances={
        "three-times-fine": {"alpha": F(7, 8), "z": F(1, 2)},
        "gain-one": {"alpha": F(1), "z": F(3, 2)},
        "wide": {"alpha": F(15, 16), "z": F(3, 4)},
    },
)
def enumerated(law: Law, alpha: F, z: F, N: int) -> Iterable[Comparison]:
    """The enumerated error, and D, the error at gain 1."""
    values = {"D": _fine(N), "sigma_z_sq": z**2}
    for g in (F(0), F(2), F(-3)):
        square, pull = _moments(law, alpha, z, N, g)
        witness = {"g": g, "z": z, "alpha": alpha}
        yield eq("mean square", square, law.exactly("exact", a=alpha**2, **values), witness=witness)
        yield le("against D", square, law.exactly("bound", D=_fine(N)), witness=witness, headline=True)
        yield le("least", law.exactly("least", **values), square, witness=witness)
        yield eq("pull towards y", pull, law.exactly("pull", a=alpha**2), witness=witness)


@judge.exact(alpha=("1/4", "1/2", "3/4"), z=F(1, 8), N=POINTS)
def below_the_fine_step(law: Law, alpha: Any, z: F, N: int) -> Iterable[Comparison]:
    """An innovation far below the fine step: no gain does better than none."""
    nothing = law.exactly("exact", a=0, D=_fine(N), sigma_z_sq=z**2)
    for gain in map(F, alpha):
        square, _ = _moments(law, gain, z, N, F(2))
        stated = law.exactly("exact", a=gain**2, D=_fine(N), sigma_z_sq=z**2)
        yield eq("mean square", square, stated, witness={"alpha": gain})
        yield le("gain 0", nothing, square, witness={"alpha": gain}, headline=gain == F(1, 2))


@judge.exact(N=POINTS)
def untied_gain(law: Law, N: int) -> Iterable[Comparison]:
    """The error of a decoder with a gain of its own, and that of the best one, over all dithers."""
    for alpha, size in ((0.875, 0.5), (1.0, 1.5), (0.9375, 0.75)):
        values = {"alpha": alpha, "D": (1 - N**-2) / 12, "sigma_z_sq": size**2}
        best, least = law("untied_gain", **values), law("untied_least", **values)
        gradients = np.full((2, N), 2.0)
        sides = gradients - size * np.array([[1.0], [-1.0]])
        for beta in (best, 0.9 * best, 1.1 * best):
            link = law.own(RATIO, alpha, beta)
            found = float((link.errors(gradients, sides, grid(N)) ** 2).mean())
            witness = {"alpha": alpha, "beta": beta}
            stated = law("untied", beta=beta, **values)
            yield eq("untied gain", found, stated, ROUND_OFF, witness=witness)
            yield le("least at untied gains", least, found, ROUND_OFF, witness=witness)


# ---------------------------------------------------------------- search, samples


@judge.adversarial(label="gains and variances", parameters={"D": "1/12", "range": "whole"})
def gains_and_variances(law: Law) -> AdversarialCase:
    """Gains inside the range and variances of at least D: the error is at most D, and not below its least."""
    bound = law("bound", D=1 / 12)

    def at(point: Any) -> float:
        shape = np.clip(point, -30, 30)
        values = {"D": 1 / 12, "sigma_z_sq": 1 / 12 * (1 + float(np.exp(shape[1])))}
        smallest = law("smallest", **values)
        a = smallest + (1 - smallest) / (1 + float(np.exp(-shape[0])))
        found = law("exact", a=a, **values)
        return max(found, law("least", **values) / found * bound)

    return AdversarialCase(
        lambda points: np.array([at(point) for point in points]),
        lambda points: np.full(len(points), bound),
        2,
        scale_invariant=False,
        budget=800,
    )


@judge.montecarlo(label="mean square", alpha_sq=F(5, 6), z=F(1, 2))
def best_gain(law: Law, alpha_sq: F, z: F) -> MonteCarloCase:
    """Innovations of plus and minus half a step: three times the fine variance, at the best gain."""
    link = law.link(RATIO, float(np.sqrt(float(alpha_sq))))

    def sample(rng: np.random.Generator, count: int) -> Any:
        g = rng.uniform(-3, 3, (count, COPIES))
        innovations = float(z) * (2.0 * rng.integers(0, 2, (count, COPIES)) - 1)
        return (link.errors(g, g - innovations, draw_dither(rng, g.shape)) ** 2).mean(axis=-1)

    stated = law("exact", a=link.alpha**2, D=1 / 12, sigma_z_sq=float(z) ** 2)
    return MonteCarloCase("eq", sample, stated, upper=1.0)
