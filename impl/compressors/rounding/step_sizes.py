"""Steps of a quantizer in both forms: float64 arrays and exact fractions."""

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems

Array = npt.NDArray[Any]

SMALLEST_STEP = 2.0**-62  # levels are at most 1 / h and must fit 64-bit integers


class StepSizes:
    """Steps h, positive, as given: a number, one per block, one per coordinate, or either per node.

    Args:
        steps: Scalar, (B,), (d,), (n, B) or (n, d).
        blocks: Block lengths, None for a single block of any length.
    """

    def __init__(self, steps: Any, blocks: Any) -> None:
        problems = Problems("StochasticQuantizer")
        self.lengths: tuple[int, ...] | None = None
        with problems.collect():
            self.lengths = None if blocks is None else _lengths(blocks)
        try:
            given = steps if isinstance(steps, np.ndarray) else np.array(steps, dtype=object)
            if np.asarray(steps).dtype == np.bool_:
                raise TypeError("truth values are no numbers")
            with np.errstate(over="ignore"):
                values = given.astype(np.float64)
        except (TypeError, ValueError, OverflowError):
            problems.require(
                False, f"steps={steps!r} must be numbers of shape (), (B,), (d,), (n, B) or (n, d)"
            )
            problems.raise_if_any()
        shape = values.shape
        problems.require(
            values.ndim <= 2 and values.size, f"steps has shape {shape}; give (), (B,), (d,) or (n, d)"
        )
        for index in np.argwhere(~(np.isfinite(values) & (values >= SMALLEST_STEP)))[:1]:
            place = "".join(f"[{i}]" for i in index)
            bound = "finite and positive, at least 2**-62 (levels have 64 bits)"
            item = given[tuple(index)]
            shown = item if item is None else float(values[tuple(index)])
            problems.require(False, f"steps{place}={shown!r} must be {bound}")
        if self.lengths is not None and shape:
            d = sum(self.lengths)
            fits = shape[-1] in (len(self.lengths), d)
            problems.require(
                fits,
                f"steps has {shape[-1]} entries, blocks={list(self.lengths)} has {len(self.lengths)} blocks "
                f"and sums to {d}; give one step per block or per coordinate",
            )
        problems.raise_if_any()
        if self.lengths is not None and shape and shape[-1] == len(self.lengths):
            values = np.repeat(values, self.lengths, axis=-1)
            given = np.repeat(given, self.lengths, axis=-1)
        elif shape and shape[-1] == 1:  # one block: one step for every coordinate
            values, given = (values[0], given[0]) if len(shape) == 1 else (values, given)
        self.values = values
        self._given = given
        several = self.lengths is not None and len(self.lengths) > 1
        self.block_of = np.repeat(np.arange(len(self.lengths or ())), self.lengths or 0) if several else None
        self.smallest, self.largest = float(values.min()), float(values.max())
        self._scalar = (
            {np.dtype(t): values.astype(t) for t in (np.float32, np.float64)} if not values.ndim else {}
        )

    @property
    def dimension(self) -> int | None:
        """Return the d that blocks or steps fix, None where any d is accepted."""
        if self.lengths is not None:
            return sum(self.lengths)
        if self.values.ndim and self.values.shape[-1] > 1:
            return int(self.values.shape[-1])
        return None

    @property
    def is_one(self) -> bool:
        """Tell whether there is one step for everything, and one block."""
        return not self.values.ndim and self.block_of is None

    @property
    def nodes(self) -> int | None:
        """Return n where the steps are given per node."""
        return int(self.values.shape[0]) if self.values.ndim == 2 else None

    def require_fit(self, shape: tuple[int, ...]) -> None:
        """Raise an ArgumentError unless blocks and steps fit x of this shape."""
        problems, d = Problems("StochasticQuantizer"), shape[-1]
        if self.lengths is not None:
            problems.require(
                sum(self.lengths) == d,
                f"x has d={d} coordinates, blocks={list(self.lengths)} sum to {sum(self.lengths)}; "
                "give block lengths that sum to d",
            )
        else:
            fixed = self.dimension
            problems.require(
                fixed in (None, d),
                f"x has d={d} coordinates, steps has {fixed}; give one per coordinate",
            )
        problems.require(
            self.nodes is None or (len(shape) > 1 and shape[-2] == self.nodes),
            f"x has shape {shape}, steps are given for n={self.nodes} nodes; give x (..., n, d)",
        )
        problems.raise_if_any()

    def block_lengths(self, d: int) -> tuple[int, ...]:
        """Return the block lengths for vectors of d coordinates."""
        return (d,) if self.lengths is None else self.lengths

    def exact(self, node: int, j: int) -> Fraction:
        """Return the step of coordinate j at one node as a Fraction."""
        return Fraction(self._at(self._given, node, j))

    def number(self, node: int, j: int) -> float:
        """Return the step of coordinate j at one node as a float."""
        numbers = self._numbers
        if not self.values.ndim:
            return float(numbers)
        row = numbers if self.values.ndim == 1 else numbers[node]
        return float(row[j if len(row) > 1 else 0])

    @cached_property
    def _numbers(self) -> Any:
        """The values as a number or lists: one is picked much faster than from an array."""
        return self.values.tolist()

    @staticmethod
    def _at(array: Any, node: int, j: int) -> Any:
        ndim = np.ndim(array)
        if ndim == 0:
            return array.item() if isinstance(array, np.ndarray) else array
        value = array[j] if ndim == 1 else array[node, j if array.shape[1] > 1 else 0]
        return value.item() if isinstance(value, np.generic) else value

    def tile(self, dtype: Any, r0: int, r1: int, c0: int, c1: int) -> Array:
        """Return the steps of a tile of rows (node = row modulo n) and columns, to be broadcast."""
        values = self.values
        if not values.ndim:
            return self._scalar[np.dtype(dtype)]
        if values.shape[-1] > 1:
            values = values[..., c0:c1]
        if values.ndim == 2 and (r0 % len(values) or r1 - r0 != len(values)):
            values = values[np.arange(r0, r1) % len(values)]
        return values.astype(dtype, copy=False)


def _lengths(blocks: Any) -> tuple[int, ...]:
    try:
        lengths = tuple(int(length) for length in blocks)
        whole = all(length == given for length, given in zip(lengths, blocks, strict=True))
    except (TypeError, ValueError, OverflowError):
        lengths, whole = (), False
    if not lengths or not whole or min(lengths) < 1:
        raise ArgumentError(
            f"blocks={blocks!r} must be a list of block lengths, integers of at least 1 that sum to d"
        )
    return lengths
