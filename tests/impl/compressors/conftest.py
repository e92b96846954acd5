"""The battery runs on the examples of every exported class: a test with the argument `compressor` is one."""

import importlib.util
import inspect
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import impl
import impl.compressors
from impl import tiers
from impl.compressors import (
    Compressor,
    DitheredQuantizer,
    NestedDitheredQuantizer,
    OneBit,
    SpectralSparsification,
    TernGrad,
)

CLASSES = [
    item
    for item in (getattr(impl.compressors, name) for name in impl.compressors.__all__)
    if inspect.isclass(item) and issubclass(item, Compressor) and not inspect.isabstract(item)
]

_SPEC = importlib.util.spec_from_file_location(
    "natural_compression", Path(__file__).with_name("natural_compression.py")
)
natural_compression = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(natural_compression)
# Not of the product: what an author writes on the base class owes the same.
ON_THE_BASE = [
    natural_compression.OfFloat32,
    natural_compression.NaturalDithering,
]


class WithZeroSide(NestedDitheredQuantizer):
    """The nested codec of a receiver whose side information is zero: the battery gives none."""

    unbiased = True

    @classmethod
    def examples(cls):
        yield cls(2, 6)
        yield cls(3, 9, blocks=2, norm_bits=32)
        yield cls(1, 3, range_aware=True)
        yield cls(1, 4, points=2)
        yield cls(2, 5, blocks=[2, 3, 1], range_aware=True, points=2)
        yield cls(3, 8, blocks=4, points=3)

    def reconstruct(self, message, shared=None, side=None):
        return super().reconstruct(message, shared, 0)

    def compress(self, x, draws, side=None):
        return super().compress(x, draws, 0)

    def reference(self, x, draws, side=None):
        return super().reference(x, draws, 0)

    def variance(self, x, weight=None, node_weight=None):
        return super().variance(x, weight, node_weight, 0)

    def moments(self, x, weight=None):
        return super().moments(x, weight, 0)


class Pulled(WithZeroSide):
    """The same with a gain below 1: the error depends on the distance to the side information."""

    unbiased = False

    @classmethod
    def examples(cls):
        yield cls(2, 4, Fraction(1, 2), points=2)


EXAMPLES = [
    example
    for cls in CLASSES + ON_THE_BASE
    for kind in ((WithZeroSide, Pulled) if cls is NestedDitheredQuantizer else (cls,))
    for example in kind.examples()
]

# Integer vectors of integer norm, whole and in every block (2, 3, 1), so that rational mode applies.
RATIONAL = [[3, 4, 2, -3, 6, 5], [0, 0, 1, 2, -2, 0], [0, -7, 0, 0, 0, 0]]
RATIONAL_WHOLE = [[3, 4, 0, 0, 0, 0], [-1, 1, 1, 1, 2, -1], [0, 0, 0, 6, 0, 0], [1, -2, 2], [2, 3, 6, 0]]

# Of rational standard deviation, whole and in blocks of two: 3, 5, 8/5, 1, 1.
RATIONAL_DEVIATION = [[3, -3], [7, -7, 1, -1], [4, 0, 0, 0, 0], [1, -1, 1, -1], [3, 1, 3, 1, 1, 3]]

# Of rational singular values, none twice, as 2 x 3 and 3 x 2 matrices: their entries are no sums that cancel,
# or singular vectors are axes, which are sent in 32 bits.
RATIONAL_SINGULAR = {
    (2, 3): [[8, 20, -2, 19, 10, 14], [6, 3, 6, 8, 4, 8], [0, 4, 0, 0, 0, -3]],
    (3, 2): [[8, 19, 20, 10, -2, 14], [0, 0, 6, 8, 0, 0], [0, 4, 0, 0, -3, 0]],
}

# The means of both classes are short binary fractions.
SHORT_MEANS = [[3, 4, 2, -3, 3, -5], [0, 0, 1, 4, -2, 0], [-7], [1, -2, 2]]

# A finite dither is unbiased where points * levels * x / scale is whole.
ON_GRID = [
    [2, -1, 4, 2, 0, -2],
    [0, 0, 0, 0, 0, 6],
    [3, -1, 6, 2, 0, -3],
    [9, -1, 6],
    [1, -2, 2],
    [-1, 0],
]


