"""A call must be a function of its input and of the random numbers it is given."""

from verify.context import Context
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.guard import CompressorFault
from verify.foreign.inputs import joint_inputs, named_inputs


def require_seeded(foreign: ForeignCompressor, seed: int) -> None:
    """Refuse a compressor whose calls with equal inputs and equal seeds differ.

    Raises:
        CompressorFault: Two such calls differ: it draws from elsewhere, or keeps a state between calls.
    """
    import numpy as np

    inputs = named_inputs(foreign.d) if foreign.n is None else joint_inputs(foreign.d, foreign.n)
    x = next(item for name, item in inputs if name in ("generic", "generic nodes"))
    first, again = (
        foreign.samples(x, Context("check", "montecarlo", "seeds", seed=seed).stream(0), 1) for _ in range(2)
    )
    if not np.array_equal(first, again):
        raise CompressorFault(
            "ignores its seed",
            "two calls with equal inputs and equal seeds differ, so nothing that is found could be repeated; "
            "draw from the generator that is passed only, and keep no state between calls (a compressor with "
            "memory is judged as a sequence: compress(tensor, name), decompress, memory)",
        )
