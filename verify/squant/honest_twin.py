"""The quantizer of the paper with the parameters of somebody else's."""

from typing import Any

from impl.compressors import StochasticQuantizer
from verify.errors import UsageError


def honest_twin(compressor: Any) -> StochasticQuantizer:
    """Return the stochastic quantizer with the steps and blocks of a compressor.

    Raises:
        UsageError: It has no steps.
    """
    steps = getattr(compressor, "steps", None)
    if steps is None:
        raise UsageError(
            f"compressor={compressor!r} has no attribute steps; a claim on quantizers needs them, "
            "and blocks if there are several"
        )
    return StochasticQuantizer(steps, blocks=getattr(compressor, "blocks", None))
