import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.evidence import exponent_verdict

SIZES = 2.0 ** np.arange(5, 12)


def test_golden_interval():
    verdict, interval = exponent_verdict(SIZES, 0.95 / SIZES, 1.05 / SIZES, -1, 0.05)
    # Weights and logarithms of order one: a few units of the last place.
    assert interval == pytest.approx((-1.0309406948575375, -0.9690593051424624), rel=1e-14)
    assert verdict == "holds"


@pytest.mark.parametrize(
    ("claimed", "tolerance", "side", "verdict"),
    [
        (-1, 0.05, "both", "holds"),
        (-1, 0.01, "both", "inconclusive"),
        (-0.5, 0.05, "both", "violated"),
        (-0.5, 0.05, "at_most", "holds"),
        (-0.5, 0.05, "at_least", "violated"),
        (-1.5, 0.05, "at_most", "violated"),
        (-1.5, 0.05, "at_least", "holds"),
        (-1, 0.01, "at_most", "inconclusive"),
    ],
)
def test_verdicts(claimed, tolerance, side, verdict):
    assert exponent_verdict(SIZES, 0.95 / SIZES, 1.05 / SIZES, claimed, tolerance, side=side)[0] == verdict


def test_interval_contains_the_slope_of_any_values_inside():
    rng = np.random.default_rng(3)
    values = SIZES**0.7 * rng.uniform(0.9, 1.1, len(SIZES))
    _, (low, high) = exponent_verdict(SIZES, 0.9 * SIZES**0.7, 1.1 * SIZES**0.7, 0.7)
    slope = np.polyfit(np.log(SIZES), np.log(values), 1)[0]
    assert low <= slope <= high


def test_small_sizes_bias_the_slope():
    d = 2.0 ** np.arange(4, 15)
    values = np.sqrt(d) - 1
    everything = exponent_verdict(d, values, values, 0.5)[1][0]
    last_four = exponent_verdict(d[-4:], values[-4:], values[-4:], 0.5)[1][0]
    # Digits as published.
    assert round(everything, 4) == 0.5349
    assert round(last_four, 4) == 0.5069


def test_a_logarithmic_factor_is_no_pure_power():
    values = SIZES * np.log(SIZES)
    assert round(exponent_verdict(SIZES, values, values, 1)[1][0], 2) == 1.19
    assert exponent_verdict(SIZES, values, values, 1)[0] == "violated"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1], [1], [1], 0), "at least 2"),
        (([2, 1], [1, 1], [1, 1], 0), "increasing"),
        (([1, 2], [0, 1], [1, 1], 0), "positive"),
        (([1, 2], [2, 1], [1, 1], 0), "must not exceed hi"),
        (([1, 2], [1], [1, 1], 0), "lo has 1"),
        (([1, 2], [1, 1], [1, np.nan], 0), "hi"),
        (([1, 2], [1, 1], [1, 1], np.nan), "claimed"),
        (([1, 2], [1, 1], [1, 1], 0, -1), "tolerance"),
        (([[1, 2]], [1, 1], [1, 1], 0), "shape"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        exponent_verdict(*arguments)
