"""Oracles and sabotaged ends of nested messages."""

from functools import partial

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from verify.ndqsg.fixtures.nested_links import SABOTAGED, Link, UnitGainAtDecoder, exact_mean, grid
from verify.ndqsg.fixtures.nested_overload_oracle import (
    conditional_error,
    conditional_overload,
    gaussian,
    integrated,
    laplace,
    moments,
    uniform,
)
from verify.ndqsg.fixtures.nested_runs import Setting, recorded


@pytest.mark.parametrize(
    ("name", "golden"),
    [
        ("dither-not-subtracted", 3.1),
        ("dither-added", 8.0),
        ("no-side-information", 53.0),
        ("receiver-ratio-four", 10.1),
        ("side-information-off-by-a-step", 25.0),
        ("floor-quantizer", 7.0),
        ("ratio-two", 5.0),
        ("no-modulo", 53.0),
        ("gain-at-sender-only", 1.82),
    ],
)
def test_mean_square_of_the_sabotaged_ends(name, golden):
    # Midpoints of 60 x 60 cells and 64 dithers; the goldens have two or three digits.
    g = ((np.arange(60) + 0.5) / 10 - 3)[:, None, None]
    z = ((np.arange(60) + 0.5) / 30 - 1)[None, :, None]
    g, z, u = np.broadcast_arrays(g, z, grid(64))
    assert 12 * (SABOTAGED[name]().errors(g, g - z, u) ** 2).mean() == pytest.approx(golden, rel=0.016)
    assert 12 * (Link().errors(g, g - z, u) ** 2).mean() == pytest.approx(1, rel=3e-4)


def test_unit_gain_at_the_decoder_is_harmless_at_gain_one():
    u = grid(16)
    g = np.full(16, 0.25)
    assert np.array_equal(UnitGainAtDecoder().errors(g, g, u), Link().errors(g, g, u))


def test_exact_mean_is_rational():
    assert exact_mean(np.array([0.25, 0.5])) == 3 / 8


@pytest.mark.parametrize(("sigma", "ratio", "alpha"), [(0.2, 2, 1.0), (3.0, 3, 1.0), (0.7, 4, 0.5)])
def test_sums_and_quadrature_agree(sigma, ratio, alpha):
    found = moments(sigma, ratio, alpha)
    law = partial(integrated, density=gaussian(sigma), sigma=sigma, ratio=ratio, alpha=alpha)
    error = law(partial(conditional_error, ratio=ratio, alpha=alpha))
    overload = law(partial(conditional_overload, ratio=ratio, alpha=alpha))
    assert error == pytest.approx(found.mse, rel=1e-12)
    assert overload == pytest.approx(found.overload, rel=1e-12)


@pytest.mark.parametrize(
    ("density", "scale", "end"),
    [(gaussian(0.5), 0.5, None), (laplace(2.0), 2.0, None), (uniform(1.3), 1.3, 1.3)],
)
def test_densities_have_the_mass_one(density, scale, end):
    assert integrated(np.ones_like, density, scale, 3, end=end) == pytest.approx(1, rel=1e-12)


def test_variance_of_laplace_innovations():
    assert integrated(np.square, laplace(0.5), 0.5, 3) == pytest.approx(0.25, rel=1e-10)


def test_a_run_records_every_nested_message():
    setting = Setting(rounds=3, workers=4, d=8)
    rounds = list(recorded(setting, np.random.default_rng(5), 2))
    assert len(rounds) == 3
    for seen in rounds:
        assert seen.innovations.shape == seen.errors.shape == seen.wrong.shape == (2, 2, 8)
        right = ~seen.wrong
        assert np.abs(seen.errors[right]).max() <= 0.5 + 1e-12
        # Wrong by a multiple of the ratio.
        jumps = (seen.errors - (seen.errors + 0.5) % 1 + 0.5)[seen.wrong]
        assert np.allclose(np.rint(jumps) % setting.ratio, 0)


def test_sequential_side_information_predicts_better():
    def mean_square(sequential):
        setting = Setting(ratio=7, noise=0.3, workers=8, rounds=4, sequential=sequential)
        rounds = recorded(setting, np.random.default_rng(7), 64)
        return np.mean([(seen.innovations[:, -1] ** 2).mean() for seen in rounds])

    assert mean_square(True) < mean_square(False)


@pytest.mark.parametrize("sequential", [False, True])
def test_errors_of_all_workers_are_uncorrelated_without_overload(sequential):
    """Eight workers at the ratio 5, as in the specification: the average has the variance D / 8."""
    rng, workers, shape = np.random.default_rng(9), 8, (2**17,)
    plain, nested = DitheredQuantizer(1, scale=1.0), NestedDitheredQuantizer(1, 5, scale=1.0)
    decoded, errors = [], []
    for p in range(workers):
        g = 0.3 + rng.uniform(-0.4, 0.4, shape)
        draws = plain.draw(rng, shape)
        side = np.mean(decoded if sequential else decoded[:4], axis=0) if p >= 4 else None
        decoded.append(plain.compress(g, draws) if side is None else nested.compress(g, draws, side))
        errors.append(decoded[-1] - g)
    assert np.abs(errors).max() <= 0.5 + 1e-12
    # Six and a half standard errors, 2**-8.5 of correlations and at most 1.42 times that of a mean square.
    assert np.abs(np.corrcoef(errors) - np.eye(workers)).max() < 6.5 * 2**-8.5
    mean_square = float((np.mean(errors, axis=0) ** 2).mean())
    assert mean_square == pytest.approx(1 / 96, rel=6.5 * 2**0.5 * 2**-8.5)
