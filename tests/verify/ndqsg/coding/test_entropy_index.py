"""Golden numbers of the specification for the entropies of the indices."""

import pytest

import theory
from verify.evaluation import evaluate
from verify.ndqsg.fixtures.index_entropy import (
    LAWS,
    conditional_by_dither,
    conditional_entropy,
    index_entropy,
    rounded_entropy,
)

CLAIM = theory.claim("ndqsg/entropy-index")
# Printed with 13 digits after the point, quadrature errors of some 1e-14.
DIGITS = 1e-13

GOLDEN = {
    "gauss-1": (2.1582872201406, 2.1048326603976),
    "gauss-1/2": (1.4145964333376, 1.2544269142853),
    "laplace-1/2": (1.7050251575670, 1.6059406812900),
    "sparse": (0.4605867432955, 0.4552708590245),
    "uniform-1": (1.5, 1.3606737602222),
    "uniform-3": (2.7516291673878, 2.7051870874619),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_entropies(name):
    index, conditional = GOLDEN[name]
    law = LAWS[name]()
    assert index_entropy(law) == pytest.approx(index, abs=DIGITS)
    assert conditional_entropy(law) == pytest.approx(conditional, abs=DIGITS)
    # Both sides, computed independently.
    assert conditional_by_dither(law) == pytest.approx(conditional_entropy(law), abs=1e-14)
    row = next(case.values for case in CLAIM.worst_cases if case.values["law"] == name)
    assert (float(row["index"]), float(row["conditional"])) == (index, conditional)


@pytest.mark.parametrize("M", [1, 3])
def test_uniform_closed_forms(M):
    index, conditional = GOLDEN[f"uniform-{M}"]
    assert evaluate(CLAIM.formulas["index"], {"M": M}) == pytest.approx(index, abs=5e-14)
    assert evaluate(CLAIM.exact, {"M": M}) == pytest.approx(conditional, abs=5e-14)


def test_rounding_without_dither():
    # Lower; the same as H(q) for uniform x, within 6e-9 of H(q | u) for N(0, 1).
    for name in GOLDEN:
        rounded, index = rounded_entropy(LAWS[name]()), index_entropy(LAWS[name]())
        if name.startswith("uniform"):
            assert rounded == pytest.approx(index, abs=DIGITS)
        else:
            assert rounded < index - 0.01
    # Three decimals in the description of the mutant.
    assert rounded_entropy(LAWS["laplace-1/2"]()) == pytest.approx(1.560, abs=5e-4)
    difference = rounded_entropy(LAWS["gauss-1"]()) - conditional_entropy(LAWS["gauss-1"]())
    assert abs(difference) == pytest.approx(6e-9, abs=5e-10)


def test_difference_of_the_two_entropies():
    # 0.0053 bit (sparse) to 0.160 bit in the table.
    differences = [index - conditional for index, conditional in GOLDEN.values()]
    assert min(differences) == pytest.approx(0.0053, abs=5e-5)
    assert max(differences) == pytest.approx(0.160, abs=5e-4)
