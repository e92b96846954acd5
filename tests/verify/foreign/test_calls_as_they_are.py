"""What a compressor says of itself, and how its calls hang together, is looked at and not believed."""

import numpy as np
import pytest

from verify import check_compressor
from verify.foreign.adapter import adapt
from verify.foreign.guard import CompressorFault
from verify.foreign.single_calls.as_it_is import as_it_is

D = 16


def kept(x, rng):
    return np.where(rng.random(x.shape) < 0.5, 2 * x, 0.0)


class Coins:
    """Keeps each entry with probability 1/2; what a subclass does to one vector it does not do to many."""

    unbiased = True

    def draw(self, rng, shape):
        return rng.random(shape)

    def chance(self, x):
        return 0.5

    def compress(self, x, draws):
        return np.where(draws < self.chance(x), 2 * x, 0.0)


class WrongAlone(Coins):
    def chance(self, x):
        return 0.5 if x.ndim == 2 else 0.4


class WrongInABatchOfOne(Coins):
    def chance(self, x):
        return 0.5 if x.ndim == 2 and len(x) > 1 else 0.4


@pytest.mark.parametrize("kind", [WrongAlone, WrongInABatchOfOne])
def test_single_vectors_are_judged_where_batches_of_them_are_treated_otherwise(kind):
    report = check_compressor(kind(), d=D, omega=1.0)
    assert report.verdict == "violated"
    assert as_it_is(adapt(kind(), D, None), 1).sample_many is None


def test_batches_are_judged_where_they_are_the_same():
    assert as_it_is(adapt(Coins(), D, None), 1).sample_many is not None


class Clipped:
    scale_equivariance = "all"

    def sample(self, x, rng):
        return kept(x, rng) if np.abs(x).max() < 1e3 else np.zeros_like(x)


def test_a_compressor_is_not_taken_for_equivariant_because_it_says_so():
    assert check_compressor(Clipped(), d=D, unbiased=True, omega=1.0).verdict == "violated"
    assert as_it_is(adapt(Clipped(), D, None), 1).scale_equivariance == "none"


class LargestSoFar:
    """Rounds to a grid of the largest norm that it has seen, which is unbiased and no function of x."""

    def __init__(self):
        self.norm = 0.0

    def sample(self, x, rng):
        size = float(np.linalg.norm(x))
        if 1e-9 < size < 1e9:
            self.norm = max(self.norm, size)
        step = (self.norm if 1e-9 < size < 1e9 else 1.0) / 4
        low = np.floor(x / step)
        return step * (low + (rng.random(x.shape) < x / step - low))


def test_a_state_that_grows_is_seen_at_the_end():
    with pytest.raises(CompressorFault, match="keep no state between calls"):
        check_compressor(LargestSoFar(), d=D, unbiased=True, samples=64)


def test_a_constant_at_the_zero_vector_is_a_bias():
    def one_at_zero(x, rng):
        return kept(x, rng) if x.any() else np.ones_like(x)

    report = check_compressor(one_at_zero, d=D, unbiased=True)
    assert report.verdict == "violated"
    assert "unbiased at the zero vector" in str(report)
    # Noise without bias is allowed where no bound on the error is claimed.
    noisy = check_compressor(
        lambda x, rng: kept(x, rng) if x.any() else rng.standard_normal(x.shape),
        d=D,
        unbiased=True,
        samples=64,
    )
    assert noisy.verdict != "violated"


def test_a_sign_that_is_lost_where_nearly_all_entries_are_zero_is_seen():
    def unsigned(x, rng):
        return kept(x, rng) if np.count_nonzero(x) > 1 or not x.any() else np.abs(kept(x, rng))

    assert check_compressor(unsigned, d=D, unbiased=True, omega=1.0).verdict == "violated"


def test_a_fault_at_one_pattern_in_sixteen_is_seen_at_random_inputs():
    def fifth(x, rng):
        return kept(x, rng) * (1.5 if np.argmax(np.abs(x)) == 5 else 1.0)

    assert check_compressor(fifth, d=D, unbiased=True, omega=1.0).verdict == "violated"


class OtherDraws(Coins):
    """Draws the kept places of one vector otherwise than those of a batch, which is honest."""

    def draw(self, rng, shape):
        if len(shape) == 1:
            return rng.permutation(D)[:4]
        return rng.random(shape).argsort(-1)[..., :4]

    def compress(self, x, draws):
        found = np.zeros(x.shape)
        np.put_along_axis(found, draws, np.take_along_axis(x, draws, -1) * D / 4, -1)
        return found


def test_a_compressor_whose_batches_draw_otherwise_does_not_ignore_its_seed():
    report = check_compressor(OtherDraws(), d=D, unbiased=True, omega=3.0, samples=2**10)
    assert report.verdict != "violated"
    assert check_compressor(OtherDraws(), d=D, omega=2.5).verdict == "violated"


@pytest.mark.parametrize("place", range(24))
def test_a_fault_where_the_largest_entry_is_at_any_place_is_seen(place):
    def wrong(x, rng):
        return kept(x, rng) * (1.5 if np.argmax(np.abs(x)) == place else 1.0)

    assert check_compressor(wrong, d=24, unbiased=True, omega=1.0).verdict == "violated"


def test_the_reason_at_the_zero_vector_is_that_of_the_claim():
    report = check_compressor(lambda x, rng: x + 1.0, d=D, omega=1.0)
    assert "no bound relative to ||x||^2" in report.decisive.evidence.reason
    report = check_compressor(lambda x, rng: x + 1.0, d=D, unbiased=True)
    assert "its mean is not 0" in report.decisive.evidence.reason
