"""Checks of `cq_marina/finding-zero-norm`: C(0) = 0 for all outcomes, the guard's noise, and runs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import impl.compressors
import theory
from impl.compressors import (
    CorrelatedGrid,
    CorrelatedQuantizer,
    ImportanceSampling,
    Independent,
    IndependentQuantizer,
    JointCompressor,
    PermK,
    PermKQuantizer,
    RandK,
    WeightedPartition,
)
from impl.optimizers import marina
from impl.problems import Quadratic
from verify.binding import Check
from verify.comparison import Comparison, rational
from verify.cq_marina.finding_zero_norm_sabotage import UnitNormCorrelated, UnitNormIndependent
from verify.cq_marina.grid_inputs import Rows
from verify.cq_marina.joint_enumeration import enumerate_joint
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

IQ_BIN, CQ_BIN = IndependentQuantizer("binary"), CorrelatedQuantizer("binary")
WEIGHTS = (F(1, 6), F(1, 3), F(1, 2))
ZERO = (F(0), F(0))
ROWS = ((F(3), F(4)), ZERO, ZERO)
FOUR = (ZERO, (F(3), F(4)), ZERO, ZERO)
# One of three clients has an input: all outcomes of these are looked at.
ENUMERATED: tuple[tuple[JointCompressor, Any], ...] = (
    (IQ_BIN, ROWS),
    (IndependentQuantizer("ternary"), ROWS),
    (CQ_BIN, ROWS),
    (CorrelatedQuantizer("ternary"), ROWS),
    (CorrelatedGrid(F(1, 2)), ROWS),
    (Independent(RandK(1)), ROWS),
    (PermK(), ROWS),
    (PermKQuantizer(2), FOUR),
    (PermKQuantizer(2, correlated=False), FOUR),
    (ImportanceSampling(2, WEIGHTS, CQ_BIN), ROWS),
    (ImportanceSampling(2, WEIGHTS, RandK(1)), ROWS),
    (WeightedPartition(WEIGHTS), ROWS),
)
ROUND_OFF_LEVEL = 1e-25
"""Far above the squares of 1e-16 that gradients keep, far below any noise of the guard."""

JUMP = 1e-6


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/finding-zero-norm")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _zeros(),
        _noise(),
        _past_convergence("quadratic-independent", QUADRATIC_INDEPENDENT, seconds=0.7, harmless=True),
        _past_convergence("quadratic-correlated", QUADRATIC_CORRELATED, seconds=0.7),
        _phishing(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim("cq_marina/finding-zero-norm").expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


# ---------------------------------------------------------------- C(0) = 0


def sending_outcomes(compressor: JointCompressor, rows: Any) -> int:
    """Return in how many outcomes a client with a zero vector decodes to something else."""
    x, count = [list(row) for row in rows], 0
    for _, draws in compressor.outcomes(x):
        decoded = compressor.reference(x, draws)
        count += any(any(out) for row, out in zip(rows, decoded, strict=True) if not any(row))
    return count


def joint_compressors() -> Iterator[JointCompressor]:
    """Yield examples of all joint compressors, but for grids of fixed step that zero is no point of."""
    for name in impl.compressors.__all__:
        kind = getattr(impl.compressors, name)
        if isinstance(kind, type) and issubclass(kind, JointCompressor) and kind is not JointCompressor:
            for example in kind.examples():
                if not isinstance(example, CorrelatedGrid) or example.shift == 0:
                    yield example


def compare_zeros(chosen: Sequence[tuple[JointCompressor, Any]]) -> Iterable[Comparison]:
    """Zero vectors are sent as zeros: in all outcomes of the chosen ones, in many draws of all of them."""
    for compressor, rows in chosen:
        label, witness = f"{compressor!r}: outcomes with C(0) other than 0", {"a": rows}
        yield Comparison(label, "eq", sending_outcomes(compressor, rows), 0, witness=witness, headline=True)
    x = np.zeros((64, 4, 4))
    x[:32, 0] = np.arange(4) - 1.25
    rng = np.random.Generator(np.random.Philox(20240601))
    for compressor in joint_compressors():
        decoded = compressor.compress(x, compressor.draw(rng, x.shape))
        silent = np.concatenate([decoded[:32, 1:].ravel(), decoded[32:].ravel()])
        yield Comparison(f"{compressor!r}: nonzero entries", "eq", int(np.count_nonzero(silent)), 0)
        yield Comparison(f"{compressor!r}: error", "eq", compressor.variance(np.zeros((4, 4))), 0)


def _zeros() -> Check:
    guarded = ((UnitNormIndependent("binary"), ROWS), (UnitNormCorrelated("binary"), ROWS))
    ternary = ((UnitNormIndependent("ternary"), ROWS), (UnitNormCorrelated("ternary"), ROWS))
    mutants = {
        "unit-norm": ExactCase(partial(compare_zeros, guarded)),
        "unit-norm-ternary": ExactCase(partial(compare_zeros, ternary)),
    }
    parameters = {"a": ROWS, "compressors": [repr(compressor) for compressor, _ in ENUMERATED]}
    return Check(
        "exact",
        "zero-clients",
        ExactCase(partial(compare_zeros, ENUMERATED)),
        parameters,
        mutants,
        seconds=0.3,
    )


# ---------------------------------------------------------------- the noise of the guard


def compare_noise(correlated: str = "correlated") -> Iterable[Comparison]:
    """The error that the guard adds, over all outcomes: the honest error, and stated noise beside it."""
    inputs: tuple[Rows, ...] = (ROWS, ((F(3), F(4)), (F(5), F(12)), ZERO), (ZERO,), (ZERO,) * 3)
    for rows in inputs:
        n, d, zeros = len(rows), len(rows[0]), sum(not any(row) for row in rows)
        moments, witness = enumerate_joint(UnitNormIndependent("binary"), rows), {"a": rows}
        honest = enumerate_joint(IQ_BIN, rows)
        noise = stated("exact", n=n, d=d, zeros=zeros)
        yield Comparison("mean", "eq", sum(moments.mean), sum(honest.mean), witness=witness)
        added = moments.error - honest.error
        yield Comparison("independent", "eq", added, noise, witness=witness, headline=True)
        if zeros == n:
            p, gamma = F(1, 4), F(1, 2)
            jump = (1 - p) * gamma**2 * moments.error
            yield Comparison("jump", "eq", jump, stated("jump", n=n, d=d, p=p, gamma=gamma), witness=witness)
    for n, d in ((2, 1), (3, 1), (2, 2), (3, 2), (4, 1)):
        nothing = ((F(0),) * d,) * n
        error = enumerate_joint(UnitNormCorrelated("binary"), nothing).error
        values = {"n": n, "d": d, "zeros": n}
        yield Comparison("correlated", "eq", error, stated(correlated, **values), witness={"a": nothing})
        yield Comparison("honest", "eq", enumerate_joint(CQ_BIN, nothing).error, 0, witness={"a": nothing})


def _noise() -> Check:
    mutants = {"correlated-as-independent": ExactCase(lambda: compare_noise("exact"))}
    return Check("exact", "noise", ExactCase(compare_noise), {"d": (1, 2)}, mutants, seconds=0.2)


# ---------------------------------------------------------------- runs past convergence


@dataclass(frozen=True)
class Run:
    """MARINA with a quantizer, long past its convergence.

    Args:
        problem: Builds the problem.
        honest: The quantizer.
        guarded: The same with a unit scale for zero vectors.
        ternary: The same on the ternary grid, where that is harmless.
        probability: p.
        rounds: Rounds; honest runs have converged after half of them.
        replicates: Independent runs.
    """

    problem: Callable[[], Any]
    honest: JointCompressor
    guarded: JointCompressor
    ternary: JointCompressor
    probability: float
    rounds: int
    replicates: int

    def squared_norms(self, compressor: JointCompressor, rng: Any) -> Any:
        """Return the squared gradient norms, (replicates, rounds + 1)."""
        from impl.problems.hessian_variance import smoothness_constants

        problem = self.problem()
        constants, p = smoothness_constants(problem), self.probability
        A = (problem.d - 1) / problem.n  # also for correlated thresholds: `cq_marina/cq-dominates-iq`
        step = evaluate(
            theory.claim("cq_marina/marina-rate").formulas["step_size"],
            {"L_minus": constants.L_minus, "X": A * constants.L_plus**2, "p": p},
        )
        run = marina(
            problem,
            compressor,
            step_size=step,
            probability=p,
            rounds=self.rounds,
            rng=rng,
            replicates=self.replicates,
        )
        return run.gradient_norm_sq


def quadratic(n: int) -> Quadratic:
    """Return identity Hessians with different linear terms, so that the solution is not a round number."""
    return Quadratic(np.ones((n, 8)), (7 * np.arange(8 * n).reshape(n, 8) % 11 - 5) / 4)


QUADRATIC_INDEPENDENT = Run(
    partial(quadratic, 4), IQ_BIN, UnitNormIndependent("binary"), UnitNormIndependent("ternary"), 0.3, 600, 4
)
QUADRATIC_CORRELATED = Run(
    partial(quadratic, 3), CQ_BIN, UnitNormCorrelated("binary"), UnitNormCorrelated("ternary"), 0.3, 600, 4
)


def compare_runs(run: Run, compressor: JointCompressor, *, shown: bool, rng: Any) -> Iterable[Comparison]:
    """The second half of the runs stays at round-off; where `shown`, the guarded quantizer does not."""
    squares = run.squared_norms(compressor, rng)
    late = float(squares[:, run.rounds // 2 :].max())
    yield Comparison("past convergence", "le", late, ROUND_OFF_LEVEL, headline=True)
    if shown:
        squares = run.squared_norms(run.guarded, rng)
        yield Comparison("guarded: converged", "le", float(squares.min()), ROUND_OFF_LEVEL)
        after = max(float(row[row.argmin() :].max()) for row in squares)
        yield Comparison("guarded: jumps after that", "le", JUMP, after)


def _past_convergence(
    name: str, run: Run, *, seconds: float, shown: bool = True, harmless: bool = False, **more: Any
) -> Check:
    def case(compressor: JointCompressor, shown: bool) -> DriftCase:
        return DriftCase(lambda rng: compare_runs(run, compressor, shown=shown, rng=rng))

    mutants = {"unit-norm": case(run.guarded, False)}
    if harmless:
        mutants["unit-norm-ternary"] = case(run.ternary, False)
    parameters = {"p": run.probability, "rounds": run.rounds, "replicates": run.replicates}
    return Check("run", name, case(run.honest, shown), parameters, mutants, seconds, **more)


def phishing() -> Any:
    """Return phishing over ten clients with the nonconvex regulariser, as in the experiments."""
    from impl.problems import Logistic, contiguous_split, load_libsvm

    features, labels, counts = contiguous_split(*load_libsvm("phishing"), 10)
    return Logistic(features, labels, 0.1, regulariser="nonconvex", counts=counts)


def _phishing() -> Check:
    run = Run(phishing, IQ_BIN, UnitNormIndependent("binary"), UnitNormIndependent("ternary"), 0.3, 900, 2)
    return _past_convergence("phishing", run, seconds=40.0, shown=False, profile="full", needs="phishing")
