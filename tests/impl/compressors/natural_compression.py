import numpy as np

from impl.coding.fixed_width import FixedWidth
from impl.compressors import TwoPointRounding
from impl.compressors.rounding.powers_of_two import power_above, power_below


class NaturalCompression(TwoPointRounding):
    """Round |x| in [2^k, 2^(k+1)] to an end without bias, sign kept (arXiv 1905.10988)."""

    scale_equivariance = "powers of two"

    def __init__(self, lowest=-1074, highest=1023):
        self.lowest, self.highest = lowest, highest
        self.code = FixedWidth(2 * (highest - lowest + 2))

    def low(self, x):
        return power_below(x, self.lowest)

    def high(self, x):
        return power_above(x, self.lowest)

    def symbols(self, points):
        _, exponent = np.frexp(points)
        return np.where(points == 0, 0, 2 * (exponent - self.lowest) + (points < 0))

    def points(self, symbols):
        size = np.ldexp(np.where(symbols < 2, 0.0, 1.0), symbols // 2 - 1 + self.lowest)
        return np.where(symbols % 2, -size, size)


class OfFloat32(NaturalCompression):
    """In 9 bits per coordinate: below 2^-126 the two points are 0 and 2^-126."""

    scale_equivariance = "none"

    @classmethod
    def examples(cls):
        yield cls(-126, 127)


class NaturalDithering(NaturalCompression):
    """Round |x_j| / N to 0 or a power of two from 2^-s to 1, between neighbours; N is the norm of x."""

    scale_equivariance = "all"

    def __init__(self, s=7, norm="euclidean", norm_bits=64):
        super().__init__(-s, 0)
        self.norm, self.norm_bits = norm, norm_bits

    @classmethod
    def examples(cls):
        yield cls()
        yield cls(2, "max")
        yield cls(3, norm_bits=32)
