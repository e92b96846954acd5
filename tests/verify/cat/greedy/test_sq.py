"""Golden numbers of the specification for the signs of the largest entries: shares, choices, steps, runs."""

import functools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.adaptive import SortedGradient, cat_sq
from impl.communication import PRESETS, Affine, Packet
from impl.compressors import Draws, TopKSigns
from impl.optimizers.cat_gd import cat_gd
from verify.cat.fixtures.golden_vectors import GI, gc, gh, quad, rational
from verify.cat.fixtures.literal_shares import betas, float_betas
from verify.cat.greedy.sq_range import extremal_vector
from verify.evaluation import evaluate, evaluate_exact

DESCENT = theory.claim("cat/sq-descent")
RANGE = theory.claim("cat/sq-range")
FINDING = theory.claim("cat/finding-sq-not-unimodal")
# Printed with 12 digits, or as many as are written.
DIGITS = 1e-11

BETAS = (
    F(81, 173),
    F(225, 346),
    F(400, 519),
    F(144, 173),
    F(729, 865),
    F(841, 1038),
    F(900, 1211),
    F(961, 1384),
)


# ---------------------------------------------------------------- descent


def test_shares_at_gi():
    assert tuple(betas(rational(GI))) == BETAS
    sizes = sorted((abs(item) for item in GI), reverse=True)
    for T, share in enumerate(BETAS, 1):
        stated = evaluate_exact(DESCENT.formulas["beta"], {"s": sizes, "d": 8, "T": T})
        assert stated == Rational(*share.as_integer_ratio())


@pytest.mark.parametrize(
    ("fixed", "size", "efficiency"), [(0, 1, F(81, 173)), (5, 3, F(50, 519)), (40, 4, F(36, 1903))]
)
def test_choices_at_gi(fixed, size, efficiency):
    choice = cat_sq(rational(GI), Affine(1, fixed), entry_bits=1)
    assert (choice.size, choice.efficiency) == (size, efficiency)


def test_share_of_gh():
    assert float_betas(gh())[19] == pytest.approx(0.397185723153, rel=DIGITS)


@pytest.mark.parametrize(
    ("vector", "model", "size", "efficiency"),
    [
        (gh, "affine", 2, 0.00103048548322),
        (gc, "affine", 312, 0.000140832422868),
        (gh, "6lowpan", 2, 0.00064889593398),
        (gc, "6lowpan", 114, 0.000106043019553),
        (gc, "eth", 740, 7.49816770432e-5),
    ],
)
def test_choices_by_model(vector, model, size, efficiency):
    choice = cat_sq(vector(), PRESETS[model])
    assert choice.size == size
    assert choice.efficiency == pytest.approx(efficiency, rel=DIGITS)


def decrease(T, step):
    x = np.array(GI, dtype=float)
    after = x - step * TopKSigns(T).compress(x, Draws())
    return float(x @ x - after @ after) / 2


def test_steps_at_gi():
    square = 173.0
    values = {"beta": float(BETAS[2]), "T": 3, "L": 1}
    step = evaluate(DESCENT.formulas["step_by_share"], values)
    # The sums have eight terms.
    assert decrease(3, step) == pytest.approx(200 / 3, rel=1e-13)
    assert evaluate(DESCENT.bound, {"beta": float(BETAS[2]), "G": square, "L": 1}) == pytest.approx(
        66.6667, abs=5e-5
    )
    without_root = math.sqrt(float(BETAS[2]))
    assert decrease(3, without_root) == pytest.approx(30.9401, abs=5e-5)
    assert 200 / 3 / decrease(3, without_root) == pytest.approx(2.155, abs=5e-4)
    assert decrease(8, math.sqrt(float(BETAS[7]))) == pytest.approx(-140.7, abs=0.05)
    assert decrease(3, 1.0) == pytest.approx(3.5589, abs=5e-5)
    assert 200 / 3 / decrease(3, 1.0) == pytest.approx(18.7, abs=0.05)


