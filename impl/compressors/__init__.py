"""Compressors: deterministic functions of an input and of explicit draws."""

from impl.compressors.bernoulli_sparsifier import BernoulliSparsifier
from impl.compressors.contract import Compressor, Draws, Key, Message, Moments
from impl.compressors.rand_k import RandK
from impl.compressors.stochastic_quantizer import StochasticQuantizer
from impl.compressors.top_k import TopK

__all__ = [
    "BernoulliSparsifier",
    "Compressor",
    "Draws",
    "Key",
    "Message",
    "Moments",
    "RandK",
    "StochasticQuantizer",
    "TopK",
]
