"""The codes of signed levels by their names."""

from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA, OMEGA
from impl.coding.sparse_code import SparseCode

CODES: dict[str, SparseCode | DenseCode] = {
    "sparse-gamma": SparseCode(GAMMA),
    "sparse-omega": SparseCode(OMEGA),
    "dense-gamma": DenseCode(GAMMA),
}
