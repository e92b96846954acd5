"""Golden numbers of the specification for greedy choices, and for where they are not the best."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from verify.cat.fixtures.golden_vectors import GI, rational
from verify.cat.fixtures.literal_shares import alphas
from verify.cat.greedy.greedy_rules import RULES as SABOTAGED
from verify.cat.greedy.schedules import greedy
from verify.evaluation import evaluate_exact

INVARIANT = theory.claim("cat/greedy-invariant")
FINDING = theory.claim("cat/greedy-not-optimal")
COMPETITIVE = theory.claim("cat/greedy-competitive")


# ---------------------------------------------------------------- invariant


@pytest.mark.parametrize(
    ("fixed", "size", "efficiency"),
    [(0, 1, F(81, 173)), (1, 1, F(81, 346)), (5, 3, F(71, 692)), (40, 6, F(171, 7958))],
)
def test_choices_at_gi(fixed, size, efficiency):
    choice = cat_s(rational(GI), Affine(1, fixed), entry_bits=1)
    assert (choice.size, choice.efficiency) == (size, efficiency)
    values = {"share": choice.share, "G": 173, "L": 1, "C": choice.cost}
    assert evaluate_exact(INVARIANT.bound, values) == Rational(173, 2) * Rational(
        *efficiency.as_integer_ratio()
    )


@pytest.mark.parametrize(
    ("mutant", "size", "factor"), [("squared-cost", 2, 1.062), ("unsorted-sums", 8, 1.334)]
)
def test_what_sabotaged_rules_choose_at_gi(mutant, size, factor):
    g, cost = rational(GI), Affine(1, 5)
    chosen = SABOTAGED[mutant].applied(g, cost, 1, cat_s).size
    assert chosen == size
    # The specification prints four digits.
    assert F(71, 692) / (alphas(g)[size - 1] / cost(size)) == pytest.approx(factor, rel=5e-4)


# ---------------------------------------------------------------- finding


def test_gap_of_any_size():
    assert evaluate_exact(FINDING.formulas["decay"], {"r": 10}) == Rational(1, 12)
    sizes = greedy([F(1, 12**j) for j in range(8)], lambda T: T + 10)
    assert sizes == [1] * 8
    assert evaluate_exact(FINDING.formulas["greedy"], {"m": 8, "r": 10}) == 88
    assert evaluate_exact(FINDING.formulas["one_message"], {"m": 8, "r": 10}) == 18
    assert evaluate_exact(FINDING.exact, {"m": 8, "r": 10}) == Rational(88, 18)
    assert evaluate_exact(FINDING.exact, {"m": 8, "r": 10**9}) == pytest.approx(8, rel=1e-8)


# ---------------------------------------------------------------- competitive


@pytest.mark.parametrize(
    ("squares", "fixed", "cost", "schedule"),
    [
        ((100, 1, 1, 1), 1, 6, [1, 3]),
        ([F(1, 12**j) for j in range(8)], 10, 88, [1] * 8),
        ((1, 1, 1), 0, 3, [1, 1, 1]),
    ],
)
def test_schedules(squares, fixed, cost, schedule):
    model = Affine(1, fixed)
    sizes = greedy(squares, model)
    assert sizes == schedule
    assert sum(model(size) for size in sizes) == cost