def is_unbiased_at(compressor, x):
    """Tell whether a dithered quantizer takes x and its mean is x, whatever the block."""
    if compressor.dimension not in (None, len(x)):
        return False
    x, at = [Fraction(item) for item in x], 0
    for length in compressor.block_lengths(len(x)):
        block = x[at : at + length]
        scale, at = max(map(abs, block)), at + length
        steps = [compressor.points * compressor.levels * item / scale if scale else 0 for item in block]
        if any(item != int(item) for item in steps):
            return False
    return True


# These draw or read, or refuse to: they run on both tiers. The others look at exact laws and at bytes.
ON_BOTH_TIERS = ("test_battery.py", "test_battery_input.py")
DRAWING = {
    "test_sampler_agrees_with_the_exact_moments",
    "test_round_trip",
    "test_bits_are_the_length_of_the_payload",
    "test_every_flipped_bit_and_truncation_is_detected",
    "test_a_shape_that_the_payload_does_not_have_takes_no_memory",
}


def pytest_generate_tests(metafunc):
    name = metafunc.function.__name__
    drawing = Path(metafunc.module.__file__).name in ON_BOTH_TIERS or name in DRAWING
    if (
        {"compressor", "lossless_compressor"} & set(metafunc.fixturenames)
        and drawing
        and name not in ENUMERATING
    ):
        metafunc.parametrize("tier", tiers.TIERS, indirect=True)
    if "compressor" in metafunc.fixturenames:
        owing = [example for example in EXAMPLES if owes(example, metafunc.function.__name__)]
        metafunc.parametrize("compressor", owing, ids=repr)
    if "lossless_compressor" in metafunc.fixturenames:
        owing = [example for example in EXAMPLES if owes(example, metafunc.function.__name__)]
        lossless = [example for example in owing if not sends_32_bits(example)]
        metafunc.parametrize("lossless_compressor", lossless, ids=repr)


ENUMERATING = {
    "test_reference_equals_vectorized_on_integers",
    "test_unbiased_by_enumeration",
    "test_variance_equals_enumeration",
    "test_moments_equal_enumeration",
    "test_expected_bits_equal_enumeration",
}

OWED_SCALES = {
    "test_scale_equivariance": ("all",),
    "test_scale_equivariance_by_powers_of_two": ("all", "powers of two"),
    "test_extreme_sizes": ("all", "powers of two"),
    "test_extreme_sizes_mixed_with_ordinary_ones": ("all", "powers of two"),
}


def owes(compressor, test):
    """Tell whether a law of its own does not excuse a compressor from a test."""
    if compressor.scale_equivariance not in OWED_SCALES.get(test, (compressor.scale_equivariance,)):
        return False
    if isinstance(compressor, SpectralSparsification) and test == "test_extreme_sizes":
        return False  # signs of a matrix are not those of its atoms
    if isinstance(compressor, DitheredQuantizer | TernGrad) and test == "test_extreme_sizes":
        return compressor.norm_bits == 64  # a tiny scale is rounded up to float32, it is not lost
    if not isinstance(compressor, DitheredQuantizer):
        return True
    if test == "test_one_nonzero":
        return False  # noise reaches the zeros of a block
    if test == "test_sampler_agrees_with_the_exact_moments":
        return compressor.points > 2**20  # coarse dithers are biased at vectors that are not on their grid
    return compressor.points < 2**20 or test not in ENUMERATING


@pytest.fixture(autouse=True)
def tier(request):
    """Draw with the tier of the parameter, by numpy without one."""
    name = getattr(request, "param", "numpy")
    if name == "fused" and not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")
    with impl.tier(name):
        yield name


@pytest.fixture
def natural():
    return natural_compression


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
        if isinstance(compressor, DitheredQuantizer):
            return [[Fraction(item) for item in x] for x in ON_GRID if is_unbiased_at(compressor, x)]
        if isinstance(compressor, TernGrad):
            fitting = [x for x in RATIONAL_DEVIATION if compressor.dimension in (None, len(x))]
            return [[Fraction(item) for item in x] for x in fitting]
        if isinstance(compressor, OneBit):
            return [[Fraction(item) for item in x] for x in SHORT_MEANS]
        if isinstance(compressor, SpectralSparsification):
            axes = 2 if compressor.value_bits == 32 else 0
            return [[Fraction(item) for item in x] for x in RATIONAL_SINGULAR[compressor.shape][axes:]]
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
