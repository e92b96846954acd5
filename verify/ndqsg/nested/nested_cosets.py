"""Checks of `ndqsg/nested-cosets`: alphabets of integer ratios, and decoding with all of them."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors.contract import Message
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures import nested_margin
from verify.ndqsg.fixtures.nested_links import Link, NoSideInformation, grid
from verify.ndqsg.fixtures.runs.nested_runs import Setting
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

DECODING = "ndqsg/nested-decoding"
POINTS = 16


def _less_coarse(i: Any, coarse: Any, link: Link) -> Any:
    return (i - link.ratio * coarse).astype(np.int64)


class DirectCoarseIndex(Link):
    """The sender quantizes with the coarse step what it has quantized with the fine one."""

    def sent(self, g: Any, u: Any) -> Message:
        message = super().sent(g, u)
        t = self.alpha * g + u
        return replace(message, symbols=_less_coarse(np.floor(t + 0.5), np.floor(t / self.ratio + 0.5), self))


class HalfToEven(Link):
    """The sender rounds the quotient of the index and the ratio half to even."""

    def sent(self, g: Any, u: Any) -> Message:
        message = super().sent(g, u)
        i = np.floor(self.alpha * g + u + 0.5)
        return replace(message, symbols=_less_coarse(i, np.rint(i / self.ratio), self))


class ShiftedByPeriod(Link):
    """Gradient and side information are both k steps higher."""

    def errors(self, g: Any, y: Any, u: Any) -> Any:
        return super().errors(np.asarray(g) + self.ratio, np.asarray(y) + self.ratio, u)


class WiderReceiver(Link):
    """The receiver reduces by k + 1."""

    def received(self, message: Message, y: Any, u: Any) -> Any:
        return Link(self.ratio + 1, self.alpha).received(message, y, u)


class WiderDirect(WiderReceiver, DirectCoarseIndex):
    """The same for direct coarse quantization."""


judge = checks_of("ndqsg/nested-cosets", link=Link, direct=DirectCoarseIndex)


judge.sabotage(
    "direct-coarse-index at exact/ratio-2, exact/ratio-4, exact/ratio-6: Quantize with the coarse step "
    "directly: k + 1 symbols for even k, 5 at k = 4.",
    {"link": DirectCoarseIndex},
    "never-direct at exact/direct-alphabets: Use the coset rule where direct quantization is claimed.",
    {"direct": Link},
    "half-to-even at exact/ratio-2, exact/ratio-4, exact/ratio-6: Round i/k half to even: k + 1 symbols for "
    "even k, both k/2 and -k/2.",
    {"link": HalfToEven},
    "symmetric-even-alphabet at exact/ratio-2, exact/ratio-4, exact/ratio-6: Claim a symmetric alphabet for "
    "even k: k/2 is never sent. | largest = -smallest",
    "wider-receiver at exact/direct-alphabets, adversarial/*, montecarlo/*, exact/ratio-*: The receiver "
    "reduces by k + 1.",
    {"link": WiderReceiver, "direct": WiderDirect},
    "no-side-information at run/*: Decode with y = 0.",
    {"link": NoSideInformation},
    "shifted-period, neutral at exact/ratio-*: Shift gradient and side information by k fine steps: the "
    "same symbols.",
    {"link": ShiftedByPeriod},
)


# ---------------------------------------------------------------- alphabets


def alphabet(link: Link) -> list[int]:
    """Return the symbols that are sent over 4 k fine steps and all dithers of a small generator, sorted."""
    u = grid(POINTS)
    g = np.arange(-2 * link.ratio, 2 * link.ratio, 1 / 8)[:, None] + np.zeros(POINTS)
    return sorted({int(symbol) for symbol in link.sent(g, np.broadcast_to(u, g.shape)).symbols.ravel()})


def largest_error(law: Law, link: Link) -> tuple[F, F]:
    """Return the largest error over dithers, phases and innovations inside the margin, and the stated one."""
    stated = law.of(DECODING)
    last = int(32 * stated.exactly("margin", k=link.ratio, alpha=1)) - 1
    z = np.arange(-last, last + 1)[:, None, None] / 32
    g = np.arange(-2 * link.ratio, 2 * link.ratio, 1 / 4)[None, :, None]
    found = F(float(np.abs(link.errors(g + 0 * z, g - z, grid(POINTS))).max()))
    return found, stated.exactly("error", alpha=1, delta=1, z=0, e=F(1, 2))


@judge.exact(instances={f"ratio-{k}": {"k": k} for k in (2, 3, 4, 5, 6)}, N=POINTS)
def symbols(law: Law, k: int, N: int) -> Iterable[Comparison]:
    """The alphabet, the symbol of each index, and decoding inside the margin."""
    link = law.link(k)
    found = alphabet(link)
    yield eq("number of symbols", len(found), law.exactly("exact", k=k), headline=True)
    yield eq("smallest symbol", min(found), law.exactly("smallest", k=k))
    yield eq("largest symbol", max(found), law.exactly("largest", k=k))
    for i in range(-2 * k, 2 * k + 1):
        sent = int(link.sent(np.array([float(i)]), np.zeros(1)).symbols[0])
        yield eq("symbol", sent, law.exactly("symbol", i=i, k=k), witness={"i": i})
    yield le("largest error of the coset rule", *largest_error(law, link))


@judge.exact(k=(2, 3, 4, 5, 6))
def direct_alphabets(law: Law, k: Any) -> Iterable[Comparison]:
    """Alphabets of direct coarse quantization; decoding stays right."""
    for ratio in k:
        link = law.direct(ratio)
        kind, name = ("odd", "exact") if ratio % 2 else ("even", "direct_even")
        label = f"symbols of an {kind} ratio, directly"
        yield eq(label, len(alphabet(link)), law.exactly(name, k=ratio), witness={"k": ratio}, headline=True)
        yield le("largest error of the direct rule", *largest_error(law, link), witness={"k": ratio})


# ---------------------------------------------------------------- search, samples, runs


@judge.adversarial(
    label="fine error inside the margin", N=2 * POINTS, instances={"margin-2": {"k": 2}, "margin-6": {"k": 6}}
)
def searched_margin(law: Law, k: int, N: int) -> AdversarialCase:
    """Search gradients and innovations inside the margin for a fine error beyond half a step."""
    return nested_margin.searched(law.of(DECODING), law.link(k), N)


@judge.montecarlo(label="mean square", k=4, g=9, z=1.5)
def even_ratio(law: Law, k: int, g: float, z: float) -> MonteCarloCase:
    """Sampled errors with an even ratio: those of the fine step."""
    return nested_margin.sampled(law.of(DECODING), law.link(k), g, z)


@judge.drift(instance="recorded-even-ratio", parameters={"M": 3, "k": 4, "P": 4, "d": 32, "rounds": 20})
def recorded_run(law: Law, rng: Any) -> Iterable[Comparison]:
    """A run with an even ratio: innovations inside the margin are decoded right."""
    return nested_margin.in_runs(law.of(DECODING), law.link, rng, Setting(ratio=4, noise=0.2))
