"""The guarded quantizers, and what the checks of the finding see of them."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint
from verify.cq_marina.quantizer.finding_zero_norm import (
    ROWS,
    joint_compressors,
    judge,
    quadratic,
    sending_outcomes,
    squared_norms,
)
from verify.cq_marina.quantizer.unit_norms import UnitNormCorrelated, UnitNormIndependent

KINDS = [(UnitNormIndependent, IndependentQuantizer), (UnitNormCorrelated, CorrelatedQuantizer)]


@pytest.mark.parametrize(("guarded", "honest"), KINDS)
@pytest.mark.parametrize("grid", ["binary", "ternary"])
def test_guard_changes_zero_vectors_on_the_binary_grid_only(guarded, honest, grid):
    x = np.random.default_rng(1).normal(size=(100, 4, 6))
    x[:, 1] = 0
    draws = honest(grid).draw(np.random.default_rng(2), x.shape)
    first, second = guarded(grid).compress(x, draws), honest(grid).compress(x, draws)
    assert (np.delete(first, 1, axis=1) == np.delete(second, 1, axis=1)).all()
    assert (second[:, 1] == 0).all()
    assert (np.abs(first[:, 1]) == (1 if grid == "binary" else 0)).all()


@pytest.mark.parametrize(("guarded", "honest"), KINDS)
def test_literal_form_is_guarded_too(guarded, honest):
    assert sending_outcomes(honest("binary"), ROWS) == 0
    assert sending_outcomes(guarded("binary"), ROWS) == enumerate_joint(guarded("binary"), ROWS).outcomes > 0
    assert sending_outcomes(guarded("ternary"), ROWS) == 0
    moments = enumerate_joint(guarded("binary"), ROWS)
    assert moments.probability == 1
    assert moments.error == guarded("binary").variance([list(row) for row in ROWS])
    assert isinstance(moments.error, F)


def test_all_joint_compressors_are_looked_at():
    names = {type(compressor).__name__ for compressor in joint_compressors()}
    assert names >= {"IndependentQuantizer", "CorrelatedQuantizer", "PermK", "PermKQuantizer", "Scaled"}
    assert names >= {"ImportanceSampling", "WeightedPartition", "RotatedQuantizer", "Independent"}
    assert "CorrelatedGrid" in names


def test_runs_look_alike_until_the_differences_vanish():
    honest, guarded = (
        squared_norms(
            judge.units[0].law, quadratic(4), kind("binary"), np.random.default_rng(3), 0.3, 600, 4
        )[0]
        for kind in (IndependentQuantizer, UnitNormIndependent)
    )
    # The same draws: the same runs, for as long as no client has a zero difference.
    common = int((honest == guarded).all(axis=0).argmin())
    assert common > 50
    assert honest[:, common].max() < 1e-20
    assert honest[:, 300:].max() < 1e-25
    assert guarded[:, 300:].max() > 1e-2
