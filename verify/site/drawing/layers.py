"""Layout of a directed graph without cycles in columns: what a node rests on stands left of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SWEEPS = 8


@dataclass(frozen=True)
class Layout:
    """Where nodes stand, and through which places edges pass.

    Args:
        places: (column, row) by node; rows may be halves.
        routes: Places by edge (from, to), ends included.
        columns: Number of columns.
        rows: Number of rows.
    """

    places: Mapping[str, tuple[int, float]]
    routes: Mapping[tuple[str, str], tuple[tuple[int, float], ...]]
    columns: int
    rows: int


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
                bend = f"\x00{source}\x00{node}\x00{column}"
                members[column].append(bend)
                left[bend] = [chain[-1]]
                chain.append(bend)
            left[node].append(chain[-1])
            chains[source, node] = [*chain, node]
    rows = _ordered(members, left)
    places = {node: (column, rows[node]) for node, column in columns.items()}
    bends = {node: column for column, group in enumerate(members) for node in group}
    routes = {edge: tuple((bends[node], rows[node]) for node in chain) for edge, chain in chains.items()}
    return Layout(places, routes, len(members), max(map(len, members), default=0))


def _columns(below: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the column of each node: right of all it rests on, and what rests on nothing next to its use."""
    columns: dict[str, int] = {}

    def column(node: str, above: frozenset[str]) -> int:
        if node not in columns:
            inner = [column(item, above | {node}) for item in below[node] if item in below and item not in above]
            columns[node] = max(inner, default=-1) + 1
        return columns[node]

    for node in below:
        column(node, frozenset([node]))
    for node in below:
        if not below[node]:
            users = [columns[other] for other, sources in below.items() if node in sources]
            columns[node] = max(min(users, default=1) - 1, 0)
    return columns


def _ordered(members: list[list[str]], left: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the row of each node: columns are sorted by the mean of their neighbours, forth and back."""
    right: dict[str, list[str]] = {}
    for node, sources in left.items():
        for source in sources:
            right.setdefault(source, []).append(node)
    rows = {node: float(row) for group in members for row, node in enumerate(group)}
    for sweep in range(SWEEPS):
        neighbours = left if sweep % 2 == 0 else right
        for group in members if sweep % 2 == 0 else reversed(members):
            means = {
                node: sum(rows[item] for item in neighbours.get(node, ())) / len(neighbours[node])
                if neighbours.get(node)
                else rows[node]
                for node in group
            }
            group.sort(key=lambda node: means[node])
            rows.update({node: float(row) for row, node in enumerate(group)})
    most = max(map(len, members), default=0)
    for group in members:
        shift = (most - len(group)) / 2
        for row, node in enumerate(group):
            rows[node] = row + shift
    return rows
