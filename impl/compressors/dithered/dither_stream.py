"""Dither that sender and receiver share: an odd grid of 24 bits from Philox words (arXiv 1904.01197).

The j-th coordinate takes the j-th raw word of the stream of its key: u = (2 (raw >> 40) + 1 - 2^24) / 2^25,
an exact float32, symmetric, never plus or minus one half.
"""

import abc
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_axes, require_generator
from impl.compressors.contract import Key
from impl.compressors.keyed_philox import keyed_philox
from impl.compressors.philox_draws import PhiloxDraws
from impl.errors import ArgumentError, Problems
from impl.tiers import current

Array = npt.NDArray[Any]

POINTS = 2**24

_TILE = 2**15  # words per call: they stay in the cache until they are numbers
# The upper 24 bits of a word lead the mantissa of a number in [1, 2); the bit behind them is set.
# As arrays: numpy takes those half a microsecond sooner than numbers.
_MANTISSA, _ONE_AND_HALF_STEP, _TWELVE, _THIRTY_TWO = (
    np.array(bits, np.uint64) for bits in (((1 << 24) - 1) << 28, (0x3FF << 52) | (1 << 27), 12, 32)
)


def require_points(problems: Problems, points: Any) -> None:
    """Note a problem unless points is a number of grid points that keeps the index exact."""
    whole = isinstance(points, int | np.integer) and not isinstance(points, bool)
    problems.require(whole and 1 <= points <= POINTS, f"points={points!r} must be an integer from 1 to 2**24")


def dither(words: Array, points: int = POINTS) -> Array:
    """Return the dither of raw 64-bit words, float64 of the same shape.

    Args:
        words: uint64.
        points: Size N of the grid (2 j + 1 - N) / (2 N); a word falls on a point in proportion, exactly so
            where N is a power of two.
    """
    out = np.empty(words.shape)
    _fill(np.array(words, dtype=np.uint64).reshape(-1), points, out.reshape(-1))
    return out


def _fill(words: Array, points: int, out: Array) -> None:
    """Write the dither of words into out, both 1-d and contiguous; the words are overwritten."""
    if points == POINTS:
        np.right_shift(words, _TWELVE, out=words)
        np.bitwise_and(words, _MANTISSA, out=words)
        np.bitwise_or(words, _ONE_AND_HALF_STEP, out=words)
        np.subtract(words.view(np.float64), 1.5, out=out)
        return
    np.right_shift(words, _THIRTY_TWO, out=words)
    np.multiply(words, np.uint64(points), out=words)
    np.right_shift(words, _THIRTY_TWO, out=words)
    np.copyto(out, words, casting="unsafe")
    out *= 2
    out += 1 - points
    out /= 2 * points


def draw_dither(
    rng: np.random.Generator, shape: tuple[int, ...], points: int = POINTS, where: str = "draw_dither"
) -> Array:
    """Return dither of this shape from the raw words of a generator, in C order; float64 in (-1/2, 1/2).

    On the fused tier it is that of `PhiloxDither`.

    Raises:
        ArgumentError: No generator, a negative shape, points outside of [1, 2**24].
    """
    dither = lazy_dither(rng, shape, points, where)
    return dither if isinstance(dither, np.ndarray) else np.asarray(dither)


def lazy_dither(
    rng: np.random.Generator, shape: tuple[int, ...], points: int, where: str
) -> "Array | PhiloxDither":
    """Return the same, on the fused tier made where it is used."""
    problems = Problems(where)
    with problems.collect():
        require_generator(rng, where)
    with problems.collect():
        shape = as_axes(shape, "shape", where)
    require_points(problems, points)
    problems.raise_if_any()
    return PhiloxDither(rng, shape, points) if current() == "fused" else _raw_dither(rng, shape, points)


def _raw_dither(rng: np.random.Generator, shape: tuple[int, ...], points: int) -> Array:
    out = np.empty(math.prod(shape))
    for start in range(0, len(out), _TILE):
        part = out[start : start + _TILE]
        _fill(_words(rng, len(part)), points, part)
    return out.reshape(shape)


def _words(rng: np.random.Generator, count: int) -> Array:
    bits = rng.bit_generator
    if isinstance(bits, np.random.MT19937):  # its raw words have 32 bits
        return rng.integers(0, 2**64 - 1, size=count, dtype=np.uint64, endpoint=True)
    return np.asarray(bits.random_raw(count))


