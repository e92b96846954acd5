"""Problems: averages of n node functions with known smoothness matrices, and the data they are made of."""

from impl.problems.composite import Composite
from impl.problems.contract import Problem
from impl.problems.data.breast_cancer import breast_cancer_logistic, load_breast_cancer
from impl.problems.data.digits import Classified, load_digits
from impl.problems.data.libsvm import load_libsvm, read_libsvm
from impl.problems.data.mnist import load_mnist
from impl.problems.hessian_variance import SmoothnessConstants, smoothness_constants
from impl.problems.least_squares import LeastSquares
from impl.problems.logistic import Logistic
from impl.problems.network_loss import NetworkLoss
from impl.problems.quadratic import Quadratic
from impl.problems.regularisers import L1, L2
from impl.problems.splits.contiguous_split import contiguous_split
from impl.problems.splits.label_split import label_sorted_split
from impl.problems.splits.scaled_split import scaled_split
from impl.problems.tridiagonal import tridiagonal

__all__ = [
    "L1",
    "L2",
    "Classified",
    "Composite",
    "LeastSquares",
    "Logistic",
    "NetworkLoss",
    "Problem",
    "Quadratic",
    "SmoothnessConstants",
    "breast_cancer_logistic",
    "contiguous_split",
    "label_sorted_split",
    "load_breast_cancer",
    "load_digits",
    "load_libsvm",
    "load_mnist",
    "read_libsvm",
    "scaled_split",
    "smoothness_constants",
    "tridiagonal",
]
