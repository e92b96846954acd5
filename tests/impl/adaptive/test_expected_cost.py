"""Law of the number of survivors and the expected cost of a long message."""

import numpy as np
import pytest

from impl.adaptive import expected_cost, survivor_law
from impl.adaptive.expected_cost import expected_costs
from impl.communication import PRESETS


def test_long_laws_in_floats():
    p = np.random.default_rng(0).random(2000) ** 3
    law = survivor_law(p)
    N = np.arange(len(law))
    assert law.sum() == pytest.approx(1, rel=1e-12)
    assert law @ N == pytest.approx(p.sum(), rel=1e-12)
    assert law @ N**2 - (law @ N) ** 2 == pytest.approx((p * (1 - p)).sum(), rel=1e-8)  # cancels 4 digits
    for name in ("eth", "6lowpan", "eth-wire"):
        one, many = expected_cost(p, PRESETS[name], 43), expected_costs(p[None], PRESETS[name], 43)
        assert one == pytest.approx(float(many[0]), rel=1e-12)
