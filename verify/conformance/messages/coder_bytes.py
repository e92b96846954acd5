"""Whether coders of digits give one code on every tier, read it back, and refuse all others."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from impl import tiers
from impl.coding.adaptive_coder import AdaptiveCoder
from impl.coding.range_coder import RangeCoder
from verify.authoring import Comparisons, eq

Coded = Callable[[Any], Any]
Literal = Callable[[Sequence[int], int, Sequence[float]], bytes]


def _messages(seed: int, alphabets: Sequence[int], count: int) -> Iterator[tuple[int, list[int]]]:
    """Yield alphabets and digits: none, one, equal ones, all of them, and many with unequal chances."""
    rng = np.random.Generator(np.random.Philox(seed))
    for alphabet in alphabets:
        yield alphabet, []
        yield alphabet, [alphabet - 1]
        yield alphabet, [0] * count
        yield alphabet, [*range(min(alphabet, count)), alphabet - 1]
        yield alphabet, (alphabet * rng.random(count + 100) ** 3).astype(int).tolist()


def coder_bytes(
    judged: Coded,
    literal: Literal,
    library: bool,
    seed: int,
    alphabets: Sequence[int] = (2, 3, 7, 256, 5000),
    count: int = 300,
) -> Comparisons:
    """Compare codes with those of numpy, those of the range coder with the literal ones, and read them back.

    Args:
        judged: `verify.conformance.messages.code_words.coded` or a mutant.
        literal: The code of the range coder of (digits, alphabet, chances), adaptive without chances.
        library: Whether its library is installed; else the literal code is held against itself.
        seed: Of digits with unequal chances.
        alphabets: Sizes of alphabets.
        count: Of equal digits, about.
    """
    for alphabet, digits in _messages(seed, alphabets, count):
        at = {"A": alphabet, "n": len(digits)}
        own = AdaptiveCoder(alphabet)
        with tiers.tier("numpy"):
            expected, bits = own.encode(digits), own.bits(digits)
        wrong = int(own.encode(digits) != expected) + int(own.bits(digits) != bits)
        yield eq("streams that differ", judged(wrong), 0, witness=at)
        yield eq("bits of the stream in bytes", judged(len(expected)), -(-bits // 8), witness=at)
        yield from _read_back(judged, own, expected, digits, at)
        tally = np.bincount(digits, minlength=alphabet) + 1.0
        for chances in ((), (tally / tally.sum()).tolist()):
            stated = literal(digits, alphabet, chances)
            coder: Any = RangeCoder(alphabet, chances or None) if library else None
            found = coder.encode(digits) if coder else stated
            wrong = int(found != stated) + int(coder is not None and coder.bits(digits) != 8 * len(stated))
            yield eq("streams that differ", judged(wrong), 0, witness={**at, "fixed": bool(chances)})
            if coder:
                yield from _read_back(judged, coder, stated, digits, at)
            else:
                yield from _read_back(judged, own, expected, digits, at)  # as many comparisons


def _read_back(judged: Coded, coder: Any, data: bytes, digits: Sequence[int], at: Any) -> Comparisons:
    """Compare what is read with what was written; refuse codes that are shorter, longer or damaged."""
    lost = int((coder.decode(data, len(digits)) != np.array(digits, dtype=np.int64)).sum())
    yield eq("numbers that are read differently", judged(lost), 0, witness=at)
    damaged = bytes([data[0] ^ 1]) + data[1:] if data else b"\1"
    for what, other in (("shorter", data[:-1]), ("longer", data + b"\0\0\0\0"), ("damaged", damaged)):
        try:
            found = coder.decode(other, len(digits)).tolist()
        except ValueError:
            found = None
        # Damage may give the code of other digits, never a second one of these.
        yield eq(
            "streams that end early and are taken",
            judged(int(found == digits and other != data)),
            0,
            witness={**at, "code": what},
        )
