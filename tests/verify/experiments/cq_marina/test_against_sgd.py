"""Distributed SGD and MARINA with one quantizer: constants by hand, noise, what a run sends."""

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer
from verify.authoring.law import Law, formulas_of
from verify.experiments.cq_marina.against_sgd import NOISE, SETTINGS, NoisyClients, Pair

LAW = Law("cq_marina/marina-against-sgd", formulas_of("cq_marina/marina-against-sgd"), {})


def test_constants_at_ten_clients_in_32_dimensions():
    # A and B as in the golden numbers of `ab-cq`; the spread of `tridiagonal` is offset^2 33 / 1600.
    found = Pair(10, SETTINGS["sampled"], LAW).constants
    assert found["A"] == pytest.approx(3.408888888889, rel=1e-12)
    assert found["B"] == pytest.approx(3.088888888889, rel=1e-12)
    assert found["S_sq"] == pytest.approx(0.2**2 * 33 / 1600, rel=1e-12)
    assert found["c"] == 1 / 16


def test_step_is_the_largest_one_where_nothing_stays():
    pair = Pair(10, SETTINGS["equal"], LAW)
    assert pair.staying == 0
    assert pair.step_size(1e-3) == pytest.approx(1 / (1.32 * pair.marina.constants.L_minus), rel=1e-12)


def test_noise_has_its_mean_square_and_is_new_for_each_client():
    noisy, rng = NoisyClients(CorrelatedQuantizer("binary"), NOISE), np.random.default_rng(5)
    noise, _ = noisy.draw(rng, (400, 10, 32))
    # Standard error of the mean of 4000 chi-square numbers with 32 degrees: 0.4 %.
    assert (noise**2).sum(axis=-1).mean() == pytest.approx(NOISE, rel=0.02)
    assert abs((noise[:, 0] * noise[:, 1]).sum(axis=-1).mean()) < 0.05 * NOISE


def test_bits_count_whole_messages():
    low, high = Pair(10, SETTINGS["alike"], LAW).bits_of_sgd(1e-2, np.random.default_rng(1), 12, 4)
    assert (low == high).all()
    assert set(low % 64) == {0.0}
