"""Checks of `ndqsg/finding-nesting-is-alphabet`: ratios that are no integers, in rationals."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial

import theory
from verify.binding import Check
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/finding-nesting-is-alphabet"
POINTS = 6
RATIOS = (F(3), F(4), F(5, 2), F(7, 3), F(7, 2))


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(ratio) for ratio in RATIOS),
    )


@dataclass(frozen=True)
class Case:
    """What is held against the stated alphabet and margin.

    Args:
        ratio: Of the steps.
        receiver: Ratio at the receiver.
        symbols: Claimed number of symbols, None for the stated one.
        fails: Claim that decoding fails.
        shifted: Periods by which gradient and side information are shifted.
    """

    ratio: F
    receiver: F
    symbols: int | None = None
    fails: bool = False
    shifted: int = 0


def _exact(ratio: F) -> Check:
    base = Case(ratio, ratio)
    mutants = {"shifted-period": ExactCase(partial(compare, Case(ratio, ratio, shifted=1)))}
    if ratio.denominator > 1:
        mutants |= {
            "alphabet-rounded-up": ExactCase(partial(compare, Case(ratio, ratio, math.ceil(ratio)))),
            "wrong-ratio-at-receiver": ExactCase(partial(compare, Case(ratio, F(math.floor(ratio))))),
            "nested-ratio-only": ExactCase(partial(compare, Case(ratio, ratio, fails=True))),
        }
    name = f"ratio-{ratio.numerator}-{ratio.denominator}"
    parameters = {"ratio": ratio, "N": POINTS}
    return Check("exact", name, ExactCase(partial(compare, base)), parameters, mutants, seconds=0.1)


def nearest(v: F) -> int:
    """Round half up."""
    return math.floor(v + F(1, 2))


def reduced(v: F, ratio: F) -> F:
    """Return v mod* ratio."""
    return v - ratio * nearest(v / ratio)


def error(g: F, z: F, u: F, sender: F, receiver: F) -> F:
    """Return the error in fine steps of one message, in rationals, at gain 1."""
    symbol = reduced(F(nearest(g + u)), sender)
    y = g - z
    return y + reduced(symbol - u - y, receiver) - g


def compare(case: Case) -> Iterable[Comparison]:
    """Compare alphabet and errors inside the margin with what is stated."""
    claim, ratio = theory.claim(ID), case.ratio
    a, b = ratio.numerator, ratio.denominator
    indices = range(-2 * a, 2 * a)
    symbols = {reduced(F(i), ratio) for i in indices}
    stated = evaluate_exact(claim.expressions["exact"], {"a": a}) if case.symbols is None else case.symbols
    yield Comparison("number of symbols", "eq", len(symbols), stated, headline=True)
    for i in range(a):
        symbol = evaluate_exact(claim.formulas["symbol"], {"i": i, "a": a, "b": b})
        yield Comparison(f"symbol of the index {i}", "eq", reduced(F(i), ratio), symbol)
    margin = rational(evaluate_exact(claim.formulas["margin"], {"a": a, "b": b}))
    last = math.ceil(16 * margin) - 1
    dithers = [F(2 * place + 1 - POINTS, 2 * POINTS) for place in range(POINTS)]
    for g in (F(0), F(11, 7), F(-13, 3)):
        g += case.shifted * a
        errors = [
            abs(error(g, F(n, 16), u, ratio, case.receiver)) for n in range(-last, last + 1) for u in dithers
        ]
        if case.fails:
            yield Comparison("some error beyond half a step", "le", F(1, 2), max(errors), witness={"g": g})
        yield Comparison("largest error", "le", max(errors), F(1, 2), witness={"g": g})
    beyond = [
        abs(error(g, margin + F(1, 3), u, ratio, case.receiver)) for g in (F(0), F(1, 5)) for u in dithers
    ]
    yield Comparison("an error outside the margin", "le", F(1, 2), max(beyond))
