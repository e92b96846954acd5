"""Distributed gradient descent with dithered and nested messages that records every innovation.

Half of the P workers send dithered messages, the others nested ones; f is a quadratic, each worker adds noise
to its gradient. Arrays are (replicates, workers, d).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer

Array = npt.NDArray[Any]
Side = Callable[[Array], Array]


@dataclass(frozen=True)
class Setting:
    """A run.

    Args:
        levels: M of both quantizers.
        ratio: k of the nested one.
        noise: Standard deviation of a worker's noise in each coordinate.
        workers: P, even.
        d: Dimension.
        rounds: Iterations.
        sequential: Side information is the mean of all messages before it, else that of the first group.
    """

    levels: int = 3
    ratio: int = 3
    noise: float = 0.15
    workers: int = 4
    d: int = 32
    rounds: int = 20
    sequential: bool = True


@dataclass(frozen=True)
class Round:
    """All nested messages of one iteration, each (replicates, second group, d), in their own fine steps.

    Args:
        innovations: z = (g - y) / delta.
        errors: (decoded - g) / delta.
        wrong: Whether the decoded index is not the one sent.
    """

    innovations: Array
    errors: Array
    wrong: Array


def recorded(
    setting: Setting, rng: np.random.Generator, replicates: int, side: Side | None = None
) -> Iterator[Round]:
    """Run and yield what happened in each iteration.

    Args:
        setting: The run.
        rng: Its generator.
        replicates: Independent runs.
        side: Sabotage: what the receiver takes for the side information y, from y.
    """
    first = DitheredQuantizer(setting.levels)
    nested = NestedDitheredQuantizer(setting.levels, setting.ratio)
    half = setting.workers // 2
    x = np.ones((replicates, setting.d)) * np.linspace(-1, 1, setting.d)
    for _ in range(setting.rounds):
        noise = rng.standard_normal((replicates, setting.workers, setting.d)) * setting.noise
        gradients = x[:, None, :] + noise
        decoded = [first.sample(gradients[:, p], rng) for p in range(setting.workers - half)]
        rows: list[tuple[Array, Array, Array]] = []
        for p in range(setting.workers - half, setting.workers):
            g, known = gradients[:, p], decoded if setting.sequential else decoded[: setting.workers - half]
            y = np.mean(known, axis=0)
            used = y if side is None else side(y)
            draws = nested.draw(rng, g.shape)
            found = nested.reconstruct(nested.message(g, draws), draws.shared, used)
            step = nested.scales(g) / setting.levels
            rows.append(((g - y) / step, (found - g) / step, nested.overloads(g, draws, used)))
            decoded.append(found)
        yield Round(*(np.stack(part, axis=1) for part in zip(*rows, strict=True)))
        x = x - 0.3 * np.mean(decoded, axis=0)
