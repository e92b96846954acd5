"""The sabotaged estimators of `cq_marina/est-exact`, and what does not change with them."""

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer
from verify.cq_marina.ab.ab_permk_sabotage import IdleClients, MissingScale
from verify.cq_marina.fixtures.est_exact_sabotage import CommonPermutation, MeanAsScale, MissingGroupScale
from verify.cq_marina.fixtures.grid_inputs import P3
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.quantizer.est_exact import ALONE, ENUMERATED, TWO, rows_of


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
