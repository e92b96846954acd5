"""Runs of the headline: rounds and costs until the gap is a thousandth of the first one."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.adaptive import Choice, cat_s, cat_s_reference, cat_sq
from impl.communication import PRESETS, dense_bits, sign_entries_bits, sparse_bits
from impl.optimizers import AdaptiveRun, cat_gd
from impl.problems import Logistic, load_breast_cancer, load_libsvm
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.golden_vectors import lf, ls
from verify.errors import UsageError

Array = npt.NDArray[Any]

MODELS = ("payload", "affine", "6lowpan", "lora51", "eth")
ACCURACY = 1e-3
RULES: dict[str, Callable[..., Choice]] = {"cat_s": cat_s, "cat_sq": cat_sq}
MOST_ROUNDS = 200_000


@dataclass(frozen=True, eq=False)
class Task:
    """A problem from x_0 = 0, its least objective, and the objective at which a run ends."""

    problem: Logistic
    least: float
    target: float

    @property
    def d(self) -> int:
        """Return the number of coordinates."""
        return self.problem.d

    @functools.cached_property
    def step(self) -> float:
        """Return 1 / L."""
        return 1 / self.problem.L

    def gd_cost(self, model: str, rounds: int, *, indices: bool = False) -> float:
        """Return what rounds of gradient descent cost, dense or (a mutant) with indices."""
        bits = sparse_bits(self.d, self.d) if indices else dense_bits(self.d)
        return float(rounds * PRESETS[model](bits))

    def fixed_costs(self, model: str, rounds: dict[int, int], *, signs: bool = False) -> dict[int, float]:
        """Return what runs with messages of fixed sizes cost."""
        bits = sign_entries_bits if signs else sparse_bits
        return {T: float(count * PRESETS[model](bits(T, self.d))) for T, count in rounds.items()}


@functools.cache
def task(name: str) -> Task:
    """Return the task of a public set (`LF`, `LS`), of the breast cancer data or of a LIBSVM set."""
    problem = _problem(name)
    first, least = (float(problem.objective(x)) for x in (np.zeros(problem.d), problem.solution))
    return Task(problem, least, least + ACCURACY * (first - least))


def _problem(name: str) -> Logistic:
    if name in ("LF", "LS"):
        return lf() if name == "LF" else ls()
    found, labels = load_breast_cancer() if name == "breast-cancer" else load_libsvm(name)
    rows = np.asarray(found.toarray() if hasattr(found, "toarray") else found)
    return Logistic(rows[None], np.asarray(labels)[None], 1 / len(rows))


def fixed_rounds(found: Task, sizes: Sequence[int], *, signs: bool = False) -> dict[int, int]:
    """Return after how many rounds gradient descent with the T largest entries ends, for each T.

    All sizes run side by side, each as long as it takes.

    Args:
        found: The task.
        sizes: T; the number of coordinates is gradient descent itself.
        signs: Whether the signs of the entries and the sum of their magnitudes are sent instead.
    """
    return dict(_fixed_rounds(found, tuple(sizes), signs))


@functools.cache
def _fixed_rounds(found: Task, sizes: tuple[int, ...], signs: bool) -> dict[int, int]:
    """Return what `fixed_rounds` does; a check and its mutants ask for the same runs."""
    T, live = np.array(sizes), np.arange(len(sizes))
    x = np.zeros((len(T), found.d))
    rounds: dict[int, int] = {}
    for k in range(MOST_ROUNDS):
        objective, gradients = found.problem.evaluate(x)
        ended, g = objective <= found.target, gradients[:, 0]
        if ended.any():
            rounds |= {int(T[place]): k for place in live[ended]}
            live, x, g = live[~ended], x[~ended], g[~ended]
            if not live.size:
                return rounds
        kept = _largest(np.abs(g), T[live])
        if signs:
            sums = np.where(kept, np.abs(g), 0.0).sum(axis=1) / T[live]
            x = x - found.step * sums[:, None] * np.where(kept, np.sign(g), 0.0)
        else:
            x = x - found.step * np.where(kept, g, 0.0)
    raise UsageError(f"fixed_rounds: sizes {T[live].tolist()} do not end within {MOST_ROUNDS} rounds")


def _largest(magnitudes: Array, sizes: Array) -> Array:
    """Return which entries of each row are its `sizes` largest ones, the first among equals, (R, d)."""
    if (sizes == magnitudes.shape[1]).all():
        return np.ones(magnitudes.shape, dtype=bool)
    rising = np.sort(magnitudes, axis=1)
    rows, d = magnitudes.shape
    kept: Array = magnitudes >= rising[np.arange(rows), d - sizes][:, None]
    tied = np.count_nonzero(kept, axis=1) > sizes
    if tied.any():
        kept[tied] = _first_among_equals(magnitudes[tied], sizes[tied])
    return kept


def _first_among_equals(magnitudes: Array, sizes: Array) -> Array:
    """Return the same also where the smallest of them are equal to others; takes three times as long."""
    order = np.argsort(-magnitudes, axis=1, kind="stable")
    kept = np.zeros(magnitudes.shape, dtype=bool)
    np.put_along_axis(kept, order, np.arange(magnitudes.shape[1]) < sizes[:, None], axis=1)
    return kept


@functools.cache
def tuned_run(found: Task, rule: str, model: str) -> AdaptiveRun:
    """Return the run of CAT-S or CAT-SQ with its iterates."""
    run = run_until(found, functools.partial(RULES[rule], cost=PRESETS[model]), trace=True)
    # A copy of what was used lets go of the room for `MOST_ROUNDS` iterates.
    return replace(run, iterates=np.array(run.iterates))


def run_until(
    found: Task,
    rule: Callable[[Array], Choice],
    most: int = MOST_ROUNDS,
    *,
    trace: bool = False,
    rng: np.random.Generator | None = None,
) -> AdaptiveRun:
    """Return a run until the end, or for at most so many rounds; only random rules need a generator."""
    return cat_gd(
        found.problem,
        rule,
        step_size=found.step,
        rounds=most,
        rng=np.random.default_rng(0) if rng is None else rng,
        until=found.target,
        trace=trace,
    )


def frozen_rule(model: str) -> Callable[[Array], Choice]:
    """Return the mutant of CAT-S that keeps the first size."""
    first: list[Callable[[Array], Choice]] = []

    def rule(g: Array) -> Choice:
        if not first:
            entry_bits = int(sparse_bits(1, len(g)))
            size = cat_s(g, PRESETS[model]).size
            first.append(fixed_size(size, PRESETS[model], entry_bits=entry_bits))
        return first[0](g)

    return rule


def blind_rule(model: str) -> Callable[[Array], Choice]:
    """Return the mutant of CAT-S that chooses by the number of entries and pays what they cost."""

    def rule(g: Array) -> Choice:
        choice = cat_s(g, PRESETS["payload"], entry_bits=1)
        return replace(choice, cost=PRESETS[model](sparse_bits(choice.size, len(g))))

    return rule


def literal_rule(model: str) -> Callable[[Array], Choice]:
    """Return CAT-S in its literal form: all sizes, every sum anew."""
    return lambda g: cat_s_reference(g.tolist(), PRESETS[model])


def scanning_rule(model: str) -> Callable[[Array], Choice]:
    """Return CAT-S for a cost of which it knows nothing: no early stop, no candidates."""
    return lambda g: cat_s(g, lambda bits: PRESETS[model](bits))
