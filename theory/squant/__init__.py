"""Claims of "Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware
Quantization Techniques" (arXiv 2106.03524), in the order of the paper.
"""

from theory.squant.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

# Files of claims in the old form; no file is imported before somebody asks for its claim.
CLAIMS = (
    "var",
    "bounds",
    "sup",
    "sparse",
    "finding_sparsification_ties",
    "steps",
    "steps_diana",
    "nnz",
    "bits",
    "bits_bound",
    "range",
    "finding_range_condition",
    "diana",
    "floor",
    "nu",
    "gain_block",
    "finding_aware_sqrt_gain",
    "finding_blocks_add_nothing",
    "finding_short_messages",
    "gain_vary",
    "gain_optimal",
    "finding_matched_budget",
    "gain_diana",
    "order",
    "finding_similar_nodes",
)
