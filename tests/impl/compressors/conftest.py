"""The battery runs on the examples of every exported class: a test with the argument `compressor` is one."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

import impl.compressors
from impl.compressors import Compressor

CLASSES = [
    item
    for item in (getattr(impl.compressors, name) for name in impl.compressors.__all__)
    if inspect.isclass(item) and issubclass(item, Compressor) and not inspect.isabstract(item)
]
EXAMPLES = [example for cls in CLASSES for example in cls.examples()]

# Integer vectors of integer norm, whole and in every block (2, 3, 1), so that rational mode applies.
RATIONAL = [[3, 4, 2, -3, 6, 5], [0, 0, 1, 2, -2, 0], [0, -7, 0, 0, 0, 0]]
RATIONAL_WHOLE = [[3, 4, 0, 0, 0, 0], [-1, 1, 1, 1, 2, -1], [0, 0, 0, 6, 0, 0], [1, -2, 2], [2, 3, 6, 0]]


def pytest_generate_tests(metafunc):
    if "compressor" in metafunc.fixturenames:
        metafunc.parametrize("compressor", EXAMPLES, ids=repr)
    if "lossless_compressor" in metafunc.fixturenames:
        lossless = [example for example in EXAMPLES if not sends_32_bits(example)]
        metafunc.parametrize("lossless_compressor", lossless, ids=repr)


@pytest.fixture
def classes():
    return CLASSES


@pytest.fixture
def examples():
    return EXAMPLES


@pytest.fixture
def loses_digits():
    return sends_32_bits


def sends_32_bits(compressor):
    """Tell whether something is rounded to 32 bits on the wire."""
    return 32 in (getattr(compressor, "norm_bits", 64), getattr(compressor, "value_bits", 64))


@pytest.fixture
def rationals():
    """Return a function: the rational vectors that a compressor accepts."""

    def of(compressor):
        vectors = RATIONAL if getattr(compressor, "blocks", None) else RATIONAL_WHOLE
        fitting = [
            x
            for x in vectors
            if compressor.dimension in (None, len(x)) and getattr(compressor, "k", 1) <= len(x)
        ]
        return [[Fraction(item) for item in x] for x in fitting]

    return of


@pytest.fixture
def gaussian():
    """Return a function: vectors that a compressor accepts, (*batch, d)."""

    def of(compressor, *batch, seed=0, dtype=np.float64):
        d = compressor.dimension or 6
        return np.random.default_rng(seed).standard_normal((*batch, d)).astype(dtype)

    return of


@pytest.fixture
def psd():
    """Return a function: an integer matrix that is positive semidefinite, as nested lists."""

    def of(d, seed=1):
        root = np.random.default_rng(seed).integers(-2, 3, size=(d, d))
        return (root @ root.T).tolist()

    return of
