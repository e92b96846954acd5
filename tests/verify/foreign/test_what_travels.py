"""What two inputs with one message say of the bits that are claimed."""

import time
import tracemalloc

import numpy as np
import pytest

from verify import check_compressor
from verify.foreign.adapter import adapt
from verify.foreign.claims import Claims
from verify.foreign.single_calls.message_length import check_bits
from verify.foreign.single_calls.what_travels import check_what_travels

D = 16


class Packed:
    """Rounds over the norm and packs what a subclass says."""

    def sample(self, x, rng):
        size = float(np.linalg.norm(x))
        if not size:
            return np.zeros_like(x)
        level = np.abs(x) / size * 4
        low = np.floor(level)
        return np.sign(x) * size / 4 * (low + (rng.random(x.shape) < level - low))

    def levels(self, x, rng):
        size = float(np.linalg.norm(x))
        return np.rint(self.sample(x, rng) / size * 4).astype(np.int8) if size else np.zeros(len(x), np.int8)

    def pack(self, x, rng):
        return np.float64(np.linalg.norm(x)).tobytes() + self.levels(x, rng).tobytes()


class Nothing(Packed):
    def pack(self, x, rng):
        return b""


class NoNorm(Packed):
    def pack(self, x, rng):
        return self.levels(x, rng).tobytes()


class NoSigns(Packed):
    def pack(self, x, rng):
        return np.float64(np.linalg.norm(x)).tobytes() + np.abs(self.levels(x, rng)).tobytes()


class HalfPrecision(Packed):
    def sample(self, x, rng):
        return x.copy()

    def pack(self, x, rng):
        return x.astype(np.float16).tobytes()


@pytest.mark.parametrize("kind", [Nothing, NoNorm, NoSigns, HalfPrecision])
def test_messages_that_do_not_tell_what_is_decoded_are_refused(kind):
    report = check_compressor(kind(), d=D, bits=(64 + 16 * D, 64 + 16 * D))
    assert report.verdict == "violated"
    assert "more must travel" in str(report)


def test_messages_that_tell_it_are_accepted_with_shared_random_numbers_too():
    class Shared:
        def sample(self, x, rng):
            found, at = np.zeros_like(x), rng.choice(D, 4, replace=False)
            found[at] = x[at] * D / 4
            return found

        def pack(self, x, rng):
            return x[rng.choice(D, 4, replace=False)].tobytes()

    assert check_compressor(Packed(), d=D, bits=(64 + 8 * D, 64 + 8 * D)).verdict == "consistent"
    assert check_compressor(Shared(), d=D, bits=(256, 256)).verdict == "consistent"


def verdict(compressor, d=D, seconds=20.0):
    return check_what_travels(adapt(compressor, d, None), 1, seconds).evidence


class OneBit:
    """Rounds each entry to its sign, or to the other one, and sends one bit for each."""

    def sample(self, x, rng):
        return self.signs(x, rng.random(len(x))) * self.size(x, rng)

    def signs(self, x, u):
        return np.where(u < (1 + x / max(np.abs(x).max(), 1e-300)) / 2, 1.0, -1.0)

    def size(self, x, rng):
        return 1.0

    def pack(self, x, rng):
        return np.packbits(self.signs(x, rng.random(len(x))) > 0).tobytes()


class OtherOrder(OneBit):
    """Draws another number before those of the signs, in `sample` only."""

    def sample(self, x, rng):
        return (1 + 0.5 * (rng.random() - 0.5)) * self.signs(x, rng.random(len(x)))


class ReceiverDraws(OneBit):
    """The receiver draws more than the sender, as many numbers as the sender's signs say."""

    def size(self, x, rng):
        return 1 + rng.random(1 + int(np.abs(x).max())).sum()


class ReceiverDrawsFirst(OneBit):
    def sample(self, x, rng):
        noise = rng.random(1 + np.count_nonzero(x > 0.5))
        return self.signs(x, rng.random(len(x))) * noise[0]

    def signs(self, x, u):
        return np.where(u < 0.5 + x / max(np.abs(x).max(), 1e-300) / 4, 1.0, -1.0)


class PrivateNumbers(OneBit):
    def __init__(self):
        self.rng = np.random.default_rng(1)

    def pack(self, x, rng):
        return bytes([self.rng.integers(2)])


def test_one_bit_for_each_entry_is_enough():
    assert verdict(OneBit()).verdict == "consistent"


@pytest.mark.parametrize("kind", [OtherOrder, ReceiverDraws, ReceiverDrawsFirst, PrivateNumbers])
def test_messages_drawn_otherwise_than_what_is_decoded_are_not_judged(kind):
    found = verdict(kind())
    assert found.verdict == "inconclusive"
    assert "let pack(x, rng) draw what sample(x, rng) draws" in found.reason


class OfAll(Packed):
    """Sends all that it lacks, so that a check of it takes as long as one can."""

    def __init__(self, wait=0.0):
        self.wait = wait

    def sample(self, x, rng):
        time.sleep(self.wait)
        return x.copy()

    def pack(self, x, rng):
        time.sleep(self.wait)
        return x.astype(np.float32).tobytes()


def test_it_ends_with_its_part_of_the_time_limit_and_says_so():
    start = time.monotonic()
    found = verdict(OfAll(0.01), seconds=0.4)
    assert time.monotonic() - start < 1.5
    assert found.verdict == "consistent"
    assert "its part of the time was up" in found.reason
    assert verdict(Nothing(), seconds=1e-9).verdict == "violated"


def test_lengths_end_with_their_part_of_the_time_limit_and_say_so():
    start = time.monotonic()
    foreign = adapt(OfAll(0.01), D, None)
    claims = Claims(bits=(64 * D, 64 * D))
    found = [item.evidence for item in check_bits(foreign, claims, 1, 1.0)]
    assert time.monotonic() - start < 1.5
    assert [item.verdict for item in found] == ["consistent", "consistent"]
    assert all("since its part of the time was up" in item.reason for item in found)
    assert found[0].tests < len(list(foreign.named_inputs()))


def test_it_keeps_no_more_than_its_inputs():
    d = 20_000
    tracemalloc.start()
    verdict(OfAll(), d)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 * 8 * d
