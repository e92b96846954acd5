"""Ratios from what the iteration before has shown: the estimate, when it is used, mistakes."""

import math

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer, OneBit
from impl.errors import ArgumentError, MissingSideInfo
from impl.optimizers import AdaptiveRatios

PLAIN, NESTED = DitheredQuantizer(3), NestedDitheredQuantizer(3, 2)


class Asked:
    """A rule that writes down what it is asked and gives a fixed answer."""

    def __init__(self, ratio=5):
        self.ratio, self.calls = ratio, []

    def __call__(self, deviation, levels):
        self.calls.append((deviation, levels))
        return self.ratio


def literal_deviation(decoded, scales, levels):
    """The estimate of one replicate, from the decoded messages of the first group as lists."""
    m, d = len(decoded), len(decoded[0])
    sample = 0.0
    for j in range(d):
        column = [row[j] for row in decoded]
        mean = sum(column) / m
        sample += sum((item - mean) ** 2 for item in column) / (m - 1) / d
    fine = sum((kappa / M) ** 2 / 12 for kappa, M in zip(scales, levels, strict=True)) / m
    return math.sqrt(max(0.0, sample - fine) + sample / m)


@pytest.mark.parametrize("noise", [0.0, 0.05, 2.0])
def test_the_estimate_is_the_literal_one_of_the_iteration_before(noise):
    codecs = [PLAIN, NESTED, DitheredQuantizer(5), NestedDitheredQuantizer(2, 3), DitheredQuantizer(1)]
    rule, seen, rng = Asked(3), [], np.random.default_rng(0)
    link = AdaptiveRatios(codecs, np.random.default_rng(1), choose=rule, observe=seen.append)
    expected = []
    for t in range(4):
        g = rng.standard_normal((2, 1, 12)) + noise * (t + 1) * rng.standard_normal((2, 5, 12))
        decoded, _ = link.exchange(g)
        assert len(rule.calls) == len(expected)
        for (found, levels), (deviation, M) in zip(rule.calls, expected, strict=True):
            assert levels == M
            assert found == pytest.approx(deviation, rel=1e-12)
        rule.calls.clear()
        expected.clear()
        for r in range(2):
            first = decoded[r, [0, 2, 4]].tolist()
            scales = [np.abs(g[r, p]).max() for p in range(5)]
            sigma = literal_deviation(first, [scales[p] for p in (0, 2, 4)], [3, 5, 1])
            expected += [(sigma / (scales[1] / 3), 3), (sigma / (scales[3] / 2), 2)]
    assert len(seen) == 8


def test_the_first_iteration_is_dithered_and_each_replicate_has_its_own_ratio():
    seen = []

    def choose(deviation, levels):
        return 2 if deviation < 0.5 else 3

    link = AdaptiveRatios(
        [DitheredQuantizer(7)] * 2 + [NestedDitheredQuantizer(7, 2, norm_bits=32, range_aware=True)],
        np.random.default_rng(0),
        choose=choose,
        observe=seen.append,
    )
    rng = np.random.default_rng(1)
    common = np.linspace(-1, 1, 30)
    g = common + np.array([0.0, 0.3])[:, None, None] * rng.standard_normal((2, 3, 30))
    first, bits = link.exchange(g)
    assert [exchange.compressors[2] for exchange in seen] == [DitheredQuantizer(7, norm_bits=32)] * 2
    assert np.abs(first - g).max() <= np.abs(g).max() / 14 * (1 + 1e-12)
    assert bits[:, 2].tolist() == [64 * 2 + 32] * 2  # 30 symbols of 15: 16 in a word
    seen.clear()
    _, bits = link.exchange(g)
    assert [exchange.compressors[2] for exchange in seen] == [
        NestedDitheredQuantizer(7, k, norm_bits=32, range_aware=True) for k in (2, 3)
    ]
    assert [exchange.gradients.shape for exchange in seen] == [(1, 3, 30)] * 2
    assert bits[:, 2].tolist() == [64 + 32] * 2


def test_a_zero_gradient_asks_for_nothing():
    rule, seen = Asked(), []
    link = AdaptiveRatios([PLAIN, PLAIN, NESTED], np.random.default_rng(0), choose=rule, observe=seen.append)
    g = np.random.default_rng(1).standard_normal((1, 3, 8))
    g[:, 2] = 0.0
    assert not link.exchange(g)[0][:, 2].any()
    link.exchange(np.ones((1, 3, 8)))
    assert rule.calls == []
    assert all(type(exchange.compressors[2]) is DitheredQuantizer for exchange in seen)
    link.exchange(g)
    assert len(rule.calls) == 1
    zeros, bits = link.exchange(np.zeros((1, 3, 8)))
    assert not zeros.any()
    assert bits.tolist() == [[128, 128, 128]]


