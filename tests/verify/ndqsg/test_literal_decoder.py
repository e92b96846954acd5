"""The literal decoder against the coder of the implementation."""

import numpy as np
import pytest

from impl.coding.adaptive_coder import AdaptiveCoder
from verify.ndqsg.fixtures.literal_decoder import decoded


@pytest.mark.parametrize(("alphabet", "skew"), [(2, 0.05), (3, 0.5), (7, 0.9), (40, 0.2)])
def test_digits_come_back(alphabet, skew):
    rng = np.random.default_rng(alphabet)
    weights = skew ** np.arange(alphabet)
    digits = rng.choice(alphabet, size=2000, p=weights / weights.sum())
    code = AdaptiveCoder(alphabet).encode(digits)
    assert decoded(code, len(digits), alphabet) == digits.tolist()


def test_a_receiver_that_updates_late_reads_other_digits():
    digits = np.random.default_rng(0).choice(3, size=500, p=[0.8, 0.1, 0.1])
    code = AdaptiveCoder(3).encode(digits)
    assert decoded(code, 500, 3, late=True) != digits.tolist()


def test_an_empty_message():
    assert decoded(AdaptiveCoder(3).encode([]), 0, 3) == []
