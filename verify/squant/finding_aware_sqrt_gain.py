"""Checks of `squant/finding-aware-sqrt-gain`: blocks against the aware single step, in V, H and anywhere."""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.experiments.squant.gain_runs import LONG, REPLICATES, cost_case, ratio_exponent
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.exponents import compare_exponent
from verify.squant.fixtures.families import Family, family
from verify.squant.fixtures.family_constants import condition_number
from verify.squant.gains.gain_block import SIZES

LINEAR = (0.85, 1.15)

ROOT_OF_N = (0.4, 0.6)
"""Window of the exponents: growth like the square root of n."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the finding."""
    claim = theory.claim("squant/finding-aware-sqrt-gain")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.4),
        *(_growing(name) for name in ("V", "H")),
        Check("exact", "closed-forms", ExactCase(compare_closed_forms), {"family": "V, H", "n": SIZES}),
        Check("exact", "random", ExactCase(compare_random), {"sets": 30, "matrices": "diagonal"}),
        _measured(),
    )


def stated(name: str, n: int) -> float:
    """Return a formula of the finding, or its bound, at n nodes."""
    return evaluate(theory.claim("squant/finding-aware-sqrt-gain").expressions[name], {"n": n})


def _measured() -> Check:
    """Rounds of the aware single step over those of the blocks in family V: some gain, at most a root."""
    pair = ("plus", "block")
    claims = (
        ratio_exponent("rounds", LONG, pair, 0.5, 0.0, "at_most"),
        ratio_exponent("rounds", LONG, pair, 0.3, 0.0, "at_least"),
    )
    case = cost_case(partial(family, "V"), LONG, claims, pair)
    parameters = {"family": "V", "n": list(LONG), "q": 8, "replicates": REPLICATES}
    return Check("run", "V-to-n32", case, parameters, seconds=60.0, profile="full")


def _growing(name: str) -> Check:
    def case(
        make: Callable[[int], Family], single: str = "plus", window: tuple[float, float] = ROOT_OF_N
    ) -> ExactCase:
        return ExactCase(lambda: compare(make, single, window))

    honest = partial(family, name)
    mutants = {
        "linear-gain": case(honest, window=LINEAR),
        "unaware-step": case(honest, single="std"),
        "homogeneous-matrices": case(partial(family, "hom")),
        "permuted-nodes": case(lambda n: family(name, n).in_node_order(range(n)[::-1])),
    }
    parameters = {"family": name, "n": SIZES, "q": 8}
    return Check("exact", name, case(honest), parameters, mutants, seconds=0.2)


def compare(make: Callable[[int], Family], single: str, window: tuple[float, float]) -> Iterable[Comparison]:
    """Condition numbers at the smaller of both branches: the bound on the gain, and its exponent."""
    gains = []
    for n in SIZES:
        matrices = make(n)
        one_step, blocks = (
            condition_number(matrices, method, matrices.d / n) for method in (single, "block")
        )
        gains.append(one_step / blocks)
        witness = {"n": n, "single": one_step, "block": blocks}
        most = stated("bound", n)
        yield Comparison("gain of the blocks", "le", gains[-1], most, ROUND_OFF, witness, headline=True)
    yield from compare_exponent(
        "of the gain of the blocks", SIZES, gains, at_least=window[0], at_most=window[1]
    )


def compare_closed_forms() -> Iterable[Comparison]:
    """What awareness alone gains, with its exponent, and the closed forms where the coarse branch applies."""
    for name in ("V", "H"):
        awareness = []
        for n in SIZES:
            matrices = family(name, n)
            unaware, plus, blocks = (
                condition_number(matrices, method, matrices.d / n) for method in ("std", "plus", "block")
            )
            awareness.append(unaware / plus)
            witness = {"family": name, "n": n, "std": unaware, "plus": plus, "block": blocks}
            # Below n = 8 the quarter branch is the smaller one for a single step.
            if n < 8:
                continue
            forms = {"K_plus": plus, "std_plus": unaware / plus, "plus_block": plus / blocks}
            for form, value in forms.items():
                formula = f"{name}_{form}"
                yield Comparison(formula, "eq", value, stated(formula, n), ROUND_OFF, witness)
            least = stated(f"{name}_least", n)
            yield Comparison("least gain of the blocks", "le", least, plus / blocks, ROUND_OFF, witness)
        yield from compare_exponent(
            f"of the gain of awareness in {name}",
            SIZES,
            awareness,
            at_least=ROOT_OF_N[0],
            at_most=ROOT_OF_N[1],
        )


def compare_random() -> Iterable[Comparison]:
    """c_plus <= sqrt(B) c_block for random diagonals, with equality where only one block counts."""
    rng = np.random.Generator(np.random.Philox(20240601))
    steps = theory.claim("squant/steps").formulas
    for case in range(30):
        B, length = int(rng.integers(1, 9)), int(rng.integers(1, 5))
        weights = np.exp(rng.normal(0, 2, size=(B, length)))
        if case % 3 == 0:
            weights[1:] = 0.0
        norms = np.linalg.norm(weights, axis=1)
        block = evaluate(steps["c_block"], {"m": [length] * B, "F": norms, "B": B})
        plus = evaluate(steps["c_plus"], {"L": weights.ravel(), "d": weights.size})
        witness = {"B": B, "diagonal": weights.ravel()}
        yield Comparison("c_plus", "le", plus, stated("bound", B) * block, ROUND_OFF, witness, headline=True)
        if case % 3 == 0:
            yield Comparison("one block", "eq", plus, stated("bound", B) * block, ROUND_OFF, witness)
