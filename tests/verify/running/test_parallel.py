"""The records do not depend on the number of processes."""

import pytest

from verify.running.runner import verify


@pytest.mark.parametrize("claim", ["squant/var", "squant/dcgd"])
def test_records_are_bitwise_the_same_with_one_process_and_with_two(claim, tmp_path, timeless, variance_run):
    if claim == "squant/var":
        alone = variance_run
    else:
        alone = tmp_path / "alone"
        verify(claim, out=alone, jobs=1)
    report = verify(claim, out=tmp_path / "together", jobs=2)
    one, two = timeless(alone), timeless(tmp_path / "together")
    assert len(one) == len(report.claims[0].records) > 1
    # Floats are written with repr, so equal values in the files are equal to the last bit.
    assert one == two
