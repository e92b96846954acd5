"""A test with the argument `tier` runs on both."""

import pytest

import impl
from impl import tiers


@pytest.fixture(params=tiers.TIERS)
def tier(request):
    """Code by this tier."""
    if request.param == "fused" and not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")
    with impl.tier(request.param):
        yield request.param
