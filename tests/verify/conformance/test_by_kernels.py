"""What is held with kernels compares the same numbers where there are none: pins hold on either machine."""

import pytest

from impl import tiers
from impl.compressors.joint.joint_message import RoundKey
from verify.conformance.by_kernels import by_kernels
from verify.conformance.messages.joint_messages import joint_agreement, received
from verify.cq_marina.quantizer.est_exact import JOINT_INPUTS, joint_examples


def test_messages_of_joint_compressors_compare_the_same_without_numba(monkeypatch):
    pytest.importorskip("numba")
    found = []
    for installed in (True, False):
        monkeypatch.setattr(tiers, "is_installed", lambda installed=installed: installed)
        comparisons = by_kernels(
            joint_agreement, received, JOINT_INPUTS | joint_examples(), RoundKey((1, 2), 3)
        )
        found.append([(item.label, item.value, item.bound) for item in comparisons])
    assert found[0] == found[1]
    assert len(found[0]) > 100
