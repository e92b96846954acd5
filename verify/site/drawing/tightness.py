"""How close the largest values found came to the stated bounds, one row for each instance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

LEFT, WIDTH, ROW, TOP = 210, 400, 22, 26
_LABEL = 30


@dataclass(frozen=True)
class Row:
    """One instance.

    Args:
        name: RUNG/INSTANCE.
        label: What was compared there.
        bound: The stated bound.
        value: The value found.
        share: value / bound.
        sampled: Whether the value is the mean of a sample.
        x: Its place in the picture.
        y: The middle of its row.
    """

    name: str
    label: str
    bound: float
    value: float
    share: float
    sampled: bool
    x: float = 0.0
    y: float = 0.0

    @property
    def short(self) -> str:
        """Return the name as it fits."""
        return self.name if len(self.name) <= _LABEL else self.name[: _LABEL - 1] + "…"


@dataclass(frozen=True)
class Picture:
    """The rows with places, the place of the bound, and the size of the picture."""

    rows: tuple[Row, ...]
    bound_x: float
    ticks: tuple[tuple[float, str], ...]
    width: float
    height: float


def picture(records: Iterable[Any]) -> Picture | None:
    """Return the picture of records, None where no inequality was met."""
    rows = [row for row in map(_row, records) if row is not None]
    if not rows:
        return None
    rows.sort(key=lambda row: -row.share)
    low, high = min(0.0, *(row.share for row in rows)), max(1.0, *(row.share for row in rows))
    scale = WIDTH / (high - low)

    def at(share: float) -> float:
        return LEFT + (share - low) * scale

    placed = tuple(
        Row(**{**row.__dict__, "x": at(row.share), "y": TOP + ROW * place + ROW / 2})
        for place, row in enumerate(rows)
    )
    step = 0.25 if high - low <= 1.5 else 0.5 if high - low <= 4 else (high - low) / 4
    first = int(low / step)
    marks = [step * k for k in range(first, int(high / step) + 1)]
    ticks = tuple((at(mark), f"{mark:.3g}") for mark in marks)
    return Picture(placed, at(1.0), ticks, LEFT + WIDTH + 110, TOP + ROW * len(rows) + 12)


def _row(record: Any) -> Row | None:
    """Return the closest approach of a record, None where it compared no inequality."""
    found = [
        (label, item)
        for label, item in record["labels"].items()
        if item["tightness"] is not None and item["tightness"] > 0 and item["relation"] not in ("eq", "proof")
    ]
    if not found:
        return None
    label, item = min(found, key=lambda pair: float(pair[1]["tightness"]))
    share = 1 / item["tightness"]
    name = f"{record['rung']}/{record['instance']}"
    return Row(name, label, item["bound"], item["value"], share, record["alpha"] > 0)
