"""Adversarial search for the supremum of a ratio over its inputs (docs/evidence.md, section 7).

A search proves nothing: it returns a witness, and a lower bound of the supremum.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from verify.evidence.betting import Array

LOCAL_FROM_BEST = 8
RANDOM_STARTS = 64
HOPPING_STARTS = 4
HIT = 1e-6
"""Relative distance to the best value within which a local search counts as having found it."""

_ASCENT_SHARE = 0.5  # the rest of the budget belongs to basin hopping
_SCALES = 4.0 ** np.arange(-2, 3)  # where the ratio depends on the norm, each direction starts at several


@dataclass(frozen=True)
class SupremumResult:
    """What a search found.

    Args:
        x: The witness, shape (dim,); of unit norm where the ratio is scale-invariant.
        value: f(x).
        evaluations: Evaluations of f and of its gradient, at most the budget.
        starts: Local searches that were run to their end.
        hits: How many of them ended within 1e-6 of the best value.
    """

    x: Array
    value: float
    evaluations: int
    starts: int
    hits: int


def supremum(
    f: Callable[[Any], Any],
    dim: int,
    *,
    scale_invariant: bool = True,
    budget: int = 40_000,
    seed: int = 0,
    gradient: Callable[[Array], Any] | None = None,
    starts: Sequence[npt.ArrayLike] = (),
    batch: bool = False,
) -> tuple[Array, float]:
    """Return the input (dim,) with the largest f found, and f there; see `search_supremum`."""
    found = search_supremum(
        f,
        dim,
        scale_invariant=scale_invariant,
        budget=budget,
        seed=seed,
        gradient=gradient,
        starts=starts,
        batch=batch,
    )
    return found.x, found.value


def search_supremum(
    f: Callable[[Any], Any],
    dim: int,
    *,
    scale_invariant: bool = True,
    budget: int = 40_000,
    seed: int = 0,
    gradient: Callable[[Array], Any] | None = None,
    starts: Sequence[npt.ArrayLike] = (),
    batch: bool = False,
    enough: float = np.inf,
) -> SupremumResult:
    """Search the largest value of f: structured and random starts, local ascent, then basin hopping.

    Args:
        f: Maps an input (dim,) to a number, or (m, dim) to (m,) if `batch`. Where it is undefined (NaN) it
            counts as -infinity.
        dim: Dimension of the input.
        scale_invariant: Whether f(c x) = f(x) for c > 0. Then f is only evaluated on the unit sphere; if not,
            everywhere but at 0, since the sphere would miss a part of the supremum.
        budget: Evaluations allowed; a gradient counts as one, a numerical gradient as dim.
        seed: Seed of the random starts and hops; the same arguments give the same result.
        gradient: Gradient of f at one input (dim,), where it is known.
        starts: Inputs to begin with, such as a claimed worst case.
        batch: Whether f takes many inputs at once.
        enough: The search ends at a value above this.

    Raises:
        ArgumentError: dim, budget or a start is invalid, or f is NaN at every start.
    """
    problems = Problems("supremum")
    problems.require(dim >= 1, f"dim={dim} must be at least 1")
    problems.require(budget >= 1, f"budget={budget} must be at least 1 evaluation")
    given = [np.asarray(start, dtype=float) for start in starts]
    for i, start in enumerate(given):
        problems.require(start.shape == (dim,), f"starts[{i}] has shape {start.shape}, needs ({dim},)")
        problems.require(
            bool(np.all(np.isfinite(start)) and np.any(start)),
            f"starts[{i}]={start} must be finite and not 0",
        )
    problems.raise_if_any()

    search = _Search(f, dim, scale_invariant, budget, gradient, batch, enough)
    rng = np.random.default_rng(seed)
    with contextlib.suppress(_BudgetSpentError):  # what was found until then is kept
        ends = _ascend(search, given, rng)
        _hop(search, ends, rng)
    problems.require(search.best > -np.inf, "f is NaN at every start; check its domain, or give starts")
    problems.raise_if_any()
    near = search.best - HIT * abs(search.best)
    return SupremumResult(
        search.witness,
        search.best,
        search.used,
        len(search.ends),
        sum(value >= near for value in search.ends),
    )


def structured_directions(dim: int) -> Iterator[Array]:
    """Yield unit vectors at which suprema of compressors tend to lie.

    They are: m equal entries; two levels (1, t, ..., t); arithmetic and geometric progressions.
    """
    counts = np.unique(np.round(np.geomspace(1, dim, 24)).astype(int))
    levels = [*np.linspace(0.05, 0.95, 19), 1 / (1 + np.sqrt(dim)), 1 / np.sqrt(dim), 1 / dim, -1.0]
    ratios = [0.25, 0.5, 2 / 3, 0.75, 0.9, 0.99]
    rows: list[Array] = [np.r_[np.ones(m), np.zeros(dim - m)] for m in counts]
    if dim > 1:
        rows += [np.r_[1.0, np.full(dim - 1, t)] for t in levels]
        rows += [np.arange(1.0, dim + 1), np.arange(dim) + 0.5]
        rows += [ratio ** np.arange(dim) for ratio in ratios]
    for row in rows:
        yield row / np.linalg.norm(row)


class _BudgetSpentError(Exception):
    """Ends the search wherever it is; what it found so far is kept."""


class _Search:
    """Count evaluations and remember the best input."""

    def __init__(
        self,
        f: Callable[[Any], Any],
        dim: int,
        scale_invariant: bool,
        budget: int,
        gradient: Callable[[Array], Any] | None,
        batch: bool,
        enough: float,
    ) -> None:
        self.f, self.dim, self.scale_invariant, self.budget = f, dim, scale_invariant, budget
        self.gradient, self.batch, self.enough = gradient, batch, enough
        self.used = 0
        self.best = -np.inf
        self.witness = np.zeros(dim)
        self.ends: list[float] = []

    def values(self, x: Array) -> Array:
        """Return f at the rows of x (m, dim), -infinity where it is undefined."""
        room = self.budget - self.used
        if room <= 0:
            raise _BudgetSpentError
        inputs = self._project(x[:room])
        self.used += len(inputs)
        if self.batch:
            found = np.asarray(self.f(inputs), dtype=float).reshape(len(inputs))
        else:
            found = np.array([float(self.f(row)) for row in inputs])
        found = np.where(np.isnan(found), -np.inf, found)
        top = int(np.argmax(found))
        if found[top] > self.best:
            self.best, self.witness = float(found[top]), inputs[top].copy()
        if len(inputs) < len(x) or self.best > self.enough:
            raise _BudgetSpentError
        return found

    def value_and_slope(self, x: Array) -> tuple[float, Array]:
        """Return f and the gradient of x -> f(x), or of x -> f(x / |x|) where f is scale-invariant."""
        if self.gradient is None:
            step = 1e-7 * max(float(np.linalg.norm(x)) / np.sqrt(self.dim), 1e-300)
            found = self.values(np.vstack([x, x + step * np.eye(self.dim)]))
            return float(found[0]), (found[1:] - found[0]) / step if np.all(np.isfinite(found)) else 0 * x
        value = float(self.values(x[None])[0])
        if self.used >= self.budget:
            raise _BudgetSpentError
        self.used += 1
        point = self._project(x[None])[0]
        slope = np.nan_to_num(np.asarray(self.gradient(point), dtype=float))
        if self.scale_invariant:
            slope = (slope - (slope @ point) * point) / max(float(np.linalg.norm(x)), 1e-300)
        return value, slope

    def _project(self, x: Array) -> Array:
        if not self.scale_invariant:
            return x
        norms = np.linalg.norm(x, axis=1, keepdims=True)
        return x / np.where(norms > 0, norms, 1)


def _ascend(search: _Search, given: Sequence[Array], rng: np.random.Generator) -> list[tuple[float, Array]]:
    """Climb from the best 8 starts and from 64 random ones while the share of the budget lasts."""
    directions = np.array(list(structured_directions(search.dim)))
    random = rng.standard_normal((RANDOM_STARTS, search.dim))
    random /= np.linalg.norm(random, axis=1, keepdims=True)
    if not search.scale_invariant:
        directions = np.vstack([scale * directions * np.sqrt(search.dim) for scale in _SCALES])
        random *= np.sqrt(search.dim) * 4.0 ** rng.uniform(-2, 2, (RANDOM_STARTS, 1))
    chosen = np.vstack([*(row[None] for row in given), directions])
    values = search.values(chosen)
    order = np.argsort(-values, kind="stable")[:LOCAL_FROM_BEST]
    random_values = search.values(random)
    random_order = np.argsort(-random_values, kind="stable")
    queue = [(float(values[i]), chosen[i]) for i in order]
    queue += [(float(random_values[i]), random[i]) for i in random_order]
    ends: list[tuple[float, Array]] = []
    limit = search.used + _ASCENT_SHARE * (search.budget - search.used)
    for value, start in queue:
        if search.used < limit and value > -np.inf:
            ends.append(_climb(search, start, limit))
            search.ends.append(ends[-1][0])
        else:
            ends.append((value, start))
    return sorted(ends, key=lambda end: -end[0])


def _climb(search: _Search, start: Array, limit: float) -> tuple[float, Array]:
    """Follow the gradient with steps that grow on success and shrink on failure."""
    x = start / np.linalg.norm(start) if search.scale_invariant else start
    value, slope = search.value_and_slope(x)
    step = 0.1
    while step > 1e-9 and search.used < limit:
        length = float(np.linalg.norm(slope))
        if length == 0:
            break
        move = x + step * float(np.linalg.norm(x)) / length * slope
        reached = float(search.values(move[None])[0])
        if reached > value:
            if reached - value <= 1e-12 * abs(value):
                return reached, move
            x = move / np.linalg.norm(move) if search.scale_invariant else move
            value, slope = search.value_and_slope(x)
            step *= 2
        else:
            step *= 0.25
    return value, x


def _hop(search: _Search, ends: Sequence[tuple[float, Array]], rng: np.random.Generator) -> None:
    """Hop between basins from the best ends, each with an equal part of what is left."""
    from scipy.optimize import basinhopping

    objective: Any = partial(_negated, search)  # returns value and slope, which the stubs do not know
    total = search.budget
    chosen = _distinct(search, ends)
    for i, start in enumerate(chosen):
        search.budget = search.used + (total - search.used) // (len(chosen) - i)
        scale = float(np.linalg.norm(start)) / np.sqrt(search.dim)
        try:
            found = basinhopping(
                objective,
                start,
                niter=50,
                niter_success=10,
                stepsize=0.5 * scale,
                T=0.01 * max(abs(search.best), 1e-300),
                minimizer_kwargs={"method": "L-BFGS-B", "jac": True},
                rng=rng,
            )
            search.ends.append(-float(found.fun))
        except _BudgetSpentError:
            continue
        finally:
            search.budget = total


def _distinct(search: _Search, ends: Sequence[tuple[float, Array]]) -> list[Array]:
    """Return up to 4 of the best ends that differ from each other."""
    chosen: list[Array] = []
    for value, x in ends:
        far = all(np.linalg.norm(x - y) > 1e-3 * np.linalg.norm(y) for y in chosen)
        if far and value > -np.inf and len(chosen) < HOPPING_STARTS:
            chosen.append(x)
    return chosen


def _negated(search: _Search, x: Array) -> tuple[float, Array]:
    value, slope = search.value_and_slope(x)
    # L-BFGS-B cannot work with infinities; the search has remembered them.
    return -float(np.clip(value, -1e300, 1e300)), -slope
