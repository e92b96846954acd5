"""The loss of a network as a problem: gradients of all clients against those of one, and differences."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.networks import Convolutional, FullyConnected
from impl.problems import NetworkLoss, load_digits

WIDTHS = [(64, 10), (64, 6, 10), (64, 6, 5, 10)]


def loss_of(widths, n=7, rows=140, **keywords):
    data = load_digits()
    return NetworkLoss(FullyConnected(widths), data.features[:rows], data.labels[:rows], n, **keywords)


@pytest.mark.parametrize("widths", WIDTHS)
def test_gradients_of_all_clients_are_those_of_each(widths):
    problem = loss_of(widths)
    x = problem.start(np.random.default_rng(1), 3)
    objective, gradients = problem.evaluate(x)
    losses = problem.objectives(x)
    assert objective == pytest.approx(losses.mean(axis=-1), rel=1e-15)
    for i in range(problem.n):
        loss, gradient = problem.evaluate_node(i, x[2])
        assert losses[2, i] == pytest.approx(loss, rel=1e-13)
        np.testing.assert_allclose(gradients[2, i], gradient, rtol=0, atol=1e-13)


@pytest.mark.parametrize("widths", WIDTHS)
def test_gradients_are_those_of_the_losses(widths):
    problem = loss_of(widths)
    x, along = problem.start(np.random.default_rng(2))[0], np.random.default_rng(3).standard_normal(problem.d)
    slope = (problem.objectives(x + 1e-6 * along) - problem.objectives(x - 1e-6 * along)) / 2e-6
    # Central differences: rounding 1e-16 over 1e-6, and the square of the step.
    np.testing.assert_allclose(problem.gradients(x) @ along, slope, rtol=0, atol=1e-8)


def test_single_precision_is_near_double():
    double, single = loss_of((64, 6, 10)), loss_of((64, 6, 10), precision="single")
    x = double.start(np.random.default_rng(4), 2)
    assert single.gradients(x).dtype == np.float64
    np.testing.assert_allclose(single.gradients(x), double.gradients(x), rtol=0, atol=1e-6)
    assert (single.gradients(x) != double.gradients(x)).any()


def test_one_point_has_the_shapes_of_one():
    problem = loss_of((64, 10))
    x = problem.start(np.random.default_rng(5))[0]
    objective, gradients = problem.evaluate(x)
    assert np.shape(objective) == ()
    assert gradients.shape == (7, 650)
    assert problem.bregman(x, x).tolist() == [0.0] * 7


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
