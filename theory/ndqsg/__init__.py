"""Claims of "Nested Dithered Quantization for Communication Reduction in Distributed Training" (arXiv
1904.01197), in the order of the specification.
"""

from theory.old_form import Claim
from theory.ndqsg.adaptive_code_length import CLAIM as ADAPTIVE_CODE_LENGTH
from theory.ndqsg.bits_at_equal_variance import CLAIM as BITS_AT_EQUAL_VARIANCE
from theory.ndqsg.coded_size import CLAIM as CODED_SIZE
from theory.ndqsg.conv_convex import CLAIM as CONV_CONVEX
from theory.ndqsg.conv_nonconvex import CLAIM as CONV_NONCONVEX
from theory.ndqsg.conv_strong import CLAIM as CONV_STRONG
from theory.ndqsg.dither_finite import CLAIM as DITHER_FINITE
from theory.ndqsg.dq_uniform_error import CLAIM as DQ_UNIFORM_ERROR
from theory.ndqsg.dqsg_average import CLAIM as DQSG_AVERAGE
from theory.ndqsg.dqsg_conditional_independence import CLAIM as DQSG_CONDITIONAL_INDEPENDENCE
from theory.ndqsg.dqsg_variance import CLAIM as DQSG_VARIANCE
from theory.ndqsg.entropy_index import CLAIM as ENTROPY_INDEX
from theory.ndqsg.exp_digits import CLAIM as EXP_DIGITS
from theory.ndqsg.finding_finite_dither import CLAIM as FINDING_FINITE_DITHER
from theory.ndqsg.finding_float_index import CLAIM as FINDING_FLOAT_INDEX
from theory.ndqsg.finding_gain_below_one import CLAIM as FINDING_GAIN_BELOW_ONE
from theory.ndqsg.finding_headline_on_training import CLAIM as FINDING_HEADLINE_ON_TRAINING
from theory.ndqsg.finding_nesting_is_alphabet import CLAIM as FINDING_NESTING_IS_ALPHABET
from theory.ndqsg.finding_one_input_tests import CLAIM as FINDING_ONE_INPUT_TESTS
from theory.ndqsg.finding_one_sided_tests import CLAIM as FINDING_ONE_SIDED_TESTS
from theory.ndqsg.finding_rate_attained import CLAIM as FINDING_RATE_ATTAINED
from theory.ndqsg.finding_scale_dependence import CLAIM as FINDING_SCALE_DEPENDENCE
from theory.ndqsg.finding_silent_desync import CLAIM as FINDING_SILENT_DESYNC
from theory.ndqsg.finding_sparse_gradients import CLAIM as FINDING_SPARSE_GRADIENTS
from theory.ndqsg.float_overload import CLAIM as FLOAT_OVERLOAD
from theory.ndqsg.levels_tradeoff import CLAIM as LEVELS_TRADEOFF
from theory.ndqsg.nested_alpha import CLAIM as NESTED_ALPHA
from theory.ndqsg.nested_alpha_aggregate import CLAIM as NESTED_ALPHA_AGGREGATE
from theory.ndqsg.nested_conditional_mse import CLAIM as NESTED_CONDITIONAL_MSE
from theory.ndqsg.nested_cosets import CLAIM as NESTED_COSETS
from theory.ndqsg.nested_decoding import CLAIM as NESTED_DECODING
from theory.ndqsg.nested_overload import CLAIM as NESTED_OVERLOAD
from theory.ndqsg.nested_same_variance_fewer_bits import CLAIM as NESTED_SAME_VARIANCE_FEWER_BITS
from theory.ndqsg.paper import PAPER
from theory.ndqsg.protocol_desync import CLAIM as PROTOCOL_DESYNC
from theory.ndqsg.quad_adaptive import CLAIM as QUAD_ADAPTIVE
from theory.ndqsg.quad_fixed_scale import CLAIM as QUAD_FIXED_SCALE
from theory.ndqsg.side_information import CLAIM as SIDE_INFORMATION
from theory.ndqsg.sr_versus_dqsg import CLAIM as SR_VERSUS_DQSG

__all__ = ["CLAIMS", "PAPER"]

CLAIMS: tuple[Claim, ...] = (
    DQ_UNIFORM_ERROR,
    FINDING_ONE_INPUT_TESTS,
    DITHER_FINITE,
    FINDING_FINITE_DITHER,
    FLOAT_OVERLOAD,
    FINDING_FLOAT_INDEX,
    PROTOCOL_DESYNC,
    FINDING_SILENT_DESYNC,
    DQSG_VARIANCE,
    DQSG_CONDITIONAL_INDEPENDENCE,
    FINDING_SCALE_DEPENDENCE,
    SR_VERSUS_DQSG,
    FINDING_SPARSE_GRADIENTS,
    DQSG_AVERAGE,
    ENTROPY_INDEX,
    ADAPTIVE_CODE_LENGTH,
    CODED_SIZE,
    BITS_AT_EQUAL_VARIANCE,
    CONV_CONVEX,
    CONV_STRONG,
    FINDING_RATE_ATTAINED,
    CONV_NONCONVEX,
    QUAD_FIXED_SCALE,
    FINDING_ONE_SIDED_TESTS,
    QUAD_ADAPTIVE,
    LEVELS_TRADEOFF,
    NESTED_DECODING,
    NESTED_COSETS,
    FINDING_NESTING_IS_ALPHABET,
    NESTED_ALPHA,
    NESTED_ALPHA_AGGREGATE,
    FINDING_GAIN_BELOW_ONE,
    NESTED_OVERLOAD,
    NESTED_CONDITIONAL_MSE,
    SIDE_INFORMATION,
    NESTED_SAME_VARIANCE_FEWER_BITS,
    FINDING_HEADLINE_ON_TRAINING,
    EXP_DIGITS,
)
