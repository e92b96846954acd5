"""Golden averages of the specification for MARINA with biased compressors, by exact second moments."""

import pytest

import theory
from verify.cq_marina.marina.marina_biased import HALVED, SILENT
from verify.formulas.evaluation import evaluate

FORMULAS = theory.claim("cq_marina/marina-biased").formulas


# Printed with 13 digits.
@pytest.mark.parametrize(
    ("run", "p", "rounds", "root", "noise", "golden"),
    [
        (SILENT, 0.5, 40, "root_kappa", {"X_v": 0, "X_b": 1}, 0.05111996441785),
        (SILENT, 0.1, 40, "root_kappa", {"X_v": 0, "X_b": 1}, 0.2088453249718),
        # The step of unbiased compressors diverges.
        (SILENT, 0.1, 40, "root_kappa_unbiased", {"X_v": 1}, 4.448904279801),
        (HALVED, 0.05, 400, "root_kappa", {"X_v": 0.75, "X_b": 0.25}, 0.5282517035499),
        (HALVED, 0.05, 400, "root_kappa_unbiased", {"X_v": 1}, 9.328576979426),
    ],
)
def test_averages(run, p, rounds, root, noise, golden):
    step = 1 / (1 + evaluate(FORMULAS[root], {"p": p, **noise}))
    average = run.trace(step, p, rounds).average(rounds)
    # Of half of RandK the average is printed over the one of the unbiased rate.
    unit = 1 if run is SILENT else 8 / (step * rounds)
    assert average / unit == pytest.approx(golden, rel=5e-13)
