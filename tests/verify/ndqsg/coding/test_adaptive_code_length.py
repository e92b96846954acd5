"""Golden numbers of the specification for the adaptive code."""

import numpy as np
import pytest

import theory
from impl.coding.adaptive_coder import AdaptiveCoder, ideal_bits
from verify.evaluation import evaluate

CLAIM = theory.claim("ndqsg/adaptive-code-length")


def length(counts):
    return evaluate(CLAIM.exact, {"counts": counts, "n": sum(counts), "A": len(counts)})


# Printed with 13 digits after the point.
@pytest.mark.parametrize(
    ("counts", "bits"),
    [
        ((10, 20, 70), 121.7739196996176),
        ((1, 2, 3, 4), 21.7810074500531),
        ((0, 0, 1000), 18.9358930520312),
    ],
)
def test_ideal_length(counts, bits):
    # Logarithms of numbers up to 1002! cancel: some 1e-12 of rounding beside the digits.
    assert length(counts) == pytest.approx(bits, abs=2e-11 if max(counts) == 1000 else 1e-13)
    assert ideal_bits(counts) == pytest.approx(bits, abs=1e-11)
    assert counts in [tuple(case.values["counts"]) for case in CLAIM.worst_cases]


def test_coder_comes_within_a_few_bits_of_a_long_message():
    # As in the specification: 20000 symbols of 7, 35939 bits against 35938.006 for its sample.
    rng = np.random.default_rng(0)
    digits = np.clip(np.rint(rng.normal(3, 0.85, 20_000)), 0, 6).astype(int)
    ideal = length(np.bincount(digits, minlength=7).tolist())
    coder = AdaptiveCoder(7)
    assert ideal - 1 <= coder.bits(digits) <= ideal + 3
    assert np.array_equal(coder.decode(coder.encode(digits), len(digits)), digits)
