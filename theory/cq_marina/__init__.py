"""Claims of "Correlated Quantization for Faster Nonconvex Distributed Optimization" (arXiv 2401.05518).

In the order of the specification.
"""

from theory.old_form import Claim
from theory.cq_marina.ab_compose import CLAIM as AB_COMPOSE
from theory.cq_marina.ab_cq import CLAIM as AB_CQ
from theory.cq_marina.ab_independent import CLAIM as AB_INDEPENDENT
from theory.cq_marina.ab_permk import CLAIM as AB_PERMK
from theory.cq_marina.comm_ratio import CLAIM as COMM_RATIO
from theory.cq_marina.comm_scaling import CLAIM as COMM_SCALING
from theory.cq_marina.cq_1d_bound import CLAIM as CQ_1D_BOUND
from theory.cq_marina.cq_1d_exact import CLAIM as CQ_1D_EXACT
from theory.cq_marina.cq_dominates_iq import CLAIM as CQ_DOMINATES_IQ
from theory.cq_marina.cq_equal_inputs import CLAIM as CQ_EQUAL_INPUTS
from theory.cq_marina.cq_hadamard import CLAIM as CQ_HADAMARD
from theory.cq_marina.cq_klevel import CLAIM as CQ_KLEVEL
from theory.cq_marina.cq_optimal import CLAIM as CQ_OPTIMAL
from theory.cq_marina.dsgd import CLAIM as DSGD
from theory.cq_marina.est_exact import CLAIM as EST_EXACT
from theory.cq_marina.exp_logreg import CLAIM as EXP_LOGREG
from theory.cq_marina.exp_quadratic import CLAIM as EXP_QUADRATIC
from theory.cq_marina.finding_identical_clients import CLAIM as FINDING_IDENTICAL_CLIENTS
from theory.cq_marina.finding_idle_clients import CLAIM as FINDING_IDLE_CLIENTS
from theory.cq_marina.finding_message_size import CLAIM as FINDING_MESSAGE_SIZE
from theory.cq_marina.finding_quarter_constant import CLAIM as FINDING_QUARTER_CONSTANT
from theory.cq_marina.finding_ratio_not_maximum import CLAIM as FINDING_RATIO_NOT_MAXIMUM
from theory.cq_marina.finding_sign_magnitude import CLAIM as FINDING_SIGN_MAGNITUDE
from theory.cq_marina.finding_weights import CLAIM as FINDING_WEIGHTS
from theory.cq_marina.finding_zero_norm import CLAIM as FINDING_ZERO_NORM
from theory.cq_marina.hv_relations import CLAIM as HV_RELATIONS
from theory.cq_marina.logreg import CLAIM as LOGREG
from theory.cq_marina.marina_biased import CLAIM as MARINA_BIASED
from theory.cq_marina.marina_cq_rate import CLAIM as MARINA_CQ_RATE
from theory.cq_marina.marina_exact_oracle import CLAIM as MARINA_EXACT_ORACLE
from theory.cq_marina.marina_pl import CLAIM as MARINA_PL
from theory.cq_marina.marina_rate import CLAIM as MARINA_RATE
from theory.cq_marina.neg_control import CLAIM as NEG_CONTROL
from theory.cq_marina.paper import PAPER
from theory.cq_marina.tridiag import CLAIM as TRIDIAG

__all__ = ["CLAIMS", "PAPER"]

CLAIMS: tuple[Claim, ...] = (
    CQ_1D_EXACT,
    CQ_1D_BOUND,
    CQ_DOMINATES_IQ,
    FINDING_SIGN_MAGNITUDE,
    CQ_KLEVEL,
    CQ_OPTIMAL,
    EST_EXACT,
    FINDING_ZERO_NORM,
    AB_INDEPENDENT,
    AB_PERMK,
    FINDING_IDLE_CLIENTS,
    CQ_EQUAL_INPUTS,
    FINDING_QUARTER_CONSTANT,
    AB_CQ,
    AB_COMPOSE,
    CQ_HADAMARD,
    HV_RELATIONS,
    FINDING_WEIGHTS,
    TRIDIAG,
    LOGREG,
    MARINA_RATE,
    MARINA_EXACT_ORACLE,
    MARINA_CQ_RATE,
    NEG_CONTROL,
    MARINA_PL,
    MARINA_BIASED,
    COMM_RATIO,
    FINDING_RATIO_NOT_MAXIMUM,
    COMM_SCALING,
    FINDING_MESSAGE_SIZE,
    DSGD,
    FINDING_IDENTICAL_CLIENTS,
    EXP_QUADRATIC,
    EXP_LOGREG,
)
