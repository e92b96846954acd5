"""Golden numbers of the specification of `cq_marina` by oracles and exact runs, to their last digit.

`tests/theory/test_goldens.py` has those of formulas alone.
"""

import functools
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import (
    CorrelatedGrid,
    CorrelatedQuantizer,
    ImportanceSampling,
    Independent,
    IndependentQuantizer,
    PermK,
    PermKQuantizer,
    RandK,
    RotatedQuantizer,
    WeightedPartition,
)
from impl.problems import smoothness_constants, tridiagonal
from theory import claim
from verify.cq_marina.cost.ratios import best_ratio, binary, length, quarters
from verify.cq_marina.fixtures.estimator_values import slot_average
from verify.cq_marina.fixtures.grid_inputs import INPUTS, P2, REMAINDER, WEIGHTS
from verify.cq_marina.fixtures.joint.joint_enumeration import mean_squares
from verify.cq_marina.fixtures.joint.psi import psi
from verify.cq_marina.fixtures.marina.marina_settings import (
    Setting,
    golden_tridiagonal,
    identity,
    one_bit,
    perm_k,
    rand_k,
    rank_one,
    stated_step,
)
from verify.cq_marina.fixtures.second_moments import QuadraticRun
from verify.cq_marina.marina.marina_exact_oracle import in_every_round, without_clients, wrong_sign
from verify.cq_marina.marina.marina_pl import bounds, one_client, with_pl_step
from verify.cq_marina.marina.outcome_tree import correlated_trace
from verify.experiments.cq_marina.quadratics import quadratic
from verify.formulas.evaluation import evaluate


def same(found: float, printed: str) -> None:
    """Ask for a number to what is printed of it: half a unit of the last digit, and round-off."""
    unit = 10.0 ** int(Decimal(printed).as_tuple().exponent)
    assert float(found) == pytest.approx(float(printed), rel=1e-12, abs=0.501 * unit)


# ---------------------------------------------------------------- errors of estimators

ESTIMATORS = {
    "IQ-bin": IndependentQuantizer("binary"),
    "CQ-bin": CorrelatedQuantizer("binary"),
    "IQ-tern": IndependentQuantizer("ternary"),
    "CQ-tern": CorrelatedQuantizer("ternary"),
    "PermK": PermK(),
    "RandK": Independent(RandK(1)),
}
ERRORS = {
    "P1": "3.25 1.832007969708 0.8857769739847 0.3651447457248 2.055555555556 3.25",
    "P2": "0.795 0.4306092219184 0.2016091735974 0.08254012310932 0.9 0.795",
    "P3": "4.111111111111 2.410835647954 1.123101953864 0.6024924614016 4.822222222222 4.111111111111",
}
SQUARES = {"P1": "3.25 1.194444444444", "P2": "1.06 0.16", "P3": "12.33333333333 0.2777777777778"}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_of_estimators(name):
    x = np.array(INPUTS[name], dtype=float)
    for estimator, printed in zip(ESTIMATORS.values(), ERRORS[name].split(), strict=True):
        same(estimator.variance(x), printed)
    for square, printed in zip(mean_squares(INPUTS[name]), SQUARES[name].split(), strict=True):
        same(square, printed)


@pytest.mark.parametrize(
    ("estimator", "printed"),
    [
        (PermKQuantizer(2, correlated=True), "0.7352928700406"),
        (PermKQuantizer(4, correlated=True), "0.9"),
        (PermKQuantizer(2, correlated=False), "0.83"),
        (ImportanceSampling(2, WEIGHTS, CorrelatedQuantizer("binary")), "1.924912826316"),
        (ImportanceSampling(2, WEIGHTS, RandK(2)), "1.25125"),
        (WeightedPartition(WEIGHTS), "1.17125"),
        (RotatedQuantizer(False), "0.435"),
        (RotatedQuantizer(True), "0.2533333333333"),
    ],
)
def test_more_errors_at_p2(estimator, printed):
    same(estimator.variance(np.array(P2, dtype=float)), printed)


def test_idle_clients_have_more_than_the_balanced_constant():
    M, m = mean_squares(REMAINDER)
    assert M - m == F(337, 50)
    theta = evaluate(claim("cq_marina/ab-permk").formulas["theta"], {"n": 5, "d": 3})
    same(theta * (M - m), "3.931666666667")


@pytest.mark.parametrize(("shift", "printed"), [(0.0, "0.009375"), ("random", "0.008125")])
def test_a_grid_with_and_without_random_shift(shift, printed):
    rows = np.array([[0.1], [0.9], [1.7], [2.6]])
    same(CorrelatedGrid(0.8, shift).variance(rows), printed)


# ---------------------------------------------------------------- smoothness constants

TRIDIAGONAL = {
    (10, 32, 0.5, 1e-6): (
        *("0.9954729225731", "1.035902117033", "0.2865778367157"),
        *("0.9954729225731", "0.0007056289356882"),
    ),
    (5, 6, 0.8, 1e-2): (
        *("0.9109688679024", "1.007414924094", "0.4301401527419"),
        *("0.9109688679024", "0.02284826632291"),
    ),
}


