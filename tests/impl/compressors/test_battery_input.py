"""What every compressor owes: one clear error for wrong input."""

import math
from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import Draws
from impl.errors import ArgumentError


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_non_finite_input_names_the_first_bad_coordinate(compressor, bad, dtype, gaussian):
    x = gaussian(compressor, 2, dtype=dtype)
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    x[1, 2] = bad
    x[1, 4] = np.nan
    for call in (
        lambda: compressor.compress(x, draws),
        lambda: compressor.message(x, draws),
        lambda: compressor.sample(x, np.random.default_rng(1)),
        lambda: compressor.variance(x),
        lambda: compressor.expected_bits(x),
    ):
        with pytest.raises(ArgumentError, match=r"x\[1, 2\] = .* must be finite"):
            call()


def test_wrong_input_is_an_error(compressor):
    rng = np.random.default_rng(1)
    for bad in (
        np.float64(1.0),
        np.zeros((2, 0)),
        np.zeros(6, dtype=np.complex128),
        np.zeros(6, dtype=np.float16),
    ):
        with pytest.raises(ArgumentError, match=type(compressor).__name__):
            compressor.sample(bad, rng)
    if compressor.dimension is not None:
        with pytest.raises(ArgumentError, match="x has d=5 coordinates"):
            compressor.sample(np.ones(5), rng)


def draws_for(compressor, shape):
    return compressor.draw(np.random.default_rng(1), shape)


def uses_uniforms(compressor):
    return draws_for(compressor, (compressor.dimension or 6,)).private is not None


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("one", [1, 1.0, Fraction(1)])
def test_the_literal_form_and_the_exact_law_name_the_first_bad_coordinate(compressor, bad, one):
    x = [one] * (compressor.dimension or 6)
    draws = draws_for(compressor, (len(x),))
    x[1], x[4] = bad, math.nan
    for call in (
        lambda: compressor.reference(x, draws),
        lambda: list(compressor.outcomes(x)),
        lambda: compressor.expected_bits(x),
        lambda: compressor.variance(x),
        lambda: compressor.moments(x),
    ):
        with pytest.raises(ArgumentError, match=rf"x\[1\] = {bad} must be finite"):
            call()


@pytest.mark.parametrize("one", [1.0, Fraction(1)])
def test_ragged_x_names_the_first_odd_row(compressor, one):
    x = [[one] * 6, [one] * 6, [one] * 5]
    draws = draws_for(compressor, (3, 6))
    for call in (
        lambda: compressor.compress(x, draws),
        lambda: compressor.reference(x, draws),
        lambda: compressor.variance(x),
        lambda: compressor.expected_bits(x),
    ):
        with pytest.raises(ArgumentError, match=r"x\[2\] has shape \(5,\), x\[0\] has shape \(6,\)"):
            call()


