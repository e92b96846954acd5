"""Greedy gradient sparsification (Wangni, Wang, Liu and Zhang, arXiv 1710.09854, algorithm 3)."""

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
from impl.compressors.sparse.atomic_sparsification import AtomicSparsification
from impl.compressors.sparse.entries import (
    as_sent_literally,
    norms_from_words,
    read_present,
    require_value_bits,
    to_words,
    write_present,
)
from impl.compressors.tiled_sums import TILE, tiled_sum
from impl.errors import ArgumentError, Problems

_CODE = SparseCode(GAMMA)
_LARGE = 900  # exponent below which no sum of magnitudes leaves the range


class GreedySparsification(AtomicSparsification):
    r"""`AtomicSparsification` with a level that is approached from above; what is not sure is sent as signs.

    From $p_j=\min(1,\kappa d|x_j|/\|x\|_1)$ each round multiplies the chances below 1 by one factor, so that
    all would sum to $\kappa d$, and cuts them at 1. Any such $p_j=\min(1,|x_j|/\tau)$ has the least variance
    of its own sum, which is at most $\kappa d$: what is lost to `AtomicSparsification(kappa d)` is the part
    of the budget that cutting leaves unused. A round either makes a further entry sure or leaves nothing
    unused: d rounds lose nothing.

    The entries with $p_j=1$ are sent as they are; the others are all $\pm\tau$: sign and gap of each and,
    once, $\tau$.

    Args:
        density: $\kappa$ in (0, 1], a bound on the expected share of kept entries.
        rounds: Rounds at most, 0 or more; two are what the paper takes.
        value_bits: Bits of an entry and of $\tau$, 64 or 32, as of `AtomicSparsification`.
    """

    _by_tiles = True

    def __init__(self, density: Any, *, rounds: int = 2, value_bits: int = 64) -> None:
        problems = Problems("GreedySparsification")
        real = isinstance(density, int | float | Fraction) and not isinstance(density, bool)
        problems.require(real and 0 < density <= 1, f"density={density!r} must be a number in (0, 1]")
        whole = isinstance(rounds, int | np.integer) and not isinstance(rounds, bool)
        problems.require(whole and rounds >= 0, f"rounds={rounds!r} must be an integer of at least 0")
        require_value_bits(problems, value_bits)
        problems.raise_if_any()
        self.density, self.rounds, self.value_bits = density, int(rounds), int(value_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(Fraction(1, 3))
        yield cls(Fraction(2, 3), rounds=0)
        yield cls(Fraction(1, 6), value_bits=32)

    def __repr__(self) -> str:
        bits = "" if self.value_bits == 64 else ", value_bits=32"
        return f"GreedySparsification({self.density!r}, rounds={self.rounds}{bits})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.density, self.rounds, self.value_bits)

    # ---------------------------------------------------------------- the level

    def _reference_level(self, sent: list[Any]) -> Any:
        sizes = [abs(xj) for xj in sent]
        budget: Any = Fraction(self.density) * len(sizes)
        if not isinstance(sent[0], Fraction):
            budget = float(budget)
        tau = sum(s / budget for s in sizes)
        for _ in range(self.rounds):
            p = [s / tau for s in sizes if s < tau]
            if not any(p):
                break
            c = (budget - (len(sizes) - len(p))) / sum(p)
            if c <= 1:
                break
            tau = tau / c
        return as_sent_literally(tau, self.value_bits)

    def _levels(self, sizes: Array) -> Array:
        budget = float(Fraction(self.density) * sizes.shape[-1])
        exponent = np.maximum(np.frexp(sizes.max(axis=-1, keepdims=True))[1] - _LARGE, 0)
        sizes = np.ldexp(sizes, -exponent)
        tau = np.sum(sizes, axis=-1, keepdims=True) / budget
        for _ in range(self.rounds):
            sure = sizes >= tau
            rest = np.sum(np.where(sure, 0.0, sizes), axis=-1, keepdims=True)
            room = budget - np.count_nonzero(sure, axis=-1, keepdims=True)
            open_ = (rest > 0) & (room > 0)
            tau = np.where(open_, np.minimum(tau, rest / np.where(open_, room, 1.0)), tau)
        return np.asarray(np.ldexp(tau, exponent))

    def _level_of_long(self, sent: Array) -> Array:
        d = len(sent)
        budget = float(Fraction(self.density) * d)
        exponent = max(int(np.frexp(max(float(sent.max()), -float(sent.min())))[1]) - _LARGE, 0)

        def sizes(first: int, last: int) -> Array:
            own = np.abs(sent[first:last]).astype(np.float64, copy=False)
            return np.asarray(np.ldexp(own, -exponent)) if exponent else own

        def unsure(first: int, last: int) -> Array:
            own = sizes(first, last)
            own[own >= tau] = 0.0
            return own

        tau = tiled_sum(d, sizes) / budget
        for _ in range(self.rounds):
            rest = tiled_sum(d, unsure)
            sure = sum(int(np.count_nonzero(sizes(at, at + TILE) >= tau)) for at in range(0, d, TILE))
            if rest > 0 and budget > sure:
                tau = min(tau, rest / (budget - sure))
        return np.asarray(np.ldexp([tau], exponent))

    # ---------------------------------------------------------------- what is sent

    def message(self, x: Any, draws: Draws) -> Message:
        entries, tau = self._kept(x, draws)
        sure, other = _parts(entries, tau)
        bits = self.value_bits * (1 + np.count_nonzero(sure, axis=-1)) + np.count_nonzero(other, axis=-1)
        bits = bits + _CODE.gap_bits(sure) + _CODE.gap_bits(other)
        tau = np.broadcast_to(tau, (*entries.shape[:-1], 1))
        return Message(entries, tau, int(bits) if np.ndim(bits) == 0 else bits, entries.shape)

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                tau = self._reference_level(vector)
                sure = [Fraction(int(abs(xj) > tau)) for xj in vector]
                other = [p - s for p, s in zip(self._exact_chances(vector), sure, strict=True)]
                gaps = _CODE.exact_gap_bits(sure) + _CODE.exact_gap_bits(other)
                return gaps + self.value_bits * sum(sure, Fraction(1)) + sum(other, Fraction(0))

            return map_vectors(self._literal(x), exact)
        sent, tau, p = self._law(self._vectors(x))
        sure = np.abs(sent) > tau
        other = np.where(sure, 0.0, p)
        bits = _CODE.gap_bits(sure) + _CODE.expected_gap_bits(other) + other.sum(axis=-1)
        return number(bits + self.value_bits * (1.0 + np.count_nonzero(sure, axis=-1)))

    # ---------------------------------------------------------------- payload: tau, entries, signs

    def _write(self, writer: BitWriter, message: Message) -> None:
        if message.scales is None:
            raise ArgumentError(
                "GreedySparsification: the message has no scale; it was made by another compressor"
            )
        writer.append(to_words(message.scales, self.value_bits), self.value_bits)
        sure, other = _parts(message.symbols, message.scales)
        write_present(writer, _CODE, np.where(sure, message.symbols, 0), self.value_bits)
        _CODE.write_entries(writer, other, (message.symbols[other] < 0).astype(np.uint64), 1)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        tau = norms_from_words([reader.read(self.value_bits)], self.value_bits, dtype)
        entries = read_present(reader, _CODE, d, self.value_bits, dtype)
        positions, negative = _CODE.read_entries(reader, d, 1)
        entries[positions] = np.where(np.array(negative, dtype=bool), -tau, tau)
        return Message(entries, tau, None, (d,))


def _parts(entries: Array, tau: Array) -> tuple[Array, Array]:
    """Return which entries are sent as they are, and which as signs."""
    sizes = np.abs(entries)
    return sizes > tau, (sizes > 0) & (sizes == tau)
