"""Checks of `squant/steps`: the optimal steps keep their value, others of the same budget do no better."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROOT, ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.step_arguments import require_step_arguments
from verify.squant.fixtures.supremum import supremum_of


@dataclass(frozen=True)
class Instance:
    """Diagonal weight, budget beta, and a partition into blocks for the chain of constants."""

    L: tuple[float, ...]
    beta: float
    blocks: tuple[int, ...]

    @property
    def d(self) -> int:
        """Return the dimension."""
        return len(self.L)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"L": self.L, "beta": self.beta, "blocks": self.blocks}


INSTANCES = {
    "two-weights": Instance((4.0, 1.0), 1.0, (1, 1)),
    "one-heavy": Instance((4.0, 1.0, 1.0, 1.0), 1.0, (2, 2)),
    "four-weights": Instance((9.0, 4.0, 1.0, 1.0), 2.0, (2, 2)),
    "three-blocks": Instance((9.0, 4.0, 4.0, 1.0, 1.0, 1.0), 1.5, (2, 2, 2)),
    "wide-spectrum": Instance((1.0,) + (0.01,) * 15, 2.0, (4, 4, 4, 4)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/steps")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=1.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        *(_searched(name) for name in ("four-weights", "wide-spectrum")),
    )


def evaluate_formula(name: str, **values: Any) -> float:
    """Evaluate a formula of the claim."""
    return evaluate(theory.claim("squant/steps").formulas[name], values)


def optimal_steps(L: Sequence[float], beta: float) -> tuple[float, ...]:
    """Return the varying steps of the claim at budget beta; a zero in L is a `UsageError`."""
    require_step_arguments("optimal_steps", L, beta, positive=True)
    return tuple(evaluate_formula("vary_step", L=list(L), beta=beta, d=len(L), i=i) for i in range(len(L)))


def block_norms(L: Sequence[float], blocks: Sequence[int]) -> list[float]:
    """Return the Frobenius norm of each diagonal block."""
    norms, start = [], 0
    for length in blocks:
        norms.append(sum(item * item for item in L[start : start + length]) ** 0.5)
        start += length
    return norms


def optimal_block_steps(L: Sequence[float], blocks: Sequence[int], beta: float) -> tuple[float, ...]:
    """Return the block steps of the claim at budget beta, one per block; a block of zeros is an error."""
    require_step_arguments("optimal_block_steps", L, beta, blocks=blocks, positive=True)
    values = {"m": list(blocks), "F": block_norms(L, blocks), "B": len(blocks), "beta": beta}
    return tuple(evaluate_formula("block_step", **values, i=index) for index in range(len(blocks)))


def _exact(name: str, instance: Instance) -> Check:
    def case(
        steps: Callable[[Sequence[float], float], Sequence[float]], L: tuple[float, ...] = instance.L
    ) -> ExactCase:
        return ExactCase(lambda: compare(Instance(L, instance.beta, instance.blocks), steps))

    mutants = {
        "inverse-steps": case(lambda L, beta: _scaled([1 / item for item in L], beta)),
        "growing-steps": case(lambda L, beta: _scaled([item**0.5 for item in L], beta)),
    }
    if len(set(instance.blocks)) == 1:
        mutants["permuted-coordinates"] = case(optimal_steps, instance.L[::-1])
    return Check("exact", name, case(optimal_steps), instance.parameters, mutants, seconds=0.5)


def _scaled(shape: Sequence[float], beta: float) -> tuple[float, ...]:
    """Return steps of this shape with budget beta."""
    budget = sum(item**-2 for item in shape) ** 0.5
    return tuple(item * budget / beta for item in shape)


def compare(
    instance: Instance, steps: Callable[[Sequence[float], float], Sequence[float]]
) -> Iterable[Comparison]:
    """Budget, value, supremum of the exact variance, block steps, chain, quarter branch."""
    L, beta, d = instance.L, instance.beta, instance.d
    h = steps(L, beta)
    stated = evaluate_formula("value", L=L, beta=beta, d=d)
    bounds = theory.claim("squant/bounds").formulas
    witness = {"L": L, "h": h}
    yield Comparison("budget", "eq", sum(item**-2 for item in h) ** 0.5, beta, ROOT, witness)
    coarse = evaluate(bounds["coarse"], {"L": L, "h": h, "d": d})
    yield Comparison("coarse bound at these steps", "eq", coarse, stated, ROOT, witness)
    yield from _compare_supremum(L, h, stated)
    if beta * max(L) <= sum(L):
        x = [1 / (item * beta) for item in h]
        value = float(StochasticQuantizer(h).variance(x, weight=L))
        lower = evaluate_formula("lower", L=L, beta=beta, d=d)
        yield Comparison("variance at x = 1 / (h beta)", "eq", value, lower, ROOT, {"x": x, "h": h})
    for j in range(d):
        other = _scaled([item * (1.1 if k == j else 1.0) for k, item in enumerate(h)], beta)
        worse = evaluate(bounds["coarse"], {"L": L, "h": other, "d": d})
        yield Comparison(f"no gain from a larger step {j}", "le", stated, worse, ROUND_OFF, {"h": other})
    yield from _compare_blocks(instance)
    yield from _compare_quarter(instance)


def _compare_blocks(instance: Instance) -> Iterable[Comparison]:
    L, blocks, beta, d = instance.L, instance.blocks, instance.beta, instance.d
    h, norms = optimal_block_steps(L, blocks, beta), block_norms(L, blocks)
    value = evaluate_formula("block_value", m=list(blocks), F=norms, B=len(blocks), beta=beta)
    budget = sum(length**0.5 / item for length, item in zip(blocks, h, strict=True))
    yield Comparison("block budget", "eq", budget, beta, ROOT, {"h": h})
    start = 0
    for length, step, norm in zip(blocks, h, norms, strict=True):
        yield Comparison("every block at the same value", "eq", step * norm, value, ROOT, {"h": h})
        upper = supremum_of(L[start : start + length], (step,) * length).upper
        yield Comparison("supremum of one block", "le", upper, value, ROUND_OFF, {"h": h})
        start += length
    constants = [
        evaluate_formula("c_vary", L=L, d=d),
        evaluate_formula("c_block", m=list(blocks), F=norms, B=len(blocks)),
        evaluate_formula("c_plus", L=L, d=d),
        evaluate_formula("c_max", L_max=max(L), d=d),
    ]
    for smaller, larger in itertools.pairwise(constants):
        yield Comparison("chain of constants", "le", smaller, larger, ROUND_OFF, {"constants": constants})


def _compare_quarter(instance: Instance) -> Iterable[Comparison]:
    L, beta, d = instance.L, instance.beta, instance.d
    h = [evaluate_formula("quarter_step", L=L, beta=beta, d=d, i=i) for i in range(d)]
    value = evaluate_formula("quarter_value", L=L, beta=beta, d=d)
    quarter = theory.claim("squant/bounds").formulas["quarter"]
    yield Comparison("quarter budget", "eq", sum(item**-2 for item in h) ** 0.5, beta, ROOT, {"h": h})
    yield Comparison(
        "quarter bound", "eq", evaluate(quarter, {"L": L, "h": h, "d": d}), value, ROOT, {"h": h}
    )
    for j in range(d):
        other = _scaled([item * (1.1 if k == j else 1.0) for k, item in enumerate(h)], beta)
        worse = evaluate(quarter, {"L": L, "h": other, "d": d})
        yield Comparison(
            f"no gain in the quarter branch from step {j}", "le", value, worse, ROUND_OFF, {"h": other}
        )


def _compare_supremum(L: Sequence[float], h: Sequence[float], stated: float) -> Iterable[Comparison]:
    """The variance at the worst input of these steps; in the fine regime, the end of the interval."""
    found = supremum_of(L, h)
    if found.maximiser is None:
        yield Comparison(
            "supremum of the variance", "le", found.upper, stated, ROUND_OFF, {"h": h}, headline=True
        )
        return
    value = float(StochasticQuantizer(h).variance(found.maximiser, weight=L))
    witness = {"x": found.maximiser, "h": h}
    yield Comparison("variance at the worst input", "le", value, stated, ROUND_OFF, witness, headline=True)


def _searched(name: str) -> Check:
    """Search for an input whose exact variance at the optimal steps exceeds tr L / beta."""
    instance = INSTANCES[name]
    L, beta = instance.L, instance.beta

    def case(inverse: bool = False) -> AdversarialCase:
        h = _scaled([1 / item for item in L], beta) if inverse else optimal_steps(L, beta)
        stated = evaluate_formula("value", L=L, beta=beta, d=instance.d)
        return AdversarialCase(
            lambda inputs: StochasticQuantizer(h).variance(inputs, weight=L),
            lambda inputs: stated * (inputs**2).sum(axis=-1),
            instance.d,
            starts=(supremum_of(L, h).maximiser or (1.0,) * instance.d,),
            budget=5000,
        )

    mutants = {"inverse-steps": Lazy(lambda: case(inverse=True))} if name == "wide-spectrum" else {}
    return Check("adversarial", name, Lazy(case), instance.parameters, mutants, seconds=1.0)
