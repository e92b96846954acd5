"""Checks of `squant/finding-aware-sqrt-gain`: blocks against the aware single step, in V, H and anywhere."""

from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.families import family
from verify.squant.fixtures.family_constants import condition_number
from verify.squant.gains.gain_block import SIZES


def _constants(weights: Any) -> tuple[float, float]:
    """Return c_plus and c_block of a diagonal in blocks of equal length, one block in each row."""
    norms = np.linalg.norm(weights, axis=1).sum()
    return float(np.sqrt(weights.size) * np.linalg.norm(weights)), float(weights.shape[1] ** 0.5 * norms)


judge = checks_of(
    "squant/finding-aware-sqrt-gain", family=family, condition=condition_number, constants=_constants
)


judge.sabotage(
    "no-gain at exact/V, exact/H: Claim that neither the blocks nor awareness gain more than 2. | bound = 2",
    "all-by-awareness at exact/V, exact/H: Claim that awareness alone gains like $n$.",
    lambda law: law.replace(**{f"{name}_aware": law.formulas["bound"] ** 2 / 2 for name in ("V", "H")}),
    "unaware-step at exact/V, exact/H: Compare with the unaware single step: its $K$ exceeds "
    "$\\sqrt n\\,K_{\\rm block}$.",
    {"condition": lambda m, method: condition_number(m, "std" if method == "plus" else method)},
    "full-root at exact/V, exact/H: Claim a gain of at least $\\sqrt n$ in V and H. "
    "| V_least = bound, H_least = bound",
    "homogeneous-matrices at exact/V, exact/H: $\\mathbf L_i=I$ on every node: the aware single step is as "
    "good as the blocks, nothing grows.",
    {"family": lambda name, n: family("hom", n)},
    "permuted-nodes, neutral at exact/V, exact/H: Take the nodes in another order: nothing may change.",
    {"family": lambda name, n: family(name, n).in_node_order(range(n)[::-1])},
)


@judge.exact(instances={name: {"name": name, "sizes": SIZES, "q": 8} for name in ("V", "H")})
def growing(law: Law, name: str, sizes: Any, **_: Any) -> Comparisons:
    """Condition numbers at the smaller of both branches; more is stated where that is the coarse one."""
    for n in sizes:
        matrices = law.family(name, n)
        unaware, plus, blocks = (law.condition(matrices, method) for method in ("std", "plus", "block"))
        gain, witness = plus / blocks, {"n": n, "std": unaware, "plus": plus, "block": blocks}
        shown: dict[str, Any] = {"witness": witness}
        root, least, aware = (law(key, n=n) for key in ("bound", f"{name}_least", f"{name}_aware"))
        yield le("gain of the blocks", gain, root, ROUND_OFF, headline=True, **shown)
        # Below n = 8 the quarter branch is the smaller one for a single step.
        if n >= 8:
            for form, value in (("plus", plus), ("std", unaware), ("plus_block", gain)):
                yield eq("closed form", value, law(f"{name}_{form}", n=n), ROUND_OFF, **shown)
            yield le("least gain of the blocks", least, gain, ROUND_OFF, **shown)
            yield le("awareness, least", aware, unaware / plus, ROUND_OFF, **shown)
            yield le("awareness, most", unaware / plus, root, ROUND_OFF, **shown)


@judge.exact(sets=30, matrices="diagonal", parameters={"sets": 30, "matrices": "diagonal"})
def random(law: Law, sets: int, **_: Any) -> Comparisons:
    """c_plus <= sqrt(B) c_block for random diagonals, with equality where only one block counts."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for case in range(sets):
        B, length = int(rng.integers(1, 9)), int(rng.integers(1, 5))
        weights = np.exp(rng.normal(0, 2, size=(B, length)))
        if case % 3 == 0:
            weights[1:] = 0.0
        plus, block = law.constants(weights)
        most = law("bound", n=B) * block
        witness = {"B": B, "diagonal": weights.ravel()}
        yield le("c_plus", plus, most, ROUND_OFF, witness=witness, headline=True)
        if case % 3 == 0:
            yield eq("one block", plus, most, ROUND_OFF, witness=witness)
