"""Gradient descent whose compressor is chosen anew for each gradient (arXiv 2003.06377)."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.adaptive.choice import Choice
from impl.arguments import is_count, is_real
from impl.errors import ArgumentError, Problems
from impl.optimizers.runs.batched_run import require_problem, require_stream
from impl.problems.contract import Problem

Array = npt.NDArray[Any]
Rule = Callable[[Array], Choice]

_OVERFLOW = 1e300
_RULE = "map a gradient (d,) alone to a Choice; take one like functools.partial(cat_s, cost=...)"


@dataclass(frozen=True, eq=False)
class AdaptiveRun:
    """Traces of R independent replicates over K iterations; column 0 is the start.

    Attributes:
        x: Last iterates, (R, d).
        objective: f at the iterates, (R, K + 1).
        gradient_norm_sq: Squared norm of the gradient of f, (R, K + 1).
        distance_sq: Squared distance to the solution, (R, K + 1); None if the problem certifies none.
        bits: Payload of the messages so far as the rules count it (`Choice.bits`), mean over the nodes, (R, K
            + 1).
        cost: Their cost, as it really was, likewise.
        sizes: `Choice.size` of each node, (R, K, n).
        shares: `Choice.share`, (R, K, n).
        efficiencies: `Choice.efficiency`, (R, K, n).
        iterates: All iterates, (R, K + 1, d), if the run was asked for a trace.
    """

    x: Array
    objective: Array
    gradient_norm_sq: Array
    distance_sq: Array | None
    bits: Array
    cost: Array
    sizes: Array
    shares: Array
    efficiencies: Array
    iterates: Array | None = None

    @property
    def rounds(self) -> int:
        """Number of iterations K."""
        return int(self.objective.shape[1]) - 1


def cat_gd(
    problem: Problem,
    rule: Rule,
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator,
    replicates: int = 1,
    start: npt.ArrayLike | None = None,
    until: float | None = None,
    trace: bool = False,
    allow_divergence: bool = False,
) -> AdaptiveRun:
    r"""Run $x^{k+1}=x^k-\gamma_kQ_k(\nabla f(x^k))$ with the compressor and the step that `rule` chooses.

    With one node $\gamma_k$ is `step_size` times `Choice.step_factor`, so `step_size` is 1/L. With n nodes
    each applies the rule, which must then be unbiased, to its own gradient, and
    $\gamma_k=$ `step_size` $/(1+2q_k/n)$ with $q_k=\max_i(1/\omega_i^k-1)$ (claim `cat/mn-strong`). What the
    server needs to know for that is not charged. In a round with a biased message all messages are averaged
    with the steps of their nodes.

    Args:
        problem: n node functions on R^d.
        rule: Maps a gradient (d,) to a `Choice`, such as `functools.partial(cat_s, cost=...)`.
        step_size: 1/L of f, or for several nodes of the largest node.
        rounds: Number of iterations K.
        rng: The random stream.
        replicates: How many independent runs.
        start: (d,) or (replicates, d); zero if left out.
        until: Stop a replicate once f is at most this (in other methods it is a squared distance); None runs
            all rounds.
        trace: Whether to keep all iterates.
        allow_divergence: Run biased rules on several nodes all the same: their average can diverge for every
            step (claim `cat/mn-topk-diverges`).

    Raises:
        ArgumentError: Everything that is wrong with the arguments, at once; a rule that returns no `Choice`;
            a biased rule on several nodes.
    """
    problems = Problems("cat_gd")
    require_problem(problems, problem)
    require_stream(problems, rng)
    problems.require(_takes_a_gradient(rule), f"rule={rule!r} must {_RULE}")
    for name, count in (("rounds", rounds), ("replicates", replicates)):
        problems.require(is_count(count), f"{name}={count!r} must be a whole number of at least 1")
    problems.require(
        is_real(step_size) and 0 < step_size < np.inf,
        f"step_size={step_size!r} must be a positive finite number; 1 / L is what the rules are made for",
    )
    problems.require(
        until is None or (is_real(until) and not np.isnan(until)),
        f"until={until!r} must be a number, the objective at which a run ends, or None",
    )
    problems.raise_if_any()
    n, d = problem.n, problem.d
    result = _empty(problem, replicates, rounds, _points(start, replicates, d), trace)
    x = result.x
    active = np.ones(replicates, dtype=bool)
    for k in range(rounds + 1):
        gradients = _record(problem, result, x, k, active)
        if until is not None:
            active &= result.objective[:, k] > until
        active &= result.objective[:, k] < _OVERFLOW
        if k == rounds or not active.any():
            break
        for r in np.flatnonzero(active):
            choices = [_chosen(rule, gradients[r, i], i) for i in range(n)]
            if n > 1 and not allow_divergence:
                _require_unbiased(choices)
            step, bits, costs = _step(x[r], gradients[r], choices, step_size, rng)
            x[r] -= step
            result.bits[r, k + 1] = result.bits[r, k] + bits / n
            result.cost[r, k + 1] = result.cost[r, k] + costs / n
            result.sizes[r, k] = [choice.size for choice in choices]
            result.shares[r, k] = [float(choice.share) for choice in choices]
            result.efficiencies[r, k] = [float(choice.efficiency) for choice in choices]
        if not active.all():
            for trace_of in (result.bits, result.cost):
                trace_of[~active, k + 1] = trace_of[~active, k]
    return _shortened(result, k)


def _step(
    x: Array, gradients: Array, choices: Sequence[Choice], step_size: float, rng: np.random.Generator
) -> tuple[Array, float, float]:
    """Return the step of one replicate, and the bits and the cost of its messages."""
    n = len(choices)
    unbiased = all(choice.compressor is None or choice.compressor.unbiased for choice in choices)
    total, bits, costs, noise = np.zeros_like(x), 0.0, 0.0, 0.0
    for gradient, choice in zip(gradients, choices, strict=True):
        if choice.compressor is None:
            continue
        draws = choice.compressor.draw(rng, gradient.shape)
        sent = choice.compressor.compress(gradient, draws)
        total += sent if unbiased or n == 1 else float(choice.step_factor) * sent
        entries = int(np.count_nonzero(sent))
        bits += _bits(choice, gradient, draws, entries)
        costs += float(choice.cost if choice.price is None else choice.price(entries))
        noise = max(noise, 1 / float(choice.share) - 1)
    if n == 1:
        return step_size * float(choices[0].step_factor) * total, bits, costs
    return step_size / (1 + 2 * noise / n if unbiased else 1) * (total / n), bits, costs


def _bits(choice: Choice, gradient: Array, draws: Any, entries: int) -> float:
    """Return the payload of a message with so many entries, one by one where their number is random."""
    if choice.bits is None:
        return float(choice.compressor.message(gradient, draws).bits)
    return float(choice.bits if choice.price is None else choice.bits / choice.size * entries)


def _takes_a_gradient(rule: Any) -> bool:
    """Return whether `rule` can be called with one argument, as far as its signature tells."""
    if not callable(rule):
        return False
    try:
        inspect.signature(rule).bind(None)
    except TypeError:
        return False
    except ValueError:
        pass  # built-in functions may have no signature: the first call tells
    return True


def _chosen(rule: Rule, gradient: Array, node: int) -> Choice:
    """Return what the rule chooses for a node."""
    choice: Any = rule(gradient)
    if not isinstance(choice, Choice):
        raise ArgumentError(
            f"cat_gd: rule={rule!r} returned {reprlib.repr(choice)} for node {node}; it must {_RULE}"
        )
    return choice


def _require_unbiased(choices: Sequence[Choice]) -> None:
    for i, choice in enumerate(choices):
        if choice.compressor is not None and not choice.compressor.unbiased:
            raise ArgumentError(
                f"cat_gd: node {i} chose {choice.compressor!r}, which is biased; the average over "
                f"{len(choices)} nodes can diverge for every step. Use cat_st, or set allow_divergence"
            )


def _points(start: npt.ArrayLike | None, replicates: int, d: int) -> Array:
    """Return the start of every replicate, (R, d)."""
    try:
        if start is not None and np.iscomplexobj(start):
            raise TypeError("complex numbers are not real")
        given = np.zeros(d) if start is None else np.asarray(start, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError("cat_gd: start must be real numbers, (d,) or (replicates, d)") from None
    if given.shape not in ((d,), (replicates, d)) or not np.isfinite(given).all():
        raise ArgumentError(
            f"cat_gd: start of shape {given.shape} must be finite, of shape ({d},) or ({replicates}, {d})"
        )
    return np.array(np.broadcast_to(given, (replicates, d)))


def _empty(problem: Problem, R: int, K: int, x: Array, trace: bool) -> AdaptiveRun:
    n, d = problem.n, problem.d
    return AdaptiveRun(
        x,
        np.zeros((R, K + 1)),
        np.zeros((R, K + 1)),
        np.zeros((R, K + 1)) if problem.mu > 0 else None,
        np.zeros((R, K + 1)),
        np.zeros((R, K + 1)),
        np.zeros((R, K, n), dtype=np.int64),
        np.zeros((R, K, n)),
        np.zeros((R, K, n)),
        np.zeros((R, K + 1, d)) if trace else None,
    )


def _record(problem: Problem, result: AdaptiveRun, x: Array, k: int, active: Array) -> Array:
    """Fill column k and return the gradients of the nodes; a replicate that has ended keeps its numbers."""
    with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges ends below
        objective, gradients = problem.evaluate(x)
        mean = gradients[..., 0, :] if problem.n == 1 else gradients.mean(axis=-2)
        fresh = [(result.objective, objective), (result.gradient_norm_sq, (mean**2).sum(axis=-1))]
        if result.distance_sq is not None:
            fresh.append((result.distance_sq, ((x - problem.solution) ** 2).sum(axis=-1)))
    going = not k or active.all()
    for column, values in fresh:
        bounded = np.where(np.abs(values) < _OVERFLOW, values, _OVERFLOW)  # NaN becomes large, too
        column[:, k] = bounded if going else np.where(active, bounded, column[:, k - 1])
    if result.iterates is not None:
        result.iterates[:, k] = x
    return gradients


def _shortened(result: AdaptiveRun, last: int) -> AdaptiveRun:
    """Return the run without what lies behind iteration `last`."""
    changes = {}
    for item in fields(result):
        value = getattr(result, item.name)
        if item.name == "x" or value is None:
            continue
        inner = item.name in ("sizes", "shares", "efficiencies")
        changes[item.name] = value[:, : last if inner else last + 1]
    return replace(result, **changes)
