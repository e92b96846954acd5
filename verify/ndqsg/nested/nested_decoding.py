"""Checks of `ndqsg/nested-decoding`: all dithers of a small generator, sampled messages, recorded runs."""

from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors.contract import Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures import nested_margin
from verify.ndqsg.fixtures.nested_links import SABOTAGED, Link, OtherCosetElement, exact_mean, grid
from verify.ndqsg.fixtures.runs.nested_runs import Setting
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

judge = checks_of("ndqsg/nested-decoding", link=Link)

POINTS = 16
_DESCRIBED = {
    "dither-not-subtracted": "Receiver without its dither: mean square error 3.1 D instead of D.",
    "dither-added": "The receiver adds its dither: 8 D.",
    "no-side-information": "Decode with y = 0: the coset of zero, 53 D.",
    "receiver-ratio-four": "The receiver reduces by 4 what the sender reduced by 3: 10.1 D.",
    "side-information-off-by-a-step": "The receiver's y is one fine step too high: 25 D.",
    "floor-quantizer": "The sender rounds down instead of to the nearest: 7 D.",
    "ratio-two": "k = 2 at both ends, beyond its margin of half a step: 5 D.",
    "no-modulo": "The receiver does not reduce: 53 D.",
    "gain-at-sender-only": "The sender multiplies by 0.9, the receiver does not know: 1.82 D.",
}
_ALSO = {
    **dict.fromkeys(("dither-not-subtracted", "receiver-ratio-four", "gain-at-sender-only"), "montecarlo/*"),
    "no-side-information": "run/*",
}
"""Where a sabotage is seen beside the exact rung; the others are further from the truth."""

for _name, _kind in SABOTAGED.items():
    _at = ("exact/ratio-3", _ALSO.get(_name, "exact/ratio-3"))
    judge.mutant(_DESCRIBED[_name], at=_at, name=_name)(lambda law, kind=_kind: law.replace(link=kind))


judge.sabotage(
    "half-k-margin at exact/ratio-3, exact/sharp-margin, adversarial/*, run/recorded: Claim the margin k/(2 "
    "alpha): within it and outside the stated one decoding fails. | margin = margin + 1/2 / alpha",
    "one-end at exact/uniform-innovation: Count the innovations beyond one end only: half the "
    "probability. | uniform_overload = uniform_overload / 2",
    "other-coset-element, neutral at exact/ratio-*: Send i itself or s + k in the place of s: nothing may "
    "change.",
    {"link": OtherCosetElement},
)


# ---------------------------------------------------------------- all dithers


@judge.exact(
    N=POINTS,
    instances={
        "ratio-3": {"k": 3, "alpha": 1.0},
        "ratio-4": {"k": 4, "alpha": 1.0},
        "ratio-3-gain": {"k": 3, "alpha": 0.75},
    },
)
def errors(law: Law, k: int, alpha: float, N: int) -> Iterable[Comparison]:
    """Errors over all dithers for innovations inside the margin.

    The gradients are multiples of 1/4, at which the errors of this generator have the mean zero and the
    variance (1 - N^-2) / 12 exactly.
    """
    link, gain = law.link(k, alpha), F(alpha)
    margin = law.exactly("margin", alpha=gain, k=k)
    last = int(32 * margin) - (1 if (32 * margin).denominator == 1 else 0)
    innovations = np.arange(-last, last + 1) / 32
    at_half = law.exactly("error", z=0, alpha=gain, delta=1, e=F(1, 2))
    for g in (F(0), F(7, 4), F(-5, 2)):
        gradients = np.full((len(innovations), N), float(g))
        found = link.errors(gradients, gradients - innovations[:, None], grid(N))
        # What is left of the error when the stated pull towards y is taken out is alpha e.
        fine = np.abs(found + (1 - alpha**2) * innovations[:, None])
        worst = int(fine.max(axis=1).argmax())
        witness = {"g": g, "z": float(innovations[worst])}
        yield le("largest fine error", F(float(fine[worst].max())), at_half, witness=witness, headline=True)
        for place in {worst, 0, last, last + 7, 2 * last}:
            z = F(float(innovations[place]))
            at, witness = {"z": z, "alpha": gain, "delta": 1}, {"g": g, "z": z}
            # The generator of N points has the variance of the dither less a part N^-2.
            coarse = law.exactly("exact", z=0, alpha=gain, delta=1) / N**2
            square = law.exactly("exact", **at) - coarse
            yield eq("mean square", exact_mean(found[place] ** 2), square, witness=witness)
            yield eq("mean", exact_mean(found[place]), law.exactly("bias", **at), witness=witness)
            extreme = law.exactly("error", **at, e=F(N - 1, 2 * N))
            yield eq("error at the largest e", F(float(found[place].max())), extreme, witness=witness)


