"""What messages cost along a run: every message by itself, then the mean over the nodes."""

import numpy as np
import pytest

from impl.communication import Affine, Packet
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer, PermK, RandK, StochasticQuantizer
from impl.errors import ArgumentError
from impl.optimizers import dcgd, dcgd_plus, diana, diana_plus, marina, memory_gd, quantized_sgd
from impl.problems import Quadratic

QUANTIZER = StochasticQuantizer(0.5, norm_bits=32)
GROUPS = [DitheredQuantizer(2000), DitheredQuantizer(2000), NestedDitheredQuantizer(2000, 3)]
RUNS = {
    "dcgd": (dcgd, QUANTIZER, {}),
    "dcgd-joint": (dcgd, PermK(), {}),
    "dcgd_plus": (dcgd_plus, QUANTIZER, {}),
    "diana": (diana, QUANTIZER, {"learning_rate": 0.2}),
    "diana_plus": (diana_plus, QUANTIZER, {"learning_rate": 0.2}),
    "marina": (marina, PermK(), {"probability": 0.5}),
    "memory_gd": (memory_gd, QUANTIZER, {}),
    "quantized_sgd": (quantized_sgd, GROUPS, {}),
}


def problem():
    rng = np.random.default_rng(1)
    return Quadratic.from_centers(rng.uniform(0.5, 1, (3, 7)), rng.standard_normal((3, 7)))


def run(name, cost, **options):
    method, compressor, own = RUNS[name]
    rng = np.random.default_rng(5)
    return method(
        problem(),
        compressor,
        step_size=0.05,
        rounds=6,
        rng=rng,
        replicates=4,
        cost=cost,
        **own,
        **options,
    )


@pytest.mark.parametrize("name", RUNS)
def test_a_bit_that_costs_one_gives_the_bits(name):
    found = run(name, Affine(1, 0))
    assert found.bits[:, -1].min() > 0
    np.testing.assert_array_equal(found.cost, found.bits)
    assert run(name, None).cost is None


@pytest.mark.parametrize("name", RUNS)
def test_each_message_is_charged_by_itself(name):
    lengths = []

    def remembered(bits):
        lengths.append(np.array(bits))
        return Packet(30, 7)(bits)

    found = run(name, remembered)
    sent = np.stack(lengths, axis=1)  # (R, K, n)
    assert sent.shape == (4, 6, 3)
    expected = np.cumsum((7 * np.ceil(sent / 30)).mean(axis=-1), axis=1)
    np.testing.assert_allclose(found.cost[:, 1:], expected, rtol=1e-12)
    np.testing.assert_allclose(found.bits[:, 1:], np.cumsum(sent.mean(axis=-1), axis=1), rtol=1e-12)
    np.testing.assert_allclose(found.bits_slowest[:, 1:], np.cumsum(sent.max(axis=-1), axis=1), rtol=1e-12)
    if name in ("dcgd-joint", "quantized_sgd"):  # lengths differ between the nodes
        assert (sent.min(axis=-1) < sent.max(axis=-1)).any()


def test_nothing_sent_costs_nothing_whatever_a_message_costs_at_least():
    found = run("marina", Affine(1, 1000), initial=np.zeros(7))
    assert (found.bits[:, 1] == 0).all()
    assert (found.cost[:, 1] == 0).all()
    assert (found.cost[:, 2] >= 1000).all()


def test_what_is_no_cost_is_named():
    with pytest.raises(ArgumentError, match="cost='eth' must map bits to costs"):
        dcgd(problem(), RandK(2), step_size=0.1, rounds=1, rng=np.random.default_rng(0), cost="eth")
