import numpy as np
import pytest

from verify.experiments.ndqsg.mersenne_twister import DEGREE, WordsAhead
from verify.experiments.ndqsg.seed_chain import COORDINATES, literal_next_seed, next_seed


@pytest.mark.parametrize("skipped", [0, 1, 623, 624, DEGREE - 1, DEGREE, DEGREE + 1, 100_003])
@pytest.mark.parametrize("seed", [0, 1, 798_946, 2**32 - 1])
def test_words_are_those_behind_what_is_skipped(seed, skipped):
    twister = np.random.MT19937()
    twister._legacy_seeding(seed)
    words, stated = WordsAhead(seed, skipped), twister.random_raw(skipped + 3)[skipped:]
    assert [next(words) for _ in stated] == stated.tolist()


@pytest.mark.parametrize("coordinates", [0, 11, 50_000, COORDINATES])
def test_seeds_are_those_behind_a_dither(coordinates):
    # One in twenty is drawn again, beyond the largest seed.
    for seed in (*range(1000, 1040), 999_999):
        assert next_seed(seed, coordinates) == literal_next_seed(seed, coordinates)
