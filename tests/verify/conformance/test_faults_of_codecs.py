"""Faults of compressors, planted one at a time, that the shared contracts notice."""

from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import (
    CorrelatedQuantizer,
    DitheredQuantizer,
    Draws,
    Key,
    NestedDitheredQuantizer,
    RandK,
    StochasticQuantizer,
    WeightedPartition,
)
from impl.compressors.joint.joint_message import RoundKey
from verify.conformance.fast_and_literal import agreement, in_pieces, received
from verify.conformance.messages.joint_messages import joint_agreement
from verify.conformance.messages.joint_messages import received as received_by_all
from verify.conformance.messages.packed_messages import counted, packed
from verify.conformance.own_laws import own_joint_laws, own_laws, stated

X = np.sin(np.arange(1.0, 8.0))


class _FirstTileOnly(DitheredQuantizer):
    """Long vectors are quantized up to the first tile."""

    def compress(self, x, draws, side=None):
        found = super().compress(x, draws, side)
        found[..., 2**15 :] = 0.0
        return found


class _ShortCount(DitheredQuantizer):
    """Messages do not count their scales."""

    def _raw_bits(self, d, alphabet):
        return super()._raw_bits(d, alphabet) - self.norm_bits


class _DeafReceiver(NestedDitheredQuantizer):
    """Messages are decoded beside nothing, literally beside something."""

    def reconstruct(self, message, shared=None, side=None):
        return super().reconstruct(message, shared, 0 * side)


class _OneNode(RandK):
    """Variances of nodes all have the weight of the first."""

    def variance(self, x, weight=None, node_weight=None):
        node_weight = None if node_weight is None else [node_weight[0]] * len(node_weight)
        return super().variance(x, weight, node_weight)


class _NoStrata(CorrelatedQuantizer):
    """All clients of a round at once take the stratum of the first."""

    def compress_counted(self, x, draws):
        same = np.zeros_like(draws.shared) + draws.shared[..., :1, :]
        return super().compress_counted(x, Draws(same, draws.private))


class _FreeRounds(StochasticQuantizer):
    """Rounds that are made over and over do not count their norms."""

    def repeated(self, rng, shape):
        def compressed(x):
            message = self.message(x, self.draw(rng, shape))
            return self.reconstruct(message), message.bits - self.norm_bits

        return compressed


class _OneOwner(WeightedPartition):
    """One client sends all coordinates of a round."""

    def draw_shared(self, rng, shape):
        return super().draw_shared(rng, shape)[..., :1] + np.zeros(shape[-1], dtype=int)


def _a_bit_larger(compressor, x, draws):
    return (1 + 1e-10) * compressor.compress(x, draws)


def failing(comparisons):
    """Return the labels of equations that do not hold."""
    return {item.label for item in comparisons if abs(item.value - item.bound) > 1e-9}


@pytest.mark.parametrize(
    ("comparisons", "label"),
    [
        (
            agreement(received, {"": (_DeafReceiver(2, 3), X, (3, 7), 2 + X)}, 1),
            "entries other than those of the literal method",
        ),
        (
            in_pieces(received, {"": (_FirstTileOnly(2), np.ones(2**17), -1)}, 1),
            "entries that change in halves",
        ),
        (packed(counted, {"": (_ShortCount(2), X)}, Key((1, 2), 3, 4)), "bits of the payload"),
        (own_laws(stated, {"": (_OneNode(1), (1, 2), (1, 2))}), "stated variance of a node"),
        (
            joint_agreement(
                received_by_all, {"": (_NoStrata("binary"), np.stack([X, -X]), (2,))}, RoundKey((1, 2), 3)
            ),
            "entries other than those of the literal clients",
        ),
        pytest.param(
            agreement(_a_bit_larger, {"": (RandK(3), X, (3, 7))}, 1),
            "entries other than those of the literal method",
            id="a bit larger",
        ),
        (
            agreement(received, {"": (_FreeRounds(0.5), X, (3, 7))}, 1),
            "entries or bits that change over rounds",
        ),
        (
            own_joint_laws(
                stated, {"": (_OneOwner((Fraction(1, 4), Fraction(3, 4))), ((3, 4), (0, -5)), (1, 2))}
            ),
            "stated chances of draws",
        ),
    ],
)
def test_each_fault_fails_its_comparison(comparisons, label):
    assert label in failing(comparisons)
