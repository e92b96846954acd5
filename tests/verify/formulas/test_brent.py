"""Roots by Brent's method are scipy's to the last bit."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from verify.formulas.brent import root_between

FUNCTIONS = {
    "cubic": lambda x: x**3 - 2 * x - 5,
    "exponential": lambda x: math.exp(-x) - x,
    "flat": lambda x: (x - 1.3) ** 9,
    "steep": lambda x: math.atan(1e8 * (x - 0.7)),
    "hyperbola": lambda x: 1 / (x + 1e-12) - 3.7,
    "jump": lambda x: -1.0 if x < 0.123456789 else 2.0,
    "square root": lambda x: math.sqrt(x) - 1.1,
    "tiny": lambda x: 1e-300 * (x - 0.9),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_the_root_of_scipy_bit_for_bit(name):
    function, rng = FUNCTIONS[name], np.random.default_rng(5)
    found = 0
    for _ in range(300):
        start, end = sorted(map(float, rng.choice([0.1, 1.0, 3.0], 2) * rng.random(2)))
        start, end = math.ldexp(start, -int(rng.integers(5))), math.ldexp(end, int(rng.integers(5)))
        if (function(start) < 0) == (function(end) < 0):
            continue
        ends = (start, end) if rng.random() < 0.5 else (end, start)
        found += 1
        for absolute, relative in ((math.ldexp(start, -52), 4 * math.ulp(1.0)), (1e-6, 1e-3)):
            try:
                expected = brentq(function, *ends, xtol=absolute, rtol=relative)
            except RuntimeError:
                with pytest.raises(ArithmeticError, match="100 steps"):
                    root_between(function, *ends, absolute=absolute, relative=relative)
                continue
            assert root_between(function, *ends, absolute=absolute, relative=relative) == expected
    assert found > 20


def test_ends_that_are_roots_and_ends_of_one_sign():
    assert root_between(lambda x: x - 1, 1.0, 2.0, absolute=1e-9, relative=1e-9) == 1.0
    assert root_between(lambda x: x - 1, 0.0, 1.0, absolute=1e-9, relative=1e-9) == 1.0
    with pytest.raises(ArithmeticError, match=r"one sign at 2.0 and 3.0"):
        root_between(lambda x: x - 1, 2.0, 3.0, absolute=1e-9, relative=1e-9)


def test_what_does_not_end_is_an_error():
    with pytest.raises(ArithmeticError, match=r"100 steps from 0.0 and 1e\+300"):
        root_between(lambda x: -1.0 if x < 1e-300 else 1.0, 0.0, 1e300, absolute=1e-320, relative=1e-16)
