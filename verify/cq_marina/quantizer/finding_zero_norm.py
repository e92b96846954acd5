"""Checks of `cq_marina/finding-zero-norm`: C(0) = 0 for all outcomes, the guard's noise, and runs."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction as F
from typing import Any

import numpy as np

import impl.compressors
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
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import LONG_RUN, ROUND_OFF, Comparison
from verify.cq_marina.fixtures.grid_inputs import Rows
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint
from verify.cq_marina.quantizer.unit_norms import UnitNormCorrelated, UnitNormIndependent

WEIGHTS = (F(1, 6), F(1, 3), F(1, 2))
ZERO = (F(0), F(0))
ROWS = ((F(3), F(4)), ZERO, ZERO)
FOUR = (ZERO, (F(3), F(4)), ZERO, ZERO)
# One of three clients has an input: all outcomes of these are looked at, beside those of the quantizers.
ENUMERATED: tuple[tuple[JointCompressor, Any], ...] = (
    (CorrelatedGrid(F(1, 2)), ROWS),
    (Independent(RandK(1)), ROWS),
    (PermK(), ROWS),
    (PermKQuantizer(2), FOUR),
    (PermKQuantizer(2, correlated=False), FOUR),
    (ImportanceSampling(2, WEIGHTS, CorrelatedQuantizer("binary")), ROWS),
    (ImportanceSampling(2, WEIGHTS, RandK(1)), ROWS),
    (WeightedPartition(WEIGHTS), ROWS),
)
ROUND_OFF_LEVEL = 1e-25
"""Far above the squares of 1e-16 that gradients keep, far below any noise of the guard."""


def joint_compressors() -> Iterator[JointCompressor]:
    """Yield examples of all joint compressors, but for grids of fixed step that zero is no point of."""
    for name in impl.compressors.__all__:
        kind = getattr(impl.compressors, name)
        if isinstance(kind, type) and issubclass(kind, JointCompressor) and kind is not JointCompressor:
            for example in kind.examples():
                if not isinstance(example, CorrelatedGrid) or example.shift == 0:
                    yield example


def _guarded() -> Iterator[JointCompressor]:
    yield UnitNormIndependent("binary")
    yield UnitNormCorrelated("binary")


judge = checks_of(
    "cq_marina/finding-zero-norm",
    iq=IndependentQuantizer,
    cq=CorrelatedQuantizer,
    guarded_iq=UnitNormIndependent,
    guarded_cq=UnitNormCorrelated,
    grid="binary",
    examples=joint_compressors,
)


judge.sabotage(
    "unit-norm at exact/zero-clients, exact/noise, run/*: Take the quantizer that replaces a zero norm by 1 "
    "for one that sends zeros: C(0) is not 0, and a run jumps after it has converged.",
    {"iq": UnitNormIndependent, "cq": UnitNormCorrelated, "examples": _guarded},
    "correlated-as-independent at exact/noise: Claim d/n for n zero clients with stratified thresholds: "
    "their noise is d/n^2 or nothing. | correlated = exact(zeros = n)",
    "harmless-guard at exact/noise, run/quadratic-*: A guard that sends zeros for zero vectors: there is no "
    "noise, and no run jumps.",
    {"guarded_iq": IndependentQuantizer, "guarded_cq": CorrelatedQuantizer},
    "binary-for-ternary at exact/zero-clients: The binary grid for the ternary one, where zero is no level.",
    {
        "guarded_iq": lambda _: UnitNormIndependent("binary"),
        "guarded_cq": lambda _: UnitNormCorrelated("binary"),
    },
    "unit-norm-ternary, neutral at run/quadratic-independent: Replace a zero norm by 1 on the ternary grid: "
    "nothing may change.",
    {"iq": lambda _: UnitNormIndependent("ternary")},
)
judge.sabotage_data(
    "short-runs at run/quadratic-*: Stop before the runs have converged.",
    lambda **_: {"rounds": 20},
)


# ---------------------------------------------------------------- C(0) = 0


def sending_outcomes(compressor: JointCompressor, rows: Any) -> int:
    """Return in how many outcomes a client with a zero vector decodes to something else."""
    x, count = [list(row) for row in rows], 0
    for _, draws in compressor.outcomes(x):
        decoded = compressor.reference(x, draws)
        count += any(any(out) for row, out in zip(rows, decoded, strict=True) if not any(row))
    return count


@judge.exact(parameters={"a": ROWS, "compressors": [repr(compressor) for compressor, _ in ENUMERATED]})
def zero_clients(law: Law) -> Iterable[Comparison]:
    """Zero vectors are sent as zeros: in all outcomes of some, in many draws of all compressors."""
    quantizers = [(kind(grid), ROWS) for kind in (law.iq, law.cq) for grid in ("binary", "ternary")]
    for compressor, rows in (*quantizers, *ENUMERATED):
        found = sending_outcomes(compressor, rows)
        yield eq(
            "outcomes other than zero", found, 0, witness={"a": rows, "by": repr(compressor)}, headline=True
        )
    for kind in (law.guarded_iq, law.guarded_cq):
        yield eq("ternary outcomes other than zero", sending_outcomes(kind("ternary"), ROWS), 0)
    x = np.zeros((64, 4, 4))
    x[:32, 0] = np.arange(4) - 1.25
    rng = np.random.Generator(np.random.Philox(20240601))
    for compressor in law.examples():
        shown = {"compressor": repr(compressor)}
        decoded = compressor.compress(x, compressor.draw(rng, x.shape))
        silent = np.concatenate([decoded[:32, 1:].ravel(), decoded[32:].ravel()])
        yield eq("entries other than zero", int(np.count_nonzero(silent)), 0, witness=shown)
        yield eq("error of nothing", compressor.variance(np.zeros((4, 4))), 0, ROUND_OFF, witness=shown)


# ---------------------------------------------------------------- the noise of the guard


@judge.exact(parameters={"d": (1, 2)})
def noise(law: Law) -> Iterable[Comparison]:
    """The error that the guard adds, over all outcomes: the honest error, and stated noise beside it."""
    p, gamma = F(1, 4), F(1, 2)
    inputs: tuple[Rows, ...] = (ROWS, ((F(3), F(4)), (F(5), F(12)), ZERO), (ZERO,), (ZERO,) * 3)
    for rows in inputs:
        n, d, zeros = len(rows), len(rows[0]), sum(not any(row) for row in rows)
        error, witness = enumerate_joint(law.guarded_iq("binary"), rows).error, {"a": rows}
        added = error - enumerate_joint(law.iq("binary"), rows).error
        stated = law.exactly("exact", n=n, d=d, zeros=zeros)
        yield eq("independent", added, stated, witness=witness, headline=True)
        if zeros == n:
            jump = law.exactly("jump", n=n, d=d, p=p, gamma=gamma)
            yield eq("jump", (1 - p) * gamma**2 * error, jump, witness=witness)
    for n, d in ((2, 1), (3, 1), (2, 2), (3, 2), (4, 1)):
        nothing, shown = ((F(0),) * d,) * n, {"n": n, "d": d}
        error = enumerate_joint(law.guarded_cq("binary"), nothing).error
        yield eq("correlated", error, law.exactly("correlated", n=n, d=d), witness=shown)
        yield eq("honest", enumerate_joint(law.cq("binary"), nothing).error, 0, witness=shown)


# ---------------------------------------------------------------- runs past convergence


def quadratic(n: int) -> Quadratic:
    """Return identity Hessians with different linear terms, so that the solution is not a round number."""
    return Quadratic(np.ones((n, 8)), (7 * np.arange(8 * n).reshape(n, 8) % 11 - 5) / 4)


def _phishing(clients: int) -> Any:
    """Return phishing over the clients with the nonconvex regulariser, as in the experiments."""
    from impl.problems import Logistic, contiguous_split, load_libsvm

    features, labels, counts = contiguous_split(*load_libsvm("phishing"), clients)
    return Logistic(features, labels, 0.1, regulariser="nonconvex", counts=counts)


def squared_norms(
    law: Law, problem: Any, compressor: Any, rng: Any, p: float, rounds: int, replicates: int
) -> tuple[Any, float]:
    """Return the squared gradient norms, (replicates, rounds + 1), and the step size."""
    from impl.problems.hessian_variance import smoothness_constants

    constants = smoothness_constants(problem)
    A = (problem.d - 1) / problem.n  # also for correlated thresholds: `cq_marina/cq-dominates-iq`
    step = law.of("cq_marina/marina-rate")(
        "step_size", L_minus=constants.L_minus, X=A * constants.L_plus**2, p=p
    )
    run = marina(
        problem, compressor, step_size=step, probability=p, rounds=rounds, rng=rng, replicates=replicates
    )
    return run.gradient_norm_sq, step


@judge.drift(
    instances={
        "quadratic-independent": {"problem": quadratic, "n": 4, "kind": "iq", "rounds": 600},
        "quadratic-correlated": {"problem": quadratic, "n": 3, "kind": "cq", "rounds": 600},
    },
    parameters={"p": 0.3, "rounds": 600, "replicates": 4},
)
def past_convergence(
    law: Law, rng: Any, problem: Callable[[int], Any], n: int, kind: str, rounds: int
) -> Iterable[Comparison]:
    """The second half of the runs stays at round-off; with the guard it does not."""
    p, made = 0.3, problem(n)
    squares, step = squared_norms(law, made, getattr(law, kind)("binary"), rng, p, rounds, 4)
    yield le(
        "past convergence", float(squares[:, rounds // 2 :].max()), ROUND_OFF_LEVEL, LONG_RUN, headline=True
    )
    squares, _ = squared_norms(law, made, getattr(law, f"guarded_{kind}")("binary"), rng, p, rounds, 4)
    yield le("guarded: converged", float(squares.min()), ROUND_OFF_LEVEL, LONG_RUN)
    after = max(float(row[row.argmin() :].max()) for row in squares)
    least = law("jump", p=p, gamma=step, d=made.d, n=n)
    if kind == "cq":  # an odd number of clients: the noise is an n-th
        least *= law("correlated", d=made.d, n=n) / law("exact", d=made.d, n=n, zeros=n)
    # How far above it is depends on rounding, so on the machine.
    yield le("guarded: jumps after that", least, min(after, 2 * least), LONG_RUN)


@judge.drift(
    instance="phishing",
    profile="full",
    needs="phishing",
    parameters={"n": 10, "p": 0.3, "rounds": 900, "replicates": 2},
)
def phishing(law: Law, rng: Any) -> Iterable[Comparison]:
    """The experiment of the paper, run past its convergence."""
    squares, _ = squared_norms(law, _phishing(10), law.iq("binary"), rng, 0.3, 900, 2)
    yield le("past convergence", float(squares[:, 450:].max()), ROUND_OFF_LEVEL, LONG_RUN, headline=True)
