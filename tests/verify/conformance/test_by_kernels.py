"""What is held with kernels compares the same numbers where there are none: pins hold on either machine."""

import pytest

from impl import tiers
from impl.compressors import StochasticQuantizer
from impl.compressors.joint.joint_message import RoundKey
from verify.conformance.by_kernels import by_kernels
from verify.conformance.fast_and_literal import agreement
from verify.conformance.fast_and_literal import received as fast_received
from verify.conformance.messages.joint_messages import joint_agreement, received
from verify.conformance.own_laws import long_variances, stated
from verify.cq_marina.fixtures.joint.client_compressors import CLIENT_INPUTS
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


def test_messages_and_rounds_of_clients_are_compared_without_numba_too(monkeypatch):
    pytest.importorskip("numba")
    cases = {name: case for name, case in CLIENT_INPUTS.items() if "RandK" in name or "quantizer" in name}
    found = []
    for installed in (True, False):
        monkeypatch.setattr(tiers, "is_installed", lambda installed=installed: installed)
        comparisons = by_kernels(agreement, fast_received, cases, 3)
        found.append({(item.label, item.value, item.bound) for item in comparisons})
    assert found[0] == found[1]  # kernels have rounds of Rand-k, numpy of quantizers: fewer or more of them
    assert ("entries or bits that change over rounds", 0, 0) in found[0]


def test_variances_of_long_vectors_compare_the_same_numbers_without_numba(monkeypatch):
    pytest.importorskip("numba")
    found = []
    for installed in (True, False):
        monkeypatch.setattr(tiers, "is_installed", lambda installed=installed: installed)
        comparisons = by_kernels(long_variances, stated, {"quantizer": StochasticQuantizer(0.5)})
        found.append([(item.label, item.bound) for item in comparisons])
    assert found[0] == found[1]
    assert len(found[0]) > 10
