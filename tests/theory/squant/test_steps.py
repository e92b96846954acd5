"""Golden numbers of the specification, from the formulas of the claims alone: steps."""

import math

import numpy as np
import pytest
from sympy import Rational

import theory
from theory.squant.var import OLD as VAR
from verify.evaluation import evaluate, evaluate_exact, solve

BOUNDS = theory.claim("squant/bounds")
SPARSE = theory.claim("squant/sparse")
STEPS = theory.claim("squant/steps")
SUP = theory.claim("squant/sup")

# Goldens are printed with up to 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


def digits(value):
    return pytest.approx(value, rel=DIGITS, abs=0)


# ---------------------------------------------------------------- steps


def supremum(diagonal, steps):
    """Return the exact supremum in the coarse regime, and S where the fine regime begins."""
    values = {"L": diagonal, "h": steps, "d": len(diagonal)}
    # At the boundary of the regimes both formulas agree; rounding may put an instance on either side.
    if evaluate(SUP.formulas["regime"], values) > 4:
        return solve(SUP.exact, values)
    return evaluate(SUP.formulas["fine_upper"], values)


@pytest.mark.parametrize(
    ("diagonal", "budget", "bound", "at_optimum", "at_sparse", "at_uniform"),
    [
        ((4, 1), 1, 5, 2.42428887524503, 2.24502833757803, 2.5),
        ((4, 1, 1, 1), 1, 7, 4.86923075068275, 4.74491382771371, 5.60902144209941),
        ((9, 4, 1, 1), 2, 7.5, 3.46599793410508, 3.06542532488892, 3.75),
    ],
)
def test_steps_goldens(diagonal, budget, bound, at_optimum, at_sparse, at_uniform):
    d = len(diagonal)
    common = {"L": diagonal, "beta": budget, "d": d}
    steps = [evaluate(STEPS.formulas["vary_step"], {**common, "i": i}) for i in range(d)]
    assert math.fsum(step**-2 for step in steps) == digits(budget**2)
    assert evaluate(STEPS.bound, common) == bound
    assert evaluate(BOUNDS.formulas["coarse"], {"L": diagonal, "h": steps, "d": d}) == digits(bound)
    assert supremum(diagonal, steps) == digits(at_optimum)

    c = solve(SPARSE.exact, {"L": diagonal, "tau": budget, "d": d})
    sparse = [
        evaluate(
            STEPS.formulas["sparse_step"],
            {
                "beta": budget,
                "p_j": evaluate(SPARSE.formulas["probability"], {"L": diagonal, "c": c, "j": j}),
            },
        )
        for j in range(d)
    ]
    assert supremum(diagonal, sparse) == digits(at_sparse)
    assert c <= at_sparse

    uniform = evaluate(STEPS.formulas["uniform_step"], {"beta": budget, "d": d})
    assert supremum(diagonal, [uniform] * d) == digits(at_uniform)


@pytest.mark.parametrize(
    ("diagonal", "blocks", "expected"),
    [
        ((4, 1, 1, 1), 2, (16, 8.71779788708135, 7.83095189484530, 7)),
        ((9, 4, 4, 1, 1, 1), 3, (54, 26.3818119165458, 21.7593401720294, 20)),
    ],
)
def test_steps_chain_goldens(diagonal, blocks, expected):
    d = len(diagonal)
    parts = [[float(item) for item in part] for part in np.array_split(np.array(diagonal), blocks)]
    sizes = tuple(len(part) for part in parts)
    norms = tuple(math.hypot(*part) for part in parts)
    found = (
        evaluate(STEPS.formulas["c_std"], {"d": d, "lambda_max": max(diagonal)}),
        evaluate(STEPS.formulas["c_plus"], {"L": diagonal, "d": d}),
        evaluate(STEPS.formulas["c_block"], {"m": sizes, "F": norms, "B": blocks}),
        evaluate(STEPS.formulas["c_vary"], {"L": diagonal, "d": d}),
    )
    assert found == tuple(digits(item) for item in expected)
    assert evaluate(STEPS.formulas["c_max"], {"d": d, "L_max": max(diagonal)}) == found[0]
    common = {"m": sizes, "F": norms, "B": blocks, "beta": 2}
    steps = [evaluate(STEPS.formulas["block_step"], {**common, "i": i}) for i in range(blocks)]
    assert math.fsum(math.sqrt(m) / h for m, h in zip(sizes, steps, strict=True)) == digits(2)
    value = evaluate(STEPS.formulas["block_value"], common)
    assert value == digits(expected[2] / 2)
    for norm, step in zip(norms, steps, strict=True):
        assert norm * step == digits(value)


def test_steps_quarter_branch_golden():
    values = {"L": (16, 1), "beta": 4, "d": 2}
    assert evaluate_exact(STEPS.formulas["quarter_value"], values) == Rational(25, 64)
    steps = [evaluate(STEPS.formulas["quarter_step"], {**values, "i": i}) for i in range(2)]
    assert math.fsum(step**-2 for step in steps) == digits(16)
    assert evaluate(BOUNDS.formulas["quarter"], {"L": (16, 1), "h": steps, "d": 2}) == digits(25 / 64)


def test_steps_mutants_have_the_printed_values():
    values = {"L": (4, 1), "beta": 1, "d": 2}
    # Printed with four decimals.
    assert evaluate(STEPS.formulas["growing_value"], values) == pytest.approx(9.0139, abs=6e-5)
    assert evaluate(STEPS.formulas["inverse_value"], values) == digits(math.sqrt(34))


@pytest.mark.parametrize(("power", "name"), [(-1.0, "inverse_value"), (0.5, "growing_value")])
def test_steps_mutant_values_are_the_coarse_bound_at_those_steps(power, name):
    diagonal, budget = (9, 4, 1, 1), 2
    shape = [item**power for item in diagonal]
    scale = math.sqrt(sum(item**-2 for item in shape)) / budget
    steps = [scale * item for item in shape]
    coarse = evaluate(BOUNDS.formulas["coarse"], {"L": diagonal, "h": steps, "d": 4})
    assert coarse == digits(evaluate(STEPS.formulas[name], {"L": diagonal, "beta": budget, "d": 4}))


def test_steps_input_reaches_the_lower_bound():
    diagonal, budget, d = (1, 1, 2, 1), 2, 4
    common = {"L": diagonal, "beta": budget, "d": d}
    steps = [evaluate(STEPS.formulas["vary_step"], {**common, "i": i}) for i in range(d)]
    point = [1 / (step * budget) for step in steps]
    norm = math.hypot(*point)
    assert norm == digits(1.0)
    variance = evaluate(VAR.exact, {"x": point, "h": steps, "L": diagonal, "N": (norm,) * d, "d": d})
    lower = evaluate(STEPS.formulas["lower"], common)
    assert variance == digits(lower)
    assert lower <= supremum(diagonal, steps) <= evaluate(STEPS.bound, common)
