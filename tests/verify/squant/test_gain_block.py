"""The gain on the families: golden exponents with exact suprema, and what the mutants change."""

import pytest

from verify.context import Context
from verify.rungs.exact import judge
from verify.squant.fixtures.exponents import exponent
from verify.squant.fixtures.families import family
from verify.squant.gain_block import SIZES, checks, gain, stated

# Printed with 12 digits.
TWELVE_DIGITS = 1e-12


@pytest.mark.parametrize(("name", "slope"), [("V", 0.979815041887), ("H", 1.08139022673)])
def test_exponent_with_exact_suprema(name, slope):
    found = [gain(family(name, n), exact=True) for n in SIZES]
    assert exponent(SIZES, found) == pytest.approx(slope, rel=5 * TWELVE_DIGITS)


@pytest.mark.parametrize("name", ["V", "H", "hom", "lowdim"])
def test_gain_is_the_stated_ratio(name):
    for n in SIZES:
        matrices = family(name, n)
        assert gain(matrices) == pytest.approx(stated("bound", matrices), rel=1e-13)


@pytest.mark.parametrize(
    ("instance", "mutant", "reason"),
    [
        ("V", "low-dimension", "exponent of the gain"),
        ("H", "homogeneous-matrices", "exponent of the gain"),
        ("V", "uniform-block-steps", "stated ratio"),
        ("lowdim", "one-norm", "exponent of the gain"),
    ],
)
def test_mutants_fail_for_their_own_reason(instance, mutant, reason):
    (check,) = [item for item in checks() if item.instance == instance and item.rung == "exact"]
    found = judge(check.mutants[mutant], Context("squant/gain-block", "exact", instance))
    assert found.verdict == "violated"
    assert reason in found.reason, found.reason


@pytest.mark.parametrize("name", ["V", "H"])
def test_uniform_block_steps_gain_a_root(name):
    found = [gain(family(name, n), method="block-uniform") for n in SIZES]
    assert exponent(SIZES, found) == pytest.approx(0.5, abs=0.1)
