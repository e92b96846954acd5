"""Golden numbers of the specification for the family where correlation cannot help."""

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.cq_marina.marina.neg_control import control, judge


def test_the_step_for_zero_hessian_variance_diverges():
    law = judge._law()
    wrong = control(law.replace(constant="X_without_variance"))
    assert wrong.trace.average(100) / wrong.bound(100) > 1e6
    assert control(law).chi == pytest.approx(7, rel=1e-14)


def test_large_hessian_variance_alone_is_no_control():
    """Eight random unit vectors in 64 dimensions: about 1.16 against 7.875."""
    x = np.random.default_rng(0).standard_normal((8, 64))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    assert IndependentQuantizer("binary").variance(x) == pytest.approx(7.875, rel=1e-12)
    # Four other draws of the vectors gave 1.155 to 1.179.
    assert CorrelatedQuantizer("binary").variance(x) == pytest.approx(1.16, abs=0.03)
