"""The Hadamard transform in tiles is that of plain stages, bit for bit."""

import numpy as np
import pytest

from impl.hadamard import hadamard


def by_stages(x):
    out, width = x.astype(np.float64), 1
    while width < x.shape[-1]:
        pairs = out.reshape(*x.shape[:-1], -1, 2, width)
        first, second = pairs[..., 0, :].copy(), pairs[..., 1, :].copy()
        pairs[..., 0, :], pairs[..., 1, :] = first + second, first - second
        width *= 2
    return out


@pytest.mark.parametrize("shape", [(1,), (2,), (3, 4), (2, 3, 64), (4, 128), (3, 256), (2**15,), (2, 2**16)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_stages_in_tiles(shape, dtype):
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    given = x.copy()
    assert hadamard(x).tobytes() == by_stages(x).tobytes()
    assert x.tobytes() == given.tobytes()
    assert hadamard(np.zeros((0, *shape))).shape == (0, *shape)


def test_entries_are_signs_by_the_parity_of_common_ones():
    signs = [[(-1) ** (j & k).bit_count() for k in range(32)] for j in range(32)]
    assert hadamard(np.eye(32)).tolist() == signs
