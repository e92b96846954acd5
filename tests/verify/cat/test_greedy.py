"""Golden numbers of the specification for greedy choices, and for where they are not the best."""

import functools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.adaptive import cat_s
from impl.communication import Affine, dense_bits, index_bits, sparse_bits
from impl.optimizers.cat_gd import cat_gd
from verify.cat.fixed_size import fixed_size
from verify.cat.golden_vectors import GI, quad, rational
from verify.cat.greedy_rules import RULES as SABOTAGED
from verify.cat.literal_shares import alphas
from verify.cat.rational_descent import RationalQuadratic, descend
from verify.cat.schedules import greedy
from verify.evaluation import evaluate, evaluate_exact

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


def test_two_messages_where_one_is_cheaper():
    assert greedy((100, 1, 1, 1), lambda T: T + 1) == [1, 3]
    choose = functools.partial(cat_s, cost=Affine(1, 1), entry_bits=1)
    states = descend(RationalQuadratic((1,) * 4), choose, (10, 1, 1, 1), 9)
    assert [state.choice.size for state in states] == [1, 3]
    assert sum(state.choice.cost for state in states) == 6
    assert Affine(1, 1)(4) == 5


def test_gap_of_any_size():
    assert evaluate_exact(FINDING.formulas["decay"], {"r": 10}) == Rational(1, 12)
    sizes = greedy([F(1, 12**j) for j in range(8)], lambda T: T + 10)
    assert sizes == [1] * 8
    assert evaluate_exact(FINDING.formulas["greedy"], {"m": 8, "r": 10}) == 88
    assert evaluate_exact(FINDING.formulas["one_message"], {"m": 8, "r": 10}) == 18
    assert evaluate_exact(FINDING.exact, {"m": 8, "r": 10}) == Rational(88, 18)
    assert evaluate_exact(FINDING.exact, {"m": 8, "r": 10**9}) == pytest.approx(8, rel=1e-8)


def test_rank_one():
    assert evaluate_exact(FINDING.formulas["left_of_rank_one"], {"w_1": 5, "w_2": 4}) == Rational(16, 41)
    problem = RationalQuadratic((0, 0), (5, 4))
    assert problem.L == 41
    choice = cat_s(problem.gradient([F(1), F(1)]), Affine(1, 0), entry_bits=1)
    assert choice.efficiency == F(25, 41) > F(1, 2)
    assert math.ceil(math.log(1e-6) / math.log(16 / 41)) == 15


@pytest.mark.parametrize(("kappa", "size"), [(1, 200), (2, 14), (10, 11), (100, 11)])
def test_logarithmic_rule(kappa, size):
    share = (1 - 0.9 ** np.arange(1, 201)) / (1 - 0.9**200)
    costs = np.arange(1, 201) + 10
    assert int(np.argmax(share / costs)) + 1 == 11
    values = [
        math.inf
        if item >= kappa
        else evaluate(FINDING.formulas["logarithmic"], {"alpha": item, "kappa": kappa, "C": cost})
        for item, cost in zip(share.tolist(), costs.tolist(), strict=True)
    ]
    assert int(np.argmax(values)) + 1 == size


@pytest.mark.parametrize(("size", "cost"), [(None, 740), (20, 675), (4, 1089), (1, 3090)])
def test_costs_of_quad(size, cost):
    problem, model = quad(), Affine(1, 5)
    choose = functools.partial(cat_s, cost=model, entry_bits=1) if size is None else fixed_size(size, model)
    rng = np.random.default_rng(0)
    result = cat_gd(problem, choose, step_size=1 / problem.L, rounds=600, rng=rng, start=np.ones(20))
    assert result.cost[0, int(np.argmax(result.gradient_norm_sq[0] <= 0.02))] == cost


def test_index_overhead():
    assert sparse_bits(1024, 1024, 32) / dense_bits(1024, 32) == 1.3125
    values = {"index_bits": index_bits(1024), "float_bits": 32}
    assert evaluate_exact(FINDING.formulas["index_overhead"], values) == Rational(21, 16)


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


def test_mutant_at_a_flat_start():
    values = {"Delta_0": 1, "epsilon": 0, "B_star": 64}
    assert evaluate(COMPETITIVE.bound, {**values, "B": 64}) == pytest.approx(0.3679, abs=5e-5)
    assert evaluate(COMPETITIVE.bound, {**values, "B": 32}) == pytest.approx(math.exp(-0.5), rel=1e-14)
    assert evaluate(COMPETITIVE.bound, {**values, "B": 32}) > 0.5
