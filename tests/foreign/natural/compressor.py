import numpy as np
from boundcheck import FixedWidth, TwoPointRounding, power_above, power_below


class NaturalCompression(TwoPointRounding):
    scale_equivariance = "powers of two"

    def __init__(self, lowest=-1074, highest=1023, norm=None):
        self.lowest, self.highest, self.norm = lowest, highest, norm
        self.code = FixedWidth(2 * (highest - lowest + 2))

    def low(self, x):
        return power_below(x, self.lowest)

    def high(self, x):
        return power_above(x, self.lowest)

    def symbols(self, points):
        exponent = np.frexp(points)[1]
        return np.where(points == 0, 0, 2 * (exponent - self.lowest) + (points < 0))

    def points(self, symbols):
        size = np.ldexp(np.where(symbols < 2, 0.0, 1.0), symbols // 2 - 1 + self.lowest)
        return np.where(symbols % 2, -size, size)
