"""Messages about arrays of one shape, round after round: what does not change is found out once."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from impl.coding.dense_code import DenseCode
from impl.coding.level_bits import LevelBits
from impl.coding.sparse_code import SparseCode
from impl.compressors.contract import Draws
from impl.compressors.philox_draws import PhiloxUniforms
from impl.compressors.rounding.block_norms import SAFE, sums_of_squares
from impl.compressors.rounding.step_sizes import StepSizes
from impl.tiers import current

if TYPE_CHECKING:
    from impl.compressors.rounding.stochastic_quantizer import StochasticQuantizer

Array = npt.NDArray[Any]

_SMALLEST_STEP = 1 / 250  # levels stay below 255: at most 1 / step + 1, and a rounded norm adds nothing whole
_LARGEST_STEP = 2.0**100  # h N stays in the range of floats for the norms that are taken here
_LONGEST = 2**15 - 2  # coordinates whose gaps have a table
_LONGEST_BY_KERNEL = (
    2**10
)  # coordinates whose uniforms a kernel makes at a time: BLOCK of impl.kernels.philox
_CELLS = 2**14  # of a tile: its buffers together stay in the second-level cache
_COUNTED = 2**18  # levels whose bits are counted at once
_SIGN = np.int64(-(2**63))

# What a vector is multiplied by before it is compressed, and what is decoded of it: (n, d), or None.
Factors = tuple[Array | None, Array | None]


class RoundedRows:
    """Compression of x (..., d) by a quantizer, with the same steps for all vectors or for those of a node.

    Its operations are those of `draw`, `message` and `reconstruct`, so are its draws and results; what is not
    ordinary, such as a zero vector, goes that way.

    Args:
        quantizer: Whose messages these are.
        code: Of their levels.
        rng: The random stream.
        steps: h, and the blocks.
        shape: (..., d).
    """

    def __init__(
        self,
        quantizer: "StochasticQuantizer",
        code: SparseCode | DenseCode,
        rng: np.random.Generator,
        steps: StepSizes,
        shape: tuple[int, ...],
    ) -> None:
        self._quantizer, self._rng, self.shape = quantizer, rng, shape
        self._steps = steps.values.astype(np.float64)
        self._d, self._nodes = shape[-1], shape[-2] if len(shape) > 1 else 1
        self._rows = int(np.prod(shape[:-1]))
        self._lengths, self._block_of = steps.block_lengths(self._d), steps.block_of
        # Blocks of one length are like vectors, each with a norm, where they have one step.
        self._blocks = 1
        if self._block_of is not None and len(set(self._lengths)) == 1:
            own = self._steps[..., :: self._lengths[0]] if self._steps.ndim else self._steps
            if not own.ndim or np.array_equal(np.repeat(own, self._lengths[0], axis=-1), self._steps):
                self._blocks, self._block_of, self._steps = len(self._lengths), None, own
        self._prepare(code)

    def _prepare(self, code: SparseCode | DenseCode) -> None:
        """Make the buffers of a tile: whole groups of nodes, or a part of one."""
        own = self._nodes * self._d
        whole = self._nodes * max(1, _CELLS // own)
        height = whole if own <= _CELLS else max(1, _CELLS // self._d)
        self._height = min(self._rows, height)
        self._uniforms, self._scaled, *self._buffers = (np.empty((self._height, self._d)) for _ in range(5))
        self._counted = min(self._rows, max(self._height, _COUNTED // self._d))
        self._bits = LevelBits(code, self._counted, self._d)
        self._out: Array | None = None

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """Return what the receiver makes of the messages about x, until the next call, and their bits."""
        if self._out is None:
            self._out = np.empty(self.shape)
        decoded = self._out.reshape(-1, self._d)
        bits = self._compressed(x.reshape(-1, self._d), (None, None), decoded.__getitem__)
        return self._any(x) if bits is None else (self._out, bits)

    def mean(self, x: Array, factors: Factors) -> tuple[Array, Array]:
        """Return the mean over the nodes of `after * Q(before * x)`, (R, d), and bits, (R, n).

        Args:
            x: (R, n, d).
            factors: before and after, (n, d) each; None for 1.
        """
        before, after = factors
        sums = np.empty((self._rows // self._nodes, self._d))
        part = self._buffers[-1]
        rows = x.reshape(-1, self._d)
        bits = self._compressed(rows, factors, lambda tile: part[: tile.stop - tile.start], sums)
        if bits is None:
            decoded, bits = self._any(x if before is None else x * before)
            return _mean(decoded, after), bits
        sums += 0.0  # no negative zero, as if none had been decoded
        sums /= self._nodes
        return sums, bits

    def _compressed(
        self, x: Array, factors: Factors, target: Callable[[slice], Array], sums: Array | None = None
    ) -> Array | None:
        """Write what is decoded, tile by tile; return the bits; None where a vector is not ordinary.

        Nothing is drawn in this case.

        Args:
            x: (M, d).
            factors: As for `mean`.
            target: Where what is decoded of some rows goes.
            sums: Where its sums over the nodes go, (R, d).
        """
        before, after = factors
        norms = None if before is not None else self._norms(x)
        if norms is None and before is None:
            return None
        # With a factor everything is found in one pass, which is taken back where something is not ordinary.
        stream: Any = None if before is None else self._rng.bit_generator.state
        bits = np.empty(self._rows, np.int64)
        first = 0  # of the rows that are not counted yet
        for tile in self._tiles():
            rows = x[tile]
            if before is not None:
                rows = self._scaled_rows(rows, before, tile)
            own = self._norms(rows) if norms is None else norms[tile]
            if own is None:
                self._rng.bit_generator.state = stream
                return None
            levels, decoded = self._uniforms[: len(rows)], target(tile)
            self._rng.random(out=levels)
            self._round(rows, self._spacing(own, tile), levels, decoded)
            if tile.stop - first > self._counted:
                bits[first : tile.start] = self._bits.count()[: tile.start - first]
                first = tile.start
            np.copyto(self._bits.levels[tile.start - first : tile.stop - first], levels, casting="unsafe")
            if sums is None:
                decoded += 0.0  # a negative zero would not survive the message
                continue
            if after is not None:
                by_node = self._by_node(decoded)
                np.multiply(by_node, self._of_node(after, tile), out=by_node)
            self._add(decoded, tile, sums)
        bits[first:] = self._bits.count()[: self._rows - first]
        bits += self._quantizer.norm_bits * len(self._lengths)
        return bits.reshape(self.shape[:-1])

    def _tiles(self) -> Iterator[slice]:
        """Give the rows of each tile: of whole groups of nodes, or of one group."""
        if self._height % self._nodes == 0:
            for first in range(0, self._rows, self._height):
                yield slice(first, min(first + self._height, self._rows))
            return
        for group in range(0, self._rows, self._nodes):
            for first in range(group, group + self._nodes, self._height):
                yield slice(first, min(first + self._height, group + self._nodes))

    def _norms(self, x: Array) -> Array | None:
        """Return the norms that are sent, (M, B); None where one of them is not ordinary."""
        with np.errstate(over="ignore", invalid="ignore"):
            squares = sums_of_squares(x, self._lengths)
        norm_bits = self._quantizer.norm_bits
        low, high = SAFE[int(norm_bits == 32)]
        if not (squares.min() > low and squares.max() < high):  # NaN fails
            return None
        norms = np.sqrt(squares, out=squares)
        return norms.astype(np.float32).astype(np.float64) if norm_bits == 32 else norms

    def _scaled_rows(self, x: Array, factor: Array, tile: slice) -> Array:
        """Return the products of rows with the factor of their node, in a buffer."""
        out = self._scaled[: len(x)]
        np.multiply(self._by_node(x), self._of_node(factor, tile), out=self._by_node(out))
        return out

    def _by_node(self, rows: Array) -> Array:
        """Return rows of a tile by groups and nodes, (groups, nodes of the tile, ...)."""
        return rows.reshape(-1, min(len(rows), self._nodes), *rows.shape[1:])

    def _of_node(self, values: Array, tile: slice) -> Array:
        """Return values (n, ...) of the nodes of a tile."""
        first = tile.start % self._nodes
        return values[first : first + min(tile.stop - tile.start, self._nodes)]

    def _spacing(self, norms: Array, tile: slice) -> Array:
        """Return h N of a tile, (rows, 1), (rows, d), or (rows, B, 1) for blocks like vectors."""
        norms = norms if self._block_of is None else norms.take(self._block_of, axis=1)
        if self._steps.ndim < 2:
            spacing = norms * self._steps
        else:
            steps = self._of_node(self._steps, tile)
            spacing = (self._by_node(norms) * steps).reshape(len(norms), -1)
        return spacing if self._blocks == 1 else spacing[..., None]

    def _round(self, x: Array, spacing: Array, uniforms: Array, decoded: Array) -> None:
        """Write levels over the uniforms, and what is decoded of them; all (rows, d)."""
        signed, fraction, floor = (buffer[: len(x)] for buffer in self._buffers)
        bits = signed.view(np.int64)
        np.bitwise_and(x.view(np.int64), _SIGN, out=bits)
        by_block = bits.reshape(*spacing.shape[:-1], -1)
        np.bitwise_or(by_block, spacing.view(np.int64), out=by_block)
        np.divide(x, signed, out=fraction)
        np.floor(fraction, out=floor)
        fraction -= floor
        np.subtract(fraction, uniforms, out=uniforms)
        np.ceil(uniforms, out=uniforms)
        uniforms += floor
        np.multiply(uniforms, signed, out=decoded)

    def _add(self, decoded: Array, tile: slice, sums: Array) -> None:
        """Add what is decoded to the sums over nodes, in the order in which a mean adds."""
        groups = self._by_node(decoded)
        first, node = divmod(tile.start, self._nodes)
        if node == 0:
            np.add.reduce(groups, axis=1, out=sums[first : first + len(groups)])
            return
        for row in decoded:
            sums[first] += row

    def _any(self, x: Array) -> tuple[Array, Array]:
        return self._sent(x, Draws(private=self._rng.random(self.shape)))

    def _sent(self, x: Array, draws: Draws) -> tuple[Array, Array]:
        message = self._quantizer.message(x, draws)
        return self._quantizer.reconstruct(message), np.asarray(message.bits)


class KernelRows(RoundedRows):
    """The same by a kernel, which makes the uniforms and counts the bits: that of the fused tier."""

    def _prepare(self, code: SparseCode | DenseCode) -> None:
        self._sparse, self._bits_of_levels = isinstance(code, SparseCode), np.empty(self._rows, np.int64)
        _, self._code_lengths = code.elias.short_table()
        self._out = None

    def __call__(self, x: Array) -> tuple[Array, Array]:
        self._draws = PhiloxUniforms(self._rng, self.shape, np.float64)
        return super().__call__(x)

    def mean(self, x: Array, factors: Factors) -> tuple[Array, Array]:
        before, after = factors
        decoded, bits = self(x if before is None else x * before)
        return _mean(decoded, after), bits

    def _compressed(
        self, x: Array, factors: Factors, target: Callable[[slice], Array], sums: Array | None = None
    ) -> Array | None:
        from impl.kernels.stochastic_rounding import compress_rows  # numba, where it is asked for

        norms, bits, lengths = self._norms(x), self._bits_of_levels, self._code_lengths
        if norms is None:
            return None
        spacing, stream, decoded = norms * self._steps, self._draws.stream, target(slice(None))
        known = compress_rows(x, spacing, stream, self._sparse, lengths, decoded, bits)
        return (bits + self._quantizer.norm_bits).reshape(self.shape[:-1]) if known else None

    def _any(self, x: Array) -> tuple[Array, Array]:
        return self._sent(x, Draws(private=self._draws))


def _mean(decoded: Array, after: Array | None) -> Array:
    """Return the mean over the nodes of what is decoded, times a factor, (R, d)."""
    return np.asarray((decoded if after is None else decoded * after).mean(axis=-2))


def rounded_rows(
    quantizer: "StochasticQuantizer",
    steps: StepSizes,
    code: SparseCode | DenseCode,
    rng: np.random.Generator,
    shape: tuple[int, ...],
) -> RoundedRows | None:
    """Return the compression of arrays of this shape; None where it is not simple.

    Args:
        quantizer: Whose messages these are.
        steps: Its steps.
        code: Of its levels.
        rng: The random stream.
        shape: (..., d).
    """
    fused = current() == "fused"
    if not _SMALLEST_STEP <= steps.smallest <= steps.largest <= _LARGEST_STEP or 0 in shape:
        return None
    if fused and (steps.lengths is not None or steps.nodes is not None):
        return None
    longest = _LONGEST_BY_KERNEL if fused else _LONGEST
    if shape[-1] > longest or steps.dimension not in (None, shape[-1]):
        return None
    if steps.nodes is not None and shape[-2:-1] != (steps.nodes,):
        return None
    made = KernelRows if fused else RoundedRows
    return made(quantizer, code, rng, steps, shape)
