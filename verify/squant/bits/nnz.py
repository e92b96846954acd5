"""Checks of `squant/nnz`: nonzeros of real messages, enumerated, searched for and sampled."""

from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Sum, sqrt

from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le, lt
from verify.comparison import ROUND_OFF
from verify.expectation.rational_norm import rational_norm
from verify.rungs.montecarlo import MonteCarloCase
from verify.sabotage.stochastic_quantizer import scaled_levels

# `levels`: the levels from honest ones and norms; `joined`: the blocks as the budgets see them.
judge = checks_of(
    "squant/nnz",
    quantizer=StochasticQuantizer,
    levels=lambda levels, norms: levels,
    joined=lambda blocks: blocks,
)


def _instance(x: Any, steps: Any, blocks: Any) -> dict[str, Any]:
    return {"x": x, "steps": steps, "blocks": blocks}


ATTAINED = {
    "proportional": _instance((2, 3, 6), (3, 2, 1), (3,)),
    "ones-d4": _instance((1,) * 4, (1,) * 4, (4,)),
    "proportional-blocks": _instance((3, 4, 5, 12), (F(4, 3), 1, F(12, 5), 1), (2, 2)),
}
INSTANCES = ATTAINED | {
    "levels-above-one": _instance((2, 3, 6), (F(1, 2), F(1, 3), F(1, 4)), (3,)),
    "zeros-and-signs": _instance((0, -3, 0, 0, 4, 0, -5, 12), (2,) * 5 + (F(3, 2),) * 3, (5, 3)),
}
_ATTAINED = tuple(f"exact/{name}" for name in ATTAINED)
_ALL = tuple(f"exact/{name}" for name in INSTANCES)


class _NeverZero(StochasticQuantizer):
    def decode(self, data: bytes, shared: Any = (), key: Any = None, side: Any = None) -> Any:
        received = super().decode(data)
        return np.where(received == 0, 1.0, received)


judge.sabotage(
    "norm-one-budget at exact/attained: The 1-norm of 1/h as the budget: not attained at x_j = 1/h_j.",
    {"budget": lambda formula: Sum(sqrt(formula.base.function), *formula.base.limits)},
    "single-budget at exact/proportional-blocks, exact/attained: The norm of 1/h over all blocks as the "
    "budget, not the sum over the blocks: exceeded.",
    {"joined": lambda blocks: [[step for block in blocks for step in block]]},
)
judge.sabotage(
    "dropped-norm at montecarlo/mixed-levels-d100: Levels without the norm of the block.",
    {"levels": lambda levels, norms: [u * N for u, N in zip(levels, norms, strict=True)]},
    at=_ALL,
)
judge.sabotage(
    "nine-tenths-budget at exact/attained: Nine tenths of the budget: exceeded at x_j = 1/h_j. "
    "| total_budget = 9/10 * total_budget",
    at=_ATTAINED,
)
judge.sabotage("no-zeros at exact/attained: The receiver leaves no zero.", quantizer=_NeverZero, at=_ALL)
judge.sabotage_data(
    "scaled-input, neutral: Multiply the input by a positive number: nothing may change.",
    lambda x, steps, blocks: _instance(tuple(3 * item for item in x), steps, blocks),
    at=_ALL,
)


def split(values: Sequence[Any], blocks: Sequence[int]) -> list[list[Any]]:
    """Return the values of each block."""
    ends = np.cumsum(blocks).tolist()
    return [list(values[end - length : end]) for length, end in zip(blocks, ends, strict=True)]


def budgets(law: Law, blocks: Sequence[Sequence[Any]]) -> tuple[list[Any], Any]:
    """Return the budget of each block, and the whole budget, from the steps of each block."""
    each = [law.exactly("budget", h=list(h), d=len(h)) for h in law.joined(blocks)]
    return each, law.exactly("total_budget", b=each, B=len(each))


