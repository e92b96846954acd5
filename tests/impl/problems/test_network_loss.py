"""The loss of a network as a problem: shapes, and what is refused."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.networks import Convolutional, FullyConnected
from impl.problems import NetworkLoss, load_digits


def loss_of(widths, n=7, rows=140, **keywords):
    data = load_digits()
    return NetworkLoss(FullyConnected(widths), data.features[:rows], data.labels[:rows], n, **keywords)


def test_one_point_has_the_shapes_of_one():
    problem = loss_of((64, 10))
    x = problem.start(np.random.default_rng(5))[0]
    objective, gradients = problem.evaluate(x)
    assert np.shape(objective) == ()
    assert gradients.shape == (7, 650)
    assert problem.bregman(x, x).tolist() == [0.0] * 7


def test_no_points_have_no_losses():
    problem = loss_of((64, 10))
    x = np.zeros((2, 0, problem.d))
    objective, gradients = problem.evaluate(x)
    assert (objective.shape, gradients.shape) == ((2, 0), (2, 0, 7, 650))
    assert problem.objectives(x).shape == problem.bregman(x, x).shape == (2, 0, 7)


def test_what_is_refused():
    data = load_digits()
    network = FullyConnected((64, 10))
    with pytest.raises(ArgumentError, match="n=3 must be a whole number that divides the 140 rows"):
        loss_of((64, 10), n=3)
    with pytest.raises(ArgumentError, match="FullyConnected"):
        NetworkLoss(Convolutional(), data.features[:140], data.labels[:140], 7)
    with pytest.raises(ArgumentError, match="precision='half'"):
        loss_of((64, 10), precision="half")
    with pytest.raises(ArgumentError, match=r"features of shape \(140, 63\)"):
        NetworkLoss(network, data.features[:140, :63], data.labels[:140], 7)
    with pytest.raises(ArgumentError, match="no certified solution"):
        _ = loss_of((64, 10)).solution
    with pytest.raises(ArgumentError, match="x of shape"):
        loss_of((64, 10)).gradients(np.zeros(3))
