"""A setting that files of tests share."""

import numpy as np
import pytest

from impl.problems import Quadratic
from verify.planning.links import link
from verify.planning.setting import Setting


@pytest.fixture
def setting():
    """Return a function that makes a setting of three nodes with different Hessians."""

    def made(cost="lora51", accuracy=1e-2):
        rng = np.random.default_rng(7)
        curvatures = rng.uniform(0.2, 1.0, (3, 6)) * np.array([[1.0], [2.0], [0.5]])
        return Setting(Quadratic.from_centers(curvatures, rng.standard_normal((3, 6))), link(cost), accuracy)

    return made
