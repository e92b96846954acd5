"""Claims of "Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware
Quantization Techniques" (arXiv 2106.03524), in the order of the paper.
"""

from theory.claim import Claim
from theory.squant.bits import CLAIM as BITS
from theory.squant.bounds import CLAIM as BOUNDS
from theory.squant.dcgd import CLAIM as DCGD
from theory.squant.finding_range_condition import CLAIM as FINDING_RANGE_CONDITION
from theory.squant.finding_sparsification_ties import CLAIM as FINDING_SPARSIFICATION_TIES
from theory.squant.floor import CLAIM as FLOOR
from theory.squant.nnz import CLAIM as NNZ
from theory.squant.paper import PAPER
from theory.squant.range import CLAIM as RANGE
from theory.squant.sparse import CLAIM as SPARSE
from theory.squant.steps import CLAIM as STEPS
from theory.squant.steps_diana import CLAIM as STEPS_DIANA
from theory.squant.sup import CLAIM as SUP
from theory.squant.var import CLAIM as VAR

__all__ = ["CLAIMS", "PAPER"]

CLAIMS: tuple[Claim, ...] = (
    VAR,
    BOUNDS,
    SUP,
    SPARSE,
    FINDING_SPARSIFICATION_TIES,
    STEPS,
    STEPS_DIANA,
    NNZ,
    BITS,
    RANGE,
    FINDING_RANGE_CONDITION,
    DCGD,
    FLOOR,
)
