"""Dithered quantizer DQSG (arXiv 1904.01197): round after a dither that the receiver subtracts again."""

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl import tiers
from impl.coding import symbol_words
from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA
from impl.compressors import wire
from impl.compressors.checked_input import as_axes, as_vectors, number, require_generator
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, Size, Tier
from impl.compressors.dithered import dither_law
from impl.compressors.dithered.dither_blocks import Blocks, literal_scale, require_fixed_scale, sent_scales
from impl.compressors.dithered.dither_input import (
    all_of,
    as_dither,
    common_shape,
    dither_rows,
    nested_dither,
    rows_of,
)
from impl.compressors.dithered.dither_passes import quantize_all
from impl.compressors.dithered.dither_stream import (
    POINTS,
    LazyDither,
    dither_point,
    lazy_dither,
    require_points,
    streamed_dither,
)
from impl.compressors.dithered.dither_tiles import require_indices_in_range, write_decoded
from impl.compressors.dithered.one_vector import dithered_vector
from impl.compressors.literal_input import exact_weight, is_rational, map_draws, map_vectors, nested_shape
from impl.compressors.sparse.entries import norms_from_words, to_words
from impl.errors import ArgumentError, Problems

_UNBOUNDED = DenseCode(GAMMA)  # indices of a fixed scale have no finite alphabet
_MOST_OUTCOMES = 2**20


