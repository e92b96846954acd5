"""Philox against its literal form, and the numbers that are made of its words."""

import math

import numpy as np
import pytest

from impl.compressors.philox_draws import PhiloxUniforms, philox_stream

# Known answers of Random123 for philox4x32 with 10 rounds: counter, key, output.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
STREAMS = [[1, 2, 3, 4], [0xFFFFFFFF, 0, 0x80000000, 7]]


def literal_outputs(counter, key):
    (c0, c1, c2, c3), (k0, k1) = counter, key
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 % 2**32, (p0 >> 32) ^ c3 ^ k1, p0 % 2**32
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return c0, c1, c2, c3


def literal_word(stream, w):
    k0, k1, c2, c3 = stream
    return literal_outputs((w // 4 % 2**32, w // 4 // 2**32, c2, c3), (k0, k1))[w % 4]


def literal_uniform(stream, j, dtype):
    if dtype == np.float32:
        return (literal_word(stream, j) >> 8) * 2.0**-24
    return (literal_word(stream, 2 * j) >> 5) * 2.0**-27 + (literal_word(stream, 2 * j + 1) >> 6) * 2.0**-53


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN)
def test_known_answers(counter, key, output):
    from impl.kernels.philox import fill_words

    assert literal_outputs(counter, key) == output
    words = np.empty(4, np.uint32)
    fill_words(words, np.uint64(counter[0] + (counter[1] << 32)), np.array([*key, *counter[2:]], np.uint32))
    assert tuple(words.tolist()) == output


@pytest.mark.parametrize("stream", STREAMS)
def test_words_are_the_literal_ones_where_the_lower_counter_runs_over(stream):
    from impl.kernels.philox import fill_words

    words = np.empty(400, np.uint32)
    first = 2**32 - 50
    fill_words(words, np.uint64(first), np.array(stream, np.uint32))
    assert words.tolist() == [literal_word(stream, 4 * first + w) for w in range(400)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("stream", STREAMS)
def test_uniforms_have_the_stated_layout_from_any_index(dtype, stream):
    from impl.kernels.philox import fill_uniforms

    for first, count in [(0, 1), (0, 2500), (1, 7), (2**34 - 3, 1030), (1023, 1026)]:
        uniforms = np.empty(count, dtype)
        fill_uniforms(uniforms, np.uint64(first), np.array(stream, np.uint32))
        assert uniforms.tolist() == [literal_uniform(stream, first + j, dtype) for j in range(count)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_uniforms_are_uniform_and_their_neighbours_independent(dtype):
    # Fixed streams. 256 cells, 256 pairs of cells of neighbours, and those four apart (one counter).
    count = 2**20
    u = np.asarray(PhiloxUniforms(np.random.default_rng(1), (count,), dtype))
    assert u.dtype == dtype
    assert u.min() >= 0
    assert u.max() < 1
    cells, coarse = np.floor(u * 256).astype(int), np.floor(u * 16).astype(int)
    for found in (cells, 16 * coarse[:-1] + coarse[1:], 16 * coarse[:-4] + coarse[4:]):
        expected = len(found) / 256
        chi = float(((np.bincount(found, minlength=256) - expected) ** 2).sum() / expected)
        # Chi-squared of 255 degrees: 255 is its mean, 22.6 its deviation; a false alarm below 1e-9.
        assert abs(chi - 255) < 7 * math.sqrt(2 * 255)
    bits = np.unpackbits(np.floor(u * 2**24).astype("<u4").view(np.uint8)).reshape(count, 32)
    ones = bits.sum(axis=0, dtype=np.int64)
    drawn = ones > 0
    assert drawn.sum() == 24
    assert (np.abs(ones[drawn] - count / 2) < 6.5 * math.sqrt(count) / 2).all()


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_a_stream_is_four_raw_words_of_the_generator(bits):
    rng, same = np.random.Generator(bits(5)), bits(5)
    words = philox_stream(rng)
    assert words.dtype == np.uint32
    assert words.tolist() == [int(word) % 2**32 for word in same.random_raw(4)]
    assert rng.bit_generator.random_raw() == same.random_raw()
    assert not np.array_equal(philox_stream(rng), words)


def test_uniforms_are_an_array_to_all_others():
    u = PhiloxUniforms(np.random.default_rng(3), (4, 5), np.float64)
    array = np.asarray(u)
    assert array.shape == u.shape
    assert len(u) == 4
    assert u.ndim == 2
    assert np.array_equal(u[1], array[1])
    assert np.array_equal(u < 0.5, array < 0.5)
    assert np.array_equal(1 - u, 1 - array)
    assert np.array_equal(np.broadcast_to(u, (2, 4, 5))[1], array)
    assert np.asarray(u, np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0
