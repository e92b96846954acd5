"""Arguments that both ends of the protocol share."""

from typing import Any

import numpy as np

from impl.compressors.contract import Key
from impl.compressors.dithered.dither_stream import fingerprint
from impl.errors import Problems


def require_end(problems: Problems, *, seed: Any, worker: Any, seed_id: Any, start: Any) -> None:
    """Remember what is wrong with the seed, the worker, the name of the seed or the first iteration."""
    with problems.collect():
        fingerprint(Key(seed, worker, 0))
    for name, value, remedy in (
        ("seed_id", seed_id, "the default 0 names a single seed"),
        ("start", start, "the default 0 is the first iteration"),
    ):
        fits = isinstance(value, int | np.integer) and 0 <= value < 2**64
        problems.require(fits, f"{name}={value!r} must be an integer in [0, 2**64); {remedy}")
