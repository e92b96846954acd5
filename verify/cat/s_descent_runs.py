"""Runs along the largest entries for the checks of `cat/s-descent` and `cat/s-rates`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from impl.adaptive import Choice, SortedGradient, cat_s
from impl.communication import Affine, CostModel
from impl.compressors import TopK
from impl.compressors.contract import Array, Draws
from impl.optimizers.cat_gd import AdaptiveRun, cat_gd
from impl.problems.contract import Problem
from verify.cat.golden_vectors import GI, flat, isotropic, lf, quad

Rule = Callable[[Array], Choice]


class SmallestK(TopK):
    """Sabotage: keep the k entries of smallest magnitude."""

    def _reference_vector(self, x: list[Any], node: int) -> list[Any]:
        order = sorted(range(len(x)), key=lambda j: (abs(x[j]), j))
        kept = set(order[: self.k])
        return [item if j in kept else item * 0 for j, item in enumerate(x)]

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        values = np.asarray(x, dtype=np.float64)
        places = np.argsort(np.abs(values), axis=-1, kind="stable")[..., : self.k]
        kept = np.zeros_like(values)
        np.put_along_axis(kept, places, np.take_along_axis(values, places, -1), -1)
        return kept


def fixed(size: int, kind: type[TopK] = TopK, cost: CostModel | None = None) -> Rule:
    """Return the rule that always sends `size` entries; its share is that of the largest ones.

    Args:
        size: T.
        kind: `TopK`, or a sabotaged form of it.
        cost: Cost of a message by its number of entries; T itself if left out.
    """
    price = size if cost is None else cost(size)

    def choose(gradient: Array) -> Choice:
        energies = SortedGradient(gradient, "fixed").energies
        if not energies[-1] > 0:
            return Choice(0, 0, 0, 0, 0, None)
        share = float(energies[size - 1] / energies[-1])
        return Choice(size, share, share / price, 1.0, price, kind(size))

    return choose


def per_entry(fixed_cost: int) -> Rule:
    """Return CAT-S with the cost T + `fixed_cost`."""
    return partial(cat_s, cost=Affine(1, fixed_cost), entry_bits=1)


@dataclass(frozen=True)
class RunCase:
    """A problem, its start, a rule and a number of iterations.

    Args:
        make: Returns the problem.
        start: Returns the start from the dimension.
        rule: The rule.
        rounds: K.
    """

    make: Callable[[], Problem]
    start: Callable[[int], Array]
    rule: Rule
    rounds: int

    def run(self, rng: np.random.Generator, length: float = 1.0, reverse: bool = False) -> AdaptiveRun:
        """Run with the step size `length` / L, from the reversed start if asked."""
        problem = self.make()
        start = self.start(problem.d)
        return cat_gd(
            problem,
            self.rule,
            step_size=length / problem.L,
            rounds=self.rounds,
            rng=rng,
            start=start[::-1] if reverse else start,
        )


def whole(d: int) -> Array:
    """Return the start of `gi`, padded with ones."""
    return np.concatenate([np.array(GI, dtype=np.float64), np.ones(d - len(GI))])


CASES = {
    "quad-5": RunCase(quad, flat, per_entry(5), 60),
    "quad-payload": RunCase(quad, flat, per_entry(0), 60),
    "quad-60": RunCase(quad, flat, per_entry(60), 60),
    "quad-fixed-4": RunCase(quad, flat, fixed(4), 60),
    "isotropic-fixed-3": RunCase(partial(isotropic, 8, 3.0), whole, fixed(3), 3),
    "LF-affine": RunCase(lf, np.zeros, partial(cat_s, cost=Affine(1, 624)), 12),
}
