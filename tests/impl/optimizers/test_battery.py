"""What every method for several nodes owes: its literal loop, gradient descent, divergence, mistakes."""

import numpy as np
import pytest

from impl.compressors import StochasticQuantizer
from impl.errors import ArgumentError
from impl.matrix_roots import MatrixRoots
from impl.optimizers import (
    dcgd,
    dcgd_plus,
    dcgd_plus_reference,
    diana,
    diana_plus,
    diana_plus_reference,
    gd,
    marina,
    marina_reference,
    memory_gd,
    memory_gd_reference,
)
from impl.problems import L1, L2, Composite, Logistic, Quadratic


def dense(rank=5):
    rng = np.random.default_rng(0)
    factors = rng.standard_normal((3, 5, rank))
    return Quadratic.from_centers(factors @ np.swapaxes(factors, -1, -2) / 5, rng.standard_normal((3, 5)))


def logistic(**options):
    rng = np.random.default_rng(2)
    labels = np.where(rng.random((4, 6)) < 0.5, -1.0, 1.0)
    return Logistic(rng.standard_normal((4, 6, 5)), labels, 0.05, **options)


PROBLEMS = {
    "dense": dense(),
    "singular": dense(rank=2),
    "diagonal": Quadratic.from_centers(
        [[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]], [[1.0, 5.0, 0.0], [2.0, -1.0, 3.0]]
    ),
    "logistic": logistic(),
}
COMPOSITE = {"l1": Composite(dense(), L1(0.3)), "l2": Composite(logistic(), L2(0.2))}
NONCONVEX = {"nonconvex": logistic(regulariser="nonconvex")}
METHODS = {
    "dcgd": (dcgd, {}),
    "dcgd_plus": (dcgd_plus, {}),
    "diana": (diana, {"learning_rate": 0.4}),
    "diana_plus": (diana_plus, {"learning_rate": 0.4}),
    "marina": (marina, {"probability": 0.3}),
    "memory_gd": (memory_gd, {}),
}
LOOPS = {
    "dcgd_plus": (dcgd_plus_reference, PROBLEMS),
    "diana_plus": (diana_plus_reference, PROBLEMS | COMPOSITE),
    "marina": (marina_reference, PROBLEMS | NONCONVEX),
    "memory_gd": (memory_gd_reference, PROBLEMS | NONCONVEX),
}
TRACES = ("x", "objective", "gradient_norm_sq", "distance_sq", "iterates", "shift_distance_sq")


def given(name, problem):
    """Return what a method may begin with beside its start."""
    if name == "diana_plus":
        shifts = np.random.default_rng(5).standard_normal((problem.n, problem.d))
        return {"shifts": MatrixRoots.of_nodes(problem.smoothness).project(shifts)}
    return {"initial": np.full(problem.d, 0.5)} if name == "marina" else {}


@pytest.mark.parametrize("begins", [False, True])
@pytest.mark.parametrize(
    ("name", "problem"), [(name, problem) for name, (_, problems) in LOOPS.items() for problem in problems]
)
def test_batched_equals_the_loop_over_nodes(name, problem, begins, thinned):
    (method, own), (loop, problems) = METHODS[name], LOOPS[name]
    problem = problems[problem]
    options = own | {"step_size": 0.3 / problem.L, "rounds": 30, "start": np.linspace(-1, 2, problem.d)}
    options |= given(name, problem) if begins else {}
    batched = method(problem, thinned(), rng=np.random.default_rng(7), trace=True, **options)
    literal = loop(problem, [thinned() for _ in range(problem.n)], rng=np.random.default_rng(7), **options)
    for trace in TRACES:
        found, expected = getattr(batched, trace, None), getattr(literal, trace, None)
        assert (found is None) == (expected is None)
        if found is not None:
            # The same draws: only the order of the sums differs.
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(batched.bits, literal.bits, rtol=1e-14)
    np.testing.assert_allclose(batched.bits_slowest, literal.bits_slowest, rtol=1e-14)
    assert np.all(np.diff(batched.bits[0]) >= 0)
    if "shifts" in options:
        np.testing.assert_allclose(batched.shifts[0, 0], options["shifts"], atol=1e-12)


@pytest.mark.parametrize("blocks", [None, [2, 3]])
@pytest.mark.parametrize("name", LOOPS)
def test_quantizers_with_steps_per_node_equal_the_loop(name, blocks):
    (method, own), loop = METHODS[name], LOOPS[name][0]
    steps = np.random.default_rng(3).uniform(0.2, 2, (3, 5 if blocks is None else 2))
    options = own | {"step_size": 0.1, "rounds": 20}
    whole = StochasticQuantizer(steps, blocks=blocks)
    batched = method(dense(), whole, rng=np.random.default_rng(1), trace=True, **options)
    per_node = [StochasticQuantizer(row, blocks=blocks) for row in steps]
    literal = loop(dense(), per_node, rng=np.random.default_rng(1), **options)
    np.testing.assert_allclose(batched.iterates, literal.iterates, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(batched.bits, literal.bits, rtol=1e-14)
    np.testing.assert_allclose(batched.bits_slowest, literal.bits_slowest, rtol=1e-14)


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
