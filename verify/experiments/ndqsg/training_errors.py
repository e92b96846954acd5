"""Errors of every message of one training run, coordinate by coordinate, beside dither and innovations."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import DitheredQuantizer
from impl.optimizers import Exchange
from verify.experiments.ndqsg.training_methods import Method, Setting
from verify.experiments.ndqsg.training_record import messages_of
from verify.ndqsg.fixtures.nested_overload_oracle import conditional_cell, conditional_error
from verify.ndqsg.fixtures.runs.dithered_run import unit

Array = npt.NDArray[Any]

NEAR = 1e-9
"""Steps within which round-off may decide on which side of a boundary a number lies."""


@dataclass(frozen=True)
class Recorded:
    """All messages of one tensor, (T, P, d), in fine steps of their own; NaN where the scale is 0.

    Attributes:
        errors: (decoded - g) / delta.
        innovations: z = (g - y) / delta; NaN without side information.
        phases: g / delta.
        dither: u.
        ratios: k, (T, P, 1); 0 for messages that are not nested.
        levels: M, (T, P, 1).
    """

    errors: Array
    innovations: Array
    phases: Array
    dither: Array
    ratios: Array
    levels: Array

    @property
    def indices(self) -> Array:
        """Return floor(M g / kappa + u + 1/2), before anything is clipped."""
        return np.asarray(np.floor(self.phases + self.dither + 0.5))

    @property
    def fine_errors(self) -> Array:
        """Return the recorded errors without the jumps of overloads, which are multiples of k."""
        return np.asarray(self.errors - self.ratios * self._whole(self.errors))

    @property
    def stated_errors(self) -> Array:
        """Return e - k Q((z + e) / k) of the recorded dither; next to a boundary either side is right."""
        e, place = self._drawn_errors, self._places
        whole = np.where(self._ties, self._whole(e - self.errors), np.floor(place))
        return np.asarray(e - self.ratios * whole)

    def largest_innovations(self) -> Iterator[tuple[float, float, int, float]]:
        """Yield z, e, k and the recorded error of the nested message with the largest z, ties left out."""
        told = (self.ratios > 0) & np.isfinite(self.errors) & ~self._ties
        if told.any():
            at = np.unravel_index(np.argmax(np.where(told, np.abs(self.innovations), -1.0)), told.shape)
            k = int(np.broadcast_to(self.ratios, told.shape)[at])
            yield float(self.innovations[at]), float(self._drawn_errors[at]), k, float(self.errors[at])

    @property
    def _drawn_errors(self) -> Array:
        """Return e of the recorded dither."""
        return np.asarray(self.indices - self.phases - self.dither)

    @property
    def _places(self) -> Array:
        """Return (z + e) / k + 1/2 of nested messages, 1/2 of others."""
        nested = self.ratios > 0
        ratios = np.where(nested, self.ratios, 1)
        return np.asarray(np.where(nested, (self.innovations + self._drawn_errors) / ratios, 0.0) + 0.5)

    @property
    def _ties(self) -> Array:
        return np.asarray(np.abs(self._places - np.round(self._places)) < NEAR)

    @property
    def clips(self) -> int:
        """Return the number of indices beyond M."""
        return int((np.abs(self.indices) > self.levels).sum())

    def _whole(self, errors: Array) -> Array:
        return np.asarray(np.round(errors / np.where(self.ratios > 0, self.ratios, np.inf)))


def recorded(setting: Setting, method: Method, rng: np.random.Generator) -> list[Recorded]:
    """Train once and return what every tensor saw; all codecs are dithered quantizers."""
    rows: defaultdict[int, list[Any]] = defaultdict(list)
    setting.run(
        method, rng, 1, observe=lambda _, tensor, exchange: rows[tensor].append(_of_exchange(exchange))
    )
    return [
        Recorded(*(np.stack(part) for part in zip(*rows[tensor], strict=True))) for tensor in sorted(rows)
    ]


def _of_exchange(exchange: Exchange) -> tuple[Array, ...]:
    parts = list(messages_of(exchange))
    if not all(isinstance(codec, DitheredQuantizer) for codec in exchange.compressors):
        raise ValueError(f"{exchange.compressors}: a codec is no dithered quantizer")

    def joined(arrays: list[Array]) -> Array:
        return np.concatenate([array[0] for array in arrays])

    counts = [len(part.errors[0]) for part in parts]
    ratios = [getattr(part.codec, "ratio", 0) for part in parts]
    levels = [part.codec.levels for part in parts]
    return (
        joined([part.errors for part in parts]),
        joined(
            [
                np.full_like(part.errors, np.nan) if part.innovations is None else part.innovations
                for part in parts
            ]
        ),
        joined([part.phases for part in parts]),
        exchange.shared[0],
        np.repeat(ratios, counts)[:, None],
        np.repeat(levels, counts)[:, None],
    )


def arms(tensors: list[Recorded]) -> list[tuple[Array, Array | None]]:
    """Return arms for a test of uniformity, over all tensors.

    The fine errors alone; with the phase of the input, the worker's error in the iteration before, the error
    of the worker before, and the innovation, where something is nested.
    """
    fine = [part.fine_errors for part in tensors]
    pairs: list[list[tuple[Array, Any]]] = [
        [(e, None) for e in fine],
        [(e, _fraction(part.phases)) for e, part in zip(fine, tensors, strict=True)],
        [(e[1:], _fraction(0.5 - e[:-1])) for e in fine],
        [(e[:, 1:], _fraction(0.5 - e[:, :-1])) for e in fine],
    ]
    if any(np.isfinite(part.innovations).any() for part in tensors):
        pairs.append([(e, unit(part.innovations)) for e, part in zip(fine, tensors, strict=True)])
    return [_finite(chosen) for chosen in pairs]


def _finite(pairs: list[tuple[Array, Any]]) -> tuple[Array, Array | None]:
    errors = np.concatenate([e.ravel() for e, _ in pairs])
    if pairs[0][1] is None:
        return errors[np.isfinite(errors)], None
    covariates = np.concatenate([c.ravel() for _, c in pairs])
    seen = np.isfinite(errors) & np.isfinite(covariates)
    return errors[seen], covariates[seen]


def _fraction(values: Array) -> Array:
    """Return values modulo 1, in [0, 1)."""
    found = values - np.floor(values)
    return np.asarray(np.where(found == 1, 0.0, found))


def surplus(tensors: list[Recorded], oracle: Any = conditional_error) -> Array:
    """Return (square - its mean given z) / its largest value given z, where an overload is possible.

    Those are nested coordinates with |z| > (k - 1) / 2. The values lie in [-1, 1] and have the mean 0 given
    everything before the dither of their worker, z among it: a bet on them is a martingale along the run.

    Args:
        tensors: Messages.
        oracle: Maps innovations and k to mean squares.
    """
    found = []
    for part in tensors:
        nested = np.isfinite(part.innovations)  # not where the scale is 0
        ratios = np.broadcast_to(part.ratios, part.errors.shape)
        for k in np.unique(ratios[nested]):
            chosen = nested & (ratios == k) & (np.abs(part.innovations) > (k - 1) / 2)
            z, squares = part.innovations[chosen], part.errors[chosen] ** 2
            cell, side, _ = conditional_cell(z, int(k))
            reach = 0.5 + k * np.maximum(np.abs(cell), np.abs(cell + side))
            found.append((squares - oracle(z, int(k))) / reach**2)
    return np.concatenate(found)
