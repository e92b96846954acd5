"""Which compressors have a memory, and what may be claimed of them."""

from dataclasses import fields
from typing import Any

from verify.errors import UsageError
from verify.foreign.allocation import Limits
from verify.foreign.calls import is_pair
from verify.foreign.claims import Claims
from verify.foreign.frameworks import Framework
from verify.foreign.state.sequences import Stateful, check_sequences
from verify.reporting.compressor_report import NamedEvidence


def is_stateful(compressor: Any) -> bool:
    """Return whether it has `compress(tensor, name)`, `decompress(tensors, ctx)` and `memory`."""
    return is_pair(compressor) and hasattr(compressor, "memory") and not isinstance(compressor, type)


class WithoutPast:
    """A compressor with memory that begins afresh at each call: its first step is the compressor itself.

    Args:
        stateful: The compressor.
    """

    def __init__(self, stateful: Stateful) -> None:
        self._stateful = stateful
        self._last: Any = None

    def compress(self, tensor: Any, name: str) -> Any:
        self._last = self._stateful.fresh()
        return self._last.compress(tensor, name)

    def decompress(self, tensors: Any, ctx: Any) -> Any:
        return self._last.decompress(tensors, ctx)


def check_stateful(
    compressor: Any,
    d: int,
    n: int | None,
    claims: Claims,
    framework: Framework,
    seed: int,
    limits: Limits,
) -> list[NamedEvidence]:
    """Judge a compressor with memory as sequences.

    Raises:
        UsageError: Something else than a contraction is claimed, or a call is a fault.
    """
    others = [
        f"{item.name}="
        for item in fields(claims)
        if item.name != "contraction" and getattr(claims, item.name) not in (None, False, ())
    ]
    if n is not None:
        others.append("n=")
    if others:
        raise UsageError(
            f"check_compressor: {', '.join(others)} cannot be claimed of a compressor with memory, which is "
            "judged as a sequence; give contraction= at most, and check the compressor without its memory "
            "by itself"
        )
    stateful = Stateful(compressor, framework, limits.seconds)
    return check_sequences(stateful, d, claims.contraction, seed, limits)
