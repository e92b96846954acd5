"""Checks of `cq_marina/finding-identical-clients`: costs in rationals, best probabilities, exact runs."""

from collections.abc import Iterable
from fractions import Fraction as F

import numpy as np

from impl.problems import Quadratic, smoothness_constants, tridiagonal
from verify.authoring import Law, checks_of, eq, le
from verify.authoring.comparisons import lt
from verify.comparison import LONG_RUN, ROUND_OFF, Comparison, printed
from verify.cq_marina.fixtures.joint.psi import psi
from verify.cq_marina.fixtures.second_moments import Array, QuadraticRun, one_bit_noise

ACCURACY = 1e-4
LIMITS = {50: 400, 10: 700}
"""Rounds that MARINA needs at n clients, and some more."""

judge = checks_of(
    "cq_marina/finding-identical-clients", extra=(), offset=0.0, shifted=0.5, scale=1.0, swapped=False
)


judge.sabotage(
    "with-shifts at exact/runs-of-50: Clients with different gradients: the floor keeps DCGD from the "
    "accuracy at all. | offset = 0.5",
    "dcgd-for-marina at exact/shifts-of-50: Compressed gradients where MARINA is claimed: the floor stays. "
    "| swapped = True",
    "without-shifts at exact/shifts-of-50: Clients without different gradients: no floor. | shifted = 0.0",
    "beyond-threshold at exact/every-probability: Noise A = 36 at c = 1/32: gradient descent costs 1, DCGD "
    "37/32.",
    {"extra": (F(36),)},
    "counted-in-full at exact/every-probability, exact/best-probability, exact/runs-of-50: Count a "
    "compressed message of DCGD as a full one: 1 + A in place of c (1 + A). | dcgd_cost = dcgd_cost * 32",
    "rescaled-problem, neutral at exact/runs-of-50: Multiply all objectives by 3: nothing may change but "
    "the unit. | scale = 3.0",
)


@judge.exact(parameters={"c": "1/32"})
def every_probability(law: Law) -> Iterable[Comparison]:
    """DCGD against MARINA at many probabilities 1 / (1 + t^2) and A = a^2, in rationals."""
    c = F(1, 32)
    yield eq("threshold", law.exactly("threshold", c=c), law.exactly("one_bit"))
    yield eq("cost of DCGD at one", law.exactly("dcgd_cost", A=1, c=c), law.exactly("dcgd_at_one"))
    squares = [F(a, 4) ** 2 for a in range(1, 23)]  # up to 5.5^2 = 30.25
    for A in (*squares, F(5567, 1000) ** 2, *law.extra):
        cost = law.exactly("dcgd_cost", A=A, c=c)
        for t in (F(j, 4) for j in (0, 1, 2, 4, 8, 12, 16, 24, 40, 80)):
            p = 1 / (1 + t * t)
            marina = law.exactly("bound", A=A, c=c, p=p)
            yield lt("every probability", cost, marina, witness={"A": A, "p": p}, headline=True)


@judge.exact(parameters={"c": (1 / 32, 1 / 16)})
def best_probability(law: Law) -> Iterable[Comparison]:
    """DCGD against MARINA at its best probability, for A up to the threshold and beyond."""
    yield eq("cost of MARINA at one", psi(1, 1 / 32).value, law("marina_at_one"), printed(4))
    for c in (1 / 32, 1 / 16):
        threshold = law("threshold", c=c)
        for share in (1e-3, 0.01, 0.03, 0.1, 0.2, 0.25, 0.3, 0.5, 0.8, 0.999):
            A = share * threshold
            cost = law("dcgd_cost", A=A, c=c)
            best, where = psi(A, c).value, {"A": A, "c": c}
            yield le("best probability", cost, best, ROUND_OFF, witness=where, headline=True)
        for A in (1.001 * threshold, 2 * threshold):
            full = law("bound", A=A, c=c, p=1)
            yield le("beyond the threshold", full, law("dcgd_cost", A=A, c=c), ROUND_OFF, witness={"A": A})


# ---------------------------------------------------------------- exact runs


def problem_of(n: int, offset: float, scale: float = 1.0) -> Quadratic:
    """Return the quadratic of `cq_marina/exp-quadratic`, with linear parts that differ by the offset."""
    given = tridiagonal(n, 32, heterogeneity=0.0, mu=1e-6, offset=offset)
    return Quadratic(scale * given.matrices, scale * given.linear, convex=False)


