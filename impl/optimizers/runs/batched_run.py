"""The loop that the methods share: arguments, chunks of replicates, traces, overflow."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from impl.arguments import is_count, is_real
from impl.compressors.checked_input import as_float64
from impl.errors import Problems
from impl.matrix_roots import MatrixRoots
from impl.optimizers.runs.overflow import OVERFLOW, squared_length, surely_fit
from impl.optimizers.runs.run_result import RunResult
from impl.optimizers.runs.trace_block import RECORDED, Kept, TraceBlock
from impl.problems.contract import Problem

Array = npt.NDArray[Any]

# From iterates (R, d) and node gradients (R, n, d) to directions (R, d) and bits of this round, (R, n).
Estimator = Callable[[Array, Array], tuple[Array, Array]]
# From bits of messages to their costs, arrays of one shape, such as the models of impl.communication.
Cost = Callable[[Array], Array]

_CHUNK = 100  # replicates at a time: matrix products instead of matrix-vector ones
_CHUNK_ENTRIES = 2**22  # bound on entries of one (R, n, d) buffer
_LOOKS = 8  # rounds between two looks at how small gradients have been


class NodeCompressor(Protocol):
    """The part of a compressor that the methods use; see `impl.compressors`."""

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], /) -> Any: ...

    def message(self, x: Any, draws: Any, /) -> Any: ...

    def reconstruct(self, message: Any, shared: Any, /) -> Any: ...


def compress_nodes(compressor: NodeCompressor, x: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Compress node vectors (R, n, d), independently over nodes; return the decoded ones and bits (R, n)."""
    draws = compressor.draw(rng, x.shape)
    message = compressor.message(x, draws)
    return np.asarray(compressor.reconstruct(message, draws.shared)), np.asarray(message.bits)


class NodeRounds:
    """Compression of node vectors round after round, as by `compress_nodes`, on one random stream.

    Args:
        compressor: One that offers `repeated` is asked once what it can do for this shape.
        rng: The random stream.
    """

    def __init__(self, compressor: NodeCompressor, rng: np.random.Generator) -> None:
        self._compressor, self._rng = compressor, rng
        self._shape: tuple[int, ...] | None = None
        self._rounds: Callable[[Array], tuple[Array, Array]] | None = None

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """Return the decoded vectors, (R, n, d), and bits, (R, n), of C-ordered x, until the next call."""
        rounds = self._of(x)
        return compress_nodes(self._compressor, x, self._rng) if rounds is None else rounds(x)

    def mean(self, x: Array, roots: MatrixRoots | None = None) -> tuple[Array, Array]:
        r"""Return $\frac1n\sum_i\mathbf L_i^{1/2}C_i(\mathbf L_i^{+1/2}x_i)$, (R, d), and bits, (R, n).

        Roots that are left out are the identity.
        """
        rounds = self._of(x)
        own = getattr(type(rounds), "mean", None)
        # Roots of another class may multiply by something else; means of single numbers add in another order.
        diagonal = roots is None or (type(roots) is MatrixRoots and roots.is_diagonal)
        if own is not None and diagonal and x.shape[-1] > 1:
            factors = (None, None) if roots is None else (roots.pseudo_inverse_root, roots.root)
            mean, bits = own(rounds, np.ascontiguousarray(x), factors)
            return mean, bits
        sent = x if roots is None else roots.apply_pseudo_inverse_root(x)
        decoded, bits = self(np.ascontiguousarray(sent))
        return (decoded if roots is None else roots.apply_root(decoded)).mean(axis=-2), bits

    def _of(self, x: Array) -> Callable[[Array], tuple[Array, Array]] | None:
        """Return what compresses such arrays over and over; None where there is nothing for that."""
        if x.dtype != np.float64:  # gradients of somebody's problem
            return None
        if self._shape != x.shape:
            # Of its class: one that passes calls on may have messages of its own.
            repeated = getattr(type(self._compressor), "repeated", None)
            self._rounds = None if repeated is None else repeated(self._compressor, self._rng, x.shape)
            self._shape = x.shape
        return self._rounds


def require_randomness(problems: Problems, compressor: object, rng: object) -> None:
    """Remember a compressor or a random generator of another kind as a problem."""
    if require_instance(problems, compressor):
        problems.require(
            all(hasattr(compressor, name) for name in ("draw", "message", "reconstruct")),
            f"compressor={compressor!r} must offer draw, message and reconstruct, as impl.compressors do",
        )
    require_stream(problems, rng)


def require_instance(problems: Problems, compressor: object, argument: str = "compressor") -> bool:
    """Remember a class that was given for one of its instances as a problem; tell whether it was none."""
    if not isinstance(compressor, type):
        return True
    name = compressor.__name__
    problems.require(False, f"{argument}={name} is a class; give an instance, {name}(...)")
    return False


def require_problem(problems: Problems, problem: object) -> None:
    """Raise where what is given is no problem: nothing that rests on it can be checked then."""
    if not all(hasattr(problem, name) for name in ("n", "d", "evaluate", "prox")):
        problems.require(
            False, f"problem={reprlib.repr(problem)} must be one of impl.problems, such as Quadratic"
        )
        problems.raise_if_any()


