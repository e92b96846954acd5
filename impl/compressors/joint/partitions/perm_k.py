"""PermK: the clients share the coordinates out among themselves."""

import itertools
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.contract import Array, Draws
from impl.compressors.joint.correlated.stratified_thresholds import strata_type
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.sample_by_clients import Tiles, tile_slices
from impl.compressors.literal_input import is_rational
from impl.compressors.sparse.entries import (
    as_sent,
    as_sent_literally,
    from_words,
    require_value_bits,
    to_words,
)
from impl.errors import ArgumentError, Problems


class PermK(JointCompressor):
    r"""Each coordinate is sent by one client, or each client sends one coordinate (arXiv 2401.05518, PermK).

    $d\ge n$: a random order of the coordinates is cut into n blocks of $\lfloor d/n\rfloor$ or $\lceil
    d/n\rceil$, dealt at random; client i sends its block, times n. $d<n$: every client sends one coordinate,
    and coordinate j is held by a random set of $q_j\in\{\lfloor n/d\rfloor,\lceil n/d\rceil\}$ clients, times
    $n/q_j$. The map is shared, so that only entries travel.

    Args:
        value_bits: Bits per entry, 64, or 32 to round float64 entries to float32 first.
    """

    def __init__(self, *, value_bits: int = 64) -> None:
        problems = Problems("PermK")
        require_value_bits(problems, value_bits)
        problems.raise_if_any()
        self.value_bits = int(value_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls()
        yield cls(value_bits=32)

    def __repr__(self) -> str:
        return "PermK()" if self.value_bits == 64 else "PermK(value_bits=32)"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.value_bits,)

    # ---------------------------------------------------------------- the map

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """Return owners (..., d) of coordinates if d >= n, else coordinates (..., n) of clients."""
        *batch, n, d = shape
        few, many = min(n, d), max(n, d)
        dealt, names = self._dealt(rng, batch, few, np.arange(many) % few)
        return np.asarray(np.take_along_axis(names, dealt, axis=-1))

    def _dealt(
        self, rng: np.random.Generator, batch: list[int], few: int, places: Array
    ) -> tuple[Array, Array]:
        """Return places among the few, (many,), in random order, (..., many), and their names (..., few)."""
        many = len(places)
        dealt = rng.permuted(np.broadcast_to(places, (*batch, many)), axis=-1)
        # Which of the few has the larger share is random, too.
        names = rng.permuted(np.broadcast_to(np.arange(few), (*batch, few)), axis=-1)
        return dealt, names

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        n, d = x.shape
        if type(self) is not PermK or d < n:
            return None
        dealt, names = self._dealt(rng, [], n, np.resize(np.arange(n, dtype=strata_type(n)), d))
        place = np.argsort(names)

        def tiles(i: int) -> Tiles:
            for at in tile_slices(d):
                part = as_sent(x[i, at].astype(np.float64, copy=False), self.value_bits, "PermK")
                entries = np.where(dealt[at] == place[i], part, 0.0)
                entries *= n
                entries += 0.0  # no negative zeros
                yield at, entries

        return (tiles(i) for i in range(n))

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
        return None

    def _drawn_batch(self, draws: Draws) -> tuple[int, ...] | None:
        return tuple(np.shape(draws.shared)[:-1])

    def _factors(self, n: int, d: int, shared: Any) -> Array:
        """Return the factor of each entry that is sent and 0 elsewhere, (..., n, d)."""
        dealt = _checked(shared, n, d)
        if d >= n:
            return np.where(dealt[..., None, :] == np.arange(n)[:, None], float(n), 0.0)
        held = dealt[..., :, None] == np.arange(d)
        _require_held(held.any(axis=-2))
        return np.asarray(held * (n / held.sum(axis=-2, keepdims=True)))

    def _owned(self, n: int, d: int, client: int, shared: Any) -> Array:
        """Return which entries one client sends, boolean (d,), without those of the others."""
        dealt = _checked(shared, n, d)
        if d >= n:
            return np.asarray(dealt == client)
        _require_held(np.bincount(dealt, minlength=d))
        return np.asarray(np.arange(d) == dealt[client])

    # ---------------------------------------------------------------- literal

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        n, d = len(rows), len(rows[0])
        exact = isinstance(rows[0][0], Fraction)
        dealt = _checked(draws.shared, n, d).tolist()
        decoded = []
        for i, row in enumerate(rows):
            factors: list[Any] = []
            for j in range(d):
                holders = [j] if d >= n else [k for k in range(n) if dealt[k] == j]
                owns = dealt[j] == i if d >= n else dealt[i] == j
                share = Fraction(n) if d >= n else Fraction(n, len(holders))
                factors.append((share if exact else float(share)) if owns else 0)
            decoded.append(
                [as_sent_literally(a, self.value_bits) * f for a, f in zip(row, factors, strict=True)]
            )
        return decoded

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        rows = self._literal(x)
        n, d = len(rows), len(rows[0])
        few, many = min(n, d), max(n, d)
        shares: dict[tuple[int, ...], int] = {}
        base = [k % few for k in range(many)]
        for names in itertools.permutations(range(few)):
            for order in set(itertools.permutations(base)):
                dealt = tuple(names[k] for k in order)
                shares[dealt] = shares.get(dealt, 0) + 1
        total = sum(shares.values())
        one: Any = Fraction(1) if is_rational(x) else 1.0
        for dealt, count in shares.items():
            yield one * count / total, Draws(np.array(dealt))

    # ---------------------------------------------------------------- vectorized

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, None, Array]:
        present = self._factors(n, x.shape[-1], draws.shared)[..., rows, :] > 0
        entries = np.where(present, as_sent(x, self.value_bits, "PermK"), 0.0)
        return entries, None, np.asarray(present.sum(axis=-1) * self.value_bits, dtype=np.int64)

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        return np.asarray(symbols * self._factors(shape[-2], shape[-1], shared)[..., rows, :] + 0.0)

    def expected_bits(self, x: Any) -> Array:
        *batch, n, d = self._inputs(x).shape
        return np.full((*batch, n), self.value_bits * max(d / n, 1.0))

    # ---------------------------------------------------------------- exact law

    def _coordinate_variances(self, x: Array) -> Array:
        n, d = x.shape[-2:]
        spread = (x - x.mean(axis=-2, keepdims=True)) ** 2
        value = float(_relative_variance(n, d)) * spread.mean(axis=-2)
        if self.value_bits == 64:
            return np.asarray(value)
        sent = as_sent(x, 32, "PermK")
        honest = PermK()._coordinate_variances(sent)
        return np.asarray(honest + (sent - x).mean(axis=-2) ** 2)

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        n, d = len(x), len(x[0])
        values = []
        for j in range(d):
            mean = sum((row[j] for row in x), Fraction(0)) / n
            spread = sum(((row[j] - mean) ** 2 for row in x), Fraction(0)) / n
            values.append(_relative_variance(n, d) * spread)
        return values

    # ---------------------------------------------------------------- payload: the entries

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        entries = np.asarray(symbols).reshape(-1)
        owned = self._owned(n, len(entries), client, shared)
        writer.append(to_words(entries[owned], self.value_bits), self.value_bits)

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, None]:
        owned = self._owned(n, d, client, shared)
        words = reader.read_many(int(owned.sum()), self.value_bits)
        symbols = np.zeros((1, d))
        symbols[0, owned] = from_words(words, self.value_bits, np.float64)
        return symbols, None


