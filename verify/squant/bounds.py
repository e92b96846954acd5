"""Checks of `squant/bounds`: the two branches against the exact variance, searched and sampled."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import theory
from impl.compressors import StochasticQuantizer
from theory.old_steps import ScalarLemma
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.expectation.weighted_error import weighted_error_sampler
from verify.foreign_compressor import adapt, structured_inputs
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.honest_twin import honest_twin
from verify.squant.fixtures.sabotaged_quantizers import expand_steps

# From the stated value of each block to the constant of the whole quantizer.
Assembly = Callable[[Sequence[float]], float]


@dataclass(frozen=True)
class Instance:
    """Steps, blocks (None for one) and diagonal weight, with inputs at which to compare."""

    steps: tuple[float, ...]
    weight: tuple[float, ...]
    inputs: tuple[tuple[float, ...], ...]
    blocks: tuple[int, ...] | None = None

    @property
    def d(self) -> int:
        """Return the dimension."""
        return len(self.weight)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {
            "d": self.d,
            "steps": _short(self.steps),
            "weight": _short(self.weight),
            "blocks": self.blocks,
        }

    @property
    def quantizer(self) -> StochasticQuantizer:
        """Return the honest quantizer."""
        return StochasticQuantizer(self.steps, blocks=list(self.blocks) if self.blocks else None)

    def permuted(self) -> "Instance":
        """Return the instance with all coordinates in reverse order."""
        blocks = self.blocks[::-1] if self.blocks else None
        steps = tuple(expand_steps(self.steps, self.blocks or (self.d,), self.d))
        return Instance(steps[::-1], self.weight[::-1], tuple(x[::-1] for x in self.inputs), blocks)


def _short(values: Sequence[float]) -> Any:
    return (
        list(values) if len(values) <= 12 else f"{len(values)} values from {min(values):g} to {max(values):g}"
    )


INSTANCES = {
    "ones-d100": Instance((1.0,), (1.0,) * 100, ((1.0,) * 100,)),
    "quarter-branch": Instance((3.0, 3.0), (4.0, 1.0), ((1.0, 1.0), (1.34, 2.68))),
    "half-levels-d64": Instance((0.125,), (1.0,) * 64, ((3.0,) * 24 + (1.0,) * 40,)),
    "varying-steps": Instance(
        (2.0, 3.0, 6.0), (9.0, 4.0, 1.0), ((0.7, 1.4, 2.5), (3.0, 2.0, 1.0), (0.0, 0.0, 1.0))
    ),
    "two-blocks": Instance(
        (0.5, 2.0),
        (1.0, 2.0, 3.0, 4.0, 5.0),
        ((0.0, 0.0, 1.0, 1.0, 1.0), (1.0, 1.0, 0.0, 0.0, 0.0), (1.0, 2.0, 3.0, 2.0, 1.0)),
        (2, 3),
    ),
    "many-blocks": Instance(
        tuple(0.2 * (k + 1) for k in range(4)),
        tuple(1.0 + (k % 5) for k in range(24)),
        (*tuple(tuple(float(j // 6 == k) for j in range(24)) for k in range(4)), (1.0,) * 24),
        (6, 6, 6, 6),
    ),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/bounds")
    mutated = tuple(_weakened(step) for step in claim.derivation)
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"quarter-constant": SymbolicCase(mutated)},
            seconds=0.5,
        ),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        *(_searched(name) for name in ("quarter-branch", "varying-steps", "two-blocks", "many-blocks")),
        _sampled(),
    )


def _weakened(step: Any) -> Any:
    """Claim 0.249 instead of 1/4 in the lemma on the rounding variance."""
    from sympy import Rational

    if isinstance(step, ScalarLemma) and step.name == "rounding-quarter":
        return replace(step, goal=step.goal.subs(Rational(1, 4), Rational(249, 1000)), certificate=())
    return step


def stated(instance: Instance, assemble: Assembly = max, coarse_factor: float = 1.0) -> float:
    """Return the claim's bound on the variance constant of an instance."""
    formulas = theory.claim("squant/bounds").formulas
    lengths = instance.blocks or (instance.d,)
    h = expand_steps(instance.steps, lengths, instance.d)
    values, start = [], 0
    for length in lengths:
        part = slice(start, start + length)
        arguments = {"L": instance.weight[part], "h": h[part], "d": length}
        coarse, quarter = (evaluate(formulas[name], arguments) for name in ("coarse", "quarter"))
        values.append(min(coarse_factor * coarse, quarter))
        start += length
    return assemble(values)


def _exact(name: str, instance: Instance) -> Check:
    mutants = {"permuted-coordinates": ExactCase(lambda: compare(instance.permuted()))}
    if name == "ones-d100":
        mutants["l1-norm"] = ExactCase(lambda: compare(instance, variance=_with_l1_norm(instance)))
        mutants["halved-coarse-bound"] = ExactCase(
            lambda: compare(instance, bound=stated(instance, max, 0.5))
        )
    if name == "many-blocks":
        mutants["summed-block-norms"] = ExactCase(
            lambda: compare(instance, variance=_with_summed_norms(instance))
        )
        mutants["mean-over-blocks"] = ExactCase(lambda: compare(instance, bound=stated(instance, _mean)))
    base = ExactCase(lambda: compare(instance))
    return Check("exact", name, base, instance.parameters, mutants)


