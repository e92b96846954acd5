r"""The authors' protocol of the experiments of arXiv 2106.03524, with their constants, on our implementation.

Read from public code (bokun-wang/Paper_9107_code at 144c6f3); every constant is named here. Where it differs
from what the claims prove is said in docs/original-protocols.md. Their seeds are drawn unseeded, so that runs
agree in law and not bit by bit.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import StochasticQuantizer
from verify.errors import UsageError

Array = npt.NDArray[Any]

NODES = 6
RIDGE = 1e-3
ROUNDS = 5000
SEEDS = 5
REFERENCE_STEPS = 5001
DATA = ("german.numer", "svmguide3", "splice", "phishing", "a9a", "w8a")
CODE = "sparse-omega"  # 32 bits for the norm, then gap, sign and level of each nonzero by Elias omega


@dataclass(frozen=True)
class Original:
    """One of their methods on a data set, at their parameters.

    Args:
        problem: The problem, see `problem_of`.
        quantizer: Relative to the largest magnitude of each block.
        step_size: gamma.
        learning_rate: alpha.
        aware: Whether nodes send through their smoothness matrices (DIANA+).
    """

    problem: Any
    quantizer: StochasticQuantizer
    step_size: float
    learning_rate: float
    aware: bool

    def run(
        self,
        rng: np.random.Generator,
        *,
        rounds: int = ROUNDS,
        replicates: int = SEEDS,
        until: float | None = None,
    ) -> Any:
        """Run from zero, all replicates at once; bits are uplink bits of a node."""
        from impl.optimizers import diana, diana_plus

        method: Callable[..., Any] = diana_plus if self.aware else diana
        return method(
            self.problem,
            self.quantizer,
            step_size=self.step_size,
            learning_rate=self.learning_rate,
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            until=until,
        )


def problem_of(name: str) -> Any:
    """Return the logistic regression of a data set as the authors split it.

    Raises:
        UsageError: The protocol does not use this data set.
    """
    from impl.problems import load_libsvm

    if name not in DATA:
        raise UsageError(f"name={name!r} is no data set of the protocol; choose one of {', '.join(DATA)}")
    return arranged(*load_libsvm(name)[:2])


def arranged(features: Any, labels: Any) -> Any:
    """Return the logistic regression of rows and labels as the authors split them.

    Rows are divided by their largest magnitude and sorted by their Euclidean norm (stably, and equal where
    they differ by rounding only); what is left over a multiple of n is dropped, and each node gets a
    contiguous part.
    """
    from impl.problems import Logistic

    rows = features.toarray() if hasattr(features, "toarray") else np.asarray(features)
    largest = np.abs(rows).max(axis=1, keepdims=True)
    rows = rows / np.where(largest == 0, 1, largest)
    norms = np.sqrt((rows * rows).sum(axis=1))
    order = np.argsort(np.round(norms, 12), kind="stable")[: len(rows) // NODES * NODES]
    parts = rows[order].reshape(NODES, len(order) // NODES, -1)
    return Logistic(parts, np.asarray(labels)[order].reshape(NODES, -1), RIDGE)


def reference_point(problem: Any, steps: int = REFERENCE_STEPS) -> Array:
    """Return what their figures take for the solution: the end of gradient descent from zero, (d,)."""
    from impl.optimizers import gd

    return _end_of(gd, problem, steps)


@functools.lru_cache(maxsize=4)
def _end_of(run: Any, problem: Any, steps: int) -> Array:
    found: Array = run(problem, step_size=1 / problem.L, rounds=steps).x[0]
    found.setflags(write=False)
    return found


def omega_of(steps: Array) -> float:
    """Return the constant without weight that the authors use for steps (d,): of the Euclidean norm."""
    total = float((steps * steps).sum())
    return min(total, math.sqrt(total))


def levels_of(d: int) -> int:
    """Return the number of levels s of the standard quantizer.

    Raises:
        UsageError: d < n^2 gives s = 0: the step of the quantizer is then a division by zero.
    """
    found = int(d**0.5 / NODES)
    if found < 1:
        raise UsageError(
            f"d={d} gives s = floor(sqrt(d)/{NODES}) = 0 levels; the protocol needs d >= {NODES**2} "
            "(or s=1, which it does not say)"
        )
    return found


def _levels_or_one(d: int) -> int:
    return max(1, int(d**0.5 / NODES))


def standard(problem: Any, levels: int | None = None) -> Original:
    """Return their baseline DIANA: 1/gamma = L_max (1 + 2 omega/n), alpha = 1/(1 + omega)."""
    s = levels_of(problem.d) if levels is None else levels
    omega = omega_of(np.full(problem.d, 1 / s))
    gamma = 1 / (float(problem.L_nodes.max()) * (1 + 2 * omega / NODES))
    quantizer = StochasticQuantizer(1 / s, norm="max", norm_bits=32, code=CODE)
    return Original(problem, quantizer, gamma, 1 / (1 + omega), aware=False)


def standard_proved(problem: Any, levels: int | None = None) -> Original:
    """Return their baseline at the step that `squant/diana` proves, with 6 and the mean matrix."""
    made = standard(problem, levels)
    omega = 1 / made.learning_rate - 1
    gamma = 1 / (problem.L + 6 * omega * float(problem.L_nodes.max()) / NODES)
    return replace(made, step_size=gamma)


def with_smaller_constant(chosen: Original) -> Original:
    """Return a method whose step has the 6 at that of `squant/diana-constant`, with the 2 in its place."""
    L = chosen.problem.L
    gamma = 1 / (L + (1 / chosen.step_size - L) / 3)
    return replace(chosen, step_size=gamma, learning_rate=chosen.learning_rate / 2)


def aware_standard(problem: Any) -> Original:
    """Return their DIANA+ with one step for all coordinates, h = n/sqrt(d)."""
    d = problem.d
    steps = np.full((NODES, d), NODES / d**0.5)
    quantizer = StochasticQuantizer(NODES / d**0.5, norm="max", norm_bits=32, code=CODE)
    return _aware(problem, quantizer, steps, np.linalg.norm(_diagonals(problem) * steps, axis=1))


def aware_varying(problem: Any) -> Original:
    """Return their DIANA+ with varying steps at the budget beta = d/n."""
    diagonals = _diagonals(problem)
    weights = np.sqrt(1 + (diagonals / (NODES * RIDGE)) ** 2)
    steps = np.sqrt(weights.sum(axis=1, keepdims=True) / weights) / (problem.d / NODES)
    quantizer = StochasticQuantizer(steps, norm="max", norm_bits=32, code=CODE)
    return _aware(problem, quantizer, steps, np.linalg.norm(diagonals * steps, axis=1))


def aware_block(problem: Any) -> Original:
    """Return their DIANA+ with n blocks at the budget beta = d/n + n."""
    from scipy.optimize import brentq

    d, diagonals = problem.d, _diagonals(problem)
    lengths = [len(part) for part in np.array_split(np.arange(d), NODES)]
    root = np.sqrt(lengths)
    norms = np.array([[np.linalg.norm(part) for part in _parts(row, lengths)] for row in diagonals])
    shares = root + norms / (NODES * RIDGE)
    steps = np.empty_like(shares)
    for row, share in zip(steps, shares, strict=True):

        def excess(delta: float, share: Array = share) -> float:
            s = share / delta
            return float((s * s + root * s).sum()) - float(d) / NODES

        row[:] = brentq(excess, 1e-9 * share.max(), 1e9 * share.max()) / share
    quantizer = StochasticQuantizer(steps, blocks=lengths, norm="max", norm_bits=32, code=CODE)
    omega = max(omega_of(np.full(m, h)) for row in steps for m, h in zip(lengths, row, strict=True))
    return _with_constants(problem, quantizer, float((steps * norms).max()), omega)


METHODS: dict[str, Callable[[Any], Original]] = {
    "DIANA": standard,
    "DIANA+ standard": aware_standard,
    "DIANA+ varying": aware_varying,
    "DIANA+ block": aware_block,
}
"""Their methods by the names of their figures."""


OURS: dict[str, Callable[[Any], Original]] = {
    "DIANA": lambda problem: with_smaller_constant(standard_proved(problem, _levels_or_one(problem.d))),
    "DIANA+ standard": lambda problem: with_smaller_constant(aware_standard(problem)),
    "DIANA+ varying": lambda problem: with_smaller_constant(aware_varying(problem)),
    "DIANA+ block": lambda problem: with_smaller_constant(aware_block(problem)),
}
"""The same at the steps of `squant/diana-constant`, with one level where the protocol has none."""


def reached(
    name: str,
    *,
    rounds: int,
    replicates: int = SEEDS,
    seed: int = 0,
    methods: Mapping[str, Callable[[Any], Original]] = METHODS,
) -> dict[str, tuple[float, float]]:
    """Return for each method the squared distance at the end, over that of the start, and bits per round.

    The distance is the geometric mean over replicates, as in their figures; it is taken to the solution by
    Newton's method, not to their reference point (`squant/finding-reference-point`).
    """
    problem = problem_of(name)
    found = {}
    for label, method in methods.items():
        run = method(problem).run(np.random.default_rng(seed), rounds=rounds, replicates=replicates)
        ratios = run.distance_sq[:, -1] / run.distance_sq[:, 0]
        found[label] = float(np.exp(np.log(ratios).mean())), float(run.bits[:, -1].mean() / rounds)
    return found


def spent(
    method: Original, accuracy: float, *, rounds: int, replicates: int = SEEDS, seed: int = 0
) -> tuple[float, float]:
    """Return median rounds and uplink Mbit of a node until the relative squared distance is `accuracy`.

    Raises:
        UsageError: A replicate does not get there within `rounds`.
    """
    from verify.experiments.squant.run_costs import costs_of

    run = method.run(np.random.default_rng(seed), rounds=rounds, replicates=replicates, until=accuracy)
    costs = costs_of(run, accuracy)
    if not costs.arrived.all():
        raise UsageError(f"rounds={rounds} are too few for accuracy={accuracy:g}; give more")
    return float(np.median(costs.rounds)), float(np.median(costs.bits)) / 1e6


def matrix_mbit(method: Original) -> tuple[float, float]:
    """Return the Mbit of sending a node's matrix once: as they charge it, and by its triangle."""
    d = method.problem.d if method.aware else 0
    return 32 * d * (d + 1) / 1e6, 32 * (d * (d + 1) // 2) / 1e6


def _aware(problem: Any, quantizer: StochasticQuantizer, steps: Array, constants: Array) -> Original:
    return _with_constants(problem, quantizer, float(constants.max()), max(map(omega_of, steps)))


def _with_constants(problem: Any, quantizer: StochasticQuantizer, largest: float, omega: float) -> Original:
    gamma = 1 / (problem.L + 6 * largest / NODES)
    return Original(problem, quantizer, gamma, 1 / (1 + omega), aware=True)


def _diagonals(problem: Any) -> Array:
    matrices = problem.smoothness
    found: Array = matrices if matrices.ndim == 2 else np.diagonal(matrices, axis1=-2, axis2=-1)
    return found


def _parts(row: Array, lengths: list[int]) -> list[Array]:
    return np.split(row, np.cumsum(lengths)[:-1])