def _relative_variance(n: int, d: int) -> Fraction:
    """Return theta: the error of the estimate over the mean squared deviation of the clients."""
    if n == 1:
        return Fraction(0)
    if d >= n:
        return Fraction(1)
    # A coordinate is the mean of a simple random sample of clients, of size q or q + 1 with these chances.
    q, larger = divmod(n, d)
    sampled = [(Fraction(d - larger, d), q), (Fraction(larger, d), q + 1)]
    return sum((chance * Fraction(n - size, size * (n - 1)) for chance, size in sampled), Fraction(0))


def _require_held(held: Array) -> None:
    """Raise unless each coordinate is held by a client."""
    if not held.all():
        raise ArgumentError(
            "PermK: draws.shared leaves a coordinate without a client; take draws from draw(rng, x.shape)"
        )


def _checked(shared: Any, n: int, d: int) -> Array:
    """Return the shared map as integers: owners (..., d), or coordinates (..., n)."""
    few, many = min(n, d), max(n, d)
    dealt = None if shared is None else np.asarray(shared)
    fits = dealt is not None and dealt.dtype.kind in "iu" and dealt.shape[-1:] == (many,)
    if dealt is None or not fits or (dealt.size and not 0 <= dealt.min() <= dealt.max() < few):
        raise ArgumentError(
            f"PermK: draws.shared must be integers below {few} of shape (..., {many}), who holds "
            "which coordinate; take draws from draw(rng, x.shape)"
        )
    return dealt
