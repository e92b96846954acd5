"""Sums over long vectors have the numbers of loops up to round-off, and refuse what loops refuse."""

import numpy as np
import pytest
from sympy import IndexedBase, Piecewise, Sum, sqrt, symbols

import theory
from verify.formulas import array_sums
from verify.formulas.evaluation import EvaluationError, evaluate, prepared, root

d, j, t = symbols("d j t", real=True)
x, y = IndexedBase("x", real=True), IndexedBase("y", real=True)
SIZE = array_sums.LONG + 3


def total(body, last=d - 1):
    return Sum(body, (j, 0, last))


@pytest.fixture
def vectors():
    source = np.random.default_rng(1)
    return {"x": source.standard_normal(SIZE), "y": source.exponential(size=SIZE) + 0.1, "d": SIZE}


@pytest.fixture
def in_loops(monkeypatch):
    """Return the value of a formula by a loop in Python."""

    def value(call, *given):
        with monkeypatch.context() as patch:
            patch.setattr(array_sums, "value_of", lambda formula, values: None)
            return call(*given)

    return value


@pytest.mark.parametrize(
    "formula",
    [
        total(x[j]),
        total(x[j] ** 2 / y[j] ** 2 - 2 * x[j] / 3),
        total(x[j] / (y[j] + d), d - 2),
        sqrt(total(x[j] ** 2)) / total(y[j]) + d,
    ],
)
def test_the_numbers_are_those_of_a_loop(formula, vectors, in_loops):
    given = {name: vectors[name] for name in ("x", "y", "d") if name in str(formula)}
    if "y" not in str(formula):
        given.pop("y", None)
    assert (
        array_sums.value_of(formula, {n: prepared(v) if n != "d" else v for n, v in given.items()})
        is not None
    )
    # Squares of Python are off by one digit once in a thousand times.
    assert evaluate(formula, given) == pytest.approx(in_loops(evaluate, formula, given), rel=4e-16)


def test_a_root_is_that_of_a_loop(vectors, in_loops):
    claim = theory.claim("squant/sup")
    given = {"L": vectors["y"], "h": abs(vectors["x"]), "d": SIZE}
    assert root(claim.exact, given) == pytest.approx(in_loops(root, claim.exact, given), rel=1e-14)


@pytest.mark.parametrize(
    "formula",
    [
        total(Piecewise((x[j], x[j] > 0), (0, True))),
        total(x[j] * j),
        total(x[j + 1], d - 2),
        total(sqrt(x[j] ** 2)),
        total(x[j] ** 3),
        total(x[j] ** -2),
        total(x[j]) + x[0],
    ],
)
def test_other_sums_go_by_loops(formula, vectors):
    assert array_sums.value_of(formula, {"x": prepared(vectors["x"]), "d": SIZE}) is None
    evaluate(formula, {"x": vectors["x"], "d": SIZE})


def test_what_loops_refuse_is_refused(vectors):
    zero = vectors["x"].copy()
    zero[7] = 0.0
    with pytest.raises(EvaluationError, match="undefined"):
        evaluate(total(1 / x[j]), {"x": zero, "d": SIZE})
    with pytest.raises(EvaluationError, match="a vector is too short"):
        evaluate(total(x[j]), {"x": zero, "d": SIZE + 1})
    assert evaluate(total(x[j]), {"x": zero, "d": 0}) == 0
    assert evaluate(total(x[j]), {"x": zero, "d": -3}) == 0
    # One short vector: its error is told by the loop.
    with pytest.raises(EvaluationError, match="a vector is too short"):
        evaluate(total(x[j] * y[j]), {"x": zero, "y": [1.0, 2.0], "d": SIZE})


@pytest.mark.parametrize(
    ("entry", "formula"),
    [
        (2.0**30 + 1, total((x[j] + 1) ** 2 - x[j] ** 2)),
        (1e200, total(x[j] ** 2)),
    ],
)
def test_whole_numbers_and_what_overflows_go_by_loops(entry, formula):
    given = {"x": np.full(SIZE, entry), "d": SIZE}
    assert array_sums.value_of(formula, {"x": prepared(given["x"]), "d": SIZE}) is None
    if entry < 1e100:
        assert evaluate(formula, given) == SIZE * (2 * int(entry) + 1)
    else:
        with pytest.raises(EvaluationError):
            evaluate(formula, given)


def test_a_root_out_of_the_range_of_doubles_is_refused(vectors):
    given = {"L": vectors["y"], "h": 1e160 * abs(vectors["x"]), "d": SIZE}
    with pytest.raises(EvaluationError):
        root(theory.claim("squant/sup").exact, given)
