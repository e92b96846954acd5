"""Gradients and objective of w8a, 20 nodes: sparse rows against dense ones, many points against one."""

import numpy as np
import pytest

from impl.problems import Logistic, label_sorted_split, load_libsvm

NODES, RIDGE = 20, 1e-3
POINTS = 34

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def data(libsvm_folder):
    return load_libsvm("w8a", libsvm_folder)


@pytest.fixture(scope="module")
def sparse(data):
    return Logistic(*label_sorted_split(*data, NODES), RIDGE)


@pytest.fixture(scope="module")
def dense(data):
    return Logistic(*label_sorted_split(*data, NODES, storage="dense"), RIDGE)


@pytest.mark.parametrize(("points", "target"), [(1, 5.0), (POINTS, 2.5)])
def test_sparse_rows_are_faster_than_dense_ones(sparse, dense, cpu_ratio, points, target):
    x = np.random.default_rng(0).standard_normal((points, sparse.d))
    # Gate: the same numbers, so that no candidate is fast because it does less.
    for found, expected in zip(sparse.evaluate(x), dense.evaluate(x), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    measured = cpu_ratio(lambda: dense.evaluate(x), lambda: sparse.evaluate(x))
    print(
        f"{points} points: dense {measured.a_ms:.2f} ms, sparse {measured.b_ms:.2f} ms: {measured.ratio:.1f}"
    )
    assert measured.ratio >= target


def test_points_together_are_faster_than_one_by_one(sparse, cpu_ratio):
    x = np.random.default_rng(0).standard_normal((POINTS, sparse.d))
    measured = cpu_ratio(lambda: [sparse.evaluate(point) for point in x], lambda: sparse.evaluate(x))
    print(
        f"ms per point: one by one {measured.a_ms / POINTS:.2f}, together {measured.b_ms / POINTS:.2f}: "
        f"{measured.ratio:.2f}"
    )
    assert measured.ratio >= 1.5
