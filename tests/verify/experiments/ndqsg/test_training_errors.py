"""Recorded errors of training runs, their arms, and the sabotaged codecs."""

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from verify.experiments.ndqsg import sabotaged_training
from verify.experiments.ndqsg.sabotaged_training import rebuilt
from verify.experiments.ndqsg.training_bits import method_in
from verify.experiments.ndqsg.training_errors import NEAR, Recorded, arms, recorded, surplus
from verify.experiments.ndqsg.training_methods import METHODS, Setting

SHORT = Setting(workers=4, batch=64, iterations=4)


def run(name="nested-3-3", kind=None, seed=0):
    return recorded(SHORT, rebuilt(METHODS[name], kind), np.random.default_rng(seed))


def test_shapes_and_ratios():
    weights, biases = run()
    assert weights.errors.shape == weights.innovations.shape == (4, 4, 640)
    assert biases.dither.shape == (4, 4, 10)
    assert weights.ratios[0, :, 0].tolist() == [0, 0, 3, 3]
    assert weights.levels[0, :, 0].tolist() == [3, 3, 3, 3]
    assert np.isnan(weights.innovations[:, :2]).all()
    assert np.isfinite(weights.innovations[:, 2:]).all()


def test_recording_changes_nothing():
    method = METHODS["nested-3-3"]
    plain, watched = (
        SHORT.run(method, np.random.default_rng(4), 1, observe=watch).accuracy
        for watch in (None, lambda *arguments: None)
    )
    np.testing.assert_array_equal(plain, watched)
    found, again = (recorded(SHORT, method, np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(found[0].errors, again[0].errors)


def test_honest_errors_are_the_stated_ones_and_some_overload():
    for part in run():
        np.testing.assert_allclose(part.errors, part.stated_errors, atol=NEAR)
        assert part.clips == 0
        assert np.abs(part.fine_errors).max() <= 0.5 + NEAR
    assert max(np.abs(part.errors).max() for part in run()) > 0.5


def recorded_by_hand(errors, innovations, dither, ratio):
    """Inputs at multiples of the step, so that e is minus the dither."""
    shape = np.shape(errors)
    ratios, levels = np.full((*shape[:2], 1), ratio), np.full((*shape[:2], 1), 3)
    return Recorded(*map(np.asarray, (errors, innovations, np.zeros(shape), dither)), ratios, levels)


def test_next_to_a_boundary_either_side_is_right():
    # z + e = 3/2 but for round-off: the receiver may take 0 or 3.
    u = np.full((1, 1, 2), -0.25)
    z = np.full((1, 1, 2), 1.25)
    part = recorded_by_hand([[[0.25, 0.25 - 3]]], z, u, 3)
    np.testing.assert_allclose(part.stated_errors, part.errors, atol=1e-15)
    # Well inside only one of them is.
    part = recorded_by_hand([[[0.25, 0.25 - 3]]], z - 0.1, u, 3)
    np.testing.assert_allclose(part.stated_errors, [[[0.25, 0.25]]], atol=1e-15)


def test_arms_pair_errors_with_the_past_and_with_other_workers():
    rng = np.random.default_rng(1)
    errors = rng.uniform(-0.5, 0.5, (3, 2, 4))
    part = recorded_by_hand(errors, np.full(errors.shape, np.nan), -errors, 0)
    alone, phase, before, other = arms([part, part])
    assert alone[1] is None
    assert [len(arm[0]) for arm in (alone, phase, before, other)] == [48, 48, 32, 24]
    np.testing.assert_array_equal(before[0][:16], errors[1:].ravel())
    np.testing.assert_allclose(before[1][:16], 0.5 - errors[:-1].ravel())
    np.testing.assert_allclose(other[1][:12], 0.5 - errors[:, 0].ravel())
    nested = recorded_by_hand(errors, np.zeros(errors.shape), -errors, 3)
    assert [len(arm[0]) for arm in arms([nested])] == [24, 24, 16, 12, 24]


def test_errors_at_scale_zero_are_left_out():
    errors = np.array([[[np.nan, 0.25]]])
    part = recorded_by_hand(errors, np.full((1, 1, 2), np.nan), [[[0.1, -0.25]]], 0)
    assert arms([part])[0][0].tolist() == [0.25]
    assert len(surplus([part, *run()])) == len(surplus(run()))


def test_surplus_is_bounded_and_zero_in_the_mean_over_dithers():
    N = 4096
    u = (2 * np.arange(N) + 1 - N) / (2 * N)
    for k in (2, 3):
        for z in (1.1 * (k - 1) / 2, 0.99 * k / 2, 1.7 * k, -2.2 * k):
            errors = -u - k * np.floor((z - u) / k + 0.5)
            part = recorded_by_hand(errors[None, None], np.full((1, 1, N), z), u[None, None], k)
            found = surplus([part])
            assert len(found) == N
            assert np.abs(found).max() <= 1
            # The part that moves is off by at most one dither of N, the largest square is the unit.
            assert abs(found.mean()) <= 2 / N
    inside = recorded_by_hand(errors[None, None], np.full((1, 1, N), 0.4), u[None, None], 3)
    assert len(surplus([inside])) == 0


@pytest.mark.parametrize("blocks", [None, 256])
def test_rebuilt_codecs_are_those_of_the_method(blocks):
    codecs = rebuilt(METHODS["nested-3-5"], blocks=blocks).codecs(640, 4)
    assert codecs == [DitheredQuantizer(3, blocks)] * 2 + [NestedDitheredQuantizer(3, 5, blocks=blocks)] * 2
    assert method_in("nested-3-5", "blocks-256").codecs(640, 2)[0].blocks == 256
    with pytest.raises(ValueError, match="no codecs"):
        rebuilt(METHODS["sgd"])


def test_sabotaged_dither():
    rng = np.random.default_rng(0)
    (one, *_) = rebuilt(METHODS["dqsg-3"], sabotaged_training.OneForAll).codecs(10, 4)
    u = one.draw(rng, (2, 4, 10)).shared
    assert (u == u[:, :1]).all()
    assert not (u[0] == u[1]).all()
    (frozen, *_) = rebuilt(METHODS["dqsg-3"], sabotaged_training.Frozen).codecs(10, 4)
    assert (frozen.draw(rng, (2, 4, 10)).shared == frozen.draw(rng, (2, 4, 10)).shared).all()
    assert frozen.draw(rng, (1, 10)).shared.shape == (1, 10)


@pytest.mark.parametrize(
    "kind",
    [sabotaged_training.NotSubtracted, sabotaged_training.SideOff, sabotaged_training.SmallerRatio],
)
def test_sabotaged_receivers_leave_the_identity(kind):
    assert any((np.abs(part.errors - part.stated_errors) > NEAR).any() for part in run(kind=kind))


def test_a_narrow_scale_clips():
    assert sum(part.clips for part in run(kind=sabotaged_training.NarrowScale)) > 0


def test_other_coset_elements_change_nothing():
    honest, other = run(), run(kind=sabotaged_training.OtherCosetElement)
    # Larger numbers are reduced, so that the last digits differ.
    np.testing.assert_allclose(honest[0].errors, other[0].errors, rtol=0, atol=1e-12)
