"""Rules that choose a compressor for each gradient by what it achieves per cost (arXiv 2003.06377)."""

from impl.adaptive.cat_qsgd import cat_qsgd, cat_qsgd_reference
from impl.adaptive.cat_s import cat_s, cat_s_reference
from impl.adaptive.cat_sq import cat_sq, cat_sq_reference
from impl.adaptive.cat_st import cat_st, cat_st_reference
from impl.adaptive.choice import Choice
from impl.adaptive.expected_cost import expected_cost, survivor_law
from impl.adaptive.sorted_gradient import SortedGradient
from impl.adaptive.water_filling import keep_probabilities, omegas

__all__ = [
    "Choice",
    "SortedGradient",
    "cat_qsgd",
    "cat_qsgd_reference",
    "cat_s",
    "cat_s_reference",
    "cat_sq",
    "cat_sq_reference",
    "cat_st",
    "cat_st_reference",
    "expected_cost",
    "keep_probabilities",
    "omegas",
    "survivor_law",
]
