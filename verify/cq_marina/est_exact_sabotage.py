"""Estimators with one fault each, and one with a change that the error does not notice."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import CorrelatedQuantizer, Draws, PermKQuantizer
from impl.compressors.stratified_thresholds import bit_outcomes, draw_strata
from verify.cq_marina.joint_enumeration import mean_of

Array = npt.NDArray[Any]


class MeanAsScale(CorrelatedQuantizer):
    r"""Correlated quantization with the common scale $\|\bar a\|$, clipped where a client is larger."""

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        r = self._literal_scale(mean_of(rows))
        thresholds = self._literal_thresholds(draws, len(rows), len(rows[0]))
        decoded = []
        for vector, U in zip(rows, thresholds, strict=True):
            levels = [self._literal_chance(item, r) for item in vector]
            decoded.append(
                [r * (low + step * int(u < y)) for (low, step, y), u in zip(levels, U, strict=True)]
            )
        return decoded

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        rows = self._literal(x)
        r = self._literal_scale(mean_of(rows))
        columns = zip(*rows, strict=True)
        chances = [[self._literal_chance(item, r)[2] for item in column] for column in columns]
        yield from self._combined([list(self._bit_outcomes(y)) for y in chances])

    def _scales(self, x: Array) -> Array:
        return np.repeat(super()._scales(x.mean(axis=-2, keepdims=True)), x.shape[-2], axis=-1)


class MissingGroupScale(PermKQuantizer):
    """Groups of clients whose decoded blocks are not multiplied by the number of groups."""

    def reference(self, x: Any, draws: Draws) -> Any:
        return [[item / self.groups for item in row] for row in super().reference(x, draws)]

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        return super()._decode(symbols, scales, rows, shape, shared) / self.groups


class CommonPermutation(CorrelatedQuantizer):
    """Correlated quantization with one permutation for all coordinates."""

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        one = draw_strata(rng, (*shape[:-1], 1))
        return np.array(np.broadcast_to(one, shape))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        y, _ = self._exact_chances(self._literal(x))
        by_permutation: list[dict[tuple[int, ...], list[tuple[Any, list[Any]]]]] = []
        for column in zip(*y, strict=True):
            jitters: dict[tuple[int, ...], list[tuple[Any, list[Any]]]] = {}
            for chance, strata, jitter in bit_outcomes(column):
                jitters.setdefault(strata, []).append((chance, jitter))
            by_permutation.append(jitters)
        for strata in by_permutation[0]:
            per_coordinate = [jitters[strata] for jitters in by_permutation]
            one = sum(chance for chance, _ in per_coordinate[0])
            for chosen in itertools.product(*per_coordinate):
                probability = one
                for chance, _ in chosen:  # given the permutation the coordinates are independent
                    probability *= chance / one
                private = [list(row) for row in zip(*(jitter for _, jitter in chosen), strict=True)]
                yield probability, Draws(np.array([strata] * len(chosen)).T, private)
