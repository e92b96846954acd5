"""Natural compression: unbiased rounding to powers of two (arXiv 1905.10988)."""

from typing import Any

import numpy as np

from impl.coding.fixed_width import FixedWidth
from impl.compressors.checked_input import FLOATS, SHORT, is_plain_vector
from impl.compressors.contract import Array, Draws, Size, Tier
from impl.compressors.philox_draws import PhiloxSequence, PhiloxUniforms
from impl.compressors.rounding.powers_of_two import (
    are_within_powers,
    power_above,
    power_below,
    rounded_to_powers,
)
from impl.compressors.rounding.stochastic_rounding import UniformStream
from impl.compressors.rounding.two_point_rounding import TwoPointRounding
from impl.compressors.sample_by_tiles import sample_by_tiles
from impl.errors import Problems
from impl.tiers import chosen, is_known

_LEAST, _MOST = -1074, 1023  # exponents of float64


class NaturalCompression(TwoPointRounding):
    r"""Round each entry to one of the two powers of two around it, without bias, its sign kept.

    The variance is at most $\frac18\|x\|^2$ where no entry is below $2^{lowest}$; below that the two points
    are 0 and $2^{lowest}$. Messages have one symbol of fixed length for sign and exponent: 9 bits an entry
    for the exponents of float32, -126 to 127, and 13 for all of float64.

    Args:
        lowest: Least exponent, -1074 to 1023.
        highest: Largest one, not below it; a larger entry is an error.
    """

    scale_equivariance = "powers of two"

    def __init__(self, lowest: int = _LEAST, highest: int = _MOST) -> None:
        problems = Problems("NaturalCompression")
        whole = all(
            isinstance(item, int | np.integer) and not isinstance(item, bool) for item in (lowest, highest)
        )
        problems.require(
            whole and _LEAST <= lowest <= highest <= _MOST,
            f"lowest={lowest!r} and highest={highest!r} must be integers in increasing order, from "
            f"{_LEAST} to {_MOST}",
        )
        problems.raise_if_any()
        self.lowest, self.highest = int(lowest), int(highest)
        self.code = FixedWidth(2 * (self.highest - self.lowest + 2))

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        if type(self) is not NaturalCompression:
            return super().compress(x, draws, side)
        u: Any = getattr(draws, "private", None)
        u = np.asarray(u) if isinstance(u, PhiloxUniforms) else u
        plain = all(
            type(item) is np.ndarray and item.dtype in FLOATS and item.ndim and item.size for item in (x, u)
        )
        fits = plain and u.shape[-x.ndim :] == x.shape and u.min() >= 0 and u.max() < 1
        if fits and are_within_powers(x, self.lowest, self.highest):
            return rounded_to_powers(x, u)
        return super().compress(x, draws, side)

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Compress with fresh draws, as of `Compressor.sample`; a long vector takes little memory."""
        sampled = None
        if size is None and type(self) is NaturalCompression:
            sampled = self._of_vector(x, rng, tier)
            sampled = sample_by_tiles(self, x, rng, tier) if sampled is None else sampled
        return super().sample(x, rng, size, tier=tier) if sampled is None else sampled

    def _of_vector(self, x: Any, rng: Any, tier: Any) -> Array | None:
        """Return a sample of one plain short vector, without detours; None otherwise, with nothing drawn."""
        known = is_plain_vector(x, SHORT) and isinstance(rng, np.random.Generator) and is_known(tier)
        if not known or not are_within_powers(x, self.lowest, self.highest):
            return None
        fused, u = chosen(tier, "NaturalCompression") == "fused", np.empty_like(x)
        (PhiloxSequence(rng) if fused else UniformStream(rng, x.dtype)).fill(u)
        return rounded_to_powers(x, u)

    def low(self, x: Any) -> Any:
        return power_below(x, self.lowest)

    def high(self, x: Any) -> Any:
        return power_above(x, self.lowest)

    def symbols(self, points: Array) -> Array:
        _, exponent = np.frexp(points)
        return np.asarray(np.where(points == 0, 0, 2 * (exponent - self.lowest) + (points < 0)))

    def points(self, symbols: Array) -> Array:
        size = np.ldexp(np.where(symbols < 2, 0.0, 1.0), symbols // 2 - 1 + self.lowest)
        return np.asarray(np.where(symbols % 2, -size, size))
