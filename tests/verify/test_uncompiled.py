"""Kernels that run as Python give what compiled ones give, and leave nothing behind."""

import sys

import numpy as np
import pytest

import impl
from impl import tiers
from impl.coding.bit_stream import BitWriter
from impl.coding.elias import GAMMA
from impl.coding.sparse_code import SparseCode
from impl.compressors import RandK, StochasticQuantizer, TernGrad
from impl.compressors.rounding import rounded_rows, ternary_rounding
from verify.conformance.by_kernels import as_written, at_both
from verify.conformance.fast_and_literal import received
from verify.conformance.node_means import means_over_nodes
from verify.uncompiled import uncompiled

X = np.sin(np.arange(24.0)).reshape(4, 6)


def _samples():
    rng = np.random.Generator(np.random.Philox(3))
    made = [StochasticQuantizer(0.5), TernGrad(), RandK(2)]
    return [compressor.sample(X, rng, 2).tolist() for compressor in made]


def test_samples_are_those_of_compiled_kernels():
    pytest.importorskip("numba")
    with tiers.tier("fused"):
        compiled = _samples()
    with uncompiled():
        assert _samples() == compiled
    assert _samples() != compiled


def test_kernels_that_are_remembered_are_those_of_the_block():
    for _ in range(2):
        with uncompiled():
            TernGrad().sample(X[0], np.random.Generator(np.random.Philox(1)), 2)
            assert not hasattr(ternary_rounding._round_rows(), "py_func")
        assert ternary_rounding._round_rows.cache_info().currsize == 0


def test_modules_and_tier_are_what_they_were():
    before = {name: module for name, module in sys.modules.items() if "kernels" in name or name == "numba"}
    with uncompiled():
        _samples()
        assert tiers.current() == "fused"
        assert not hasattr(sys.modules["impl.kernels.philox"].fill_words, "py_func")
    assert tiers.current() == "numpy"
    now = {name: module for name, module in sys.modules.items() if "kernels" in name or name == "numba"}
    assert now == before
    assert getattr(impl, "kernels", None) is before.get("impl.kernels")


def test_long_numbers_of_codes_go_round():
    levels = np.array([0, 3, -70_000, 1])
    expected, found = BitWriter(), BitWriter()
    SparseCode(GAMMA).write(expected, levels)
    with uncompiled():
        SparseCode(GAMMA).write(found, levels)
    assert found.to_bytes() == expected.to_bytes()


def test_a_fault_beside_kernels_is_noticed(monkeypatch):
    def not_scaled(self, x, factors):
        decoded, bits = self(x)
        return rounded_rows._mean(decoded, factors[1]), bits

    given = (means_over_nodes, received, {"quantizer": StochasticQuantizer(0.5)}, 1, 9)
    assert not [item for item in as_written(*given) if item.excess > 0]
    monkeypatch.setattr(rounded_rows.KernelRows, "mean", not_scaled)
    assert [item for item in as_written(*given) if item.excess > 0]


def test_mutants_are_asked_at_both_checks():
    mutants = at_both(("larger at exact/literal: More.", {"received": received}), "exact/literal", "exact/b")
    assert mutants == ("larger at exact/literal, exact/b: More.", {"received": received})
