"""Signs of the k entries of largest magnitude and one number; biased, deterministic."""

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.elias import GAMMA
from impl.coding.sparse_code import SparseCode
from impl.compressors.checked_input import number
from impl.compressors.contract import Array, Draws, Message
from impl.compressors.literal_input import is_rational, map_vectors
from impl.compressors.rounding.block_norms import block_norms, literal_norm, rational_norm
from impl.compressors.sparse.entries import as_sent_literally, norms_from_words, to_words
from impl.compressors.sparse.top_k import TopK
from impl.errors import ArgumentError, Problems

_CODE = SparseCode(GAMMA)
_SCALES = ("norm", "mean")


class TopKSigns(TopK):
    r"""Q(x)_j = N sign(x_j) on the k largest entries, else 0 (sparsification and quantization of 2003.06377).

    Args:
        k: Number of kept coordinates, at most d (checked at use); among equals the lowest indices are kept.
        scale: N is the Euclidean norm of x, or with `mean` the mean magnitude of the kept entries: a
            gradient step of size 1/L with `mean` is the step of size S_k / (k L ||x||) with `norm`.
        value_bits: Bits of N, 64 or 32; N is rounded before it is used.
    """

    unbiased = False

    def __init__(self, k: int, *, scale: str = "norm", value_bits: int = 64) -> None:
        problems = Problems("TopKSigns")
        with problems.collect():
            super().__init__(k, value_bits=value_bits)
        problems.require(scale in _SCALES, f"scale={scale!r} must be one of {', '.join(_SCALES)}")
        problems.raise_if_any()
        self.scale = scale

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(2, scale="mean")
        yield cls(2, scale="mean", value_bits=32)
        yield cls(1)

    def __repr__(self) -> str:
        bits = "" if self.value_bits == 64 else ", value_bits=32"
        return f"TopKSigns({self.k}{'' if self.scale == 'norm' else ', scale=' + repr(self.scale)}{bits})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (*super()._parameters(), self.scale)

    # ---------------------------------------------------------------- reference

    def _reference_vector(self, x: list[Any], node: int) -> list[Any]:
        order = sorted(range(len(x)), key=lambda j: (-abs(x[j]), j))
        kept = set(order[: self.k])
        N = self._reference_scale(x, [abs(x[j]) for j in order[: self.k]])
        return [x[j] * 0 if j not in kept or not x[j] else N if x[j] > 0 else -N for j in range(len(x))]

    def _reference_scale(self, x: list[Any], kept: list[Any]) -> Any:
        exact = isinstance(x[0], Fraction)
        if self.scale == "mean":
            if exact:
                return sum(kept, Fraction(0)) / self.k
            exponent = math.frexp(kept[0])[1]
            mean = math.fsum(math.ldexp(item, -exponent) for item in kept) / self.k
            return as_sent_literally(math.ldexp(mean, exponent), self.value_bits)
        if exact:
            return rational_norm(x, "TopKSigns")
        return literal_norm(x, self.value_bits, "TopKSigns")

    # ---------------------------------------------------------------- vectorized

    def message(self, x: Any, draws: Draws) -> Message:
        symbols, scales = self._parts(x)
        bits = _CODE.gap_bits(symbols != 0) + np.count_nonzero(symbols, axis=-1) + self.value_bits
        return Message(symbols, scales, int(bits) if np.ndim(bits) == 0 else bits, symbols.shape)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        kept, scales = self._kept(x)
        np.sign(kept, out=kept)
        kept *= scales
        kept += scales.dtype.type(0)
        return kept

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        if message.scales is None:
            raise ArgumentError("TopKSigns: the message has no scale; it was made by another compressor")
        return self._signed(message.symbols, message.scales)

    def _signed(self, symbols: Array, scales: Array) -> Array:
        return np.asarray(symbols.astype(scales.dtype) * scales + scales.dtype.type(0))

    def _parts(self, x: Any) -> tuple[Array, Array]:
        """Return signs int64 (..., d) of what is kept, and scales (..., 1) as they are sent."""
        kept, scales = self._kept(x)
        return np.sign(kept).astype(np.int64), scales

    def _kept(self, x: Any) -> tuple[Array, Array]:
        """Return what is kept, (..., d), an array of its own, and the scales."""
        x = self._vectors(x)
        kept = TopK._entries(self._whole, x) if self.value_bits == 32 else self._entries(x)
        if self.scale == "norm":
            scales = block_norms(x, (x.shape[-1],), self.value_bits, "TopKSigns")
        else:
            sizes = np.abs(kept).astype(np.float64, copy=False)
            exponent = np.frexp(sizes.max(axis=-1, keepdims=True))[1]
            np.ldexp(sizes, -exponent, out=sizes)
            mean = np.ldexp(sizes.sum(axis=-1, keepdims=True) / self.k, exponent)
            sent = np.dtype(np.float32) if self.value_bits == 32 or x.dtype == np.float32 else x.dtype
            with np.errstate(over="ignore"):
                scales = mean.astype(sent).astype(x.dtype)
            if not np.isfinite(scales).all():
                raise ArgumentError("TopKSigns: a mean exceeds the range of float32; use value_bits=64")
        return kept, scales

    @property
    def _whole(self) -> TopK:
        """Return the selection without rounding: only the scale is rounded."""
        return TopK(self.k)

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                kept = self._reference_vector(vector, node)
                presence = [Fraction(int(item != 0)) for item in kept]
                return _CODE.exact_gap_bits(presence) + sum(presence, Fraction(self.value_bits))

            return map_vectors(self._literal(x), exact)
        return number(np.asarray(self.message(x, Draws()).bits, dtype=np.float64))

    # ---------------------------------------------------------------- payload: the number, then signs

    def _write(self, writer: BitWriter, message: Message) -> None:
        writer.append(to_words(np.asarray(message.scales), self.value_bits), self.value_bits)
        present = message.symbols != 0
        _CODE.write_entries(writer, present, (message.symbols[present] < 0).astype(np.uint64), 1)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        scales = norms_from_words([reader.read(self.value_bits)], self.value_bits, dtype)
        positions, words = _CODE.read_entries(reader, d, 1)
        symbols = np.zeros(d, dtype=np.int64)
        symbols[positions] = 1 - 2 * np.array(words, dtype=np.int64)
        return Message(symbols, scales, None, (d,))
