"""Compressors, for one client or for all: deterministic functions of inputs and of explicit draws."""

from impl.compressors.bernoulli_sparsifier import BernoulliSparsifier
from impl.compressors.contract import Compressor, Draws, Key, Message, Moments
from impl.compressors.correlated_grid import CorrelatedGrid
from impl.compressors.correlated_quantizer import CorrelatedQuantizer
from impl.compressors.dithered_quantizer import DitheredQuantizer
from impl.compressors.importance_sampling import ImportanceSampling
from impl.compressors.independent import Independent
from impl.compressors.independent_quantizer import IndependentQuantizer
from impl.compressors.joint_contract import JointCompressor
from impl.compressors.joint_message import JointMessage, RoundKey
from impl.compressors.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.compressors.one_bit import OneBit
from impl.compressors.perm_k import PermK
from impl.compressors.perm_k_quantizer import PermKQuantizer
from impl.compressors.rand_k import RandK
from impl.compressors.rotated_quantizer import RotatedQuantizer
from impl.compressors.scaled import Scaled
from impl.compressors.stochastic_quantizer import StochasticQuantizer
from impl.compressors.tern_grad import TernGrad
from impl.compressors.top_k import TopK
from impl.compressors.top_k_signs import TopKSigns
from impl.compressors.two_point_rounding import TwoPointRounding
from impl.compressors.weighted_partition import WeightedPartition

__all__ = [
    "BernoulliSparsifier",
    "Compressor",
    "CorrelatedGrid",
    "CorrelatedQuantizer",
    "DitheredQuantizer",
    "Draws",
    "ImportanceSampling",
    "Independent",
    "IndependentQuantizer",
    "JointCompressor",
    "JointMessage",
    "Key",
    "Message",
    "Moments",
    "NestedDitheredQuantizer",
    "OneBit",
    "PermK",
    "PermKQuantizer",
    "RandK",
    "RotatedQuantizer",
    "RoundKey",
    "Scaled",
    "StochasticQuantizer",
    "TernGrad",
    "TopK",
    "TopKSigns",
    "TwoPointRounding",
    "WeightedPartition",
]
