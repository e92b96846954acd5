"""Checks of `squant/steps-diana`: both constants of DIANA+ at mixture steps, and what plain steps do."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import theory
from impl.compressors import BernoulliSparsifier, StochasticQuantizer
from theory.old_form import ImplicitValue
from verify.binding import Check, Lazy
from verify.comparison import ROOT, ROUND_OFF, Comparison
from verify.evaluation import evaluate, root
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.step_arguments import require_step_arguments
from verify.squant.fixtures.step_rules import (
    block_norms,
    optimal_block_steps,
    optimal_probabilities,
    optimal_steps,
)
from verify.squant.fixtures.supremum import supremum_of


@dataclass(frozen=True)
class Instance:
    """Diagonal weight (d,), nodes, strong convexity, budget (also tau), and block lengths."""

    L: tuple[float, ...]
    n: int
    mu: float
    beta: float
    blocks: tuple[int, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"L": self.L, "n": self.n, "mu": self.mu, "beta": self.beta, "blocks": self.blocks}

    def reversed(self) -> "Instance":
        """Return the instance with its coordinates and blocks in reverse order."""
        return Instance(self.L[::-1], self.n, self.mu, self.beta, self.blocks[::-1])


@dataclass(frozen=True)
class Design:
    """What is chosen at an instance: steps, one step per block, probabilities, and the stated bounds."""

    steps: tuple[float, ...]
    block_steps: tuple[float, ...]
    probabilities: tuple[float, ...]
    bound: float
    block_bound: float
    sparse_bound: float


INSTANCES = {
    "golden": Instance((1.0, 0.1, 0.01), 4, 0.01, 2.0, (1, 2)),
    "vanishing-weight": Instance((1.0,) * 9 + (1e-8,), 1, 1.0, 1.0, (5, 4, 1)),
    "zero-weights": Instance((4.0, 1.0, 0.0, 0.0), 2, 0.5, 1.5, (2, 2)),
    "no-weight": Instance((0.0,) * 40, 1, 1.0, 4.0, (20, 20)),
    "wide-spectrum": Instance(tuple(2.0**-k for k in range(24)), 6, 1e-4, 24**0.5, (6, 6, 12)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/steps-diana")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        _searched("vanishing-weight"),
    )


def evaluate_formula(name: str, **values: Any) -> float:
    """Evaluate a formula of the claim."""
    return evaluate(theory.claim("squant/steps-diana").formulas[name], values)


def mixture_steps(L: Sequence[float], n: int, mu: float, beta: float) -> tuple[float, ...]:
    """Return the mixture steps h_j of the claim, (d,), at budget beta.

    Args:
        L: Diagonal of the smoothness matrix of one node, (d,); zeros are allowed.
        n: Number of nodes.
        mu: Strong convexity, positive.
        beta: Budget.

    Raises:
        UsageError: L, budget or mu out of range.
    """
    require_step_arguments("mixture_steps", L, beta, n=n, mu=mu)
    total = evaluate_formula("total_weight", L=L, n=n, mu=mu, d=len(L))
    return _entries("step", L, n=n, mu=mu, W=total, beta=beta)


def mixture_block_steps(
    L: Sequence[float], blocks: Sequence[int], n: int, mu: float, beta: float
) -> tuple[float, ...]:
    """Return the mixture steps of the claim, one per block, (B,), at budget beta.

    Args:
        L: Diagonal of the smoothness matrix of one node, (d,); zeros are allowed.
        blocks: Block lengths, which sum to d.
        n: Number of nodes.
        mu: Strong convexity, positive.
        beta: Budget, the sum of the budgets of the blocks.

    Raises:
        UsageError: L, blocks, budget or mu out of range.
    """
    require_step_arguments("mixture_block_steps", L, beta, blocks=blocks, n=n, mu=mu)
    norms = block_norms(L, blocks)
    total = _block_total(norms, blocks, n, mu)
    return tuple(
        evaluate_formula("block_step", d_l=length, F_l=norm, n=n, mu=mu, S=total, beta=beta)
        for length, norm in zip(blocks, norms, strict=True)
    )


def mixture_probabilities(L: Sequence[float], n: int, mu: float, tau: float) -> tuple[float, ...]:
    """Return the mixture probabilities of the claim, (d,), at tau <= d expected entries.

    Args:
        L: Diagonal of the smoothness matrix of one node, (d,); zeros are allowed.
        n: Number of nodes.
        mu: Strong convexity, positive.
        tau: Expected number of entries sent, at most d.

    Raises:
        UsageError: L, tau or mu out of range.
    """
    require_step_arguments("mixture_probabilities", L, tau, n=n, mu=mu, at_most_d=True)
    formulas = theory.claim("squant/steps-diana").formulas
    symbols = {item.name: item for item in formulas["probability"].free_symbols}
    constant = root(
        ImplicitValue(symbols["c"], symbols["c"], formulas["probability_excess"]),
        {"L": L, "n": n, "mu": mu, "tau": tau, "d": len(L)},
    )
    return _entries("probability", L, n=n, mu=mu, c=constant)


def _entries(name: str, L: Sequence[float], **values: Any) -> tuple[float, ...]:
    """Evaluate a formula of one coordinate at each entry of L, once for each value that occurs."""
    found = {item: evaluate_formula(name, L_j=item, **values) for item in set(map(float, L))}
    return tuple(found[float(item)] for item in L)


def _block_total(norms: Sequence[float], blocks: Sequence[int], n: int, mu: float) -> float:
    return evaluate_formula("block_total", m=list(blocks), F=norms, n=n, mu=mu, B=len(blocks))


def mixture_design(instance: Instance) -> Design:
    """Return what the claim chooses and states."""
    L, n, mu, beta, blocks = instance.L, instance.n, instance.mu, instance.beta, instance.blocks
    total = evaluate_formula("total_weight", L=L, n=n, mu=mu, d=len(L))
    return Design(
        mixture_steps(L, n, mu, beta),
        mixture_block_steps(L, blocks, n, mu, beta),
        mixture_probabilities(L, n, mu, beta),
        evaluate(
            theory.claim("squant/steps-diana").bound, {"L": L, "n": n, "mu": mu, "beta": beta, "d": len(L)}
        ),
        evaluate_formula("block_bound", S=_block_total(block_norms(L, blocks), blocks, n, mu), beta=beta),
        evaluate_formula("sparse_bound", W=total, tau=beta),
    )


def _with(instance: Instance, **changes: Any) -> Design:
    return Design(**{**vars(mixture_design(instance)), **changes})


def _without_one(instance: Instance) -> Design:
    """Use L_j / (n mu) for the weight: the steps, probabilities and bounds of the claims for L alone."""
    L, beta = instance.L, instance.beta
    total = sum(L) / (instance.n * instance.mu)
    return _with(
        instance,
        steps=optimal_steps(L, beta),
        probabilities=optimal_probabilities(L, beta)[1],
        bound=total / beta,
        sparse_bound=total / beta,
    )


def _exact(name: str, instance: Instance) -> Check:
    def case(design: Callable[[Instance], Design], shown: Instance = instance) -> ExactCase:
        return ExactCase(lambda: compare(shown, design(shown)))

    mutants = {"permuted-coordinates": case(mixture_design, instance.reversed())}
    if name == "vanishing-weight":
        plain = optimal_steps(instance.L, instance.beta)
        blocks = optimal_block_steps(instance.L, instance.blocks, instance.beta)
        mutants |= {
            "plain-steps": case(lambda shown: _with(shown, steps=plain)),
            "plain-block-steps": case(lambda shown: _with(shown, block_steps=blocks)),
            "weight-without-one": case(_without_one),
        }
    if name == "no-weight":
        mutants["half-total"] = case(lambda shown: _with(shown, bound=mixture_design(shown).bound / 2))
    return Check("exact", name, case(mixture_design), instance.parameters, mutants, seconds=0.2)


def compare(instance: Instance, design: Design) -> Iterable[Comparison]:
    """Budget, both suprema against the bounds, blocks, and the sparsifier."""
    L, n, mu, beta = instance.L, instance.n, instance.mu, instance.beta
    h, d = design.steps, len(L)
    values = {"L": L, "n": n, "mu": mu, "beta": beta, "d": d}
    witness = {"L": L, "h": h}
    yield Comparison("budget", "eq", math.fsum(item**-2 for item in h) ** 0.5, beta, ROOT, witness)
    norm = float(np.linalg.norm(h))
    yield Comparison("norm of the steps", "eq", norm, evaluate_formula("norm", **values), ROOT, witness)
    chain = (norm, evaluate_formula("norm_bound", **values), design.bound)
    yield Comparison("|h| below sqrt(d W)/beta", "le", chain[0], chain[1], ROUND_OFF, witness)
    yield Comparison("sqrt(d W)/beta below W/beta", "le", chain[1], chain[2], ROUND_OFF, witness)
    omega = _constant((1.0,) * d, h)
    yield Comparison("omega", "le", omega, design.bound, ROUND_OFF, witness, headline=True)
    if norm >= 1:
        x = [item / norm for item in h]
        value = float(StochasticQuantizer(list(h)).variance(x))
        stated = evaluate_formula("omega_lower", **values)
        yield Comparison("variance at x = h / |h|", "eq", value, stated, ROOT, {"x": x, "h": h})
        yield Comparison("omega from below", "le", stated, omega, ROUND_OFF, witness)
    smoothness = _constant(L, h) / (n * mu)
    coarse = float(np.linalg.norm(np.multiply(L, h))) / (n * mu)
    stated = evaluate_formula("smoothness_value", **values)
    yield Comparison("constant of L over n mu", "le", smoothness, stated, ROUND_OFF, witness, headline=True)
    yield Comparison("coarse value of L over n mu", "eq", coarse, stated, ROOT, witness)
    yield Comparison("its bound", "le", stated, design.bound, ROUND_OFF, witness)
    yield from _compare_blocks(instance, design)
    yield from _compare_sparsifier(instance, design)


def _constant(weight: Sequence[float], h: Sequence[float]) -> float:
    """Return the variance at the worst input, or the upper end of the supremum where no input is given."""
    found = supremum_of(weight, h)
    if found.maximiser is None or len(h) == 1:
        return found.upper
    return float(StochasticQuantizer(list(h)).variance(found.maximiser, weight=weight))


def _compare_blocks(instance: Instance, design: Design) -> Iterable[Comparison]:
    L, scale = instance.L, instance.n * instance.mu
    blocks, steps = instance.blocks, design.block_steps
    witness = {"blocks": blocks, "h": steps}
    budget = math.fsum(length**0.5 / step for length, step in zip(blocks, steps, strict=True))
    yield Comparison("block budget", "eq", budget, instance.beta, ROOT, witness)
    start = 0
    for length, step in zip(blocks, steps, strict=True):
        part, h = L[start : start + length], (step,) * length
        omega, smoothness = _constant((1.0,) * length, h), _constant(part, h) / scale
        yield Comparison("omega of a block", "le", omega, design.block_bound, ROUND_OFF, witness)
        yield Comparison(
            "constant of a block over n mu", "le", smoothness, design.block_bound, ROUND_OFF, witness
        )
        start += length


def _compare_sparsifier(instance: Instance, design: Design) -> Iterable[Comparison]:
    p, scale = design.probabilities, instance.n * instance.mu
    witness = {"p": p}
    yield Comparison("expected entries", "eq", math.fsum(p), instance.beta, ROOT, witness)
    sparsifier, units = BernoulliSparsifier(list(p)), np.eye(len(p))
    # The constant of a sparsifier is taken at a coordinate vector (squant/sparse).
    omega = float(np.max(sparsifier.variance(units)))
    smoothness = float(np.max(sparsifier.variance(units, weight=list(instance.L)))) / scale
    yield Comparison("omega of the sparsifier", "le", omega, design.sparse_bound, ROUND_OFF, witness)
    yield Comparison(
        "constant of the sparsifier over n mu", "le", smoothness, design.sparse_bound, ROUND_OFF, witness
    )


def _searched(name: str) -> Check:
    """Search for an input whose variance, plain or weighted by L/(n mu), exceeds W/beta."""
    instance = INSTANCES[name]
    weight = np.array(instance.L) / (instance.n * instance.mu)

    def case(steps: Callable[[], Sequence[float]]) -> AdversarialCase:
        h = list(steps())
        quantizer, bound = StochasticQuantizer(h), mixture_design(instance).bound
        return AdversarialCase(
            lambda inputs: np.maximum(
                quantizer.variance(inputs), quantizer.variance(inputs, weight=weight.tolist())
            ),
            lambda inputs: bound * (inputs**2).sum(axis=-1),
            len(h),
            starts=(h,),
            budget=1000,
        )

    base = Lazy(lambda: case(lambda: mixture_steps(instance.L, instance.n, instance.mu, instance.beta)))
    mutants = {"plain-steps": Lazy(lambda: case(lambda: optimal_steps(instance.L, instance.beta)))}
    return Check("adversarial", name, base, instance.parameters, mutants, seconds=0.4)
