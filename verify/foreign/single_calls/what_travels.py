"""Messages that are equal must decode to equal vectors, else their bytes are fewer than what must travel."""

import hashlib
from typing import Any

from verify.context import Context
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.clock import Clock
from verify.foreign.guard import guarded
from verify.outcome import Evidence, json_ready
from verify.reporting.compressor_report import NamedEvidence

SEEDS = 4
"""Random numbers at which all inputs are packed."""

FACTORS = (1.0, 2.0, -1.0, 1.0001)
"""What each input is multiplied by: a message without norm, signs or digits is the same for some of them."""

ROUNDING = 1e-6
"""Part of the larger vector within which two are the same: entries may travel in single precision."""

REPEATS = 16
"""Times that a message must be the same again: one bit of a generator of its own is so by chance in 2^-16."""

SHARE = 0.25
"""Part of the time limit that it may take; the first input is looked at in any case."""


def check_what_travels(foreign: ForeignCompressor, seed: int, seconds: float) -> NamedEvidence:
    """Judge whether two inputs with one message have one C(x), for equal random numbers.

    The receiver may share all random numbers: then the message is all that it lacks. Digests are kept and not
    vectors, which are found again where two messages agree.

    Args:
        foreign: The compressor.
        seed: Master seed of the check.
        seconds: Time limit of the whole check.
    """
    inputs, clock = list(foreign.named_inputs()), Clock(seconds)
    count, unlike = 0, ""
    for place in range(SEEDS):
        known: dict[bytes, tuple[int, float]] = {}
        for number, (name, base) in enumerate(inputs):
            if count and clock.over(SHARE):
                return _found(
                    count, unlike, f" (of {SEEDS * len(inputs) * len(FACTORS)}: its part of the time was up)"
                )
            for factor in FACTORS:
                x = _times(foreign, base, factor)
                digest = hashlib.blake2b(_message(foreign, x, seed, place)).digest()
                count += 1
                first, times = known.setdefault(digest, (number, factor))
                if (first, times) == (number, factor):
                    continue
                at = _times(foreign, inputs[first][1], times)
                found, other = _decoded(foreign, x, seed, place), _decoded(foreign, at, seed, place)
                if _same(found, other):
                    continue
                if all(_drawn_alike(foreign, item, digest, seed, place) for item in (x, at)):
                    return _not_told(name, x, at, found, other, seed, place)
                unlike = unlike or name
    return _found(count, unlike, "")


def _times(foreign: ForeignCompressor, base: Any, factor: float) -> Any:
    return (factor * base).astype(foreign.dtype)


def _stream(seed: int, place: int) -> Any:
    return Context("check", "montecarlo", f"travels-{place}", seed=seed).stream(0)


def _message(foreign: ForeignCompressor, x: Any, seed: int, place: int) -> bytes:
    assert foreign.pack is not None
    with guarded("packing a message", foreign.longest):
        return bytes(foreign.pack(x, _stream(seed, place)))


def _decoded(foreign: ForeignCompressor, x: Any, seed: int, place: int) -> Any:
    return foreign.alone().samples(x, _stream(seed, place), 1)[0]


def _same(found: Any, other: Any) -> bool:
    import numpy as np

    size = max(float(np.abs(found).max()), float(np.abs(other).max()))
    return bool(np.abs(found - other).max() <= ROUNDING * size)


def _drawn_alike(foreign: ForeignCompressor, x: Any, digest: bytes, seed: int, place: int) -> bool:
    """Return whether the message is the same again, and is drawn as C(x) is, as far as that can be told."""
    if foreign.draws_alike is not None:
        with guarded("packing a message", foreign.longest):
            if not foreign.draws_alike(x, _stream(seed, place), _stream(seed, place)):
                return False
    again = (_message(foreign, x, seed, place) for _ in range(REPEATS))
    return all(hashlib.blake2b(message).digest() == digest for message in again)


def _found(count: int, unlike: str, ended: str) -> NamedEvidence:
    """Say that nothing was refuted; nothing is said where messages are drawn otherwise than C(x)."""
    if unlike:
        reason = (
            f"not judged: at {unlike} two inputs have one message and another C(x), but pack leaves its "
            "random numbers otherwise than sample does, or gives another message for equal ones; "
            "let pack(x, rng) draw what sample(x, rng) draws, in its order"
        )
        return NamedEvidence("what travels", Evidence("inconclusive", "search", samples=count, reason=reason))
    reason = f"no message of {count}{ended} stands for two vectors, for equal random numbers"
    return NamedEvidence("what travels", Evidence("consistent", "search", samples=count, reason=reason))


def _not_told(name: str, x: Any, at: Any, found: Any, other: Any, seed: int, place: int) -> NamedEvidence:
    import numpy as np

    i = int(np.argmax(np.abs(found - other)))
    return NamedEvidence(
        "what travels",
        Evidence(
            "violated",
            "numerical",
            witness=json_ready({"x": x, "other": at, "seed": seed, "stream": f"travels-{place}"}),
            reason=f"two inputs have one message for equal random numbers, and another C(x): entry {i} is "
            f"{found.ravel()[i]:.6g} at {name} and {other.ravel()[i]:.6g} at the other; more must travel, "
            "or pack does not use its random numbers as sample does, or the receiver knows more than the "
            "message",
        ),
    )
