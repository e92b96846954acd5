"""Checks of `squant/bits`: the lengths of real messages, enumerated, sent and received, and sampled."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.sabotaged_quantizers import scaled_levels

NORM_BITS = 32

# Length of one message from its levels (d,) and the number of norms.
Measure = Callable[[Any, int], int]


@dataclass(frozen=True)
class Instance:
    """Input of rational norms, steps, and blocks (None for one)."""

    x: tuple[Any, ...]
    steps: Any
    blocks: tuple[int, ...] | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"x": self.x, "steps": self.steps, "blocks": self.blocks, "norm_bits": NORM_BITS}

    def quantizer(self, code: str = "sparse-gamma") -> StochasticQuantizer:
        """Return the quantizer with this code."""
        blocks = list(self.blocks) if self.blocks else None
        return StochasticQuantizer(self.steps, blocks=blocks, norm_bits=NORM_BITS, code=code)


@functools.cache
def stated_length(instance: Instance, code: str) -> Any:
    """Return the claim's expected length, exactly; kept, since base and mutants need the same number."""
    u = scaled_levels(instance.quantizer(), [F(item) for item in instance.x])
    values = {"u": u, "d": len(u), "B": len(instance.blocks or (1,))}
    return evaluate_exact(theory.claim("squant/bits").formulas[code.replace("-", "_")], values)


INSTANCES = {
    "norm-7": Instance((2, 3, 6), (F(1, 2), F(1, 3), F(1, 4))),
    "norm-9": Instance((1, 4, 8), F(3, 2)),
    "two-blocks": Instance((3, 4, 5, 12), (F(1, 2), F(1, 2), F(1, 3), F(1, 3)), (2, 2)),
    "with-zeros": Instance((0, 3, 0, 0, 4, 0, 0, 0), 2),
    "zero-block": Instance((0, 0, -3, 4), 1, (2, 2)),
    "long-gaps": Instance((0,) * 2 + (3,) + (0,) * 6 + (4,) + (0,) * 5, F(5, 4)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/bits")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check("exact", "ones", ExactCase(_compare_ones), {"x": "ones", "steps": 1, "d": [16, 64, 100]}),
        _sampled(),
    )


def _exact(name: str, instance: Instance) -> Check:
    def case(measure: Measure | None, shown: Instance = instance) -> ExactCase:
        return ExactCase(lambda: compare(shown, measure))

    negated = replace(instance, x=tuple(-item for item in instance.x))
    mutants = {
        "no-sentinel": case(lambda levels, norms: literal_length(levels, norms, sentinel=False)),
        "single-log": case(lambda levels, norms: literal_length(levels, norms, doubled=False)),
        "negated-input": case(None, negated),
    }
    if instance.blocks:
        mutants["one-norm"] = case(lambda levels, norms: literal_length(levels, 1))
    return Check("exact", name, case(None), instance.parameters, mutants, seconds=0.3)


def compare(instance: Instance, measure: Measure | None) -> Iterable[Comparison]:
    """Mean length over all outcomes against the formula; each message is also sent and received."""
    x = [F(item) for item in instance.x]
    witness = instance.parameters
    for code in ("sparse-gamma", "sparse-omega", "dense-gamma"):
        quantizer = instance.quantizer(code)
        mean, lost, miscounted = F(0), 0, 0
        for chance, draws in quantizer.outcomes(x):
            message = quantizer.message(instance.x, draws)
            bits = int(message.bits)
            if code == "sparse-gamma":
                miscounted += abs(bits - literal_length(message.symbols, len(instance.blocks or (1,))))
            if measure is not None and code == "sparse-gamma":
                bits = measure(message.symbols, len(instance.blocks or (1,)))
            mean += chance * bits
            received = quantizer.decode(quantizer.encode(instance.x, draws))
            lost += int((received != quantizer.compress(instance.x, draws)).sum())
        stated = stated_length(instance, code)
        headline = code == "sparse-gamma"
        yield Comparison(f"mean length, {code}", "eq", mean, stated, witness=witness, headline=headline)
        yield Comparison(f"closed form, {code}", "eq", quantizer.expected_bits(x), stated, witness=witness)
        yield Comparison(f"coordinates lost in transit, {code}", "eq", lost, 0, witness=witness)
        yield Comparison(
            f"bits that a literal count differs by, {code}", "eq", miscounted, 0, witness=witness
        )


def literal_length(levels: Any, norms: int, *, sentinel: bool = True, doubled: bool = True) -> int:
    """Return the length of the sparse gamma code, counted literally, with one thing left out on request."""

    def gamma(k: int) -> int:
        return (2 if doubled else 1) * (k.bit_length() - 1) + 1

    bits, last = NORM_BITS * norms, 0
    for position, level in enumerate(map(int, levels), start=1):
        if level:
            bits += gamma(position - last) + 1 + gamma(abs(level))
            last = position
    return bits + (gamma(len(levels) + 1 - last) if sentinel else 0)


def _compare_ones() -> Iterable[Comparison]:
    """All ones with step 1: the formula of the claim against the closed form in `impl`."""
    formula = theory.claim("squant/bits").formulas["sparse_gamma"]
    for d in (16, 64, 100):
        stated = evaluate(formula, {"u": [d**-0.5] * d, "d": d, "B": 1})
        value = float(StochasticQuantizer(1, norm_bits=NORM_BITS).expected_bits([1.0] * d))
        yield Comparison(f"closed form, d={d}", "eq", value, stated, ROUND_OFF, {"d": d})


def _sampled() -> Check:
    """Sample real messages of the ones vector, d=100."""
    d = 100
    quantizer = StochasticQuantizer(1, norm_bits=NORM_BITS)

    def levels(rng: Any, size: int) -> Any:
        return quantizer.message(np.ones(d), quantizer.draw(rng, (size, d)))

    def honest(rng: Any, size: int) -> Any:
        return levels(rng, size).bits.astype(float)

    def without_sentinel(rng: Any, size: int) -> Any:
        return np.array(
            [literal_length(row, 1, sentinel=False) for row in levels(rng, size).symbols], dtype=float
        )

    def case(sample: Any, lower: float = NORM_BITS) -> MonteCarloCase:
        formula = theory.claim("squant/bits").formulas["sparse_gamma"]
        stated = evaluate(formula, {"u": [d**-0.5] * d, "d": d, "B": 1})
        # Levels are 0 or 1: at most 2 bits of content each; gaps sum to d+1 and cost at most 3/2 bit a unit.
        return MonteCarloCase("eq", sample, stated, lower=lower, upper=NORM_BITS + 2 * d + 1.5 * (d + 1))

    base = Lazy(lambda: case(honest), tests=1)
    mutants = {"no-sentinel": Lazy(lambda: case(without_sentinel, lower=0.0), tests=1)}
    return Check("montecarlo", "ones-d100", base, {"d": d, "x": "ones", "steps": 1}, mutants, seconds=1.0)
