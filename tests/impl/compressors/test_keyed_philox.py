import pickle

import numpy as np
import pytest

from impl.compressors.keyed_philox import keyed_philox


@pytest.mark.parametrize("key", [(0, 0), (1, 2), (2**64 - 1, 2**63)])
@pytest.mark.parametrize("counter", [(0, 0, 0, 0), (0, 3, 2, 1), (0, 1, 2, 2**64 - 1)])
def test_words_are_those_of_numpy(key, counter):
    arrays = {"key": np.array(key, dtype=np.uint64), "counter": np.array(counter, dtype=np.uint64)}
    assert np.array_equal(keyed_philox(key, counter).random_raw(9), np.random.Philox(**arrays).random_raw(9))


def test_a_generator_is_copied_with_its_place():
    bits = keyed_philox((1, 2), (0, 0, 0, 3))
    bits.random_raw(5)
    assert pickle.loads(pickle.dumps(bits)).random_raw() == bits.random_raw()