def compare(
    instance: Instance, *, variance: Callable[[Any], float] | None = None, bound: float | None = None
) -> Iterable[Comparison]:
    """Hold the exact variance at each input against the bound times the squared norm."""
    constant = stated(instance) if bound is None else bound
    for x in instance.inputs:
        value = variance(x) if variance else instance.quantizer.variance(x, weight=instance.weight)
        square = sum(item * item for item in x)
        yield Comparison("variance", "le", value, constant * square, ROUND_OFF, {"x": _short(x)})


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _with_l1_norm(instance: Instance) -> Callable[[Any], float]:
    """Return the variance of a quantizer that scales by the 1-norm: the honest one with larger steps."""

    def variance(x: Any) -> float:
        ratio = sum(map(abs, x)) / sum(item * item for item in x) ** 0.5
        return float(
            StochasticQuantizer([step * ratio for step in instance.steps]).variance(x, weight=instance.weight)
        )

    return variance


def _with_summed_norms(instance: Instance) -> Callable[[Any], float]:
    """Return the variance of a quantizer that scales each block by the sum of all block norms."""

    def variance(x: Any) -> float:
        lengths = instance.blocks or (instance.d,)
        norms, start = [], 0
        for length in lengths:
            norms.append(sum(item * item for item in x[start : start + length]) ** 0.5)
            start += length
        # A block of norm zero sends nothing whatever its step is.
        steps = [step * sum(norms) / (norm or 1.0) for step, norm in zip(instance.steps, norms, strict=True)]
        return float(StochasticQuantizer(steps, blocks=list(lengths)).variance(x, weight=instance.weight))

    return variance


def _searched(name: str) -> Check:
    instance = INSTANCES[name]

    def case(assemble: Assembly = max, coarse_factor: float = 1.0) -> AdversarialCase:
        constant = stated(instance, assemble, coarse_factor)
        return AdversarialCase(
            lambda inputs: instance.quantizer.variance(inputs, weight=instance.weight),
            lambda inputs: constant * (inputs**2).sum(axis=-1),
            instance.d,
            starts=instance.inputs,
            budget=6000,
        )

    mutants = {}
    if name == "varying-steps":
        mutants["halved-coarse-bound"] = Lazy(lambda: case(coarse_factor=0.5))
    if instance.blocks:
        mutants["mean-over-blocks"] = Lazy(lambda: case(_mean))
    return Check("adversarial", name, Lazy(case), instance.parameters, mutants, seconds=1.5)


def _sampled() -> Check:
    """Sample at the ones vector, where the variance is 9 and the bound 10 times the squared norm."""
    instance = INSTANCES["ones-d100"]
    x, d = instance.inputs[0], instance.d

    def case(factor: float = 1.0) -> MonteCarloCase:
        quantizer = StochasticQuantizer([step * factor for step in instance.steps])
        # No coordinate is off by a whole step, 10 times its size here.
        return MonteCarloCase(
            "le", weighted_error_sampler(quantizer, x), stated(instance) * d, upper=100.0 * d
        )

    # At the ones vector the 1-norm is sqrt(d) times the Euclidean one; its errors are not below `upper`.
    wrong = Lazy(lambda: replace(case(d**0.5), upper=None), tests=1)
    base = Lazy(case, tests=1)
    return Check("montecarlo", "ones-d100", base, instance.parameters, {"l1-norm": wrong}, seconds=0.5)


def checks_for(compressor: Any, d: int) -> tuple[Check, ...]:
    """Return checks that a compressor with `steps` (and `blocks`) keeps the bound of the claim.

    Raises:
        UsageError: It has no steps.
    """
    foreign, twin = adapt(compressor, d, None), honest_twin(compressor)
    blocks = None if twin.blocks is None else tuple(twin.blocks)
    steps = twin.steps if hasattr(twin.steps, "__len__") else (twin.steps,)
    constant = stated(Instance(tuple(map(float, steps)), (1.0,) * d, (), blocks))

    def case(x: Any) -> MonteCarloCase:
        square = float(x @ x)
        # No coordinate is off by a whole step, so the squared error is below the sum of h^2 |x|^2.
        upper = square * sum(float(step) ** 2 for step in expand_steps(twin.steps, blocks or (d,), d))
        return MonteCarloCase(
            "le", lambda rng, size: foreign.squared_errors(x, rng, size), constant * square, upper=upper
        )

    inputs = (structured_inputs(d)[0], structured_inputs(d)[-1])
    return tuple(Check("montecarlo", f"input-{index}", case(x), {"d": d}) for index, x in enumerate(inputs))
