"""Golden numbers of the specification for the table of exact errors, from the formulas of the claim."""

import itertools
import math
from fractions import Fraction

import pytest
from sympy import Rational

import theory
from verify.cq_marina.fixtures.grid_inputs import INPUTS, P1, P2, P3, WEIGHTS
from verify.cq_marina.fixtures.joint_enumeration import mean_squares
from verify.cq_marina.quantizer.est_exact import weighted_mean_square
from verify.evaluation import evaluate, evaluate_exact, names

CLAIM = theory.claim("cq_marina/est-exact")

# Printed with 13 significant digits: half a unit of the last one is at most 5e-13 of the value.
DIGITS = 5e-13

TABLE = {
    "P1": {
        "iq_bin": 3.25,
        "exact": 1.832007969708,
        "iq_tern": 0.8857769739847,
        "cq_tern": 0.3651447457248,
        "perm_k": 2.055555555556,
        "rand_k": 3.25,
    },
    "P2": {
        "iq_bin": 0.795,
        "exact": 0.4306092219184,
        "iq_tern": 0.2016091735974,
        "cq_tern": 0.08254012310932,
        "perm_k": 0.9,
        "rand_k": 0.795,
    },
    "P3": {
        "iq_bin": 4.111111111111,
        "exact": 2.410835647954,
        "iq_tern": 1.123101953864,
        "cq_tern": 0.6024924614016,
        "perm_k": 4.822222222222,
        "rand_k": 4.111111111111,
    },
}


def values_of(rows, **more):
    M, m = mean_squares(rows)
    r = [math.sqrt(sum(item**2 for item in row)) for row in rows]
    u = [[float(item) / norm if norm else 0.0 for item in row] for row, norm in zip(rows, r, strict=True)]
    return {"n": len(rows), "d": len(rows[0]), "M": M, "m": m, "r": r, "u": u, **more}


def formula(name, rows, **more):
    n, d = len(rows), len(rows[0])
    if name == "perm_k" and d < n:
        name, more = "perm_few", {"s": n // d, "t": n % d}
    expression, values = CLAIM.formulas[name], values_of(rows, **more)
    return evaluate(expression, {key: values[key] for key in names(expression)})


def golden(value):
    return pytest.approx(value, rel=DIGITS, abs=0)


def test_inputs():
    assert [list(map(float, row)) for row in P1] == [[1.5, 0.5, -0.5, -1.5], [-0.5] * 4, [1, -1.5, -0.5, 0.5]]
    assert list(map(float, mean_squares(P1))) == [golden(3.25), golden(1.194444444444)]
    assert list(map(float, mean_squares(P2))) == [golden(1.06), golden(0.16)]
    assert list(map(float, mean_squares(P3))) == [golden(12.33333333333), golden(0.2777777777778)]


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("row", ["iq_bin", "exact", "iq_tern", "cq_tern", "perm_k", "rand_k"])
def test_table(name, row):
    assert formula(row, INPUTS[name], K=1) == golden(TABLE[name][row])


@pytest.mark.parametrize(
    ("groups", "correlated", "expected"),
    [(2, True, 0.7352928700406), (4, True, 0.9), (2, False, 0.83)],
)
def test_groups(groups, correlated, expected):
    q, b = 4 // groups, 4 // groups
    sizes = {"groups": groups, "q": q, "b": b}
    if not correlated:
        assert formula("perm_iq", P2, **sizes) == golden(expected)
        return
    errors = []
    for clients in itertools.combinations(P2, q):
        for places in itertools.combinations(range(4), b):
            part = [[row[j] for j in places] for row in clients]
            # One client alone is quantized independently.
            errors.append(formula("exact" if q > 1 else "iq_bin", part))
    average = math.fsum(errors) / len(errors)
    assert formula("perm_cq", P2, V_block=average, **sizes) == golden(expected)


def weighted(rows):
    return weighted_mean_square(rows, WEIGHTS)


def test_sampling():
    M_w = weighted(P2)
    assert formula("is_unbiased", P2, tau=2, omega=1, M_w=M_w) == golden(1.25125)
    assert formula("partition", P2, M_w=M_w) == golden(1.17125)


def test_correlated_sampling():
    total = 0.0
    for drawn in itertools.product(range(4), repeat=2):
        slots = [[item / (4 * WEIGHTS[i]) for item in P2[i]] for i in drawn]
        total += float(WEIGHTS[drawn[0]] * WEIGHTS[drawn[1]]) * formula("exact", slots)
    assert formula("is_correlated", P2, tau=2, M_w=weighted(P2), V_slots=total) == golden(1.924912826316)


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert evaluate_exact(CLAIM.exact, case.values) == case.value
    assert evaluate(CLAIM.exact, case.values) == pytest.approx(float(case.value), rel=1e-13)


def test_equal_inputs_of_the_specification():
    assert [case.value for case in CLAIM.worst_cases[1:]] == [8, 18, Rational(4, 9)]


def test_formula_of_sum_of_squares_with_a_zero_client():
    rows = [[Fraction(3), Fraction(4)], [Fraction(0), Fraction(0)]]
    values = {"n": 2, "d": 2, "r": (5, 0), "u": ((Rational(3, 5), Rational(4, 5)), (0, 0))}
    assert evaluate_exact(CLAIM.exact, values) == Rational(25, 4)
    assert formula("iq_bin", rows) == 6.25
