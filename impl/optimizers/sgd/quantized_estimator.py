"""Averages of decoded gradients of P workers, batched over replicates (arXiv 1904.01197)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.dithered.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.errors import MissingSideInfo, Problems
from impl.optimizers.runs.batched_run import require_instance

Array = npt.NDArray[Any]
Side = Literal["parallel", "sequential"]

_MOST_STEPS = 2.0**50  # a fixed scale refuses 2**51 steps; half of it leaves room for rounding
_LARGEST_SINGLE = 1e38  # scales of 32 bits


@dataclass(frozen=True, eq=False)
class Exchange:
    """One round of R replicates, for those who watch a run.

    Attributes:
        gradients: Gradients of the workers, noise included, (R, P, d); what feedback adds is not in it.
        decoded: What the server made of it, (R, P, d).
        side: Side information, (R, P, d); NaN for workers that need none.
        shared: Dither, (R, P, d); NaN for workers without (other codecs than dithered ones).
        messages: Consecutive workers with equal codecs, and their messages in one, in order of the workers.
        compressors: The codec of each worker.
    """

    gradients: Array
    decoded: Array
    side: Array
    shared: Array
    messages: tuple[tuple[range, Any], ...]
    compressors: tuple[Any, ...]


class QuantizedEstimator:
    """Averages of decoded messages of R replicates; one call a round.

    Args:
        compressors: One codec per worker.
        rng: The random stream: the noise of a round, then its draws, in order of the workers.
        noise_std: Standard deviation of the noise of a gradient, per coordinate.
        side: What second-group workers are decoded beside.
        momentum: Factor of the last direction.
        observe: Called with each round, None for nobody.
    """

    def __init__(
        self,
        compressors: Sequence[Any],
        rng: np.random.Generator,
        *,
        noise_std: float = 0.0,
        side: Side = "parallel",
        momentum: float = 0.0,
        observe: Callable[[Exchange], None] | None = None,
    ) -> None:
        self.compressors, self.rng = tuple(compressors), rng
        self.noise_std, self.side, self.momentum, self.observe = noise_std, side, momentum, observe
        self.groups = _groups(self.compressors)
        self.direction: Array | None = None
        self.residuals: dict[range, Array] = {}
        self._limit = largest_entry(self.compressors)

    def __call__(self, x: Array, gradients: Array) -> tuple[Array, Array]:
        noisy = self.noisy(gradients)
        healthy = np.abs(noisy).max(axis=(-1, -2)) <= self._limit
        if not healthy.all():  # these replicates end here; their codecs must not see such gradients
            noisy = np.where(healthy[:, None, None], noisy, 0.0)
        decoded, bits = self.exchange(noisy)
        average = decoded.mean(axis=-2)
        if self.momentum and self.direction is not None:
            average = average + self.momentum * self.direction
        self.direction = average
        return (average if healthy.all() else np.where(healthy[:, None], average, np.inf)), bits

    def noisy(self, gradients: Array) -> Array:
        """Return the gradients of the workers with their noise, (R, P, d)."""
        if not self.noise_std:
            return gradients
        return np.asarray(gradients + self.noise_std * self.rng.standard_normal(gradients.shape))

    def draws(self, group: range, shape: tuple[int, ...]) -> Any:
        """Return fresh draws for the workers of a group, shape (R, m, d)."""
        return self.compressors[group[0]].draw(self.rng, shape)

    def transmit(self, group: range, x: Array, draws: Any, side: Array | None) -> tuple[Array, Any]:
        """Return decoded vectors (R, m, d) of some workers of a group, and their messages."""
        codec = self.compressors[group[0]]
        if hasattr(codec, "with_feedback"):
            message, self.residuals[group] = codec.with_feedback(
                x, self.residuals.get(group, np.zeros(x.shape))
            )
            return codec.reconstruct(message), message
        if type(codec) is DitheredQuantizer:  # both ends in one pass; what a subclass changes must show
            message, decoded = codec.message_and_estimate(x, draws)
            return decoded, message
        message = codec.message(x, draws)
        return np.asarray(codec.reconstruct(message, draws.shared, side)), message

    def exchange(self, gradients: Array) -> tuple[Array, Array]:
        """Return all decoded vectors, (R, P, d), and bits (R, P)."""
        R, _, d = gradients.shape
        decoded, bits = np.zeros(gradients.shape), np.zeros(gradients.shape[:-1])
        side = np.full(gradients.shape, np.nan) if self.observe else None
        drawn = {group: self.draws(group, (R, len(group), d)) for group in self.groups}
        sent: list[tuple[range, Any]] = []
        plain = [group for group in self.groups if not self._needs_side(group)]
        nested = [group for group in self.groups if self._needs_side(group)]
        done: list[int] = []

        def send(group: range, workers: range, y: Array | None) -> None:
            rows = slice(workers[0], workers[-1] + 1)
            known = None if y is None else np.broadcast_to(y[:, None], (R, len(workers), d))
            part = _part(drawn[group], group, workers)
            decoded[:, rows], message = self.transmit(group, gradients[:, rows], part, known)
            bits[:, rows] = message.bits
            sent.append((workers, message))
            if side is not None and known is not None:
                side[:, rows] = known

        if self.side == "parallel" or not nested:
            for group in plain:
                send(group, group, None)
                done += group
            for group in nested:
                send(group, group, decoded[:, done].mean(axis=1))
        else:
            total = np.zeros((R, d))
            for group in self.groups:
                parts = [range(p, p + 1) for p in group] if group in nested else [group]
                for workers in parts:
                    send(group, workers, total / workers[0] if group in nested else None)
                    own = decoded[:, workers[0] : workers[-1] + 1]
                    total += own[:, 0] if len(workers) == 1 else own.sum(axis=1)
        if self.observe and side is not None:
            shared = np.full(gradients.shape, np.nan)
            for group in self.groups:
                if isinstance(self.compressors[group[0]], DitheredQuantizer):
                    shared[:, group.start : group.stop] = drawn[group].shared
            pairs = tuple(sorted(sent, key=lambda pair: pair[0].start))
            self.observe(Exchange(gradients, decoded, side, shared, pairs, self.compressors))
        return decoded, bits

    def _needs_side(self, group: range) -> bool:
        return is_nested(self.compressors[group[0]])


def require_codecs(problems: Problems, compressors: Any, workers: int) -> tuple[Any, ...]:
    """Return one codec per worker; remember what is wrong with them."""
    several = isinstance(compressors, Sequence) and not isinstance(compressors, str)
    codecs = tuple(compressors) if several else (compressors,) * workers
    problems.require(
        len(codecs) == workers,
        f"compressors holds {len(codecs)} codecs, there are {workers} workers; give one codec, or one "
        "for each worker",
    )
    for p, codec in enumerate(codecs if several else codecs[:1]):
        argument = f"compressors[{p}]" if several else "compressors"
        if require_instance(problems, codec, argument):
            problems.require(
                all(hasattr(codec, name) for name in ("draw", "message", "reconstruct")),
                f"{argument}={codec!r} must offer draw, message and reconstruct, as impl.compressors do",
            )
    return codecs


def require_side(codecs: Sequence[Any], side: str, where: str) -> None:
    """Refuse nested codecs without a message before them.

    Raises:
        MissingSideInfo: There is none.
    """
    nested = [p for p, codec in enumerate(codecs) if is_nested(codec)]
    if nested and (len(nested) == len(codecs) or (side == "sequential" and nested[0] == 0)):
        raise MissingSideInfo(
            f"{where}: worker {nested[0]} has the nested codec {codecs[nested[0]]!r} and no message to "
            "be decoded beside; give workers before it a DitheredQuantizer"
        )


def _groups(codecs: Sequence[Any]) -> tuple[range, ...]:
    """Return the runs of consecutive workers with equal codecs, which are compressed in one array."""
    groups, first = [], 0
    for _, members in itertools.groupby(codecs):
        count = len(list(members))
        groups.append(range(first, first + count))
        first += count
    return tuple(groups)


def _part(draws: Any, group: range, workers: range) -> Any:
    """Return the draws of some workers of a group."""
    if workers == group:
        return draws
    rows = slice(workers[0] - group[0], workers[-1] + 1 - group[0])
    return type(draws)(shared=draws.shared[:, rows], private=draws.private)


def largest_entry(codecs: Sequence[Any]) -> float:
    """Return the largest entry of a gradient that all codecs accept."""
    return min(map(_largest_entry, codecs), default=np.inf)


def _largest_entry(codec: Any) -> float:
    scale, levels = getattr(codec, "scale", None), getattr(codec, "levels", 1)
    largest = _LARGEST_SINGLE if getattr(codec, "norm_bits", 64) == 32 else np.inf
    return min(largest, np.inf if scale is None else float(scale) / float(levels) * _MOST_STEPS)


def is_nested(codec: Any) -> bool:
    """Tell whether messages of a codec are decoded beside side information."""
    return isinstance(codec, NestedDitheredQuantizer)
