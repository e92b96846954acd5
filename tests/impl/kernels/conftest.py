"""Tests of kernels need numba, the extra `fast`."""

import pytest

from impl import tiers


@pytest.fixture(autouse=True)
def _numba():
    if not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")
