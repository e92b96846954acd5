from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from impl.compressors import IndependentQuantizer, PermK, RandK
from impl.errors import ArgumentError
from impl.optimizers import MarinaEstimator, dcgd, marina
from impl.problems import Quadratic


def toy(n=3, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return Quadratic.from_centers(rng.uniform(0.5, 2, (n, d)), rng.standard_normal((n, d)))


class Dealt:
    """A joint compressor: each coordinate is sent by one client, times n; owners are shared draws."""

    def __init__(self):
        self.shapes = []

    def draw(self, rng, shape):
        self.shapes.append(shape)
        return SimpleNamespace(shared=rng.integers(shape[-2], size=(*shape[:-2], shape[-1])))

    def compress_counted(self, x, draws):
        if not np.all(np.isfinite(x)):
            raise ValueError("not finite")
        owned = np.arange(x.shape[-2])[:, None] == draws.shared[..., None, :]
        return x.shape[-2] * np.where(owned, x, 0.0), 64 * owned.sum(axis=-1)


def test_the_coin_is_common_to_all_clients_and_private_to_a_replicate():
    problem = toy()
    arguments = {"step_size": 0.01, "probability": 0.4, "rounds": 200, "replicates": 5}
    result = marina(
        problem, RandK(1, value_bits=32), rng=np.random.default_rng(3), float_bits=32, **arguments
    )
    sent = np.diff(result.bits, axis=1)
    assert set(np.unique(sent)) == {32.0, 128.0}
    np.testing.assert_array_equal(result.bits, result.bits_slowest)  # never some full, some not
    assert np.all(sent[:, 0] == 128)
    full = sent[:, 1:] == 128
    assert len(np.unique(full, axis=0)) == 5
    # Six standard errors of 995 coins.
    assert abs(full.mean() - 0.4) <= 6 * np.sqrt(0.4 * 0.6 / full.size)


def test_joint_compressors_run_in_marina_and_dcgd():
    problem, compressor = toy(), Dealt()
    result = marina(
        problem,
        compressor,
        step_size=0.2,
        probability=0.2,
        rounds=300,
        rng=np.random.default_rng(2),
        replicates=120,
    )
    assert result.distance_sq[:, -1].max() < 1e-12
    assert compressor.shapes[0] == (100, 3, 4)
    assert sum(shape[0] for shape in compressor.shapes) == 120 * 299
    # All coordinates are sent once: the mean over clients is exact whatever the owners.
    per_round = np.diff(result.bits, axis=1)
    assert np.all(np.isclose(per_round, 4 * 64 / 3) | np.isclose(per_round, 4 * 64))
    plain = dcgd(problem, Dealt(), step_size=0.2, rounds=3, rng=np.random.default_rng(2))
    np.testing.assert_allclose(plain.bits[0], np.arange(4) * 4 * 64 / 3)
    assert np.all(np.diff(plain.bits_slowest[0]) >= 2 * 64)


def test_an_estimator_can_be_replaced():
    class Frozen(MarinaEstimator):
        def difference(self, gradients):
            return 0 * gradients

    problem = toy()
    arguments = {"step_size": 0.1, "probability": 1e-9, "rounds": 4}
    result = marina(
        problem, RandK(1), rng=np.random.default_rng(0), trace=True, estimator=Frozen, **arguments
    )
    steps = np.diff(result.iterates[0], axis=0)
    np.testing.assert_allclose(steps, np.broadcast_to(steps[0], steps.shape))


@pytest.mark.parametrize("probability", [0, -0.1, 1.0001, np.nan, True, "a", None, Fraction(1, 2)])
def test_a_wrong_probability_is_named(probability):
    with pytest.raises(ArgumentError, match=r"probability=.* must be a number in \(0, 1\]"):
        marina(
            toy(), RandK(1), step_size=0.1, probability=probability, rounds=1, rng=np.random.default_rng(0)
        )


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        ([1.0, 2.0], r"initial of shape \(2,\) must have shape \(4,\) or \(2, 4\)"),
        (np.ones((3, 4)), r"initial of shape \(3, 4\)"),
        ([np.inf, 0, 0, 0], "initial must be finite"),
        ("a", "initial='a' must be real numbers"),
    ],
)
def test_wrong_first_estimates_are_named(initial, message):
    arguments = {"step_size": 0.1, "probability": 0.5, "rounds": 1, "replicates": 2}
    with pytest.raises(ArgumentError, match=message):
        marina(toy(), RandK(1), rng=np.random.default_rng(0), initial=initial, **arguments)
    with pytest.raises(ArgumentError, match="replicates=0"):
        marina(
            toy(), RandK(1), rng=np.random.default_rng(0), initial=initial, **{**arguments, "replicates": 0}
        )


