"""Golden numbers of sections 8 and 12: words, headers, and bits of softmax regression on digits."""

import numpy as np
import pytest
from sympy import Rational

from theory.ndqsg.training.exp_digits import CLAIM
from verify.evaluation import evaluate_exact
from verify.experiments.ndqsg.training_bits import FIXED
from verify.experiments.ndqsg.training_methods import METHODS, Setting

# Half of the workers of each row may be nested; Mbit of 8 workers in 200 iterations, headers apart.
TOTALS = ("1.9456", "3.3792", "1.6384", "2.6624", "3.072")


@pytest.mark.parametrize(("alphabet", "symbols"), [(2, 64), (3, 40), (5, 27), (7, 22)])
def test_symbols_per_word(alphabet, symbols):
    # The specification gives those of 3, 5 and 7.
    assert evaluate_exact(CLAIM.formulas["per_word"], {"A": alphabet}) == symbols
    assert alphabet**symbols <= 2**64 < alphabet ** (symbols + 1)


def test_header_has_92_bytes():
    values = {"T": 1, "P": 1, "L": 1, "m": 0, "first": 0, "second": 0}
    assert evaluate_exact(CLAIM.formulas["wire"], values) == 8 * 92


@pytest.mark.parametrize(
    ("name", "mbit", "case"), list(zip(FIXED, TOTALS, CLAIM.worst_cases, strict=True)), ids=FIXED
)
def test_totals_of_the_worst_cases_and_of_runs(name, mbit, case):
    assert evaluate_exact(CLAIM.formulas["exact"], case.values) == case.value == Rational(mbit) * 10**6
    sent = Setting(iterations=4).run(METHODS[name], np.random.default_rng(0), 2).bits
    # Every iteration sends the same.
    assert (50 * sent.sum(axis=(1, 2)) == int(case.value)).all()
