"""Bit-exact codes: Elias codes of integers, sparse and dense codes of levels."""

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA, OMEGA, EliasCode
from impl.coding.sparse_code import SparseCode

__all__ = ["GAMMA", "OMEGA", "BitReader", "BitWriter", "DenseCode", "EliasCode", "SparseCode"]
