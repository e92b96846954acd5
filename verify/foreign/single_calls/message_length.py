"""Lengths of messages against what is claimed, measured on the bytes that a compressor packs."""

import math
from typing import Any

from verify.context import Context
from verify.errors import UsageError
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.claims import Claims
from verify.foreign.clock import Clock
from verify.foreign.guard import CompressorFault, guarded
from verify.foreign.second_moment import BoundTest
from verify.outcome import Evidence, json_ready
from verify.reporting.compressor_report import NamedEvidence

LOOK, LONGER, MOST = 16, 3, 4096
"""Messages of a first look at each input, inputs that are looked at longer, messages there."""

PADDING = 7
"""Bits that fill the last byte."""

SHARE = 0.25
"""Part of the time limit that lengths may take; the first input is looked at in any case."""


def check_bits(foreign: ForeignCompressor, claims: Claims, seed: int, seconds: float) -> list[NamedEvidence]:
    """Judge the expected and the largest number of bits.

    Args:
        foreign: The compressor.
        claims: What is claimed of it.
        seed: Master seed of the check.
        seconds: Time limit of the whole check.

    Raises:
        UsageError: The compressor packs nothing.
    """
    if foreign.pack is None:
        raise UsageError(
            "check_compressor: bits= needs what travels: give the compressor pack(x, rng) or encode(x, rng) "
            "that returns bytes"
        )
    expected, worst = claims.expected_and_worst_bits()
    clock = Clock(seconds)
    tests: list[tuple[BoundTest | None, str, Any]] = []
    for name, x in list(foreign.named_inputs()):
        bound = None if expected is None else _expected(expected)
        tests.append((bound, name, x))
    largest, count, looked_at = -math.inf, 0, 0
    for turn in (LOOK, MOST):
        chosen = tests if turn == LOOK else sorted(tests[:looked_at], key=_mean, reverse=True)[:LONGER]
        for test, name, x in chosen:
            if count and clock.over(SHARE):
                break
            looked_at += turn == LOOK
            stream = Context("check", "montecarlo", f"bits-{name}-{turn}", seed=seed).stream(0)
            for place in range(turn // LOOK):
                if place and clock.over(SHARE):
                    break
                lengths = _lengths(foreign, x, stream, LOOK)
                count += LOOK
                largest = max(largest, float(lengths.max()))
                if worst is not None and largest > worst + PADDING:
                    return [_longer(x, largest, worst, name, seed)]
                if test is not None:
                    test.update(lengths)
                    if test.refuted:
                        return [NamedEvidence(f"expected bits at {name}", test.evidence(x, seed))]
                if turn != LOOK and (test is None or (test.settled(0.01) and test.promise() <= 0)):
                    break
    found = []
    ended = f"; the first {looked_at} of {len(tests)} inputs, since its part of the time was up"
    ended = ended if looked_at < len(tests) else ""
    if expected is not None:
        test, name, _ = max(tests[:looked_at], key=_mean)
        reason = f"largest mean length {_mean((test, name, None)):.6g} bits of {expected:g}, at {name!r}"
        reason += (
            f"; messages are whole bytes, up to {PADDING} bits that fill the last one are allowed{ended}"
        )
        found.append(
            NamedEvidence(
                "expected bits",
                Evidence("consistent", "search", samples=count, tests=looked_at, reason=reason),
            )
        )
    if worst is not None:
        reason = f"longest message {_whole(largest)}; {_allowed(worst)}; {count} messages{ended}"
        found.append(
            NamedEvidence("most bits", Evidence("consistent", "search", samples=count, reason=reason))
        )
    return found


def _expected(bits: float) -> BoundTest:
    return BoundTest(f"bits={bits:g}", bits + PADDING, "mean length in bits")


def _mean(item: tuple[BoundTest | None, str, Any]) -> float:
    return item[0].moments.mean if item[0] is not None else 0.0


def _lengths(foreign: ForeignCompressor, x: Any, rng: Any, size: int) -> Any:
    import numpy as np

    assert foreign.pack is not None
    with guarded("packing a message", foreign.longest):
        messages = [foreign.pack(x.astype(foreign.dtype), rng) for _ in range(size)]
    for message in messages:
        if not isinstance(message, bytes | bytearray | memoryview):
            raise CompressorFault(
                "dtype", f"a message is {type(message).__name__}; pack(x, rng) must return bytes"
            )
    return 8.0 * np.array([len(bytes(message)) for message in messages])


def _longer(x: Any, length: float, worst: float, name: str, seed: int) -> NamedEvidence:
    evidence = Evidence(
        "violated",
        "numerical",
        bound=worst,
        value=length,
        witness=json_ready({"x": x, "seed": seed}),
        reason=f"a message has {_whole(length)}; at most {worst:g} bits are claimed, and {_allowed(worst)}",
    )
    return NamedEvidence(f"most bits at {name}", evidence)


def _whole(bits: float) -> str:
    return f"{bits:g} bits = {bits / 8:g} bytes"


def _allowed(bits: float) -> str:
    """Say what is allowed: what travels are whole bytes, so that a claim is rounded up to these."""
    return f"{bits:g} bits fit in {(bits + PADDING) // 8:g} bytes"
