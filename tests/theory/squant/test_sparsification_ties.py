"""Golden numbers of the specification, from the formulas alone: quantization against sparsification."""

import pytest

import theory
from verify.evaluation import evaluate, evaluate_exact, solve

BITS = theory.claim("squant/bits")
CLAIM = theory.claim("squant/finding-sparsification-ties")
SPARSE = theory.claim("squant/sparse")


@pytest.mark.parametrize(("d", "budget"), [(10, 4), (16, 4), (100, 10), (64, 1)])
def test_constants_at_the_identity_are_the_same(d, budget):
    sparse = evaluate_exact(CLAIM.formulas["sparse_constant"], {"d": d, "tau": budget})
    assert sparse == evaluate_exact(CLAIM.formulas["quantizer_constant"], {"d": d, "beta": budget})
    optimum = solve(SPARSE.exact, {"L": (1,) * d, "tau": budget, "d": d})
    assert float(sparse) == pytest.approx(optimum, rel=2e-14)


def test_golden_constant_of_the_identity():
    assert evaluate(CLAIM.formulas["sparse_constant"], {"d": 10, "tau": 4}) == 1.5


@pytest.mark.parametrize(
    ("diagonal", "budget", "best_known"),
    [((4, 1), 1, 2.24502833757803), ((4, 1, 1, 1), 1, 4.74491382771371), ((9, 4, 1, 1), 2, 3.06542532488892)],
)
def test_best_known_steps_lie_between_both_ends(diagonal, budget, best_known):
    d = len(diagonal)
    c = solve(SPARSE.exact, {"L": diagonal, "tau": budget, "d": d})
    assert c <= best_known <= evaluate(CLAIM.bound, {"L": diagonal, "beta": budget, "d": d})
    # The specification's search found 0 to 35 % above c.
    assert best_known <= 1.35 * c


@pytest.mark.parametrize(("d", "golden"), [(16, 56.6119914161973), (64, 92.5553125373626)])
def test_saving_at_ones_with_step_one(d, golden):
    budget = round(d**0.5)
    length = evaluate(BITS.formulas["sparse_gamma"], {"u": (1 / budget,) * d, "d": d, "B": 1})
    assert length == pytest.approx(golden, rel=2e-14)
    saving = evaluate(CLAIM.formulas["saving"], {"v": 32, "beta": budget})
    # What is left without norm, signs and levels are the gaps, which both messages have.
    gaps = length - 32 - 2 * budget
    assert gaps + 32 * budget == pytest.approx(length + saving)
    assert saving == 30 * budget - 32


def test_one_nonzero_does_not_pay_for_the_norm():
    assert evaluate(CLAIM.formulas["saving"], {"v": 32, "beta": 1}) == -2
