"""Checks of `squant/nnz`: nonzeros of real messages, enumerated, searched for and sampled."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.sabotaged_quantizers import expand_steps, rational_norm


@dataclass(frozen=True)
class Instance:
    """Input of rational block norms, steps, block lengths; whether the budget is attained there."""

    x: tuple[Any, ...]
    steps: tuple[Any, ...]
    blocks: tuple[int, ...]
    attained: bool = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"x": self.x, "steps": self.steps, "blocks": self.blocks}


# Budget of all blocks from the steps of each block; mutants replace it.
Budget = Callable[[Sequence[Sequence[Any]]], Any]

INSTANCES = {
    "proportional": Instance((2, 3, 6), (3, 2, 1), (3,), attained=True),
    "ones-d4": Instance((1,) * 4, (1,) * 4, (4,), attained=True),
    "proportional-blocks": Instance((3, 4, 5, 12), (F(4, 3), 1, F(12, 5), 1), (2, 2), attained=True),
    "levels-above-one": Instance((2, 3, 6), (F(1, 2), F(1, 3), F(1, 4)), (3,)),
    "zeros-and-signs": Instance((0, -3, 0, 0, 4, 0, -5, 12), (2,) * 5 + (F(3, 2),) * 3, (5, 3)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/nnz")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        _searched(),
        _sampled(),
    )


def _formula(name: str, **values: Any) -> Any:
    return evaluate_exact(theory.claim("squant/nnz").formulas[name], values)


def _block_budgets(blocks: Sequence[Sequence[Any]]) -> list[Any]:
    return [_formula("budget", h=list(h), d=len(h)) for h in blocks]


def total_budget(blocks: Sequence[Sequence[Any]]) -> Any:
    """Return the budget of the claim, the sum over blocks."""
    return _formula("total_budget", b=_block_budgets(blocks), B=len(blocks))


def _norm_one_budget(blocks: Sequence[Sequence[Any]]) -> Any:
    return sum(_formula("norm_one_budget", h=list(h), d=len(h)) for h in blocks)


def _single_budget(blocks: Sequence[Sequence[Any]]) -> Any:
    return total_budget([[step for h in blocks for step in h]])


def _nine_tenths_budget(blocks: Sequence[Sequence[Any]]) -> Any:
    return F(9, 10) * total_budget(blocks)


def split(values: Sequence[Any], blocks: Sequence[int]) -> list[list[Any]]:
    """Return the values of each block."""
    ends = np.cumsum(blocks).tolist()
    return [list(values[end - length : end]) for length, end in zip(blocks, ends, strict=True)]


def _exact(name: str, instance: Instance) -> Check:
    def case(shown: Instance = instance, budget: Budget = total_budget, *, normed: bool = True) -> ExactCase:
        return ExactCase(lambda: compare(shown, budget, normed=normed))

    mutants = {
        "dropped-norm": case(normed=False),
        "scaled-input": case(replace(instance, x=tuple(3 * item for item in instance.x))),
    }
    if instance.attained:
        mutants |= {
            "norm-one-budget": case(budget=_norm_one_budget),
            "nine-tenths-budget": case(budget=_nine_tenths_budget),
        }
    if len(instance.blocks) > 1 and instance.attained:
        mutants["single-budget"] = case(budget=_single_budget)
    return Check("exact", name, case(), instance.parameters, mutants, seconds=0.1)


def compare(instance: Instance, budget: Budget, *, normed: bool) -> Iterable[Comparison]:
    """Mean count of nonzeros over all messages, sent and received, against formula and bounds.

    Args:
        instance: Input, steps and blocks.
        budget: Budget from the steps of each block.
        normed: Whether the stated levels are divided by the norms of the blocks.
    """
    claim, d = theory.claim("squant/nnz"), len(instance.x)
    x = [F(item) for item in instance.x]
    quantizer = StochasticQuantizer(list(instance.steps), blocks=list(instance.blocks))
    mean = F(0)
    for chance, draws in quantizer.outcomes(x):
        received = quantizer.decode(quantizer.encode(np.array(instance.x, dtype=float), draws))
        mean += chance * int(np.count_nonzero(received))
    norms = [rational_norm(part) for part in split(x, instance.blocks)]
    N = expand_steps(norms if normed else [F(1)] * len(norms), instance.blocks, d)
    steps = split(instance.steps, instance.blocks)
    stated = evaluate_exact(claim.exact, {"x": x, "h": list(instance.steps), "N": N, "d": d})
    beta = budget(steps)
    bound = evaluate_exact(claim.bound, {"d": d, "beta": beta})
    blockwise = _formula(
        "block_bound", m=list(instance.blocks), b=_block_budgets(steps), B=len(instance.blocks)
    )
    witness = instance.parameters
    yield Comparison("expected nonzeros", "eq", mean, stated, witness=witness)
    yield Comparison("expected nonzeros", "le", mean, bound, ROUND_OFF, witness, headline=True)
    yield Comparison("expected nonzeros, block by block", "le", mean, blockwise, ROUND_OFF, witness)
    if instance.attained:
        yield Comparison("budget attained at x_j = 1/h_j", "eq", mean, beta, witness=witness)
        if len(set(instance.steps)) == 1:
            s = 1 / F(instance.steps[0])
            yield Comparison("standard steps", "eq", mean, _formula("standard", s=s, d=d), witness=witness)
            loose = _formula("customary", s=s, d=d)
            yield Comparison("customary bound is loose by s^2", "eq", loose - mean, s**2, witness=witness)


def expected_nonzeros(x: Any, steps: Any, blocks: Sequence[int]) -> Any:
    """Return the expected number of nonzeros of inputs (m, d), by the law of rounding, in numpy."""
    ends = np.cumsum(blocks)
    parts = [slice(end - length, end) for length, end in zip(blocks, ends, strict=True)]
    norms = [np.linalg.norm(x[..., part], axis=-1, keepdims=True) for part in parts]
    total = np.zeros(x.shape[:-1])
    for part, norm in zip(parts, norms, strict=True):
        reach = steps[part] * norm
        share = np.divide(np.abs(x[..., part]), reach, out=np.zeros_like(x[..., part]), where=reach > 0)
        total += np.minimum(share, 1).sum(axis=-1)
    return total


def _searched() -> Check:
    """Search for an input of two blocks with more nonzeros than the budget."""
    blocks = (3, 5)
    steps = np.array([1.5, 2.0, 3.0, 0.9, 1.2, 1.2, 2.0, 4.0])

    def case(budget: Budget) -> AdversarialCase:
        exact = [F(item).limit_denominator(100) for item in steps.tolist()]
        stated = float(budget(split(exact, blocks)))
        bound = evaluate(theory.claim("squant/nnz").bound, {"d": len(steps), "beta": stated})
        return AdversarialCase(
            lambda inputs: expected_nonzeros(inputs, steps, blocks),
            lambda inputs: np.full(len(inputs), bound),
            len(steps),
            starts=(1 / steps,),
            budget=2000,
        )

    mutants = {
        "single-budget": Lazy(lambda: case(_single_budget)),
        "nine-tenths-budget": Lazy(lambda: case(_nine_tenths_budget)),
    }
    parameters = {"steps": steps.tolist(), "blocks": blocks}
    return Check(
        "adversarial", "two-blocks", Lazy(lambda: case(total_budget)), parameters, mutants, seconds=0.4
    )


def _sampled() -> Check:
    """Count the nonzeros of real messages at d=100: levels above and below 1."""
    d = 100
    x = np.concatenate([np.full(80, 0.5), np.full(20, 3.0)])
    steps = np.linspace(0.05, 0.6, d)

    def counts(quantizer: StochasticQuantizer) -> Callable[[Any, int], Any]:
        def sample(rng: Any, size: int) -> Any:
            message = quantizer.message(x, quantizer.draw(rng, (size, d)))
            return np.count_nonzero(message.symbols, axis=-1).astype(float)

        return sample

    def case(used: Any) -> MonteCarloCase:
        N = float(np.linalg.norm(x))
        stated = evaluate(
            theory.claim("squant/nnz").exact,
            {"x": x.tolist(), "h": steps.tolist(), "N": [N] * d, "d": d},
        )
        return MonteCarloCase("eq", counts(StochasticQuantizer(used.tolist())), stated, upper=float(d))

    base = Lazy(lambda: case(steps), tests=1)
    # Steps divided by the norm undo its effect on the levels.
    mutants = {"dropped-norm": Lazy(lambda: case(steps / np.linalg.norm(x)), tests=1)}
    parameters = {"d": d, "x": "0.5 (80 times), 3 (20 times)", "steps": "0.05 to 0.6"}
    return Check("montecarlo", "mixed-levels-d100", base, parameters, mutants, seconds=0.5)
