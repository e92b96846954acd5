"""Golden numbers of `cq_marina/cq-equal-inputs`."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer
from verify.cq_marina.quantizer.cq_equal_inputs import EXACT, judge, stated

LAW = judge._law()


@pytest.mark.parametrize(
    ("name", "golden"), [("odd-multiples", 8), ("nine-ones", 18), ("basis-vector", F(4, 9))]
)
def test_goldens(name, golden):
    n, x = EXACT[name]["n"], EXACT[name]["x"]
    assert stated(LAW, "exact", n, x) == golden
    assert CorrelatedQuantizer("binary").variance([list(x)] * n) == golden


def test_suprema():
    assert LAW.exactly("bound", r=4, n=4, d=8) == 8
    assert LAW.exactly("ternary_bound", r=4, n=4, d=8) == 2
    assert 9 * LAW.exactly("high_dimension", n=2, d=9) == 18
    assert LAW.exactly("odd_at_basis", n=3, d=5) == F(4, 9)


def test_ternary_formula_is_that_of_the_quantizer():
    x = np.array([0.3, -1.7, 0.4, 2.0])
    found = LAW("ternary", x=x, r=float(np.linalg.norm(x)), n=3, d=4)
    variance = CorrelatedQuantizer("ternary").variance(np.array([x] * 3))
    # Some tens of roundings on either side.
    assert found == pytest.approx(variance, rel=1e-13)
