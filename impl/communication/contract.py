"""What every communication model offers: the cost of a message, alone or for many lengths at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems

Array = npt.NDArray[Any]


class CostModel(ABC):
    """Cost of a message by its payload; never decreasing in the payload.

    Attributes:
        unit: What a cost is measured in.
        is_affine: Whether the cost is affine in the payload (an early stop is then sound).
        frame: Payload bits of a full packet where the cost is constant inside of packets, else None.
    """

    unit = "bits"
    is_affine = False
    frame: int | None = None

    @abstractmethod
    def __call__(self, bits: Any) -> Any:
        """Return the cost of messages: a number for a number, exact for exact parameters; else an array.

        Raises:
            ArgumentError: A payload that is negative, or no number.
        """

    @property
    @abstractmethod
    def empty(self) -> Any:
        """Return the cost of a message without an entry."""

    @abstractmethod
    def _parameters(self) -> tuple[Hashable, ...]:
        """Return what the cost depends on."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash((type(self), self._parameters()))

    def _payload(self, bits: Any) -> Any:
        """Return a payload as a number or an array of numbers, none of them negative."""
        exact = isinstance(bits, int | Fraction) and not isinstance(bits, bool)
        try:
            found = bits if exact else np.asarray(bits)
            fits = found >= 0 if exact else found.dtype.kind in "iuf" and bool((found >= 0).all())
        except (TypeError, ValueError):
            fits = False
        if not fits:
            raise ArgumentError(f"{type(self).__name__}: bits={bits!r} must be numbers of at least 0")
        return found if exact or found.ndim else found[()]


def packets(bits: Any, frame: int) -> Any:
    """Return how many packets a payload fills, the last one perhaps in part."""
    if isinstance(bits, int | Fraction | np.integer):
        return -(-bits // frame)
    values = np.asarray(bits)
    return -(-values // frame) if values.dtype.kind in "iu" else np.ceil(values / frame)


def require_price(problems: Problems, name: str, value: Any, *, positive: bool = False) -> None:
    """Remember a price that is no finite number, or has the wrong sign."""
    real = isinstance(value, int | float | Fraction | np.floating | np.integer) and not isinstance(
        value, bool
    )
    fits = real and value >= 0 and value < float("inf") and (value > 0 or not positive)
    bound = "positive" if positive else "at least 0"
    problems.require(fits, f"{name}={value!r} must be a finite number, {bound}")


def require_frame(problems: Problems, value: Any) -> None:
    """Remember a packet size that is no positive whole number."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool) and value > 0
    problems.require(whole, f"payload_bits={value!r} must be a positive whole number of bits in a packet")
