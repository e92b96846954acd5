"""Checks of `squant/var`: enumeration of all roundings in rationals, and the sampler against the oracle."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.expectation.enumeration import diagonal_of, enumerate_moments
from verify.expectation.weighted_error import weighted_error_sampler
from verify.foreign_compressor import adapt, structured_inputs
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.honest_twin import honest_twin
from verify.squant.fixtures.sabotaged_quantizers import (
    FloorRounding,
    NearestRounding,
    SharedUniform,
    SwappedProbability,
    expand_steps,
    rational_norm,
)

SABOTAGED = {
    "shared-uniform": SharedUniform,
    "nearest-rounding": NearestRounding,
    "floor-rounding": FloorRounding,
    "swapped-probability": SwappedProbability,
}


@dataclass(frozen=True)
class Instance:
    """One input with steps, blocks (None for one) and weight, diagonal or full."""

    x: tuple[Any, ...]
    steps: tuple[Any, ...]
    weight: tuple[Any, ...]
    blocks: tuple[int, ...] | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"x": self.x, "steps": self.steps, "weight": self.weight, "blocks": self.blocks}

    def permuted(self) -> "Instance":
        """Return the instance with all coordinates in reverse order."""
        weight = tuple(self.weight[::-1])
        if hasattr(weight[0], "__len__"):
            weight = tuple(tuple(row[::-1]) for row in weight)
        blocks = self.blocks[::-1] if self.blocks else None
        return Instance(self.x[::-1], self.steps[::-1], weight, blocks)

    def quantizer(self, kind: type[StochasticQuantizer] = StochasticQuantizer) -> StochasticQuantizer:
        """Return the quantizer of the instance, or a sabotaged one."""
        return kind(self.steps, blocks=list(self.blocks) if self.blocks else None)

    def sure_upper(self) -> float:
        """Return a sure upper bound of the weighted squared error: no coordinate is off by a whole step."""
        reach = [abs(float(h * N)) for h, N in zip(self.expanded_steps(), self.norms(), strict=True)]
        if not hasattr(self.weight[0], "__len__"):
            return sum(float(L) * r * r for L, r in zip(self.weight, reach, strict=True))
        return sum(
            abs(float(item)) * r * s
            for row, r in zip(self.weight, reach, strict=True)
            for item, s in zip(row, reach, strict=True)
        )

    def expanded_steps(self) -> list[Any]:
        """Return one step per coordinate."""
        return expand_steps(self.steps, self.blocks or (len(self.x),), len(self.x))

    def norms(self) -> tuple[F, ...]:
        """Return the norm of the block of each coordinate."""
        lengths, norms, start = self.blocks or (len(self.x),), [], 0
        for length in lengths:
            norms += [rational_norm(self.x[start : start + length])] * length
            start += length
        return tuple(norms)


INSTANCES = {
    "norm-7": Instance((2, 3, 6), (F(1, 2), F(1, 3), F(1, 4)), (1, 2, 4)),
    "norm-9": Instance((1, 4, 8), (F(1, 2),) * 3, (1, 1, 1)),
    "two-blocks": Instance((3, 4, 5, 12), (F(1, 2), F(1, 2), F(1, 3), F(1, 3)), (1, 2, 3, 4), (2, 2)),
    "ones-full-matrix": Instance((1,) * 4, (1,) * 4, ((1,) * 4,) * 4),
    "full-matrix": Instance(
        (1, -1, 1, -1, 4, 4),
        (F(1, 2), F(2, 3), F(3, 4), 1, F(5, 3), F(2, 5)),
        tuple(tuple(4 * (j == k) + (j + 1) * (k + 1) for k in range(6)) for j in range(6)),
    ),
    "zero-block": Instance(
        (0, 0, 3, 4, -2, 1, 2), (1, F(1, 2), F(1, 3), 2, F(1, 5), 1, 1), (1,) * 7, (2, 2, 3)
    ),
    "eight-coordinates": Instance(
        (1, 2, 3, 1, 3, 4, 0, 3), (F(1, 3), F(2, 7), 1, 3, F(1, 2), F(4, 5), 1, 2), (8, 7, 6, 5, 4, 3, 2, 1)
    ),
}

# The weight 11^T alone makes the squared error too variable for sampling; a quarter of it is enough.
NEARLY_DIAGONAL = Instance(
    (1,) * 16, (F(1, 2),) * 16, tuple(tuple((j == k) + F(1, 4) for k in range(16)) for j in range(16))
)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/var")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check(
            "exact",
            "irrational-norm",
            ExactCase(_compare_irrational),
            {"x": (1, 2, 3), "steps": ("1", "1/2", "1/4")},
        ),
        _sampled(
            "norm-7", INSTANCES["norm-7"], ("nearest-rounding", "floor-rounding", "swapped-probability")
        ),
        _sampled("nearly-diagonal", NEARLY_DIAGONAL, ("shared-uniform",)),
        _sampled_large(),
    )


def _exact(name: str, instance: Instance) -> Check:
    seen = {key: kind for key, kind in SABOTAGED.items() if _can_see(name, key)}
    mutants = {key: ExactCase(partial(compare, instance, kind)) for key, kind in seen.items()}
    mutants["permuted-coordinates"] = ExactCase(lambda: compare(instance.permuted(), StochasticQuantizer))
    return Check(
        "exact",
        name,
        ExactCase(lambda: compare(instance, StochasticQuantizer)),
        instance.parameters,
        mutants,
        seconds=0.1,
    )


def _can_see(instance: str, mutant: str) -> bool:
    """A shared uniform shows with a full matrix only; at fractions 1/2 swapping changes nothing."""
    if mutant == "shared-uniform":
        return instance in ("ones-full-matrix", "full-matrix")
    return mutant != "swapped-probability" or instance != "ones-full-matrix"


def compare(instance: Instance, kind: type[StochasticQuantizer]) -> Iterable[Comparison]:
    """Compare enumeration, the closed form in `impl` and the formula of the claim: all rational."""
    x = [F(item) for item in instance.x]
    quantizer = instance.quantizer(kind)
    moments = enumerate_moments(quantizer, x, instance.weight)
    witness = instance.parameters
    stated = stated_variance(instance)
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    for j, (mean, coordinate) in enumerate(zip(moments.mean, x, strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, coordinate, witness=witness)
    yield Comparison(
        "enumerated variance", "eq", moments.second_moment, stated, witness=witness, headline=True
    )
    yield Comparison(
        "closed form", "eq", quantizer.variance(x, weight=instance.weight), stated, witness=witness
    )


def stated_variance(instance: Instance) -> Any:
    """Return the claim's formula at an instance, exactly."""
    L, N = diagonal_of(instance.weight), instance.norms()
    values = {"x": instance.x, "h": instance.expanded_steps(), "L": L, "N": N, "d": len(instance.x)}
    return evaluate_exact(theory.claim("squant/var").exact, values)


