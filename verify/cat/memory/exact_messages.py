"""Messages of contractions in rationals, all outcomes of them, and nodes that keep what they lose."""

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import product
from typing import Any, NamedTuple

from impl.compressors import Draws, OneBit, RandK, Scaled, TopK, TopKSigns
from verify.expectation.outcome_tree import Law as Outcomes
from verify.expectation.outcome_tree import square

Vector = tuple[F, ...]
Compress = Callable[[Vector], Outcomes]


def _of(compressor: Any) -> Compress:
    def outcomes(x: Vector) -> Outcomes:
        return [(F(1), tuple(compressor.reference(list(x), Draws())))]

    return outcomes


def random_entries(k: int, factor: F) -> Compress:
    """Return the outcomes of rand-k times the factor."""

    def outcomes(x: Vector) -> Outcomes:
        made = Scaled(RandK(k), factor)
        return [(q, tuple(made.reference([list(x)], draws)[0])) for q, draws in made.outcomes([list(x)])]

    return outcomes


class Contraction(NamedTuple):
    """A compressor by its outcomes, and r for which it is a contraction with 1 - r^2."""

    compress: Compress
    r: F


CONTRACTIONS = {
    "top-3": Contraction(_of(TopK(3)), F(1, 2)),
    "signs": Contraction(_of(TopKSigns(4, scale="mean")), F(7, 8)),
    "one-bit": Contraction(_of(OneBit()), F(7, 8)),
    "random-3": Contraction(random_entries(3, F(3, 4)), F(1, 2)),
    "shrunk": Contraction(lambda x: [(F(1), tuple(item / 2 for item in x))], F(1, 2)),
}


def kept(whole: Sequence[F], sent: Sequence[F]) -> Vector:
    """Return what a message leaves."""
    return tuple(a - b for a, b in zip(whole, sent, strict=True))


class State(NamedTuple):
    """The point (d,) and the memories (n, d)."""

    x: Vector
    h: tuple[Vector, ...]


class Quantities(NamedTuple):
    """What `cat/memory-descent` says of a state."""

    D: F
    A: F
    G: F
    H: F
    M: F
    gap: F


class Nodes(NamedTuple):
    """Quadratics of the nodes: the sum over j of a_ij (x_j - c_ij)^2 / 2.

    Args:
        a: Curvatures, (n, d).
        c: Centers, (n, d).
    """

    a: tuple[Vector, ...]
    c: tuple[Vector, ...]

    @property
    def n(self) -> int:
        """Return the number of nodes."""
        return len(self.a)

    @property
    def d(self) -> int:
        """Return the number of coordinates."""
        return len(self.a[0])

    @property
    def curvature(self) -> Vector:
        """Return those of the mean: its largest one is L, its least one mu."""
        return tuple(sum(column, F(0)) / self.n for column in zip(*self.a, strict=True))

    @property
    def solution(self) -> Vector:
        """Return where the mean is least."""
        slopes = [
            sum((a * c for a, c in zip(*columns, strict=True)), F(0)) / self.n
            for columns in zip(zip(*self.a, strict=True), zip(*self.c, strict=True), strict=True)
        ]
        return tuple(slope / a for slope, a in zip(slopes, self.curvature, strict=True))

    def gradients(self, x: Vector) -> tuple[Vector, ...]:
        """Return those of the nodes, (n, d)."""
        return tuple(
            tuple(a * (item - c) for a, item, c in zip(rows, x, centers, strict=True))
            for rows, centers in zip(self.a, self.c, strict=True)
        )

    def gradient(self, x: Vector) -> Vector:
        """Return that of the mean, (d,)."""
        return mean(self.gradients(x))

    def gap(self, x: Vector) -> F:
        """Return f(x) less its minimum."""
        rows = zip(self.curvature, x, self.solution, strict=True)
        return sum((a * (item - best) ** 2 for a, item, best in rows), F(0)) / 2

    def virtual(self, state: State, gamma: F) -> Vector:
        """Return the virtual point of a state."""
        return tuple(x - gamma * h for x, h in zip(state.x, mean(state.h), strict=True))

    def quantities(self, state: State, gamma: F) -> Quantities:
        """Return what the claim says of a state."""
        virtual, own = self.virtual(state, gamma), self.gradients(state.x)
        H, M = (sum((square(row) for row in rows), F(0)) / self.n for rows in (state.h, own))
        A, G = square(self.gradient(virtual)), square(mean(own))
        return Quantities(self.gap(virtual), A, G, H, M, self.gap(state.x))

    def after(
        self, state: State, compress: Compress, gamma: F, keep: Callable[..., Vector] = kept
    ) -> list[tuple[F, State]]:
        """Return the outcomes of a round, each node's messages on their own."""
        whole = [
            tuple(a + b for a, b in zip(h, q, strict=True))
            for h, q in zip(state.h, self.gradients(state.x), strict=True)
        ]
        found = []
        for outcome in product(*(compress(row) for row in whole)):
            probability, sent = F(1), [message for _, message in outcome]
            for q, _ in outcome:
                probability *= q
            x = tuple(item - gamma * move for item, move in zip(state.x, mean(sent), strict=True))
            h = tuple(keep(row, message) for row, message in zip(whole, sent, strict=True))
            found.append((probability, State(x, h)))
        return found


def mean(rows: Sequence[Vector]) -> Vector:
    """Return the mean of vectors (n, d), (d,)."""
    return tuple(sum(column, F(0)) / len(rows) for column in zip(*rows, strict=True))
