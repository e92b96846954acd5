"""What both problems on rows refuse with the same words."""

import numpy as np
import pytest
from scipy import sparse

from impl.errors import ArgumentError
from impl.problems import LeastSquares, Logistic

pytestmark = pytest.mark.parametrize("kind", [LeastSquares, Logistic])


@pytest.mark.parametrize("ridge", ["a", None, True, 1j])
def test_a_ridge_that_is_no_number(kind, ridge):
    with pytest.raises(ArgumentError) as caught:
        kind(np.ones((1, 2, 2)), [[1.0, -1.0]], ridge)
    assert str(caught.value) == (
        f"{kind.__name__}: ridge={ridge!r} must be a finite number of at least 0; 1e-3 is usual"
    )


def test_rows_that_are_no_numbers(kind):
    name = kind.__name__
    with pytest.raises(
        ArgumentError, match=rf"(?s){name}: .*labels='b' must be real.*features='a' must be real"
    ):
        kind("a", "b", 0.1)
    with pytest.raises(
        ArgumentError, match=rf"{name}: features=\[\[1\], \[2, 3\]\] must be real numbers of sh"
    ):
        kind([[1], [2, 3]], [[1.0, -1.0]], 0.1)
    with pytest.raises(ArgumentError, match=rf"{name}: labels=.* must be real numbers of shape"):
        kind(sparse.csr_array(np.ones((2, 2))), [["a", "b"]], 0.1)
