"""Correlated quantization on an unbounded grid with a common shift."""

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.elias import GAMMA
from impl.compressors.checked_input import as_uniforms
from impl.compressors.contract import Array, Draws
from impl.compressors.joint.client_weights import as_exact_number
from impl.compressors.joint.correlated.stratified_thresholds import bit_outcomes, checked_strata, draw_strata
from impl.compressors.joint.correlated.stratified_variance import (
    stratified_variance,
    stratified_variance_rational,
)
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.sample_by_clients import (
    Tiles,
    next_uniforms,
    tile_slices,
    uniforms_in_turn,
)
from impl.compressors.philox_draws import PhiloxDraws
from impl.compressors.rounding.stochastic_rounding import draw_uniforms
from impl.errors import ArgumentError, Problems

_LARGEST_LEVEL = 2.0**61  # levels beyond it leave the range of the code


class CorrelatedGrid(JointCompressor):
    r"""Q(x) = s + beta (floor(t) + 1[U < {t}]) with t = (x - s) / beta and stratified U.

    The k-level quantizer of arXiv 2401.05518. Integer levels are sent, in the Elias gamma code of their
    zigzag number. Strata and a random shift are shared. A zero vector is sent as exact zero only where 0 is a
    point of the grid: unlike the other joint compressors this one has no scale that tells.

    Args:
        step: beta, positive; a Fraction stays exact.
        shift: s, or "random" for one common shift per round, uniform on [0, beta).
    """

    scale_equivariance = "none"

    def __init__(self, step: Any, shift: Any = 0) -> None:
        problems = Problems("CorrelatedGrid")
        self.step: Any = 1
        self.shift: Any = 0
        with problems.collect():
            self.step = as_exact_number(step, "step", "CorrelatedGrid", positive=True)
        if isinstance(shift, str):
            problems.require(shift == "random", f'shift={shift!r} must be a finite number or "random"')
            self.shift = shift
        else:
            with problems.collect():
                self.shift = as_exact_number(shift, "shift", "CorrelatedGrid")
        problems.raise_if_any()

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(Fraction(1, 2))
        yield cls(0.75, "random")
        yield cls(2, Fraction(1, 3))

    def __repr__(self) -> str:
        return f"CorrelatedGrid({self.step}, {self.shift!r})"

    def _parameters(self) -> tuple[Hashable, ...]:
        # By value: 1 and 1.0 are the same grid, for the receiver, too.
        return (Fraction(self.step), self.shift if self.shift == "random" else Fraction(self.shift))

    # ---------------------------------------------------------------- draws

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, ...]:
        """Return strata (..., n, d), and the random shift as a fraction of the step (...)."""
        strata = draw_strata(rng, shape)
        return (strata, np.asarray(rng.random(shape[:-2]))) if self.shift == "random" else (strata,)

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array | PhiloxDraws:
        return draw_uniforms(rng, shape, np.float64, "CorrelatedGrid")

    def _clients_of(self, draws: Draws) -> int | None:
        return int(np.shape(draws.shared[0])[-2]) if isinstance(draws.shared, tuple) else None

    def _parts(self, shared: Any, n: int, d: int) -> tuple[Array, Any]:
        """Return the strata and the shift, a number or an array (..., 1, 1)."""
        wanted = 2 if self.shift == "random" else 1
        if not isinstance(shared, tuple) or len(shared) != wanted:
            raise ArgumentError(
                f"CorrelatedGrid: draws.shared must be {wanted} arrays, the first strata (..., {n}, {d}); "
                "take draws from draw(rng, x.shape)"
            )
        strata = checked_strata(shared[0], n, d, "CorrelatedGrid")
        if wanted == 1:
            return strata, float(self.shift)
        return strata, float(self.step) * np.asarray(shared[1], dtype=np.float64)[..., None, None]

    # ---------------------------------------------------------------- literal

    def _literal_shift(self, shared: Any, exact: bool) -> Any:
        if self.shift != "random":
            return Fraction(self.shift) if exact else float(self.shift)
        place = np.asarray(shared[1]).item()
        return Fraction(self.step) * Fraction(place) if exact else float(self.step) * float(place)

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        n, exact = len(rows), isinstance(rows[0][0], Fraction)
        strata = self._parts(draws.shared, n, len(rows[0]))[0].tolist()
        jitter = self._literal_private(draws, n, len(rows[0]))
        beta, s = (
            (Fraction(self.step) if exact else float(self.step)),
            self._literal_shift(draws.shared, exact),
        )
        decoded = []
        for i, row in enumerate(rows):
            values = []
            for j, item in enumerate(row):
                t = (item - s) / beta
                up = int((int(strata[i][j]) + jitter[i][j]) / n < t - math.floor(t))
                values.append(s + beta * (math.floor(t) + up))
            decoded.append(values)
        return decoded

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield the outcomes at a fixed shift; a random one takes a continuum of values and raises."""
        rows = self._literal(x)
        if self.shift == "random":
            raise ArgumentError(
                "CorrelatedGrid: a random shift has no finite list of outcomes; fix the shift"
            )
        exact = isinstance(rows[0][0], Fraction)
        beta, s = (Fraction(self.step) if exact else float(self.step)), self._literal_shift(None, exact)
        columns = []
        for j in range(len(rows[0])):
            t = [(row[j] - s) / beta for row in rows]
            columns.append(list(bit_outcomes([item - math.floor(item) for item in t])))
        for chosen in itertools.product(*columns):
            private = [list(row) for row in zip(*(item[2] for item in chosen), strict=True)]
            shared = (np.array([item[1] for item in chosen]).T,)
            yield math.prod(item[0] for item in chosen), Draws(shared, private)

    # ---------------------------------------------------------------- vectorized

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, None, Array]:
        strata, s = self._parts(draws.shared, n, x.shape[-1])
        t = (x - s) / float(self.step)
        self._require_levels(t)
        low = np.floor(t)
        position = as_uniforms(draws, "CorrelatedGrid") + strata[..., rows, :]
        levels = (low + (position < n * (t - low))).astype(np.int64)
        return levels, None, np.asarray(GAMMA.lengths(_zigzag(levels)).sum(axis=-1), dtype=np.int64)

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        if type(self) is not CorrelatedGrid:
            return None
        n, d = x.shape
        strata, shift = self._parts(self.draw_shared(rng, x.shape), n, d)
        s, step, uniforms = float(np.asarray(shift).item()), float(self.step), uniforms_in_turn(rng)

        def tiles(i: int) -> Tiles:
            for at in tile_slices(d):
                t = (x[i, at].astype(np.float64) - s) / step
                self._require_levels(t)
                low = np.floor(t)
                t -= low
                t *= n
                position = next_uniforms(uniforms, len(t))
                position += strata[i, at]
                low += position < t
                low *= step
                low += s
                low += 0.0  # no negative zeros
                yield at, low

        return (tiles(i) for i in range(n))

    def _require_levels(self, t: Array) -> None:
        if t.size and np.abs(t).max() > _LARGEST_LEVEL:
            raise ArgumentError(
                f"CorrelatedGrid: |x| / step exceeds {_LARGEST_LEVEL:.3g}; take a larger step"
            )

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        _, s = self._parts(shared, *shape[-2:])
        return np.asarray(s + float(self.step) * symbols + 0.0)

    def expected_bits(self, x: Any) -> Array:
        x = self._inputs(x).astype(np.float64)
        t = (x - (0.0 if self.shift == "random" else float(self.shift))) / float(self.step)
        low = np.floor(t)
        total = np.zeros(x.shape[:-1])
        for level in (low - 1, low, low + 1):
            if self.shift == "random":  # the shift moves t down by a uniform fraction of a step
                chance = _triangle_integral(t - level) - _triangle_integral(t - level - 1)
            else:
                chance = np.maximum(1 - np.abs(t - level), 0.0)
            total += (chance * GAMMA.lengths(_zigzag(level.astype(np.int64)))).sum(axis=-1)
        return total

    # ---------------------------------------------------------------- exact law

    def _coordinate_variances(self, x: Array) -> Array:
        n, beta = x.shape[-2], float(self.step)
        if self.shift != "random":
            t = (x - float(self.shift)) / beta
            return np.asarray((beta / n) ** 2 * stratified_variance(t - np.floor(t)))
        t = x / beta
        # As a function of the shift the variance has the period beta / n and is quadratic between the points
        # where some n t_i is whole: a rule with three points is exact there.
        ends = np.sort(np.mod(n * t, 1.0), axis=-2) / n
        first = np.zeros_like(ends[..., :1, :])
        nodes = np.concatenate([first, ends, first + 1 / n], axis=-2)
        total = np.zeros_like(x[..., 0, :])
        for k in range(n + 1):
            low, high = nodes[..., k, :], nodes[..., k + 1, :]
            width = high - low
            # Three points inside: the ends belong to other pieces.
            for place, weight in ((0.25, 2 / 3), (0.5, -1 / 3), (0.75, 2 / 3)):
                shifted = t - (low + place * width)[..., None, :]
                total += weight * width * stratified_variance(shifted - np.floor(shifted))
        return np.asarray(total * n * (beta / n) ** 2)

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        n, beta = len(x), Fraction(self.step)
        values = []
        for j in range(len(x[0])):
            t = [row[j] / beta for row in x]
            if self.shift != "random":
                moved = [item - Fraction(self.shift) / beta for item in t]
                inner = stratified_variance_rational([item - math.floor(item) for item in moved])
            else:
                inner = self._averaged(t)
            values.append((beta / n) ** 2 * inner)
        return values

    def _averaged(self, t: list[Fraction]) -> Fraction:
        """Average over a common shift: quadratic between the points where some n t_i is whole."""
        n = len(t)
        ends = sorted({Fraction(0), Fraction(1, n), *((n * item - math.floor(n * item)) / n for item in t)})
        total = Fraction(0)
        for low, high in itertools.pairwise(ends):
            # Inside the piece, at three points: the two ends belong to other pieces.
            at = []
            for place in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
                moved = [item - low - place * (high - low) for item in t]
                at.append(stratified_variance_rational([item - math.floor(item) for item in moved]))
            total += (high - low) * (2 * at[0] - at[1] + 2 * at[2]) / 3
        return total * n

    # ---------------------------------------------------------------- payload: the levels

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        values, widths = GAMMA.fields(_zigzag(np.asarray(symbols).reshape(-1)))
        writer.append(values, widths)

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, None]:
        words = GAMMA.read_many(reader, d)[None] - 1
        return np.where(words % 2 == 0, words // 2, -(words + 1) // 2), None


def _zigzag(levels: Array) -> Array:
    """Return 1, 2, 3, ... for the levels 0, -1, 1, -2, ..."""
    return np.where(levels >= 0, 2 * levels, -2 * levels - 1) + 1


def _triangle_integral(z: Array) -> Array:
    """Return the integral of max(0, 1 - |s|) over s below z."""
    inside = np.clip(z, -1.0, 1.0)
    return np.asarray(np.where(inside < 0, (1 + inside) ** 2 / 2, 1 - (1 - inside) ** 2 / 2))
