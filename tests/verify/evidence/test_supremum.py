import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.evidence import search_supremum, supremum


def dithering(levels):
    """Return the variance of dithering over |x|^2, for (m, dim) inputs, and its gradient at one input."""

    def ratio(x):
        v = levels * np.abs(x) / np.linalg.norm(x, axis=-1, keepdims=True)
        up = v - np.floor(v)
        return (up * (1 - up)).sum(axis=-1) / levels**2

    def gradient(x):
        norm = np.linalg.norm(x)
        v = levels * np.abs(x) / norm
        slope = (1 - 2 * (v - np.floor(v))) / levels * np.sign(x) / norm
        return slope - (slope @ x) / norm**2 * x

    return ratio, gradient


def ternary(x):
    top = np.abs(x).max(axis=-1)
    return (np.abs(x) * (top[..., None] - np.abs(x))).sum(axis=-1) / (x**2).sum(axis=-1)


def powers_of_two(x):
    size = np.abs(x)
    below = 2.0 ** np.floor(np.log2(np.where(size > 0, size, 1)))
    return np.where(size > 0, (size - below) * (2 * below - size), 0).sum(axis=-1) / (x**2).sum(axis=-1)


@pytest.mark.parametrize("is_gradient_known", [True, False])
@pytest.mark.parametrize(
    ("levels", "dim", "known"),
    # sqrt(d) / s - 1 for d >= 4 s^2 and for s = 1; d / (4 s^2) for d = 20, s = 5, as 20 = 100 (mod 8);
    # d = 2, 3 with s = 2 by certified branch and bound.
    [(1, 100, 9.0), (5, 20, 0.2), (2, 16, 1.0), (2, 2, 0.12132034), (2, 3, 0.17944932)],
)
def test_dithering(levels, dim, known, is_gradient_known):
    ratio, gradient = dithering(levels)
    x, value = supremum(ratio, dim, gradient=gradient if is_gradient_known else None, batch=True)
    assert value == pytest.approx(known, rel=1e-6)  # the accuracy that the search promises at known suprema
    assert np.linalg.norm(x) == pytest.approx(1, rel=1e-12)
    assert ratio(x) == value


@pytest.mark.parametrize("dim", [2, 5, 100])
def test_ternary(dim):
    x, value = supremum(ternary, dim, batch=True)
    assert value == pytest.approx((np.sqrt(dim) - 1) / 2, rel=1e-6)
    ordered = np.sort(np.abs(x)) / np.abs(x).max()
    np.testing.assert_allclose(ordered[:-1], 1 / (1 + np.sqrt(dim)), rtol=1e-3)  # a flat maximum


@pytest.mark.parametrize("dim", [1, 2, 30])
def test_powers_of_two_need_all_norms(dim):
    _, value = supremum(powers_of_two, dim, scale_invariant=False, batch=True)
    assert value == pytest.approx(1 / 8, rel=1e-6)


def test_the_sphere_misses_a_part_of_powers_of_two():
    _, value = supremum(powers_of_two, 2, batch=True)
    assert round(8 * value, 4) == 0.9706  # published


def test_one_input_at_a_time():
    calls = []

    def ratio(x):
        calls.append(x.shape)
        return ternary(x)

    found = search_supremum(ratio, 5, budget=3000)
    assert found.value == pytest.approx((np.sqrt(5) - 1) / 2, rel=1e-6)
    assert set(calls) == {(5,)}
    assert len(calls) == found.evaluations <= 3000


@pytest.mark.parametrize("budget", [1, 50, 500, 5000])
@pytest.mark.parametrize("is_gradient_known", [True, False])
def test_the_budget_is_never_exceeded(budget, is_gradient_known):
    ratio, gradient = dithering(3)
    used = [0]

    def counted(x):
        used[0] += len(x)
        return ratio(x)

    def counted_gradient(x):
        used[0] += 1
        return gradient(x)

    found = search_supremum(
        counted, 30, budget=budget, gradient=counted_gradient if is_gradient_known else None, batch=True
    )
    assert used[0] == found.evaluations <= budget
    assert found.value > 0 or budget == 1


def test_same_seed_same_path_and_other_seed_other_path():
    paths = []
    for seed in (1, 1, 2):
        path = []

        def ratio(x, path=path):
            path.append(x.copy())
            return dithering(5)[0](x)

        search_supremum(ratio, 20, seed=seed, budget=5000, batch=True)
        paths.append(np.vstack(path))
    np.testing.assert_array_equal(paths[0], paths[1])
    assert not np.array_equal(paths[0], paths[2])


def test_statistics_of_the_local_searches():
    found = search_supremum(dithering(1)[0], 3, batch=True)
    assert found.starts == 8 + 64 + 4  # best structured, random, and hopping ones
    assert 8 <= found.hits <= found.starts


def test_claimed_worst_case_is_tried():
    needle = np.array([0.3, -0.7, 0.1, 0.64])
    needle /= np.linalg.norm(needle)

    def ratio(x):
        return np.where(np.linalg.norm(x - needle, axis=-1) < 1e-9, 2.0, 1.0)

    assert supremum(ratio, 4, budget=2000, batch=True)[1] == 1
    x, value = supremum(ratio, 4, budget=2000, batch=True, starts=[5 * needle])
    assert value == 2
    np.testing.assert_allclose(x, needle, rtol=1e-12)


def test_undefined_values_are_avoided():
    def ratio(x):
        return np.nan if x[0] > 0.9 else float(x[0])

    _, value = supremum(ratio, 3, budget=4000)
    assert 0.85 < value <= 0.9


def test_all_problems_at_once():
    with pytest.raises(ArgumentError, match=r"(?s)dim=0.*budget=0"):
        supremum(ternary, 0, budget=0)
    with pytest.raises(ArgumentError, match=r"(?s)starts\[0\] has shape \(2,\).*starts\[1\]"):
        supremum(ternary, 3, starts=[[1, 2], [0, 0, 0]])
    with pytest.raises(ArgumentError, match="NaN at every start"):
        supremum(lambda x: np.nan, 3)
