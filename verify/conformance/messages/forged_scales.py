"""Whether payloads with norms or entries that no sender writes are refused, and the least ones are read."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.contract import Compressor
from impl.compressors.joint.joint_contract import JointCompressor
from impl.errors import ArgumentError, MessageError
from verify.authoring import Comparisons, eq
from verify.conformance.messages.packed_messages import Counted

_LEAST = {32: 2.0**-149, 64: 2.0**-1074}


def forged_scales(judged: Counted, compressors: Mapping[str, Compressor], d: int, seed: int) -> Comparisons:
    """Compare which scales, and which entries, of a payload are refused with those that no vector has.

    Args:
        judged: `counted` or a mutant.
        compressors: Some of one client, by name.
        d: Coordinates.
        seed: Of the draws.
    """
    x = np.sin(np.arange(1.0, d + 1))
    for name, compressor in compressors.items():
        draws = compressor.draw(np.random.Generator(np.random.Philox(seed)), x.shape)
        message, found = compressor.message(x, draws), dict[str, bool]()
        if message.scales is not None:
            least = _LEAST[getattr(compressor, "norm_bits", 0) or getattr(compressor, "value_bits", 64)]
            signs = np.where(message.scales < 0, -1.0, 1.0)
            # Entries in the place of symbols may be multiples of the scale, which other ones are not.
            kept = message.symbols if message.symbols.dtype.kind == "i" else 0 * message.symbols
            bare = replace(message, symbols=kept)
            for place in range(len(signs)):
                for number in (least, 0.0, -least, -1.0, np.nan, np.inf, -np.inf):
                    scales = np.zeros_like(message.scales)
                    scales[place] = signs[place] * number
                    taken = _taken(compressor, replace(bare, scales=scales), draws)
                    found[f"{number} at {place}"] = taken == (0 <= number < np.inf)
        if message.symbols.dtype.kind == "f" and message.scales is None:
            for number in (np.nan, np.inf, -np.inf):
                symbols = np.where(message.symbols == message.symbols.max(), number, message.symbols)
                found[f"an entry {number}"] = not _taken(compressor, replace(message, symbols=symbols), draws)
        yield eq("forged scales", judged(sum(not kept for kept in found.values())), 0, witness={"case": name})


def _taken(compressor: Any, message: Any, draws: Any) -> bool:
    """Return whether a payload is read, and what it holds received."""
    writer = compressor.payload(message)
    try:
        read = compressor.message_of(BitReader(writer.to_bytes(), writer.bits), message.shape)
        compressor.reconstruct(read, draws.shared)
    except (MessageError, ArgumentError):
        return False
    return True


def forged_norms(judged: Counted, compressors: Mapping[str, JointCompressor], n: int, d: int) -> Comparisons:
    """Compare which norms of clients, the first word of a payload, are refused with those that no vector has.

    Args:
        judged: As for `forged_scales`.
        compressors: Joint ones with norms of 64 bits, by name.
        n: Clients.
        d: Coordinates.
    """
    x = np.sin(np.arange(1.0, n * d + 1)).reshape(n, d)
    for name, compressor in compressors.items():
        draws = compressor.draw(np.random.Generator(np.random.Philox(1)), x.shape)
        own = compressor.message(x[1], 1, compressor.of_client(draws, 1), n=n)
        honest, wrong = compressor.payload(own, draws.shared), 0
        rest = honest.to_bytes()[8:]
        for number in (_LEAST[64], 0.0, -_LEAST[64], -1.0, np.nan, np.inf, -np.inf):
            writer = BitWriter()
            writer.append(np.array([number]).view(np.uint64), 64)
            data = writer.to_bytes() + rest
            try:
                compressor.message_of(BitReader(data, honest.bits), 1, n, d, draws.shared)
                taken = True
            except MessageError:
                taken = False
            wrong += taken != (0 <= number < np.inf)
        yield eq("forged scales", judged(wrong), 0, witness={"case": name})
