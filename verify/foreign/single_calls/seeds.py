"""A call must be a function of its input and of the random numbers it is given."""

from typing import Any

from verify.context import Context
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.guard import CompressorFault


def first_call(foreign: ForeignCompressor, seed: int) -> Any:
    """Return what one call gives at one input and one seed; it is the same at any time."""
    x = next(item for name, item in foreign.named_inputs() if name in ("generic", "generic nodes"))
    return foreign.samples(x, Context("check", "montecarlo", "seeds", seed=seed).stream(0), 1)


def require_seeded(foreign: ForeignCompressor, seed: int, before: Any = None) -> None:
    """Refuse a compressor whose calls with equal inputs and equal seeds differ.

    Args:
        foreign: The compressor.
        seed: Master seed of the check.
        before: What `first_call` gave before all other calls, None for a call now.

    Raises:
        CompressorFault: Two such calls differ: it draws from elsewhere, or keeps a state between calls.
    """
    import numpy as np

    first = first_call(foreign, seed) if before is None else before
    if not np.array_equal(first, first_call(foreign, seed)):
        raise CompressorFault(
            "ignores its seed",
            "two calls with equal inputs and equal seeds differ, so nothing that is found could be repeated; "
            "draw from the generator that is passed only, and keep no state between calls (a compressor with "
            "memory is judged as a sequence: compress(tensor, name), decompress, memory)",
        )
