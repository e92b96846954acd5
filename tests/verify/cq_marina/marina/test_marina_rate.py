"""Golden numbers of the specification for the rate of MARINA."""

from dataclasses import replace

import numpy as np
import pytest

from verify.cq_marina.fixtures.marina_settings import (
    Setting,
    formula,
    golden_tridiagonal,
    identity,
    one_bit,
    perm_k,
    rand_k,
    rank_one,
    stated_step,
)

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13


def digits(number):
    return pytest.approx(number, rel=DIGITS, abs=0)


def with_step(setting: Setting, factor: float) -> Setting:
    return replace(setting, step=lambda constants, chi, p: factor * stated_step(constants, chi, p))


def ratio(setting: Setting, rounds: int, bound: float | None = None) -> float:
    return setting.trace.average(rounds) / (setting.bound(rounds) if bound is None else bound)


def test_identity_quadratics_with_the_one_bit_quantizer():
    setting = identity(4, 8, 0.1, 200)
    assert setting.chi == digits(7 / 4)
    # The specification gives this step with 12 digits.
    assert setting.step_size == pytest.approx(0.201262845193, rel=5e-12)
    assert ratio(setting, 200) == digits(0.8804678649639)


def test_ternary_constant_is_rejected():
    setting = replace(
        identity(4, 8, 0.1, 200), step=lambda constants, _, p: stated_step(constants, 8 / (4 * 4), p)
    )
    assert setting.step_size == pytest.approx(0.320377241017, rel=5e-12)
    assert ratio(setting, 200) == digits(2.106157287812)


@pytest.mark.parametrize(("factor", "expected"), [(1.3, 1.31), (1.5, 1.80), (2.0, 4.96)])
def test_larger_steps_are_rejected(factor, expected):
    # Printed with three digits.
    assert ratio(with_step(identity(4, 8, 0.1, 200), factor), 200) == pytest.approx(expected, abs=5e-3)


@pytest.mark.parametrize(
    ("n", "p", "tight", "own", "kept"),
    [(1, 0.1, 0.91, 1.057, 1.119), (1, 0.02, None, 1.026, 1.087), (4, 0.1, None, 1.104, 1.289)],
)
def test_by_how_much_the_step_may_grow(n, p, tight, own, kept):
    """Where the ratio crosses 1, with the bound at the step taken and with the bound at the stated step."""
    rounds = 1000
    setting = identity(n, 8, p, rounds)
    if tight is not None:
        assert ratio(setting, rounds) == pytest.approx(tight, abs=5e-3)
    for factor, bound in ((own, None), (kept, setting.bound(rounds))):
        below, above = with_step(setting, factor - 6e-4), with_step(setting, factor + 6e-4)
        assert ratio(below, rounds, bound) < 1 < ratio(above, rounds, bound)


def test_a_rare_coin_brings_the_bound_within_four_percent():
    # At T = 400; the limit for many rounds is 0.966.
    assert ratio(identity(1, 8, 0.02, 400), 400) == pytest.approx(0.965, abs=5e-4)


def test_rank_one_family():
    setting = rank_one(4, 0.05, 400)
    assert (setting.constants.L_minus, setting.constants.L_plus) == (1, 2)
    assert setting.constants.L_pm == digits(3**0.5)
    assert setting.step_size == digits(0.1169613292013)
    assert ratio(setting, 400) == digits(0.9261778020282)
    assert ratio(with_step(setting, 2.0), 400) == pytest.approx(4.79, abs=5e-3)


def test_rank_one_family_without_hessian_variance():
    setting = replace(rank_one(4, 0.05, 10), step=lambda constants, _, p: stated_step(constants, 0.0, p))
    assert setting.step_size == 1
    assert ratio(setting, 10) == pytest.approx(1.1e4, rel=0.05)


def test_rare_full_gradients():
    assert ratio(replace(identity(1, 8, 0.1, 200), tossed=0.025), 200) == pytest.approx(4.44, abs=5e-3)


@pytest.mark.parametrize(
    ("n", "d", "scheme", "percent"),
    [
        (2, 6, rand_k(2, 6, 2), 18.3),
        (2, 6, perm_k(2, 6), 23.7),
        (2, 6, one_bit(2, 6), 13.5),
        (6, 3, perm_k(6, 3), 22.1),
    ],
)
def test_gain_of_the_larger_valid_step(n, d, scheme, percent):
    setting = golden_tridiagonal(n, d, scheme, "", 50)
    larger = formula("marina-rate", "larger_step", L_minus=setting.constants.L_minus, X=setting.chi, p=0.25)
    assert 100 * (larger / setting.step_size - 1) == pytest.approx(percent, abs=0.05)


def test_the_larger_step_is_never_more_than_a_quarter_larger():
    c = np.geomspace(1e-3, 1e3, 200)
    gains = [
        formula("marina-rate", "larger_step", L_minus=1.0, X=x, p=0.5)
        / formula("marina-rate", "step_size", L_minus=1.0, X=x, p=0.5)
        for x in c**2
    ]
    most = 1.25
    assert max(gains) <= most
    found = formula("marina-rate", "larger_step", L_minus=1.0, X=4 / 9, p=0.5) * (1 + 2 / 3)
    assert found == pytest.approx(most, rel=1e-14)


def test_for_independent_compressors_the_step_is_no_smaller_than_the_original_one():
    n, omega, p = 10, 15.0, 0.1
    for least, plus, all_ in ((1.0, 1.0, 1.0), (0.5, 0.8, 1.0), (0.1, 1.0, 1.2)):
        chi = formula("marina-rate", "X", A=omega / n, B=0.0, L_plus=plus, L_pm=0.7)
        refined = formula("marina-rate", "step_size", L_minus=least, X=chi, p=p)
        original = formula("marina-rate", "original_step", L=all_, n=n, omega=omega, p=p)
        assert refined >= original * (1 - 1e-14)
