"""Claims of "Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware
Quantization Techniques" (arXiv 2106.03524), in the order of the paper.
"""

from theory.claim import Claim
from theory.squant.bits import CLAIM as BITS
from theory.squant.bounds import CLAIM as BOUNDS
from theory.squant.dcgd import CLAIM as DCGD
from theory.squant.diana import CLAIM as DIANA
from theory.squant.finding_matched_budget import CLAIM as FINDING_MATCHED_BUDGET
from theory.squant.gain_diana import CLAIM as GAIN_DIANA
from theory.squant.gain_optimal import CLAIM as GAIN_OPTIMAL
from theory.squant.gain_vary import CLAIM as GAIN_VARY
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
    RANGE,
    DCGD,
    DIANA,
    GAIN_VARY,
    GAIN_OPTIMAL,
    FINDING_MATCHED_BUDGET,
    GAIN_DIANA,
)