def _compare_irrational() -> Iterable[Comparison]:
    x, h, L = (1.0, 2.0, 3.0), (1.0, 0.5, 0.25), (3.0, 1.0, 2.0)
    values = {"x": x, "h": h, "L": L, "N": (float(np.sqrt(14)),) * 3, "d": 3}
    stated = evaluate(theory.claim("squant/var").exact, values)
    quantizer = StochasticQuantizer(h)
    yield Comparison("closed form", "eq", quantizer.variance(x, weight=L), stated, ROUND_OFF, headline=True)
    moments = enumerate_moments(quantizer, list(x), L)
    yield Comparison("enumerated variance", "eq", moments.second_moment, stated, ROUND_OFF)
    for j in range(3):
        yield Comparison(f"mean of coordinate {j}", "eq", moments.mean[j], x[j], ROUND_OFF)


def _sampled(name: str, instance: Instance, mutants: Sequence[str]) -> Check:
    """Test that the sampler has the stated variance."""
    weight = np.array(instance.weight, dtype=float)
    x = [float(item) for item in instance.x]

    def case(kind: type[StochasticQuantizer]) -> MonteCarloCase:
        sample = weighted_error_sampler(instance.quantizer(kind), x, weight)
        return MonteCarloCase("eq", sample, float(stated_variance(instance)), upper=instance.sure_upper())

    cases = {key: Lazy(partial(case, SABOTAGED[key]), tests=1) for key in mutants}
    base = Lazy(partial(case, StochasticQuantizer), tests=1)
    return Check("montecarlo", name, base, instance.parameters, cases, seconds=2.0)


def _sampled_large() -> Check:
    """Test the batched sampler at d=1000, in blocks with different steps."""

    def case(kind: type[StochasticQuantizer]) -> MonteCarloCase:
        d, blocks = 1000, 10
        x, L = np.sin(np.arange(1, d + 1)), np.linspace(1, 3, d)
        steps = np.linspace(0.05, 0.5, blocks)
        h = np.repeat(steps, d // blocks)
        norms = np.repeat(np.linalg.norm(x.reshape(blocks, -1), axis=1), d // blocks)
        stated = evaluate(theory.claim("squant/var").exact, {"x": x, "h": h, "L": L, "N": norms, "d": d})
        quantizer = kind(steps, blocks=[d // blocks] * blocks)
        upper = float((L * (h * norms) ** 2).sum())
        return MonteCarloCase("eq", weighted_error_sampler(quantizer, x, L), stated, upper=upper)

    seen = ("nearest-rounding", "floor-rounding")
    mutants = {key: Lazy(partial(case, SABOTAGED[key]), tests=1) for key in seen}
    base = Lazy(partial(case, StochasticQuantizer), tests=1)
    parameters = {"d": 1000, "blocks": 10, "x": "sin(1..d)"}
    return Check("montecarlo", "ten-blocks-d1000", base, parameters, mutants, seconds=3.0)


def checks_for(compressor: Any, d: int) -> tuple[Check, ...]:
    """Return checks that a compressor with `steps` (and `blocks`) has the variance of the claim.

    Raises:
        UsageError: It has no steps.
    """
    foreign, twin = adapt(compressor, d, None), honest_twin(compressor)
    lengths = twin.blocks or (d,)
    h = np.array([float(step) for step in expand_steps(twin.steps, lengths, d)])

    def case(x: Any) -> MonteCarloCase:
        ends = np.cumsum(lengths)
        norms = np.repeat([np.linalg.norm(part) for part in np.split(x, ends[:-1])], lengths)
        values = {"x": x, "h": h, "L": [1.0] * d, "N": norms, "d": d}
        return MonteCarloCase(
            "eq",
            lambda rng, size: foreign.squared_errors(x, rng, size),
            evaluate(theory.claim("squant/var").exact, values),
            upper=float(((h * norms) ** 2).sum()),
        )

    # Without variance there is nothing to sample: x is then a point of the grid.
    inputs = [x for x in structured_inputs(d)[-2:] if float(twin.variance(x)) > 0]
    return tuple(Check("montecarlo", f"input-{index}", case(x), {"d": d}) for index, x in enumerate(inputs))
