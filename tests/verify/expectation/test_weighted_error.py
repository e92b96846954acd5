"""Squared errors in a norm, of compressors that hand over samples in chunks."""

import numpy as np
import pytest

from verify.expectation.weighted_error import weighted_error_sampler

ERRORS = np.array([[1.0, -2.0], [-3.0, 1.0], [0.0, -1.0]])


class Chunked:
    def sample_chunks(self, x, rng, size):
        yield x + ERRORS[:1]
        yield x + ERRORS[1:]


@pytest.mark.parametrize("weight", [None, (2.0, 5.0), ((2.0, 1.0), (1.0, 3.0))])
def test_each_sample_has_its_squared_error_in_the_norm_of_the_weight(weight):
    matrix = np.eye(2) if weight is None else np.array(weight)
    matrix = np.diag(matrix) if matrix.ndim == 1 else matrix
    found = weighted_error_sampler(Chunked(), (4.0, -1.0), weight)(None, 3)
    np.testing.assert_allclose(found, [error @ matrix @ error for error in ERRORS], rtol=1e-14)
