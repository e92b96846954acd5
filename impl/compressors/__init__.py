"""Compressors, for one client or for all: deterministic functions of inputs and of explicit draws."""

from impl.compressors.contract import Compressor, Draws, Key, Message, Moments
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.dithered.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.compressors.error_sums import squared_errors
from impl.compressors.joint.correlated.correlated_grid import CorrelatedGrid
from impl.compressors.joint.correlated.correlated_quantizer import CorrelatedQuantizer
from impl.compressors.joint.correlated.rotated_quantizer import RotatedQuantizer
from impl.compressors.joint.importance_sampling import ImportanceSampling
from impl.compressors.joint.independent import Independent
from impl.compressors.joint.independent_quantizer import IndependentQuantizer
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.joint_message import JointMessage, RoundKey
from impl.compressors.joint.partitions.perm_k import PermK
from impl.compressors.joint.partitions.perm_k_quantizer import PermKQuantizer
from impl.compressors.joint.partitions.weighted_partition import WeightedPartition
from impl.compressors.one_bit import OneBit
from impl.compressors.rounding.natural_compression import NaturalCompression
from impl.compressors.rounding.stochastic_quantizer import StochasticQuantizer
from impl.compressors.rounding.tern_grad import TernGrad
from impl.compressors.rounding.two_point_rounding import TwoPointRounding
from impl.compressors.scaled import Scaled
from impl.compressors.sparse.atomic_sparsification import AtomicSparsification
from impl.compressors.sparse.bernoulli_sparsifier import BernoulliSparsifier
from impl.compressors.sparse.greedy_sparsification import GreedySparsification
from impl.compressors.sparse.rand_k import RandK
from impl.compressors.sparse.spectral_sparsification import SpectralSparsification
from impl.compressors.sparse.top_k import TopK
from impl.compressors.sparse.top_k_signs import TopKSigns

__all__ = [
    "AtomicSparsification",
    "BernoulliSparsifier",
    "Compressor",
    "CorrelatedGrid",
    "CorrelatedQuantizer",
    "DitheredQuantizer",
    "Draws",
    "GreedySparsification",
    "ImportanceSampling",
    "Independent",
    "IndependentQuantizer",
    "JointCompressor",
    "JointMessage",
    "Key",
    "Message",
    "Moments",
    "NaturalCompression",
    "NestedDitheredQuantizer",
    "OneBit",
    "PermK",
    "PermKQuantizer",
    "RandK",
    "RotatedQuantizer",
    "RoundKey",
    "Scaled",
    "SpectralSparsification",
    "StochasticQuantizer",
    "TernGrad",
    "TopK",
    "TopKSigns",
    "TwoPointRounding",
    "WeightedPartition",
    "squared_errors",
]