def test_x_that_is_no_vector_is_refused_by_the_literal_form(compressor):
    draws = draws_for(compressor, (6,))
    for bad, message in [
        (None, "x = None must be a real number"),
        ("ab", "x = 'ab' must be a real number"),
        ([1.0, None], r"x\[1\] = None must be a real number"),
        ([1.0, 2j], r"x\[1\] = 2j must be a real number"),
        (3.0, r"x has shape \(\)"),
        ([[]], r"x has shape \(1, 0\)"),
        ([10**400] * 6, r"x\[0\] = 1000\d*\.\.\.\d* exceeds the range of float64"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            compressor.reference(bad, draws)
    with pytest.raises(ArgumentError, match=r"x has shape \(2, 6\); outcomes takes one vector"):
        list(compressor.outcomes(np.ones((2, 6))))


def test_draws_that_are_no_uniforms_are_refused(compressor):
    if not uses_uniforms(compressor):
        return
    d = compressor.dimension or 6
    x = np.ones((2, d))
    for bad in (math.nan, -1e-300, 1.0, math.inf):
        uniforms = np.full((2, d), 0.5)
        uniforms[1, 3:] = bad
        for dtype in (np.float32, np.float64):
            if bad == -1e-300 and dtype == np.float32:  # rounds to zero
                continue
            draws = Draws(private=uniforms.astype(dtype))
            for call in (compressor.compress, compressor.message, compressor.reference, compressor.encode):
                with pytest.raises(ArgumentError, match=r"draws\.private\[1, 3\] = .* must be in \[0, 1\)"):
                    call(x, draws)
    for draws in (None, Draws()):
        for call in (compressor.compress, compressor.reference):
            with pytest.raises(ArgumentError, match=r"draws\.private is missing; take draws from"):
                call(x, draws)
    for shape in ((2, d - 1), (3, d)):
        for call in (compressor.compress, compressor.reference):
            with pytest.raises(ArgumentError, match=r"take draws from draw\(rng, x\.shape\)"):
                call(x, Draws(private=np.full(shape, 0.5)))


def test_uniforms_at_the_ends_are_legal(compressor):
    if not uses_uniforms(compressor):
        return
    x = np.random.default_rng(0).standard_normal(compressor.dimension or 6)
    count = draws_for(compressor, x.shape).private.shape[-1]
    # The last one is below 1 as a fraction only.
    for u in (0.0, 5e-324, 1 - 2.0**-40, 1 - 2.0**-53, 1 - Fraction(1, 2**80)):
        draws = Draws(private=[u] * count)
        # The norm of the literal form may differ in its last place.
        np.testing.assert_allclose(compressor.compress(x, draws), compressor.reference(x, draws), rtol=1e-12)


@pytest.mark.parametrize("one", [1.0, Fraction(1)])
def test_a_weight_that_is_none_is_refused(compressor, one):
    x = [one] + [one * 0] * 5  # of rational norm, in every block
    ones = [1] * 6
    skew = np.eye(6)
    skew[1, 2] = 1e-3
    negative, beyond = np.eye(6), np.eye(6)
    negative[4, 4] = -1e-3
    beyond[1, 2] = beyond[2, 1] = -1.001
    for weight, message in [
        ("a", "weight='a' must hold real numbers"),
        ([1j] * 6, "weight=.* must hold real numbers"),
        ([[1] * 6, [1] * 5], r"weight\[1\] has shape \(5,\)"),
        ([1] * 5, r"weight has shape \(5,\); give \(6,\) or \(6, 6\)"),
        ([1, -1, 1, 1, 1, -2], r"weight\[1\] = -1.0 must not be negative"),
        ([1, 1, math.nan, 1, 1, 1], r"weight\[2\] = nan must be finite"),
        (negative, r"the diagonal of weight\[4\] = -0.001 must not be negative"),
        (beyond, r"weight\[1, 2\] = -1.001 exceeds the diagonal"),
        (skew, r"weight\[1, 2\] = 0.001 and weight\[2, 1\] = 0.0, but W is symmetric"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            compressor.variance(x, weight)
        with pytest.raises(ArgumentError, match=message):
            compressor.moments(x, weight)
    with pytest.raises(ArgumentError, match=r"node_weight\[1, 0\] = -1.0 must not be negative"):
        compressor.variance([x, x], node_weight=[ones, [-1, *ones[1:]]])
    with pytest.raises(ArgumentError, match=r"node_weight\[1, 1, 2\] = 0.001 and node_weight\[1, 2, 1\]"):
        compressor.variance([x, x], node_weight=[np.eye(6), skew])
    with pytest.raises(ArgumentError, match="not both"):
        compressor.variance(x, ones, [ones])


def test_a_weight_that_is_semidefinite_up_to_rounding_is_accepted(compressor):
    weight = np.eye(6)
    weight[0, 0], weight[2, 3] = -1e-17, 1e-17
    x = np.eye(6)[1]
    assert compressor.variance(x, weight) == compressor.variance(x, np.round(weight))


def test_all_problems_of_one_call_are_named(compressor):
    x = [1.0] * 5 + [math.nan]
    with pytest.raises(ArgumentError, match=r"x\[5\] = nan(?s:.)*weight\[0\] = -1"):
        compressor.variance(x, [-1] * 6)
    with pytest.raises(ArgumentError, match=r"x\[5\] = nan(?s:.)*weight\[0\] = -1"):
        compressor.variance([Fraction(1), *x[1:]], [-1] * 6)
    if uses_uniforms(compressor):
        for call in (compressor.compress, compressor.reference):
            with pytest.raises(ArgumentError) as error:
                call(x, Draws(private=np.full(6, 2.0)))
            assert "x[5] = nan must be finite" in str(error.value)
            assert "draws.private[0] = 2.0 must be in [0, 1)" in str(error.value)


@pytest.mark.parametrize("data", [None, "abc", 200, ["a"]])
def test_decode_takes_bytes_only(compressor, data):
    with pytest.raises(ArgumentError, match=r"data=.* must be bytes; give the result of encode"):
        compressor.decode(data)
    with pytest.raises(ArgumentError, match=r"key=3 must be a Key(?s:.)*data="):
        compressor.decode(data, key=3)


def test_keys_that_are_none_are_refused(compressor):
    x = np.ones(6)
    for call in (
        lambda: compressor.draw_keyed(3, (6,)),
        lambda: compressor.encode(x, draws_for(compressor, (6,)), key=(1, 2)),
    ):
        with pytest.raises(ArgumentError, match="must be a Key, such as Key"):
            call()


def test_wrong_sizes_and_generators(compressor):
    x, rng = np.ones(6), np.random.default_rng(0)
    for size in ("a", 1.5, (2, 0.5)):
        with pytest.raises(ArgumentError, match=r"size=.* must be a whole number"):
            compressor.sample(x, rng, size=size)
    with pytest.raises(ArgumentError, match="size=-1 must not be negative"):
        compressor.sample(x, rng, size=-1)
    with pytest.raises(ArgumentError, match=r"size=.* must be a whole number"):
        list(compressor.sample_chunks(x, rng, 1.5))
    draws = compressor.draw(rng, (6,))
    if draws.private is not None or draws.shared is not None:
        with pytest.raises(ArgumentError, match=r"rng=3 must be a numpy\.random\.Generator"):
            compressor.draw(3, (6,))
        with pytest.raises(ArgumentError, match=r"shape=.* must not be negative"):
            compressor.draw(rng, (-1, 6))
