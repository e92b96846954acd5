import numpy as np
import pytest

from impl.compressors import StochasticQuantizer
from impl.optimizers import dcgd
from impl.problems import Quadratic


def toy():
    rng = np.random.default_rng(0)
    return Quadratic.from_centers(rng.uniform(0.5, 2, (3, 4)), rng.standard_normal((3, 4)))


def test_shapes_and_draws(thinned):
    problem, compressor = toy(), thinned()
    result = dcgd(problem, compressor, step_size=0.1, rounds=2, rng=np.random.default_rng(1), replicates=120)
    assert result.x.shape == (120, 4)
    for name in ("objective", "gradient_norm_sq", "distance_sq", "bits"):
        trace = getattr(result, name)
        assert trace.shape == (120, 3)
        assert np.all(np.isfinite(trace))
    # Chunks of at most 100 replicates (design, section 8); each node and replicate has its own draws.
    assert sum(shape[0] for shape in compressor.shapes) == 2 * 120
    assert all(shape[0] <= 100 and shape[1:] == (3, 4) for shape in compressor.shapes)
    assert len(np.unique(result.x, axis=0)) > 100
    np.testing.assert_allclose(result.distance_sq[:, -1], ((result.x - problem.solution) ** 2).sum(axis=1))
    np.testing.assert_allclose(result.objective[:, -1], problem.objective(result.x), rtol=1e-14)


def test_bits_are_the_mean_over_nodes(thinned):
    problem = toy()
    result = dcgd(problem, thinned(1.0), step_size=0.1, rounds=3, rng=np.random.default_rng(1))
    assert result.bits.tolist() == [[0.0, 260.0, 520.0, 780.0]]
    per_node = np.array([[1.0], [0.0], [0.0]]) + np.full((3, 4), 2.0**-60)
    # Node 0 sends all, the others nothing.
    result = dcgd(problem, thinned(per_node), step_size=1e-9, rounds=1, rng=np.random.default_rng(1))
    assert result.bits[0, 1] == pytest.approx((260 + 4 + 4) / 3)


def test_same_stream_same_run(thinned):
    runs = [
        dcgd(toy(), thinned(), step_size=0.1, rounds=5, rng=np.random.default_rng(seed), replicates=60)
        for seed in (3, 3, 4)
    ]
    np.testing.assert_array_equal(runs[0].x, runs[1].x)
    assert not np.any(runs[0].x == runs[2].x)


class Spy:
    """A compressor that remembers the bits of its messages."""

    def __init__(self, inner):
        self.inner, self.bits = inner, []

    def draw(self, rng, shape):
        return self.inner.draw(rng, shape)

    def message(self, x, draws):
        message = self.inner.message(x, draws)
        self.bits.append(np.asarray(message.bits))
        return message

    def reconstruct(self, message, shared):
        return self.inner.reconstruct(message, shared)


def test_bits_are_kept_apart_for_each_replicate(thinned):
    spy = Spy(thinned())
    result = dcgd(toy(), spy, step_size=0.1, rounds=3, rng=np.random.default_rng(0), replicates=4)
    sent = np.array(spy.bits)  # (rounds, replicates, nodes)
    np.testing.assert_allclose(result.bits[:, 1:], np.cumsum(sent.mean(axis=-1), axis=0).T, rtol=1e-14)
    np.testing.assert_allclose(result.bits_slowest[:, 1:], np.cumsum(sent.max(axis=-1), axis=0).T)
    assert len(np.unique(result.bits[:, -1])) > 1


def test_an_overflow_in_the_first_round_sends_nothing(thinned):
    problem = Quadratic([[1e60, 1e60]])
    arguments = {"step_size": 1e-60, "rounds": 3, "rng": np.random.default_rng(0), "start": [1e105, 0.0]}
    result = dcgd(problem, thinned(), **arguments)
    assert result.overflowed.all()
    assert np.all(result.bits == 0)
    assert np.all(result.objective == 1e300)


class SinglePrecision(Quadratic):
    """Somebody's problem, whose gradients are float32."""

    def evaluate(self, x):
        values, gradients = super().evaluate(x)
        return values, gradients.astype(np.float32)


@pytest.mark.parametrize("d", [2, 6])
def test_gradients_in_single_precision_go_the_general_way(d):
    class General(StochasticQuantizer):
        """One without a way of its own for many rounds."""

        repeated = None

    problem = SinglePrecision(np.linspace(0.5, 2, 3 * d).reshape(3, d))
    runs = [
        dcgd(
            problem, own(0.5), step_size=0.1, rounds=5, rng=np.random.default_rng(1), start=np.arange(d) - 1.5
        )
        for own in (StochasticQuantizer, General)
    ]
    assert runs[0].x.tolist() == runs[1].x.tolist()
    assert runs[0].bits.tolist() == runs[1].bits.tolist()
