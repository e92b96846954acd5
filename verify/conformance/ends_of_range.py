"""Whether all ways through a compressor agree at the ends of the range of floats, and of their squares."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from impl.compressors.contract import Compressor
from impl.errors import ArgumentError
from verify.authoring import Comparisons, eq
from verify.conformance.fast_and_literal import Received

_POWERS: Mapping[Any, tuple[int, ...]] = {
    np.float64: (1023, 1022, 1021, 1000, 512, -511, -537, -900, -1020, -1022, -1074),
    np.float32: (127, 126, 125, 120, 64, -63, -75, -80, -124, -126, -149),
}
"""Of two: ends of the range, of normal numbers, of their squares, and of what is computed without scaling."""
_VECTORS: Mapping[str, Any] = {
    "unlike": np.array([1.5, -1.25, 0.25, 0.0, -0.125, 1.0, -1.75]),
    "alone": np.array([0.0, 0.0, 1.25, 0.0, 0.0, 0.0, 0.0]),
    "equal": np.ones(7),
}


def ends_of_range(judged: Received, compressors: Mapping[str, Compressor], seed: int) -> Comparisons:
    """Compare samples and messages of one vector, also beside another one, with what is received, or refused.

    Nobody is warned. Vectors are whole multiples of powers of two.

    Args:
        judged: `received` or a mutant.
        compressors: Some that take seven coordinates, by name.
        seed: Of the streams.
    """
    for name, compressor in compressors.items():
        for kind, powers in _POWERS.items():
            for shape, vector in _VECTORS.items():
                wrong, last = 0, 0
                for power in powers:
                    with np.errstate(over="ignore"):
                        x = np.ldexp(vector.astype(kind), power)
                    if np.isfinite(x).all() and _differ(judged, compressor, x, seed):
                        wrong, last = wrong + 1, power
                at = {"case": name, "kind": np.dtype(kind).name, "vector": shape, "power": last}
                yield eq("ends of the range where ways differ", wrong, 0, witness=at)


def _differ(judged: Received, compressor: Compressor, x: Any, seed: int) -> bool:
    """Return whether one of the ways gives something else, or one refuses what another one takes."""

    def rng() -> np.random.Generator:
        return np.random.Generator(np.random.Philox(seed))

    draws = compressor.draw(rng(), x.shape, x.dtype)
    ways: list[Callable[[], Any]] = [
        lambda: compressor.sample(x, rng()),
        lambda: compressor.sample(x, rng(), 1)[0],
        lambda: compressor.reconstruct(compressor.message(x, draws), draws.shared),
    ]
    if draws.shared is None:
        ways.append(lambda: compressor.sample(np.stack([x, 0 * x]), rng())[0])
    found = _outcome(lambda: judged(compressor, x, draws))
    others = [_outcome(way) for way in ways]
    if found is None:
        return any(other is not None for other in others)
    return any(other is None or bool((other != found).any()) for other in others)


def _outcome(way: Callable[[], Any]) -> Any:
    """Return what is received, None where it is refused; where a caller would be warned it raises."""
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            return way()
    except ArgumentError:
        return None