class DitheredQuantizer(Compressor):
    r"""Send $q_j=\lfloor Mx_j/\kappa+u_j+\frac12\rfloor$; the receiver makes $\kappa((q_j-u_j)/M)$ of it.

    $\kappa$ is the largest magnitude of j's block, rounded up to what is sent before it is used. The error is
    uniform on $\pm\kappa/(2M)$ whatever x is, also at coordinates that are zero; a block of zeros stays zero.
    The dither is shared: `draws.shared`, in steps. Stochastic rounding is `reconstruct` without dither, that
    is, with shared zeros. On a grid of `points` N dithers the error takes N equally spaced values: its
    variance carries a factor $1-N^{-2}$, its mean is at most $\kappa/(2MN)$, and zero where $NMx_j/\kappa$ is
    whole; `variance` and `moments` are those of that grid.

    Args:
        levels: M, from 1 to 2**24; the indices are -M..M.
        blocks: Block size (the last block is shorter), a list of block lengths, or None for one block.
        norm_bits: Bits per scale, 64 or 32.
        scale: A fixed kappa; the indices are then unbounded, not clipped, and sent by an Elias gamma code.
        points: N, size of the grid of dithers, at most 2**24.

    Raises:
        ArgumentError: Parameters outside of these ranges.
    """

    unbiased = True

    def __init__(
        self,
        levels: int,
        blocks: Any = None,
        *,
        norm_bits: int = 64,
        scale: Any = None,
        points: int = POINTS,
    ) -> None:
        name = type(self).__name__
        problems = Problems(name)
        whole = isinstance(levels, int | np.integer) and not isinstance(levels, bool)
        problems.require(
            whole and 1 <= levels <= 2**24, f"levels={levels!r} must be an integer from 1 to 2**24"
        )
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        require_fixed_scale(problems, scale)
        require_points(problems, points)
        with problems.collect():
            self._blocks = Blocks(blocks, name)
        problems.raise_if_any()
        self.levels, self.norm_bits, self.points = int(levels), int(norm_bits), int(points)
        self.blocks, self.scale = blocks, scale
        self.scale_equivariance = "all" if scale is None else "none"

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(1)
        yield cls(3, blocks=2, norm_bits=32)
        yield cls(1, points=2)
        yield cls(2, blocks=[2, 3, 1], points=2)
        yield cls(3, blocks=4, points=3)
        yield cls(2, norm_bits=32, points=2)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.levels}{self._options()})"

    def _options(self) -> str:
        options = "" if self.blocks is None else f", blocks={self.blocks!r}"
        options += "" if self.norm_bits == 64 else ", norm_bits=32"
        options += "" if self.scale is None else f", scale={self.scale!r}"
        return options + ("" if self.points == POINTS else f", points={self.points}")

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.levels, self._blocks.key, self.norm_bits, self.scale, self.points)

    @property
    def dimension(self) -> int | None:
        return self._blocks.dimension

    @property
    def alphabet(self) -> int | None:
        """Return the number of symbols; None where they are unbounded."""
        return None if self.scale is not None else 2 * self.levels + 1

    @property
    def offset(self) -> int:
        """Return what is added to a symbol to give its digit, from 0."""
        return self.levels

    def block_lengths(self, d: int) -> tuple[int, ...]:
        """Return the lengths of the blocks of d coordinates."""
        return self._blocks.lengths(d)

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        x, dither = self._literal_pair(x, draws)
        return map_draws(x, dither, self._reference_vector, type(self).__name__)

    def reference_symbols(self, x: Any, draws: Draws) -> Any:
        """Return the symbols that are sent, as nested lists of integers, literally; arguments as there."""
        x, dither = self._literal_pair(x, draws)
        return map_draws(x, dither, self._reference_symbols, type(self).__name__)

    def _literal_pair(self, x: Any, draws: Draws) -> tuple[list[Any], list[Any]]:
        name = type(self).__name__
        x, dither = all_of(name, lambda: self._literal(x), lambda: nested_dither(draws, name))
        common_shape(nested_shape(x), nested_shape(dither), name)
        exact = is_rational(x)
        return x, map_vectors(
            dither, lambda u, node: [Fraction(item) if exact else float(item) for item in u]
        )

    def _reference_scales(self, x: list[Any]) -> list[Any]:
        """Return kappa of every coordinate."""
        kappa, at = [], 0
        for length in self.block_lengths(len(x)):
            block = x[at : at + length]
            kappa += [literal_scale(block, self.norm_bits, self.scale, type(self).__name__)] * length
            at += length
        return kappa

    def _reference_indices(self, x: list[Any], u: list[Any], gain: Any) -> list[int]:
        """Return floor(gain x / kappa + u + 1/2), clipped unless kappa is fixed; zero where kappa is."""
        M, half = self.levels, Fraction(1, 2) if isinstance(x[0], Fraction) else 0.5
        Q = []
        for xj, uj, kappa in zip(x, u, self._reference_scales(x), strict=True):
            if kappa == 0:
                kappa = kappa + 1
            q = math.floor((gain * (xj / kappa) + uj) + half)
            Q.append(q if self.scale is not None else max(-M, min(M, q)))
        return Q

    def _reference_symbols(self, x: list[Any], u: list[Any], node: int) -> list[int]:
        return self._reference_indices(x, u, self.levels)

    def _reference_vector(self, x: list[Any], u: list[Any], node: int) -> list[Any]:
        M, out = self.levels, []
        symbols = self._reference_symbols(x, u, node)
        for q, uj, kappa in zip(symbols, u, self._reference_scales(x), strict=True):
            out.append(kappa * ((q - uj) / M) if kappa != 0 else kappa * 0)
        return out

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return shared dither of the shape of x, float64 on the grid whatever the dtype of x is."""
        return Draws(shared=lazy_dither(rng, shape, self.points, type(self).__name__))

    def message(self, x: Any, draws: Draws) -> Message:
        indices, scales, _ = self.fine_indices(x, draws)
        return self._message(self.symbols(indices), scales)

    def symbols(self, indices: Array) -> Array:
        """Return what is sent of fine indices: the indices themselves."""
        return indices

    def _message(self, symbols: Array, scales: Array) -> Message:
        *batch, d = symbols.shape
        if self.alphabet is None:
            bits = _UNBOUNDED.bits(symbols) + self.norm_bits * scales.shape[-1]
        else:
            bits = np.full(batch, self._raw_bits(d, self.alphabet), dtype=np.int64)
        return Message(symbols, scales, int(bits) if bits.ndim == 0 else bits, symbols.shape)

    def scales(self, x: Any) -> Array:
        """Return kappa of each block as it is sent, (..., B), in the dtype of x."""
        return self._with_scales(x)[1]

    def indices(self, x: Any, draws: Draws) -> Array:
        """Return the fine indices before anything is taken modulo, int64 (..., d)."""
        return self.fine_indices(x, draws)[0]

    def clips(self, x: Any, draws: Draws) -> int:
        """Return the number of indices that had to be clipped: 0 in theory, and with a fixed scale."""
        return self.fine_indices(x, draws)[2]

    def _gain(self) -> float:
        """Return the steps per scale of the sender."""
        return float(self.levels)

    def fine_indices(self, x: Any, draws: Draws) -> tuple[Array, Array, int]:
        """Return fine indices, int64 (..., d), scales as sent, (..., B), and the number of clips."""
        indices, scales, clipped, _ = self._quantized(x, draws)
        return indices, scales, clipped

    def _quantized(
        self, x: Any, draws: Draws, *, decode: bool = False, keep: bool = True
    ) -> tuple[Array, Array, int, Array]:
        """Return what `fine_indices` does and the estimates; indices and estimates only where asked for."""
        name = type(self).__name__
        (x, scales), dither = all_of(name, lambda: self._with_scales(x), lambda: as_dither(draws, name))
        shape = common_shape(x.shape, dither.shape, name)
        indices = np.empty(shape if keep else (0,), dtype=np.int64)
        decoded = np.empty(shape if decode else (0,), dtype=x.dtype)
        clipped = 0
        if math.prod(shape):
            if self.scale is not None:
                require_indices_in_range(x, scales, self.levels, name)
            limit = self.levels if self.scale is None else None
            gain = self._gain()
            clipped = quantize_all(x, scales, dither, shape, gain, limit, indices, decoded, self._blocks)
        return indices, np.broadcast_to(scales, (*shape[:-1], scales.shape[-1])), clipped, decoded

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        if type(self) is not DitheredQuantizer:  # what a subclass changes must show
            return super().compress(x, draws, side)
        return self._quantized(x, draws, decode=True, keep=False)[3]

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Compress with fresh draws, those of `draw(rng, size + x.shape)`, made where they are used."""
        if type(self) is not DitheredQuantizer:
            return super().sample(x, rng, size, tier=tier)
        name, plain = type(self).__name__, size is None and self.blocks is None and self.scale is None
        if plain and self.norm_bits == 64 and tiers.is_known(tier):
            sampled = dithered_vector(x, rng, self.levels, self.points, tiers.chosen(tier, name))
            if sampled is not None:
                return sampled
        with tiers.tier(tier, name):
            x = as_vectors(x, name)
            shape = as_axes(size, "size", "sample") + x.shape
            require_generator(rng, name)
            return self.compress(x, Draws(shared=streamed_dither(rng, shape, self.points)))

    def message_and_estimate(self, x: Any, draws: Draws) -> tuple[Message, Array]:
        """Return `message` and what `reconstruct` makes of it, in one pass: for both ends in one process."""
        indices, scales, _, decoded = self._quantized(x, draws, decode=True)
        return self._message(indices, scales), decoded

    def _with_scales(self, x: Any) -> tuple[Array, Array]:
        x = as_vectors(x, type(self).__name__)
        self._require_dimension(x.shape)
        return x, sent_scales(x, self._blocks, self.norm_bits, self.scale, type(self).__name__)

    def _vectors(self, x: Any) -> Array:
        return self._with_scales(x)[0]

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        scales, dither = self._received(message, shared)
        out = np.empty(message.shape, dtype=scales.dtype)
        if out.size:
            d = message.shape[-1]
            write_decoded(
                message.symbols.reshape(-1, d),
                rows_of(self._blocks.spread(scales, d), message.shape),
                dither_rows(dither, message.shape),
                self.levels,
                out.reshape(-1, d),
            )
        return out

    def _received(self, message: Message, shared: Any) -> tuple[Array, Array | LazyDither]:
        name, scales = type(self).__name__, message.scales
        if scales is None:
            raise ArgumentError(f"{name}: the message has no scales; it was made by another compressor")
        dither = as_dither(Draws(shared), name)
        if common_shape(message.shape, dither.shape, name) != message.shape:
            raise ArgumentError(f"{name}: the message has shape {message.shape}, shared has {dither.shape}")
        return scales, dither

    def _shared_digest(self, shared: Any) -> bytes:
        # The digest of the base class is that of integers: a dither would look like zeros.
        return wire.digest(np.asarray(as_dither(Draws(shared), type(self).__name__)).astype("<f8").tobytes())

    # ---------------------------------------------------------------- exact law

    def _law(self, x: Array, scales: Array) -> dither_law.ErrorLaw:
        """Return the law of the error of every coordinate."""
        kappa = np.broadcast_to(self._blocks.spread(scales, x.shape[-1]), x.shape).astype(np.float64)
        v = self.levels * (x / np.where(kappa == 0, 1.0, kappa))
        return dither_law.dithered_law(v, kappa / self.levels, self.points)

    def _exact_law(self, x: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
        """Return means and variances of the errors of one vector."""
        steps = [kappa / self.levels for kappa in self._reference_scales(x)]
        v = [xj / step if step else Fraction(0) for xj, step in zip(x, steps, strict=True)]
        return dither_law.exact_dithered_law(v, steps, self.points)

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return the exact E||C(x) - x||^2_W; arguments as in `Compressor.variance`.

        Without weight it is sum kappa^2 (1 - N^-2) / (12 M^2) plus the squares of the means, which have the
        order N^-2 too: sum_b kappa_b^2 d_b / (12 M^2) but for 1e-14 of it with the usual dither.
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_weight(weight, node_weight, node, len(vector))
                return dither_law.exact_variance(*self._exact_law(vector), w)

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        return self._law(x, self.scales(x)).variance(w, node_weight is not None)

    def moments(self, x: Any, weight: Any = None) -> Moments:
        x, w = self._weighted(x, weight)
        return self._law(x, self.scales(x)).moments(w)

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) for all points**d dithers of one vector."""
        exact, d = is_rational(x), len(self._literal_vector(x))
        if self.points**d > _MOST_OUTCOMES:
            raise ArgumentError(
                f"{type(self).__name__}: {self.points}**{d} dithers are too many to enumerate; "
                "give fewer points"
            )
        points: list[Any] = [dither_point(j, self.points) for j in range(self.points)]
        chance = Fraction(1, self.points**d)
        for u in itertools.product(points if exact else [float(u) for u in points], repeat=d):
            yield chance if exact else float(chance), Draws(shared=list(u) if exact else np.array(u))

    def _raw_bits(self, d: int, alphabet: int) -> int:
        return 64 * symbol_words.word_count(d, alphabet) + self.norm_bits * self._blocks.count(d)

    def expected_bits(self, x: Any) -> Any:
        alphabet = self.alphabet
        if alphabet is not None:
            if is_rational(x):
                return map_vectors(
                    self._literal(x), lambda vector, node: Fraction(self._raw_bits(len(vector), alphabet))
                )
            shape = self._with_scales(x)[0].shape
            return number(np.full(shape[:-1], float(self._raw_bits(shape[-1], alphabet))))
        if is_rational(x):
            return map_vectors(self._literal(x), self._exact_unbounded_bits)
        x, scales = self._with_scales(x)
        v = self.levels * (x / self._blocks.spread(scales, x.shape[-1]))
        bits = _UNBOUNDED.expected_bits(
            np.floor(np.abs(v)).astype(np.int64), dither_law.lifted(v, self.points)
        )
        return number(bits + float(self.norm_bits * scales.shape[-1]))

    def _exact_unbounded_bits(self, x: list[Fraction], node: int) -> Fraction:
        pairs = zip(x, self._reference_scales(x), strict=True)
        v = [self.levels * xj / kappa for xj, kappa in pairs]
        chances = [dither_law.exactly_lifted(item, self.points) for item in v]
        bits = _UNBOUNDED.exact_bits([math.floor(abs(item)) for item in v], chances)
        return self.norm_bits * self._blocks.count(len(x)) + bits

    # ---------------------------------------------------------------- payload: scales, then symbols

    def _write(self, writer: BitWriter, message: Message) -> None:
        writer.append(to_words(np.asarray(message.scales), self.norm_bits), self.norm_bits)
        if self.alphabet is None:
            _UNBOUNDED.write(writer, message.symbols)
        else:
            writer.append(symbol_words.to_words(message.symbols, self.alphabet, self.offset), 64)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        words = reader.read_many(self._blocks.count(d), self.norm_bits)
        scales = norms_from_words(words, self.norm_bits, dtype)
        if self.alphabet is None:
            return Message(_UNBOUNDED.read(reader, d), scales, None, (d,))
        payload = reader.read_many(symbol_words.word_count(d, self.alphabet), 64)
        symbols = symbol_words.from_words(payload, d, self.alphabet, self.offset)
        return Message(symbols, scales, None, (d,))
