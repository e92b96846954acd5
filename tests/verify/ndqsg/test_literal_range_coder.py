"""The literal range coder: the bytes of the library, weights that are large enough, ends that decode."""

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from verify.ndqsg.fixtures import literal_range_coder as literal
from verify.ndqsg.fixtures.coded_messages import frequent_and_rare, unfavourable_message


def random_cases(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        alphabet, length = int(rng.integers(2, 12)), int(rng.integers(0, 80))
        weights = rng.dirichlet(np.full(alphabet, rng.choice([0.05, 0.3, 1, 10]))) + 1e-9
        chances = weights / weights.sum()
        uniform = rng.random() < 0.5
        digits = rng.choice(alphabet, size=length, p=None if uniform else chances)
        yield alphabet, digits.tolist(), chances


def test_it_gives_the_bytes_of_the_library():
    pytest.importorskip("constriction")
    from impl.coding.range_coder import RangeCoder

    ends = set()
    for alphabet, digits, chances in random_cases(2000, 0):
        assert literal.adaptive(digits, alphabet).data() == RangeCoder(alphabet).encode(digits)
        encoder = literal.fixed(digits, (chances / chances.sum()).tolist())
        assert encoder.data() == RangeCoder(alphabet, chances).encode(digits)
        ends.add(encoder.number()[1] - encoder.scalings)
    assert ends == {0, 1, 2}  # an empty code, and both kinds of ending


def test_it_gives_the_bytes_of_the_library_on_long_and_unfavourable_messages():
    pytest.importorskip("constriction")
    from impl.coding.range_coder import RangeCoder

    digits, encoder = unfavourable_message(20_000)
    assert encoder.data() == RangeCoder(2, frequent_and_rare()).encode(digits)
    # The last digits of all: carries run through words of ones.
    assert literal.adaptive([6] * 3000, 7).data() == RangeCoder(7).encode([6] * 3000)


def test_weights_sum_to_all_units_and_none_is_below_its_chance():
    # What the derivation takes from double precision, in whole numbers: w >= p (2^24 - A - 1), and w >= 1.
    rng = np.random.default_rng(1)
    cases = [(alphabet, spread) for alphabet in (2, 3, 7, 255, 4096) for spread in (0.01, 1, 100)]
    for alphabet, spread in [*cases, (2**16, 0.1)]:
        chances = [float(item) for item in rng.gamma(spread, size=alphabet) + 1e-12]
        ends = literal.cumulative(chances)
        weights = [right - left for left, right in pairwise(ends)]
        assert ends[0] == 0
        assert sum(weights) == literal.UNITS
        assert min(weights) >= 1
        # Multiples of 2**-100: whole numbers are faster than fractions.
        whole = [int(F(chance) * 2**100) for chance in chances]
        total, free = sum(whole), literal.UNITS - alphabet - 1
        assert all(w * total >= p * free for p, w in zip(whole, weights, strict=True))


def test_the_range_never_falls_below_a_word():
    for alphabet, digits, chances in random_cases(50, 2):
        encoder, ends = literal.RangeEncoder(), literal.cumulative(chances.tolist())
        for digit in digits:
            encoder.encode(ends[digit], ends[digit + 1])
            assert 2**32 <= encoder.width < 2**64
        assert encoder.bits == 8 * len(encoder.data())
        assert alphabet


def test_what_follows_a_code_does_not_matter():
    # The number is in the interval whatever words come next: among messages of one length a prefix code.
    for _, digits, chances in random_cases(200, 3):
        encoder = literal.fixed(digits, chances.tolist())
        number, count = encoder.number()
        if count:
            # The interval has 64 bits beyond the words of its scalings.
            shift = 32 * (count - encoder.scalings) - 64
            low, high = encoder.low, encoder.low + encoder.width
            first, last = (F(number) / F(2) ** shift, F(number + 1) / F(2) ** shift)
            assert low <= first
            assert last <= high


def test_counts_that_are_not_updated_cost_more():
    digits = [0] * 500
    assert literal.adaptive(digits, 3, updated=False).bits > 20 * literal.adaptive(digits, 3).bits
