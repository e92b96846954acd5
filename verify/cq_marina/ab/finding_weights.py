"""Checks of `cq_marina/finding-weights`: noise in rationals, tridiagonal quadratics, a weight search."""

import functools
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import BernoulliSparsifier, Independent, RandK, WeightedPartition
from impl.problems import smoothness_constants, tridiagonal
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison, printed
from verify.cq_marina.fixtures.grid_inputs import P1, P2, Rows
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint
from verify.rungs.adversarial import AdversarialCase

TRIDIAGONAL = {"10-32": (10, 32, 0.5, 1e-6, "short_ten"), "5-6": (5, 6, 0.8, 1e-2, "short_five")}


def _largest_product(omegas: Sequence[Any], weights: Sequence[Any]) -> Any:
    return max(a * b for a, b in zip(omegas, weights, strict=True))


def _as_for_equal_weights(omegas: Sequence[Any], weights: Sequence[Any]) -> Any:
    return max(omegas) / F(len(omegas))


def _inverse(omegas: Sequence[F]) -> list[F]:
    return [1 / (item * sum(1 / other for other in omegas)) for item in omegas]


judge = checks_of(
    "cq_marina/finding-weights",
    constant=_largest_product,
    weights=_inverse,
    ways=("partition",),
    rand_one=lambda d: d - 1,
)


judge.sabotage(
    "unaware-constant at exact/line, exact/equal-omega, exact/whole-rounds, exact/tridiagonal-*, "
    "adversarial/weights: Use $A=\\omega/n$, that of equal weights, together with $L_{+,w}$ for "
    "$w_i\\propto L_i$: the noise is above the product.",
    {"constant": _as_for_equal_weights},
    "weights-like-omega at exact/different-omega: Take $w_i\\propto\\omega_i$ for the best weights: the "
    "product is not the noise.",
    {"weights": lambda omegas: [item / sum(omegas) for item in omegas]},
    "helped-independent at exact/whole-rounds: Claim $\\frac\\omega n(\\frac1n\\sum_iL_i)^2$ for "
    "independent compressors, as if their $A$ did not grow. | ways = ('RandK', 'sparsifier', 'partition')",
    "half-excess at exact/line: Half the factor by which the constant of equal weights falls short. "
    "| excess = excess / 2",
    "larger-constant at exact/tridiagonal-*: The constant $d/K$ for that of RandK.",
    {"rand_one": lambda d: d},
)
judge.sabotage_data(
    "permuted-clients, neutral at exact/line, exact/*-omega, exact/whole-rounds: Number the clients in "
    "reverse order.",
    lambda **given: {name: value[::-1] for name, value in given.items()},
)


@judge.exact(
    instances={
        "line": {"differences": ((F(1),), (F(3),)), "probabilities": (F(1, 2), F(1, 2))},
        "equal-omega": {
            "differences": tuple(tuple(k * a for a in P1[0]) for k in (1, 2, 5)),
            "probabilities": (F(1, 3),) * 3,
        },
        "different-omega": {"differences": P2, "probabilities": (F(1, 2), F(1, 3), F(2, 3), F(1, 5))},
    }
)
def sparsified(law: Law, differences: Rows, probabilities: Sequence[F]) -> Iterable[Comparison]:
    """Exact noise of independent sparsifiers against the product at several weights."""
    n, omegas = len(probabilities), [1 / p - 1 for p in probabilities]
    noise = F(0)
    for row, p in zip(differences, probabilities, strict=True):
        noise += BernoulliSparsifier(p).variance(list(row)) / n**2

    def summed(name: str, **values: Any) -> Any:
        """Return a formula of one coordinate, summed over all of them."""
        return sum(
            law.exactly(name, delta=column, n=n, **values) for column in zip(*differences, strict=True)
        )

    yield eq("noise", noise, summed("exact", omega=omegas))
    lengths = [sum((abs(item) for item in row), F(0)) for row in differences]
    best = law.weights(omegas)
    for weights in ([F(1, n)] * n, [item / sum(lengths) for item in lengths], best):
        product = summed("bound", A=law.constant(omegas, weights), w=weights)
        yield le("product", noise, product, headline=True)
    for i, weight in enumerate(best):
        yield eq("best weight of a client", weight, law.exactly("best_weight", omega=omegas, n=n, i=i))
    product = summed("bound", A=_largest_product(omegas, best), w=best)
    yield eq("noise at the best weights", noise, product)
    if len(set(omegas)) == 1:
        shares = [item / sum(lengths) for item in lengths]
        excess = law.exactly("excess", delta=lengths, n=n)
        unaware = summed("unaware", omega_max=omegas[0], w=shares)
        yield eq("noise with the constant of equal weights", noise, excess * unaware)


