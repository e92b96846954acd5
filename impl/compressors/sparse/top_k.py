"""Top-k: keep the k entries of largest magnitude; biased, deterministic."""

import operator
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl import tiers
from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.elias import GAMMA
from impl.coding.sparse_code import SparseCode
from impl.compressors.checked_input import as_axes, number, quadratic_form
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, Size, Tier
from impl.compressors.literal_input import exact_weight, is_rational, map_vectors
from impl.compressors.sparse.entries import (
    as_sent,
    as_sent_literally,
    read_present,
    require_at_most,
    require_count,
    require_value_bits,
    write_present,
)
from impl.compressors.sparse.largest_entries import largest_entries, largest_of_vector
from impl.errors import Problems

_CODE = SparseCode(GAMMA)


class TopK(Compressor):
    """Keep the k entries of largest magnitude; among equals the lowest indices are kept.

    Positions are sent as gaps with a sentinel, entries as they are; a zero needs no sending.

    Args:
        k: Number of kept coordinates, at most d (checked at use).
        value_bits: Bits per entry, 64 or 32; with 32, float64 entries are rounded first.
    """

    unbiased = False

    def __init__(self, k: int, *, value_bits: int = 64) -> None:
        problems = Problems("TopK")
        require_count(problems, k)
        require_value_bits(problems, value_bits)
        problems.raise_if_any()
        self.k, self.value_bits = int(k), int(value_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(1)
        yield cls(3)
        yield cls(2, value_bits=32)

    def __repr__(self) -> str:
        return f"TopK({self.k}{'' if self.value_bits == 64 else ', value_bits=32'})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.k, self.value_bits)

    def _require_dimension(self, shape: tuple[int, ...]) -> None:
        require_at_most(self.k, shape[-1], "TopK")

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return empty draws: nothing is random."""
        return Draws()

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        return map_vectors(self._literal(x), self._reference_vector)

    def _reference_vector(self, x: list[Any], node: int) -> list[Any]:
        sent = [as_sent_literally(xj, self.value_bits) for xj in x]
        order = sorted(range(len(sent)), key=lambda j: (-abs(sent[j]), j))
        kept = set(order[: self.k])
        return [xj if j in kept else xj * 0 for j, xj in enumerate(sent)]

    def message(self, x: Any, draws: Draws) -> Message:
        entries = self._entries(x)
        present = entries != 0
        bits = _CODE.gap_bits(present) + self.value_bits * np.count_nonzero(present, axis=-1)
        return Message(entries, None, int(bits) if bits.ndim == 0 else bits, entries.shape)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        return self._entries(x)

    def _entries(self, x: Any) -> Array:
        return largest_entries(as_sent(self._vectors(x), self.value_bits, "TopK"), self.k)

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        return message.symbols.copy()

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        if size is None and type(self) is TopK and tiers.is_known(tier):
            kept = largest_of_vector(x, self.k, self.value_bits, tiers.chosen(tier, "TopK"))
            if kept is not None:
                return kept
        with tiers.tier(tier, "TopK"):
            out = self.compress(x, Draws())
        if size is None and out.flags.owndata and out is not x:
            return out
        return np.broadcast_to(out, as_axes(size, "size", "TopK") + out.shape).copy()

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return ||C(x) - x||^2_W, which is not random. Arguments as in `Compressor.variance`."""
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_weight(weight, node_weight, node, len(vector))
                e = [cj - xj for cj, xj in zip(self._reference_vector(vector, node), vector, strict=True)]
                total = Fraction(0)
                for j, row in enumerate(w):
                    along = e[j] * row if not isinstance(row, list) else sum(map(operator.mul, row, e))
                    total += e[j] * along
                return total

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        error = self.compress(x, Draws()).astype(np.float64) - x
        with np.errstate(over="ignore"):
            return number(quadratic_form(error, w, node_weight is not None))

    def moments(self, x: Any, weight: Any = None) -> Moments:
        mean = self.variance(x, weight)
        return Moments(mean, mean * 0, mean)

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield the only outcome, with probability one."""
        self._literal_vector(x)
        yield Fraction(1) if is_rational(x) else 1.0, Draws()

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                kept = self._reference_vector(vector, node)
                presence = [Fraction(int(item != 0)) for item in kept]
                return _CODE.exact_gap_bits(presence) + self.value_bits * sum(presence, Fraction(0))

            return map_vectors(self._literal(x), exact)
        return number(np.asarray(self.message(x, Draws()).bits, dtype=np.float64))

    def _write(self, writer: BitWriter, message: Message) -> None:
        write_present(writer, _CODE, message.symbols, self.value_bits)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        entries = read_present(reader, _CODE, d, self.value_bits, dtype)
        return Message(entries, None, None, (d,))
