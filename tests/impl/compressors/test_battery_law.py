"""What every compressor owes: the exact law. Probabilities, variance and moments against enumeration."""

import math
from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import RandK, SpectralSparsification
from impl.errors import ArgumentError


def test_unbiased_by_enumeration(compressor, rationals):
    biased = 0
    for x in rationals(compressor):
        mean, total = [Fraction(0)] * len(x), Fraction(0)
        for probability, draws in compressor.outcomes(x):
            total += probability
            mean = [m + probability * c for m, c in zip(mean, compressor.reference(x, draws), strict=True)]
        assert total == 1
        if compressor.unbiased:
            assert mean == x
        biased += mean != x
    if not compressor.unbiased:
        assert biased > 0


@pytest.mark.parametrize("shape", ["identity", "diagonal", "matrix"])
def test_variance_equals_enumeration(compressor, shape, rationals, psd):
    for x in rationals(compressor):
        d = len(x)
        matrix = (
            psd(d)
            if shape == "matrix"
            else np.diag([1] * d if shape == "identity" else range(1, d + 1)).tolist()
        )
        weight = {"identity": None, "diagonal": list(range(1, d + 1)), "matrix": matrix}[shape]
        value = Fraction(0)
        for probability, draws in compressor.outcomes(x):
            e = [c - xj for c, xj in zip(compressor.reference(x, draws), x, strict=True)]
            value += probability * sum(e[i] * matrix[i][j] * e[j] for i in range(d) for j in range(d))
        exact = compressor.variance(x, weight)
        assert isinstance(exact, Fraction)
        assert exact == value
        # Rational and float path round differently only in the last places of a sum of d terms.
        assert compressor.variance([float(item) for item in x], weight) == pytest.approx(
            float(exact), rel=1e-12
        )


@pytest.mark.parametrize("shape", ["identity", "diagonal", "matrix", "rank one"])
@pytest.mark.parametrize("seed", [0, 1])
def test_moments_equal_enumeration(compressor, shape, seed, gaussian, psd):
    x = gaussian(compressor, seed=seed)
    d = len(x)
    weight = {
        "identity": None,
        "diagonal": np.arange(1.0, d + 1),
        "matrix": np.array(psd(d, seed), dtype=float),
        "rank one": np.outer(np.arange(-2.0, d - 2), np.arange(-2.0, d - 2)),
    }[shape]
    matrix = np.eye(d) if weight is None else np.diag(weight) if weight.ndim == 1 else weight
    probability, squares = [], []
    for q, draws in compressor.outcomes(x):
        e = compressor.compress(x, draws) - x
        probability.append(q)
        squares.append(e @ matrix @ e)
    probability, squares = np.array(probability), np.array(squares)
    moments = compressor.moments(x, weight)
    mean = probability @ squares
    # Floating-point sums of at most 64 outcomes.
    assert moments.mean == pytest.approx(mean, rel=1e-9)
    full = shape in ("matrix", "rank one")
    if moments.variance is not None:
        assert moments.variance == pytest.approx(
            probability @ (squares - mean) ** 2, rel=1e-9, abs=1e-12 * mean**2
        )
    if moments.upper is not None:
        assert moments.upper >= squares.max() * (1 - 1e-12)
        if not full and not isinstance(compressor, SpectralSparsification):  # its atoms are not coordinates
            assert moments.upper == pytest.approx(squares.max(), rel=1e-9)
    # What is known stays known: only sets of a fixed size have no closed form for full weights.
    unknown = full and isinstance(compressor, RandK)
    assert (moments.variance is None) == (moments.upper is None) == unknown


def test_moments_of_a_batch_are_those_of_its_vectors(compressor, gaussian, psd):
    x = gaussian(compressor, 3, 2)
    d = x.shape[-1]
    for weight in (None, np.arange(1.0, d + 1), np.array(psd(d), dtype=float)):
        batch = compressor.moments(x, weight)
        for index in np.ndindex(3, 2):
            one = compressor.moments(x[index], weight)
            for name, value in vars(one).items():
                whole = getattr(batch, name)
                # Sums of at most 36 terms, perhaps in another order.
                assert whole is None if value is None else whole[index] == pytest.approx(value, rel=1e-12)


def test_sampler_agrees_with_the_exact_moments(compressor, gaussian, loses_digits):
    x = gaussian(compressor, seed=4)
    count = 20_000
    errors = compressor.sample(x, np.random.default_rng(6), size=count) - x
    moments = compressor.moments(x)
    value = np.mean(np.sum(errors**2, axis=-1))
    # Six standard errors from the exact variance of the squared error: false alarm below 1e-8 per compressor.
    slack = 6 * math.sqrt(moments.variance / count) + 1e-12 * moments.mean
    assert abs(value - moments.mean) <= slack
    if compressor.unbiased:
        spread = errors.std(axis=0)
        rounding = 1e-7 * np.abs(x) if loses_digits(compressor) else 1e-12
        assert (np.abs(errors.mean(axis=0)) <= 6.5 * spread / math.sqrt(count) + rounding).all()


def test_node_weight_is_one_weight_per_node(compressor, gaussian, psd):
    x = gaussian(compressor, 2, 3)
    d = x.shape[-1]
    diagonal = np.random.default_rng(7).random((3, d))
    full = np.array([psd(d, seed) for seed in range(3)], dtype=float)
    for weight in (diagonal, full):
        value = compressor.variance(x, node_weight=weight)
        assert value.shape == (2, 3)
        for r, i in np.ndindex(2, 3):
            assert value[r, i] == pytest.approx(compressor.variance(x[r, i], weight[i]), rel=1e-12)
    with pytest.raises(ArgumentError, match="node_weight"):
        compressor.variance(x, node_weight=diagonal[:2])
    with pytest.raises(ArgumentError, match="weight has shape"):
        compressor.variance(x, weight=np.ones(d + 1))