@pytest.mark.parametrize("setting", TRIDIAGONAL)
def test_constants_of_tridiagonal_clients(setting):
    n, d, lam, mu = setting
    formulas, values = claim("cq_marina/tridiag").formulas, {"n": n, "d": d, "lam": lam, "mu": mu}
    L = np.array([evaluate(formulas["L_client"], {**values, "i": i}) for i in range(n)])
    minus, plus, pm, weighted_plus, weighted_pm = TRIDIAGONAL[setting]
    problem = tridiagonal(n, d, heterogeneity=lam, mu=mu)
    found, weighted = smoothness_constants(problem), smoothness_constants(problem, L / L.sum())
    same(found.L_minus, minus)
    same(found.L_plus, plus)
    same(found.L_pm, pm)
    same(weighted.L_plus, weighted_plus)
    needed = {name: values[name] for name in ("n", "d", "lam", "mu")}
    same(evaluate(formulas["weighted_square"], needed) ** 0.5, weighted_pm)
    # Eigenvalues are known to 1e-16 of the largest, a small root of one to fewer digits.
    assert weighted.L_pm == pytest.approx(float(weighted_pm), rel=1e-8)
    if n == 5:
        printed = ("0.066447678", "0.133223839", "0.2", "0.266776161", "0.333552322")
        for weight, number in zip(L / L.sum(), printed, strict=True):
            same(weight, number)


# ---------------------------------------------------------------- runs of MARINA

CLIENTS = {
    "rand-k": (rand_k(2, 6, 2), "0.06635163135503", "0.1163518805321"),
    "perm-k": (perm_k(2, 6), "0.03814967998062", "0.06054438503323"),
    "one-bit": (one_bit(2, 6), "0.08854905378723", "0.15973318429"),
}


@pytest.mark.parametrize("name", CLIENTS)
def test_averages_of_tridiagonal_clients(name):
    scheme, average, bound = CLIENTS[name]
    setting = golden_tridiagonal(2, 6, scheme, "", 100)
    same(setting.trace.average(100), average)
    same(setting.bound(100), bound)


def test_averages_of_more_clients_than_coordinates():
    setting = golden_tridiagonal(6, 3, perm_k(6, 3), "", 50)
    same(setting.trace.average(50), "0.0382203228871")
    same(setting.bound(50), "0.07542230212649")


def ratio(setting: Setting, rounds: int) -> float:
    """Return the average over its bound, at the step that is taken."""
    return setting.trace.average(rounds) / setting.bound(rounds)


def longer(setting: Setting, factor: float) -> Setting:
    return replace(setting, step=lambda constants, chi, p: factor * stated_step(constants, chi, p))


def test_ratios_to_the_bound():
    four, ones = identity(4, 8, 0.1, 200), rank_one(4, 0.05, 400)
    same(ratio(four, 200), "0.8804678649639")
    same(ratio(ones, 400), "0.9261778020282")
    same(ratio(identity(1, 8, 0.1, 400), 400), "0.91")
    same(ratio(identity(1, 8, 0.02, 400), 400), "0.965")
    quarter = replace(four, step=lambda constants, chi, p: stated_step(constants, 0.5, p))
    same(quarter.step_size, "0.320377241017")
    same(ratio(quarter, 200), "2.106157287812")
    for factor, printed in ((1.3, "1.31"), (1.5, "1.80"), (2.0, "4.96")):
        same(ratio(longer(four, factor), 200), printed)
    same(ratio(longer(ones, 2.0), 400), "4.79")
    same(ratio(replace(identity(1, 8, 0.1, 200), tossed=0.025), 200), "4.44")
    silent = replace(ones, step=lambda constants, chi, p: stated_step(constants, 0.0, p))
    same(ratio(silent, 10), "1.1e4")


def test_ratios_of_the_linear_rate():
    claimed = claim("cq_marina/marina-pl").formulas

    def law(name: str, **values: float) -> float:
        return evaluate(claimed[name], values)

    def worst(setting: Setting, doubled: float) -> list[float]:
        potential = setting.trace.gap + law(
            "weight", gamma=setting.step_size, p=setting.probability
        ) * np.array(setting.trace.error)
        faster = bounds(setting, lambda name, **v: law(name, **{**v, "mu": doubled * v["mu"]}))
        return [float(value) / bound for value, bound in zip(potential, faster, strict=True)]

    twice = worst(with_pl_step(one_client(), law), 2.0)
    same(twice[20], "1.56")
    same(twice[100], "20.6")
    sublinear = worst(replace(one_client(), step=stated_step), 1.0)
    same(sublinear[50], "30.3")
    same(sublinear[100], "691")


# The wrong covariances of the oracle: ratios of averages and of last errors to the true ones.
WRONG = [
    ("rand-k", in_every_round, "1.023", "1.41"),
    ("perm-k", in_every_round, "1.007", "1.35"),
    ("one-bit", in_every_round, "1.031", "1.50"),
    ("rand-k", without_clients, "1.073", "2.37"),
    ("one-bit", without_clients, "1.105", "3.07"),
    ("perm-k", wrong_sign, "1.0036", None),
]


