"""The estimators of `cq_marina/est-exact`: samplers coordinate by coordinate, and what the sabotage does."""

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer
from verify.cq_marina.ab.ab_permk_sabotage import IdleClients, MissingScale
from verify.cq_marina.fixtures.est_exact_sabotage import CommonPermutation, MeanAsScale, MissingGroupScale
from verify.cq_marina.fixtures.grid_inputs import P1, P3, REMAINDER
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.quantizer.est_exact import ALONE, ENUMERATED, FLOATING, TWO, rows_of

DRAWS = 40_000
# Six standard deviations: a false alarm has probability 2e-9 for each of some hundred coordinates.
LIMIT = 6.0

SAMPLED = {name: FLOATING[name] for name in FLOATING if name.endswith("P1") or "-P" not in name}


@pytest.mark.parametrize("name", SAMPLED)
def test_no_coordinate_of_a_sampler_is_biased(name):
    row, rows = SAMPLED[name]
    x = np.array(rows, dtype=float)
    samples = row.compressor.sample(x, np.random.default_rng(1), DRAWS)
    deviation = np.sqrt(row.compressor.coordinate_variances(x) / DRAWS)
    z = (samples.mean(axis=0) - x.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    assert np.abs(z).max() < LIMIT, z


def test_mean_as_scale_literally():
    # The scale is 5/2, and 3 and 4 are clipped to it: half of 5/2 for each coordinate.
    assert enumerate_joint(MeanAsScale("binary"), ALONE).mean == (1.25, 1.25)
    assert mean_of(ALONE) == [1.5, 2]


@pytest.mark.parametrize("rows", [TWO, rows_of((3, 4), (0, -5), (6, -8))], ids=["two", "three"])
def test_common_permutation_changes_the_law_but_not_the_error(rows):
    common, separate = CommonPermutation("binary"), CorrelatedQuantizer("binary")
    first, second = enumerate_joint(common, rows), enumerate_joint(separate, rows)
    assert first.probability == second.probability == 1
    assert (first.mean, first.error) == (second.mean, second.error)
    assert first.outcomes < second.outcomes


def test_common_permutation_is_common():
    strata = CommonPermutation("binary").draw(np.random.default_rng(3), (50, 4, 6)).shared
    assert (strata == strata[..., :1]).all()
    assert (np.sort(strata, axis=-2) == np.arange(4)[:, None]).all()


@pytest.mark.parametrize(
    ("compressor", "rows"),
    [
        (MeanAsScale("binary"), P1),
        (CommonPermutation("binary"), P1),
        (MissingGroupScale(2), FLOATING["perm-cq-2"][1]),
        (MissingScale(), P3),
        (MissingScale(), P1),
        (IdleClients(), REMAINDER),
    ],
    ids=["mean-as-scale", "permutation", "group-scale", "missing-few", "missing-many", "idle"],
)
def test_sabotaged_samplers_are_what_their_literal_form_says(compressor, rows):
    x = np.array(rows, dtype=float)
    rng = np.random.default_rng(4)
    for _ in range(20):
        draws = compressor.draw(rng, x.shape)
        literal = compressor.reference(x.tolist(), draws)
        assert np.array(literal, dtype=float) == pytest.approx(compressor.compress(x, draws), rel=1e-13)


def test_missing_scales_shrink_the_mean():
    four = ENUMERATED["perm-cq-single-coordinates"][1]
    assert list(enumerate_joint(MissingGroupScale(2), four).mean) == [item / 2 for item in mean_of(four)]
    # Two owners of each of three coordinates of six clients: a third of the mean.
    assert list(enumerate_joint(MissingScale(), P3).mean) == [item / 3 for item in mean_of(P3)]


def test_idle_clients_are_idle():
    draws = IdleClients().draw(np.random.default_rng(5), (200, 5, 3)).shared
    assert (np.sort(draws, axis=-1) == [0, 1, 2, 3, 3]).all()
    decoded = IdleClients().compress(
        np.ones((200, 5, 3)), IdleClients().draw(np.random.default_rng(6), (200, 5, 3))
    )
    assert (np.count_nonzero(decoded, axis=-1).sum(axis=-1) == 3).all()
