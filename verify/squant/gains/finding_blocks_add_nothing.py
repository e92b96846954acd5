"""Checks of `squant/finding-blocks-add-nothing`: the aware single step keeps up with the blocks in W."""

from functools import partial
from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.families import Family, family
from verify.squant.fixtures.family_constants import condition_number, formula_at
from verify.squant.fixtures.total_cost import total_cost
from verify.squant.gains.gain_block import SIZES

judge = checks_of(
    "squant/finding-blocks-add-nothing", family=family, condition=condition_number, cost=total_cost
)


judge.sabotage(
    "nothing-by-awareness at exact/W: Claim that awareness alone does not gain more than 2. | W_most = 2",
    "many-heavy-coordinates at exact/W: Drop $\\nu_{\\rm tr}=O(1)$: in V a block is heavy, a gain like "
    "$\\sqrt n$.",
    {"family": lambda name, n: family("V", n)},
    "low-dimension at exact/W: Drop $d\\ge n^2$: with $d=8n$ the single step falls behind.",
    {"family": lambda name, n: family("W", n, d=8 * n)},
    "unaware-step at exact/W, exact/random: Take the unaware step for the aware one.",
    {
        "condition": lambda m, method: condition_number(m, "std" if method == "plus" else method),
        "cost": lambda m, method: total_cost(m, "std" if method == "plus" else method),
    },
    "unmatched-budget at exact/W: Give the unaware method the budget 1: awareness seems to gain more.",
    {"condition": lambda m, method: condition_number(m, method, 1 if method == "std" else None)},
    "half-the-limit at exact/W: Claim the limit $1+\\sqrt2$ in W. | W_limit = 1 + sqrt(2)",
    "permuted-nodes, neutral at exact/W: Take the nodes in another order: nothing may change.",
    {"family": lambda name, n: family(name, n).in_node_order(range(n)[::-1])},
)


def bounds(law: Law, matrices: Family, plus: float, block: float) -> Comparisons:
    """The stated multiple against the quotient of the condition numbers, and what it is made of."""
    witness = {"n": matrices.n, "d": matrices.d, "rho": matrices.rho, "nu_tr": matrices.nu_tr}
    stated = partial(formula_at, law, family=matrices)
    bound, least = stated("bound"), stated("K_least")
    c_plus = float(np.sqrt(matrices.d * (matrices.eigenvalues**2 @ matrices.multiplicity).max()))
    for label, value, most in (
        ("gain of the blocks", plus / block, bound),
        ("K of the single step", plus, stated("K_plus_bound")),
        ("bound on the single step", plus / least, bound),
        ("least K", least, block),
        ("c_plus", c_plus, stated("c_plus_bound")),
    ):
        yield le(label, value, most, ROUND_OFF, witness=witness, headline=label == "gain of the blocks")


@judge.exact(instance="W", sizes=SIZES, parameters={"family": "W", "n": SIZES, "d": "8 n^2"})
def growing(law: Law, sizes: Any) -> Comparisons:
    """The bounds at each number of nodes, trace and dominance, and what both gains are between."""
    for n in sizes:
        matrices = law.family("W", n)
        unaware, plus, block = (law.condition(matrices, name) for name in ("std", "plus", "block"))
        yield from bounds(law, matrices, plus, block)
        shown: dict[str, Any] = {"witness": {"n": n, "d": matrices.d}}
        stated = partial(formula_at, law, family=matrices)
        yield eq("trace of W", matrices.nu_tr, stated("W_nu_tr"), ROUND_OFF, **shown)
        yield eq("dominance in W", matrices.rho, stated("W_rho"), ROUND_OFF, **shown)
        # With the bits the blocks are behind: they send n norms for one.
        bits = law.cost(matrices, "plus") / law.cost(matrices, "block")
        for label, value, most in (
            ("limit of the multiple", stated("bound"), law("W_limit")),
            ("gain in total cost", bits, stated("bound")),
            ("gain of the blocks in W", plus / block, law("W_limit")),
            ("gain of awareness in W, from below", law("W_least", n=n), unaware / plus),
            ("gain of awareness in W, from above", unaware / plus, law("W_most", n=n)),
        ):
            yield le(label, value, most, ROUND_OFF, **shown)


@judge.exact(sizes=SIZES, parameters={"n": SIZES, "d": "n^2"})
def attained(law: Law, sizes: Any) -> Comparisons:
    """One coordinate of one node counts and d = n^2: every inequality for the single step is an equation."""
    for n in sizes:
        d, L = n * n, 1 / n
        c_plus = d**0.5
        condition = (L + 2 * c_plus / d) / L
        found = {
            "c_plus_bound": (c_plus, {"d": d, "nu_tr": 1.0, "L_max": 1.0}),
            "K_plus_bound": (condition, {"n": n, "d": d, "rho": 1.0, "nu_tr": 1.0, "L": L, "mu": L}),
            "bound": (condition, {"rho": 1.0, "nu_tr": 1.0}),
        }
        for name, (value, values) in found.items():
            most = law(name, **values)
            yield eq("attained", value, most, ROUND_OFF, witness={"n": n, "d": d}, headline=name == "bound")


@judge.exact(sets=30, parameters={"sets": 30, "matrices": "diagonal"})
def random(law: Law, sets: int) -> Comparisons:
    """Random diagonals of dimension at least n squared, in n equal blocks."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for _ in range(sets):
        n = int(rng.integers(2, 6))
        multiplicity = np.full(2 * n, int(rng.integers(n, 3 * n)))
        entries = np.exp(rng.normal(0, rng.choice([0.5, 3.0]), size=(n, 2 * n)))
        matrices = Family("random", entries, multiplicity, np.repeat(np.arange(n), 2))
        plus, block = (law.condition(matrices, method) for method in ("plus", "block"))
        yield from bounds(law, matrices, plus, block)
