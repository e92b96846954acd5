"""The start of every method: shapes, and one clear error that names the first bad coordinate."""

import numpy as np
import pytest

from impl.compressors import RandK
from impl.errors import ArgumentError
from impl.optimizers import (
    cat_gd,
    dcgd,
    dcgd_plus,
    diana,
    diana_plus,
    gd,
    marina,
    memory_gd,
    quantized_sgd,
)
from impl.problems import Quadratic


def run(method, start, **changes):
    problem = Quadratic(np.stack([np.eye(2), 2 * np.eye(2)]))
    arguments = {"step_size": 0.1, "rounds": 1, "replicates": 2, "rng": np.random.default_rng(0), **changes}
    return method(problem, None if method is gd else RandK(1), start=start, **arguments)


@pytest.mark.parametrize("method", [gd, dcgd, dcgd_plus])
@pytest.mark.parametrize(
    ("start", "message"),
    [
        ([np.nan, 0], r"start\[0\] = nan must be finite"),
        ([0, -np.inf], r"start\[1\] = -inf must be finite"),
        ([[0, 0], [1, np.nan]], r"start\[1, 1\] = nan must be finite"),
        ([0, 0, 0], r"start of shape \(3,\) must have shape \(2,\) or \(2, 2\)"),
        ("a", "start='a' must be real numbers"),
        (np.array([1 + 2j, 0]), "start=.* must be real numbers"),
        ([1j, 0], "start=.* must be real numbers"),
        ([[0], [0, 1]], "start=.* must be real numbers"),
    ],
)
def test_a_wrong_start_is_named(method, start, message):
    with pytest.raises(ArgumentError, match=message):
        run(method, start)
    with pytest.raises(ArgumentError, match=rf"(?s:.)*step_size=-1(?s:.)*{message}"):
        run(method, start, step_size=-1)


def test_wrong_matrices_and_a_wrong_start_are_named_together():
    with pytest.raises(ArgumentError, match=r"matrices(?s:.)*start\[0\] = nan"):
        run(dcgd_plus, [np.nan, 0], smoothness="a")


def test_complex_shifts_and_estimates_are_refused():
    problem, bad = Quadratic(np.stack([np.eye(2), 2 * np.eye(2)])), np.full((2, 2), 1 + 1j)
    arguments = {"step_size": 0.1, "rounds": 1, "replicates": 2, "rng": np.random.default_rng(0)}
    with pytest.raises(ArgumentError, match=r"shifts=(?s:.)* must be real numbers"):
        diana_plus(problem, RandK(1), learning_rate=0.5, shifts=bad, **arguments)
    with pytest.raises(ArgumentError, match=r"initial=(?s:.)* must be real numbers"):
        marina(problem, RandK(1), probability=0.5, initial=bad, **arguments)


@pytest.mark.parametrize(
    ("method", "changes"),
    [
        (gd, {"compressor": None}),
        (dcgd, {}),
        (dcgd_plus, {}),
        (diana, {"learning_rate": 0.1}),
        (diana_plus, {"learning_rate": 0.1}),
        (marina, {"probability": 0.5}),
        (memory_gd, {}),
        (cat_gd, {"rule": None}),
        (quantized_sgd, {"compressors": RandK(1)}),
    ],
)
@pytest.mark.parametrize("problem", [3, None, np.eye(2)])
def test_what_is_no_problem_is_named(method, changes, problem):
    given = changes if {"rule", "compressors"} & set(changes) else {"compressor": RandK(1), **changes}
    with pytest.raises(ArgumentError, match=r"problem=(?s:.)* must be one of impl\.problems"):
        method(problem, step_size=0.1, rounds=5, rng=np.random.default_rng(0), **given)
