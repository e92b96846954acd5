import numpy as np
import pytest

from verify.evidence.betting import BETS, betting_sums, log_mean_exp

# Sums of at most 50 logarithms agree with 40-digit arithmetic to a few units of the last place.
DIGITS = 1e-14


@pytest.mark.parametrize(
    ("y", "log_evidence"),
    [
        ([1.5] * 10 + [0.25] * 4, 0.0447971556509188),
        ([2.0] * 6, 1.76298951508402),
        ([0.0] * 50, -0.68053903932796),
    ],
    ids=["E1a", "E1b-twos", "E1b-zeros"],
)
def test_goldens(y, log_evidence):
    assert log_mean_exp(betting_sums(np.array(y))) == pytest.approx(log_evidence, rel=DIGITS, abs=DIGITS)


def test_grid():
    assert BETS.tolist() == [0.95 / 2**j for j in range(14)]


def test_every_bet_is_a_fair_game_on_a_two_point_law():
    # y = 10 with probability 1/10, else 0: the factors have mean exactly 1.
    wins, losses = betting_sums(np.array([10.0])), betting_sums(np.array([0.0]))
    # Two products of order one in double precision.
    np.testing.assert_allclose(0.1 * np.exp(wins) + 0.9 * np.exp(losses), 1, rtol=1e-14)


def test_huge_values_do_not_overflow():
    sums = betting_sums(np.array([1e308, 1e308, 0.0]))
    assert np.all(np.isfinite(sums))
    assert log_mean_exp(sums) > 1000


def test_no_values_no_evidence():
    assert log_mean_exp(betting_sums(np.array([]))) == 0


def test_log_mean_exp_without_overflow():
    assert log_mean_exp(np.array([1000.0, 1000.0])) == 1000
    assert log_mean_exp(np.array([[0.0, np.inf]])) == np.inf
    assert log_mean_exp(np.array([0.0, -5000.0])) == pytest.approx(-np.log(2), rel=1e-15)  # exp(-5000) is 0
