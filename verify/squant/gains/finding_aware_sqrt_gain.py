"""Checks of `squant/finding-aware-sqrt-gain`: blocks against the aware single step, in V, H and anywhere."""

from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.exponents import compare_exponent, window
from verify.squant.fixtures.families import family
from verify.squant.fixtures.family_constants import condition_number
from verify.squant.gains.gain_block import LEVEL, LINEAR, SIZES

_FAMILIES = ("exact/V", "exact/H")


def _constants(weights: Any) -> tuple[float, float]:
    """Return c_plus and c_block of a diagonal in blocks of equal length, one block in each row."""
    norms = np.linalg.norm(weights, axis=1)
    return float(np.sqrt(weights.size) * np.linalg.norm(weights)), float(
        weights.shape[1] ** 0.5 * norms.sum()
    )


judge = checks_of(
    "squant/finding-aware-sqrt-gain",
    family=family,
    condition=condition_number,
    window=window,
    constants=_constants,
)


judge.sabotage(
    "linear-gain: Claim that the gain over the aware single step grows like $n$ as well.",
    at=_FAMILIES,
    window=lambda claim_id, name: LINEAR,
)
judge.sabotage(
    "no-gain: Claim that the gain over the aware single step does not grow.",
    at=_FAMILIES,
    window=lambda claim_id, name: LEVEL,
)
judge.sabotage(
    "all-by-awareness at exact/closed-forms: Claim that awareness alone gains like $n$.",
    window=lambda claim_id, name: LINEAR,
)
judge.sabotage(
    "nothing-by-awareness at exact/closed-forms: Claim that awareness alone does not gain.",
    window=lambda claim_id, name: LEVEL,
)


@judge.mutant(
    r"Compare with the unaware single step: its $K$ exceeds $\sqrt n\,K_{\rm block}$.", at=_FAMILIES
)
def unaware_step(law: Law) -> Law:
    other = {"plus": "std", "block": "block"}
    return law.replace(
        condition=lambda matrices, method, beta: condition_number(matrices, other[method], beta)
    )


judge.sabotage(
    r"full-root at exact/closed-forms: Claim a gain of at least $\sqrt n$ in V and H.",
    lambda law: law.replace(V_least=law.formulas["bound"], H_least=law.formulas["bound"]),
)
judge.sabotage(
    r"homogeneous-matrices: $\mathbf L_i=I$ on every node: the aware single step is as good as the blocks, "
    "nothing grows.",
    at=_FAMILIES,
    family=lambda name, n: family("hom", n),
)
judge.sabotage(
    "permuted-nodes: Take the nodes in another order: nothing may change.",
    at=_FAMILIES,
    neutral=True,
    family=lambda name, n: family(name, n).in_node_order(range(n)[::-1]),
)


@judge.exact(instances={name: {"name": name, "sizes": SIZES, "q": 8} for name in ("V", "H")})
def growing(law: Law, name: str, sizes: Any, **_: Any) -> Comparisons:
    """Condition numbers at the smaller of both branches: the bound on the gain, and its exponent."""
    gains = []
    for n in sizes:
        matrices = law.family(name, n)
        single, blocks = (law.condition(matrices, method, matrices.d / n) for method in ("plus", "block"))
        gains.append(single / blocks)
        witness = {"n": n, "single": single, "block": blocks}
        yield le(
            "gain of the blocks", gains[-1], law("bound", n=n), ROUND_OFF, witness=witness, headline=True
        )
    low, high = law.window(law.claim_id, "root")
    yield from compare_exponent("of the gain of the blocks", sizes, gains, at_least=low, at_most=high)


@judge.exact(instance="closed-forms", sizes=SIZES)
def closed_forms(law: Law, sizes: Any) -> Comparisons:
    """What awareness alone gains, with its exponent, and the closed forms where the coarse branch applies."""
    for name in ("V", "H"):
        awareness = []
        for n in sizes:
            matrices = law.family(name, n)
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
                yield eq("closed form", value, law(f"{name}_{form}", n=n), ROUND_OFF, witness=witness)
            least = law(f"{name}_least", n=n)
            yield le("least gain of the blocks", least, plus / blocks, ROUND_OFF, witness=witness)
        low, high = law.window(law.claim_id, "root")
        yield from compare_exponent("of the gain of awareness", sizes, awareness, at_least=low, at_most=high)


@judge.exact(sizes=(*range(1, 9), *SIZES[1:]))
def awareness(law: Law, sizes: Any) -> Comparisons:
    """What awareness alone gains, against multiples of the root: by closed form for few nodes."""
    for name in ("V", "H"):
        for n in sizes:
            gain = law(f"{name}_std_plus", n=n)
            if n in SIZES[1:]:
                matrices = law.family(name, n)
                gain = law.condition(matrices, "std", 8 * n) / law.condition(matrices, "plus", 8 * n)
            witness = {"family": name, "n": n}
            yield le("awareness, least", law(f"{name}_aware", n=n), gain, ROUND_OFF, witness=witness)
            yield le("awareness, most", gain, law("bound", n=n), ROUND_OFF, witness=witness)


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
