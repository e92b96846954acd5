"""Golden numbers of the specification for overload, given innovations and Gaussian ones."""

import pytest

from theory.ndqsg.nested.nested_overload import CLAIM
from theory.ndqsg.nested.nested_same_variance_fewer_bits import CLAIM as HEADLINE
from verify.authoring.law import Law, formulas_of
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.nested_overload_oracle import moments, moments_of
from verify.ndqsg.nested import nested_overload

# The goldens are printed with 15 digits: some units of the last one.
DIGITS = 2e-14


@pytest.mark.parametrize(
    ("sigma", "ratio", "alpha", "overload", "mse"),
    [
        (0.3, 3, 1.0, 6.72467302512864e-5, 0.0837667660935591),
        (0.5, 3, 1.0, 8.48355735839723e-3, 0.142840260692749),
        (1.0, 5, 1.0, 0.0162170965995638, 0.455685095349094),
        (0.5, 3, 0.9, 4.1271757105795e-3, 0.105535681382386),
        (0.5, 2, 1.0, 0.0829333162706386, 0.32280825082704),
    ],
)
def test_gaussian_goldens(sigma, ratio, alpha, overload, mse):
    found = moments(sigma, ratio, alpha)
    assert found.overload == pytest.approx(overload, rel=DIGITS)
    assert found.mse == pytest.approx(mse, rel=DIGITS)


@pytest.mark.parametrize(
    ("sigma", "ratio", "alpha", "times", "cross", "success"),
    [
        (0.3, 3, 1.0, 117, 0.002, -0.005),
        (0.5, 3, 1.0, 3.1, 0.12, -0.42),
        (1.0, 5, 1.0, 1.31, 0.07, -0.82),
        (0.5, 2, 1.0, 1.82, 0.29, -0.74),
    ],
)
def test_effect_of_the_mutants(sigma, ratio, alpha, times, cross, success):
    # The specification gives two digits.
    found = moments(sigma, ratio, alpha)
    law = Law(CLAIM.id, formulas_of(CLAIM.id), {})

    def mutant(transform):
        return moments_of(transform(law), sigma, ratio, alpha)

    innovation_alone = mutant(nested_overload.innovation_alone).overload
    assert found.overload / innovation_alone == pytest.approx(times, rel=0.02)
    change = mutant(nested_overload.no_cross_term).mse / found.mse - 1
    assert change == pytest.approx(cross, abs=5e-3)
    change = mutant(nested_overload.variance_given_success).mse / found.mse - 1
    assert change == pytest.approx(success, abs=5e-3)


@pytest.mark.parametrize(("sigma", "ratio", "missing"), [(0.5, 2, 1.9e-6), (1.0, 3, 3e-4)])
def test_one_cell_misses_little(sigma, ratio, missing):
    # Two digits and one digit in the specification.
    relative = 1 - moments(sigma, ratio, cells=1).squares / moments(sigma, ratio).squares
    assert relative == pytest.approx(missing, rel=0.17)


def test_an_overload_costs_72_to_144_times_the_fine_variance_at_ratio_three():
    values = {"k": 3, "squares": 1}
    assert 12 * evaluate_exact(CLAIM.formulas["excess_low"], values) == 72
    assert 12 * evaluate_exact(CLAIM.formulas["excess_high"], values) == 144
    assert evaluate_exact(HEADLINE.formulas["excess_overload"], {"k": 3, "overload": 1}) == 72


def test_bits_of_half_and_half():
    bits = HEADLINE.formulas
    assert evaluate(bits["bits_half"], {"M": 3, "k": 3}) == pytest.approx(2.196, abs=5e-4)
    assert evaluate(bits["bits_dithered"], {"M": 3}) == pytest.approx(2.807, abs=5e-4)
    assert evaluate(bits["bits"], {"k": 3}) == pytest.approx(1.585, abs=5e-4)


def test_gaussian_half_step_has_1_71_times_the_fine_variance():
    found = moments(0.5, 3)
    values = {"k": 3, "D": 1 / 12, "squares": found.squares, "cross": found.cross}
    assert evaluate(HEADLINE.exact, values) == pytest.approx(found.mse, rel=DIGITS)
    assert 12 * found.mse == pytest.approx(1.71, abs=5e-3)
