"""Kernels of logistic regression against numpy: all shapes, storages and margins, however large."""

import pickle

import numpy as np
import pytest
from scipy import sparse

import impl
from impl.problems import Logistic

SHAPES = [(1, 1, 1), (3, 5, 4), (2, 600, 7), (4, 257, 1)]


def problem(shape, kind="reals", storage=np.asarray, **options):
    rng = np.random.default_rng(3)
    rows = rng.standard_normal(shape) if kind == "reals" else np.ones(shape)
    n, m, d = shape
    counts = np.maximum(1, m - np.arange(n))
    rows *= (rng.random(shape) < 0.6) & (np.arange(m) < counts[:, None])[..., None]
    signs = np.where(rng.random((n, m)) < 0.5, 1, -1)
    features = storage(rows if storage is np.asarray else rows.reshape(n * m, d))
    return Logistic(features, signs, 0.1, counts=counts, **options)


def all_of(problem, x):
    with np.errstate(all="ignore"):
        return [*problem.evaluate(x), problem.objectives(x), problem.gradients(x)]


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("kind", ["reals", "ones"])
@pytest.mark.parametrize("shape", SHAPES)
def test_both_tiers_evaluate_the_same(shape, kind, storage):
    for regulariser in ("convex", "nonconvex"):
        judged = problem(shape, kind, storage, regulariser=regulariser)
        for axes in ((), (1,), (3, 1), (5,), (0,)):
            x = np.random.default_rng(4).standard_normal((*axes, shape[-1]))
            expected = all_of(judged, x)
            with impl.tier("fused"):
                found = all_of(judged, x)
            for ours, theirs in zip(found, expected, strict=True):
                # Sums of 600 rows in another order.
                np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-14)


SIZES = {str(size): size for size in (1e-8, 30.0, 1e4, 1e200, np.inf, np.nan)}
# No numbers either: R's NA, and one with a payload.
SIZES |= {
    hex(bits): np.array(bits, np.uint64).view(np.float64)[()]
    for bits in (0x7FF00000000007A2, 0x7FF8000000000001)
}


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_margins_of_any_size(size, storage):
    judged = problem((3, 5, 4), storage=storage)
    x = np.random.default_rng(5).standard_normal((2, 4))
    x = np.where(x > 0, size, x) if np.isnan(size) else x * size  # a product loses payloads
    expected = all_of(judged, x)
    with impl.tier("fused"):
        found = all_of(judged, x)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-14)


def test_small_losses_keep_their_digits():
    rows = np.ones((1, 3, 1))
    judged = Logistic(rows, np.ones((1, 3)), 0.0)
    for x in ([10.0], [40.0], [700.0]):
        with impl.tier("fused"):
            assert judged.objective(x) == pytest.approx(np.log1p(np.exp(-x[0])), rel=1e-14)


def test_no_weight_is_left_beyond_the_smallest_exponential():
    judged = Logistic(np.full((1, 1, 1), 1e300), [[1.0]], 0.0)
    for x in ([1.0], [1e-297]):
        with impl.tier("fused"):
            assert judged.gradient(x) == 0


def test_rows_in_another_order_are_evaluated_as_well():
    rows = np.asfortranarray(np.random.default_rng(0).standard_normal((2, 5, 3)))
    judged = Logistic(rows, np.ones((2, 5)), 0.1)
    assert judged._rows.array.flags.c_contiguous
    with impl.tier("fused"):
        found = judged.gradients(np.ones(3))
    np.testing.assert_allclose(found, judged.gradients(np.ones(3)), rtol=1e-14)


def test_a_kernel_runs_for_few_points_of_the_fused_tier_only(monkeypatch):
    judged, ran = problem((2, 3, 4)), []
    rows = judged._kernel_rows
    monkeypatch.setattr(rows, "evaluate", lambda x, *given: ran.append(len(x)) or [o.fill(1) for o in given])
    judged.evaluate(np.zeros(4))
    with impl.tier("fused"):
        for points in (1, 3, 4):
            judged.evaluate(np.zeros((points, 4)))
        judged.objectives(np.zeros(4))  # numpy is as fast without gradients
    assert ran == [1, 3]


def test_a_problem_is_pickled_with_its_kernel_rows():
    judged = problem((3, 5, 4), storage=sparse.csr_array)
    with impl.tier("fused"):
        value = judged.objective(np.ones(4))
        assert pickle.loads(pickle.dumps(judged)).objective(np.ones(4)) == value
