"""Golden ratios and exponents of the families of `squant/gain-block`, as the specification prints them."""

import numpy as np
import pytest

from verify.squant.fixtures.families import family
from verify.squant.fixtures.family_constants import condition_number
from verify.squant.fixtures.total_cost import gain

SIZES = (4, 16, 64, 256)
# Ratios with 15 digits, of which round-off takes one; least-squares exponents with 12.
RATIOS = {
    "V": ((1.39856336344069, 4.47965467845648, 17.5533561380110, 71.6244110906932), 0.950279450569),
    "H": ((1.94213454923140, 7.98659112527160, 34.0490718042747, 142.139990693427), 1.03362701746757),
    "hom": ((0.753072580314216, 0.767233674210778, 0.803922188794591, 0.834455987491034), 0.0255765475882),
}
EXACT = {"V": 0.979815041887, "H": 1.08139022673}
ONE_BLOCK = {"V": 0.508636941995, "H": 0.441477336556}


def exponent(values: list[float], sizes: tuple[int, ...] = SIZES) -> float:
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


@pytest.mark.parametrize("name", RATIOS)
def test_ratios_of_total_bits_and_their_exponent(name):
    ratios, slope = RATIOS[name]
    found = [gain(family(name, n)) for n in SIZES]
    assert found == pytest.approx(ratios, rel=5e-14, abs=0)
    assert exponent(found) == pytest.approx(slope, rel=1e-11)


@pytest.mark.parametrize("name", EXACT)
def test_exponents_with_exact_suprema_and_of_varying_steps_in_one_block(name):
    assert exponent([gain(family(name, n), exact=True) for n in SIZES]) == pytest.approx(
        EXACT[name], rel=1e-11
    )
    ratios = []
    for n in SIZES:
        matrices = family(name, n)
        ratios.append(condition_number(matrices, "std") / condition_number(matrices, "plus"))
    assert exponent(ratios) == pytest.approx(ONE_BLOCK[name], rel=1e-11)


def test_low_dimension_gains_ever_less():
    sizes = (4, 8, 16, 32, 64, 128, 256)
    found = [gain(family("lowdim", n, d=8 * n)) for n in sizes]
    assert found[0] == pytest.approx(1.31, abs=5e-3)
    assert found[-1] == pytest.approx(4.20, abs=5e-3)
    assert exponent(found, sizes) == pytest.approx(0.28, abs=5e-3)
    assert exponent(found[-3:], sizes[-3:]) == pytest.approx(0.17, abs=5e-3)
