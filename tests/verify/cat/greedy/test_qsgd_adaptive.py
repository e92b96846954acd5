"""Golden numbers of the specification for QSGD with a chosen number of levels."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from impl.adaptive import cat_qsgd
from impl.communication import Payload
from impl.compressors import StochasticQuantizer
from verify.cat.fixtures.golden_vectors import GI, gc, gh
from verify.evaluation import evaluate

CLAIM = theory.claim("cat/qsgd-adaptive")


@pytest.mark.parametrize(
    ("s", "share"),
    list(enumerate((0.424288594773, 0.733836961814, 0.873817449674, 0.914333063924), 1)),
)
def test_shares_of_gi(s, share):
    g = np.array(GI, dtype=float)
    values = {"g": g, "N": float(np.linalg.norm(g)), "d": len(g), "levels": s}
    assert evaluate(CLAIM.exact, values) == pytest.approx(share, rel=1e-11)  # twelve digits are printed
    found = 173 / (173 + float(StochasticQuantizer(F(1, s)).variance(g)))
    assert found == pytest.approx(share, rel=1e-11)


@pytest.mark.parametrize(
    ("g", "size", "efficiency"),
    [(GI, 3, 0.0156038830299), (gh(), 7, 0.00291278393082), (gc(), 31, 0.000140853389659)],
    ids=["gi", "gh", "gc"],
)
def test_rule(g, size, efficiency):
    choice = cat_qsgd(np.asarray(g, dtype=float), Payload())
    assert choice.size == size
    assert choice.efficiency == pytest.approx(efficiency, rel=1e-11)
