"""Claims of "Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware
Quantization Techniques" (arXiv 2106.03524), in the order of the paper.
"""

from theory.old_form import Claim
from theory.squant.bits import CLAIM as BITS
from theory.squant.bits_bound import CLAIM as BITS_BOUND
from theory.squant.bounds import CLAIM as BOUNDS
from theory.squant.dcgd import CLAIM as DCGD
from theory.squant.diana import CLAIM as DIANA
from theory.squant.finding_aware_sqrt_gain import CLAIM as FINDING_AWARE_SQRT_GAIN
from theory.squant.finding_blocks_add_nothing import CLAIM as FINDING_BLOCKS_ADD_NOTHING
from theory.squant.finding_matched_budget import CLAIM as FINDING_MATCHED_BUDGET
from theory.squant.finding_range_condition import CLAIM as FINDING_RANGE_CONDITION
from theory.squant.finding_short_messages import CLAIM as FINDING_SHORT_MESSAGES
from theory.squant.finding_similar_nodes import CLAIM as FINDING_SIMILAR_NODES
from theory.squant.finding_sparsification_ties import CLAIM as FINDING_SPARSIFICATION_TIES
from theory.squant.floor import CLAIM as FLOOR
from theory.squant.gain_block import CLAIM as GAIN_BLOCK
from theory.squant.gain_diana import CLAIM as GAIN_DIANA
from theory.squant.gain_optimal import CLAIM as GAIN_OPTIMAL
from theory.squant.gain_vary import CLAIM as GAIN_VARY
from theory.squant.nnz import CLAIM as NNZ
from theory.squant.nu import CLAIM as NU
from theory.squant.order import CLAIM as ORDER
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
    BITS_BOUND,
    RANGE,
    FINDING_RANGE_CONDITION,
    DCGD,
    DIANA,
    FLOOR,
    NU,
    GAIN_BLOCK,
    FINDING_AWARE_SQRT_GAIN,
    FINDING_BLOCKS_ADD_NOTHING,
    FINDING_SHORT_MESSAGES,
    GAIN_VARY,
    GAIN_OPTIMAL,
    FINDING_MATCHED_BUDGET,
    GAIN_DIANA,
    ORDER,
    FINDING_SIMILAR_NODES,
)
