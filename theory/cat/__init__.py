"""Claims of "A Flexible Framework for Communication-Efficient Machine Learning: from HPC to IoT" (arXiv
2003.06377), in the order of the specification.
"""

from theory.cat.paper import PAPER
from theory.claim import Claim

__all__ = ["CLAIMS", "PAPER"]

# TEMPORARY while the paper is being written: modules that import are registered in this order.
_SLUGS = [
    "s_descent",
    "alpha_shape",
    "affine_unimodal",
    "packet_candidates",
    "s_rates",
    "worst_case_fixed",
    "finding_fixed_sparsity",
    "cost_bound",
    "greedy_invariant",
    "finding_greedy_not_optimal",
    "greedy_competitive",
    "sq_descent",
    "sq_range",
    "finding_sq_not_unimodal",
    "st_descent",
    "st_waterfill",
    "alpha_dominates_omega",
    "st_rates",
    "expected_packets",
    "finding_stochastic_packets",
    "special_cases",
    "qsgd_adaptive",
    "finding_qsgd_not_monotone",
    "mn_strong",
    "mn_nonconvex",
    "mn_topk_diverges",
    "finding_local_topk_diverges",
    "mn_joint_rule",
    "finding_local_rule",
    "finding_distance_grows",
    "scaling",
    "headline",
    "finding_headline_data",
]


def _found() -> tuple[Claim, ...]:
    import importlib

    claims = []
    for slug in _SLUGS:
        try:
            claims.append(importlib.import_module(f"theory.cat.{slug}").CLAIM)
        except Exception:
            continue
    return tuple(claims)


CLAIMS: tuple[Claim, ...] = _found()
