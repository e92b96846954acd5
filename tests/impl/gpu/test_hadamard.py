"""The Hadamard transform on a device against the one of numpy."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.hadamard import hadamard


@pytest.mark.parametrize("exponent", [0, 2, 4, 6, 7, 8, 11, 13, 14, 15, 18, 19])
@pytest.mark.parametrize("rows", [1, 3])
def test_it_is_the_transform(device, exponent, rows):
    import torch

    from impl.gpu.hadamard import transform

    x = np.random.default_rng(exponent).standard_normal((rows, 2**exponent)).astype(np.float32)
    found = transform(torch.as_tensor(x, device=device)).cpu().numpy()
    expected = hadamard(x)
    # Rounding errors of float32 in sums of d numbers grow like log d.
    assert np.linalg.norm(found - expected) <= 4e-7 * (exponent + 1) * np.linalg.norm(expected)


def test_another_length_is_refused(device):
    import torch

    from impl.gpu.hadamard import transform

    with pytest.raises(ArgumentError, match="d=6 must be a power of two"):
        transform(torch.ones(6, device=device))
