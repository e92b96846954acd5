"""The Hadamard transform in tiles is that of plain stages, bit for bit."""

import numpy as np
import pytest

from impl import tiers
from impl.errors import ArgumentError
from impl.hadamard import hadamard, hadamard_in_place

TIERS = [
    "numpy",
    pytest.param(
        "fused", marks=pytest.mark.skipif(not tiers.is_installed(), reason="numba is not installed")
    ),
]


def by_stages(x, dtype=np.float64):
    out, width = x.astype(dtype), 1
    while width < x.shape[-1]:
        pairs = out.reshape(*x.shape[:-1], -1, 2, width)
        first, second = pairs[..., 0, :].copy(), pairs[..., 1, :].copy()
        pairs[..., 0, :], pairs[..., 1, :] = first + second, first - second
        width *= 2
    return out


@pytest.mark.parametrize("shape", [(1,), (2,), (3, 4), (2, 3, 64), (4, 128), (3, 256), (2**15,), (2, 2**16)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("tier", TIERS)
def test_stages_in_tiles(shape, dtype, tier):
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    given = x.copy()
    assert hadamard(x, tier=tier).tobytes() == by_stages(x).tobytes()
    assert x.tobytes() == given.tobytes()
    assert hadamard(np.zeros((0, *shape)), tier=tier).shape == (0, *shape)
    hadamard_in_place(x, tier=tier)
    assert x.dtype == dtype
    assert x.tobytes() == by_stages(given, dtype).tobytes()


@pytest.mark.parametrize("tier", TIERS)
def test_what_cannot_be_transformed_in_place_is_refused(tier):
    fixed = np.ones(4)
    fixed.flags.writeable = False
    for x in (np.ones(4, np.int64), [1.0, 2.0], np.ones((4, 4)).T, np.ones(()), fixed):
        with pytest.raises(ArgumentError, match="x must be a writable C-ordered array"):
            hadamard_in_place(x, tier=tier)
    for d in (0, 3, 12):
        with pytest.raises(ArgumentError, match=f"d={d} must be a power of two"):
            hadamard_in_place(np.ones((2, d)), tier=tier)
    with pytest.raises(ArgumentError, match=r"tier='gpu' is unknown"):
        hadamard_in_place(np.ones(4), tier="gpu")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.filterwarnings("error")
def test_sums_beyond_the_range_are_infinite_without_a_warning(tier):
    largest = np.finfo(np.float64).max
    assert hadamard(np.array([largest, largest]), tier=tier).tolist() == [np.inf, 0]
    assert np.isnan(hadamard(np.full(8, largest), tier=tier)).any()


def test_entries_are_signs_by_the_parity_of_common_ones():
    signs = [[(-1) ** (j & k).bit_count() for k in range(32)] for j in range(32)]
    assert hadamard(np.eye(32)).tolist() == signs