def require_stream(problems: Problems, rng: object) -> None:
    """Remember what is no random generator as a problem."""
    problems.require(
        isinstance(rng, np.random.Generator),
        f"rng={rng!r} must be a numpy.random.Generator; numpy.random.default_rng(0) makes one",
    )


def node_roots(
    problems: Problems, problem: Problem, smoothness: npt.ArrayLike | MatrixRoots | None
) -> MatrixRoots:
    """Return the roots of the given matrices, or of those of the problem; remember what does not fit."""
    require_problem(problems, problem)
    # Stands in until everything that is wrong has been collected and is raised.
    roots = MatrixRoots.from_diagonals(np.ones((problem.n, problem.d)))
    with problems.collect():
        given = problem.smoothness if smoothness is None else smoothness
        roots = given if isinstance(given, MatrixRoots) else MatrixRoots.of_nodes(given)
        problems.require(
            roots.diagonal.shape == (problem.n, problem.d),
            f"smoothness has diagonals of shape {roots.diagonal.shape}; the problem has (n, d) = "
            f"{(problem.n, problem.d)}",
        )
    return roots


class ShiftedEstimator(Protocol):
    """An estimator that keeps shifts h_i from round to round."""

    def __call__(self, x: Array, gradients: Array, /) -> tuple[Array, Array]: ...

    def shift_distance_sq(self) -> Array:
        """Squared distances of the shifts to what they learn, (R, n)."""

    def shifts(self) -> Array:
        """Shifts, (R, n, d)."""


