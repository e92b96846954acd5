"""What every method for several nodes owes: gradient descent, divergence, mistakes."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.optimizers import (
    dcgd,
    dcgd_plus,
    diana,
    diana_plus,
    gd,
    marina,
    memory_gd,
)
from impl.problems import Logistic, Quadratic


def dense(rank=5):
    rng = np.random.default_rng(0)
    factors = rng.standard_normal((3, 5, rank))
    return Quadratic.from_centers(factors @ np.swapaxes(factors, -1, -2) / 5, rng.standard_normal((3, 5)))


def logistic():
    rng = np.random.default_rng(2)
    labels = np.where(rng.random((4, 6)) < 0.5, -1.0, 1.0)
    return Logistic(rng.standard_normal((4, 6, 5)), labels, 0.05)


PROBLEMS = {
    "dense": dense(),
    "singular": dense(rank=2),
    "diagonal": Quadratic.from_centers(
        [[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]], [[1.0, 5.0, 0.0], [2.0, -1.0, 3.0]]
    ),
    "logistic": logistic(),
}
METHODS = {
    "dcgd": (dcgd, {}),
    "dcgd_plus": (dcgd_plus, {}),
    "diana": (diana, {"learning_rate": 0.4}),
    "diana_plus": (diana_plus, {"learning_rate": 0.4}),
    "marina": (marina, {"probability": 0.3}),
    "memory_gd": (memory_gd, {}),
}


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("name", METHODS)
def test_without_compression_it_is_gradient_descent(name, problem, whole):
    (method, own), problem = METHODS[name], PROBLEMS[problem]
    options = {"step_size": 1 / problem.L, "rounds": 40, "trace": True}
    found = method(problem, whole, rng=np.random.default_rng(0), **own, **options)
    plain = gd(problem, **options)
    if name == "dcgd":
        np.testing.assert_array_equal(found.iterates, plain.iterates)
    # Root times pseudo-inverse root is the projector, and shifts cancel, up to rounding.
    np.testing.assert_allclose(found.iterates, plain.iterates, rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(found.bits, plain.bits)


@pytest.mark.parametrize("problem", ["dense", "singular"])
@pytest.mark.parametrize("name", METHODS)
def test_divergence_is_no_error(name, problem, thinned):
    method, own = METHODS[name]
    options = own | {"rounds": 400, "rng": np.random.default_rng(1), "replicates": 5}
    result = method(PROBLEMS[problem], thinned(), step_size=1e9, **options)
    assert result.overflowed.all()  # `Thinned` refuses what is not finite
    for trace in (result.objective, result.gradient_norm_sq, result.distance_sq):
        if trace is not None:
            assert np.isfinite(trace).all()
            assert np.all(trace[:, -1] == 1e300)
    assert np.all(np.diff(result.bits) >= 0)


OWN_MISTAKES = {
    "dcgd": ({}, ()),
    "memory_gd": ({}, ()),
    "dcgd_plus": ({"smoothness": np.ones((3, 4))}, ("(3, 4)", "(3, 5)")),
    **dict.fromkeys(
        ("diana", "diana_plus"),
        (
            {"learning_rate": 1.5, "shifts": np.ones((2, 2)), "omega": -1.0, "until": 2.0},
            ("learning_rate=1.5", "omega=-1.0", "(n, d) = (3, 5)", "until=2.0"),
        ),
    ),
    "marina": (
        {"probability": 0.0, "initial": [1.0], "float_bits": 0, "start": [1]},
        ("probability=0.0", "initial of", "float_bits=0", "start of shape"),
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_all_mistakes_at_once(name):
    wrong, words = OWN_MISTAKES[name]
    with pytest.raises(ArgumentError) as error:
        METHODS[name][0](dense(), None, step_size=-1.0, rounds=1.5, rng=7, replicates=True, **wrong)
    common = (
        "compressor=None",
        "draw, message",
        "step_size=-1.0",
        "rounds=1.5",
        "rng=7",
        "default_rng",
        "True",
    )
    for word in (*common, *words):
        assert word in str(error.value)
