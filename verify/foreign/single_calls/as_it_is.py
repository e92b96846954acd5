"""Take a compressor as it is, where what it says of itself, or its calls with many vectors, are otherwise."""

from dataclasses import replace

from verify.context import Context
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.single_calls.exactness import FACTORS, ROUNDING

LOOKED = 4
"""Inputs at which scales are compared; few do, as a clip or a fixed grid shows at nearly all of them."""


def as_it_is(foreign: ForeignCompressor, seed: int) -> ForeignCompressor:
    """Return the compressor with single calls where batches differ, with all scales where it depends on them.

    A law may be equivariant although calls with equal random numbers are not: then more inputs are tried.
    """
    if not _alike(foreign, seed):
        foreign = foreign.alone()
    if not _keeps_scales(foreign, seed):
        foreign = replace(foreign, scale_equivariance="none")
    return foreign


def _alike(foreign: ForeignCompressor, seed: int) -> bool:
    """Return whether a single call gives what the first of a batch of two is, for equal random numbers.

    The draws of joint compressors come in another order in a batch of two: one of them is compared with a
    batch of one.
    """
    import numpy as np

    if foreign.sample_many is None:
        return True
    size = 2 if foreign.n is None else 1
    for place, (_, x) in enumerate(foreign.named_inputs()):
        stream = (Context("check", "montecarlo", f"alone-{place}", seed=seed).stream(0) for _ in range(2))
        many = foreign.samples(x, next(stream), size)[0]
        one = foreign.alone().samples(x, next(stream), 1)[0]
        if not np.allclose(many, one, rtol=0.0, atol=foreign.round_off * np.abs(many).max(initial=0.0)):
            return False
    return True


def _keeps_scales(foreign: ForeignCompressor, seed: int) -> bool:
    """Return whether C(c x) is c C(x) for equal random numbers at the scales that it says, at some inputs."""
    import numpy as np

    if foreign.scale_equivariance not in FACTORS:
        return True
    for _, (name, x) in zip(range(LOOKED), reversed(list(foreign.named_inputs())), strict=False):
        arm = f"scales-{name}"
        base = foreign.samples(x, Context("check", "montecarlo", arm, seed=seed).stream(0), 2)
        for factor in FACTORS[foreign.scale_equivariance]:
            again = Context("check", "montecarlo", arm, seed=seed).stream(0)
            off = np.abs(foreign.samples(factor * x, again, 2) - factor * base).reshape(2, -1).max(axis=1)
            # In both calls: a rounding may turn in one where the scale is no power of two.
            if (off > max(ROUNDING, foreign.round_off) * np.abs(factor * base).max(initial=0.0)).all():
                return False
    return True
