"""Golden numbers of section 6, `exp-logreg`: the run that has no randomness."""

import numpy as np
import pytest

import theory
from verify.experiments.cq_marina.logistic import ACCURACY, logistic_method
from verify.experiments.cq_marina.methods import first_below
from verify.formulas.evaluation import evaluate

CLAIM = theory.claim("cq_marina/exp-logreg")


@pytest.mark.usefixtures("libsvm")
def test_independent_quantization_on_phishing_over_ten_clients_is_gradient_descent():
    # The specification: 13.06 kbits, p = 1; average over bound about .013 to .018.
    method = logistic_method("phishing", 10, "independent")
    assert method.probability == 1.0
    result = method.run(np.random.default_rng(0), rounds=10, replicates=1)
    k = first_below(result.gradient_norm_sq[0], ACCURACY)
    assert float(method.bits(k)) / 1000 == pytest.approx(13.06, abs=0.005)
    rounds = np.arange(1, 12)
    bound = evaluate(CLAIM.bound, {"L_minus": method.constants.L_minus, "X": method.chi, "p": 1.0, "T": 1})
    ratio = np.max(np.cumsum(result.gradient_norm_sq[0]) / bound)
    assert 0.013 <= ratio <= 0.0185
    assert len(rounds) == result.gradient_norm_sq.shape[1]
