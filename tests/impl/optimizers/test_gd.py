import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.optimizers import gd
from impl.problems import Quadratic


def test_no_distance_without_a_certified_solution():
    result = gd(Quadratic([[1.0, 0.0]]), step_size=0.5, rounds=1, start=[1.0, 1.0])
    assert result.distance_sq is None
    assert result.x.tolist() == [[0.5, 1.0]]


def test_run_ends_when_all_replicates_overflowed():
    calls = []

    class Counted(Quadratic):
        def evaluate(self, x):
            calls.append(1)
            return super().evaluate(x)

    result = gd(Counted([[1.0]]), step_size=1e100, rounds=1000, start=[1.0])
    assert len(calls) < 10
    assert np.all(result.objective[0, 5:] == 1e300)
    assert np.all(np.diff(result.bits[0, 5:]) == 0)


def test_all_mistakes_at_once():
    with pytest.raises(ArgumentError) as error:
        gd(
            Quadratic([[1.0, 1.0]]),
            object(),
            step_size=0.0,
            rounds=0,
            replicates=-1,
            start=[1.0, np.nan, 0.0],
        )
    for word in ("compressor=", "step_size=0.0", "rounds=0", "replicates=-1", "(3,)", "(2,)", "finite"):
        assert word in str(error.value)


@pytest.mark.parametrize("step_size", [-1.0, np.nan, np.inf, "0.1", True, None])
def test_bad_step_sizes(step_size):
    with pytest.raises(ArgumentError, match="step_size"):
        gd(Quadratic([[1.0]]), step_size=step_size, rounds=1)


@pytest.mark.parametrize("trace", ["yes", 1, None])
def test_a_trace_is_true_or_false(trace):
    with pytest.raises(ArgumentError, match=f"trace={trace!r} must be True or False"):
        gd(Quadratic([[1.0]]), step_size=0.5, rounds=1, trace=trace)
    assert gd(Quadratic([[1.0]]), step_size=0.5, rounds=1, trace=np.True_).iterates is not None


def test_overflow_is_recorded_and_stops_that_replicate_only():
    problem = Quadratic([[1.0]])
    result = gd(problem, step_size=1e20, rounds=20, replicates=2, start=[[0.0], [1.0]], trace=True)
    assert result.overflowed.tolist() == [False, True]
    assert not result.objective[0].any()
    assert not result.distance_sq[0].any()
    # |x| = 1e20^k and the square leaves the range of the traces at k = 8 (1e320), one round before at 1e280.
    last = int(np.argmax(result.distance_sq[1] == 1e300))
    assert last in (7, 8)
    for trace in (result.objective, result.distance_sq, result.gradient_norm_sq):
        assert np.all(trace[1, last:] == 1e300)
        assert np.all(np.isfinite(trace))
    assert np.all(np.isinf(result.iterates[1, last:]))
    assert np.isinf(result.x[1, 0])
    assert np.all(result.bits[1, last:] == 64 * last)
    assert result.bits[0, -1] == 64 * 20
