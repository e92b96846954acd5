"""The ratio of a nested quantizer for a Gaussian innovation, against sums and quadrature."""

import math
from functools import partial

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.compressors.dithered.nested_ratio import gaussian_excess, smallest_ratio
from impl.errors import ArgumentError
from impl.optimizers import AdaptiveRatios
from verify.ndqsg.fixtures import ratio_rule
from verify.ndqsg.fixtures.nested_overload_oracle import conditional_error, gaussian, integrated


@pytest.mark.parametrize("ratio", [2, 3, 8])
@pytest.mark.parametrize("sigma", [0.15, 0.5, 2.0, 11.0])
def test_excess_is_that_of_the_stated_sums_and_of_quadrature(sigma, ratio):
    found = gaussian_excess(sigma, ratio)
    assert found == pytest.approx(ratio_rule.excess(sigma, ratio), rel=1e-11)
    square = integrated(partial(conditional_error, ratio=ratio), gaussian(sigma), sigma, ratio)
    assert 1 + found == pytest.approx(12 * square, rel=1e-11)


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("tolerated", [1e-6, 0.01, 0.3, 20.0])
def test_ratio_is_the_smallest_one(tolerated, odd):
    for sigma in np.geomspace(0.02, 8, 40).tolist():
        ratio = smallest_ratio(sigma, tolerated, odd=odd)
        assert gaussian_excess(sigma, ratio) <= tolerated
        smaller = range(3, ratio, 2) if odd else range(2, ratio)
        assert all(gaussian_excess(sigma, item) > tolerated for item in smaller)


def test_rule_of_the_training_runs_is_the_same():
    for sigma in (0.05, 0.17, 0.31, 0.77, 1.9, 5.3):
        for odd in (False, True):
            assert smallest_ratio(sigma, odd=odd) == ratio_rule.smallest_ratio(sigma, odd=odd)


def test_edges():
    assert gaussian_excess(0, 2) == 0
    assert smallest_ratio(0) == 2
    assert smallest_ratio(0, odd=True) == 3
    assert smallest_ratio(0, odd=True, most=2) == 2
    assert smallest_ratio(0.7, most=7) == 7
    assert smallest_ratio(1.0, most=7) == 7
    assert smallest_ratio(1e300) == smallest_ratio(math.inf) == 2**16
    assert smallest_ratio(math.inf, most=5) == 5
    assert smallest_ratio(3.0, 1e9) == 2


def test_rule_for_messages_of_workers():
    plain, nested = DitheredQuantizer(3), NestedDitheredQuantizer(3, 3)
    link = AdaptiveRatios(
        [plain, plain, nested],
        np.random.default_rng(3),
        choose=lambda sigma, M: smallest_ratio(1.2 * sigma, most=2 * M + 1),
    )
    common = np.linspace(-1, 1, 4096)
    link.exchange(np.stack([common] * 3)[None])
    # Without noise the innovation is the mean error of two messages: 0.204 of a step, times 1.2.
    assert link.codecs(0)[2].ratio == smallest_ratio(0.245) == 3
    link.exchange(np.stack([common, -common, common])[None])
    assert not isinstance(link.codecs(0)[2], NestedDitheredQuantizer)


def test_mistakes_are_named():
    with pytest.raises(ArgumentError, match=r"(?s)sigma=nan.*tolerated=0 .*most=1 "):
        smallest_ratio(math.nan, 0, most=1)
    with pytest.raises(ArgumentError, match=r"(?s)sigma=-1 .*ratio=1 "):
        gaussian_excess(-1, 1)
    with pytest.raises(ArgumentError, match=r"ratio=2\.5 "):
        gaussian_excess(1.0, 2.5)
    with pytest.raises(ArgumentError, match="sigma=inf"):
        gaussian_excess(math.inf, 2)
