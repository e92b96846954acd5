"""Random permutations over clients by a sorting network; stands for `stratified_thresholds.draw_strata`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_part, kernel_with_memory
from impl.kernels.philox import SCRATCH, fill_from

Array = npt.NDArray[Any]

_KEYS = 2**13  # of a block of coordinates: they stay in the innermost cache


@kernel_part
def block_width(n: int) -> int:
    """Return how many coordinates of n clients are ordered at a time."""
    return min(1024, max(64, _KEYS // n))


@kernel_part
def order_block(
    memory: Any, m: int, low: Any, place: Any, shape: Any, stream: Array, network: Array, scratch: Array
) -> None:
    """Write a random permutation of {0, ..., n-1} into the first m columns of keys, uint32 (n, width).

    The key of a client is a word of the stream whose last bits are its number; the numbers in the order of
    the keys are the permutation. For client i and coordinate j of the row r the word has the index
    a R n d + (r n + i) d + j, a = 0; where two keys of a coordinate tie, all of its keys are taken again with
    the next a, so that all n! permutations have the same probability.

    Args:
        memory: The output; as much room, and uint8 (width,), for coordinates whose keys tie.
        m: Columns.
        low: 2^b - 1, at least n - 1, with the smallest b.
        place: r, and j of the first column.
        shape: (R, n, d).
        stream: Philox stream.
        network: Pairs of rows to be compared in this order, (C, 2).
        scratch: Words, `SCRATCH` of them.
    """
    (rows, n, d), (row, start), (keys, others, tied) = shape, place, memory
    attempt, left = 0, m
    while left:
        again = others if attempt else keys
        first = np.uint64((attempt * rows + row) * n) * np.uint64(d) + np.uint64(start)
        for i in range(n):
            words = scratch[fill_from(scratch, first + np.uint64(i * d), m, stream) :]
            _number(words, ~low, np.uint32(i), again[i, :m])
        for c in range(len(network)):
            _compare(again[network[c, 0], :m], again[network[c, 1], :m])
        for j in range(m if attempt else 0):
            for i in range(n if tied[j] else 0):
                keys[i, j] = again[i, j]
        for j in range(m):
            tied[j] = 0
        for i in range(n - 1):
            _mark(keys[i, :m], keys[i + 1, :m], low, tied)
        left = 0
        for j in range(m):
            left += tied[j]
        attempt += 1
    for i in range(n):
        own = keys[i, :m]
        for j in range(m):
            own[j] &= low


@kernel_part
def _number(words: Array, high: Any, client: Any, keys: Array) -> None:
    for j in range(len(keys)):
        keys[j] = (words[j] & high) | client


@kernel_part
def _mark(first: Array, second: Array, low: Any, tied: Array) -> None:
    for j in range(len(first)):
        tied[j] |= np.uint8((first[j] ^ second[j]) <= low)


@kernel_part
def _compare(first: Array, second: Array) -> None:
    for j in range(len(first)):
        a, b = first[j], second[j]
        first[j], second[j] = min(a, b), max(a, b)


@kernel_with_memory
def fill_strata(strata: Array, low: Any, stream: Array, network: Array) -> None:
    """Fill (R, n, d), unsigned, with a random permutation along the middle axis for each of the others."""
    n = strata.shape[1]
    width = block_width(n)
    memory = np.empty((n, width), np.uint32), np.empty((n, width), np.uint32), np.empty(width, np.uint8)
    _fill(strata, low, stream, network, memory, np.empty(SCRATCH, np.uint32))


@kernel_part
def _fill(strata: Array, low: Any, stream: Array, network: Array, memory: Any, scratch: Array) -> None:
    (rows, n, d), keys = strata.shape, memory[0]
    width = keys.shape[1]
    for row in range(rows):
        for start in range(0, d, width):
            m = min(width, d - start)
            order_block(memory, m, low, (row, start), strata.shape, stream, network, scratch)
            for i in range(n):  # entry by entry: a slice that is assigned takes a second longer to compile
                for j in range(m):
                    strata[row, i, start + j] = keys[i, j]
