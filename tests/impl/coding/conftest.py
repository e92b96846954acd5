"""A test with the argument `tier` runs on both; one with `peak` tells what memory a call takes."""

import tracemalloc

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


@pytest.fixture
def peak():
    """Return a function: the bytes that a call takes at most, also those of arrays that nobody fills."""

    def of(call):
        tracemalloc.start()
        try:
            call()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return of
