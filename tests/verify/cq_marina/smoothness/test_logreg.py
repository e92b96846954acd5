"""Golden numbers of section 3, `logreg`: the formulas at the norms of the data matrices."""

import numpy as np
import pytest

import theory
from verify.cq_marina.fixtures.logreg_data import constants_of, load_parts
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/logreg")

# Ten decimals are given: L_minus, bounds on L_plus and L_pm, lower bound on L_pm.
GOLDEN = {
    ("phishing", 10): (0.3625510767, 0.3655869973, 0.1493386844, 0.0222440127),
    ("phishing", 50): (0.3625500710, 0.3666721066, 0.1636703108, 0.0260371997),
    ("w8a", 10): (0.8612006468, 0.9370081578, 0.6812654234, 0.2396997092),
    ("w8a", 50): (0.8611955982, 1.0904906837, 0.9129176157, 0.4433651136),
}
HALF_PENALTY = {"phishing": 1.381, "w8a": 1.131}
EIGHTH = {"phishing": 1.289, "w8a": 1.623}


def stated(S, lam, n):
    L = [evaluate(CLAIM.formulas["L_client"], {"S": S.own, "lam": lam, "i": i}) for i in range(n)]
    return (
        evaluate(CLAIM.formulas["L_minus"], {"S_mean": S.mean, "lam": lam}),
        evaluate(CLAIM.formulas["L_plus_square"], {"L": L, "n": n}) ** 0.5,
        evaluate(CLAIM.bound, {"S": S.own, "R": S.others, "n": n}) ** 0.5,
    )


@pytest.mark.usefixtures("libsvm")
@pytest.mark.parametrize(("name", "n"), GOLDEN)
def test_golden_constants(name, n):
    S = constants_of(load_parts(name, n))
    *bounds, lower = GOLDEN[name, n]
    np.testing.assert_allclose(stated(S, 0.1, n), bounds, atol=5.1e-11)
    assert S.variance**0.5 == pytest.approx(lower, abs=5.1e-11)
    # What the mutants miss, to three decimals.
    L_minus = bounds[0]
    assert L_minus / (S.mean + 0.1) == pytest.approx(HALF_PENALTY[name], abs=5.1e-4)
    assert L_minus / (S.mean / 2 + 0.2) == pytest.approx(EIGHTH[name], abs=5.1e-4)
