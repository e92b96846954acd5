"""Messages that are equal must decode to equal vectors, else their bytes are fewer than what must travel."""

from typing import Any

from verify.context import Context
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.guard import guarded
from verify.foreign.inputs import joint_inputs, named_inputs
from verify.outcome import Evidence, json_ready
from verify.reporting.compressor_report import NamedEvidence

SEEDS = 4
"""Random numbers at which all inputs are packed."""

FACTORS = (1.0, 2.0, -1.0, 1.0001)
"""What each input is multiplied by: a message without norm, signs or digits is the same for some of them."""

ROUNDING = 1e-6
"""Part of the larger vector within which two are the same: entries may travel in single precision."""


def check_what_travels(foreign: ForeignCompressor, seed: int) -> NamedEvidence:
    """Judge whether two inputs with one message have one C(x), for equal random numbers.

    The receiver may share all random numbers: then the message is all that it lacks.
    """
    import numpy as np

    assert foreign.pack is not None
    alone, count = foreign.alone(), 0
    inputs = list(named_inputs(foreign.d) if foreign.n is None else joint_inputs(foreign.d, foreign.n))
    for place in range(SEEDS):
        known: dict[bytes, tuple[Any, Any]] = {}
        for name, base in inputs:
            for factor in FACTORS:
                x = (factor * base).astype(foreign.dtype)
                streams = [
                    Context("check", "montecarlo", f"travels-{place}", seed=seed).stream(0) for _ in range(2)
                ]
                with guarded("packing a message", foreign.longest):
                    message = foreign.pack(x, streams[0])
                found = alone.samples(x, streams[1], 1)[0]
                count += 1
                other, at = known.setdefault(bytes(message), (found, x))
                size = max(float(np.abs(found).max()), float(np.abs(other).max()))
                if np.abs(found - other).max() > ROUNDING * size:
                    return _not_told(name, x, at, found, other, seed, place)
    reason = f"no message of {count} stands for two vectors, for equal random numbers"
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
            f"{found.ravel()[i]:.6g} at {name} and {other.ravel()[i]:.6g} at the other; more must travel",
        ),
    )
