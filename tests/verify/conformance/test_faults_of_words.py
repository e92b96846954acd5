"""Faults of codes, planted one at a time, that the contract of code words notices."""

import numpy as np
import pytest

from impl.coding.bit_stream import BitReader
from impl.coding.dense_code import DenseCode
from impl.coding.elias import EliasCode
from impl.coding.sparse_code import SparseCode
from verify.conformance.messages.code_words import code_words, coded


def _noticed():
    found = code_words(coded, ("gamma", "omega"), seed=1)
    return {
        item.label
        for item in found
        if abs(item.value - item.bound) > item.tolerance.relative * abs(item.bound)
    }


def _larger(method, change):
    return lambda self, *given: change(method(self, *given))


@pytest.mark.parametrize(
    ("kind", "name", "change", "label"),
    [
        (EliasCode, "lengths", lambda found: found + (found > 40), "lengths that differ"),
        (EliasCode, "read_many", lambda found: np.minimum(found, 2**60), "numbers that are read differently"),
        (SparseCode, "expected_bits", lambda found: found + 1e-6, "expected length in floats"),
        (DenseCode, "exact_bits", lambda found: found + 1, "expected length"),
        (BitReader, "read_many", lambda found: found | (found > 2**63), "numbers that are read differently"),
    ],
)
def test_faults_are_noticed(monkeypatch, kind, name, change, label):
    monkeypatch.setattr(kind, name, _larger(getattr(kind, name), change))
    assert label in _noticed()


def test_the_codes_themselves_are_not():
    assert not _noticed()
