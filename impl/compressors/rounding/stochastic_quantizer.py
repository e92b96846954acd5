"""Stochastic quantizer: standard, block and varying-step (arXiv 2106.03524, squant section 0.1)."""

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.level_codes import CODES
from impl.compressors.checked_input import (
    as_axes,
    as_vectors,
    lazy_or_uniforms,
    number,
    require_draws_fit,
    require_generator,
)
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, Size, Tier
from impl.compressors.dithered.dither_blocks import Blocks, literal_scale, sent_scales
from impl.compressors.dithered.dither_input import all_of
from impl.compressors.literal_input import (
    exact_diagonal,
    exact_weight,
    is_rational,
    map_draws,
    map_vectors,
    nested_uniforms,
)
from impl.compressors.philox_draws import PhiloxUniforms
from impl.compressors.rounding.block_norms import block_norms, literal_norm, rational_norm
from impl.compressors.rounding.level_grid import LevelGrid
from impl.compressors.rounding.one_vector import rounded_vector
from impl.compressors.rounding.rounded_rows import RoundedRows, rounded_rows
from impl.compressors.rounding.step_sizes import StepSizes
from impl.compressors.rounding.stochastic_rounding import (
    TILE_BYTES,
    draw_uniforms,
    round_tiles,
    streamed_uniforms,
)
from impl.compressors.rounding.two_point_error import rounding_variance, two_point_moments, two_point_variance
from impl.compressors.sparse.entries import norms_from_words, to_words
from impl.errors import ArgumentError, Problems
from impl.tiers import chosen, is_known

NORMS = ("euclidean", "max")


