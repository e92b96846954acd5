"""Checks of `cq_marina/finding-public-diana`: steps as the code has them, rounds with all their outcomes."""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import RandK
from impl.optimizers import diana
from impl.problems import tridiagonal
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.expectation.rational_norm import rational_root
from verify.rungs.run import TrajectoryCase

Rows = Sequence[Sequence[Any]]

judge = checks_of("cq_marina/finding-public-diana", sparsifier=RandK, method=diana, stretch=1)


class Unscaled(RandK):
    """Keep entries without the factor that makes them unbiased."""

    def reference(self, x: Any, draws: Any, side: Any = None) -> Any:
        return [F(self.k, len(x)) * item for item in super().reference(x, draws, side)]


judge.sabotage(
    "ten-fold at exact/rational-steps: Leave the 10 out. | exact = exact / 10",
    "ten-entries at exact/phishing: Keep ten entries. | exact = exact(omega = (omega - 9) / 10)",
    "unbiased at exact/new-shifts-one, exact/new-shifts-two: Call the mean of the new shifts unbiased. "
    "| bias = bias * 0",
    "of-diana at exact/new-shifts-*: Claim the error of the estimate of DIANA. | late = late(alpha = 1)",
    "unscaled at exact/new-shifts-*: Messages that are not unbiased.",
    {"sparsifier": Unscaled},
    "free-noise at exact/potential-still: Let the shifts cost nothing. | weight = weight * 0",
    "long-step at exact/potential-*: Take sixty times the step. | step_size = 60 * step_size",
    "longer-than-proved at exact/rational-steps: Claim thirty times the step of the code. "
    "| public_step = 12 * public_step",
    "triple at exact/rational-steps: Claim three times the least ratio. | least_ratio = 3 * least_ratio",
    "stretched at run/averages: Runs at four hundred times the step. | stretch = 400",
)


def moved(law: Law, h: Rows, y: Rows, alpha: F) -> Iterator[tuple[F, list[list[F]], list[F]]]:
    """Yield probability, new shifts (n, d) and the estimate of DIANA (d,) over all outcomes of a round."""
    sparsifier = law.sparsifier(1)
    messages = []
    for row in y:
        entries = list(map(F, row))
        messages.append(
            [(p, sparsifier.reference(entries, draws)) for p, draws in sparsifier.outcomes(entries)]
        )
    for outcome in itertools.product(*messages):
        sent = [message for _, message in outcome]
        shifts = [[a + alpha * b for a, b in zip(*rows, strict=True)] for rows in zip(h, sent, strict=True)]
        estimate = [sum(column, F(0)) / len(h) for column in zip(*map(_added, h, sent), strict=True)]
        yield math.prod((p for p, _ in outcome), start=F(1)), shifts, estimate


