"""Whether networks score rows, and lose, as their layers written out unit by unit and pixel by pixel."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from impl.networks import Convolutional, FullyConnected
from impl.problems import NetworkLoss
from verify.authoring import Comparisons, eq
from verify.comparison import DIFFERENCES, ROUND_OFF, SINGLE_PRECISION
from verify.conformance.leading_axes import axes_of_problems
from verify.conformance.node_functions import same

Scored = Callable[[Any], Any]
OTHER_SCORES: tuple[Any, ...] = (
    "other-scores at exact/networks: All scores, losses and derivatives are larger, by more for later ones.",
    {
        "scored": lambda found: (
            1.00001 * np.asarray(found) + 1e-5 * np.arange(1, np.size(found) + 1).reshape(np.shape(found))
        )
    },
)
"""A mutant of a check `networks` whose law has `scored`."""
_STEP = 1e-5
_REPLICATES, _WORKERS, _ROWS = 2, 3, 2


def scored(found: Any) -> Any:
    """Return what a network gives as it is."""
    return found


def literal_scores(network: Any, tensors: Sequence[Any], row: Sequence[float]) -> list[float]:
    """Return the scores of one row, given one array for each tensor."""
    if isinstance(network, FullyConnected):
        return _layers(tensors, list(row))
    side = network.side
    image = [[[row[side * a + b]] for b in range(side)] for a in range(side)]
    for layer in (0, 2):
        image = _pooled(_convolved(network, image, tensors[layer], tensors[layer + 1]))
    return _layers(tensors[4:], [c for line in image for pixel in line for c in pixel])


def _layers(tensors: Sequence[Any], row: list[float]) -> list[float]:
    for layer in range(0, len(tensors), 2):
        weights, biases = tensors[layer], tensors[layer + 1]
        row = [max(item, 0.0) for item in row] if layer else row
        row = [
            sum(row[i] * float(weights[i, j]) for i in range(len(row))) + float(biases[j])
            for j in range(len(biases))
        ]
    return row


def _convolved(network: Convolutional, image: Any, weights: Any, biases: Any) -> Any:
    """Return one value for each window and channel: pixels of a window row by row, channels together."""
    window, margin = network.window, network.window // 2 if network.padded else 0
    side, channels = len(image), len(image[0][0])
    places = range(-margin, side + margin - window + 1)

    def at(a: int, b: int, c: int) -> float:
        return float(image[a][b][c]) if 0 <= a < side and 0 <= b < side else 0.0

    def value(a: int, b: int, k: int) -> float:
        total = float(biases[k])
        for i in range(window):
            for j in range(window):
                for c in range(channels):
                    total += at(a + i, b + j, c) * float(weights[(i * window + j) * channels + c, k])
        return total

    return [[[value(a, b, k) for k in range(len(biases))] for b in places] for a in places]


def _pooled(image: Any) -> Any:
    """Return the largest of each 2 x 2 pixels, rectified."""
    half, channels = range(len(image) // 2), range(len(image[0][0]))
    return [
        [
            [max(0.0, *(image[2 * a + i][2 * b + j][k] for i in (0, 1) for j in (0, 1))) for k in channels]
            for b in half
        ]
        for a in half
    ]


def _literal_loss(scores: Sequence[float], label: int) -> float:
    """Return the cross-entropy of one row."""
    most = max(scores)
    return math.log(sum(math.exp(item - most) for item in scores)) + most - scores[label]


def network_functions(judged: Scored, networks: Mapping[str, Any], seed: int) -> Comparisons:
    """Compare weights at the start, scores, losses, derivatives and accuracies with those written out.

    Args:
        judged: `scored` or a mutant.
        networks: Name to a small network.
        seed: Of rows and weights.
    """
    for name, network in networks.items():
        at = {"network": name}
        rng, again = (np.random.Generator(np.random.Philox(seed)) for _ in range(2))
        weights = network.initial(rng, _REPLICATES)
        drawn = [
            np.zeros((_REPLICATES, *shape))
            if len(shape) == 1
            else math.sqrt(2 / math.prod(shape[:-1])) * again.standard_normal((_REPLICATES, *shape))
            for shape in network.shapes
        ]
        differing = sum(int((judged(a) != b).sum()) for a, b in zip(weights, drawn, strict=True))
        yield eq("weights that start elsewhere", differing, 0, witness=at)
        count = float(sum(part[0].size for part in drawn))
        yield eq("number of weights", float(np.ravel(judged(network.size))[0]), count, ROUND_OFF, witness=at)
        weights = [part + rng.standard_normal(part.shape) / 4 for part in weights]
        x = rng.standard_normal((_REPLICATES, _WORKERS, _ROWS, network.features))
        y = np.arange(_REPLICATES * _WORKERS * _ROWS).reshape(x.shape[:-1]) % network.classes
        yield from _of_rows(judged, network, weights, x, y, at)
        yield from _slopes(judged, network, weights, x, y, at)
        yield from _of_rows(
            judged, network, [40 * part for part in weights], 10 * x, y, {**at, "scores": "large"}
        )


def _of_rows(judged: Scored, network: Any, weights: Any, x: Any, y: Any, at: Any) -> Comparisons:
    """Compare scores, losses and accuracies."""
    literal = np.array(
        [
            [
                literal_scores(network, [part[r] for part in weights], row)
                for row in rows.reshape(-1, len(rows.T))
            ]
            for r, rows in enumerate(x.reshape(_REPLICATES, -1, network.features))
        ]
    )
    flat, common = x.reshape(_REPLICATES, -1, network.features), x[0].reshape(-1, network.features)
    shared = np.array(
        [[literal_scores(network, [part[r] for part in weights], row) for row in common] for r in range(2)]
    )
    yield same("scores of rows", judged(network.logits(weights, flat)), literal, ROUND_OFF, at)
    yield same("scores of rows", judged(network.logits(weights, common)), shared, ROUND_OFF, at)
    yield same("scores of rows", judged(network.unchecked_logits(weights, flat)), literal, ROUND_OFF, at)
    labels, own = y.reshape(_REPLICATES, -1), literal.tolist()
    losses = [
        [_literal_loss(s, int(k)) for s, k in zip(a, b, strict=True)]
        for a, b in zip(own, labels, strict=True)
    ]
    means = np.array(losses).reshape(_REPLICATES, _WORKERS, _ROWS).mean(axis=-1)
    yield same(
        "losses of workers", judged(network.loss_and_gradients(weights, x, y)[0]), means, ROUND_OFF, at
    )
    right = [
        [int(np.argmax(s)) == k for s, k in zip(part.tolist(), labels[0], strict=True)] for part in shared
    ]
    found = judged(network.accuracy(weights, common, labels[0]))
    yield same("shares of rows in their class", found, np.mean(right, axis=1), ROUND_OFF, at)


def _slopes(judged: Scored, network: Any, weights: Any, x: Any, y: Any, at: Any) -> Comparisons:
    """Compare gradients of workers with differences of losses along one direction for each tensor."""
    gradients = network.loss_and_gradients(weights, x, y)[1]
    for place, part in enumerate(weights):
        along = np.cos(np.arange(1.0, part[0].size + 1)).reshape(part.shape[1:])
        moved = [
            [w + sign * _STEP * along if i == place else w for i, w in enumerate(weights)] for sign in (1, -1)
        ]
        up, down = (network.loss_and_gradients(item, x, y)[0] for item in moved)
        axes = tuple(range(2, gradients[place].ndim))
        slope = judged((gradients[place] * along).sum(axis=axes))
        yield same("slopes of losses", slope, (up - down) / (2 * _STEP), DIFFERENCES, {**at, "tensor": place})


def network_losses(judged: Scored, networks: Mapping[str, FullyConnected], seed: int) -> Comparisons:
    """Compare a problem of all clients with its network at the rows of each.

    Args:
        judged: `scored` or a mutant.
        networks: Name to a small network.
        seed: Of rows and points.
    """
    for name, network in networks.items():
        at, rng = {"problem": name}, np.random.Generator(np.random.Philox(seed))
        rows, labels = rng.standard_normal((6, network.features)), np.arange(6) % network.classes
        problem = NetworkLoss(network, rows, labels, 3)
        X = problem.start(rng, 2) + rng.standard_normal((2, network.size)) / 4
        ends = np.cumsum([0, *(math.prod(shape) for shape in network.shapes)])
        tensors = [
            X[:, a:b].reshape(2, *shape) for a, b, shape in zip(ends, ends[1:], network.shapes, strict=False)
        ]
        clients = np.broadcast_to(rows.reshape(3, 2, -1), (2, 3, 2, network.features))
        losses, parts = network.loss_and_gradients(
            tensors, clients, np.broadcast_to(labels.reshape(3, 2), (2, 3, 2))
        )
        slopes = np.concatenate([part.reshape(2, 3, -1) for part in parts], axis=-1)
        objective, gradients = problem.evaluate(X)
        nodes = [problem.evaluate_node(i, X[1]) for i in range(3)]
        off = (slopes[::-1] * (X - X[::-1])[:, None]).sum(axis=-1)
        found = {
            "values": (problem.objectives(X), losses),
            "mean values": (objective, losses.mean(axis=-1)),
            "value": (problem.evaluate(X[0])[0], losses[0].mean()),
            "slopes": (problem.gradients(X), slopes),
            "slopes with values": (gradients, slopes),
            "values of clients": ([value for value, _ in nodes], losses[1]),
            "slopes of clients": ([slope for _, slope in nodes], slopes[1]),
            "divergences": (problem.bregman(X, X[::-1]), losses - losses[::-1] - off),
        }
        for what, (fast, literal) in found.items():
            yield same(f"losses of clients: {what}", judged(fast), literal, ROUND_OFF, at)
        yield from axes_of_problems(judged, {name: problem})
        single = NetworkLoss(network, rows, labels, 3, precision="single").gradients(X)
        yield same("losses of clients: single slopes", judged(single), slopes, SINGLE_PRECISION, at)