@pytest.mark.parametrize(
    ("fixed", "objective", "cost", "sizes"),
    [(5, 0.0685830432594, 933, (2, 2, 2, 5, 5, 5, 8, 5)), (60, 0.0285752848809, 4506, None)],
)
def test_runs_of_quad(fixed, objective, cost, sizes):
    problem, rule = quad(), functools.partial(cat_sq, cost=Affine(1, fixed), entry_bits=1)
    rng = np.random.default_rng(0)
    result = cat_gd(problem, rule, step_size=1 / problem.L, rounds=60, rng=rng, start=np.ones(20))
    # Sixty steps keep the digits: each contracts.
    assert result.objective[0, -1] == pytest.approx(objective, rel=DIGITS)
    assert result.cost[0, -1] == cost
    assert sizes is None or tuple(result.sizes[0, :8, 0]) == sizes


# ---------------------------------------------------------------- range


@pytest.mark.parametrize(("d", "rho"), [(4, 1.34439015941), (100, 2.14894797354), (10_000, 3.30024025965)])
def test_rho(d, rho):
    assert evaluate(RANGE.formulas["rho"], {"d": d}) == pytest.approx(rho, rel=DIGITS)
    assert evaluate(RANGE.formulas["rho_bound"], {"d": d}) == 1 + math.log(d) / 4 > rho


def test_mutants_of_the_range():
    assert evaluate_exact(RANGE.bound, {"T": 8, "d": 8}) == Rational(1, 8)
    assert betas([F(1)] + [F(0)] * 7)[7] == F(1, 8)
    share = float_betas(extremal_vector(100)).max()
    # The specification prints 0.4653439784, but 1/rho_100 of its own rho_100 is 0.46534397869.
    assert share == pytest.approx(0.46534397869, abs=5e-12)
    assert 0.5 / share == pytest.approx(1.0745, abs=5e-5)
    assert evaluate(RANGE.formulas["best"], {"d": 100}) == pytest.approx(share, rel=1e-12)


def test_best_fixed_size_is_the_root_of_the_dimension():
    least = [evaluate_exact(RANGE.bound, {"T": T, "d": 100}) for T in range(1, 101)]
    assert max(least) == least[9] == Rational(1, 10)
    assert evaluate_exact(RANGE.formulas["fixed_iterations"], {"A": 1, "T": 10, "d": 100}) == 10


def test_last_message_in_one_dimension():
    # F = x^2 / 2, epsilon = 0.9 Delta_0: kappa = 1 and rho_1 = 1, one message at the cost C(1) = 4.
    values = {"A": math.log(1 / 0.9), "rho": 1, "C_d": 4}
    assert values["A"] == pytest.approx(0.105, abs=5e-4)
    assert evaluate(RANGE.formulas["cost"], values) < 4 < evaluate(RANGE.formulas["polyak_cost"], values)


# ---------------------------------------------------------------- finding


def test_thousand_entries():
    values = {"h": Rational(1, 10), "d": 1000}
    shares = [float(evaluate_exact(FINDING.exact, {**values, "T": T})) for T in (1, 9, 1000)]
    # Printed with six digits.
    assert shares == [pytest.approx(item, rel=5e-6) for item in (0.0909918, 0.0327571, 0.926370)]
    assert shares[2] / shares[0] == pytest.approx(10.2, abs=0.05)
    assert evaluate_exact(FINDING.formulas["least_at"], {"h": Rational(1, 10)}) == 9
    g = np.array([1.0] + [0.1] * 999)
    assert cat_sq(g, Packet(10**6), entry_bits=1).size == 1000


def test_one_packet():
    g = rational((10, *(1,) * 7))
    assert (betas(g)[7], betas(g)[0]) == (F(289, 856), F(100, 107))
    assert betas(g)[0] / betas(g)[7] == pytest.approx(2.768, abs=5e-4)
    assert cat_sq(g, Packet(8), entry_bits=1).size == 1


def test_sums_of_sorted_gradients_are_those_of_the_formula():
    sizes = SortedGradient(gh(), "here")
    stated = evaluate(DESCENT.formulas["beta"], {"s": sizes.sizes, "d": 64, "T": 20})
    assert sizes.sums[19] ** 2 / (20 * sizes.energies[-1]) == pytest.approx(stated, rel=1e-13)
