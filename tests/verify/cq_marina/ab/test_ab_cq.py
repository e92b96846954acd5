import numpy as np
import pytest

from verify.cq_marina.ab.ab_cq import random_inputs, rows, squares


@pytest.mark.parametrize(("n", "d"), [(2, 1), (3, 5), (8, 9)])
def test_random_inputs_have_zeros_and_unequal_norms(n, d):
    inputs = random_inputs(n, d, 40)
    norms = np.linalg.norm(inputs, axis=2)
    assert inputs.shape == (200, n, d)
    assert norms.max(axis=1).min() > 0
    assert (norms == 0).any()
    unequal = norms.max(axis=1) > 3 * norms.min(axis=1)
    assert 0.2 < unequal.mean() < 0.9


def test_squares():
    assert squares(rows((1, 0), (0, 1))) == (1, rows((1,))[0][0] / 2)
