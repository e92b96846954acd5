"""What the family of claim cq_marina/tridiag refuses."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import tridiagonal


def test_all_mistakes_at_once():
    with pytest.raises(ArgumentError) as error:
        tridiagonal(0, 2.5, heterogeneity=1.0, mu=-1.0, offset=np.inf)
    for word in ("n=0", "d=2.5", "heterogeneity=1.0", "mu=-1.0", "offset=inf"):
        assert word in str(error.value)


@pytest.mark.parametrize("name", ["heterogeneity", "mu", "offset"])
@pytest.mark.parametrize("value", ["a", None, True])
def test_what_is_no_number_is_named(name, value):
    numbers = {"heterogeneity": 0.1, "mu": 0.1, "offset": 0.0, name: value}
    with pytest.raises(ArgumentError, match=f"tridiagonal: {name}={value!r} must be a"):
        tridiagonal(2, 8, **numbers)
