"""Claims of "Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware
Quantization Techniques" (arXiv 2106.03524), in the order of the paper.
"""

from theory.squant.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

# Places of the claims in the old form, by file. A name stays when its claim is converted, since places count;
# the list goes when all are.
CLAIMS = (
    "var",
    "bounds",
    "sup",
    "sparse",
    "finding_sparsification_ties",
    "steps",
    "steps_diana",
    "nnz",
    "bits.bits",
    "bits_bound",
    "range",
    "finding_range_condition",
    "dcgd",
    "diana",
    "floor",
    "nu",
    "gain_block",
    "finding_aware_sqrt_gain",
    "finding_blocks_add_nothing",
    "gain_vary",
    "gain_optimal",
    "finding_matched_budget",
    "gain_diana",
    "finding_similar_nodes",
)
