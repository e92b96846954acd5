"""Stratified thresholds U_i = (pi_i + u_i) / n: random permutations over the clients, one per coordinate."""

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_axes, require_generator
from impl.compressors.philox_draws import PhiloxDraws
from impl.errors import ArgumentError, Problems
from impl.tiers import current

Array = npt.NDArray[Any]

_NETWORK_CLIENTS = 32  # up to here a sorting network over whole rows beats a sort of each column
_NETWORK_COLUMNS = 1024  # below it the calls of the network cost more than it saves; the order is the same
_FUSED_CLIENTS = 512  # of more, keys of 32 bits tie too often
_BUFFER = 2**17  # keys in one block: with its copies it stays in the second-level cache
# Clients up to which keys of this width seldom tie: 12 random bits for 16 clients, 23 for 512.
_KEYS = ((16, np.uint16), (512, np.uint32))


def literal_bits(y: Sequence[Any], permutation: Sequence[int], jitter: Sequence[Any]) -> list[int]:
    """Return the bits of one coordinate literally: 1 where (pi_i + u_i) / n < y_i."""
    n = len(y)
    thresholds = [
        (stratum + u) * Fraction(1, n) if isinstance(u, Fraction) else (stratum + u) / n
        for stratum, u in zip(permutation, jitter, strict=True)
    ]
    return [int(y_i > U) for U, y_i in zip(thresholds, y, strict=True)]


def bit_outcomes(y: Sequence[Any]) -> Iterator[tuple[Any, tuple[int, ...], list[Any]]]:
    """Yield (probability, permutation, jitter) over all n! permutations and distinct bits of a coordinate.

    Only a client whose stratum is the cell of n y_i is undecided by its stratum; its jitter takes one value
    below and one above the fraction of n y_i. Fractions in y give exact probabilities.
    """
    n = len(y)
    exact = any(isinstance(item, Fraction) for item in y)
    half: Any = Fraction(1, 2) if exact else 0.5
    cells = [math.floor(n * item) for item in y]
    fractions = [n * item - cell for item, cell in zip(y, cells, strict=True)]
    chance: Any = Fraction(1, math.factorial(n)) if exact else 1 / math.factorial(n)
    for permutation in itertools.permutations(range(n)):
        choices: list[list[tuple[Any, Any]]] = []
        for stratum, cell, alpha in zip(permutation, cells, fractions, strict=True):
            if stratum == cell and alpha > 0:
                choices.append([(alpha, alpha / 2), (1 - alpha, (1 + alpha) / 2)])
            else:
                choices.append([(1, half)])
        for chosen in itertools.product(*choices):
            weight = math.prod((q for q, _ in chosen), start=chance)
            yield weight, permutation, [u for _, u in chosen]