@pytest.mark.parametrize("rounds_of_a_block", [1, 3, 8, 64])
@pytest.mark.parametrize("accuracy", [1e-2, 1e-300])
def test_a_run_ends_soon_after_all_replicates_had_small_gradients(accuracy, rounds_of_a_block, monkeypatch):
    problem, compressor = toy(), IndependentQuantizer("binary")
    arguments = {"step_size": 0.1, "probability": 0.3, "rounds": 120, "replicates": 5, "cost": np.sqrt}
    # Large problems write their traces after fewer rounds.
    entries = rounds_of_a_block * arguments["replicates"] * max(problem.n, problem.d)
    monkeypatch.setattr("impl.optimizers.runs.trace_block._ENTRIES", entries)
    whole = marina(problem, compressor, rng=np.random.default_rng(7), **arguments)
    ended = marina(problem, compressor, rng=np.random.default_rng(7), **arguments, gradient_until=accuracy)
    small = (whole.gradient_norm_sq <= accuracy).any(axis=1)
    assert ended.rounds < 120 if small.all() else ended.rounds == 120
    assert np.array_equal((ended.gradient_norm_sq <= accuracy).any(axis=1), small)
    for name in ("objective", "gradient_norm_sq", "distance_sq", "bits", "bits_slowest", "cost"):
        assert np.array_equal(getattr(ended, name), getattr(whole, name)[:, : ended.rounds + 1])


def test_chunks_of_replicates_end_on_their_own():
    problem, accuracy, chunk = toy(), 1e-2, 100
    start = np.ones((chunk + 5, problem.d))
    start[chunk:] *= 1e4  # these take longer
    arguments = {
        "step_size": 0.1,
        "probability": 0.3,
        "rounds": 400,
        "replicates": len(start),
        "start": start,
    }
    found = [
        marina(problem, IndependentQuantizer("binary"), rng=np.random.default_rng(7), **arguments, **until)
        for until in ({}, {"gradient_until": accuracy})
    ]
    whole, ended = (result.gradient_norm_sq for result in found)
    last = (whole[:chunk] <= accuracy).argmax(axis=1).max()
    end = -(-last // 8) * 8
    assert end < found[1].rounds < 400
    assert np.array_equal(ended[:chunk, : end + 1], whole[:chunk, : end + 1])
    assert (ended[:chunk, end:] == ended[:chunk, [end]]).all()
    assert (ended <= accuracy).any(axis=1).all()


@pytest.mark.parametrize("wrong", [0, -1.0, float("inf"), float("nan"), True, "1"])
def test_gradient_until_is_a_positive_number(wrong):
    with pytest.raises(ArgumentError, match=r"gradient_until=.* must be a positive number below 1e"):
        dcgd(toy(), PermK(), step_size=0.1, rounds=3, rng=np.random.default_rng(0), gradient_until=wrong)


@pytest.mark.parametrize("small", [1, np.float32(1e-3)])
def test_gradient_until_takes_every_real_number(small):
    dcgd(toy(), PermK(), step_size=0.1, rounds=3, rng=np.random.default_rng(0), gradient_until=small)
