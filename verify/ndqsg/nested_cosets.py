"""Checks of `ndqsg/nested-cosets`: alphabets of integer ratios, and decoding with all of them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors.contract import Message
from impl.compressors.dither_stream import draw_dither
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.nested_decoding import compare_run, searched_margin
from verify.ndqsg.nested_links import Link, grid
from verify.ndqsg.nested_runs import Setting
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/nested-cosets"
POINTS = 16
COPIES = 64


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


def _less_coarse(i: Any, coarse: Any, link: Link) -> Any:
    return (i - link.ratio * coarse).astype(np.int64)


SENDERS: Mapping[str, type[Link]] = {"direct-coarse-index": DirectCoarseIndex, "half-to-even": HalfToEven}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(ratio) for ratio in (2, 3, 4, 5, 6)),
        Check("exact", "direct-alphabets", ExactCase(compare_direct), {"k": [2, 3, 4, 5, 6]}, seconds=0.1),
        *(searched_margin(f"margin-{ratio}", Link(ratio), {}) for ratio in (2, 6)),
        _sampled(),
        _recorded(),
    )


def _exact(ratio: int) -> Check:
    mutants = {"shifted-period": ExactCase(partial(compare, ShiftedByPeriod(ratio)))}
    if ratio % 2 == 0:  # an odd ratio has no ties and no coarse boundary inside a fine cell
        mutants |= {key: ExactCase(partial(compare, kind(ratio))) for key, kind in SENDERS.items()}
        mutants["symmetric-even-alphabet"] = ExactCase(partial(compare, Link(ratio), ratio // 2))
    parameters = {"k": ratio, "N": POINTS}
    return Check("exact", f"ratio-{ratio}", ExactCase(partial(compare, Link(ratio))), parameters, mutants)


def compare(link: Link, largest: int | None = None) -> Iterable[Comparison]:
    """Compare the alphabet with the stated one, and the errors inside the margin with half a step."""
    claim, ratio = theory.claim(ID), link.ratio
    symbols = alphabet(link)
    stated = {name: evaluate_exact(claim.formulas[name], {"k": ratio}) for name in ("smallest", "largest")}
    count = evaluate_exact(claim.expressions["exact"], {"k": ratio})
    yield Comparison("number of symbols", "eq", len(symbols), count, headline=True)
    yield Comparison("smallest symbol", "eq", min(symbols), stated["smallest"])
    yield Comparison("largest symbol", "eq", max(symbols), stated["largest"] if largest is None else largest)
    for i in range(-2 * ratio, 2 * ratio + 1):
        symbol = evaluate_exact(claim.formulas["symbol"], {"i": i, "k": ratio})
        sent = int(link.sent(np.array([float(i)]), np.zeros(1)).symbols[0])
        yield Comparison(f"symbol of the index {i}", "eq", sent, symbol)
    yield Comparison("largest error", "le", largest_error(link), F(1, 2))


def alphabet(link: Link) -> list[int]:
    """Return the symbols that are sent over 4 k fine steps and all dithers of a small generator, sorted."""
    u = grid(POINTS)
    g = np.arange(-2 * link.ratio, 2 * link.ratio, 1 / 8)[:, None] + np.zeros(POINTS)
    sent = link.sent(g, np.broadcast_to(u, g.shape)).symbols
    return sorted({int(symbol) for symbol in sent.ravel()})


def largest_error(link: Link) -> F:
    """Return the largest error over dithers, phases and innovations inside the margin, exactly."""
    last = 16 * (link.ratio - 1) - 1
    z = np.arange(-last, last + 1)[:, None, None] / 32
    g = np.arange(-2 * link.ratio, 2 * link.ratio, 1 / 4)[None, :, None]
    return F(float(np.abs(link.errors(g + 0 * z, g - z, grid(POINTS))).max()))


def compare_direct() -> Iterable[Comparison]:
    """Compare the alphabets of direct coarse quantization with the stated ones; decoding stays right."""
    claim = theory.claim(ID)
    for ratio in (2, 3, 4, 5, 6):
        link = DirectCoarseIndex(ratio)
        name = "exact" if ratio % 2 else "direct_even"
        stated = evaluate_exact(claim.expressions[name], {"k": ratio})
        yield Comparison(f"symbols at k={ratio}", "eq", len(alphabet(link)), stated, headline=True)
        yield Comparison(f"largest error at k={ratio}", "le", largest_error(link), F(1, 2))
        for cell in range(4):
            boundary = rational(evaluate_exact(claim.formulas["boundary"], {"j": cell, "k": ratio}))
            yield Comparison(
                f"first point of cell {cell}", "eq", math.floor(boundary / ratio + F(1, 2)), cell
            )
            below = math.floor((boundary - F(1, 1000)) / ratio + F(1, 2))
            yield Comparison(f"cell below it, {cell}", "eq", below, cell - 1)


def _recorded() -> Check:
    """A run with an even ratio: innovations inside the margin are decoded right."""
    setting = Setting(ratio=4, noise=0.2)
    base = DriftCase(lambda rng: list(compare_run(rng, setting=setting)))
    parameters = {"M": 3, "k": 4, "P": 4, "d": 32, "rounds": 20}
    return Check("run", "recorded-even-ratio", base, parameters, seconds=0.2)


def _sampled() -> Check:
    """Sampled errors with an even ratio: those of the fine step."""

    def case() -> MonteCarloCase:
        link = Link(4)

        def sample(rng: np.random.Generator, size: int) -> Any:
            g = rng.uniform(-9, 9, (size, COPIES))
            z = rng.uniform(-1.5, 1.5, (size, COPIES))
            return (link.errors(g, g - z, draw_dither(rng, g.shape)) ** 2).mean(axis=-1)

        values = {"z": 0, "alpha": 1, "delta": 1}
        stated = evaluate(theory.claim("ndqsg/nested-decoding").expressions["exact"], values)
        return MonteCarloCase("eq", sample, stated, upper=0.25 + ROUND_OFF.relative)

    parameters = {"k": 4, "z": "uniform on [-3/2, 3/2]"}
    return Check("montecarlo", "even-ratio", Lazy(case, tests=1), parameters, seconds=0.2)