def test_a_step_that_underflows_has_an_infinite_deviation():
    rule = Asked(None)
    link = AdaptiveRatios([PLAIN, PLAIN, NESTED], np.random.default_rng(0), choose=rule)
    g = np.array([[[1.0, -1.0], [-1.0, 1.0], [1e-310, 0.0]]])
    link.exchange(g)
    link.exchange(g)
    assert rule.calls == [(math.inf, 3)]


@pytest.mark.parametrize("ratio", [None, 7, 8, np.int64(9)])
def test_ratios_that_save_no_symbol_send_dithered_messages(ratio):
    seen = []
    link = AdaptiveRatios(
        [PLAIN, PLAIN, NESTED], np.random.default_rng(0), choose=Asked(ratio), observe=seen.append
    )
    g = np.random.default_rng(1).standard_normal((1, 3, 8))
    for _ in range(3):
        link.exchange(g)
    assert [exchange.compressors[2] for exchange in seen] == [PLAIN] * 3


@pytest.mark.parametrize("side", ["parallel", "sequential"])
def test_side_information(side):
    seen = []
    codecs = [PLAIN, PLAIN, NESTED, NESTED]
    link = AdaptiveRatios(codecs, np.random.default_rng(0), choose=Asked(5), side=side, observe=seen.append)
    g = np.linspace(-1, 1, 20) + 0.01 * np.random.default_rng(1).standard_normal((1, 4, 20))
    link.exchange(g)
    decoded, _ = link.exchange(g)
    known = [decoded[:, :2], decoded[:, : 2 if side == "parallel" else 3]]
    for p, part in zip((2, 3), known, strict=True):
        np.testing.assert_allclose(seen[1].side[:, p], part.mean(axis=1), rtol=1e-12, atol=1e-16)


def test_the_ratio_of_the_codec_is_not_used():
    g = np.random.default_rng(1).standard_normal((2, 3, 9))
    found = []
    for ratio in (2, 100):
        link = AdaptiveRatios(
            [PLAIN, PLAIN, NestedDitheredQuantizer(3, ratio)], np.random.default_rng(0), choose=Asked(4)
        )
        link.exchange(g)
        found.append(link.exchange(g))
    for first, second in zip(*found, strict=True):
        np.testing.assert_array_equal(first, second)


def test_all_mistakes_at_once():
    codecs = [
        PLAIN,
        NestedDitheredQuantizer(3, 3, 0.5),
        NestedDitheredQuantizer(3, 3, blocks=4),
        NestedDitheredQuantizer(3, 3, scale=2),
    ]
    with pytest.raises(ArgumentError) as error:
        AdaptiveRatios(codecs, 5, choose=3, side="left")
    for part in (
        "compressors holds 1 codecs without nesting; their sample variance needs two",
        "compressors[1]=NestedDitheredQuantizer(3, 3, 0.5) must have alpha=1",
        "compressors[2]=NestedDitheredQuantizer(3, 3, blocks=4) must be a dithered quantizer with one block",
        "compressors[3]=NestedDitheredQuantizer(3, 3, scale=2) must be a dithered quantizer with one block",
        "choose=3 must map a deviation and M to a ratio or None",
        "side='left' must be 'parallel' or 'sequential'",
        "rng=5 must be a numpy.random.Generator",
    ):
        assert part in str(error.value)
    with pytest.raises(ArgumentError, match=r"compressors\[1\]=OneBit\(\) must be a dithered quantizer"):
        AdaptiveRatios([PLAIN, OneBit(), NESTED], np.random.default_rng(0), choose=Asked())
    with pytest.raises(MissingSideInfo, match="AdaptiveRatios: worker 0 has the nested codec"):
        AdaptiveRatios([NESTED, PLAIN, PLAIN], np.random.default_rng(0), choose=Asked(), side="sequential")


@pytest.mark.parametrize("ratio", [1, 0, -3, 2.0, True, "3"])
def test_a_ratio_that_is_none(ratio):
    link = AdaptiveRatios([PLAIN, PLAIN, NESTED], np.random.default_rng(0), choose=Asked(ratio))
    g = np.random.default_rng(1).standard_normal((1, 3, 4))
    link.exchange(g)
    with pytest.raises(
        ArgumentError, match=r"choose\(.*, 3\) gave .*; it must give a whole number of at least 2"
    ):
        link.exchange(g)
