"""Golden numbers of the specification of `squant` by oracles, to their last digit.

`tests/theory/test_goldens.py` has those of formulas alone.
"""

from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import StochasticQuantizer
from theory import claim
from verify.formulas.evaluation import evaluate
from verify.squant.fixtures.families import family
from verify.squant.fixtures.literal_length import NORM_BITS
from verify.squant.fixtures.step_rules import optimal_probabilities, optimal_steps
from verify.squant.fixtures.supremum import supremum_of
from verify.squant.gains.gain_diana import NODES, constants, judge
from verify.squant.gains.gain_vary import family_w, matched, rounds


def same(found: float, printed: str) -> None:
    """Ask for a number to what is printed of it: half a unit of the last digit, and round-off."""
    unit = 10.0 ** int(Decimal(printed).as_tuple().exponent)
    assert float(found) == pytest.approx(float(printed), rel=1e-13, abs=0.501 * unit)


# Weights, budget; tr L / beta, suprema at the best steps, at those of the sparsifier, at a uniform step.
STEPS = [
    ((4, 1), 1, "5 2.42428887524503 2.24502833757803 2.5"),
    ((4, 1, 1, 1), 1, "7 4.86923075068275 4.74491382771371 5.60902144209941"),
    ((9, 4, 1, 1), 2, "7.5 3.46599793410508 3.06542532488892 3.75"),
]


@pytest.mark.parametrize(("L", "beta", "printed"), STEPS)
def test_suprema_at_three_kinds_of_steps(L, beta, printed):
    trace, best, sparse, uniform = printed.split()
    d, (c, p) = len(L), optimal_probabilities(L, beta)
    formula = claim("squant/steps").formulas["sparse_step"]
    like_sparsifier = [evaluate(formula, {"beta": beta, "p_j": item}) for item in p]
    same(sum(L) / beta, trace)
    same(supremum_of(L, optimal_steps(L, beta)).upper, best)
    same(supremum_of(L, like_sparsifier).upper, sparse)
    same(supremum_of(L, [d**0.5 / beta] * d).upper, uniform)
    assert c <= float(sparse)  # no steps are below the constant of the sparsifier


def test_best_sparsifiers():
    for L, tau, printed in (((4, 1), 1, "2"), ((9, 4, 1, 1), 2, "2.40798300174644"), ((1,) * 10, 4, "1.5")):
        same(optimal_probabilities(L, tau)[0], printed)


def test_norms_of_steps_for_the_matrix_alone():
    same(np.linalg.norm(optimal_steps((1, 0.1, 0.01), 2)), "5.55")
    same(np.linalg.norm(optimal_steps((1,) * 9 + (1e-8,), 1)), "3e4")


def test_quarter_bound_at_its_best_steps():
    roots = [4, 1]  # of the weights 16 and 1
    h = [(sum(roots) / (16 * root)) ** 0.5 for root in roots]
    quarter = evaluate(claim("squant/bounds").formulas["quarter"], {"L": (16, 1), "h": h, "d": 2})
    assert quarter == pytest.approx(25 / 64, rel=1e-14)


def test_variance_at_an_irrational_norm():
    quantizer = StochasticQuantizer([1, 0.5, 0.25])
    same(quantizer.variance(np.array([1.0, 2.0, 3.0]), weight=[3, 1, 2]), "8.73734688177003")


# Sparse gamma, sparse omega, dense gamma.
BITS = [
    ((2, 3, 6), (F(1, 2), F(1, 3), F(1, 4)), None, (45, F(318, 7), F(313, 7))),
    ((1, 4, 8), F(3, 2), None, (F(760105, 19683), F(255110, 6561), F(341, 9))),
    ((3, 4, 5, 12), (F(1, 2),) * 2 + (F(1, 3),) * 2, [2, 2], (F(5259, 65), F(5259, 65), F(1060, 13))),
    ((0, 3, 0, 0, 4, 0, 0, 0), 2, None, (F(419, 10), F(1069, 25), F(421, 10))),
]


@pytest.mark.parametrize(("x", "steps", "blocks", "bits"), BITS)
def test_expected_bits(x, steps, blocks, bits):
    for code, stated in zip(("sparse-gamma", "sparse-omega", "dense-gamma"), bits, strict=True):
        quantizer = StochasticQuantizer(steps, blocks=blocks, norm_bits=NORM_BITS, code=code)
        assert quantizer.expected_bits([F(item) for item in x]) == stated


RATIOS = {
    4: "7.71894604767880",
    16: "21.3630331753555",
    64: "42.3536907910555",
    256: "42.6743988855914",
    1024: "42.7553360942975",
}


@pytest.mark.parametrize("n", RATIOS)
def test_gain_of_varying_steps(n):
    std, vary = rounds(family_w(n, 64), matched(n, 64))
    same(std / vary, RATIOS[n])


# Family V at mu = n^-3: standard, block, varying steps.
CONDITIONS = {
    4: "412 181.6 188.376470588235",
    16: "25072 3387.29411764706 3473.19587015301",
    64: "1580992 56523.8153846154 56897.4194938492",
    256: "100794112 914187.953307393 915713.479587900",
}
GAINS = {4: ("2.27", "1.82"), 16: ("7.40", "1.76"), 64: ("27.97", "1.93"), 256: ("110.26", "1.98")}


@pytest.mark.parametrize("n", NODES)
def test_conditions_of_diana(n):
    law, matrices = judge.units[0].law, family("V", n)
    methods = ("std", "block", "vary")
    ill, well = (
        [constants(law, matrices, mu, method)[-1] for method in methods] for mu in (float(n) ** -3, 1 / n)
    )
    for found, printed in zip(ill, CONDITIONS[n].split(), strict=True):
        same(found, printed)
    for found, printed in zip((ill[0] / ill[1], well[0] / well[1]), GAINS[n], strict=True):
        same(found, printed)
