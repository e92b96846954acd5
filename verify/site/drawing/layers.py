"""Layout of a directed graph without cycles in columns: what a node rests on stands left of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SWEEPS = 8
PASSING = 0.3
"""Rows that a line takes where it passes a column."""

_BEND = "\x00"
"""Begins the names of places where a line passes a column."""


@dataclass(frozen=True)
class Layout:
    """Where nodes stand, and through which places edges pass.

    Args:
        places: (column, row) by node; a node takes one row, a line that passes a column a part of one.
        routes: Places by edge (from, to), ends included.
        columns: Number of columns.
        rows: Number of rows of the longest column.
    """

    places: Mapping[str, tuple[int, float]]
    routes: Mapping[tuple[str, str], tuple[tuple[int, float], ...]]
    columns: int
    rows: float


def layered(below: Mapping[str, Sequence[str]]) -> Layout:
    """Lay out a graph.

    Args:
        below: For each node what it rests on. An edge that would close a circle is left out.
    """
    columns = _columns(below)
    chains: dict[tuple[str, str], list[str]] = {}
    members: list[list[str]] = [[] for _ in range(max(columns.values(), default=0) + 1)]
    for node, column in columns.items():
        members[column].append(node)
    left: dict[str, list[str]] = {node: [] for node in columns}
    for node, sources in below.items():
        for source in sources:
            if source not in columns or columns[source] >= columns[node]:
                continue
            chain = [source]
            for column in range(columns[source] + 1, columns[node]):
                bend = f"{_BEND}{source}{_BEND}{node}{_BEND}{column}"
                members[column].append(bend)
                left[bend] = [chain[-1]]
                chain.append(bend)
            left[node].append(chain[-1])
            chains[source, node] = [*chain, node]
    rows, longest = _ordered(members, left)
    places = {node: (column, rows[node]) for node, column in columns.items()}
    bends = {node: column for column, group in enumerate(members) for node in group}
    routes = {edge: tuple((bends[node], rows[node]) for node in chain) for edge, chain in chains.items()}
    return Layout(places, routes, len(members), longest)


def _columns(below: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the column of each node: right of all it rests on, and what rests on nothing next to its use."""
    columns: dict[str, int] = {}

    def column(node: str, above: frozenset[str]) -> int:
        if node not in columns:
            inner = [
                column(item, above | {node}) for item in below[node] if item in below and item not in above
            ]
            columns[node] = max(inner, default=-1) + 1
        return columns[node]

    for node in below:
        column(node, frozenset([node]))
    for node in below:
        if not below[node]:
            users = [columns[other] for other, sources in below.items() if node in sources]
            columns[node] = max(min(users, default=1) - 1, 0)
    return columns


def _ordered(members: list[list[str]], left: Mapping[str, Sequence[str]]) -> tuple[dict[str, float], float]:
    """Return the row of each node, and the length of the longest column.

    Columns are sorted by the mean row of the neighbours of each node, forth and back.
    """
    right: dict[str, list[str]] = {}
    for node, sources in left.items():
        for source in sources:
            right.setdefault(source, []).append(node)
    longest = max((sum(map(_extent, group)) for group in members), default=0.0)
    rows: dict[str, float] = {}
    for group in members:
        rows.update(_stacked(group, longest))
    for sweep in range(SWEEPS):
        neighbours = left if sweep % 2 == 0 else right
        for group in members if sweep % 2 == 0 else reversed(members):
            group.sort(key=lambda node: _mean([rows[item] for item in neighbours.get(node, ())], rows[node]))
            rows.update(_stacked(group, longest))
    return rows, longest


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _extent(node: str) -> float:
    return PASSING if node.startswith(_BEND) else 1.0


def _stacked(group: Sequence[str], longest: float) -> dict[str, float]:
    """Return the rows of a column in this order, in the middle of the picture."""
    row = (longest - sum(map(_extent, group))) / 2
    found = {}
    for node in group:
        # A row is that of a box; a line passes in the middle of its part.
        found[node] = row if _extent(node) == 1.0 else row + (PASSING - 1) / 2
        row += _extent(node)
    return found
