"""The records do not depend on the number of processes."""

import os

import pytest

from verify.backends import copies
from verify.judging import parts
from verify.running.runner import verify
from verify.statements.said import Problem


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


@pytest.mark.parametrize("dies", [False, True])
def test_workers_read_the_texts_and_this_process_those_of_a_dead_one(tmp_path, monkeypatch, dies):
    claim, home = "squant/steps", os.getpid()

    def problems(item):
        if dies and os.getpid() != home:
            os._exit(1)
        return [Problem(item.id, "a", 3, "x", "read at home" if os.getpid() == home else "read by a worker")]

    monkeypatch.setattr(parts, "tie_problems", problems)
    monkeypatch.setattr(copies, "copies_are_safe", lambda: True)  # of threads that other tests left
    (result,) = verify(claim, out=tmp_path, jobs=2).claims
    assert result.verdict == "untested"
    assert ("read at home" if dies else "read by a worker") in " ".join(result.reasons)
