"""A test with `peak` tells what memory a call takes."""

import tracemalloc

import pytest


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
