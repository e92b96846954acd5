"""Golden numbers of the specification for the exact second moments of whole runs."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from verify.cq_marina.fixtures.marina_settings import golden_tridiagonal, one_bit, perm_k, rand_k
from verify.cq_marina.fixtures.second_moments import QuadraticRun
from verify.cq_marina.marina.marina_exact_oracle import in_every_round, without_clients, wrong_sign
from verify.cq_marina.marina.outcome_tree import correlated_trace

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13
# The specification's E_100 comes from a difference of larger numbers; with 50 decimal digits it is
# 2.870044340082e-07, 2.732564912143e-07 and 8.444391916913e-07, up to 1.5e-9 from what is printed there.
CANCELLED = 2e-9

SCHEMES = {"RandK": rand_k(2, 6, 2), "PermK": perm_k(2, 6), "one bit": one_bit(2, 6)}


def digits(number):
    return pytest.approx(number, rel=DIGITS, abs=0)


@cache
def setting(name):
    return golden_tridiagonal(2, 6, SCHEMES[name], name, 100)


def run(name):
    made = setting(name)
    problem = made.problem
    return QuadraticRun(
        problem.matrices, problem.linear, made.start, made.step_size, 0.25, SCHEMES[name].noise
    )


def test_constants_of_the_instance():
    found = setting("PermK").constants
    assert found.L_minus == digits(0.9109688679024)
    assert found.L_plus == digits(0.9414499824666)
    assert found.L_pm == digits(0.2376211084878)


@pytest.mark.parametrize(
    ("name", "A", "gamma", "average", "bound", "gap", "error", "precise"),
    [
        (
            "RandK",
            1,
            0.3934516937044,
            0.06635163135503,
            0.1163518805321,
            0.09887576659641,
            2.870044344e-07,
            2.870044340082e-07,
        ),
        (
            "PermK",
            1,
            0.7561203972247,
            0.03814967998062,
            0.06054438503323,
            0.04758855335687,
            2.732564916e-07,
            2.732564912143e-07,
        ),
        (
            "one bit",
            5 / 2,
            0.2865957043586,
            0.08854905378723,
            0.15973318429,
            0.122787467066,
            8.444391925e-07,
            8.444391916913e-07,
        ),
    ],
)
def test_tridiagonal_runs(name, A, gamma, average, bound, gap, error, precise):
    made = setting(name)
    assert digits(A) == SCHEMES[name].A
    assert made.step_size == digits(gamma)
    assert made.trace.average(100) == digits(average)
    assert made.bound(100) == digits(bound)
    assert made.trace.gap[100] == digits(gap)
    assert made.trace.error[100] == pytest.approx(error, rel=CANCELLED, abs=0)
    assert made.trace.error[100] == pytest.approx(precise, rel=2e-12, abs=0)


def test_more_clients_than_coordinates():
    made = golden_tridiagonal(6, 3, perm_k(6, 3), "PermK", 50)
    assert digits(0.4) == made.scheme.A
    # The specification gives this step with 13 digits.
    assert made.step_size == digits(1.017036572597)
    assert made.trace.average(50) == digits(0.0382203228871)
    assert made.bound(50) == digits(0.07542230212649)


@pytest.mark.parametrize(
    ("n", "values"),
    [
        (3, {1: 1, 2: 0.540999378876, 3: 0.3137024900194, 6: 0.08060816724971}),
        (4, {6: 0.07629505396353}),
    ],
)
def test_tree_of_correlated_quantizers(n, values):
    trace = correlated_trace(np.diag([1, 0.5]), [1, 2], clients=n, step_size=0.4, probability=0.25, rounds=6)
    for k, expected in values.items():
        assert trace.gradient_norm_sq[k] == digits(expected)


@pytest.mark.parametrize(
    ("name", "sabotage", "average", "error"),
    [
        ("RandK", in_every_round, 1.023, 1.41),
        ("PermK", in_every_round, 1.007, 1.35),
        ("one bit", in_every_round, 1.031, 1.50),
        ("RandK", without_clients, 1.073, 2.37),
        ("one bit", without_clients, 1.105, 3.07),
        ("PermK", wrong_sign, 1.0036, None),
    ],
)
def test_size_of_the_mutants(name, sabotage, average, error):
    honest, wrong = run(name).trace(100), sabotage(run(name)).trace(100)
    # Printed with four digits (five for the sign), E_100 with three.
    assert wrong.average(100) / honest.average(100) == pytest.approx(average, abs=5e-4 if error else 5e-5)
    if error is not None:
        assert wrong.error[100] / honest.error[100] == pytest.approx(error, abs=5.1e-3)


def test_gain_scales_the_compressor_and_brings_a_bias():
    made = setting("PermK")
    run_ = QuadraticRun(made.problem.matrices, None, made.start, 0.3, 0.25, SCHEMES["PermK"].noise)
    unbiased = run_.trace(5)
    assert replace(run_, gain=1.0).trace(5).error[5] == unbiased.error[5]
    # A compressor that sends nothing errs by the whole mean difference.
    silent = replace(run_, gain=0.0).trace(1)
    A = made.problem.matrices.mean(axis=0)
    moved = 0.3 * A @ (A @ made.start)
    assert silent.error[1] == pytest.approx(0.75 * moved @ moved, rel=1e-12)