@judge.exact(differences=tuple(tuple(k * F(item) for item in (3, 4)) for k in (1, 2, 5)))
def whole_rounds(law: Law, differences: Rows) -> Iterable[Comparison]:
    """Whole rounds: RandK, which keeps its constant, and a partition, whose constant 1 does not grow."""
    # Lengths of the rows, the constants of clients with equal directions.
    n, constants = len(differences), [max(row) / 4 * 5 for row in differences]
    weights = [item / sum(constants) for item in constants]
    for name, compressor, constant, A in (
        ("RandK", Independent(RandK(1)), F(1, n), law.constant((1,) * n, weights)),
        ("sparsifier", Independent(BernoulliSparsifier(F(1, 2))), F(1, n), law.constant((1,) * n, weights)),
        ("partition", WeightedPartition(weights), F(1), F(1)),
    ):
        noise = enumerate_joint(compressor, differences).error
        if name in law.ways:
            yield le("helped", noise, law.exactly("helped", A=constant, L=constants, n=n), headline=True)
        own = law.exactly("helped", A=A, L=constants, n=n)
        yield le("product with its own constant", noise, own)
        if name != "partition":
            equal = law.exactly("exact", omega=(1,) * n, delta=constants, n=n)
            yield eq("noise is that of equal weights", noise, equal)


@functools.cache
def _setting(name: str) -> tuple[Any, Any, Any]:
    """Return the problem, its weights like L_i, and the noise of RandK along the worst direction."""
    n, d, heterogeneity, mu, _ = TRIDIAGONAL[name]
    problem = tridiagonal(n, d, heterogeneity=heterogeneity, mu=mu)
    weights = problem.L_nodes / problem.L_nodes.sum()
    direction = np.linalg.eigh((problem.matrices @ problem.matrices).mean(axis=0))[1][:, -1]
    noise = Independent(RandK(1)).variance(problem.gradients(direction) - problem.gradients(0 * direction))
    return problem, weights, noise


@judge.exact(instances={f"tridiagonal-{name}": {"name": name} for name in TRIDIAGONAL})
def tridiagonal_noise(law: Law, name: str) -> Iterable[Comparison]:
    """Noise of RandK along the worst direction against the product of constants, with which A."""
    problem, weights, noise = _setting(name)
    n, omega, ratio = problem.n, law.rand_one(problem.d), law(TRIDIAGONAL[name][-1])
    equal, weighted = smoothness_constants(problem), smoothness_constants(problem, weights)
    A = float(law.constant([omega] * n, list(weights)))
    yield le("noise below the product", noise, A * weighted.L_plus**2, ROUND_OFF, headline=True)
    yield eq("noise is the product of equal weights", noise, omega / n * equal.L_plus**2, ROUND_OFF)
    unaware = noise / (omega / n * weighted.L_plus**2)
    yield eq("how far the constant of equal weights falls short", unaware, ratio, printed(4))


@judge.adversarial(delta=(1.0, 2.0, 3.0, 5.0), omega=(1.0, 3.0, 2.0, 1.0))
def weights(law: Law, delta: Sequence[float], omega: Sequence[float]) -> AdversarialCase:
    """Any weights, as logarithms: the noise never exceeds the product, and reaches it."""
    n, lengths = len(delta), np.array(delta)
    honest = law.constant is _largest_product
    constants = np.array(omega) if honest else np.ones(n)
    noise = law("exact", delta=lengths, omega=constants, n=n)

    def product(logs: Any) -> Any:
        found = np.exp(logs - logs.max(axis=-1, keepdims=True))
        found /= found.sum(axis=-1, keepdims=True)
        A = (constants * found).max(axis=-1) if honest else constants.max() / n
        # A weight may underflow to 0: such a product is infinite.
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            return np.nan_to_num(A * (lengths**2 / (n**2 * found)).sum(axis=-1), nan=np.inf, posinf=1e300)

    start = -np.log(constants) if honest else np.log(lengths)
    return AdversarialCase(
        lambda logs: np.full(len(logs), noise),
        product,
        n,
        starts=(start + 1e-9,),
        scale_invariant=False,
        budget=400,
    )