def runs(law: Law, n: int, offset: float, scale: float) -> tuple[Array, Array, float]:
    """Return E|grad f|^2 along DCGD and MARINA with independent one-bit quantizers, and p of MARINA."""
    problem, limit = problem_of(n, offset, scale), LIMITS[n]
    L, A = smoothness_constants(problem).L_minus, (problem.d - 1) / n
    p = psi(A, _message(problem.d)).probability
    step = law.of("cq_marina/dsgd")("step_size", L=L, A=A)
    rate = law.of("cq_marina/marina-rate")("step_size", L_minus=L, X=A * L**2, p=p)
    run = QuadraticRun(problem.matrices, problem.linear, np.zeros(problem.d), rate, p, one_bit_noise)
    return dcgd_gradients(problem, step, limit), run.trace(limit).gradient_norm_sq, p


def _message(d: int) -> float:
    return (32 + d) / (32 * d)


@judge.exact(instances={"runs-of-50": {"n": 50}}, d=32, accuracy=ACCURACY)
@judge.exact(instances={"runs-of-10": {"n": 10}}, d=32, accuracy=ACCURACY, profile="full")
def whole_runs(law: Law, n: int, d: int, accuracy: float) -> Iterable[Comparison]:
    """Bits for each client until E|grad f|^2 is small, on equal quadratics."""
    dcgd, marina = bits_of_runs(law, n, d, accuracy)
    yield le("bits of DCGD and MARINA", dcgd, law("part") * marina, ROUND_OFF, headline=True)


def bits_of_runs(law: Law, n: int, d: int, accuracy: float) -> tuple[float, float]:
    """Return the bits of DCGD and of MARINA to the accuracy."""
    descent, differences, p = runs(law, n, law.offset, law.scale)
    near, c = accuracy * law.scale**2, _message(d)
    # The price of a message is the stated cost per round, at A = 0.
    sent = 32 * d * law("dcgd_cost", A=0, c=c)
    marina = 32 * d * (1 + rounds_to(differences, near) * (p + (1 - p) * c))
    return rounds_to(descent, near) * sent, marina


@judge.exact(instances={"shifts-of-50": {"n": 50}}, accuracy=ACCURACY)
def whole_runs_with_shifts(law: Law, n: int, accuracy: float) -> Iterable[Comparison]:
    """With different gradients DCGD stops above the accuracy, and MARINA reaches it."""
    descent, differences, _ = runs(law, n, law.shifted, 1.0)
    yield le("floor above the accuracy", accuracy, float(descent.min()), LONG_RUN, headline=True)
    rounds = float(rounds_to(descent if law.swapped else differences, accuracy))
    yield le("rounds of MARINA with shifts", rounds, float(len(differences) - 1), ROUND_OFF)


def rounds_to(gradients: Array, accuracy: float) -> int:
    """Return the first round with a value of at most the accuracy, ten times the length if there is none."""
    reached = np.flatnonzero(gradients <= accuracy)
    return int(reached[0]) if len(reached) else 10 * len(gradients)


def dcgd_gradients(problem: Quadratic, step_size: float, rounds: int) -> Array:
    r"""Return E||grad f||^2 after 0..rounds rounds of DCGD from 0 with independent one-bit quantizers.

    All clients have one matrix H and $\nabla f_i=He+s_i$ with $\sum_is_i=0$. The second moment of e obeys
    $S^+=(I-\gamma H)S(I-\gamma H)+\frac{\gamma^2}n(\mathrm{tr}Y\,I-\mathrm{diag}Y)$ with the mean $Y$ of
    $\nabla f_i\nabla f_i^\top$; in it the products of e and s_i cancel.
    """
    H, n = problem.matrices[0], problem.n
    e = -np.linalg.solve(H, problem.linear.mean(axis=0))
    shifts = problem.linear.mean(axis=0) - problem.linear
    spread = shifts.T @ shifts / n
    move = np.eye(len(H)) - step_size * H
    S, found = np.outer(e, e), []
    for _ in range(rounds + 1):
        gradient = H @ S @ H
        found.append(np.trace(gradient))
        S = move @ S @ move + step_size**2 * one_bit_noise(gradient + spread, gradient, n)
    return np.array(found)
