"""Hessian variance without the family of the claim."""

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer


def test_large_hessian_variance_alone_is_no_control():
    """Eight random unit vectors in 64 dimensions: about 1.16 against 7.875."""
    x = np.random.default_rng(0).standard_normal((8, 64))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    assert IndependentQuantizer("binary").variance(x) == pytest.approx(7.875, rel=1e-12)
    # Four other draws of the vectors gave 1.155 to 1.179.
    assert CorrelatedQuantizer("binary").variance(x) == pytest.approx(1.16, abs=0.03)
