"""Arguments of joint compressors that no battery can cover: one clear error each, and their special cases."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl import tiers
from impl.compressors import (
    BernoulliSparsifier,
    CorrelatedGrid,
    CorrelatedQuantizer,
    Draws,
    ImportanceSampling,
    Independent,
    IndependentQuantizer,
    PermK,
    PermKQuantizer,
    RandK,
    RotatedQuantizer,
    RoundKey,
    Scaled,
    TopK,
    WeightedPartition,
)
from impl.errors import ArgumentError

RNG = np.random.default_rng


def pytest_generate_tests(metafunc):
    metafunc.parametrize("tier", tiers.TIERS, indirect=True)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CorrelatedQuantizer("octal"), "grid='octal' must be one of"),
        (lambda: IndependentQuantizer("binary", norm_bits=16), "norm_bits=16 must be 64 or 32"),
        (lambda: CorrelatedGrid(0), "step=0 must be a positive"),
        (lambda: CorrelatedGrid(1, "any"), "shift='any' must be"),
        (lambda: RotatedQuantizer("yes"), "correlated='yes' must be True or False"),
        (lambda: PermK(value_bits=8), "value_bits=8"),
        (lambda: PermKQuantizer(0), "groups=0 must be"),
        (lambda: ImportanceSampling(0, [0.5, 0.5], RandK(1)), "draws=0 must be"),
        (lambda: ImportanceSampling(2, [0.5, 0.5], "RandK"), "inner='RandK' must be"),
        (lambda: ImportanceSampling(2, [0.5, 0.4], RandK(1)), "weights sum to 0.9, not to 1"),
        (lambda: WeightedPartition([F(1, 2), F(1, 3)]), "weights sum to 0.833333333333, not to 1"),
        (lambda: WeightedPartition([1.5, -0.5]), r"weights\[1\]=-0.5 must be a positive"),
        (lambda: WeightedPartition([]), "must be a sequence of positive numbers"),
        (lambda: WeightedPartition(3), "weights=3 must be a sequence"),
        (lambda: Independent("RandK"), "must be a Compressor"),
        (lambda: Scaled(RandK(1), float("nan")), "factor=nan must be a finite number"),
        (lambda: Scaled(1, 1), "inner=1 must be"),
        (lambda: RoundKey((1,), 0), "seed=.*must be two integers"),
        (lambda: RoundKey((1, 2), -1), "iteration=-1"),
        (lambda: PermKQuantizer(0, norm_bits=16), "norm_bits=16"),
        (lambda: PermKQuantizer(2, "no"), "correlated='no'"),
        (lambda: CorrelatedGrid(10**400), "step="),
        (lambda: Scaled(RandK(1), 10**400), "factor="),
        (lambda: WeightedPartition([0.5, 0.5 + 3e-12]), "off by 3e-12"),
    ],
)
def test_bad_arguments_are_named(make, words):
    with pytest.raises(ArgumentError, match=words):
        make()


@pytest.mark.parametrize(
    ("joint", "shape", "words"),
    [
        (PermKQuantizer(3), (4, 6), "groups=3 must divide n=4 and d=6"),
        (RotatedQuantizer(True), (2, 6), "fill x up with zeros to 8"),
        (WeightedPartition([0.5, 0.5]), (3, 2), "inputs of 3 clients, but weights of 2"),
        (ImportanceSampling(2, [0.5, 0.5], RandK(1)), (3, 2), "inputs of 3 clients, but weights of 2"),
        (ImportanceSampling(2, [0.5, 0.5], RandK(3)), (2, 2), "k=3 exceeds d=2"),
    ],
)
def test_shapes_that_do_not_fit_are_named(joint, shape, words):
    with pytest.raises(ArgumentError, match=words):
        joint.draw(RNG(0), shape)


def test_one_client_is_served():
    x = np.array([[3.0, -4.0, 0.0, 0.0]])
    independent, correlated = IndependentQuantizer("binary"), CorrelatedQuantizer("binary")
    assert correlated.variance(x) == independent.variance(x) == 75.0
    assert np.array_equal(PermK().sample(x, RNG(0)), x[0])
    assert PermK().variance(x) == 0
    for joint in (correlated, RotatedQuantizer(True), PermKQuantizer(1), CorrelatedGrid(0.5, "random")):
        samples = joint.sample(x, RNG(1), size=4000)
        assert np.abs(samples.mean(axis=0) - x[0]).max() < 0.6


@pytest.mark.parametrize(("n", "d"), [(3, 7), (7, 3), (5, 5), (8, 4), (2, 9)])
def test_perm_k_deals_every_share_and_averages(n, d):
    x = RNG(0).standard_normal((n, d))
    draws = PermK().draw(RNG(1), (500, n, d))
    decoded = PermK().compress(x, draws)
    held = (decoded != 0).sum(axis=-2)
    sent = (decoded != 0).sum(axis=-1)
    if d >= n:
        assert (held == 1).all()
        assert {int(item) for item in np.unique(sent)} == {d // n, -(-d // n)}
        assert (sent.sum(axis=-1) == d).all()
    else:
        assert (sent == 1).all()
        assert {int(item) for item in np.unique(held)} == {n // d, -(-n // d)}
    # Every client has the larger share now and then, and every coordinate the larger number of clients.
    shares = sent if d >= n else held
    assert (shares == shares.max()).any(axis=0).all()
    # The map is compared with its literal form, too, and does not favour neighbours.
    one = PermK().draw(RNG(2), (n, d))
    np.testing.assert_allclose(PermK().compress(x, one), PermK().reference(x.tolist(), one), rtol=1e-15)
    together = (decoded[:, 0] != 0) & (decoded[:, 1] != 0)
    assert d >= n or together.any(axis=0).all()


def test_norms_sent_in_32_bits_are_rounded_up_so_that_no_level_leaves_the_grid():
    x = np.zeros((4, 3))
    x[:, 0] = [1 / 3, 0.1, 1e-3, 7.7]
    joint = CorrelatedQuantizer("binary", norm_bits=32)
    y, _, scales = joint.chances(x)
    assert (scales >= np.abs(x[:, 0])).all()
    assert (scales == scales.astype(np.float32)).all()
    assert (y <= 1).all()
    literal = [joint._literal_scale(row) for row in x.tolist()]
    assert literal == scales.tolist()
    with pytest.raises(ArgumentError, match="use norm_bits=64"):
        joint.compress(np.full((2, 2), 1e300), joint.draw(RNG(0), (2, 2)))


def test_independent_takes_any_compressor():
    x = RNG(0).standard_normal((4, 6))
    joint = Independent(BernoulliSparsifier(0.5))
    assert joint.variance(x) == pytest.approx(sum(BernoulliSparsifier(0.5).variance(row) for row in x) / 16)
    matrix = np.eye(6) + 0.5
    assert Independent(RandK(2)).variance(x, matrix) == pytest.approx(
        sum(RandK(2).variance(row, matrix) for row in x) / 16
    )
    biased = Independent(TopK(2))
    assert not biased.unbiased
    with pytest.raises(ArgumentError, match="does not average out"):
        biased.variance(x)


def test_exact_values_that_would_take_too_long_say_so():
    x = RNG(0).standard_normal((20, 20))
    with pytest.raises(ArgumentError, match="pairs of subsets"):
        PermKQuantizer(2).variance(x)
    with pytest.raises(ArgumentError, match=r"20\^8 samples of clients"):
        ImportanceSampling(8, [0.05] * 20, CorrelatedQuantizer("binary")).variance(x)
    with pytest.raises(ArgumentError, match="up to d=16"):
        RotatedQuantizer(True).variance(RNG(0).standard_normal((2, 32)))
    with pytest.raises(ArgumentError, match="has no finite list of outcomes"):
        next(iter(CorrelatedGrid(1, "random").outcomes([[0.5], [0.25]])))


def test_levels_outside_the_code_are_refused():
    joint = CorrelatedGrid(1e-300)
    with pytest.raises(ArgumentError, match="take a larger step"):
        joint.compress(np.ones((2, 2)), joint.draw(RNG(0), (2, 2)))


@pytest.mark.parametrize(
    "joint",
    [CorrelatedQuantizer("binary"), PermK(), CorrelatedGrid(1), RotatedQuantizer(True), PermKQuantizer(2)],
)
def test_shared_draws_of_another_size_are_named(joint):
    x = RNG(0).standard_normal((4, 8))
    other = joint.draw(RNG(1), (2, 4))
    with pytest.raises(ArgumentError, match="draw"):
        joint.compress(x, Draws(other.shared, RNG(2).random((4, 8))))


def test_a_random_shift_is_averaged_exactly():
    # Golden numbers of specification 4, section cq-klevel.
    x = [[F(1, 10)], [F(9, 10)], [F(17, 10)], [F(26, 10)]]
    assert CorrelatedGrid(F(4, 5)).variance(x) == F(3, 320)
    assert CorrelatedGrid(F(4, 5), "random").variance(x) == F(13, 1600)
    shifts = (np.arange(4000) + 0.5) / 4000 * 0.8
    mean = np.mean([CorrelatedGrid(0.8, float(s)).variance(np.array(x, dtype=float)) for s in shifts])
    assert mean == pytest.approx(13 / 1600, abs=5e-9)  # midpoints of a piecewise quadratic function


@pytest.mark.parametrize("norm_bits", [32, 64])
def test_no_replicates_are_no_error(norm_bits):
    joint = CorrelatedQuantizer("binary", norm_bits=norm_bits)
    assert joint.sample(np.zeros((0, 4, 6)), np.random.default_rng(0)).shape == (0, 6)
    assert joint.variance(np.zeros((2, 0, 4, 6))).shape == (2, 0)
