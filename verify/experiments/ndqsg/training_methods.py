"""Methods and settings of the training experiments: which codec each worker uses for which tensor."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from impl.compressors import (
    DitheredQuantizer,
    NestedDitheredQuantizer,
    OneBit,
    StochasticQuantizer,
    TernGrad,
)
from impl.networks import Convolutional, FullyConnected, Network
from impl.optimizers import Training, train_network
from impl.problems.data.digits import load_digits
from verify.ndqsg.fixtures.ratio_rule import chosen_ratio

# Entries of a tensor and number of workers to one codec per worker.
Codecs = Callable[[int, int], Sequence[Any]]

CLIP = 2.5
"""Standard deviations at which TernGrad clips."""

NETWORKS: Mapping[str, Callable[[], Network]] = {
    "softmax": lambda: FullyConnected((64, 10)),
    "fully-connected": lambda: FullyConnected((64, 64, 32, 10)),
    "convolutional": Convolutional,
}


@dataclass(frozen=True)
class Method:
    """How the workers of a run compress.

    Args:
        label: For records; figures have labels of their own (`verify/figures/ndqsg_training_styles.py`).
        codecs: Codecs, None for gradients that travel as they are.
        adaptive: Whether the ratio of nested messages follows the rule of `ndqsg/side-information`.
    """

    label: str
    codecs: Codecs | None
    adaptive: bool = False


def _all(codec: Callable[[int], Any]) -> Codecs:
    return lambda size, workers: [codec(size)] * workers


def _half(levels: int, ratio: int) -> Codecs:
    def codecs(size: int, workers: int) -> Sequence[Any]:
        second = workers // 2
        plain, nested = DitheredQuantizer(levels), NestedDitheredQuantizer(levels, ratio)
        return [plain] * (workers - second) + [nested] * second

    return codecs


METHODS: Mapping[str, Method] = {
    "sgd": Method("SGD, 32 bits", None),
    "dqsg-1": Method("DQSG, M = 1", _all(lambda size: DitheredQuantizer(1))),
    "dqsg-3": Method("DQSG, M = 3", _all(lambda size: DitheredQuantizer(3))),
    "nested-1-2": Method("half NDQSG, M = 1, k = 2", _half(1, 2)),
    "nested-3-3": Method("half NDQSG, M = 3, k = 3", _half(3, 3)),
    "nested-3-5": Method("half NDQSG, M = 3, k = 5", _half(3, 5)),
    "nested-adaptive": Method("half NDQSG, M = 3, k by the rule", _half(3, 5), adaptive=True),
    "rounding-1": Method("stochastic rounding, M = 1", _all(lambda size: _rounding(1))),
    "rounding-3": Method("stochastic rounding, M = 3", _all(lambda size: _rounding(3))),
    "qsgd": Method(r"QSGD, $s=\sqrt{d}$", _all(lambda size: StochasticQuantizer(1 / qsgd_levels(size)))),
    "terngrad": Method("TernGrad, clipped", _all(lambda size: TernGrad(CLIP))),
    "one-bit": Method("one bit with feedback", _all(lambda size: OneBit(norm_bits=32))),
}


def _rounding(levels: int) -> StochasticQuantizer:
    return StochasticQuantizer(1 / levels, norm="max", code="dense-gamma")


def qsgd_levels(size: int) -> int:
    """Return s for a tensor of this size."""
    return max(1, round(math.sqrt(size)))


@dataclass(frozen=True)
class Setting:
    """A training run of the specification's section 8, without its method.

    Args:
        network: Name in `NETWORKS`.
        workers: P, even.
        batch: Rows of an iteration over all workers.
        step_size: Step size.
        momentum: Factor of the last direction.
        iterations: T.
        side: What nested messages are decoded beside.
    """

    network: str = "softmax"
    workers: int = 8
    batch: int = 128
    step_size: float = 0.5
    momentum: float = 0.0
    iterations: int = 200
    side: Any = "sequential"

    def run(
        self,
        method: Method,
        rng: np.random.Generator,
        replicates: int,
        observe: Any = None,
        start: Any = None,
    ) -> Training:
        """Train; runs with equal streams see equal rows whatever the method is."""
        codecs = method.codecs
        return train_network(
            NETWORKS[self.network](),
            load_digits(),
            None if codecs is None else lambda size: codecs(size, self.workers),
            workers=self.workers,
            step_size=self.step_size,
            iterations=self.iterations,
            batch=self.batch,
            rng=rng,
            replicates=replicates,
            momentum=self.momentum,
            side=self.side,
            choose=chosen_ratio if method.adaptive else None,
            observe=observe,
            start=start,
        )
