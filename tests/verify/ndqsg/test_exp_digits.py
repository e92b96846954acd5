"""Golden numbers of sections 8 and 12: words, headers, and bits of softmax regression on digits."""

import numpy as np
import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact
from verify.experiments.ndqsg.training_methods import METHODS, Setting

CLAIM = theory.claim("ndqsg/exp-digits")

# Half of the workers of each row may be nested; Mbit of 8 workers in 200 iterations, headers apart.
TOTALS = {
    "dqsg-1": 1.9456,
    "dqsg-3": 3.3792,
    "nested-1-2": 1.6384,
    "nested-3-3": 2.6624,
    "nested-3-5": 3.072,
}


@pytest.mark.parametrize(("alphabet", "symbols"), [(2, 64), (3, 40), (5, 27), (7, 22)])
def test_symbols_per_word(alphabet, symbols):
    # The specification gives those of 3, 5 and 7.
    assert evaluate_exact(CLAIM.formulas["per_word"], {"A": alphabet}) == symbols
    assert alphabet**symbols <= 2**64 < alphabet ** (symbols + 1)


def test_header_has_92_bytes():
    values = {"T": 1, "P": 1, "tensors": 1, "m": 0, "first": 0, "second": 0}
    assert evaluate_exact(CLAIM.formulas["wire"], values) == 8 * 92


@pytest.mark.parametrize(("name", "mbit"), TOTALS.items())
def test_totals_of_the_worst_cases_and_of_runs(name, mbit):
    case = CLAIM.worst_cases[list(TOTALS).index(name)]
    assert evaluate_exact(CLAIM.exact, case.values) == case.value == Rational(str(mbit)) * 10**6
    sent = Setting(iterations=4).run(METHODS[name], np.random.default_rng(0), 2).bits
    # Every iteration sends the same.
    assert (50 * sent.sum(axis=(1, 2)) == int(case.value)).all()


def test_nested_messages_send_less():
    assert TOTALS["nested-1-2"] < TOTALS["dqsg-1"] < TOTALS["nested-3-3"] < TOTALS["nested-3-5"]


@pytest.mark.parametrize(
    ("z", "e", "error"),
    [
        (0.5, 0.25, 0.25),
        (1.2, 0.25, 0.25),
        (1.2, 0.4, 0.4 - 3),
        (-1.5, 0.1, 0.1),
        (-1.5, -0.1, -0.1 + 3),
        (4.0, -0.25, -0.25 - 3),
    ],
)
def test_error_of_a_nested_message(z, e, error):
    # By hand at k = 3: decoding is right while z + e is in [-3/2, 3/2).
    assert evaluate(CLAIM.formulas["error"], {"z": z, "e": e, "k": 3}) == pytest.approx(error, abs=1e-15)


@pytest.mark.parametrize(
    ("moved", "cell", "side", "value"),
    [(0, 0, 1, "1/12"), ("1/5", 0, 1, "421/300"), ("1/3", 0, 1, "29/12"), (0, 1, -1, "109/12")],
)
def test_mean_square_at_the_goldens_of_the_conditional_law(moved, cell, side, value):
    values = {"k": 3, "moved": Rational(moved), "cell": cell, "side": side}
    assert evaluate_exact(CLAIM.formulas["mean_square"], values) == Rational(value)
