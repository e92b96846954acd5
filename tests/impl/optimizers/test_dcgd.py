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
