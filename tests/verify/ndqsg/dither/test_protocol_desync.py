"""Golden numbers on desynchronised dithers, and the golden stream."""

import pytest

import theory
from impl.compressors.contract import Key
from impl.compressors.dither_stream import fingerprint, keyed_dither
from verify.evaluation import evaluate_exact

CLAIM = theory.claim("ndqsg/protocol-desync")
SILENT = theory.claim("ndqsg/finding-silent-desync")
KEY = Key(seed=(2024, 0), worker=5, iteration=17, tensor=3)


def test_golden_stream():
    assert (keyed_dither(KEY, 5) * 2**25).tolist() == [5325409, 7847269, -4780635, 7897243, 15107655]
    assert fingerprint(KEY) == 12952979127594948882


@pytest.mark.parametrize("claim", [CLAIM, SILENT], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    for case in claim.worst_cases:
        assert evaluate_exact(claim.exact, case.values) == case.value