@functools.cache
def run_of(name: str):
    setting = golden_tridiagonal(2, 6, CLIENTS[name][0], "", 100)
    problem, scheme = setting.problem, setting.scheme
    return QuadraticRun(
        problem.matrices, problem.linear, setting.start, setting.step_size, 0.25, scheme.noise
    )


@pytest.mark.parametrize(("name", "change", "average", "error"), WRONG)
def test_wrong_covariances(name, change, average, error):
    true, wrong = run_of(name).trace(100), change(run_of(name)).trace(100)
    same(wrong.average(100) / true.average(100), average)
    if error is not None:
        same(wrong.error[100] / true.error[100], error)


@pytest.mark.parametrize(
    ("n", "printed"),
    [
        (3, {1: "1", 2: "0.540999378876", 3: "0.3137024900194", 6: "0.08060816724971"}),
        (4, {6: "0.07629505396353"}),
    ],
)
def test_tree_of_correlated_quantizers(n, printed):
    trace = correlated_trace(
        np.diag([1.0, 0.5]), [1.0, 2.0], clients=n, step_size=0.4, probability=0.25, rounds=6
    )
    for k, number in printed.items():
        same(trace.gradient_norm_sq[k], number)


# ---------------------------------------------------------------- communication

PSI = [
    (0.25, 1 / 32, "0.2277298128741"),
    (1.0, 1 / 32, "0.4018488213303"),
    (0.25, 1 / 16, "0.3449322716641"),
]


@pytest.mark.parametrize(("A", "c", "printed"), PSI)
def test_best_costs(A, c, printed):
    same(psi(A, c).value, printed)


def test_ratios_of_best_costs():
    same(32 * psi(0.25, 1 / 32).value, "7.287354011971")
    same(psi(0.25, 1 / 32).probability, "0.02105410680")
    same(32 * psi(1.0, 1 / 32).value, "12.85916228257")
    same(16 * psi(0.25, 1 / 16).value, "5.518916346626")
    same(32 / math.log2(3) * psi(0.25, math.log2(3) / 32).value, "6.05274")
    for n, printed in ((100, "3.532594392779"), (1000, "5.141727908382"), (10**4, "6.168"), (10**6, "7.022")):
        same(best_ratio(*quarters(n, n), length(1, n)), printed)
    same(best_ratio(*binary(1000, 1000), length(1, 1000)), "7.632228002294")
    same(best_ratio(*quarters(33300, 10**6), length(1, 10**6)), "23.03")


def test_elasticities_at_one_bit_for_32():
    formula = claim("cq_marina/comm-scaling").formulas["elasticity"]
    for A, printed in (
        *((1e-4, ".0795"), (1e-3, ".148"), (1e-2, ".245")),
        *((0.1, ".350"), (1.0, ".430"), (3.16, ".456")),
    ):
        same(evaluate(formula, {"A": A, "p": psi(A, 1 / 32).probability}), printed)


def test_steps_and_moments_of_wrong_rules():
    root = evaluate(claim("cq_marina/marina-biased").formulas["root_kappa_unbiased"], {"p": 0.05, "X_v": 1})
    same(1 / (1 + root), "0.1866054968634")
    values = {"L": 1, "gamma": 0.05, "S_sq": 1, "v": 8, "k": 20}
    moment = claim("cq_marina/dsgd").formulas["value"]
    forgotten, true = (evaluate(moment, {**values, "omega": omega}) for omega in (7, 1.75))
    same(forgotten / true, "1.438")


def test_quadratics_of_the_experiment():
    problem = quadratic(10)
    start = np.zeros(problem.d)
    gradient = problem.matrices.mean(axis=0) @ start - problem.linear.mean(axis=0)
    assert gradient @ gradient == pytest.approx(1 / 16, rel=1e-14)
    away = start - problem.solution
    gap = away @ problem.matrices.mean(axis=0) @ away / 2
    # By eigenvectors: no digits are lost at the smallest curvature, 1e-6, where the solution has few.
    angles = np.arange(1, problem.d + 1) * math.pi / (problem.d + 1)
    tau = np.sin(angles / 2) ** 2
    exact = float(np.sum(np.sin(angles) ** 2 / (1e-6 + (tau - tau[0])))) / (16 * (problem.d + 1))
    same(exact, "17.23175126433")
    assert gap == pytest.approx(exact, rel=1e-9)


def test_importance_sampling_by_a_sum_over_drawn_clients():
    M, m = mean_squares(P2)
    same(M - m, "0.9")
    weighted = sum(sum(a * a for a in row) / (4 * w) for row, w in zip(P2, WEIGHTS, strict=True)) / 4
    total = float(slot_average(2, WEIGHTS, P2)) + (float(weighted) - float(m)) / 2
    same(total, "1.924912826316")