def draw_words_as_dither(rng: np.random.Generator, count: int, points: int) -> Array:
    """Return the next dithers of a generator, (count,), in the memory of their words; nothing is checked."""
    words = _words(rng, count)
    dither: Array = words.view(np.float64)
    _fill(words, points, dither)
    return dither


def keyed_dither(key: Key, d: int) -> Array:
    """Return the prescribed dither of one message, float64 (d,), the same on every tier."""
    return _raw_dither(key.generator(), as_axes(d, "d", "keyed_dither"), POINTS)


class LazyDither(abc.ABC):
    """Dither that is made where it is used: `draws.shared` without its memory.

    Wherever an array is asked for, numpy makes one of it.
    """

    shape: tuple[int, ...]
    points: int

    @abc.abstractmethod
    def parts(self) -> Callable[[int], Array]:
        """Return a function: the next so many dithers in C order."""


class _RawDither(LazyDither):
    """Dither of the raw words of a generator.

    Args:
        shape: (..., d).
        points: Size of the grid.
    """

    def __init__(self, shape: tuple[int, ...], points: int) -> None:
        self.shape, self.points = shape, points

    @abc.abstractmethod
    def generator(self) -> np.random.Generator:
        """Return the generator of the words."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        whole = _raw_dither(self.generator(), self.shape, self.points)
        return whole if dtype is None else whole.astype(dtype)

    def parts(self) -> Callable[[int], Array]:
        rng = self.generator()

        def following(count: int) -> Array:
            return draw_words_as_dither(rng, count, self.points)

        return following


class KeyedDither(_RawDither):
    """The prescribed dither of one message, as often as it is asked for.

    Args:
        key: Key of the message.
        shape: (..., d).
    """

    def __init__(self, key: Key, shape: tuple[int, ...]) -> None:
        super().__init__(shape, POINTS)
        self.key = key

    def generator(self) -> np.random.Generator:
        return self.key.generator()

    def parts(self) -> Callable[[int], Array]:
        if current() != "fused":
            return super().parts()
        from impl.kernels.dithered.keyed_dither import fill_keyed_dither  # numba, where it is asked for

        state, at = self.generator().bit_generator.state["state"], 0

        def following(count: int) -> Array:
            nonlocal at
            dither = np.empty(count)
            fill_keyed_dither(dither, np.uint64(at), state["counter"], state["key"])
            at += count
            return dither

        return following


class StreamedDither(_RawDither):
    """The next dither of a stream, which is consumed: it may be asked for once."""

    def __init__(self, rng: np.random.Generator, shape: tuple[int, ...], points: int) -> None:
        super().__init__(shape, points)
        self._rng = rng

    def generator(self) -> np.random.Generator:
        return self._rng


class PhiloxDither(PhiloxDraws, LazyDither):
    """Dither of the fused tier, of one 32-bit word each: the upper half of what `dither` takes.

    Args:
        rng: Generator of the key.
        shape: (..., d).
        points: Size of the grid.
    """

    def __init__(self, rng: np.random.Generator, shape: tuple[int, ...], points: int) -> None:
        super().__init__(rng, shape, np.float64)
        self.points = points

    def fill(self, out: Array) -> None:
        self._fill(out.reshape(-1), 0)

    def _fill(self, out: Array, first: int) -> None:
        from impl.kernels.dithered.dithered_quantizer import fill_dithers  # numba, where its draws are used

        fill_dithers(out, np.uint64(first), self.points, self.stream)

    def parts(self) -> Callable[[int], Array]:
        at = 0

        def following(count: int) -> Array:
            nonlocal at
            out = np.empty(count)
            self._fill(out, at)
            at += count
            return out

        return following


def streamed_dither(rng: np.random.Generator, shape: tuple[int, ...], points: int) -> LazyDither:
    """Return what `draw_dither` draws on this tier, without its memory, to be used once."""
    if current() == "fused":
        return PhiloxDither(rng, shape, points)
    return StreamedDither(rng, shape, points)


def fingerprint(key: Key) -> int:
    """Return the word that tells whether both ends hold the same key: of a stream that no dither uses.

    Raises:
        ArgumentError: The worker is 2**63 or more: the upper half of the numbers is for fingerprints.
    """
    if key.worker >= 2**63:
        raise ArgumentError(f"fingerprint: worker={key.worker} must be below 2**63")
    counter = (0, key.tensor, key.iteration, key.worker + 2**63)
    return int(keyed_philox(key.seed, counter).random_raw())


def dither_point(j: int, points: int) -> Fraction:
    """Return the j-th point of the grid."""
    return Fraction(2 * j + 1 - points, 2 * points)