def mean_nonzeros(quantizer: StochasticQuantizer, x: Sequence[Any]) -> F:
    """Return the mean number of nonzeros over all messages, sent and received."""
    point = np.array([float(item) for item in x])
    return sum(
        (
            chance * int(np.count_nonzero(quantizer.decode(quantizer.encode(point, draws))))
            for chance, draws in quantizer.outcomes([F(item) for item in x])
        ),
        F(0),
    )


@judge.exact(instances=INSTANCES)
def enumerated(law: Law, x: Any, steps: Any, blocks: Any) -> Comparisons:
    """All messages, sent and received, against formula and bounds."""
    d, entries = len(x), [F(item) for item in x]
    quantizer = law.quantizer(list(steps), blocks=list(blocks))
    norms = [N for part in split(entries, blocks) for N in [rational_norm(part)] * len(part)]
    levels = law.levels(scaled_levels(quantizer, entries), norms)
    mean = mean_nonzeros(quantizer, x)
    each, beta = budgets(law, split(steps, blocks))
    yield eq("expected nonzeros", mean, law.exactly("exact", u=levels, d=d))
    yield le(
        "nonzeros below the budget", mean, law.exactly("bound", d=d, beta=beta), ROUND_OFF, headline=True
    )
    lengths = [len(part) for part in law.joined(split(steps, blocks))]
    block_bound = law.exactly("block_bound", m=lengths, b=each, B=len(each))
    yield le("nonzeros block by block", mean, block_bound, ROUND_OFF)


@judge.exact(instances={"attained": {"names": tuple(ATTAINED)}})
def attained(law: Law, names: Sequence[str]) -> Comparisons:
    """Inputs x_j = t/h_j: the budget is attained where no level exceeds 1."""
    for name in names:
        x, steps, blocks = ATTAINED[name].values()
        mean = mean_nonzeros(law.quantizer(list(steps), blocks=list(blocks)), x)
        yield eq("budget attained", mean, budgets(law, split(steps, blocks))[1], witness={"instance": name})
    # The level of the last coordinate is 36/35.
    x, steps = (2, 3, 6), (F(5, 2), F(5, 3), F(5, 6))
    _, beta = budgets(law, [list(steps)])
    yield lt("budget not attained", mean_nonzeros(law.quantizer(list(steps)), x), beta)


@judge.exact(x=(3, 4, 5, 12), steps=(F(1, 3), F(1, 4), F(12, 5), 1), blocks=(2, 2))
def smaller_branch(law: Law, x: Any, steps: Any, blocks: Any) -> Comparisons:
    """A block whose levels are all above 1, and one that attains its budget."""
    each, _ = budgets(law, split(steps, blocks))
    mean = mean_nonzeros(law.quantizer(list(steps), blocks=list(blocks)), x)
    yield eq(
        "smaller of length and budget, by blocks", mean, law.exactly("block_bound", m=blocks, b=each, B=2)
    )
    for part, h, beta in zip(split(x, blocks), split(steps, blocks), each, strict=True):
        bound = law.exactly("bound", d=len(part), beta=beta)
        yield eq("smaller of length and budget", mean_nonzeros(law.quantizer(h), part), bound)


@judge.montecarlo(
    instance="mixed-levels-d100",
    label="sampled nonzeros",
    d=100,
    x="0.5 (80 times), 3 (20 times)",
    steps="0.05 to 0.6",
)
def sampled(law: Law, d: int, **_: Any) -> MonteCarloCase:
    """Nonzeros of real messages, with levels above and below 1."""
    x, steps = np.concatenate([np.full(80, 0.5), np.full(20, 3.0)]), np.linspace(0.05, 0.6, d)
    norm = float(np.linalg.norm(x))
    levels = law.levels((x / (steps * norm)).tolist(), [norm] * d)
    quantizer = law.quantizer(steps.tolist())

    def counts(rng: Any, size: int) -> Any:
        message = quantizer.message(x, quantizer.draw(rng, (size, d)))
        return np.count_nonzero(message.symbols, axis=-1).astype(float)

    return MonteCarloCase("eq", counts, law("exact", u=levels, d=d), upper=float(d))