def run_batched(
    problems: Problems,
    problem: Problem,
    begin: Callable[[int], Estimator | ShiftedEstimator],
    *,
    step_size: float,
    rounds: int,
    replicates: int,
    start: npt.ArrayLike | None,
    trace: bool,
    until: float | None = None,
    gradient_until: float | None = None,
    cost: Cost | None = None,
    shifted: bool = False,
) -> RunResult:
    r"""Run $x^{k+1}=\mathrm{prox}_{\gamma R}(x^k-\gamma g^k)$ for all replicates, g from the estimator.

    Replicates run in chunks, one after the other, on the same random stream; the size of a chunk depends on n
    and d alone, so that the result is reproducible, but replicate r is not what a run with fewer replicates
    gives.

    Args:
        problems: what is wrong with the method's own arguments so far.
        problem: node functions, and the prox of the regulariser R where there is one.
        begin: makes the estimator of a chunk from its number of replicates; called once a chunk.
        step_size: gamma.
        rounds: number of rounds, at most.
        replicates: R.
        start: (d,), (replicates, d), or None for zero.
        trace: whether to keep all iterates.
        until: stop once each replicate has come this close, ||x - x*||^2 <= until ||x^0 - x*||^2.
        gradient_until: stop soon after each replicate has had ||grad f||^2 at most this in some round. One
            that overflows before never has, so that all rounds are run. With `until`, whichever comes first.
        cost: what messages cost by their bits, for the trace `cost`.
        shifted: whether the estimators are shifted ones, so that their distances are recorded.

    Raises:
        ArgumentError: everything in `problems` and whatever is wrong with the arguments here.
    """
    require_problem(problems, problem)
    problems.require(
        cost is None or callable(cost),
        f"cost={cost!r} must map bits to costs, such as impl.communication.PRESETS['eth'], or be None",
    )
    problems.require(
        gradient_until is None or (is_real(gradient_until) and 0 < float(gradient_until) < RECORDED),
        f"gradient_until={gradient_until!r} must be a positive number below {RECORDED:g}, such as 1e-6, or "
        "None for all rounds",
    )
    initial = _validate(problems, problem, step_size, rounds, replicates, start, until, trace)
    solution = problem.solution if problem.mu > 0 else None
    shape = (replicates, rounds + 1)
    result = RunResult(
        x=initial.copy(),
        objective=np.full(shape, RECORDED),
        gradient_norm_sq=np.full(shape, RECORDED),
        distance_sq=None if solution is None else np.full(shape, RECORDED),
        bits=np.zeros(shape),
        bits_slowest=np.zeros(shape),
        cost=None if cost is None else np.zeros(shape),
        iterates=np.full((*shape, problem.d), np.inf) if trace else None,
        shifts=np.full((*shape, problem.n, problem.d), np.inf) if trace and shifted else None,
        shift_distance_sq=(
            np.full((*shape, problem.n), RECORDED) if shifted and solution is not None else None
        ),
    )
    chunk = max(1, min(_CHUNK, _CHUNK_ENTRIES // (problem.n * problem.d)))
    ends = []
    for first in range(0, replicates, chunk):
        rows = slice(first, min(first + chunk, replicates))
        estimator = begin(rows.stop - rows.start)
        stops = until, gradient_until
        end = _run_chunk(problem, estimator, solution, float(step_size), stops, cost, result, rows)
        ends.append((rows, end))
    whole = until is None and gradient_until is None
    last = rounds if whole else max(end for _, end in ends)
    for rows, end in ends:
        result.repeat_from(rows, end, last)
    return result if whole else result.until(last)


def _run_chunk(
    problem: Problem,
    estimator: Any,
    solution: Array | None,
    step_size: float,
    stops: tuple[float | None, float | None],
    cost: Cost | None,
    result: RunResult,
    chunk: slice,
) -> int:
    """Fill the rows `chunk` of the result and return the number of rounds that were run.

    An overflowed replicate goes on at zero, no longer recorded.
    """
    until, gradient_until = stops
    x = result.x[chunk].copy()
    alive = np.ones(len(x), dtype=bool)
    small = np.zeros(len(x), dtype=bool)  # whose gradients have been
    kept = Kept(alive)
    block = TraceBlock(result, chunk, problem.n, solution, cost)
    rounds = k = result.rounds
    for k in range(rounds + 1):
        with np.errstate(over="ignore", invalid="ignore"):
            if not (kept.all and surely_fit(x)):
                alive &= squared_length(x) <= OVERFLOW  # false for NaN too
                kept = Kept(alive)
                kept.clear(x)
            objective, gradients = problem.evaluate(x)
            if not (kept.all and surely_fit(gradients) and surely_fit(objective)):
                fit = (squared_length(gradients).max(axis=-1) <= OVERFLOW) & (np.abs(objective) <= OVERFLOW)
                alive &= fit
                kept = Kept(alive)
                kept.clear(x)
                kept.clear(gradients)
            block.point(x, gradients, kept)
        result.objective[chunk, k] = kept(objective, RECORDED)
        if result.shift_distance_sq is not None:
            result.shift_distance_sq[chunk, k] = kept(estimator.shift_distance_sq(), RECORDED)
        if result.iterates is not None:
            result.iterates[chunk, k] = kept(x, np.inf)
        if result.shifts is not None:
            result.shifts[chunk, k] = kept(estimator.shifts(), np.inf)
        if until is not None:
            block.write()
        if kept.none or (until is not None and _arrived(result, chunk, k, until, alive)):
            break
        if gradient_until is not None and k % _LOOKS == 0:
            block.write()
            since = result.gradient_norm_sq[chunk, max(0, k + 1 - _LOOKS) : k + 1]
            small |= (since <= gradient_until).any(axis=1)
            if small.all():
                break
        if k < rounds:
            direction, bits = estimator(x, gradients)
            block.sent(bits, kept)
            with np.errstate(over="ignore", invalid="ignore"):
                x = problem.prox(x - step_size * direction, step_size)
    block.write()
    result.x[chunk] = Kept(alive)(x, np.inf)
    return k


def _arrived(result: RunResult, chunk: slice, k: int, until: float, alive: Array) -> bool:
    """Return whether every replicate that has not overflowed is as close as asked for."""
    if result.distance_sq is None:
        return False
    distances = result.distance_sq[chunk]
    return bool(np.all((distances[:, k] <= until * distances[:, 0]) | ~alive))


def _validate(
    problems: Problems,
    problem: Problem,
    step_size: float,
    rounds: int,
    replicates: int,
    start: npt.ArrayLike | None,
    until: float | None,
    trace: bool,
) -> Array:
    """Raise what is wrong with the arguments; return the start of every replicate, (replicates, d)."""
    is_number = isinstance(step_size, float | int | np.floating | np.integer) and not isinstance(
        step_size, bool
    )
    problems.require(
        is_number and np.isfinite(step_size) and step_size > 0,
        f"step_size={step_size!r} must be a positive finite number; 1 / (L + 2 L_max / n) is the usual size",
    )
    if until is not None:
        problems.require(
            isinstance(until, float) and 0 < until < 1,
            f"until={until!r} must be a number between 0 and 1, such as 1e-6, or None for all rounds",
        )
        problems.require(
            problem.mu > 0,
            "until needs a problem with a certified solution (mu > 0); leave it out, or add a ridge",
        )
    problems.require(isinstance(trace, bool | np.bool_), f"trace={trace!r} must be True or False")
    for name, count in (("rounds", rounds), ("replicates", replicates)):
        problems.require(is_count(count), f"{name}={count!r} must be a whole number of at least 1")
    initial = np.zeros(problem.d)
    if start is not None:
        allowed = [(problem.d,)] + ([(replicates, problem.d)] if is_count(replicates) else [])
        shapes = " or ".join(str(shape) for shape in allowed)
        try:
            initial = as_float64(start)
        except (TypeError, ValueError, OverflowError):
            problems.require(False, f"start={reprlib.repr(start)} must be real numbers of shape {shapes}")
        problems.require(initial.shape in allowed, f"start of shape {initial.shape} must have shape {shapes}")
        for index in np.argwhere(~np.isfinite(initial))[:1].tolist():
            problems.require(
                False, f"start{index or ''} = {initial[tuple(index)]} must be finite; give a point of R^d"
            )
    problems.raise_if_any()
    return np.array(np.broadcast_to(initial, (replicates, problem.d)))
