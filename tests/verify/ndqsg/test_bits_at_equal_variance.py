"""Golden numbers of the specification for bits at equal variance."""

import math

import pytest

import theory
from verify.evaluation import evaluate
from verify.ndqsg.bits_at_equal_variance import phase_variance
from verify.ndqsg.index_entropy import conditional_entropy, coset_entropy, index_entropy, normal

CLAIM = theory.claim("ndqsg/bits-at-equal-variance")
# Printed with 12 significant digits.
DIGITS = 5e-12

TABLE = [
    (0.1, 1.09544511501, 2.04708706279, 1.98432713952, 0.774596669241, 2.4843294003, 1.66096404744),
    (0.01, 0.346410161514, 3.59082700421, 3.58372007578, 0.244948974278, 4.08372007609, 3.32192809489),
    (0.001, 0.109544511501, 5.23894773142, 5.23822746424, 0.0774596669241, 5.73822746424, 4.98289214233),
]


def formula(name, **values):
    return evaluate(CLAIM.formulas[name], values)


@pytest.mark.parametrize("row", TABLE)
def test_table(row):
    V, step, index, conditional, rounding_step, rounding, rate = row
    assert formula("dither_step", V=V) == pytest.approx(step, rel=DIGITS)
    assert formula("rounding_step", V=V) == pytest.approx(rounding_step, rel=DIGITS)
    assert formula("gauss_rate", V=V) == pytest.approx(rate, rel=DIGITS)
    fine, coarse = (normal(1 / formula(name, V=V)) for name in ("dither_step", "rounding_step"))
    assert index_entropy(fine) == pytest.approx(index, rel=DIGITS)
    assert conditional_entropy(fine) == pytest.approx(conditional, rel=DIGITS)
    assert index_entropy(coarse) == pytest.approx(rounding, rel=DIGITS)
    stated = next(case.values for case in CLAIM.worst_cases if case.values.get("V") == str(V))
    assert [float(stated[key]) for key in ("index", "conditional", "rounding_index")] == [
        index,
        conditional,
        rounding,
    ]


def test_rounding_has_the_variance_at_its_step():
    for V in (0.1, 0.01):
        step = formula("rounding_step", V=V)
        assert step**2 * phase_variance(1 / step) == pytest.approx(V, rel=1e-13)


@pytest.mark.parametrize(("k", "entropy"), [(2, 0.999872998506), (3, 1.568027242570), (4, 1.872599110400)])
def test_coset_symbols_are_nearly_uniform(k, entropy):
    found = coset_entropy(normal(1 / formula("dither_step", V=0.1)), k)
    assert found == pytest.approx(entropy, rel=DIGITS)
    assert found < math.log2(k)


def test_fine_steps():
    assert formula("saving") == 0.5
    assert formula("gap") == pytest.approx(0.2546, abs=5e-5)


def test_scales_of_short_blocks_cost_four_bits():
    with_scales = formula("raw", M=1, scale_bits=64, block=16)
    assert with_scales - formula("raw", M=1, scale_bits=0, block=16) == pytest.approx(4, rel=1e-12)


def test_half_and_half():
    # 2.807, 1.585 and 2.196 bits.
    values = {"scale_bits": 0, "block": 1}
    assert formula("raw", M=3, **values) == pytest.approx(2.807, abs=5e-4)
    assert formula("raw_nested", k=3, **values) == pytest.approx(1.585, abs=5e-4)
    assert evaluate(CLAIM.exact, {"M": 3, "k": 3, **values}) == pytest.approx(2.196, abs=5e-4)
