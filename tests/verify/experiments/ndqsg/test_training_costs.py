"""Bits of training runs on equal terms."""

import numpy as np
import pytest

from impl.coding.adaptive_coder import AdaptiveCoder
from impl.compressors import DitheredQuantizer, StochasticQuantizer, TopK
from verify.experiments.ndqsg.message_bits import HEADER_BITS
from verify.experiments.ndqsg.training_costs import bits_at, measured, symbols_of
from verify.experiments.ndqsg.training_methods import METHODS, Setting

SHORT = Setting(workers=4, batch=64, iterations=11)


@pytest.mark.parametrize("name", [name for name in METHODS if name != "nested-adaptive"])
def test_raw_bits_are_those_of_the_run_and_headers(name):
    costs = measured(SHORT, METHODS[name], np.random.default_rng(0), 2)
    assert costs.training.evaluated.tolist() == [0, 10, 11]
    sent = costs.training.bits.sum(axis=-1)
    headers = 4 * 2 * HEADER_BITS
    np.testing.assert_allclose(costs.raw[:, 2], sent.sum(axis=-1) + 11 * headers)
    np.testing.assert_allclose(costs.raw[:, 1], sent[:, :10].sum(axis=-1) + 10 * headers)
    assert (costs.raw[:, 0] == 0).all()
    assert (costs.coded <= costs.raw + 1e-6).all()
    assert (costs.coded[:, 1:] > headers).all()


@pytest.mark.parametrize("name", ["dqsg-3", "nested-3-3", "rounding-1", "terngrad", "one-bit"])
def test_coded_bits_are_those_of_the_coder_up_to_some(name):
    seen, setting = [], Setting(workers=4, batch=64, iterations=1)
    costs = measured(setting, METHODS[name], np.random.default_rng(0), 1)
    setting.run(METHODS[name], np.random.default_rng(0), 1, observe=lambda *given: seen.append(given[2]))
    total, messages = 0, 0
    for exchange in seen:
        for workers, message in exchange.messages:
            codec = exchange.compressors[workers.start]
            alphabet, offset = symbols_of(codec)
            for place in range(len(workers)):
                digits = message.symbols[0, place] + offset
                total += AdaptiveCoder(alphabet).bits(digits) + codec.norm_bits * message.scales.shape[-1]
                messages += 1
    assert messages == 8
    # At most three bits a message; where the own code is shorter it is taken.
    assert -3 * messages <= costs.coded[0, 1] - messages * HEADER_BITS - total <= 0


def test_alphabets():
    assert symbols_of(DitheredQuantizer(3)) == (7, 3)
    assert symbols_of(StochasticQuantizer(1 / 25)) == (51, 25)
    for codec in (DitheredQuantizer(3, scale=1.0), TopK(2)):
        with pytest.raises(ValueError, match=r"alphabet|unbounded"):
            symbols_of(codec)


def test_bits_at_an_accuracy():
    accuracy = np.array([[0.1, 0.5, 0.9], [0.8, 0.2, 0.9], [0.1, 0.2, 0.3], [0.1, 0.7, 0.2]])
    bits = np.array([[0.0, 10.0, 20.0]] * 4)
    found = bits_at(accuracy, bits, 0.7)
    np.testing.assert_allclose(found, [15, 0, np.nan, 10])
