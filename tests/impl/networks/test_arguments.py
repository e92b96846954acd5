"""Wrong arguments: one clear error each."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.networks import Convolutional, FullyConnected

NETWORK = FullyConnected((3, 2))
PARAMETERS = [np.ones((2, 3, 2)), np.ones((2, 2))]
ROWS, LABELS = np.ones((2, 1, 4, 3)), np.zeros((2, 1, 4), dtype=int)


@pytest.mark.parametrize("widths", [(), (64,), (64, 0), (64, 2.0), (True, 10), 64, "ab", None])
def test_widths(widths):
    with pytest.raises(ArgumentError, match=r"FullyConnected: widths=.* must be two or more positive whole"):
        FullyConnected(widths)


@pytest.mark.parametrize(
    "sizes", [((8,),), ((8, 0),), (8,), ((8, 16), 0), ((8, 16), 64, 1.5), (None,), ((8, 16), "a")]
)
def test_sizes_of_a_convolutional_network(sizes):
    with pytest.raises(ArgumentError, match=r"Convolutional: channels=.* must be two, one and one positive"):
        Convolutional(*sizes)


@pytest.mark.parametrize(
    "sizes",
    [
        {"side": 10},
        {"side": 8, "window": 4},
        {"side": 28, "window": 4, "padded": False},
        {"side": 8, "window": 5, "padded": False},
        {"side": 0},
        {"side": 8.0},
        {"window": 0},
        {"window": "3"},
    ],
)
def test_images_and_windows(sizes):
    with pytest.raises(ArgumentError, match=r"Convolutional: side=.* and window=.* must be positive whole"):
        Convolutional(**sizes)


def test_they_are_printed_as_they_are_made():
    for network in (
        FullyConnected((64, 64, 32, 10)),
        Convolutional((2, 3), 5, 4),
        Convolutional(side=16, window=5),
    ):
        assert eval(repr(network)).shapes == network.shapes


@pytest.mark.parametrize(
    ("features", "labels", "message"),
    [
        (ROWS[0], LABELS, r"features \(1, 4, 3\) and labels \(2, 1, 4\) must have shapes \(R, P, B, p\)"),
        (ROWS, LABELS[:, :, :2], "must have shapes"),
        (ROWS[:, :, :0], LABELS[:, :, :0], "none of them 0"),
        (ROWS[:1], LABELS[:1], r"features of shape \(1, 4, 3\) must be rows of 3 entries, .* each of 2"),
        (ROWS[..., :2], LABELS, "must be rows of 3 entries"),
        (ROWS, LABELS + 2, r"labels\[0, 0, 0\] = 2; labels must be whole numbers from 0 to 1"),
        (ROWS, LABELS - 1, "labels must be whole numbers from 0 to 1"),
        (ROWS, LABELS + 0.0, "labels of dtype float64 must be whole numbers from 0 to 1"),
        (ROWS * [1, np.nan, 1], LABELS, r"features\[0, 0, 0, 1\] = nan must be finite"),
        (ROWS * [1, 1, np.inf], LABELS, r"features\[0, 0, 0, 2\] = inf must be finite"),
        ("rows", LABELS, "features must be real numbers"),
    ],
)
def test_rows_and_labels(features, labels, message):
    with pytest.raises(ArgumentError, match=f"FullyConnected: .*{message}"):
        NETWORK.loss_and_gradients(PARAMETERS, features, labels)


@pytest.mark.parametrize(
    "parameters",
    [
        [],
        PARAMETERS[:1],
        [tensor[0] for tensor in PARAMETERS],
        [PARAMETERS[0], np.ones((1, 2))],
        [tensor[:0] for tensor in PARAMETERS],
    ],
)
def test_parameters(parameters):
    for call in (
        lambda: NETWORK.loss_and_gradients(parameters, ROWS, LABELS),
        lambda: NETWORK.logits(parameters, ROWS[0, 0]),
        lambda: NETWORK.accuracy(parameters, ROWS[0, 0], LABELS[0, 0]),
    ):
        with pytest.raises(
            ArgumentError, match=r"must be \(R, \*shape\) .*\[\(3, 2\), \(2,\)\]; `initial` gives"
        ):
            call()


def test_rows_to_be_tested():
    for rows, labels, message in [
        (np.ones((4, 2)), [0] * 4, r"features of shape \(4, 2\) must be \(N, 3\), N at least 1"),
        (np.ones((0, 3)), [], "N at least 1"),
        (np.ones((2, 4, 3)), [0] * 4, "N at least 1"),
        (np.ones((4, 3)), [0] * 3, r"labels of shape \(3,\) must be \(4,\), one per row"),
        (np.ones((4, 3)), [0, 1, 2, 0], "labels must be whole numbers from 0 to 1"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            NETWORK.accuracy(PARAMETERS, rows, labels)
    with pytest.raises(ArgumentError, match="must be rows of 3 entries"):
        NETWORK.logits(PARAMETERS, np.ones((3, 4, 3)))


def test_initial():
    with pytest.raises(ArgumentError) as error:
        NETWORK.initial(5, 0)
    for part in (
        "rng=5 must be a numpy.random.Generator; numpy.random.default_rng(0) makes",
        "replicates=0 must be a whole number",
    ):
        assert part in str(error.value)
