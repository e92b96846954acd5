"""Training on MNIST with dithered and nested messages (arXiv 1904.01197, its public code).

The fully connected network is 784-300-100-10 with 266 610 parameters, its start truncated normal of deviation
0.1 with biases of 0.1, the step falls by a tenth in each epoch: the protocol of the public code. The batch is
192 rows over all workers (200 there, which 16 workers do not share evenly). Training rows are the first
19 000, so that an epoch has 98 iterations; the first step is 0.5 in the place of 0.01, with which 1500
iterations of SGD come to an accuracy of 0.886 only.

LeNet has the sizes of Caffe's example, 431 080 parameters. The convolutional network of the public code
(NDQSG/models/Lenet.py) is wider: padded 5 x 5 convolutions with 32 and 64 channels, 512 units, 1 663 370
parameters. The start and the batch are those of the fully connected one.

Gradients are those of float32 arithmetic on MNIST, messages of float64. Bits of payload and scales are
counted, without headers: raw ones in every iteration, coded ones in every fifth.
"""

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.range_coder import RangeCoder
from impl.compressors import DitheredQuantizer, TopK
from impl.errors import ArgumentError
from impl.networks import Convolutional, FullyConnected, Network
from impl.optimizers import Exchange, Memory, QuantizedEstimator
from impl.problems import load_digits, load_mnist
from impl.problems.data.digits import Classified
from verify.experiments.ndqsg.message_bits import ideal_lengths, symbol_counts
from verify.experiments.ndqsg.training_costs import symbols_of
from verify.experiments.ndqsg.training_methods import METHODS
from verify.experiments.ndqsg.training_record import messages_of
from verify.ndqsg.fixtures.literal.literal_range_coder import adaptive

Array = npt.NDArray[Any]
Codecs = Callable[[int, int], Sequence[Any]]

FLOAT_BITS = 32
COUNTED, LOOKED_AT, CODED, TESTED = 5, 20, 40, 10
"""Bits are counted, layers looked at, messages coded, rows tested after so many iterations each."""
TEST_ROWS = 500
"""Rows that pass a convolutional network together in a test; their windows take a megabyte for 10."""
KEPT = 100
"""Top-k sends one entry in so many."""

