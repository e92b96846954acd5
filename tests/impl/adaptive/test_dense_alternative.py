"""The whole gradient as an alternative for every rule: flat gradients and ties."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import (
    cat_qsgd,
    cat_qsgd_reference,
    cat_s,
    cat_s_reference,
    cat_sq,
    cat_sq_reference,
    cat_st,
    cat_st_reference,
)
from impl.communication import Payload

RULES = {
    "s": (cat_s, cat_s_reference),
    "sq": (cat_sq, cat_sq_reference),
    "st": (cat_st, cat_st_reference),
    "qsgd": (cat_qsgd, cat_qsgd_reference),
}
FEW = 7
"""Levels to choose from, where there are some."""


def options(name, **more):
    return {**more, **({"most_levels": FEW} if name == "qsgd" else {})}


@pytest.mark.parametrize("name", ["s", "st"])
def test_dense_beats_sparse_entries_of_flat_gradients(name):
    # An index of 4 bits for each of 16 equal entries: 36 bits for each, 32 without it.
    fast, literal = RULES[name]
    for g in ([F(1)] * 16, np.ones(16), -3 * np.ones(16)):
        sparse, dense = fast(g, Payload()), fast(g, Payload(), dense=True)
        assert (sparse.dense, dense.dense) == (False, True)
        assert dense.efficiency / sparse.efficiency == pytest.approx(36 / 32, rel=1e-14)
        assert literal(list(g), Payload(), dense=True).dense
        sent = np.array(g, dtype=float)
        assert np.array_equal(dense.compressor.sample(sent, np.random.default_rng(0)), sent)
    assert not cat_sq(np.ones(16), Payload(), dense=True).dense  # signs are shorter
    assert not cat_qsgd(np.ones(16), Payload(), dense=True).dense


@pytest.mark.parametrize("name", RULES)
def test_the_whole_gradient_is_never_sent_on_a_tie(name):
    # At a constant cost each rule reaches the share 1 for four equal entries, two levels included.
    for rule in RULES[name]:
        for g in ([F(1)] * 4, [1.0] * 4):
            found = rule(g, lambda bits: bits * 0 + 1, **options(name, dense=True))
            assert (found.efficiency, found.dense) == (1, False)


@pytest.mark.parametrize("name", ["s", "st"])
def test_one_entry_without_an_index_is_a_tie(name):
    for rule in RULES[name]:
        for g in ([F(3)], [3.0]):
            assert not rule(g, Payload(), dense=True).dense
