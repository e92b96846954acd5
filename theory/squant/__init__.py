"""Claims of "Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware
Quantization Techniques" (arXiv 2106.03524), in the order of the paper.
"""

from theory.claim import Claim
from theory.squant.bits import CLAIM as BITS
from theory.squant.bits_bound import CLAIM as BITS_BOUND
from theory.squant.bounds import CLAIM as BOUNDS
from theory.squant.dcgd import CLAIM as DCGD
from theory.squant.finding_aware_sqrt_gain import CLAIM as AWARE_SQRT_GAIN
from theory.squant.finding_blocks_add_nothing import CLAIM as BLOCKS_ADD_NOTHING
from theory.squant.gain_block import CLAIM as GAIN_BLOCK
from theory.squant.nu import CLAIM as NU
from theory.squant.paper import PAPER
from theory.squant.range import CLAIM as RANGE
from theory.squant.sparse import CLAIM as SPARSE
from theory.squant.steps import CLAIM as STEPS
from theory.squant.sup import CLAIM as SUP
from theory.squant.var import CLAIM as VAR

__all__ = ["CLAIMS", "PAPER"]

CLAIMS: tuple[Claim, ...] = (
    VAR,
    BOUNDS,
    SUP,
    SPARSE,
    STEPS,
    BITS,
    BITS_BOUND,
    RANGE,
    DCGD,
    NU,
    GAIN_BLOCK,
    AWARE_SQRT_GAIN,
    BLOCKS_ADD_NOTHING,
)
