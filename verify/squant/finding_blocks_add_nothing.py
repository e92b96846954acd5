"""Checks of `squant/finding-blocks-add-nothing`: the aware single step keeps up with the blocks in W."""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, names
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
ROOT_OF_N = (0.4, 0.6)
from verify.squant.fixtures.exponents import compare_exponent
from verify.squant.fixtures.families import Family, family
from verify.squant.fixtures.family_constants import condition_number, formula_at
from verify.squant.fixtures.total_cost import total_cost
from verify.squant.gains.gain_block import SIZES

LEVEL, LINEAR = (-0.1, 0.1), (0.85, 1.15)

Window = tuple[float, float]


def checks() -> tuple[Check, ...]:
    """Return the checks of the finding."""
    claim = theory.claim("squant/finding-blocks-add-nothing")

    def case(make: Callable[[int], Family], window: Window = LEVEL) -> ExactCase:
        return ExactCase(lambda: compare_growing(make, window))

    honest = partial(family, "W")
    mutants = {
        "blocks-still-gain": case(honest, ROOT_OF_N),
        "many-heavy-coordinates": case(partial(family, "V")),
        "low-dimension": case(lambda n: family("W", n, d=8 * n)),
        "permuted-nodes": case(lambda n: family("W", n).in_node_order(range(n)[::-1])),
    }
    parameters = {"family": "W", "n": SIZES, "d": "8 n^2"}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        Check("exact", "W", case(honest), parameters, mutants, seconds=0.2),
        Check("exact", "closed-forms", ExactCase(compare_closed_forms), parameters),
        Check("exact", "attained", ExactCase(compare_attained), {"n": SIZES, "d": "n^2"}),
        Check("exact", "random", ExactCase(compare_random), {"sets": 30, "matrices": "diagonal"}),
    )


def stated(name: str, matrices: Family) -> float:
    """Return a formula of the finding, or its bound, at the constants of these matrices."""
    return formula_at("squant/finding-blocks-add-nothing", name, matrices)


def compare_growing(make: Callable[[int], Family], window: Window) -> Iterable[Comparison]:
    """The bound at each number of nodes, and the exponents of both gains."""
    blocks, awareness = [], []
    for n in SIZES:
        matrices = make(n)
        unaware, plus, block = (
            condition_number(matrices, method, matrices.d / n) for method in ("std", "plus", "block")
        )
        blocks.append(plus / block)
        awareness.append(unaware / plus)
        yield from compare_bound(matrices, plus, block)
        # With the bits the blocks are behind: they send n norms for one.
        bits = total_cost(matrices, "plus") / total_cost(matrices, "block")
        yield Comparison("gain in total cost", "le", bits, stated("bound", matrices), ROUND_OFF, {"n": n})
    yield from compare_exponent(
        "of the gain of the blocks", SIZES, blocks, at_least=window[0], at_most=window[1]
    )
    yield from compare_exponent(
        "of the gain of awareness", SIZES, awareness, at_least=LINEAR[0], at_most=LINEAR[1]
    )


def compare_bound(matrices: Family, plus: float, block: float) -> Iterable[Comparison]:
    """The stated multiple against the quotient of the condition numbers, and what it is made of."""
    witness = {"n": matrices.n, "d": matrices.d, "rho": matrices.rho, "nu_tr": matrices.nu_tr}
    most = stated("bound", matrices)
    yield Comparison("gain of the blocks", "le", plus / block, most, ROUND_OFF, witness, headline=True)
    yield Comparison("K of the single step", "le", plus, stated("K_plus_bound", matrices), ROUND_OFF, witness)
    yield Comparison("least K", "le", stated("K_least", matrices), block, ROUND_OFF, witness)
    squares = matrices.diagonal**2 @ matrices.multiplicity
    c_plus = float(np.sqrt(matrices.d * squares.max()))
    yield Comparison("c_plus", "le", c_plus, stated("c_plus_bound", matrices), ROUND_OFF, witness)


def compare_closed_forms() -> Iterable[Comparison]:
    """Trace and dominance of family W, and the limit of the multiple."""
    for n in SIZES:
        matrices = family("W", n)
        witness = {"n": n, "d": matrices.d}
        for name, value in (("W_nu_tr", matrices.nu_tr), ("W_rho", matrices.rho)):
            yield Comparison(name, "eq", value, stated(name, matrices), ROUND_OFF, witness)
        most = stated("bound", matrices)
        yield Comparison("limit of the multiple", "le", most, stated("W_limit", matrices), ROUND_OFF, witness)


def compare_attained() -> Iterable[Comparison]:
    """One coordinate of one node counts and d = n^2: every inequality for the single step is an equation."""
    formulas = theory.claim("squant/finding-blocks-add-nothing").expressions
    for n in SIZES:
        d, L = n * n, 1 / n
        c_plus = d**0.5
        values = {"n": n, "d": d, "rho": 1.0, "nu_tr": 1.0, "L_max": 1.0, "L": L, "mu": L}
        condition = (L + 2 * c_plus / d) / L
        for name, value in (("c_plus_bound", c_plus), ("K_plus_bound", condition), ("bound", condition)):
            formula = formulas[name]
            most = evaluate(formula, {key: values[key] for key in names(formula)})
            headline = name == "bound"
            yield Comparison(name, "eq", value, most, ROUND_OFF, {"n": n, "d": d}, headline=headline)


def compare_random() -> Iterable[Comparison]:
    """Random diagonals of dimension at least n squared, in n equal blocks."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for _ in range(30):
        n = int(rng.integers(2, 6))
        multiplicity = np.full(2 * n, int(rng.integers(n, 3 * n)))
        entries = np.exp(rng.normal(0, rng.choice([0.5, 3.0]), size=(n, 2 * n)))
        matrices = Family("random", entries, multiplicity, np.repeat(np.arange(n), 2))
        plus, block = (condition_number(matrices, method, matrices.d / n) for method in ("plus", "block"))
        yield from compare_bound(matrices, plus, block)