def independent_outcomes(y: Sequence[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield (probability, uniforms) over the distinct bits of a coordinate with independent thresholds."""
    exact = any(isinstance(item, Fraction) for item in y)
    half: Any = Fraction(1, 2) if exact else 0.5
    choices = [[(q, q / 2), (1 - q, (1 + q) / 2)] if 0 < q < 1 else [(1, half)] for q in y]
    for chosen in itertools.product(*choices):
        yield math.prod((q for q, _ in chosen), start=half * 2), [u for _, u in chosen]


def draw_strata(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return independent uniform permutations of {0, ..., n-1} along axis -2, unsigned (..., n, d).

    Random keys with the number of the client in their last bits are sorted, a block of coordinates at a time;
    the order of the clients is the permutation. A coordinate with equal keys is drawn again, so that all n!
    permutations have the same probability. On the fused tier they are those of `PhiloxStrata`.
    """
    return np.asarray(lazy_strata(rng, shape))


def lazy_strata(rng: np.random.Generator, shape: tuple[int, ...]) -> "Array | PhiloxStrata":
    """Return the same, on the fused tier made where they are used."""
    problems = Problems("draw_strata")
    with problems.collect():
        require_generator(rng, "draw_strata")
    with problems.collect():
        shape = as_axes(shape, "shape", "draw_strata")
        problems.require(
            len(shape) >= 2 and shape[-2] >= 1,
            f"shape={shape} must end with (n, d), at least one client",
        )
    problems.raise_if_any()
    *batch, n, d = shape
    if current() == "fused" and 1 < n <= _FUSED_CLIENTS:
        return PhiloxStrata(rng, shape, np.uint8 if n <= 2**8 else np.uint16)
    rows = math.prod(batch)
    strata = np.empty((rows, n, d), strata_type(n))
    if n == 1:
        strata[...] = 0
    elif strata.size:
        fill_strata(rng, strata)
    return strata.reshape(shape)


def strata_type(n: int) -> Any:
    """Return the unsigned type of the strata of n clients."""
    return np.uint8 if n <= 2**8 else np.uint16 if n <= 2**16 else np.uint32


class PhiloxStrata(PhiloxDraws):
    """Strata of the fused tier, from sorted words of a Philox stream."""

    def fill(self, out: Array) -> None:
        from impl.kernels.strata import fill_strata  # numba, where its draws are used

        n, d = self.shape[-2:]
        if out.size:
            fill_strata(out.reshape(-1, n, d), last_bits(n), self.stream, network(n))


def last_bits(n: int) -> Any:
    """Return the mask of the bits of a key that number the clients, uint32."""
    return np.uint32(2 ** (n - 1).bit_length() - 1)


@functools.cache
def network(n: int) -> Array:
    """Return the comparators of the sorting network for n keys, (C, 2)."""
    return np.array(_comparators(n))


def checked_strata(shared: Any, n: int, d: int, where: str) -> Array:
    """Return shared strata as an array of whole numbers below n, (..., n, d).

    That each coordinate holds every number once is not checked: it would cost more than the quantizer.
    """
    strata = None if shared is None else np.asarray(shared)
    fits = strata is not None and strata.dtype.kind in "iu" and strata.shape[-2:] == (n, d)
    if strata is None or not fits or (strata.size and not 0 <= strata.min() <= strata.max() < n):
        found = "missing" if strata is None else f"{strata.dtype} of shape {strata.shape}"
        raise ArgumentError(
            f"{where}: the strata among the shared draws are {found}; give permutations of {n} clients for "
            f"{d} coordinates, as draw(rng, x.shape) does"
        )
    return strata


def fill_strata(rng: np.random.Generator, strata: Array) -> None:
    """Write permutations along the middle axis of (rows, n, d), not empty, n of at least 2."""
    rows, n, d = strata.shape
    width = max(1, _BUFFER // n)
    together, columns = (max(1, width // d), d) if d <= width else (1, width)
    tied = np.zeros((rows, d), dtype=bool)
    for r0 in range(0, rows, together):
        r1 = min(rows, r0 + together)
        for c0 in range(0, d, columns):
            c1 = min(d, c0 + columns)
            shape = (r1 - r0, c1 - c0)
            ordered, ties = _permutations(rng, n, shape[0] * shape[1])
            if isinstance(ordered, np.ndarray):
                strata[r0:r1, :, c0:c1] = ordered.reshape(n, *shape).swapaxes(0, 1)
            else:
                for k in range(n):
                    strata[r0:r1, k, c0:c1] = ordered[k].reshape(shape)
            tied[r0:r1, c0:c1] = ties.reshape(shape)
    if tied.any():
        row, column = np.nonzero(tied)
        strata[row, :, column] = draw_strata(rng, (n, len(row))).T


def _permutations(rng: np.random.Generator, n: int, count: int) -> tuple[Array | list[Array], Array]:
    """Return n rows of `count` client numbers, a permutation in each column, and which columns had ties."""
    kind, low, numbers = _key_parts(n)
    keys = _words(rng, n * count, kind).reshape(n, count)
    np.bitwise_and(keys, ~low, out=keys)
    np.bitwise_or(keys, numbers, out=keys)
    if n <= _NETWORK_CLIENTS and count >= _NETWORK_COLUMNS:
        return _rows_by_network(keys, low)
    ordered = np.ascontiguousarray(keys.T)
    ordered.sort(axis=1)
    # Equal but for the number of the client.
    tied = ((ordered[:, 1:] ^ ordered[:, :-1]) <= low).any(axis=1)
    np.bitwise_and(ordered, low, out=ordered)
    return ordered.T, tied


@functools.cache
def _key_parts(n: int) -> tuple[Any, Any, Array]:
    """Return the type of the keys of n clients, the mask of their last bits, and what goes there, (n, 1)."""
    kind: Any = next((kind for most, kind in _KEYS if n <= most), np.uint64)
    return kind, kind(2 ** (n - 1).bit_length() - 1), np.arange(n, dtype=kind)[:, None]


def _rows_by_network(keys: Array, low: Any) -> tuple[list[Array], Array]:
    """Sort the columns of keys (n, count) and return what `_permutations` does; keys is overwritten."""
    ordered = _network_sort(keys)
    tied = np.zeros(len(ordered[0]), dtype=bool)
    for first, second in itertools.pairwise(ordered):
        tied |= (first ^ second) <= low
    for row in ordered:
        np.bitwise_and(row, low, out=row)
    return ordered, tied


def _words(rng: np.random.Generator, count: int, kind: Any) -> Array:
    """Return `count` uniform words of this unsigned type."""
    per_word = 8 // np.dtype(kind).itemsize
    whole = -(-count // per_word)
    bits = rng.bit_generator
    if isinstance(bits, np.random.MT19937):  # its raw words have 32 bits
        words = rng.integers(0, 2**64 - 1, size=whole, dtype=np.uint64, endpoint=True)
    else:
        words = np.asarray(bits.random_raw(whole))
    return np.asarray(words.view(kind)[:count])


def _network_sort(keys: Array) -> list[Array]:
    """Sort each column of (n, count) by a network of comparisons between whole rows; keys is overwritten."""
    rows, spare = list(keys), np.empty_like(keys[0])
    for i, j in _comparators(len(rows)):
        np.minimum(rows[i], rows[j], out=spare)
        np.maximum(rows[i], rows[j], out=rows[j])
        rows[i], spare = spare, rows[i]
    return rows


@functools.cache
def _comparators(n: int) -> tuple[tuple[int, int], ...]:
    """Return Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2M)."""
    found = []
    top = 1 << ((n - 1).bit_length() - 1)
    p = top
    while p > 0:
        q, r, distance = top, 0, p
        while True:
            found += [(i, i + distance) for i in range(n - distance) if i & p == r]
            if q == p:
                break
            distance, q, r = q - p, q >> 1, p
        p >>= 1
    return tuple(found)
