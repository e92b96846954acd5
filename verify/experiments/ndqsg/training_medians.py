"""Quantities of training runs over independent replicates, for claims on their medians.

All arms of a case get the same stream, so that methods see the same weights and rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import theory
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.compressors.contract import Draws, Message
from impl.networks import FullyConnected
from impl.optimizers import Exchange, Training, train_network
from impl.problems.data.digits import Classified, load_digits
from verify.experiments.ndqsg.training_methods import METHODS, NETWORKS, Method, Setting
from verify.experiments.ndqsg.training_record import Record, Tally
from verify.formulas.evaluation import evaluate
from verify.ndqsg.fixtures.nested_overload_oracle import conditional_error, gaussian, integrated
from verify.rungs.costs import CostCase, Ordering, Samples

Array = npt.NDArray[Any]
Codec = Callable[[int, int], NestedDitheredQuantizer]

COPIES = 16
"""Copies of the training rows from which large batches are drawn: nearly with replacement."""


class BesideOwnGradient(NestedDitheredQuantizer):
    """Sabotage: decodes beside the gradient of the sender, which no receiver has."""

    _given: Any = None

    def message(self, x: Any, draws: Draws) -> Message:
        self._given = np.asarray(x)
        return super().message(x, draws)

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        return super().reconstruct(message, shared, self._given)


class CommonRows(FullyConnected):
    """Every worker takes the rows of the first one: gradients are common."""

    def loss_and_gradients(
        self, parameters: Sequence[Array], features: Any, labels: Any
    ) -> tuple[Array, list[Array]]:
        features, labels = np.asarray(features), np.asarray(labels)
        return super().loss_and_gradients(
            parameters,
            np.broadcast_to(features[:, :1], features.shape),
            np.broadcast_to(labels[:, :1], labels.shape),
        )


@dataclass(frozen=True)
class Arm:
    """A nested method in a setting, and how it is measured.

    Args:
        name: For the report.
        levels: M.
        ratio: k.
        setting: The runs.
        replicates: How many.
        every: Iterations that are recorded: each of this number.
        codec: Codec of the second group by M and k.
        blocks: Block size of all codecs; not together with a codec.
        common: Whether gradients are common to all workers.
        copied: Whether rows are drawn from `COPIES` copies of the training rows.
        adaptive: Whether the ratio follows the rule.

    Raises:
        ValueError: Blocks and a codec are both given.
    """

    name: str
    levels: int
    ratio: int
    setting: Setting = field(default_factory=Setting)
    replicates: int = 40
    every: int = 1
    codec: Codec = NestedDitheredQuantizer
    blocks: int | None = None
    common: bool = False
    copied: bool = False
    adaptive: bool = False

    def __post_init__(self) -> None:
        if self.blocks and self.codec is not NestedDitheredQuantizer:
            raise ValueError(f"blocks={self.blocks} and codec={self.codec!r}: give one of them")

    def _method(self) -> Method:
        first = DitheredQuantizer(self.levels, self.blocks)
        second = self.codec(self.levels, self.ratio)
        if self.blocks:
            second = NestedDitheredQuantizer(self.levels, self.ratio, blocks=self.blocks)

        def codecs(size: int, workers: int) -> Sequence[Any]:
            return [first] * (workers - workers // 2) + [second] * (workers // 2)

        return Method(self.name, codecs, self.adaptive)

    def run(self, rng: np.random.Generator, observe: Any) -> Training:
        """Train the replicates."""
        method, s = self._method(), self.setting
        codecs = method.codecs
        if not (self.common or self.copied) or codecs is None:
            return s.run(method, rng, self.replicates, observe)
        network = NETWORKS[s.network]()
        if self.common:
            assert isinstance(network, FullyConnected)
            network = CommonRows(network.widths)
        return train_network(
            network,
            copied_digits() if self.copied else load_digits(),
            lambda size: codecs(size, s.workers),
            workers=s.workers,
            step_size=s.step_size,
            iterations=s.iterations,
            batch=s.batch,
            rng=rng,
            replicates=self.replicates,
            momentum=s.momentum,
            side=s.side,
            observe=observe,
        )


def copied_digits() -> Classified:
    """Return the digits with `COPIES` copies of the training rows."""
    given = load_digits()
    features, labels = np.tile(given.features, (COPIES, 1)), np.tile(given.labels, COPIES)
    return replace(given, features=features, labels=labels)


class ByReplicate:
    """Observer of runs whose replicates are shown one by one, in turn: one record each.

    Args:
        replicates: How many there are.
    """

    def __init__(self, replicates: int) -> None:
        self.records = [Record() for _ in range(replicates)]
        self._turn = 0

    def __call__(self, iteration: int, tensor: int, exchange: Exchange) -> None:
        """Add one exchange to the record of the replicate whose turn it is."""
        self.records[self._turn % len(self.records)](iteration, tensor, exchange)
        self._turn += 1


def gaussian_ratio(deviation: float, ratio: int) -> float:
    """Return mse/D for Gaussian innovations of this deviation in fine steps."""
    return 12 * integrated(partial(conditional_error, ratio=ratio), gaussian(deviation), deviation, ratio)


def of_tensors(record: Record, biases: bool) -> Tally:
    """Return the tally of all biases, or of all weights."""
    chosen = [tally for tensor, tally in record.tensors.items() if tensor % 2 == biases]
    total = Tally()
    for name in vars(total):
        setattr(total, name, sum(getattr(tally, name) for tally in chosen))
    return total


CLIPS = "clipped indices"
"""None by theory: claimed of every arm whose messages are recorded."""

MEASURES: Mapping[str, Callable[[Arm, Record], Array]] = {
    CLIPS: lambda arm, record: np.broadcast_to(float(record.clips), record.second.ratio.shape),
    "mse/D": lambda arm, record: record.second.ratio,
    "mse/D of weights": lambda arm, record: of_tensors(record, biases=False).ratio,
    "mse/D of biases": lambda arm, record: of_tensors(record, biases=True).ratio,
    "overloads": lambda arm, record: record.second.overload_rate,
    "overloads of biases over weights": lambda arm, record: np.asarray(
        of_tensors(record, biases=True).overload_rate / of_tensors(record, biases=False).overload_rate
    ),
    "mse over the Gaussian value": lambda arm, record: np.array(
        [
            found / gaussian_ratio(float(deviation), arm.ratio)
            for found, deviation in zip(record.second.ratio, record.second.deviation, strict=True)
        ]
    ),
}
LOST = "accuracy lost"
"""Final accuracy of SGD on the same weights and rows, minus that of the method."""

NESTED_SHARE = "nested part of the second group"


@dataclass(frozen=True)
class Limit:
    """A claim on the median of one quantity.

    Args:
        measure: In `MEASURES`, `LOST` or `NESTED_SHARE`.
        arm: Name of the arm.
        sign: 1 for at least the number, -1 for at most.
        number: The number; None for the stated limit of mse/D.
    """

    measure: str
    arm: str
    sign: int = 1
    number: float | None = None

    @property
    def name(self) -> str:
        """Return the name of the quantity."""
        return f"{self.measure}, {self.arm}"


def median_case(arms: Sequence[Arm], limits: Sequence[Limit]) -> CostCase:
    """Return the case that runs the arms and judges the limits.

    Args:
        arms: What is run.
        limits: What is claimed, besides that no index of a recorded arm is clipped; an arm without a limit
            is not run.
    """
    recorded = {item.arm: None for item in limits if item.measure != LOST}
    limits = [*limits, *(Limit(CLIPS, name, -1, 0) for name in recorded)]
    limit = evaluate(theory.claim("ndqsg/finding-headline-on-training").formulas["limit"], {})
    numbers = {f"{n:g}": n for n in (limit if item.number is None else item.number for item in limits)}

    def ordering(item: Limit) -> Ordering:
        number = f"{limit if item.number is None else item.number:g}"
        return Ordering(number, item.name, 1.0) if item.sign > 0 else Ordering(item.name, number, 1.0)

    def samples(stream: Callable[[int], Any]) -> dict[str, Samples]:
        found: dict[str, Array] = {}
        for arm in arms:
            wanted = {item.measure for item in limits if item.arm == arm.name}
            if wanted:
                measured = measure(arm, wanted, stream)
                found |= {f"{name}, {arm.name}": values for name, values in measured.items()}
        replicates = max(arm.replicates for arm in arms)
        found |= {name: np.full(replicates, number) for name, number in numbers.items()}
        return {name: (values, values) for name, values in found.items()}

    return CostCase(samples, [ordering(item) for item in limits])


def measure(arm: Arm, wanted: set[str], stream: Callable[[int], Any]) -> dict[str, Array]:
    """Return the wanted quantities of an arm, (R,) each."""
    if arm.adaptive:
        return _adaptive(arm, wanted, stream)
    record = Record()

    def observe(iteration: int, tensor: int, exchange: Exchange) -> None:
        if iteration % arm.every == 0:
            record(iteration, tensor, exchange)

    result = arm.run(stream(0), observe if wanted - {LOST} else None)
    found = {name: MEASURES[name](arm, record) for name in wanted - {LOST}}
    if LOST in wanted:
        plain = arm.setting.run(METHODS["sgd"], stream(0), arm.replicates)
        found[LOST] = plain.accuracy[:, -1] - result.accuracy[:, -1]
    return found


def _adaptive(arm: Arm, wanted: set[str], stream: Callable[[int], Any]) -> dict[str, Array]:
    seen = ByReplicate(arm.replicates)
    arm.run(stream(0), seen)
    found = {}
    for name in wanted:
        if name == NESTED_SHARE:
            # Every second message is one of the second group.
            found[name] = np.array(
                [2 * r.nested_messages / (r.nested_messages + r.dithered_messages) for r in seen.records]
            )
        else:
            found[name] = np.concatenate([MEASURES[name](arm, record) for record in seen.records])
    return found
