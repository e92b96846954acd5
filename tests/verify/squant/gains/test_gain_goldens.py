"""Golden numbers of the specification for the gains of blocks on the families, from the fixtures of the
checks.
"""

import pytest

from verify.squant.fixtures.exponents import compare_exponent, exponent
from verify.squant.fixtures.families import family
from verify.squant.fixtures.family_constants import condition_number
from verify.squant.fixtures.total_cost import gain
from verify.squant.gains.gain_block import DOUBLING, SIZES

# Goldens are printed with 15 digits, exponents with 12: half a unit of the last one and more.
DIGITS, TWELVE_DIGITS = 2e-14, 5e-12

GAINS = {
    "V": (1.39856336344069, 4.47965467845648, 17.5533561380110, 71.6244110906932),
    "H": (1.94213454923140, 7.98659112527160, 34.0490718042747, 142.139990693427),
    "hom": (0.753072580314216, 0.767233674210778, 0.803922188794591, 0.834455987491034),
}


def quotients(name, first, second):
    """Return quotients of condition numbers of two methods."""
    matrices = [family(name, n) for n in SIZES]
    values = [[condition_number(m, method, m.d / m.n) for method in (first, second)] for m in matrices]
    return [a / b for a, b in values]


@pytest.mark.parametrize(
    ("name", "slope"), [("V", 0.950279450569), ("H", 1.03362701746757), ("hom", 0.0255765475882)]
)
def test_gains_and_their_exponents(name, slope):
    found = [gain(family(name, n)) for n in SIZES]
    assert found == pytest.approx(GAINS[name], rel=DIGITS)
    assert exponent(SIZES, found) == pytest.approx(slope, rel=TWELVE_DIGITS)


def test_low_dimension_grows_slowly():
    found = [gain(family("lowdim", n)) for n in DOUBLING]
    assert (found[0], found[-1]) == (pytest.approx(1.31, abs=5e-3), pytest.approx(4.20, abs=5e-3))
    assert exponent(DOUBLING[-3:], found[-3:]) == pytest.approx(0.17, abs=5e-3)


@pytest.mark.parametrize(("name", "slope"), [("V", 0.979815041887), ("H", 1.08139022673)])
def test_exponent_with_exact_suprema(name, slope):
    found = [gain(family(name, n), exact=True) for n in SIZES]
    assert exponent(SIZES, found) == pytest.approx(slope, rel=TWELVE_DIGITS)


@pytest.mark.parametrize(("name", "slope"), [("V", 0.508636941995), ("H", 0.441477336556)])
def test_exponents_of_awareness(name, slope):
    assert exponent(SIZES, quotients(name, "std", "plus")) == pytest.approx(slope, rel=TWELVE_DIGITS)


def test_exponent_outside_its_window_is_a_failed_comparison():
    low, high = compare_exponent("x", (2, 4, 8), (2.0, 4.0, 8.0), at_least=0.9, at_most=1.1)
    assert (low.excess, high.excess) == (0.0, 0.0)
    low, high = compare_exponent("x", (2, 4, 8), (2.0, 4.0, 8.0), at_least=1.2, at_most=1.5)
    assert low.excess > 0
    assert high.excess == 0
