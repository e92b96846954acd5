"""Claims of "A Flexible Framework for Communication-Efficient Machine Learning: from HPC to IoT" (arXiv
2003.06377), in the order of the specification.
"""

from theory.cat.affine_unimodal import CLAIM as AFFINE_UNIMODAL
from theory.cat.alpha_dominates_omega import CLAIM as ALPHA_DOMINATES_OMEGA
from theory.cat.alpha_shape import CLAIM as ALPHA_SHAPE
from theory.cat.cost_bound import CLAIM as COST_BOUND
from theory.cat.expected_packets import CLAIM as EXPECTED_PACKETS
from theory.cat.finding_distance_grows import CLAIM as FINDING_DISTANCE_GROWS
from theory.cat.finding_fixed_sparsity import CLAIM as FINDING_FIXED_SPARSITY
from theory.cat.finding_headline_data import CLAIM as FINDING_HEADLINE_DATA
from theory.cat.finding_local_rule import CLAIM as FINDING_LOCAL_RULE
from theory.cat.finding_local_topk_diverges import CLAIM as FINDING_LOCAL_TOPK_DIVERGES
from theory.cat.finding_qsgd_not_monotone import CLAIM as FINDING_QSGD_NOT_MONOTONE
from theory.cat.finding_sq_not_unimodal import CLAIM as FINDING_SQ_NOT_UNIMODAL
from theory.cat.finding_stochastic_packets import CLAIM as FINDING_STOCHASTIC_PACKETS
from theory.cat.greedy_competitive import CLAIM as GREEDY_COMPETITIVE
from theory.cat.greedy_invariant import CLAIM as GREEDY_INVARIANT
from theory.cat.greedy_not_optimal import CLAIM as GREEDY_NOT_OPTIMAL
from theory.cat.headline import CLAIM as HEADLINE
from theory.cat.mn_joint_rule import CLAIM as MN_JOINT_RULE
from theory.cat.mn_nonconvex import CLAIM as MN_NONCONVEX
from theory.cat.mn_strong import CLAIM as MN_STRONG
from theory.cat.mn_topk_diverges import CLAIM as MN_TOPK_DIVERGES
from theory.cat.packet_candidates import CLAIM as PACKET_CANDIDATES
from theory.cat.paper import PAPER
from theory.cat.qsgd_adaptive import CLAIM as QSGD_ADAPTIVE
from theory.cat.s_descent import CLAIM as S_DESCENT
from theory.cat.s_rates import CLAIM as S_RATES
from theory.cat.scaling import CLAIM as SCALING
from theory.cat.special_cases import CLAIM as SPECIAL_CASES
from theory.cat.sq_descent import CLAIM as SQ_DESCENT
from theory.cat.sq_range import CLAIM as SQ_RANGE
from theory.cat.st_descent import CLAIM as ST_DESCENT
from theory.cat.st_rates import CLAIM as ST_RATES
from theory.cat.st_waterfill import CLAIM as ST_WATERFILL
from theory.cat.worst_case_fixed import CLAIM as WORST_CASE_FIXED
from theory.old_form import Claim

__all__ = ["CLAIMS", "PAPER"]

CLAIMS: tuple[Claim, ...] = (
    S_DESCENT,
    ALPHA_SHAPE,
    AFFINE_UNIMODAL,
    PACKET_CANDIDATES,
    S_RATES,
    FINDING_DISTANCE_GROWS,
    WORST_CASE_FIXED,
    FINDING_FIXED_SPARSITY,
    COST_BOUND,
    GREEDY_INVARIANT,
    GREEDY_NOT_OPTIMAL,
    GREEDY_COMPETITIVE,
    SQ_DESCENT,
    SQ_RANGE,
    FINDING_SQ_NOT_UNIMODAL,
    ST_DESCENT,
    ST_WATERFILL,
    ALPHA_DOMINATES_OMEGA,
    ST_RATES,
    EXPECTED_PACKETS,
    FINDING_STOCHASTIC_PACKETS,
    MN_STRONG,
    MN_NONCONVEX,
    MN_TOPK_DIVERGES,
    FINDING_LOCAL_TOPK_DIVERGES,
    MN_JOINT_RULE,
    FINDING_LOCAL_RULE,
    SPECIAL_CASES,
    QSGD_ADAPTIVE,
    FINDING_QSGD_NOT_MONOTONE,
    SCALING,
    HEADLINE,
    FINDING_HEADLINE_DATA,
)