@judge.exact(instance="uniform-innovation", k=(2, 3, 4, 5, 8))
def uniform_innovation(law: Law, k: Any) -> Iterable[Comparison]:
    """The stated overload for uniform innovations against the share of wrong cells on a fine grid.

    The share is a linear function of z between multiples of 1/64, the spacing of the dithers, so midpoints
    give its mean exactly. The widths B go from just above (k - 1) / 2 to (k + 1) / 2.
    """
    for ratio in k:
        for above in (F(1, 16), F(1, 4), F(1, 2), F(1)):
            width = F(ratio - 1, 2) + above
            midpoints = (np.arange(int(128 * width)) + 0.5) / 64 - float(width)
            stated = law.exactly("uniform_overload", width=width, k=ratio)
            share, witness = _share_of_wrong(law, midpoints, ratio), {"k": ratio, "width": width}
            yield eq("overload of uniform innovations", share, stated, witness=witness, headline=True)
        for beyond in (F(0), F(1, 4), F(1, 2), F(63, 64)):
            z = F(ratio - 1, 2) + beyond
            stated, witness = law.exactly("failure", alpha=1, z=z, k=ratio), {"k": ratio, "z": z}
            found = _share_of_wrong(law, np.array([float(z)]), ratio)
            yield eq("failure", found, stated, witness=witness)


def _share_of_wrong(law: Law, innovations: Any, ratio: int) -> F:
    """Return the share of wrong indices over innovations and 64 dithers, at the gradient 0."""
    codec, u = law.link(ratio).codec, np.repeat(grid(64)[:, None], len(innovations), axis=1)
    g = np.zeros(u.shape)
    wrong = codec.overloads(g, Draws(shared=u), g - innovations)
    return F(int(wrong.sum()), wrong.size)


@judge.exact(k=(2, 3, 4, 5), alpha=("1", "3/4", "1/2"), N=POINTS)
def sharp_margin(law: Law, k: Any, alpha: Any, N: int) -> Iterable[Comparison]:
    """No dither fails up to 1/32 before the margin, and one of 16 fails from 1/32 beyond it."""
    u = grid(N)
    for ratio, gain in ((ratio, F(item)) for ratio in k for item in alpha):
        codec = law.link(ratio, float(gain)).codec
        margin = law.exactly("margin", k=ratio, alpha=gain)
        for sign in (1, -1):
            for beyond, fails in ((F(-1, 32), 0), (F(1, 32), 1)):
                # The gradient is 0, where the fine errors are the dithers, up to 1/32 of one half.
                z = sign * float(margin + beyond / gain)
                wrong = int(codec.overloads(np.zeros(N), Draws(shared=u), np.full(N, -z)).sum())
                witness = {"k": ratio, "alpha": gain, "z": z}
                # A tie at minus half a cell stays inside, so the upper end alone fails at 1/32 exactly.
                at_least = fails if sign > 0 else 0
                yield le("fewest dithers that fail", at_least, wrong, witness=witness)
                yield le("most dithers that fail", wrong, fails, witness=witness, headline=True)


# ---------------------------------------------------------------- search, samples, runs


@judge.adversarial(
    label="fine error inside the margin",
    N=2 * POINTS,
    instances={"margin-3": {"k": 3, "alpha": 1.0}, "margin-4": {"k": 4, "alpha": 0.75}},
)
def searched_margin(law: Law, k: int, alpha: float, N: int) -> AdversarialCase:
    """Search gradients and innovations inside the margin for a fine error beyond half a step."""
    return nested_margin.searched(law, law.link(k, alpha), N)


@judge.montecarlo(instance="uniform", label="mean square", k=3, g=3, z=1)
def uniform(law: Law, k: int, g: float, z: float) -> MonteCarloCase:
    """Gradients uniform on [-3, 3], innovations uniform on [-1, 1]."""
    return nested_margin.sampled(law, law.link(k), g, z)


@judge.drift(instance="recorded", parameters={"M": 3, "k": 3, "P": 4, "d": 32, "rounds": 20})
def recorded_run(law: Law, rng: Any) -> Iterable[Comparison]:
    """Innovations of a run: right inside the margin."""
    return nested_margin.in_runs(law, law.link, rng, Setting())
