"""One worker or replicate at a time, single precision, ties of pixels, weights at the start."""

import numpy as np
import pytest

from impl.networks import Convolutional, FullyConnected

NETWORKS = [
    FullyConnected((5, 3)),
    FullyConnected((6, 7, 4, 3)),
    Convolutional((2, 3), 5, 4),
    Convolutional((2, 3), 5, 4, side=16, window=5, padded=False),
]
LENET = Convolutional((20, 50), 500, 10, side=28, window=5, padded=False)
R, P, B = 2, 3, 4


def case(network, seed=0):
    """Parameters (all of them random, biases too), features (R, P, B, p), labels."""
    rng = np.random.default_rng(seed)
    parameters = [t + 0.3 * rng.standard_normal(t.shape) for t in network.initial(rng, R)]
    features = rng.uniform(-0.5, 1, (R, P, B, network.features))
    return parameters, features, rng.integers(0, network.classes, (R, P, B))


@pytest.mark.parametrize(
    ("network", "size", "shapes"),
    [
        (FullyConnected((64, 10)), 650, [(64, 10), (10,)]),
        (
            FullyConnected((64, 64, 32, 10)),
            6570,
            [(64, 64), (64,), (64, 32), (32,), (32, 10), (10,)],
        ),
        (
            Convolutional(),
            6058,
            [(9, 8), (8,), (72, 16), (16,), (64, 64), (64,), (64, 10), (10,)],
        ),
        (
            LENET,
            431_080,
            [(25, 20), (20,), (500, 50), (50,), (800, 500), (500,), (500, 10), (10,)],
        ),
        # Of the public code of arXiv 1904.01197, NDQSG/models/Lenet.py.
        (
            Convolutional((32, 64), 512, 10, side=28, window=5),
            1_663_370,
            [(25, 32), (32,), (800, 64), (64,), (3136, 512), (512,), (512, 10), (10,)],
        ),
    ],
)
def test_number_of_parameters(network, size, shapes):
    assert network.size == size
    assert list(network.shapes) == shapes
    assert (network.features, network.classes) == (784 if size > 10_000 else 64, 10)
    assert [t.shape for t in network.initial(np.random.default_rng(0), 3)] == [(3, *s) for s in shapes]


@pytest.mark.parametrize("network", [*NETWORKS, Convolutional()], ids=repr)
def test_replicates_and_workers_alone_give_the_same(network):
    parameters, features, labels = case(network, 2)
    loss, gradients = network.loss_and_gradients(parameters, features, labels)
    for r, p in np.ndindex(R, P):
        own = [tensor[r : r + 1] for tensor in parameters]
        at = (slice(r, r + 1), slice(p, p + 1))
        alone, parts = network.loss_and_gradients(own, features[at], labels[at])
        # The products of matrices are cut into blocks by their size: a few roundings.
        np.testing.assert_allclose(alone, loss[at], rtol=1e-13)
        for gradient, part in zip(gradients, parts, strict=True):
            np.testing.assert_allclose(part, gradient[at], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("network", NETWORKS, ids=repr)
def test_single_precision_stays_single(network):
    parameters, features, labels = case(network, 4)
    loss, gradients = network.loss_and_gradients(parameters, features, labels)
    rounded = [tensor.astype(np.float32) for tensor in parameters]
    rows = features.reshape(R, P * B, -1).astype(np.float32)
    found, parts = network.unchecked_loss_and_gradients(rounded, rows, labels)
    scores = network.unchecked_logits(rounded, rows)
    assert {array.dtype for array in (found, scores, *parts)} == {np.dtype(np.float32)}
    # Roundings of 6e-8 in sums of some hundred terms of order one; no unit is that near to zero.
    np.testing.assert_allclose(found, loss, rtol=1e-5)
    for gradient, part in zip(gradients, parts, strict=True):
        np.testing.assert_allclose(part, gradient, atol=1e-5)


def centre_only(network, scale=1.0):
    """Parameters that pass an image through the first convolution."""
    parameters = [np.zeros((1, *shape)) for shape in network.shapes]
    parameters[0][0, 4] = scale
    return parameters


def test_the_first_of_equal_pixels_takes_the_derivative():
    network = Convolutional((1, 1), 2, 2)
    rng = np.random.default_rng(0)
    parameters = centre_only(network)
    for tensor in parameters[2:]:
        tensor += rng.uniform(0.1, 1, tensor.shape)
    parameters[6][0, :, 0] = 5.0
    features, labels = np.ones((1, 1, 1, 64)), np.zeros((1, 1, 1), dtype=int)
    gradients = network.loss_and_gradients(parameters, features, labels)[1]
    # Pixels of even rows and columns alone: their windows reach the zeros above and to the left only.
    window = gradients[0][0, 0, :, 0].reshape(3, 3)
    assert np.abs(window).min() > 0
    np.testing.assert_allclose(window[1:, 1:], window[1, 1], rtol=1e-12)
    np.testing.assert_array_less(np.abs(window[0]), abs(window[1, 1]))
    np.testing.assert_array_less(np.abs(window[:, 0]), abs(window[1, 1]))
