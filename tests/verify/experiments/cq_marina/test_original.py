"""The authors' protocol of arXiv 2401.05518 on quadratics, against numbers of runs of their code."""

import numpy as np
import pytest

from verify.errors import UsageError
from verify.experiments.cq_marina import original
from verify.experiments.cq_marina.methods import first_below

# At 50 clients: whose constants, method, accuracy, the kbits of a client of a run, and rounds that suffice.
KBITS = [
    (original.public, "rand_k", 1e-3, 36.3, 300),
    (original.proved, "rand_k", 1e-3, 5.8, 200),
    (original.public, "correlated", 1e-4, 9.5, 150),
    (original.proved, "correlated", 1e-4, 12.9, 200),
    (original.public, "independent", 1e-4, 19.5, 300),
]


@pytest.mark.parametrize(("constants", "name", "accuracy", "stated", "rounds"), KBITS)
def test_a_run_of_their_code_is_one_of_ours(constants, name, accuracy, stated, rounds):
    method = constants(50)[name]
    found = original.kbits(method, accuracy, np.random.default_rng(1), rounds=rounds, replicates=40)
    assert found[0] <= stated <= found[-1]


def test_steps_and_expectations_are_those_of_the_specification():
    public, proved = original.public(50), original.proved(50)
    assert public["rand_k"].step_size == pytest.approx(0.0472, abs=5e-5)
    assert proved["rand_k"].step_size == pytest.approx(0.1670, abs=5e-5)
    for name, stated in (("perm_k", 5.12), ("independent", 40.3)):
        method = proved[name]
        rounds = first_below(method.expectations(500).gradient_norm_sq, 1e-4)
        assert float(method.bits(rounds)) / 1000 == pytest.approx(stated, rel=0.01), name


@pytest.mark.parametrize("n", [2, 10, 50, 100, 200, 400])
def test_smaller_constants_make_longer_steps(n):
    public, proved = original.public(n), original.proved(n)
    assert list(public) == list(proved)
    for name in ("independent", "correlated"):
        # d - 1 is proved for independent quantizers, d for correlated ones on equal clients.
        share = (original.DIMENSION - (name == "independent")) / (original.QUARTER * original.DIMENSION)
        assert proved[name].chi / public[name].chi == pytest.approx(share, rel=1e-9)
        # With few clients nothing but whole gradients is worth while at the larger constant.
        shorter = proved[name].step_size < public[name].step_size
        assert shorter == (proved[name].probability < 1), proved[name].probability
    assert public["rand_k"].step_size < proved["rand_k"].step_size
    assert public["perm_k"].step_size == proved["perm_k"].step_size


def test_a_run_that_is_too_short_is_named():
    method = original.proved(2)["perm_k"]
    with pytest.raises(UsageError, match=r"rounds=1 are too few for accuracy=0\.0001"):
        original.kbits(method, 1e-4, np.random.default_rng(0), rounds=1, replicates=2)
