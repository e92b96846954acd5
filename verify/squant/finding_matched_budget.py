"""Checks of `squant/finding-matched-budget`: gains at numerically best budgets, and how they scale."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.best_budget import minimal_cost
from verify.squant.fixtures.exponents import compare_exponent
from verify.squant.gains.gain_vary import DIMENSION, NODES, family_w
from verify.squant.gains.gain_vary import reversed_coordinates as permuted

KAPPA = 8.0
"""Bits per unit of budget: sign, level and gap of about one nonzero."""

NORM = 32


@dataclass(frozen=True)
class Matrices:
    """What the gains depend on: sizes, smoothness of the mean, and variance constants times budget."""

    n: int
    d: int
    L: float
    L_max: float
    c_vary: float
    c_block: float = 0.0

    @property
    def rho(self) -> float:
        """Return L_max / (n L)."""
        return self.L_max / (self.n * self.L)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/finding-matched-budget")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        Check(
            "exact",
            "whatever-n",
            ExactCase(compare_nodes),
            {"family": "W", "d": DIMENSION, "n": NODES, "kappa": KAPPA},
            {
                "matched-is-best": ExactCase(lambda: compare_nodes(grows=True)),
                "permuted-coordinates": ExactCase(lambda: compare_nodes(family=permuted)),
            },
        ),
        Check("exact", "order-d", ExactCase(compare_dimensions), {"family": "W", "n": 16, "kappa": KAPPA}),
        Check(
            "exact",
            "blocks",
            ExactCase(compare_blocks),
            {"family": "V", "d": "8 n^2 and 8 n", "kappa": KAPPA},
            {"blocks-gain-n": ExactCase(lambda: compare_blocks(narrow_grows=True))},
        ),
        Check(
            "exact",
            "similar-nodes",
            ExactCase(compare_similar),
            {"family": "identity", "n": "d", "kappa": KAPPA},
            {"similar-nodes-gain-d": ExactCase(lambda: compare_similar(grows=True))},
        ),
    )


def stated(name: str, **values: Any) -> float:
    """Evaluate a formula of the claim."""
    return evaluate(theory.claim("squant/finding-matched-budget").formulas[name], values)


def best_cost(matrices: Matrices, norms: int, constant: float) -> float:
    """Return the smallest cost over all budgets, found numerically."""
    cost, _ = minimal_cost(NORM * norms, KAPPA, constant, matrices.L, matrices.n, 1.0)
    return cost


def gain(matrices: Matrices, norms: int, constant: float) -> float:
    """Return the cost of the unaware method over that of another one, each at its best budget."""
    return best_cost(matrices, 1, matrices.d * matrices.L_max) / best_cost(matrices, norms, constant)


def compare_nodes(
    family: Callable[[int, int], Any] = family_w, *, grows: bool = False
) -> Iterable[Comparison]:
    """The number of nodes changes the gain at the matched budget, not the one at best budgets."""
    found, matched = [], []
    for n in NODES:
        diagonals = family(n, DIMENSION)
        matrices = Matrices(
            n,
            DIMENSION,
            float(diagonals.mean(axis=0).max()),
            float(diagonals.max()),
            float(diagonals.sum(axis=1).max()),
        )
        nu_tr = matrices.c_vary / matrices.L_max
        found.append(gain(matrices, 1, matrices.c_vary))
        yield from _compare_vary(matrices, nu_tr, found[-1])
        ratio = theory.claim("squant/gain-vary").formulas["exact"]
        matched.append(evaluate(ratio, {"n": n, "d": DIMENSION, "rho": matrices.rho, "nu_tr": nu_tr}))
    sizes, few = NODES[:3], slice(0, 3)
    yield from compare_exponent("in n at the matched budget", sizes, matched[few], at_least=0.5)
    if grows:
        yield from compare_exponent("in n at best budgets", sizes, found[few], at_least=0.5)
    else:
        yield from compare_exponent("in n at best budgets", sizes, found[few], at_least=-0.05, at_most=0.05)


def _compare_vary(matrices: Matrices, nu_tr: float, found: float) -> Iterable[Comparison]:
    """The gain of varying steps: its formula, and its order."""
    shared = {"kappa": KAPPA, "d": matrices.d, "rho": matrices.rho, "nu_tr": nu_tr}
    witness = {**shared, "n": matrices.n}
    yield Comparison("gain of varying steps", "eq", found, stated("gain_vary", **shared), ROUND_OFF, witness)
    yield Comparison("gain, from above", "le", found, stated("vary_upper", d=matrices.d), ROUND_OFF, witness)
    lower = stated("vary_lower", **shared)
    yield Comparison("gain, from below", "le", lower, found, ROUND_OFF, witness, headline=True)


def compare_dimensions() -> Iterable[Comparison]:
    """The gain is of order d at a fixed number of nodes."""
    n, sizes = 16, tuple(2**power for power in range(12, 21, 2))
    found = []
    for d in sizes:
        small = 1 / (n * d)
        matrices = Matrices(n, d, (1 + (n - 1) * small) / n, 1.0, 1 + (d - 1) * small)
        found.append(gain(matrices, 1, matrices.c_vary))
        yield from _compare_vary(matrices, matrices.c_vary, found[-1])
    yield from compare_exponent("in d at best budgets", sizes, found, at_least=0.95, at_most=1.0)


def compare_blocks(*, narrow_grows: bool = False) -> Iterable[Comparison]:
    """With n blocks in family V the gain is of order min(n, d / n)."""
    nodes = (64, 256, 1024, 4096)
    wide = [_family_v(n, 8 * n * n) for n in nodes]
    narrow = [_family_v(n, 8 * n) for n in nodes]
    gains = {}
    for name, rows in (("wide", wide), ("narrow", narrow)):
        gains[name] = [gain(matrices, matrices.n, matrices.c_block) for matrices in rows]
        for matrices, found in zip(rows, gains[name], strict=True):
            yield from _compare_block(matrices, name, found)
    yield from compare_exponent("in n of blocks, d = 8 n^2", nodes, gains["wide"], at_least=0.9, at_most=1.1)
    if narrow_grows:
        yield from compare_exponent("in n of blocks, d = 8 n", nodes, gains["narrow"], at_least=0.9)
    else:
        yield from compare_exponent("in n of blocks, d = 8 n", nodes, gains["narrow"], at_most=0.1)


def _family_v(n: int, d: int) -> Matrices:
    """Return family V: node 1 has 1 on its first block and 1/n elsewhere, the others have I/n."""
    length = d // n
    # Sum over the n blocks of root of length times Frobenius norm.
    block = sum(
        length**0.5 * (length * value**2) ** 0.5 * count for value, count in ((1.0, 1), (1 / n, n - 1))
    )
    trace = length + (d - length) / n
    return Matrices(n, d, (1 + (n - 1) / n) / n, 1.0, trace, block)


def _compare_block(matrices: Matrices, shape: str, found: float) -> Iterable[Comparison]:
    n, d = matrices.n, matrices.d
    # nu_B = (n / d) c_block / L_max, with B = n blocks.
    nu_B = n * matrices.c_block / (d * matrices.L_max)
    shared = {"kappa": KAPPA, "rho": matrices.rho, "n": n}
    full = {**shared, "d": d, "nu_B": nu_B}
    yield Comparison("gain of n blocks", "eq", found, stated("gain_block", **full), ROUND_OFF, full)
    upper = {
        "block_upper_norms": stated("block_upper_norms", d=d, **shared),
        "block_upper_steps": stated("block_upper_steps", **full),
    }
    for name, value in upper.items():
        yield Comparison(f"gain, {name}", "le", found, value, ROUND_OFF, full)
    lower = (
        stated("block_lower_wide", nu_B=nu_B, **shared)
        if shape == "wide"
        else stated("block_lower_narrow", **full)
    )
    yield Comparison("gain of n blocks, from below", "le", lower, found, ROUND_OFF, full, headline=True)


def compare_similar(*, grows: bool = False) -> Iterable[Comparison]:
    """If all nodes have the identity, the gain stays bounded while d = n grows."""
    sizes = (64, 256, 1024, 4096)
    found = []
    for n in sizes:
        matrices = Matrices(n, n, 1.0, 1.0, float(n))
        # The best conceivable method: its constant is that of a single coordinate.
        found.append(gain(matrices, 1, matrices.L_max))
        upper = stated("similar_upper", kappa=KAPPA, d=n, n=n)
        yield Comparison("gain of similar nodes", "le", found[-1], upper, ROUND_OFF, {"n": n}, headline=True)
    if grows:
        yield from compare_exponent("in d for similar nodes", sizes, found, at_least=0.9)
    else:
        yield from compare_exponent("in d for similar nodes", sizes, found, at_most=0.1)
