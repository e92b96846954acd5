"""What a rule returns: the compressor for this gradient and what it is expected to do."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Choice:
    r"""A compressor and its step.

    Attributes:
        size: Entries that are sent (levels for QSGD); 0 for a zero gradient.
        share: Guaranteed part of $\|g\|^2/(2L)$ by which the objective falls: alpha, beta or omega.
        efficiency: share / cost.
        step_factor: Step times L.
        cost: Cost of the message, expected where its length is random, by `bits`.
        compressor: Compressor of the gradient; None where no message is sent.
        dense: Whether the whole gradient is sent, without indices.
        bits: Payload as the specification counts it, expected where it is random: indices and numbers of
            `float_bits`. What `compressor` packs may be longer, with numbers of 64 bits. None: its message
            tells.
        price: Maps the number of entries that are really sent to their cost; None where it is sure.
    """

    size: int
    share: Any
    efficiency: Any
    step_factor: Any
    cost: Any
    compressor: Any
    dense: bool = False
    bits: Any = field(default=None, compare=False)
    price: Callable[[int], Any] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("share", "efficiency", "step_factor", "cost"):
            value = getattr(self, name)
            if isinstance(value, np.generic):  # plain numbers, so that a choice prints well
                object.__setattr__(self, name, value.item())


NOTHING = Choice(0, 0, 0, 0, 0, None, bits=0)
"""For a zero gradient."""
