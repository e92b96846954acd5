"""What a receiver makes of a coset symbol: the decoded fine index and the estimate, from side information."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.dithered.dither_stream import LazyDither
from impl.compressors.dithered.dither_tiles import dither_of, part_of, quantize, tiles
from impl.errors import CorruptMessage

Array = npt.NDArray[Any]

_DITHER_LOST = 2.0**52  # beyond so many steps the side information has no digits left for the dither


@dataclass(frozen=True)
class CosetDecoder:
    r"""The element of $s+k\mathbb Z$ nearest to what the side information y predicts.

    Plain: $r=s-u-\alpha y/\delta$, decoded $y+\alpha\delta(r\bmod^*k)$. Range-aware ($\alpha=1$): the nearest
    element c within $\pm M$, a tie to the smaller one, decoded $\kappa((c-u)/M)$.

    Args:
        levels: M, with the step $\delta=\kappa/M$.
        ratio: k.
        alpha: Gain of both ends.
        range_aware: As above.
    """

    levels: int
    ratio: int
    alpha: float
    range_aware: bool

    def unreliable(self, side: Array, scales: Array) -> Array:
        """Tell where the plain rule falls back to y: y is 2**52 steps or more, or the step underflows."""
        if self.range_aware:
            return np.zeros(np.broadcast_shapes(side.shape, scales.shape), dtype=bool)
        step = scales / self.levels
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            lost = ~(np.abs(self.alpha * side / step) < _DITHER_LOST)  # 0 / 0 counts too
        return np.asarray((scales > 0) & ((step == 0) | lost))

    def decode(
        self, symbols: Array, dither: Array, side: Array, scales: Array, first: int = 0
    ) -> tuple[Array, Array, Array | None]:
        """Return decoded fine indices as float64, estimates, and where the result is `unreliable`.

        Args:
            symbols: s, (R, d).
            dither: u, (R, d).
            side: y, float64 (R, d).
            scales: kappa, float64, (R, 1) or (R, d).
            first: Coordinate of the first column, for errors.

        Returns:
            Indices (any number where unreliable or the scale is 0), estimates, bool (R, d) or None.

        Raises:
            CorruptMessage: A coset has no element within the range (range-aware).
        """
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            if self.range_aware:
                c = self._nearest(symbols, dither, side, scales, first)
                v, lost = c - dither, None
                v /= self.levels
                v *= scales
            else:
                step = scales / self.levels
                w = np.divide(side if self.alpha == 1 else self.alpha * side, step)
                near = max(float(w.max(initial=0)), -float(w.min(initial=0))) < _DITHER_LOST  # NaN fails
                lost = None if near else self.unreliable(side, scales)
                v = symbols - dither
                c = symbols - self._add_to_side(v, w, side, step)
        if lost is not None:
            np.copyto(v, side, where=lost)
        if not scales.all():
            np.copyto(v, 0.0, where=scales == 0)
        return c, v, lost

    def _add_to_side(self, v: Array, w: Array, side: Array, step: Any) -> Array:
        """Turn v, that is s - u, into estimates; return the multiples of k that were taken away, in w.

        Args:
            v: (R, d), written to.
            w: alpha y / step, written to.
            side: y.
            step: kappa / M, (R, 1), (R, d) or a number.
        """
        v -= w
        cells = np.divide(v, self.ratio, out=w)
        cells += 0.5
        np.floor(cells, out=cells)
        cells *= self.ratio
        v -= cells
        v *= step if self.alpha == 1 else self.alpha * step
        v += side
        return cells

    def _to_symbols(self, i: Array) -> None:
        """Turn indices into symbols, whole numbers below 2**52: their quotients by k have the right floor."""
        cells = i + self.ratio // 2
        cells /= self.ratio
        np.floor(cells, out=cells)
        cells *= self.ratio
        i -= cells

    def near_estimates(self, i: Array, dither: Array, side: Array, step: float) -> Array:
        """Return the estimates of one vector, in i, by the plain rule, where nothing is unreliable.

        Args:
            i: Its indices, float64 (d,).
            dither: u, (d,).
            side: y, (d,).
            step: kappa / M, positive.
        """
        self._to_symbols(i)
        i -= dither
        self._add_to_side(i, (side if self.alpha == 1 else self.alpha * side) / step, side, step)
        return i

    def _nearest(self, symbols: Array, dither: Array, side: Array, scales: Array, first: int) -> Array:
        low, high = self._range(symbols)
        if (low > high).any():
            row, j = (int(i) for i in np.argwhere(low > high)[0])
            place = f"symbol {symbols[row, j]} of coordinate {first + j}"
            raise CorruptMessage(f"{place} has no index within {self.levels} of zero")
        target = np.where(scales > 0, (side / scales) * self.levels + dither, 0.0)
        steps = np.ceil((target - symbols) / self.ratio - 0.5)
        return np.asarray(symbols + self.ratio * np.clip(steps, low, high))

    def _range(self, symbols: Any) -> tuple[Any, Any]:
        """Return the smallest and largest multiple of k that keep a symbol within the range."""
        return -((self.levels + symbols) // self.ratio), (self.levels - symbols) // self.ratio

    def write(
        self,
        symbols: Array,
        dither: Array | LazyDither,
        side: Array,
        scales: Array,
        estimates: Array,
        indices: Array | None = None,
    ) -> int:
        """Write estimates and decoded indices; return the number of unreliable coordinates.

        Args:
            symbols: s, (R, d).
            dither: u, (R, d), or lazy.
            side: y, float64 (R, d).
            scales: kappa, float32 or float64, (R, 1) or (R, d).
            estimates: float32 or float64, (R, d).
            indices: int64, (R, d): the symbol itself where unreliable, 0 where the scale is.
        """
        dither_at, count = dither_of(dither), 0
        for tile in tiles(*estimates.shape):
            s, y, kappa = symbols[tile], side[tile], part_of(scales, tile).astype(np.float64)
            c, v, lost = self.decode(s, dither_at(tile, s.shape), y, kappa, tile[1].start)
            np.copyto(estimates[tile], v, casting="same_kind")
            if lost is not None:
                count += int(np.count_nonzero(lost))
                np.copyto(c, s, where=lost)
            if indices is not None:
                if not kappa.all():
                    np.copyto(c, 0.0, where=kappa == 0)
                np.copyto(indices[tile], c, casting="unsafe")
        return count

    def write_of_vectors(
        self,
        x: Array,
        dither: Array | LazyDither,
        side: Array,
        scales: Array,
        gain: float,
        limit: int | None,
        estimates: Array,
    ) -> None:
        """Write the estimates of vectors: what `write` makes of the symbols of `write_quantized`.

        Args:
            x: float32 or float64, (R, d).
            dither: u, (R, d), or lazy.
            side: y, float64 (R, d).
            scales: kappa, (R, 1) or (R, d).
            gain: As of `write_quantized`.
            limit: As there.
            estimates: float32 or float64, (R, d).
        """
        dither_at, buffer = dither_of(dither), np.empty(0)
        for tile in tiles(*x.shape):
            kappa = part_of(scales, tile).astype(np.float64)
            buffer = buffer if buffer.size >= x[tile].size else np.empty(x[tile].size)
            i = buffer[: x[tile].size].reshape(x[tile].shape)
            u = dither_at(tile, i.shape)
            quantize(x[tile], np.where(kappa == 0, 1.0, kappa), u, gain, limit, i)
            self._to_symbols(i)
            symbols = i.astype(np.int64) if self.range_aware else i
            np.copyto(estimates[tile], self.decode(symbols, u, side[tile], kappa)[1], casting="same_kind")

    # ---------------------------------------------------------------- literal

    def literal(self, s: int, u: Any, y: Any, kappa: Any) -> tuple[int | None, Any]:
        """Return the decoded index (None where there is none) and the estimate of one coordinate."""
        M, k, exact = self.levels, self.ratio, isinstance(kappa, Fraction)
        half = Fraction(1, 2) if exact else 0.5
        if kappa == 0:
            return None, kappa * 0
        if self.range_aware:
            low, high = self._range(s)
            if low > high:
                raise CorruptMessage(f"symbol {s} has no index within {M} of zero")
            steps = ((y / kappa) * M + u - s) / k - half
            c = s + k * (low if steps <= low else high if steps >= high else math.ceil(steps))
            return c, kappa * ((c - u) / M)
        alpha, delta = Fraction(self.alpha) if exact else float(self.alpha), kappa / M
        if not exact and (delta == 0 or not abs(alpha * y / delta) < _DITHER_LOST):
            return None, y
        r = s - u - alpha * y / delta
        cell = math.floor(r / k + half)
        return s - k * cell, y + alpha * delta * (r - k * cell)
