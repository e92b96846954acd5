"""Checks of `squant/gain-block`: the ratio of total costs on random and growing matrices, and its exponents.

Condition numbers come from the matrices (`verify.squant.fixtures.family_constants`) and lengths from the literal bound
of `verify.squant.bits_bound`; the claim's formulas are held against them.
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.experiments.squant.gain_runs import run_checks
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.exponents import compare_exponent
from verify.squant.fixtures.families import Family, family
from verify.squant.fixtures.family_constants import condition_number, formula_at
from verify.squant.fixtures.literal_length import literal_bound

SIZES = (4, 16, 64, 256)
DOUBLING = (4, 8, 16, 32, 64, 128, 256)

LINEAR, LEVEL, SLOW = (0.85, 1.15), (-0.1, 0.1), (-0.35, 0.35)
"""Windows of the exponents: growth like n, no growth, and too slow to be either."""

# A family for each number of nodes.
Growing = Callable[[int], Family]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/gain-block")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        *(_growing(name) for name in ("V", "H")),
        Check("exact", "hom", ExactCase(_compare_homogeneous), {"family": "hom", "n": SIZES, "q": 8}),
        _low_dimension(),
        Check("exact", "closed-forms", ExactCase(_compare_closed_forms), {"n": SIZES, "q": 8}),
        Check("exact", "random", ExactCase(_compare_random), {"sets": 30, "matrices": "diagonal"}),
        *run_checks(),
    )


def total_cost(matrices: Family, method: str, *, exact: bool = False, norms: int | None = None) -> float:
    """Return condition number times worst-case length at the budget d / n.

    Args:
        matrices: The matrices of the nodes.
        method: `block`, `block-uniform` (n norms) or one of the single-block methods (one norm).
        exact: Whether to take the supremum of the variance instead of its bound.
        norms: Norms that are charged for, the number of blocks by default.
    """
    n, d = matrices.n, matrices.d
    blocks = n if method.startswith("block") else 1
    length = literal_bound(d / n, d, blocks, norms=norms)
    return condition_number(matrices, method, d / n, exact=exact) * length


def gain(matrices: Family, *, method: str = "block", exact: bool = False, norms: int | None = None) -> float:
    """Return the total cost of the unaware single-block method over that of the blocks."""
    blocks = total_cost(matrices, method, exact=exact, norms=norms)
    return total_cost(matrices, "std", exact=exact) / blocks


def stated(name: str, matrices: Family) -> float:
    """Return a formula of the claim at the constants of these matrices."""
    content = literal_bound(matrices.d / matrices.n, matrices.d, 0)
    return formula_at("squant/gain-block", name, matrices, b_0=content)


def _growing(name: str) -> Check:
    def case(make: Growing, method: str = "block") -> ExactCase:
        return ExactCase(lambda: compare_growing(make, method))

    honest = partial(family, name)

    mutants = {
        "low-dimension": case(lambda n: family(name, n, d=8 * n)),
        "homogeneous-matrices": case(partial(family, "hom")),
        "uniform-block-steps": case(honest, "block-uniform"),
        "permuted-nodes": case(lambda n: family(name, n).in_node_order(range(n)[::-1])),
    }
    parameters = {"family": name, "n": SIZES, "q": 8}
    return Check("exact", name, case(honest), parameters, mutants, seconds=0.2)


def compare_growing(make: Growing, method: str) -> Iterable[Comparison]:
    """The inequality at each number of nodes, what it lies between, and the exponents of the cost ratio."""
    gains, suprema = [], []
    for n in SIZES:
        matrices = make(n)
        gains.append(gain(matrices, method=method))
        suprema.append(gain(matrices, method=method, exact=True))
        yield from compare_inequality(matrices, gains[-1])
    yield from compare_exponent("of the gain", SIZES, gains, at_least=LINEAR[0], at_most=LINEAR[1])
    yield from compare_exponent(
        "of the gain with exact suprema", SIZES, suprema, at_least=LINEAR[0], at_most=LINEAR[1]
    )


def compare_inequality(matrices: Family, found: float) -> Iterable[Comparison]:
    """The stated ratio against the one found, and against the limits that make it of order n."""
    ratio = stated("bound", matrices)
    witness = {"n": matrices.n, "d": matrices.d, "rho": matrices.rho, "nu_B": matrices.nu_B}
    yield Comparison("stated ratio", "le", ratio, found, ROUND_OFF, witness, headline=True)
    content = literal_bound(matrices.d / matrices.n, matrices.d, 0)
    yield Comparison("content", "eq", stated("b0", matrices), content, ROUND_OFF, witness)
    yield Comparison("least content", "le", stated("b0_lower", matrices), content, ROUND_OFF, witness)
    yield Comparison("multiple of n", "le", stated("linear_lower", matrices), ratio, ROUND_OFF, witness)
    for limit in ("rho_limit", "nu_limit", "norm_limit"):
        yield Comparison(limit, "le", ratio, stated(limit, matrices), ROUND_OFF, witness)


def _compare_homogeneous() -> Iterable[Comparison]:
    """Negative control: the blocks lose at every size, and nothing grows."""
    gains = [gain(family("hom", n)) for n in SIZES]
    for n, found in zip(SIZES, gains, strict=True):
        yield from compare_inequality(family("hom", n), found)
        yield Comparison("gain of homogeneous nodes", "le", found, 1.0, ROUND_OFF, {"n": n})
    yield from compare_exponent("of the gain", SIZES, gains, at_least=LEVEL[0], at_most=LEVEL[1])


def _low_dimension() -> Check:
    """Second control: with d = 8 n the norms cost more than the blocks gain."""

    def case(norms: int | None = None, order: slice = slice(None)) -> ExactCase:
        def compare() -> Iterable[Comparison]:
            gains = []
            for n in DOUBLING:
                matrices = family("lowdim", n)
                gains.append(gain(matrices.in_node_order(range(n)[order]), norms=norms))
                if norms is None:
                    yield from compare_inequality(matrices, gains[-1])
            yield from compare_exponent(
                "of the gain, last three sizes", DOUBLING[-3:], gains[-3:], at_least=SLOW[0], at_most=SLOW[1]
            )

        return ExactCase(compare)

    mutants = {"one-norm": case(norms=1), "permuted-nodes": case(order=slice(None, None, -1))}
    parameters = {"family": "lowdim", "n": DOUBLING, "d": "8 n"}
    return Check("exact", "lowdim", case(), parameters, mutants, seconds=0.2)


def _compare_closed_forms() -> Iterable[Comparison]:
    """Families in which the stated bounds are the smaller branches: equations instead of inequalities."""
    for name in ("V", "H", "hom", "lowdim"):
        for n in SIZES:
            matrices = family(name, n)
            witness = {"family": name, "n": n}
            yield Comparison("gain", "eq", gain(matrices), stated("bound", matrices), ROUND_OFF, witness)
    for name in ("V", "H"):
        for n in SIZES:
            matrices = family(name, n)
            witness = {"family": name, "n": n}
            found = {
                method: condition_number(matrices, method, matrices.d / n) for method in ("std", "block")
            }
            for method, value in found.items():
                for formula in (f"{name}_K_{method}", f"K_{method}"):
                    yield Comparison(formula, "eq", stated(formula, matrices), value, ROUND_OFF, witness)
            ratio = found["std"] / found["block"]
            yield Comparison("ratio", "eq", stated(f"{name}_ratio", matrices), ratio, ROUND_OFF, witness)
            # Varying steps have the same constants as blocks where each block is flat.
            varying = condition_number(matrices, "vary", matrices.d / n)
            yield Comparison("varying steps", "eq", varying, found["block"], ROUND_OFF, witness)


def _compare_random() -> Iterable[Comparison]:
    """Random diagonal matrices with equal blocks: the inequality where nothing is symmetric."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for _ in range(30):
        n = int(rng.integers(4, 9))
        groups = int(rng.integers(1, 4))
        multiplicity = np.tile(rng.integers(1, 9, size=groups), n)
        entries = np.exp(rng.normal(0, rng.choice([0.5, 3.0]), size=(n, n * groups)))
        matrices = Family("random", entries, multiplicity, np.repeat(np.arange(n), groups))
        yield from compare_inequality(matrices, gain(matrices))
