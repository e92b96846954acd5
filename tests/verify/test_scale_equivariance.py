"""Compressors whose ratio depends on the scale: the unit sphere would miss a part of the supremum."""

import numpy as np
import pytest

import verify.compressor_check
from impl.compressors import CorrelatedGrid, DitheredQuantizer, Independent, RandK, Scaled
from impl.compressors.rounding.powers_of_two import power_below
from verify import check_compressor
from verify.errors import UsageError
from verify.foreign.adapter import adapt
from verify.foreign.inputs import SCALES, joint_inputs, named_inputs
from verify.rungs import montecarlo


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    monkeypatch.setattr(verify.compressor_check, "SAMPLES", 2**12)
    monkeypatch.setattr(verify.compressor_check, "RESOLUTION", 0.1)
    monkeypatch.setattr(montecarlo, "MAX_BATCHES", 20)


class Natural:
    """Natural compression of another project; omega is 1/8, attained where all entries are 4/3 2^k."""

    unbiased = True

    def sample(self, x, rng):
        low = power_below(x)
        return low * (1 + (rng.random(x.shape) * np.abs(low) < np.abs(x - low)))

    def variance(self, x):
        low = power_below(x)
        return float(np.sum(np.abs(x - low) * np.abs(2 * low - x)))


class Declared(Natural):
    scale_equivariance = "powers of two"


class Undeclared(Natural):
    """Says nothing: everything is searched."""


class Wrong(Natural):
    """Says too much: on the unit sphere alone 0.9706 of the supremum would be found."""

    scale_equivariance = "all"


class Sampled(Declared):
    """Without its exact variance."""

    variance = None


@pytest.mark.parametrize(
    ("compressor", "d"), [(Declared(), 1), (Declared(), 2), (Undeclared(), 2), (Undeclared(), 16)]
)
def test_the_supremum_over_all_scales_is_found(compressor, d):
    report = check_compressor(compressor, d=d, omega=1 / 8)
    assert report.verdict == "consistent", str(report)
    assert report.tightness == pytest.approx(1, abs=1e-9)
    assert check_compressor(compressor, d=d, omega=0.1249).verdict == "violated"


def test_what_says_too_much_of_itself_is_searched_at_all_scales_too():
    report = check_compressor(Wrong(), d=2, omega=1 / 8)
    assert 1 / report.tightness == pytest.approx(1.0, abs=1e-6)
    assert check_compressor(Wrong(), d=2, omega=0.1249).verdict == "violated"


def test_sampling_tries_the_scales_too():
    assert check_compressor(Sampled(), d=2, omega=0.105).verdict == "violated"
    assert check_compressor(Sampled(), d=2, omega=1 / 8).verdict == "consistent"


def clipping(x, rng):
    """Unbiased where no entry exceeds 8."""
    return np.clip(x, -8, 8)


def test_a_bias_at_another_scale_is_found():
    report = check_compressor(clipping, d=3, unbiased=True, omega=1.0)
    assert report.verdict == "violated"
    assert np.abs(report.witness["x"]).max() > 8


def test_inputs_of_the_adapter():
    assert adapt(Wrong(), 3, None).scales == (1.0,)
    assert adapt(Declared(), 3, None).scales == SCALES["powers of two"]
    assert adapt(Undeclared(), 3, None).scales == adapt(clipping, 3, None).scales == SCALES["none"]
    joint = list(joint_inputs(2, 3))
    assert {x.shape for _, x in joint} == {(3, 2)}
    assert all(np.abs(x).max(axis=1).min() > 0 for _, x in joint)
    assert len({name for name, _ in joint}) == len(joint)
    for d in (1, 2, 3, 64):
        singles = list(named_inputs(d))
        assert all(x.shape == (d,) and x.any() for _, x in singles)
        assert len({name for name, _ in singles}) == len(singles)
    for said in ("often", None, ("all",)):
        compressor = Natural()
        compressor.scale_equivariance = said
        with pytest.raises(
            UsageError, match=r"scale_equivariance=.* must be one of 'all', 'powers of two', 'none'"
        ):
            check_compressor(compressor, d=2, omega=1.0)


def test_what_our_compressors_say():
    assert CorrelatedGrid(1).scale_equivariance == "none"
    assert DitheredQuantizer(2).scale_equivariance == "all"
    fixed = DitheredQuantizer(2, scale=4)
    assert fixed.scale_equivariance == "none"
    assert Independent(fixed).scale_equivariance == Scaled(fixed, 2).scale_equivariance == "none"
    assert Independent(RandK(1)).scale_equivariance == "all"