def _added(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    return [a + b for a, b in zip(first, second, strict=True)]


def _squared(vector: Sequence[Any]) -> F:
    return sum((F(item) ** 2 for item in vector), F(0))


def _mean(rows: Rows) -> list[F]:
    return [sum(map(F, column), F(0)) / len(rows) for column in zip(*rows, strict=True)]


# ---------------------------------------------------------------- the steps


@judge.exact(L=F(3, 2), cases=[(4, 5), (1, 3), (1, 8), (4, 32), (9, 7), (16, 9), (25, 0)])
def rational_steps(law: Law, L: F, cases: tuple[int, int]) -> Comparisons:
    """Clients and noise for which the steps of the code are rational."""
    n, omega = cases
    marina = 1 / (L * (1 + rational_root(F(omega**2, n))))
    public = 1 / (10 * L * rational_root(1 + F(omega, n)) * (1 + omega + 1))
    at = {"n": n, "omega": omega}
    yield eq("ratio of the steps", marina / public, law.exactly("exact", **at))
    yield eq("ratio of the steps", marina, law.exactly("marina_step", L=L, **at))
    yield le("least ratio", law.exactly("least_ratio", **at), marina / public)
    stated = law("public_step", L=float(L), **at)
    yield le("longer step", 2.5 * stated, law("step_size", L=float(L), **at), ROUND_OFF)


@judge.exact(d=69, n=5)
def phishing(law: Law, d: int, n: int) -> Comparisons:
    """The dimension of phishing with a bias, one entry kept, and the clients of the public run."""
    omega = law.sparsifier(1).variance(np.eye(d)[0])
    found = law("exact", n=n, omega=omega)
    yield le("ratio at one of 69 entries", 85.0, found, ROUND_OFF, witness={"omega": omega}, headline=True)


# ---------------------------------------------------------------- rounds

STATES: dict[str, dict[str, Any]] = {
    "two": {"h": ((1, 0), (0, 0)), "y": ((1, 2), (-3, F(1, 2)))},
    "one": {"h": ((0, 1, 2),), "y": ((F(1, 3), -1, 2),)},
    "opposite": {"h": ((1, 1), (-1, 2)), "y": ((2, -1), (-2, 1))},
}


@judge.exact(instances={f"new-shifts-{name}": state for name, state in STATES.items()})
def new_shifts(law: Law, h: Rows, y: Rows) -> Comparisons:
    """Mean and error of the mean of the new shifts, over all outcomes."""
    n, d = len(y), len(y[0])
    omega = d - 1
    for alpha in (F(1, 1 + omega), F(2, 7)):
        mean, error = [F(0)] * d, F(0)
        gradient = _added(_mean(h), _mean(y))
        for chance, shifts, _ in moved(law, h, y, alpha):
            late = [a - b for a, b in zip(_mean(shifts), gradient, strict=True)]
            mean = [old + chance * item for old, item in zip(mean, late, strict=True)]
            error += chance * _squared(late)
        ybar = _mean(y)
        variances = [omega * _squared(row) for row in y]
        for j in range(d):
            yield eq("mean of the new shifts", mean[j], law.exactly("bias", alpha=alpha, ybar=ybar, j=j))
        stated = law.exactly("late", alpha=alpha, ybar=ybar, V=variances, n=n, d=d)
        yield eq("error of the new shifts", error, stated)


@judge.exact(
    instances={
        "potential-still": {
            "A": ((1, 1), (1, 1)),
            "b": ((1, 2), (-1, -2)),
            "x": (0, 0),
            "h": ((0, 0), (0, 0)),
        },
        "potential-learnt": {
            "A": ((1, 3), (2, 1)),
            "b": ((1, 0), (0, -1)),
            "x": (2, -1),
            "h": ((1, -3), (4, 0)),
        },
        "potential-far": {"A": ((2, 0), (0, 1), (1, 1)), "b": ((1, 0),) * 3, "x": (5, 7), "h": ((0, 0),) * 3},
    }
)
def potential(law: Law, A: Rows, b: Rows, x: Sequence[Any], h: Rows) -> Comparisons:
    """One round of DIANA on quadratics with diagonal matrices, at the longest step in 20 binary digits."""
    n, d = len(A), len(x)
    omega, L = d - 1, max(map(max, A))
    gamma = F(math.floor(2**20 * law("step_size", L=L, n=n, omega=omega)), 2**20)
    weight = law.exactly("weight", L=L, gamma=gamma, omega=omega, n=n)
    curvature, linear = _mean(A), _mean(b)

    def gradients(point: Sequence[F]) -> list[list[F]]:
        return [
            [a * p - q for a, p, q in zip(*rows, strict=True)] for rows in zip(A, [point] * n, b, strict=True)
        ]

    def value(point: Sequence[F], shifts: Rows) -> Any:
        """Gap plus weight times the mean squared difference."""
        gap = sum((a * (p - q / a) ** 2 / 2 for a, p, q in zip(curvature, point, linear, strict=True)), F(0))
        left = [
            [p - q for p, q in zip(*rows, strict=True)] for rows in zip(gradients(point), shifts, strict=True)
        ]
        return gap + weight * sum(map(_squared, left), F(0)) / n

    at = gradients(list(map(F, x)))
    y = [[p - q for p, q in zip(*rows, strict=True)] for rows in zip(at, h, strict=True)]
    after = F(0)
    for chance, shifts, estimate in moved(law, h, y, F(1, 1 + omega)):
        point = [F(p) - gamma * g for p, g in zip(x, estimate, strict=True)]
        after += chance * value(point, shifts)
    before = value(list(map(F, x)), h) - gamma / 2 * _squared(_mean(at))
    yield le("potential", after, before, witness={"gamma": gamma})


@judge.trajectory(label="averages of the squared gradient", n=5, d=12, kept=3, rounds=150)
def averages(law: Law, n: int, d: int, kept: int, rounds: int) -> TrajectoryCase:
    """The bound of the rate for runs on quadratics that differ, some of them concave in a direction."""
    problem = tridiagonal(n, d, heterogeneity=0.8, mu=1e-3, offset=0.5)
    compressor = law.sparsifier(kept)
    omega, L = d / kept - 1, float(problem.L_nodes.max())
    gamma = law("step_size", L=L, n=n, omega=omega)
    zero = np.zeros(d)
    start = float(problem.objective(zero) - problem.objective(problem.solution))
    sigma = float((problem.gradients(zero) ** 2).sum(axis=-1).mean())

    def bounds() -> Any:
        return np.array(
            [
                law("bound", Delta_0=start, E_0=sigma, L=L, gamma=gamma, omega=omega, n=n, T=T)
                for T in range(1, rounds + 2)
            ]
        )

    def rows(rng: Any, replicates: int) -> Any:
        run = law.method(
            problem,
            compressor,
            step_size=law.stretch * gamma,
            learning_rate=1 / (1 + omega),
            rounds=rounds,
            rng=rng,
            replicates=replicates,
        )
        return np.cumsum(run.gradient_norm_sq, axis=1) / np.arange(1, rounds + 2)

    return TrajectoryCase(bounds, rows)
