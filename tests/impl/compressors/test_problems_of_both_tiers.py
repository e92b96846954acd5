"""Several bad arguments of one call: both tiers name the same ones."""

import numpy as np
import pytest

import impl
from impl import tiers
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer, RandK
from impl.errors import ArgumentError


def told(call):
    """Return what is told by each tier."""
    if not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")
    found = []
    for name in tiers.TIERS:
        with impl.tier(name), pytest.raises(ArgumentError) as error:
            call()
        found.append(str(error.value))
    return found


@pytest.mark.parametrize(
    ("rng", "size", "words"),
    [
        (None, None, "rng=None must be a numpy"),
        (np.random.default_rng(0), -1, "size=-1 must not be negative"),
        (3, (2, -1), "rng=3 must be"),
        (3, "a", "size='a' must be a whole number"),
    ],
)
def test_rand_k_names_x_generator_and_size(rng, size, words):
    for k in (600, 2):
        numpy, fused = told(lambda k=k: RandK(k).sample(np.ones(6), rng, size))
        assert numpy == fused
        assert words in numpy
        assert ("k=600 exceeds d=6" in numpy) == (k == 600)


@pytest.mark.parametrize("quantizer", [DitheredQuantizer(1), NestedDitheredQuantizer(3, 3)], ids=repr)
@pytest.mark.parametrize("x", [1.0, None, "ab", np.ones(3)], ids=repr)
def test_a_dither_without_axes_is_none(quantizer, x):
    def message():
        quantizer.message(x, quantizer.draw(np.random.default_rng(1), ()))

    numpy, fused = told(message)
    assert numpy == fused
    assert "draws.shared must hold real numbers (..., d)" in numpy