class StochasticQuantizer(Compressor):
    """Round |x_j| / (h_j N_l) to a neighbouring integer at random, unbiased; N_l is the norm of j's block.

    Q(x)_j = N_l sign(x_j) h_j xi_j with xi_j = floor(v) + (u < v - floor(v)) and v = |x_j| / (h_j N_l),
    independent over j. A block of norm 0 is sent as zeros. QSGD with s levels is `steps=1/s`.

    Norms are rounded to what is sent before they are used (float64, or float32 for `norm_bits=32` and for
    float32 input), so the law stays unbiased. Where h N or the result comes near an end of the range of
    floats, everything is scaled by a power of two: entries from 5e-324 to the largest float work as long as
    the norm and the result are representable, and an ArgumentError says when they are not.

    Args:
        steps: h > 0: a number, one per block (B,), one per coordinate (d,), or one row of these per
            node (n, ...).
            Fractions are kept for rational mode.
        blocks: Block lengths that sum to d; None for one block.
        norm_bits: Bits per norm, 64 or 32.
        code: Code of the levels, `sparse-gamma`, `sparse-omega` or `dense-gamma` (squant/bits).
        norm: `euclidean`, or `max` for the largest magnitude, rounded up to what is sent: with `steps=1/M` no
            level exceeds M (stochastic rounding in arXiv 1904.01197).

    Raises:
        ArgumentError: A step is not finite, not positive or below 2**-62; blocks do not fit; an unknown code
            or norm.
    """

    unbiased = True

    def __init__(
        self,
        steps: Any,
        blocks: Any = None,
        norm_bits: int = 64,
        *,
        code: str = "sparse-gamma",
        norm: str = "euclidean",
    ) -> None:
        problems = Problems("StochasticQuantizer")
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        known = isinstance(code, str) and code in CODES
        problems.require(known, f"code={code!r} is unknown; choose one of {', '.join(CODES)}")
        problems.require(norm in NORMS, f"norm={norm!r} is unknown; choose one of {', '.join(NORMS)}")
        with problems.collect():
            self._steps = StepSizes(steps, blocks)
        problems.raise_if_any()
        self.steps, self.blocks, self.norm_bits, self.code = steps, blocks, int(norm_bits), code
        self.norm, self._code = norm, CODES[code]
        self._short_way = type(self) is StochasticQuantizer and norm == "euclidean"

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(1)
        yield cls(Fraction(1, 4), code="sparse-omega")
        yield cls(Fraction(1, 16), code="dense-gamma")
        yield cls([Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), 2, Fraction(1, 5), 1])
        yield cls([Fraction(1, 2), Fraction(1, 3), 3], blocks=[2, 3, 1])
        yield cls(Fraction(1, 3), norm_bits=32)
        yield cls(Fraction(1, 2), norm="max")

    def __repr__(self) -> str:
        blocks = "" if self.blocks is None else f", blocks={list(self.blocks)}"
        bits = "" if self.norm_bits == 64 else ", norm_bits=32"
        code = "" if self.code == "sparse-gamma" else f", code={self.code!r}"
        steps = np.array2string(self._steps.values, threshold=8, separator=", ")
        norm = "" if self.norm == "euclidean" else f", norm={self.norm!r}"
        return f"StochasticQuantizer({steps}{blocks}{bits}{code}{norm})"

    def _parameters(self) -> tuple[Hashable, ...]:
        steps = self._steps
        found = (steps.values.tobytes(), steps.values.shape, steps.lengths, self.norm_bits, self.code)
        return found if self.norm == "euclidean" else (*found, self.norm)

    @property
    def dimension(self) -> int | None:
        return self._steps.dimension

    def _require_dimension(self, shape: tuple[int, ...]) -> None:
        self._steps.require_fit(shape)

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        problems = Problems("StochasticQuantizer")
        with problems.collect():
            x = self._literal(x)
        with problems.collect():
            uniforms = nested_uniforms(draws, "StochasticQuantizer")
        problems.raise_if_any()
        return map_draws(x, uniforms, self._reference_vector, "StochasticQuantizer")

    def _reference_vector(self, x: list[Any], uniforms: list[Any], node: int) -> list[Any]:
        exact = isinstance(x[0], Fraction)
        Q: list[Any] = []
        for block, N in self._reference_norms(x, exact):
            for j in block:
                if N == 0:
                    Q.append(x[j] * 0)
                    continue
                h = self._steps.exact(node, j) if exact else self._steps.number(node, j)
                a = h * N
                tame = exact or 1e-290 < a < 1e290  # else h N or N may be inaccurate or infinite
                if self.norm == "max" and not exact:
                    if tame:
                        a = self._reference_bounded(a, N)
                    else:
                        h = self._reference_bounded(h, 1.0)
                v = abs(x[j]) / a if tame else abs(x[j]) / N / h
                level = math.floor(v)
                if uniforms[j] < v - level:
                    level += 1
                size = level * a if tame else N * (h * level)
                Q.append(size if x[j] > 0 else -size)
        return Q

    @staticmethod
    def _reference_bounded(a: Any, N: Any) -> Any:
        """Return a = h N raised by a rounding where N / a is just above a whole number, see `LevelGrid`."""
        M = round(N / a)
        if not M < N / a <= M * (1 + 1e-15):
            return a
        a = N / M
        return math.nextafter(a, math.inf) if N / a > M else a

    def _reference_norms(self, x: Sequence[Any], exact: bool) -> list[tuple[range, Any]]:
        """Return the coordinates and the norm of each block; an irrational norm of rational x raises."""
        found: list[tuple[range, Any]] = []
        at = 0
        for length in self._steps.block_lengths(len(x)):
            block = range(at, at + length)
            at += length
            items = [x[j] for j in block]
            if self.norm == "max":
                N = literal_scale(items, self.norm_bits, None, "StochasticQuantizer")
            elif exact:
                N = rational_norm(items, "StochasticQuantizer")
            else:
                N = literal_norm(items, self.norm_bits, "StochasticQuantizer")
            found.append((block, N))
        return found

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return private uniforms in [0, 1) of the shape of x.

        Args:
            rng: Generator.
            shape: Shape of x, with any batch axes.
            dtype: float64 (53 bits) or float32 (24 bits, two from each word of the generator).
        """
        return Draws(private=draw_uniforms(rng, shape, dtype, "StochasticQuantizer"))

    def message(self, x: Any, draws: Draws) -> Message:
        x, norms, uniforms = self._with_uniforms(x, draws)
        levels = np.empty(uniforms.shape, dtype=np.int64)
        self._round(x, norms, uniforms, uniforms.dtype, levels)
        bits = self._code.bits(levels) + self.norm_bits * norms.shape[-1]
        scales = np.broadcast_to(norms, (*levels.shape[:-1], norms.shape[-1]))
        return Message(levels, scales, int(bits) if bits.ndim == 0 else bits, levels.shape)

    def repeated(self, rng: np.random.Generator, shape: tuple[int, ...]) -> RoundedRows | None:
        """Return what compresses float64 arrays of this shape over and over; None if not simple."""
        return rounded_rows(self, self._steps, self._code, rng, shape) if self._short_way else None

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        if (norms := message.scales) is None:
            raise ArgumentError(
                "StochasticQuantizer: the message has no norms; it was made by another compressor"
            )
        out = message.symbols.astype(norms.dtype)
        grid = self._grid(norms)
        rows, d = out.reshape(-1, out.shape[-1]), out.shape[-1]
        nodes = self._steps.nodes or 1
        size = nodes * max(1, TILE_BYTES // (nodes * d * out.itemsize))  # rows that stay in a cache
        for r0 in range(0, len(rows), size):
            part = rows[r0 : r0 + size]
            part *= grid.spacing(r0, r0 + len(part), 0, d)
        return grid.restore(out)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        x, norms, uniforms = self._with_uniforms(x, draws)
        out = np.empty(uniforms.shape, dtype=x.dtype)
        return self._round(x, norms, uniforms, uniforms.dtype, out).restore(out)

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Compress with fresh draws, those of `draw(rng, size + x.shape, x.dtype)`, without storing them.

        Memory beyond the result is a few tiles; a mean over many samples should use `sample_chunks`.
        """
        if size is None and self._short_way and is_known(tier):
            sampled = rounded_vector(x, rng, self._steps, self.norm_bits, chosen(tier, "StochasticQuantizer"))
            if sampled is not None:
                return sampled
        name, given = "StochasticQuantizer", x
        _, axes, (x, norms), tier = all_of(
            name,
            lambda: require_generator(rng, name),
            lambda: as_axes(size, "size", name),
            lambda: self._with_norms(given),
            lambda: chosen(tier, name),
        )
        out = np.empty(axes + x.shape, dtype=x.dtype)
        uniforms = streamed_uniforms(rng, out.shape, x.dtype, tier)
        return self._round(x, norms, uniforms, x.dtype, out).restore(out)

    def _with_norms(self, x: Any) -> tuple[Array, Array]:
        x = as_vectors(x, "StochasticQuantizer")
        self._require_dimension(x.shape)
        if self._steps.largest > np.finfo(x.dtype).max / 4:
            raise ArgumentError(f"StochasticQuantizer: steps up to {self._steps.largest} exceed {x.dtype}")
        lengths = self._steps.block_lengths(x.shape[-1])
        # Non-finite entries are found here: they show in the norms.
        if self.norm == "max":
            blocks = Blocks(lengths, "StochasticQuantizer")
            return x, sent_scales(x, blocks, self.norm_bits, None, "StochasticQuantizer")
        return x, block_norms(x, lengths, self.norm_bits, "StochasticQuantizer")

    def _with_uniforms(self, x: Any, draws: Draws) -> tuple[Array, Array, Array | PhiloxUniforms]:
        problems = Problems("StochasticQuantizer")
        with problems.collect():
            uniforms = lazy_or_uniforms(draws, "StochasticQuantizer")
            x = self._without_repeats(x, uniforms.shape)
        with problems.collect():
            x, norms = self._with_norms(x)
        problems.raise_if_any()
        shape = require_draws_fit(x.shape, uniforms, "StochasticQuantizer")
        if uniforms.shape[-x.ndim :] != x.shape:
            uniforms = np.broadcast_to(uniforms, shape)
            x = np.ascontiguousarray(np.broadcast_to(x, shape))
            norms = np.ascontiguousarray(np.broadcast_to(norms, (*shape[:-1], norms.shape[-1])))
        return x, norms, uniforms

    def _without_repeats(self, x: Any, drawn: tuple[int, ...]) -> Any:
        """Return x without the leading axes that `broadcast_to` made: the draws have them too."""
        own = 1 if self._steps.nodes is None else 2
        if isinstance(x, np.ndarray) and x.size:
            while own < x.ndim and x.strides[0] == 0 and x.shape == drawn[-x.ndim :]:
                x = x[0]
        return x

    def _grid(self, norms: Array) -> LevelGrid:
        return LevelGrid(self._steps, norms, bounded=self.norm == "max")

    def _round(self, x: Array, norms: Array, uniforms: Any, dtype: Any, out: Array) -> LevelGrid:
        """Round into out at the scale of the grid, which is returned."""
        grid = self._grid(norms)
        if out.size:
            rows = grid.scaled(x).reshape(-1, x.shape[-1])
            if isinstance(uniforms, np.ndarray):
                uniforms = uniforms.reshape(-1, *rows.shape)
            round_tiles(rows, grid.spacing, uniforms, dtype, out.reshape(-1, *rows.shape))
        return grid

    # ---------------------------------------------------------------- exact law

    def _law(self, x: Any) -> tuple[Array, Array, Array]:
        """Return (spacing h N, floor of v, fractional part of v), float64, (..., d) or (..., 1) the first."""
        x, norms = self._with_norms(x)
        grid = self._grid(norms)
        # The same operations as the sampler, in the same dtype, so that both see the same fractional parts.
        rows = grid.scaled(x).reshape(-1, x.shape[-1])
        v = (rows / grid.spacing(0, len(rows), 0, x.shape[-1])).reshape(x.shape)
        np.abs(v, out=v)
        floor = np.floor(v)
        v -= floor
        return grid.true_spacing(x.shape), floor, v.astype(np.float64, copy=False)

    def _exact_law(self, x: Sequence[Fraction], node: int) -> list[tuple[Fraction, int, Fraction]]:
        """Return (spacing, floor, fractional part) per coordinate in Fractions."""
        law = []
        for block, N in self._reference_norms(x, exact=True):
            for j in block:
                h = self._steps.exact(node, j)
                u = abs(x[j]) / (h * N) if N else Fraction(0)
                law.append((h * N, math.floor(u), u - math.floor(u)))
        return law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return sum_j W_jj h_j^2 N_l^2 p_j (1 - p_j), the exact E||Q(x) - x||^2_W (squant/var).

        The errors are independent, so entries of W off the diagonal do not matter. The result is infinite
        where it exceeds the range of float64.

        Args:
            x: Input, (..., d); any Fraction in a nested list selects exact arithmetic.
            weight: W, (d,) or (d, d), positive semidefinite; the identity by default.
            node_weight: One W per node, (n, d) or (n, d, d), for x (..., n, d).
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_diagonal(exact_weight(weight, node_weight, node, len(vector)))
                law = self._exact_law(vector, node)
                return sum(
                    (wj * s * s * p * (1 - p) for wj, (s, _, p) in zip(w, law, strict=True)), Fraction(0)
                )

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        simple = type(self) is StochasticQuantizer and w is None and self._steps.is_one
        if simple and chosen(None, "StochasticQuantizer.variance") == "fused":
            x, norms = self._with_norms(x)
            grid, rows = self._grid(norms), x.reshape(-1, x.shape[-1])
            even, gap = grid.spacing(0, len(rows), 0, x.shape[-1]), grid.true_spacing(x.shape)
            found = rounding_variance(grid.scaled(x).reshape(rows.shape), even, gap.reshape(-1))
            return number(found.reshape(x.shape[:-1]))
        spacing, _, p = self._law(x)
        return number(two_point_variance(spacing, p, w, node_weight is not None))

    def moments(self, x: Any, weight: Any = None) -> Moments:
        x, w = self._weighted(x, weight)
        spacing, _, p = self._law(x)
        return two_point_moments(spacing * (1 - p), spacing * p, p, w, np.zeros_like(p))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) for the 2^m patterns of one vector with m coordinates between levels."""
        exact, vector = is_rational(x), self._literal_vector(x)
        p: list[Any] = [law[2] for law in self._exact_law(vector, 0)] if exact else self._law(x)[2].tolist()
        one = Fraction(1) if exact else 1.0
        choices = []
        for pj in p:
            below = (1 - pj, pj + (1 - pj) / 2 if exact else min(pj + (1 - pj) / 2, 1 - 2.0**-53))
            choices.append([below, (pj, pj / 2)] if pj else [(one, one / 2)])
        for pattern in itertools.product(*choices):
            uniforms: Any = [u for _, u in pattern]
            private = uniforms if exact else np.array(uniforms)
            yield math.prod((q for q, _ in pattern), start=one), Draws(private=private)

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                law = self._exact_law(vector, node)
                norms = self.norm_bits * len(self._steps.block_lengths(len(vector)))
                return norms + self._code.exact_bits([k for _, k, _ in law], [p for _, _, p in law])

            return map_vectors(self._literal(x), exact)
        _, floor, p = self._law(x)
        blocks = len(self._steps.block_lengths(p.shape[-1]))
        return number(self._code.expected_bits(floor.astype(np.int64), p) + float(self.norm_bits * blocks))

    # ---------------------------------------------------------------- payload: norms, then levels

    def _write(self, writer: BitWriter, message: Message) -> None:
        writer.append(to_words(np.asarray(message.scales), self.norm_bits), self.norm_bits)
        self._code.write(writer, message.symbols)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        words = reader.read_many(len(self._steps.block_lengths(d)), self.norm_bits)
        norms = norms_from_words(words, self.norm_bits, dtype)
        return Message(self._code.read(reader, d), norms, None, (d,))
