"""Paired measurement of several members in one process, and the table that is made of it."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """CPU times of the members of one row, milliseconds per call, round by round.

    Args:
        mechanism: What is measured.
        d: Size, as it is printed.
        times: Member to its times, one of each round.
        wanted: What is asked for, and what became of it, as text.
    """

    mechanism: str
    d: str
    times: Mapping[str, Sequence[float]]
    wanted: str = ""

    def median(self, member: str) -> float | None:
        """Return the median time of a member, None where it is not here."""
        return statistics.median(self.times[member]) if member in self.times else None

    def ratio(self, slow: str, fast: str) -> tuple[float, float, float] | None:
        """Return median and quartiles of the time of one member over that of another, round by round."""
        if slow not in self.times or fast not in self.times:
            return None
        quotients = [a / b for a, b in zip(self.times[slow], self.times[fast], strict=True)]
        low, middle, high = statistics.quantiles(quotients, n=4)
        return middle, low, high


def measure(
    members: Mapping[str, Callable[[], Any]], *, rounds: int = 7, slice_seconds: float = 0.015
) -> dict[str, list[float]]:
    """Run the members in turn, each round forwards and backwards, and return their CPU times in milliseconds.

    Wall clock is useless on a shared machine, and members that run one after the other drift apart.
    """
    calls = {}
    for name, member in members.items():
        member()  # compiles, and fills caches
        start = time.process_time()
        member()
        calls[name] = max(1, round(slice_seconds / max(time.process_time() - start, 1e-7)))

    def run(name: str) -> float:
        start = time.process_time()
        for _ in range(calls[name]):
            members[name]()
        return 1e3 * (time.process_time() - start) / calls[name]

    found: dict[str, list[float]] = {name: [] for name in members}
    for _ in range(rounds):
        there = [run(name) for name in members]
        back = [run(name) for name in reversed(members)][::-1]
        for name, first, second in zip(members, there, back, strict=True):
            found[name].append((first + second) / 2)
    return found


COLUMNS = ("mechanism", "size", "numpy", "fused", "naive", "peer", "copy", "random")


def as_table(rows: Sequence[Row]) -> str:
    """Return the table of all rows as GitHub Markdown; times are milliseconds."""
    head = (
        *COLUMNS,
        "numpy / fused",
        "naive / fused",
        "peer / fused",
        "fused / copy",
        "fused / random",
        "wanted",
    )
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    for row in rows:
        peers = [name for name in row.times if name.startswith("peer ")]
        cells = [row.mechanism, row.d]
        for member in COLUMNS[2:]:
            names = peers if member == "peer" else [member]
            cells.append(_each({name: _milliseconds(row.median(name)) for name in names}))
        pairs = (
            (["numpy"], "fused"),
            (["naive"], "fused"),
            (peers, "fused"),
            (["fused"], "copy"),
            (["fused"], "random"),
        )
        cells += [_each({slow: _spread(row.ratio(slow, fast)) for slow in slows}) for slows, fast in pairs]
        lines.append(" | ".join([*cells, row.wanted]))
    return "\n".join(f"| {line} |" for line in lines)


def _each(told: Mapping[str, str]) -> str:
    """Return what is told of each member, that of peers with their names."""
    texts = []
    for name, text in told.items():
        library = name.removeprefix("peer ")
        texts.append(f"{text} {library}" if text and library != name else text)
    return ", ".join(text for text in texts if text)


def _milliseconds(time: float | None) -> str:
    return "" if time is None else f"{time:.3g}"


def _spread(ratio: tuple[float, float, float] | None) -> str:
    return "" if ratio is None else f"{ratio[0]:.3g} ({ratio[1]:.3g}-{ratio[2]:.3g})"
