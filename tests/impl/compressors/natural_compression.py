"""Relatives of natural compression (arXiv 1905.10988), as an author writes them on its class."""

from impl.compressors import NaturalCompression


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
