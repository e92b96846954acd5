"""The search over logistic data sees the decreases of the loss."""

import numpy as np
import pytest

from verify.cat.descent.s_descent import judge, logistic

LAW = judge._law()


def test_logistic_decreases_are_those_of_the_loss():
    rows = np.array([[1.0, 0.2, -1.0, 0.5, 0.3, 1.0, 0.7, -0.4]])
    X, x = rows[0, :6].reshape(3, 2), rows[0, 6:]

    def loss(point):
        return np.log1p(np.exp(-X @ point)).mean()

    g = -X.T @ (1 / (1 + np.exp(X @ x))) / 3
    L = np.linalg.eigvalsh(X.T @ X)[-1] / 12
    stated, real = logistic(LAW, rows)
    assert real[0, 1] == pytest.approx(loss(x) - loss(x - g / L), rel=1e-12)
    assert stated[0, 1] == pytest.approx(g @ g / (2 * L), rel=1e-14)
    kept = np.where(np.abs(g) == np.abs(g).max(), g, 0.0)
    assert real[0, 0] == pytest.approx(loss(x) - loss(x - kept / L), rel=1e-12)
