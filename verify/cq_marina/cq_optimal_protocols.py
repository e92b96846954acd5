"""One-bit protocols with shared and private randomness: the joint law of the bits, in rationals."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from impl.compressors.stratified_thresholds import bit_outcomes, independent_outcomes, literal_bits

Law = Iterator[tuple[Any, list[int]]]


def correlated(y: Sequence[Fraction]) -> Law:
    """Yield (probability, bits (n,)) of correlated quantization."""
    for chance, strata, jitter in bit_outcomes(y):
        yield chance, literal_bits(y, strata, jitter)


def independent(y: Sequence[Fraction]) -> Law:
    """Yield (probability, bits (n,)) with independent thresholds."""
    for chance, uniforms in independent_outcomes(y):
        yield chance, [int(u < item) for u, item in zip(uniforms, y, strict=True)]


def common(y: Sequence[Fraction]) -> Law:
    """Yield (probability, bits (n,)) with one threshold for all clients."""
    yield from _from_one_uniform(y, [Fraction(0)] * len(y))


def systematic(y: Sequence[Fraction]) -> Law:
    """Yield (probability, bits (n,)) with the thresholds u + i/n modulo 1 from one uniform number u."""
    yield from _from_one_uniform(y, [Fraction(i, len(y)) for i in range(len(y))])


def in_pairs(y: Sequence[Fraction]) -> Law:
    """Yield (probability, bits (n,)) with the thresholds u and 1 - u for clients 2k and 2k + 1."""
    if not y:
        yield Fraction(1), []
        return
    pair, rest = y[:2], y[2:]
    ends = sorted({Fraction(0), Fraction(1), pair[0], *(1 - item for item in pair[1:])})
    for low, high in pairwise(ends):
        u = (low + high) / 2
        bits = [int(threshold < item) for threshold, item in zip((u, 1 - u), pair, strict=False)]
        for chance, others in in_pairs(rest):
            yield (high - low) * chance, bits + others


def nearest(y: Sequence[Fraction]) -> Law:
    """Yield the bits nearest to the inputs: no variance, but biased."""
    yield Fraction(1), [int(2 * item >= 1) for item in y]


PROTOCOLS = {
    "correlated": correlated,
    "independent": independent,
    "common": common,
    "systematic": systematic,
    "in-pairs": in_pairs,
}


def moments(law: Law, clients: int) -> tuple[list[Fraction], Fraction]:
    """Return the chances of the bits, (n,), and the variance of their mean."""
    chances, mean, second = [Fraction(0)] * clients, Fraction(0), Fraction(0)
    for chance, bits in law:
        chances = [old + chance * bit for old, bit in zip(chances, bits, strict=True)]
        total = Fraction(sum(bits), clients)
        mean += chance * total
        second += chance * total**2
    return chances, second - mean**2


def _from_one_uniform(y: Sequence[Fraction], offsets: Sequence[Fraction]) -> Law:
    kinks = {(item - offset) % 1 for item, offset in zip(y, offsets, strict=True)}
    ends = sorted({Fraction(0), Fraction(1), *kinks, *((-offset) % 1 for offset in offsets)})
    for low, high in pairwise(ends):
        u = (low + high) / 2
        yield (
            high - low,
            [int((u + offset) % 1 < item) for item, offset in zip(y, offsets, strict=True)],
        )
