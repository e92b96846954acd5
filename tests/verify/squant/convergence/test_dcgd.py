"""Golden one-step values of squant-dcgd, through the same code that the checks use."""

import pytest

from verify.squant.convergence.dcgd import judge, one_step
from verify.squant.fixtures.dcgd_settings import golden_setting

LAW = judge._law()


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("S1", 4.10913580246914, 9.54486913580247),
        ("S2", 35.4128843594040, 42.7816775728733),
        ("S3", 5.12042265727212, 6.27360431359856),
    ],
)
def test_both_sides_of_one_step(name: str, left: float, right: float) -> None:
    chosen, state = golden_setting(name)
    (comparison,) = one_step(LAW, chosen, state)
    # Goldens have 15 digits; matrix roots of these small matrices lose one or two of them.
    assert comparison.value == pytest.approx(left, rel=2e-14)
    assert comparison.bound == pytest.approx(right, rel=2e-14)
