"""Whether messages are as long as they say, and what a key tells is enough for the receiver."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from impl.compressors import wire
from impl.compressors.contract import Key
from impl.errors import MessageError
from verify.authoring import Comparisons, eq

Counted = Callable[[Any], Any]
LONGER: tuple[Any, ...] = (
    "a-bit-more at exact/packed: Count a bit more than is sent, and read a bit more of what was.",
    {"counted": lambda number: number + 1},
)
"""A mutant of a check `packed` whose law has `counted`."""


def counted(number: Any) -> Any:
    """Return a number of bits or entries as it is."""
    return number


def packed(judged: Counted, cases: Mapping[str, tuple[Any, ...]], key: Key) -> Comparisons:
    """Compare the bits that messages announce with those of their payload, and decode them by their key.

    Args:
        judged: What is made of each number, `counted` or a mutant.
        cases: Name to compressor, input (..., d) and, for nested codecs, side information.
        key: The round.
    """
    drawn = {name: codec.draw_keyed(key, x.shape, x.dtype) for name, (codec, x, *_) in cases.items()}
    for name, (compressor, x, *side) in cases.items():
        at = {"case": name}
        draws = drawn[name]
        announced = int(np.sum(compressor.message(x, draws).bits))
        data = compressor.encode(x, draws, key)
        yield eq("bits of the payload", judged(announced), wire.payload_bits(data, wire.ALONE), witness=at)
        lost = compressor.decode(data, None, key, *side) != compressor.compress(x, draws, *side)
        yield eq("entries lost with a key", judged(int(lost.sum())), 0, witness=at)
        plain = compressor.encode(x, draws)  # it names no key: compressor and shared draws alone tell
        shared = None if draws.shared is None else np.flip(draws.shared, -1)  # another draw, of this shape
        changed = shared is not None and not np.array_equal(shared, draws.shared)
        others = [cases[case][0] for case, own in drawn.items() if _kind(own.shared) == _kind(shared)]
        wrong = [(other, draws.shared) for other in others if repr(other) != repr(compressor)]
        wrong += [(compressor, shared)] * changed
        taken = sum(not _refused(other, plain, given, *side) for other, given in wrong)
        yield eq("messages that others take", judged(taken), 0, witness=at)


def _kind(shared: Any) -> Any:
    return None if shared is None else (shared.shape, shared.dtype)


def _refused(compressor: Any, data: bytes, shared: Any, *side: Any) -> bool:
    """Return whether a receiver says that a message is not for it."""
    try:
        compressor.decode(data, shared, None, *side)
    except MessageError:
        return True
    return False
