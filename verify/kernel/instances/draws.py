"""Random rationals for instances: simple ones, none but 0 and 1, or ones of all orders."""

import random

from flint import fmpq

# What is drawn, made once: rows of numerators, each with all denominators.
_INTEGERS = tuple(map(fmpq, range(-3, 4)))
_SIMPLE = tuple(tuple(fmpq(p, q) for q in range(1, 7)) for p in range(-12, 13))
_WIDER = tuple(tuple(fmpq(p, q) for q in (1, 7, 50)) for p in range(-99, 100))


class PlainSource(random.Random):
    """Random numbers for which every small rational is 0 or 1, at which most hypotheses can be met."""


class WideSource(random.Random):
    """Random numbers of all orders, at which a formula may fail that holds for small ones."""


def small(source: random.Random) -> fmpq:
    """Return a random small rational, simple ones more often."""
    if isinstance(source, PlainSource):
        return fmpq(source.choice((0, 0, 1)))
    if isinstance(source, WideSource):
        return source.choice(_INTEGERS) * fmpq(10) ** source.choice((-60, -12, -3, 3, 12, 60))
    kind = source.random()
    if kind < 0.35:
        return source.choice(_INTEGERS)
    return source.choice(source.choice(_SIMPLE if kind < 0.85 else _WIDER))
