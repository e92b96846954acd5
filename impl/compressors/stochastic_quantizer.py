"""Stochastic quantizer: standard, block and varying-step (arXiv 2106.03524, squant section 0.1)."""

import functools
import itertools
import math
import struct
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA, OMEGA
from impl.coding.sparse_code import SparseCode
from impl.compressors.block_norms import block_norms
from impl.compressors.checked_input import (
    as_vectors,
    depth,
    exact_diagonal,
    exact_weight,
    is_rational,
    map_vectors,
    number,
    to_nested,
    weight_diagonal,
)
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, sample_shape
from impl.compressors.step_sizes import StepSizes
from impl.compressors.stochastic_rounding import UniformStream, draw_uniforms, round_tiles
from impl.compressors.two_point_error import two_point_moments
from impl.errors import ArgumentError, Problems

CODES: dict[str, SparseCode | DenseCode] = {
    "sparse-gamma": SparseCode(GAMMA),
    "sparse-omega": SparseCode(OMEGA),
    "dense-gamma": DenseCode(GAMMA),
}


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

    Raises:
        ArgumentError: A step is not finite, not positive or below 2**-62; blocks do not fit; an unknown code.
    """

    unbiased = True

    def __init__(
        self, steps: Any, blocks: Any = None, norm_bits: int = 64, *, code: str = "sparse-gamma"
    ) -> None:
        problems = Problems("StochasticQuantizer")
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        problems.require(code in CODES, f"code={code!r} is unknown; choose one of {', '.join(CODES)}")
        problems.raise_if_any()
        self.steps, self.blocks, self.norm_bits, self.code = steps, blocks, int(norm_bits), code
        self._steps = StepSizes(steps, blocks)
        self._code = CODES[code]
        lengths = self._steps.lengths
        several = lengths is not None and len(lengths) > 1
        self._block_of = (
            np.repeat(np.arange(len(lengths)), lengths) if lengths is not None and several else None
        )

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(1)
        yield cls(Fraction(1, 4), code="sparse-omega")
        yield cls(Fraction(1, 16), code="dense-gamma")
        yield cls([Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), 2, Fraction(1, 5), 1])
        yield cls([Fraction(1, 2), Fraction(1, 3), 3], blocks=[2, 3, 1])
        yield cls(Fraction(1, 3), norm_bits=32)

    def __repr__(self) -> str:
        blocks = "" if self.blocks is None else f", blocks={list(self.blocks)}"
        bits = "" if self.norm_bits == 64 else ", norm_bits=32"
        code = "" if self.code == "sparse-gamma" else f", code={self.code!r}"
        steps = np.array2string(self._steps.values, threshold=8, separator=", ")
        return f"StochasticQuantizer({steps}{blocks}{bits}{code})"

    def _parameters(self) -> tuple[Hashable, ...]:
        steps = self._steps
        return (steps.values.tobytes(), steps.values.shape, steps.lengths, self.norm_bits, self.code)

    @property
    def dimension(self) -> int | None:
        return self._steps.dimension

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        exact = is_rational(x)
        x, uniforms = to_nested(x, exact), to_nested(draws.private, is_rational(draws.private))
        if depth(uniforms) > depth(x):
            return [self.reference(x, Draws(private=item)) for item in uniforms]
        return self._reference_nested(x, uniforms, exact, 0)

    def _reference_nested(self, x: Any, uniforms: Any, exact: bool, node: int) -> Any:
        if isinstance(x[0], list):
            pairs = zip(x, uniforms, strict=True)
            return [self._reference_nested(xi, ui, exact, i) for i, (xi, ui) in enumerate(pairs)]
        Q: list[Any] = []
        for start, N in self._reference_norms(x, exact):
            for j in start:
                if N == 0:
                    Q.append(x[j] * 0)
                    continue
                h = self._steps.exact(node, j) if exact else self._steps.number(node, j)
                a = h * N
                tame = exact or 1e-290 < a < 1e290  # else h N or N may be inaccurate or infinite
                v = abs(x[j]) / a if tame else abs(x[j]) / N / h
                level = math.floor(v)
                if uniforms[j] < v - level:
                    level += 1
                size = level * a if tame else N * (h * level)
                Q.append(size if x[j] > 0 else -size)
        return Q

    def _reference_norms(self, x: Sequence[Any], exact: bool) -> list[tuple[range, Any]]:
        """Return the coordinates and the norm of each block; an irrational norm of rational x raises."""
        self._require_dimension((len(x),))
        found: list[tuple[range, Any]] = []
        at = 0
        for length in self._steps.block_lengths(len(x)):
            block = range(at, at + length)
            at += length
            if exact:
                found.append((block, _rational_norm([x[j] for j in block])))
                continue
            N = math.hypot(*(x[j] for j in block))
            if self.norm_bits == 32:
                N = struct.unpack("<f", struct.pack("<f", N))[0]
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

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        norms = message.scales
        if norms is None:
            raise ArgumentError(
                "StochasticQuantizer: the message has no norms; it was made by another compressor"
            )
        out = message.symbols.astype(norms.dtype)
        d = out.shape[-1]
        _, norms, exponents = self._tame(None, norms)
        rows = out.reshape(-1, d)
        rows *= self._spacing(norms.reshape(len(rows), -1), 0, len(rows), 0, d)
        return self._restore(out, exponents)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        x, norms, uniforms = self._with_uniforms(x, draws)
        out = np.empty(uniforms.shape, dtype=x.dtype)
        return self._restore(out, self._round(x, norms, uniforms, uniforms.dtype, out))

    def sample(self, x: Any, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Array:
        """Compress with fresh draws, those of `draw(rng, size + x.shape, x.dtype)`, without storing them.

        Memory beyond the result is a few tiles; a mean over many samples should use `sample_chunks`.
        """
        if not isinstance(rng, np.random.Generator):
            raise ArgumentError(f"StochasticQuantizer: rng={rng!r} must be a numpy.random.Generator")
        x, norms = self._with_norms(x)
        out = np.empty(sample_shape(size) + x.shape, dtype=x.dtype)
        return self._restore(out, self._round(x, norms, UniformStream(rng, x.dtype), x.dtype, out))

    def _with_norms(self, x: Any) -> tuple[Array, Array]:
        x = as_vectors(x, "StochasticQuantizer")
        self._require_dimension(x.shape)
        nodes = self._steps.nodes
        if nodes is not None and (x.ndim < 2 or x.shape[-2] != nodes):
            raise ArgumentError(
                f"StochasticQuantizer: x has shape {x.shape}, steps are given for n={nodes} nodes; "
                "give x (..., n, d)"
            )
        if self._steps.largest > np.finfo(x.dtype).max / 4:
            raise ArgumentError(f"StochasticQuantizer: steps up to {self._steps.largest} exceed {x.dtype}")
        # Non-finite entries are found here: their sum of squares is not finite.
        return x, block_norms(
            x, self._steps.block_lengths(x.shape[-1]), self.norm_bits, "StochasticQuantizer"
        )

    def _with_uniforms(self, x: Any, draws: Draws) -> tuple[Array, Array, Array]:
        x, norms = self._with_norms(x)
        uniforms = np.asarray(draws.private)
        if uniforms.dtype == object:
            uniforms = uniforms.astype(np.float64)
        if uniforms.dtype.kind != "f" or uniforms.shape[-1:] != x.shape[-1:]:
            raise ArgumentError(
                f"StochasticQuantizer: draws.private is {uniforms.dtype} of shape {uniforms.shape}, x has "
                f"shape {x.shape}; take draws from draw(rng, x.shape)"
            )
        if uniforms.shape[-x.ndim :] != x.shape:
            shape = np.broadcast_shapes(x.shape, uniforms.shape)
            uniforms = np.broadcast_to(uniforms, shape)
            x = np.ascontiguousarray(np.broadcast_to(x, shape))
            norms = np.ascontiguousarray(np.broadcast_to(norms, (*shape[:-1], norms.shape[-1])))
        return x, norms, uniforms

    def _round(self, x: Array, norms: Array, uniforms: Any, dtype: Any, out: Array) -> Array | None:
        """Round into out at the scale of `_tame`, whose exponents are returned."""
        x, norms, exponents = self._tame(x, norms)
        rows = x.reshape(-1, x.shape[-1])
        norms = norms.reshape(len(rows), -1)
        if isinstance(uniforms, np.ndarray):
            uniforms = uniforms.reshape(-1, *rows.shape)
        spacing = functools.partial(self._spacing, norms)
        round_tiles(rows, spacing, uniforms, dtype, out.reshape(-1, *rows.shape))
        return exponents

    def _tame(self, x: Any, norms: Array) -> tuple[Any, Array, Array | None]:
        """Replace zero norms by one; scale by powers of two where h N or the result may leave the range.

        Returns:
            x, norms and the exponents per coordinate (None where nothing was scaled).
        """
        if not norms.size:
            return x, norms, None
        if norms.min() == 0:
            norms = np.where(norms == 0, norms.dtype.type(1), norms)
        limits = np.finfo(norms.dtype)
        smallest, largest = float(norms.min()), float(norms.max())
        if (
            smallest * self._steps.smallest > 2 * float(limits.tiny)
            and largest * (1 + self._steps.largest) < float(limits.max) / 4
        ):
            return x, norms, None
        norms, exponent = np.frexp(norms)
        exponents = exponent if self._block_of is None else exponent[..., self._block_of]
        return None if x is None else np.ldexp(x, -exponents), norms, exponents

    def _restore(self, out: Array, exponents: Array | None) -> Array:
        if exponents is None:
            return out
        with np.errstate(over="ignore"):
            np.ldexp(out, exponents, out=out)
        if not np.isfinite(out).all():
            raise ArgumentError(
                f"StochasticQuantizer: the result exceeds the range of {out.dtype}; scale x down"
            )
        return out

    def _spacing(self, norms: Array, r0: int, r1: int, c0: int, c1: int) -> Array:
        """Return h N on a tile of rows and columns, to be broadcast."""
        norm = norms[r0:r1] if self._block_of is None else norms[r0:r1, self._block_of[c0:c1]]
        return np.asarray(norm * self._steps.tile(norms.dtype, r0, r1, c0, c1))

    # ---------------------------------------------------------------- exact law

    def _law(self, x: Any) -> tuple[Array, Array, Array]:
        """Return (spacing h N, floor of v, fractional part of v), each (..., d), int64 in the middle."""
        x, norms = self._with_norms(x)
        d = x.shape[-1]
        # The same operations as the sampler, in the same dtype, so that both see the same fractional parts.
        scaled, positive, exponents = self._tame(x, norms)
        rows = x.size // d
        spacing = self._spacing(positive.reshape(rows, -1), 0, rows, 0, d)
        v = np.abs(scaled.reshape(rows, d) / spacing).reshape(x.shape)
        spacing = np.broadcast_to(spacing, (rows, d)).reshape(x.shape).astype(np.float64)
        with np.errstate(over="ignore"):
            spacing = spacing if exponents is None else np.ldexp(spacing, exponents)
        floor = np.floor(v)
        return spacing, floor.astype(np.int64), (v - floor).astype(np.float64)

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
            weight: W, (d,) or (d, d); the identity by default.
            node_weight: One W per node, (n, d) or (n, d, d), for x (..., n, d).
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_diagonal(exact_weight(weight, node_weight, node, len(vector)))
                law = self._exact_law(vector, node)
                return sum(
                    (wj * s * s * p * (1 - p) for wj, (s, _, p) in zip(w, law, strict=True)), Fraction(0)
                )

            return map_vectors(to_nested(x, exact=True), exact)
        spacing, _, p = self._law(x)
        w = weight_diagonal(self._weight(spacing.shape, weight, node_weight), node_weight is not None)
        with np.errstate(over="ignore"):
            root = spacing * np.sqrt(p * (1 - p))  # squared last, so that the range is used to the end
            return number(np.sum(w * (root * root), axis=-1))

    def moments(self, x: Any, weight: Any = None) -> Moments:
        spacing, _, p = self._law(x)
        return two_point_moments(
            spacing * (1 - p), spacing * p, p, self._weight(spacing.shape, weight), np.zeros_like(p)
        )

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) for the 2^m patterns of one vector with m coordinates between levels."""
        exact = is_rational(x)
        if exact:
            p: list[Any] = [law[2] for law in self._exact_law(to_nested(x, exact=True), 0)]
        else:
            p = self._law(x)[2].tolist()
        one = Fraction(1) if exact else 1.0
        choices = []
        for pj in p:
            below = (1 - pj, pj + (1 - pj) / 2 if exact else min(pj + (1 - pj) / 2, 1 - 2.0**-53))
            choices.append([below, (pj, pj / 2)] if pj else [(one, one / 2)])
        for pattern in itertools.product(*choices):
            uniforms: Any = [u for _, u in pattern]
            probability = math.prod((q for q, _ in pattern), start=one)
            yield probability, Draws(private=uniforms if exact else np.array(uniforms))

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                law = self._exact_law(vector, node)
                norms = self.norm_bits * len(self._steps.block_lengths(len(vector)))
                return norms + self._code.exact_bits([k for _, k, _ in law], [p for _, _, p in law])

            return map_vectors(to_nested(x, exact=True), exact)
        _, floor, p = self._law(x)
        blocks = len(self._steps.block_lengths(p.shape[-1]))
        return number(self._code.expected_bits(floor, p) + float(self.norm_bits * blocks))

    # ---------------------------------------------------------------- payload: norms, then levels

    def _write(self, writer: BitWriter, message: Message) -> None:
        norms = np.asarray(message.scales)
        words = norms.astype(np.float64).view(np.uint64) if self.norm_bits == 64 else None
        if words is None:
            words = norms.astype(np.float32).view(np.uint32)
        writer.append(words, self.norm_bits)
        self._code.write(writer, message.symbols)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        count = len(self._steps.block_lengths(d))
        words = [reader.read(self.norm_bits) for _ in range(count)]
        if self.norm_bits == 64:
            norms = np.array(words, dtype=np.uint64).view(np.float64)
        else:
            norms = np.array(words, dtype=np.uint32).view(np.float32)
        return Message(self._code.read(reader, d), norms.astype(dtype), None, (d,))


def _rational_norm(x: Sequence[Fraction]) -> Fraction:
    square = sum((item * item for item in x), Fraction(0))
    norm = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    if norm * norm != square:
        raise ArgumentError(
            f"StochasticQuantizer: the norm of {[str(item) for item in x]} is irrational; in rational mode "
            "give a vector of rational norm, such as (1, 2, 2) or (3, 4)"
        )
    return norm
