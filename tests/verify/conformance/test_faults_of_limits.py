"""Faults of limits, codes, sets by name, fetched files, packets and kernels, that the contracts notice."""

import numpy as np
import pytest

from impl import tiers
from impl.coding import sparse_code
from impl.coding.bit_stream import BitReader
from impl.coding.dense_code import DenseCode
from impl.coding.elias import EliasCode
from impl.compressors import DitheredQuantizer, StochasticQuantizer, TernGrad
from impl.compressors.dithered import dithered_quantizer
from impl.optimizers.sgd import quantized_estimator
from impl.problems.data import libsvm, libsvm_download
from impl.wires.transports.tun_forwarder import Forwarder
from verify.conformance.batched_runs import limits, ran
from verify.conformance.by_kernels import also_at, by_kernels
from verify.conformance.data_files import content, known_sets
from verify.conformance.fast_and_literal import LARGER, long_vectors, received
from verify.conformance.fetched_files import fetched_files
from verify.conformance.messages.code_words import code_words, coded
from verify.conformance.wire_times import forwarding
from verify.ndqsg.fixtures.runs.sgd_runs import LIMITS

ROWS, LABELS = ((0.5, 0, 2), (0, 0, -3.25), (1, 4, 0), (0, 7, 1), (0.125, 0, 0)), (3, 2, 3, 3, 2)
LONG = {"dithered": DitheredQuantizer(3), "TernGrad": TernGrad(), "quantizer": StochasticQuantizer(0.5)}
CONTRACTS = {
    "limits": lambda: limits(ran, LIMITS),
    "words": lambda: code_words(coded, ("gamma",), 1),
    "sets": lambda: known_sets(content, ROWS, LABELS),
    "fetched": lambda: fetched_files(content, ROWS, LABELS),
    "long": lambda: long_vectors(received, LONG, 1),
    "packets": lambda: forwarding(lambda found: found),
    "kernels": lambda: by_kernels(code_words, coded, ("gamma",), 1),
}


def failing(name):
    """Return the labels at which a contract is not kept."""
    return {item.label for item in CONTRACTS[name]() if item.excess > 0}


def _changed(change):
    """Return a fault: what a method gives is changed."""
    return lambda honest: lambda self, *given: change(honest(self, *given))


@pytest.mark.parametrize(
    ("name", "place", "attribute", "fault", "label"),
    [
        ("limits", quantized_estimator, "_MOST_STEPS", lambda honest: 2 * honest, "replicates that go on"),
        (
            "limits",
            quantized_estimator,
            "_LARGEST_SINGLE",
            lambda honest: honest / 2,
            "replicates that go on",
        ),
        ("words", BitReader, "count_zeros", _changed(lambda n: min(n, 71)), "numbers of zeros before a one"),
        ("words", EliasCode, "lengths", _changed(lambda n: n + (n > 40)), "lengths that differ"),
        ("words", EliasCode, "read_many", _changed(lambda n: np.minimum(n, 2**60)), "numbers that are read"),
        (
            "words",
            sparse_code.SparseCode,
            "expected_bits",
            _changed(lambda n: n + 1e-6),
            "expected length in",
        ),
        ("words", DenseCode, "exact_bits", _changed(lambda n: n + 1), "expected length"),
        ("words", BitReader, "read_many", _changed(lambda n: n | (n > 2**63)), "numbers that are read"),
        ("sets", libsvm, "_compare", lambda honest: lambda *_: "", "sets that are read all the same"),
        ("fetched", libsvm_download, "inspect_file", lambda honest: lambda *_: "", "files that are fetched"),
        (
            "long",
            dithered_quantizer,
            "dithered_vector",
            lambda honest: lambda *_: np.zeros(2**15 + 11),
            "sampled",
        ),
        ("long", TernGrad, "_bits", lambda honest: lambda self, d: honest(self, d) + 1, "entries lost"),
        ("packets", Forwarder, "arrival", lambda honest: lambda self, device, size, now: now, "packets of"),
    ],
)
def test_faults_are_noticed(monkeypatch, name, place, attribute, fault, label):
    monkeypatch.setattr(place, attribute, fault(getattr(place, attribute)))
    assert any(found.startswith(label) for found in failing(name))


@pytest.mark.skipif(not tiers.is_installed(), reason="numba is not installed")
def test_a_fault_of_the_fused_tier_alone_is_noticed(monkeypatch):
    honest = sparse_code.bits_by_kernel

    def longer(*given, **named):
        found = honest(*given, **named)
        return None if found is None else found + 1

    monkeypatch.setattr(sparse_code, "bits_by_kernel", longer)
    assert failing("words") == set()
    assert failing("kernels") == {"lengths that differ"}


def test_mutants_are_moved_to_another_check():
    (text, law) = also_at(LARGER, "exact/literal", "exact/by-kernels")
    assert text.startswith("larger-entries-by-kernels, slow at exact/by-kernels: ")
    assert law == LARGER[1]
