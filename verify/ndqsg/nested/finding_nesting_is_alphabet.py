"""Checks of `ndqsg/finding-nesting-is-alphabet`: ratios that are no integers, in rationals."""

import math
from collections.abc import Iterable
from fractions import Fraction as F

from sympy import floor

from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison

POINTS = 6
RATIOS = (F(3), F(4), F(5, 2), F(7, 3), F(7, 2))
_NO_INTEGERS = tuple(f"exact/ratio-{r.numerator}-{r.denominator}" for r in RATIOS if r.denominator > 1)

# The ratio of the receiver from that of the sender; periods by which gradient and side are shifted.
judge = checks_of("ndqsg/finding-nesting-is-alphabet", receiver=lambda ratio: ratio, shifted=0)


judge.sabotage(
    "alphabet-rounded-up: Claim at most half of a symbols, 3 at 5/2: there are 5.",
    {"exact": lambda a: floor((a + 1) / 2)},
    "wrong-ratio-at-receiver: The receiver reduces by the integer part of the ratio: decoding fails.",
    {"receiver": lambda ratio: F(math.floor(ratio))},
    at=_NO_INTEGERS,
)
judge.sabotage(
    "wider-margin at exact/*: Claim half a step more of margin. | margin = margin + 1/2",
    "narrower-margin at exact/*: Claim half a step less of margin, as if decoding failed beyond it. "
    "| margin = margin - 1/2",
    "shifted-period, neutral at exact/*: Shift gradient and side information by a fine steps: nothing may "
    "change. | shifted = 1",
)


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


@judge.exact(N=POINTS, instances={f"ratio-{r.numerator}-{r.denominator}": {"ratio": r} for r in RATIOS})
def decoded(law: Law, ratio: F, N: int) -> Iterable[Comparison]:
    """Alphabet, errors inside the margin, and errors beyond it."""
    a, b, receiver = ratio.numerator, ratio.denominator, law.receiver(ratio)
    symbols = {reduced(F(i), ratio) for i in range(-2 * a, 2 * a)}
    yield eq("number of symbols", len(symbols), law.exactly("exact", a=a), headline=True)
    for i in range(a):
        yield eq("symbol", reduced(F(i), ratio), law.exactly("symbol", i=i, a=a, b=b), witness={"i": i})
    margin = law.exactly("margin", a=a, b=b)
    last = math.ceil(16 * margin) - 1
    dithers = [F(2 * place + 1 - N, 2 * N) for place in range(N)]
    for g in (F(0), F(11, 7), F(-13, 3)):
        g += law.shifted * a
        innovations = [F(n, 16) for n in range(-last, last + 1)]
        errors = [abs(error(g, z, u, ratio, receiver)) for z in innovations for u in dithers]
        yield le("largest error", max(errors), F(1, 2), witness={"g": g})
    beyond = [abs(error(g, margin + F(1, 3), u, ratio, receiver)) for g in (F(0), F(1, 5)) for u in dithers]
    yield le("error outside the margin", F(1, 2), max(beyond))
