"""The k entries of largest magnitude of every row; among equals those of the lowest indices."""

import functools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import SHORT, is_plain_vector
from impl.tiers import current

Array = npt.NDArray[Any]

_LONG = 2**13  # rows of this length are worth a sample
_WORDS: dict[Any, Any] = {
    np.dtype(np.float32): np.dtype(np.uint32),
    np.dtype(np.float64): np.dtype(np.uint64),
}
_TILE = 2**15  # entries that are compared at a time
_SAMPLE = 2**10  # entries of the sample at least


def largest_entries(x: Array, k: int) -> Array:
    """Return x with everything else zero, in its dtype, without negative zeros.

    Args:
        x: Finite, (..., d).
        k: From 1 to d.
    """
    d = x.shape[-1]
    if d < _LONG:
        return _kept_by_kernel(x, x.reshape(-1), k) if current() == "fused" else _partitioned(x, k)
    out = np.zeros(x.shape, x.dtype)
    for row, kept in zip(x.reshape(-1, d), out.reshape(-1, d), strict=True):
        if 4 * k > d:
            _keep_many(row, k, kept)
        else:
            chosen = _chosen(row, k)
            kept[chosen] = row[chosen] + x.dtype.type(0)
    return out


def largest_of_vector(x: Any, k: int, value_bits: int, tier: str) -> Array | None:
    """Return what `largest_entries` does for one short vector, without detours; None where it is not plain.

    None also where it is not finite or k exceeds d, where its entries are rounded first, and by numpy where
    equals compete.
    """
    if not is_plain_vector(x, SHORT - 1) or (value_bits == 32 and x.dtype != np.float32) or k > len(x):
        return None
    if not math.isfinite(np.vdot(x, x)):
        return None
    if tier == "fused":
        return _kept_by_kernel(x, x, k)
    ranked = np.abs(x)
    ranked.partition(len(x) - k)
    kept = np.abs(x) >= ranked[len(x) - k]
    if np.count_nonzero(kept) > k:
        return None
    found: Array = x * kept
    found += 0.0  # no negative zeros
    return found


def _kept_by_kernel(x: Array, flat: Array, k: int) -> Array:
    """Return what is kept of x, whose numbers are given in one row, too."""
    out = np.empty(len(flat), x.dtype)
    given = flat if flat.flags.writeable else flat.copy()  # kernels are compiled once for each kind of array
    words = _WORDS[x.dtype]
    _keep_largest()(given.view(words), x.shape[-1], k, out.view(words))
    return out if flat is x else out.reshape(x.shape)


@functools.cache  # an import costs more than the search
def _keep_largest() -> Any:
    from impl.kernels.top_k import keep_largest  # numba, where it is asked for

    return keep_largest


def _partitioned(x: Array, k: int) -> Array:
    size = np.abs(x)
    d = x.shape[-1]
    threshold = np.partition(size, d - k, axis=-1)[..., d - k, None]
    kept = size >= threshold
    if (np.count_nonzero(kept, axis=-1) > k).any():
        above, equal = size > threshold, size == threshold
        room = k - np.count_nonzero(above, axis=-1)[..., None]
        kept = above | (equal & (np.cumsum(equal, axis=-1) <= room))
    zero = x.dtype.type(0)
    return np.asarray(np.where(kept, x, zero) + zero)  # no negative zeros


def _keep_many(row: Array, k: int, kept: Array) -> None:
    """Write into kept the k entries of largest magnitude of a long row, where a sample tells little."""
    ranked = np.abs(row)
    ranked.partition(len(row) - k)
    threshold = ranked[len(row) - k]
    room = 0  # equals that are kept
    for at in range(len(row) - k, len(row), _TILE):
        room += int(np.count_nonzero(ranked[at : at + _TILE] == threshold))
    del ranked
    for at in range(0, len(row), _TILE):
        part, out = row[at : at + _TILE], kept[at : at + _TILE]
        size = np.abs(part)
        wanted = size >= threshold
        equal = int(np.count_nonzero(wanted)) - int(np.count_nonzero(size > threshold))
        if equal > room:
            same = size == threshold
            wanted &= ~same | (np.cumsum(same) <= room)
        room = max(0, room - equal)
        np.multiply(part, wanted, out=out)
        out += 0.0  # no negative zeros


def _chosen(row: Array, k: int) -> Array:
    """Return the sorted indices of the k entries of largest magnitude of a long row.

    A sample tells a threshold that some more than k entries should reach, so that only these are partitioned.
    Where fewer do, the whole row is.
    """
    d = len(row)
    step = max(1, d // max(_SAMPLE, min(d // 64, 64 * d // k)))
    # From the middle of the steps: the beginning of a tensor may be special.
    sample = np.abs(row[step // 2 :: step])
    mean = k * len(sample) / d
    rank = min(len(sample), int(mean + 4 * np.sqrt(mean) + 4))  # four standard deviations above it
    candidates = _reaching(row, np.partition(sample, len(sample) - rank)[len(sample) - rank], 2 * k)
    if len(candidates) < k:
        candidates = np.arange(d)
    found = np.abs(row[candidates])
    threshold = np.partition(found, len(found) - k)[len(found) - k]
    reached = found >= threshold
    if np.count_nonzero(reached) > k:
        above, equal = found > threshold, found == threshold
        room = k - np.count_nonzero(above)
        reached = above | (equal & (np.cumsum(equal) <= room))
    kept: npt.NDArray[np.intp] = candidates[reached]
    return kept


def _reaching(row: Array, threshold: Any, expected: int) -> Array:
    """Return the sorted indices of the entries whose magnitude reaches the threshold."""
    if current() == "fused":
        from impl.kernels.top_k import reaching  # numba, where it is asked for

        found = np.empty(expected + _SAMPLE, np.int64)
        count = reaching(row, threshold, found)
        if count <= len(found):
            return found[:count]
    parts = range(0, len(row), _TILE)
    places = [np.flatnonzero(np.abs(row[at : at + _TILE]) >= threshold) + at for at in parts]
    return places[0] if len(places) == 1 else np.concatenate(places)
