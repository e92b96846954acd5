"""MARINA: compressed gradient differences with an occasional full gradient, literal and batched."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_float64
from impl.errors import Problems
from impl.optimizers.client_compression import (
    ClientCompressor,
    ClientRounds,
    is_joint,
    require_client_compressor,
)
from impl.optimizers.runs.batched_run import Cost, require_problem, run_batched
from impl.optimizers.runs.literal_trace import LiteralTrace
from impl.optimizers.runs.overflow import OVERFLOW, squared_length, surely_fit
from impl.optimizers.runs.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


def marina_reference(
    problem: Problem,
    compressors: Sequence[ClientCompressor],
    *,
    step_size: float,
    probability: float,
    rounds: int,
    rng: np.random.Generator,
    start: npt.ArrayLike | None = None,
    initial: npt.ArrayLike | None = None,
    float_bits: int = 64,
) -> RunResult:
    r"""Run MARINA client by client, as the paper writes it (arXiv 2401.05518); one replicate.

    `compressors` has one object per client, which gives its client's message; joint ones are equal to each
    other, and the server aggregates with the first. The stream is that of `marina` for joint compressors
    and, on the tier of numpy, for those that draw uniforms: the coin, then all draws, whatever the coin
    shows.
    """
    n, d, gamma = problem.n, problem.d, step_size
    x = np.zeros(d) if start is None else as_float64(start).copy()
    old: list[Array] = []
    g = np.zeros(d)
    trace = LiteralTrace(problem)
    for k in range(rounds + 1):
        f, gradient = 0.0, np.zeros(d)
        new = []
        for i in range(n):
            f_i, gradient_i = problem.evaluate_node(i, x)
            f += f_i / n
            gradient += gradient_i / n
            new.append(gradient_i)
        trace.point(x, f, gradient)
        if k == rounds:
            break
        sent = [float_bits * d] * n
        if k == 0 and initial is not None:
            g, sent = as_float64(initial).copy(), [0] * n
        elif k == 0:
            g = gradient
        else:
            full = rng.random() < probability
            draws = _reference_draws(compressors, rng, (n, d))
            if full:
                g = gradient
            else:
                differences = [new[i] - old[i] for i in range(n)]
                estimate, sent = _reference_messages(compressors, differences, draws)
                g = g + estimate
        x = x - gamma * g
        old = new
        trace.sent(sent)
    return trace.result()


def _reference_draws(
    compressors: Sequence[Any], rng: np.random.Generator, shape: tuple[int, int]
) -> list[Any]:
    """Return what each client knows of the draws of a round."""
    n, d = shape
    if not is_joint(compressors[0]):
        return [compressor.draw(rng, (d,)) for compressor in compressors]
    drawn = compressors[0].draw(rng, shape)
    return [compressors[0].of_client(drawn, i) for i in range(n)]


def _reference_messages(
    compressors: Sequence[Any], differences: list[Array], draws: list[Any]
) -> tuple[Array, list[int]]:
    """Send the differences one by one; return the estimate of their mean and the bits of each message."""
    n = len(differences)
    if is_joint(compressors[0]):
        messages = [compressors[i].message(differences[i], i, draws[i], n=n) for i in range(n)]
        return compressors[0].aggregate(messages, draws[0].shared), [item.bits for item in messages]
    estimate, sent = np.zeros_like(differences[0]), []
    for i in range(n):
        message = compressors[i].message(differences[i], draws[i])
        estimate += compressors[i].reconstruct(message, draws[i].shared) / n
        sent.append(int(message.bits))
    return estimate, sent


class MarinaEstimator:
    r"""Gradient estimates g of R replicates; one call a round.

    Args:
        compressor: applied to (R, n, d), independently over clients or jointly.
        rng: the random stream: the coins of a round, then its draws, whatever the coins show.
        probability: p of a full gradient.
        initial: $g^0$, (R, d); None for the gradient at the start.
        float_bits: bits of one number of a full gradient.
    """

    def __init__(
        self,
        compressor: ClientCompressor,
        rng: np.random.Generator,
        *,
        probability: float,
        initial: Array | None,
        float_bits: int,
    ) -> None:
        self.compressor, self.rng = compressor, rng
        self.probability, self.float_bits = probability, float_bits
        self.initial = initial
        self.estimate: Array = np.zeros(0)
        self.rounds: ClientRounds | None = None
        self.uncompressed: Array = np.zeros(0)  # bits of a round of full gradients, (R, n)
        self.previous: Array | None = None

    def __call__(self, x: Array, gradients: Array) -> tuple[Array, Array]:
        if self.previous is None:
            self.uncompressed = np.full(gradients.shape[:-1], self.float_bits * gradients.shape[-1])
            known = self.initial is not None
            self.estimate = np.array(self.initial) if known else gradients.mean(axis=-2)
            self.previous = gradients
            return self.estimate, self.uncompressed * (not known)
        full = self.coins(*gradients.shape[:-1])
        if self.rounds is None:
            self.rounds = ClientRounds(self.compressor, self.rng, gradients.shape)
        self.rounds.draw()
        with np.errstate(over="ignore", invalid="ignore"):
            differences = self.difference(gradients)
        healthy = self._set_overflow_aside(differences)
        decoded, bits, all_full = differences, self.uncompressed, bool(full.all())
        if not all_full:
            decoded, bits = self.rounds.compress(differences)
        self.estimate = self.advance(full, gradients, decoded)
        self.previous = gradients
        direction = self.estimate if healthy is None else np.where(healthy[:, None], self.estimate, np.inf)
        return direction, bits if all_full or not full.any() else np.where(full, self.uncompressed, bits)

    def _set_overflow_aside(self, differences: Array) -> Array | None:
        """Return which replicates go on, (R,), None for all: compressors must not see infinity."""
        if surely_fit(differences) and surely_fit(self.estimate):
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            healthy = np.asarray(squared_length(differences).max(axis=-1) <= OVERFLOW)
            healthy &= squared_length(self.estimate) <= OVERFLOW
        if healthy.all():
            return None
        differences[~healthy], self.estimate[~healthy] = 0.0, 0.0
        return healthy

    def coins(self, replicates: int, clients: int) -> Array:
        """Return which replicates send full gradients this round, (R, 1): one coin for all clients."""
        return np.asarray(self.rng.random(replicates) < self.probability)[:, None]

    def difference(self, gradients: Array) -> Array:
        """Return what the clients compress, (R, n, d): their gradients minus those of the round before."""
        return np.asarray(gradients - self.previous)

    def advance(self, full: Array, gradients: Array, decoded: Array) -> Array:
        """Return the next estimates, (R, d), from coins, gradients and decoded differences."""
        # As `mean` does, without what it asks first.
        compressed = self.estimate + np.add.reduce(decoded, axis=-2) / decoded.shape[-2]
        if full.any():
            compressed = np.where(full, gradients.mean(axis=-2), compressed)
        return np.asarray(compressed)


def marina(
    problem: Problem,
    compressor: ClientCompressor,
    *,
    step_size: float,
    probability: float,
    rounds: int,
    rng: np.random.Generator,
    replicates: int = 1,
    start: npt.ArrayLike | None = None,
    initial: npt.ArrayLike | None = None,
    trace: bool = False,
    float_bits: int = 64,
    cost: Cost | None = None,
    gradient_until: float | None = None,
    estimator: type[MarinaEstimator] = MarinaEstimator,
) -> RunResult:
    r"""Run MARINA for all clients and replicates at once (arXiv 2401.05518, claim `cq_marina/marina-rate`).

    $x^{k+1}=x^k-\gamma g^k$. One coin for all clients: with probability p $g^{k+1}=\nabla f(x^{k+1})$, else
    $g^{k+1}=g^k+\frac1n\sum_iC_i(\nabla f_i(x^{k+1})-\nabla f_i(x^k))$.

    Args:
        problem: n client functions on R^d, convex or not.
        compressor: applied to differences (R, n, d), independently over clients (its parameters may differ
            per client) or jointly.
        step_size: $\gamma$, positive; the claim needs $\gamma\le1/(L_-+\sqrt{(1-p)\mathcal X/p})$.
        probability: p in (0, 1].
        rounds: number of steps.
        rng: the random stream, consumed chunk of replicates by chunk: the coins of a round, then its draws.
        replicates: how many independent runs.
        start: (d,) or (replicates, d); zero if left out.
        initial: $g^0$, (d,) or (replicates, d), for which nothing is sent; the full gradient at the start
            if left out.
        trace: whether to keep all iterates.
        float_bits: bits of one number of a full gradient.
        cost: what messages cost by their bits (`impl.communication`), for the trace `cost`.
        gradient_until: stop soon after every replicate has had ||grad f||^2 at most this; None runs all
            rounds. One that overflows before never has, so that all rounds are run.
        estimator: the class that makes the estimates; checks put a sabotaged one here.

    Returns:
        A run; `bits` at round k are those of $g^0,\dots,g^{k-1}$, which lead to $x^k$.

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
    """
    problems = Problems("marina")
    require_client_compressor(problems, compressor, rng)
    _require_probability(problems, probability)
    whole = isinstance(float_bits, int | np.integer) and not isinstance(float_bits, bool) and float_bits >= 1
    problems.require(whole, f"float_bits={float_bits!r} must be a whole number of at least 1; 64 or 32")
    require_problem(problems, problem)
    first = _initial_estimates(problems, initial, replicates, problem.d)
    done = 0

    def begin(size: int) -> MarinaEstimator:
        nonlocal done
        rows = slice(done, done + size)
        done += size
        return estimator(
            compressor,
            rng,
            probability=probability,
            initial=None if first is None else first[rows],
            float_bits=float_bits,
        )

    return run_batched(
        problems,
        problem,
        begin,
        step_size=step_size,
        rounds=rounds,
        replicates=replicates,
        start=start,
        trace=trace,
        cost=cost,
        gradient_until=gradient_until,
    )


def _require_probability(problems: Problems, probability: object) -> None:
    number = isinstance(probability, float | int | np.floating) and not isinstance(probability, bool)
    problems.require(
        number and 0 < probability <= 1,  # type: ignore[operator]  # a number, as was just asked
        f"probability={probability!r} must be a number in (0, 1]; the bits of a compressed message over "
        "those of a full gradient are a usual size",
    )


def _initial_estimates(
    problems: Problems, given: npt.ArrayLike | None, replicates: int, d: int
) -> Array | None:
    """Return the first estimates, (replicates, d); remember what is wrong with them as problems."""
    if given is None:
        return None
    try:
        initial = as_float64(given)
    except (TypeError, ValueError, OverflowError):
        problems.require(False, f"initial={reprlib.repr(given)} must be real numbers of shape ({d},)")
        return None
    whole = isinstance(replicates, int | np.integer) and not isinstance(replicates, bool)
    counted = whole and replicates >= 1  # else `run_batched` says so
    shape = (replicates if counted else 1, d)
    fits = initial.shape in ((d,), shape)
    may_fit = fits or (not counted and initial.shape[1:] == (d,))  # for another number of replicates
    problems.require(may_fit, f"initial of shape {initial.shape} must have shape {(d,)} or {shape}")
    finite = bool(np.isfinite(initial).all())
    problems.require(finite, "initial must be finite; leave it out for the full gradient at the start")
    return np.array(np.broadcast_to(initial, shape)) if fits else None
