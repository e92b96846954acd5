"""What the findings on blocks show on the families, and why their mutants fail."""

import importlib

import pytest

from verify.context import Context
from verify.rungs.exact import judge
from verify.squant.fixtures.exponents import compare_exponent, exponent
from verify.squant.fixtures.families import family
from verify.squant.fixtures.family_constants import condition_number
from verify.squant.gain_block import SIZES


def quotients(name, first, second):
    found = []
    for n in SIZES:
        matrices = family(name, n)
        found.append(
            condition_number(matrices, first, matrices.d / n)
            / condition_number(matrices, second, matrices.d / n)
        )
    return found


@pytest.mark.parametrize(("name", "slope"), [("V", 0.508636941995), ("H", 0.441477336556)])
def test_exponents_of_awareness(name, slope):
    # Printed with 12 digits.
    assert exponent(SIZES, quotients(name, "std", "plus")) == pytest.approx(slope, rel=2e-12)


def test_blocks_add_nothing_in_family_W():
    gains = quotients("W", "plus", "block")
    assert max(gains) < 2
    assert abs(exponent(SIZES, gains)) < 0.1
    assert exponent(SIZES, quotients("W", "std", "plus")) > 0.85


@pytest.mark.parametrize(
    ("module", "instance", "mutant", "reason"),
    [
        ("finding_aware_sqrt_gain", "V", "linear-gain", "exponent of the gain of the blocks, from below"),
        ("finding_aware_sqrt_gain", "H", "unaware-step", "gain of the blocks"),
        (
            "finding_blocks_add_nothing",
            "W",
            "blocks-still-gain",
            "exponent of the gain of the blocks, from below",
        ),
        ("finding_blocks_add_nothing", "W", "many-heavy-coordinates", "exponent of the gain of"),
        ("finding_blocks_add_nothing", "W", "low-dimension", "gain of the blocks"),
    ],
)
def test_mutants_fail_for_their_own_reason(module, instance, mutant, reason):
    checks = importlib.import_module(f"verify.squant.{module}").checks()
    (check,) = [item for item in checks if item.instance == instance and item.rung == "exact"]
    found = judge(check.mutants[mutant], Context("squant/finding", "exact", instance))
    assert found.verdict == "violated"
    assert reason in found.reason, found.reason


def test_exponent_outside_its_window_is_a_failed_comparison():
    low, high = compare_exponent("x", (2, 4, 8), (2.0, 4.0, 8.0), at_least=0.9, at_most=1.1)
    assert (low.excess, high.excess) == (0.0, 0.0)
    low, high = compare_exponent("x", (2, 4, 8), (2.0, 4.0, 8.0), at_least=1.2, at_most=1.5)
    assert low.excess > 0
    assert high.excess == 0
