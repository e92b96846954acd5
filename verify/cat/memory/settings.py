"""Problems on which methods with memory are judged: rational quadratics, and problems of runs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any, NamedTuple

import numpy as np

from impl.compressors import OneBit, TopK, TopKSigns
from impl.problems import Quadratic
from verify.cat.fixtures.golden_vectors import quad
from verify.cat.memory.exact_messages import CONTRACTIONS, Contraction, Nodes, State


class Setting(NamedTuple):
    """An exact run.

    Args:
        nodes: The problem.
        made: The contraction of every node.
        x: Start, (d,).
        root_B: Square root of B, the dissimilarity in proportion to the gradient; 1 for one node.
    """

    nodes: Nodes
    made: Contraction
    x: tuple[F, ...]
    root_B: int = 1

    @property
    def gamma(self) -> F:
        """Return the largest step."""
        return (1 - self.made.r) / (2 * self.L * self.root_B)

    @property
    def L(self) -> F:
        """Return the smoothness constant."""
        return max(self.nodes.curvature)

    @property
    def mu(self) -> F:
        """Return the constant of strong convexity."""
        return min(self.nodes.curvature)

    @property
    def start(self) -> State:
        """Return the state before the first round."""
        return State(self.x, ((F(0),) * self.nodes.d,) * self.nodes.n)

    def turned(self, order: int) -> Setting:
        """Return the setting with the coordinates in the other order for -1."""
        a, c = (tuple(row[::order] for row in rows) for rows in self.nodes)
        return self._replace(nodes=Nodes(a, c), x=self.x[::order])


def _nodes(a: Any, c: Any) -> Nodes:
    return Nodes(*(tuple(tuple(F(item) for item in row) for row in rows) for rows in (a, c)))


def _vector(*items: Any) -> tuple[F, ...]:
    return tuple(F(item) for item in items)


_ZERO = (0, 0, 0, 0)
_ONE = _nodes([(1, F(1, 2), F(1, 3), 2)], [(1, -2, F(11, 3), F(1, 2))])
_TWO = _nodes([(1, 2, F(1, 2), 1), (2, 1, F(1, 2), 1)], [(1, -1, 2, 0), (0, 1, -2, 3)])
_EVEN = _nodes([(1, 1, 1, 1)], [_ZERO])
SETTINGS = {
    "isotropic": Setting(_EVEN, CONTRACTIONS["top-3"], _vector(4, -4, 4, 0)),
    "equal": Setting(_EVEN, CONTRACTIONS["top-3"], _vector(4, -4, 4, 4)),
    "top-3": Setting(_ONE, CONTRACTIONS["top-3"], _vector(0, 0, 0, 0)),
    "signs": Setting(_ONE, CONTRACTIONS["signs"], _vector(0, 0, 0, 0)),
    "random-3": Setting(_ONE, CONTRACTIONS["random-3"], _vector(0, 0, 0, 0)),
    "nodes": Setting(_TWO, CONTRACTIONS["top-3"], _vector(1, 0, -1, 2), 2),
    "nodes-one-bit": Setting(_TWO, CONTRACTIONS["one-bit"], _vector(1, 0, -1, 2), 2),
}
ROUNDS = {"random-3": 3}
"""Rounds of exact runs that branch."""


def several_nodes() -> Quadratic:
    """Return three nodes with Hessians of their own, d = 10."""
    rng = np.random.default_rng(3)
    return Quadratic.from_centers(rng.uniform(0.2, 2.0, (3, 10)), rng.standard_normal((3, 10)))


PROBLEMS: dict[str, Callable[[], Quadratic]] = {"quad": quad, "nodes": several_nodes}


def contractions(d: int) -> tuple[tuple[Any, float], ...]:
    """Return compressors of d coordinates with the delta that `cat/contractions` proves."""
    return (TopK(d // 4), d // 4 / d), (TopKSigns(d, scale="mean"), 1 / d), (OneBit(), 1 / d)