PROTOCOL: Mapping[str, Codecs | None] = {
    "sgd": None,
    "dqsg-3": METHODS["dqsg-3"].codecs,
    "nested-3-3": METHODS["nested-3-3"].codecs,
    "qsgd": METHODS["qsgd"].codecs,
    "terngrad": METHODS["terngrad"].codecs,
    "one-bit": METHODS["one-bit"].codecs,
    "top-k": lambda size, workers: [Memory(TopK(max(1, size // KEPT), value_bits=FLOAT_BITS))] * workers,
}
"""Methods that are compared: of dithered ones M = 3, of nested ones half of the workers with k = 3."""


@dataclass(frozen=True)
class Plan:
    """What is trained.

    Args:
        data: "mnist" or "digits".
        widths: Of a fully connected network; channels of both convolutions, units and classes of LeNet.
        workers: P, even.
        batch: Rows of an iteration, over all workers.
        step_size: Of the first epoch.
        decay: What the step is multiplied by after each epoch.
        iterations: T.
        precision: Of the gradients, "single" or "double".
        network: "fully-connected" or "lenet". On the digits, of 8 x 8 pixels, the convolutions of LeNet are
            padded and have windows of 3 x 3.
        tested_rows: Of the rows for testing one in so many is taken.
    """

    data: str = "mnist"
    widths: tuple[int, ...] = (784, 300, 100, 10)
    workers: int = 8
    batch: int = 192
    step_size: float = 0.5
    decay: float = 0.9
    iterations: int = 490
    precision: str = "single"
    network: str = "fully-connected"
    tested_rows: int = 1

    def built(self) -> Network:
        """Return the network."""
        if self.network == "fully-connected":
            return FullyConnected(self.widths)
        a, b, hidden, classes = self.widths
        if self.data == "digits":
            return Convolutional((a, b), hidden, classes)
        return Convolutional((a, b), hidden, classes, side=28, window=5, padded=False)

    @property
    def rows(self) -> Classified:
        """Return the data."""
        return load_mnist() if self.data == "mnist" else load_digits()


PLANS: Mapping[str, Plan] = {
    "fully-connected": Plan(),
    "lenet": Plan(widths=(20, 50, 500, 10), step_size=0.1, iterations=196, network="lenet", tested_rows=2),
}
"""What is measured, by network; with LeNet two epochs."""


@dataclass
class Layer:
    """What was seen of a tensor in one iteration.

    Attributes:
        iteration: Which.
        correlation: Mean over pairs of workers of the scalar products of their gradients, relative to the
            mean square.
        outside: Share of coordinates of nested messages with |z| > (k - 1) / 2; NaN without nested ones.
        error: Their mean square error over D.
        deviation: Root mean square of z, in fine steps.
    """

    iteration: int
    correlation: float
    outside: float
    error: float
    deviation: float


@dataclass
class Course:
    """What a run did up to each test.

    Attributes:
        tested: After how many iterations, (E,).
        accuracy: Share of test rows in their class, (E,).
        raw: Bits of all workers together, as the codecs send them, (E,).
        coded: The same by an adaptive code where that is shorter, ideal lengths, (E,).
        seconds: CPU seconds of the process, those of an iteration taken as their median, (E,).
        really: Bits of messages by the range coder, over their ideal length; NaN without any.
        layers: Tensors, each with what was seen of it.
    """

    tested: list[int] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    raw: list[float] = field(default_factory=list)
    coded: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    really: float = float("nan")
    layers: dict[int, list[Layer]] = field(default_factory=dict)

    def at(self, quantity: Sequence[float], accuracy: float) -> float:
        """Return bits, seconds or iterations at which an accuracy is first seen, linear between tests.

        Infinite where it never is.
        """
        seen = np.asarray(self.accuracy)
        hits = np.flatnonzero(seen >= accuracy)
        if not len(hits):
            return float("inf")
        place = int(hits[0])
        if not place:
            return float(quantity[0])
        part = (accuracy - seen[place - 1]) / (seen[place] - seen[place - 1])
        return float(quantity[place - 1] + part * (quantity[place] - quantity[place - 1]))


class Counts:
    """Bits and layers of observed exchanges."""

    def __init__(self) -> None:
        self.coded, self.ideal, self.real = 0.0, 0.0, 0.0
        self.iteration, self.tensor, self.look, self.code = 0, 0, False, False
        self.layers: dict[int, list[Layer]] = {}

    def __call__(self, exchange: Exchange) -> None:
        """Add what travelled for one tensor."""
        for workers, message in exchange.messages:
            self._count(exchange.compressors[workers.start], message)
        if self.look:
            self.layers.setdefault(self.tensor, []).append(layer_of(exchange, self.iteration))

    def _count(self, codec: Any, message: Any) -> None:
        if isinstance(codec, Memory):
            self.coded += float(np.sum(message.bits))
            return
        alphabet, offset = symbols_of(codec)
        digits = message.symbols.reshape(-1, message.shape[-1]) + offset
        ideal = ideal_lengths(symbol_counts(digits, alphabet))
        scales = codec.norm_bits * message.scales.shape[-1]
        self.coded += float(np.minimum(ideal + scales, np.ravel(message.bits)).sum())
        if self.code and isinstance(codec, DitheredQuantizer):
            self.ideal += float(ideal[0])
            self.real += range_code_bits(alphabet, digits[0])


def range_code_bits(alphabet: int, digits: Any) -> int:
    """Return the length of the adaptive range code; literally, the same number, without constriction."""
    try:
        coder = RangeCoder(alphabet)
    except ArgumentError:
        return adaptive(digits.tolist(), alphabet).bits
    return coder.bits(digits)


def layer_of(exchange: Exchange, iteration: int) -> Layer:
    """Return correlation of the gradients of one tensor, and what nesting made of it."""
    gradients = exchange.gradients[0]
    P = len(gradients)
    squares, total = float((gradients**2).sum()), float((gradients.sum(axis=0) ** 2).sum())
    correlation = (total - squares) / ((P - 1) * squares) if squares else float("nan")
    count = outside = error = innovation = 0.0
    for found in messages_of(exchange):
        if found.innovations is None:
            continue
        z = found.innovations[np.isfinite(found.innovations)]
        count += z.size
        outside += float(np.count_nonzero(np.abs(z) > (found.codec.ratio - 1) / 2))
        innovation += float((z**2).sum())
        error += float(np.nansum(found.errors**2))
    if not count:
        return Layer(iteration, correlation, *3 * (float("nan"),))
    return Layer(iteration, correlation, outside / count, 12 * error / count, (innovation / count) ** 0.5)


def start(network: Network, rng: np.random.Generator) -> list[Array]:
    """Return normal weights of deviation 0.1, cut at twice that, and biases of 0.1."""
    found = []
    for shape in network.shapes:
        tensor = np.full(shape, 0.1)
        if len(shape) > 1:
            tensor = rng.standard_normal(shape)
            while (beyond := np.abs(tensor) > 2).any():
                tensor[beyond] = rng.standard_normal(int(beyond.sum()))
            tensor *= 0.1
        found.append(tensor[None])
    return found


@functools.cache
def images(data: str, precision: str) -> tuple[Array, Array]:
    """Return the rows for training and for testing in this precision."""
    rows = Plan(data).rows
    return rows.features.astype(precision), rows.test_features.astype(precision)


def train(plan: Plan, codecs: Codecs | None, seed: int, *, counted: bool = True) -> Course:
    """Train once; runs of equal seeds have equal starts and rows whatever the method is.

    Args:
        plan: What is trained.
        codecs: Codecs of the workers for the size of a tensor; None for numbers of 32 bits.
        seed: Of all streams.
        counted: Whether coded bits are counted and layers looked at.
    """
    network, rows = plan.built(), plan.rows
    features, tests = images(plan.data, plan.precision)
    tests, labels = tests[:: plan.tested_rows], rows.test_labels[:: plan.tested_rows]
    rows_rng = np.random.default_rng([seed, 0])
    weights = start(network, rows_rng)
    links = [
        None
        if codecs is None
        else QuantizedEstimator(own, np.random.default_rng([seed, 1, tensor]), side="sequential")
        for tensor, own in enumerate(_codecs(codecs, network, plan.workers))
    ]
    counts, course, spent = Counts(), Course(), []
    raw = coded = last = 0.0
    epoch = len(features) // plan.batch
    for t in range(plan.iterations + 1):
        if t % TESTED == 0 or t == plan.iterations:
            course.tested.append(t)
            course.accuracy.append(_accuracy(network, weights, tests, labels))
            course.raw.append(raw)
            course.coded.append(coded)
        if t == plan.iterations:
            break
        began = time.process_time()
        if t % epoch == 0:
            order = rows_rng.permutation(len(features))
        chosen = order[t % epoch * plan.batch :][: plan.batch]
        gradients = _gradients(network, weights, features[chosen], rows.labels[chosen], plan.workers)
        watched = counted and codecs is not None and t % COUNTED == 0
        counts.iteration, counts.look, counts.code = t, t % LOOKED_AT == 0, t % CODED == 0
        before = counts.coded
        step = plan.step_size * plan.decay ** (t // epoch)
        for tensor, (link, gradient) in enumerate(zip(links, gradients, strict=True)):
            if link is None:
                decoded = gradient
                raw += FLOAT_BITS * gradient.size
            else:
                counts.tensor, link.observe = tensor, counts if watched else None
                decoded, bits = link.exchange(gradient.reshape(1, plan.workers, -1))
                raw += float(bits.sum())
            mean = decoded.mean(axis=1).reshape(weights[tensor].shape)
            weights[tensor] = weights[tensor] - step * mean
        if not watched:
            spent.append(time.process_time() - began)
        last = counts.coded - before if watched else last
        coded = raw if codecs is None else coded + last
    course.seconds = [t * float(np.median(spent)) for t in course.tested]
    course.really = counts.real / counts.ideal if counts.ideal else float("nan")
    course.layers = counts.layers
    return course


def _codecs(codecs: Codecs | None, network: Network, workers: int) -> list[Any]:
    sizes = [int(np.prod(shape)) for shape in network.shapes]
    return [None if codecs is None else codecs(size, workers) for size in sizes]


def _accuracy(network: Network, weights: Sequence[Array], rows: Array, labels: Array) -> float:
    """Return the share of rows (N, p) in their class, in the arithmetic of the rows."""
    rounded = [tensor.astype(rows.dtype) for tensor in weights]
    together = TEST_ROWS if isinstance(network, Convolutional) else len(rows)
    found = [
        network.unchecked_logits(rounded, rows[None, at : at + together])[0].argmax(axis=-1)
        for at in range(0, len(rows), together)
    ]
    return float((np.concatenate(found) == labels).mean())


def _gradients(
    network: Network, weights: Sequence[Array], rows: Array, labels: Array, workers: int
) -> list[Array]:
    """Return the gradients of the workers, (1, P, *shape) per tensor, in the arithmetic of the rows."""
    rounded = [tensor.astype(rows.dtype) for tensor in weights]
    by_worker = labels.reshape(1, workers, -1)
    _, found = network.unchecked_loss_and_gradients(rounded, rows[None], by_worker)
    return [tensor.astype(np.float64) for tensor in found]
