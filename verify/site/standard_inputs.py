"""Exact variance and expected bits of compressors on standard inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

CLIENTS = 4
SIZES = (64, 8, 6)
"""Dimensions that are tried in turn: an example may fix one, an exact sum may need a small one."""

WORDS = (
    "The inputs are $x_j=1/j$ (a steep one) and $x_j=1$ (a flat one) in $d$ coordinates; nothing is sampled. "
    "The instances are those on which the generic tests run."
)
JOINT_WORDS = (
    f"{CLIENTS} clients hold $x_j=1/j$ (steep) or $x_j=1$ (flat), client $i$ times $1+i/10$; the variance is "
    "that of the estimate of their mean, over the mean squared norm; nothing is sampled. "
    "The instances are those on which the generic tests run."
)


@dataclass(frozen=True)
class Row:
    """One instance at one input.

    Args:
        instance: Its repr.
        input: `steep` or `flat`.
        d: Number of coordinates.
        variance: Exact variance, None where it is not offered.
        relative: Variance over the squared norm.
        bits: Expected bits per node.
        why: Why there is no variance.
    """

    instance: str
    input: str
    d: int
    variance: float | None
    relative: float | None
    bits: float | None
    why: str = ""


def measured(kind: Any, *, joint: bool) -> tuple[str, list[Row]]:
    """Return what the inputs are, and the rows of a class of compressors."""
    words = JOINT_WORDS if joint else WORDS
    try:
        examples = list(kind.examples())
    except TypeError:  # an abstract class has none
        return words, []
    return words, [row for example in examples for row in _rows(example, joint)]


def _rows(example: Any, joint: bool) -> Iterator[Row]:
    for name in ("steep", "flat"):
        tried = [_row(example, name, d, joint) for d in SIZES[:1]]
        for d in SIZES[1:]:
            if tried[-1].variance is None:
                tried.append(_row(example, name, d, joint))
        best: Sequence[Row] = [row for row in tried if row.variance is not None]
        best = best or [row for row in tried if row.bits is not None] or tried
        yield best[0]


def _row(example: Any, name: str, d: int, joint: bool) -> Row:
    x = 1 / np.arange(1, d + 1) if name == "steep" else np.ones(d)
    if joint:
        x = np.stack([x * (1 + client / 10) for client in range(CLIENTS)])
    square = float(np.mean(np.sum(x * x, axis=-1)))
    why = ""
    variance = bits = None
    try:
        variance = float(np.sum(example.variance(x)))
    except (ValueError, NotImplementedError, TypeError) as error:
        why = " ".join(str(error).split())
    try:
        bits = float(np.mean(example.expected_bits(x)))
    except (ValueError, NotImplementedError, TypeError):
        bits = None
    relative = None if variance is None else variance / square
    # numpy pads the numbers of an array.
    instance = re.sub(r"(?<=\[) +| +(?=[],])", "", repr(example))
    return Row(instance, name, d, variance, relative, bits, why)
