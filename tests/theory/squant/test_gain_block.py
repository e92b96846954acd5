"""Golden numbers of the specification, from the formulas of `squant/gain-block` alone."""

import pytest
from sympy import Integer, Rational

import theory
from verify.evaluation import evaluate, evaluate_exact
from verify.squant.fixtures.exponents import exponent

CLAIM = theory.claim("squant/gain-block")
FORMULAS = CLAIM.formulas

# Goldens are printed with 15 digits; exponents with 12 to 15, in the second case half a unit of the last one.
DIGITS = 2e-14
TWELVE_DIGITS = 1e-12

SIZES = (4, 16, 64, 256)
DOUBLING = (4, 8, 16, 32, 64, 128, 256)


def constants(name, n):
    """Return rho and nu_B of a family, exactly."""
    rest = {"V": Rational(1, n), "H": Rational(1, n**2), "hom": Integer(1)}[name]
    heavy = 1 + (n - 1) * rest
    return 1 / heavy, heavy


def gains(name, sizes=SIZES, dimension=lambda n: 8 * n**2):
    found = []
    for n in sizes:
        rho, nu_B = constants(name, n)
        found.append(evaluate(CLAIM.bound, {"n": n, "d": dimension(n), "rho": rho, "nu_B": nu_B}))
    return found


@pytest.mark.parametrize(
    ("name", "expected", "slope", "digits"),
    [
        (
            "V",
            (1.39856336344069, 4.47965467845648, 17.5533561380110, 71.6244110906932),
            0.950279450569,
            TWELVE_DIGITS,
        ),
        (
            "H",
            (1.94213454923140, 7.98659112527160, 34.0490718042747, 142.139990693427),
            1.03362701746757,
            DIGITS,
        ),
        (
            "hom",
            (0.753072580314216, 0.767233674210778, 0.803922188794591, 0.834455987491034),
            0.0255765475882,
            # Twelve digits, of which the logarithms of nearly equal numbers lose two.
            3e-12,
        ),
    ],
)
def test_gains_and_their_exponents(name, expected, slope, digits):
    found = gains(name)
    assert found == pytest.approx(expected, rel=DIGITS)
    assert exponent(SIZES, found) == pytest.approx(slope, rel=digits)


def test_homogeneous_nodes_always_lose():
    assert max(gains("hom", DOUBLING)) < 1


def test_low_dimension_grows_slowly():
    found = gains("H", DOUBLING, lambda n: 8 * n)
    # Printed with three digits and two.
    assert (found[0], found[-1]) == (pytest.approx(1.31, abs=5e-3), pytest.approx(4.20, abs=5e-3))
    assert exponent(DOUBLING, found) == pytest.approx(0.28, abs=5e-3)
    assert exponent(DOUBLING[-3:], found[-3:]) == pytest.approx(0.17, abs=5e-3)


def test_condition_numbers_of_one_heavy_node():
    ratios = [evaluate_exact(FORMULAS["V_ratio"], {"n": n}) for n in SIZES]
    assert ratios[0] == Rational(39, 21)
    expected = (5.83870967741935, 21.8346456692913, 85.8336594911937)
    assert [float(ratio) for ratio in ratios[1:]] == pytest.approx(expected, rel=DIGITS)
    for n in SIZES:
        std = evaluate_exact(FORMULAS["V_K_std"], {"n": n})
        block = evaluate_exact(FORMULAS["V_K_block"], {"n": n})
        assert std == Rational(2 * n - 1, n) + 2 * n
        assert block == 3 * Rational(2 * n - 1, n)
        rho, nu_B = constants("V", n)
        values = {"rho": rho, "L": Rational(2 * n - 1, n**2), "mu": Rational(1, n)}
        assert evaluate_exact(FORMULAS["K_std"], {**values, "n": n}) == std
        assert evaluate_exact(FORMULAS["K_block"], {**values, "nu_B": nu_B}) == block


@pytest.mark.parametrize("name", ["V", "H", "hom"])
def test_limits_of_the_gain(name):
    for n, found in zip(SIZES, gains(name), strict=True):
        rho, nu_B = constants(name, n)
        values = {"n": n, "d": 8 * n**2}
        b0 = evaluate(FORMULAS["b0"], values)
        assert b0 >= evaluate(FORMULAS["b0_lower"], values)
        assert evaluate(FORMULAS["linear_lower"], {**values, "rho": rho, "nu_B": nu_B}) <= found
        assert found <= evaluate(FORMULAS["rho_limit"], {"n": n, "rho": rho})
        assert found <= evaluate(FORMULAS["nu_limit"], {"n": n, "rho": rho, "nu_B": nu_B})
        assert found <= evaluate(FORMULAS["norm_limit"], {"n": n, "rho": rho, "b_0": b0})
