"""Seconds of rounds on real links."""

import math

import numpy as np
import pytest

from impl.communication import RoundSeconds
from impl.errors import ArgumentError
from impl.wires import Link


def test_a_round_by_hand():
    cost = RoundSeconds(Link(1e6, 0.01), 2176)
    assert cost(131) == pytest.approx(0.02 + 8 * (272 + 8 + 66) / 1e6 + 8 * (17 + 8 + 66) / 1e6)
    assert cost.empty == pytest.approx(0.02 + 8 * 346 / 1e6 + 8 * 74 / 1e6)
    free = RoundSeconds(Link(1e6, 0.01, downlink=False), 2176)
    assert free(131) == pytest.approx(0.01 + 8 * 91 / 1e6)
    assert RoundSeconds(Link(math.inf, 0.01), 2176)(10**9) == pytest.approx(0.02)
    assert cost.unit == "seconds"
    assert cost == RoundSeconds(Link(1e6, 0.01), 2176) != RoundSeconds(Link(1e6, 0.01), 2177)


def test_many_messages_at_once():
    cost, bits = RoundSeconds(Link(1e6), 0), np.array([0, 1, 8, 8 * 1440, 8 * 1440 + 1, 10**6])
    assert cost(bits) == pytest.approx([cost(int(item)) for item in bits])
    assert np.diff(cost(np.arange(0, 30_000, 7))).min() >= 0
    # Behind a full packet the same is added: what `line_above` takes for granted.
    more = np.arange(50_000)
    assert np.ptp(cost(more + cost.payload_bits) - cost(more)) < 1e-15


@pytest.mark.parametrize("bits", [-1, 1.5, True, None])
def test_no_bits_of_a_point(bits):
    with pytest.raises(ArgumentError, match="point_bits="):
        RoundSeconds(Link(1e6), bits)
