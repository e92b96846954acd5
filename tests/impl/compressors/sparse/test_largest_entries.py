"""The largest entries of long rows are those that a sort gives, whatever the sample meets."""

import numpy as np
import pytest

from impl import tiers
from impl.compressors.sparse.largest_entries import largest_entries

D = 20_000


def by_sort(row, k):
    kept = np.argsort(-np.abs(row), kind="stable")[:k]
    out = np.zeros_like(row)
    out[kept] = row[kept] + row.dtype.type(0)
    return out


def rows():
    rng = np.random.default_rng(0)
    normal = rng.standard_normal(D)
    yield "normal", normal
    yield "steep", normal / np.arange(1, D + 1) ** 2
    yield "ascending", np.arange(D) - D / 3
    yield "few nonzeros", np.where(np.arange(D) % 4000 == 7, -1.5, -0.0)
    yield "all equal", np.full(D, -2.0)
    yield "few values", rng.integers(-2, 3, size=D).astype(float)
    # What a sample with a fixed stride sees is not what the row holds.
    for step in range(1, 21):
        yield f"periodic {step}", np.where(np.arange(D) % step == step // 2, 0.0, normal)
        yield f"only every {step}th", np.where(np.arange(D) % step == step // 2, normal, 0.0)


@pytest.mark.parametrize("tier", tiers.TIERS, indirect=True)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 7, 200, D // 4, D // 2, D])
def test_long_rows(dtype, k, tier):
    for name, row in rows():
        x = row.astype(dtype)
        assert largest_entries(x, k).tobytes() == by_sort(x, k).tobytes(), name


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [20_001, 40_000, 60_000, 79_999, 80_000])
def test_many_entries_of_rows_longer_than_a_tile(dtype, k):
    rng = np.random.default_rng(2)
    for values in ([-2.0], [1.0, -1.0], [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]):
        x = rng.choice(values, 80_000).astype(dtype)
        assert largest_entries(x, k).tobytes() == by_sort(x, k).tobytes(), values


@pytest.mark.parametrize("tier", tiers.TIERS, indirect=True)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 2, 3, 50, 1000, 8191])
def test_short_rows(dtype, d, tier):
    for name, row in rows():
        x = np.stack([row[:d], row[-d:]]).astype(dtype)
        for k in {1, min(7, d), -(-d // 2), d}:
            expected = [by_sort(own, k).tobytes() for own in x]
            assert [item.tobytes() for item in largest_entries(x, k)] == expected, name
            assert [largest_entries(own, k).tobytes() for own in x] == expected, name


def test_several_rows_at_once():
    x = np.random.default_rng(1).standard_normal((2, 3, D))
    out = largest_entries(x, 50)
    assert all(out[index].tobytes() == by_sort(x[index], 50).tobytes() for index in np.ndindex(2, 3))
