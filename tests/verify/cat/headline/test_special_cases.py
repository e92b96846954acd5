"""Golden numbers of the specification for TernGrad and QSGD with one level."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from impl.adaptive import keep_probabilities
from impl.compressors import StochasticQuantizer, TernGrad
from verify.cat.fixtures.golden_vectors import GI, gc, gh, rational
from verify.cat.headline.special_cases import least_size
from verify.evaluation import evaluate

# All numbers below are printed with eleven or twelve digits.
PRINTED = 1e-10


def measured(compressor, g):
    g = np.asarray(g, dtype=float)
    return float(g @ g / (g @ g + compressor.variance(g)))


@pytest.mark.parametrize(
    ("g", "share"), [(GI, 0.620071684588), (gh(), 0.343479758385), (gc(), 0.785129523886)]
)
def test_tern_grad(g, share):
    s = np.sort(np.abs(np.asarray(g, dtype=float)))[::-1]
    assert measured(TernGrad(), g) == pytest.approx(share, rel=PRINTED)
    formula = theory.claim("cat/special-cases").exact
    assert evaluate(formula, {"s": s, "d": len(s)}) == pytest.approx(share, rel=PRINTED)


@pytest.mark.parametrize(("g", "share"), [(GI, 0.424288594773), (gh(), 0.26908112076)])
def test_one_level(g, share):
    s = np.abs(np.asarray(g, dtype=float))
    assert measured(StochasticQuantizer(1), g) == pytest.approx(share, rel=PRINTED)
    formula = theory.claim("cat/special-cases").formulas["one_level_share"]
    values = {"s": s, "d": len(s), "N": float(np.linalg.norm(s))}
    assert evaluate(formula, values) == pytest.approx(share, rel=PRINTED)


def test_least_size_is_a_lower_bound():
    g, rng = rational(GI), np.random.default_rng(0)
    p = keep_probabilities(g, F(5))
    for _ in range(30):
        q = [F(int(item), 40) for item in rng.integers(4, 41, len(g))]
        allowed = sum(item * item / chance for item, chance in zip(g, q, strict=True))
        assert least_size(g, p, allowed) <= sum(q)
