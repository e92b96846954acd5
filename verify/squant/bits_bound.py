"""Checks of `squant/bits-bound`: exact expected lengths of many quantizers against the bound."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import e
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.literal_length import NORM_BITS, literal_bound

GRID = 400
GRID_SPACING = Tolerance(1e-4, "a grid of 400 points misses a smooth maximum by some squares of its spacing")

# Bits at a budget, a dimension and a number of blocks.
Bound = Callable[[float, int, int], float]


def stated(beta: float, d: int, B: int) -> float:
    """Return the bound of the claim."""
    return evaluate(theory.claim("squant/bits-bound").bound, {"beta": beta, "d": d, "B": B})


@dataclass(frozen=True)
class Instance:
    """Steps (one, one for each block, or one for each coordinate), inputs, and blocks (None for one)."""

    steps: tuple[float, ...]
    inputs: tuple[tuple[float, ...], ...]
    blocks: tuple[int, ...] | None = None

    @property
    def d(self) -> int:
        """Return the dimension."""
        return len(self.inputs[0])

    @property
    def B(self) -> int:
        """Return the number of blocks."""
        return len(self.blocks or (1,))

    @property
    def beta(self) -> float:
        """Return the budget of all blocks."""
        lengths = self.blocks or (self.d,)
        if len(self.steps) == len(lengths):
            return float(sum(length**0.5 / step for length, step in zip(lengths, self.steps, strict=True)))
        edges = np.cumsum([0, *lengths])
        inverse = 1 / np.array(self.steps)
        return float(sum(np.linalg.norm(inverse[a:b]) for a, b in itertools.pairwise(edges)))

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        steps = (
            self.steps if len(self.steps) <= 12 else {"smallest": min(self.steps), "largest": max(self.steps)}
        )
        return {"d": self.d, "steps": steps, "blocks": self.blocks, "inputs": len(self.inputs)}

    def lengths(self) -> Any:
        """Return the exact expected bits for each input."""
        steps = self.steps[0] if len(self.steps) == 1 else list(self.steps)
        quantizer = StochasticQuantizer(
            steps, blocks=list(self.blocks) if self.blocks else None, norm_bits=NORM_BITS
        )
        return quantizer.expected_bits(np.array(self.inputs))

    def reversed(self) -> "Instance":
        """Return the instance with coordinates, steps and blocks in reverse order."""
        blocks = self.blocks[::-1] if self.blocks else None
        return Instance(self.steps[::-1], tuple(x[::-1] for x in self.inputs), blocks)


def _inputs(d: int) -> tuple[tuple[float, ...], ...]:
    """Return structured inputs: equal entries, one entry, a few equal ones, progressions of both kinds."""
    some = [1.0 if j % 4 == 0 else 0.0 for j in range(d)]
    return tuple(
        tuple(row)
        for row in (
            [1.0] * d,
            [1.0] + [0.0] * (d - 1),
            some,
            [float(j + 1) for j in range(d)],
            [2.0 ** -(j % 40) for j in range(d)],
            [1.0] + [1.0 / d] * (d - 1),
        )
    )


INSTANCES = {
    # Two gaps and one level: 36 bits at u = 1; as the budget vanishes only the sentinel is left, 35 bits.
    "one-coordinate": Instance((8000.0,), ((1.0,),)),
    "one-level": Instance((1.0,), ((1.0,),)),
    "many-levels-d1": Instance((2.0**-20,), ((1.0,),)),
    "three-coordinates-no-budget": Instance((1e4,), _inputs(3)),
    "few-nonzeros-d64": Instance((2.0,), _inputs(64)),
    "ten-nonzeros-d100": Instance((1.0,), _inputs(100)),
    "half-full-d100": Instance((10 / 60,), _inputs(100)),
    "full-d100": Instance((10 / 150,), _inputs(100)),
    "many-levels-d100": Instance((10 / 300,), _inputs(100)),
    "varying-steps": Instance(tuple(0.25 * (1 + j % 7) for j in range(48)), _inputs(48)),
    "sixteen-blocks": Instance((4.0,) * 16, _inputs(256), (16,) * 16),
    "uneven-blocks": Instance((0.5, 2.0, 0.1), _inputs(20), (3, 16, 1)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/bits-bound")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check(
            "exact", "random", ExactCase(partial(compare_random, stated)), {"quantizers": 200}, seconds=0.1
        ),
        *(_searched(d) for d in (1, 3)),
    )


def _exact(name: str, instance: Instance) -> Check:
    mutants = {"reversed-coordinates": ExactCase(partial(compare, instance.reversed(), stated))}
    if name in ("one-coordinate", "three-coordinates-no-budget"):
        for mutant, change in _SABOTAGES.items():
            mutants[mutant] = ExactCase(partial(compare, instance, partial(literal_bound, **change)))
    if name == "sixteen-blocks":
        mutants["one-norm"] = ExactCase(partial(compare, instance, partial(literal_bound, norms=1)))
    base = ExactCase(lambda: itertools.chain(compare(instance, stated), compare_maximum(instance)))
    return Check("exact", name, base, instance.parameters, mutants)


_SABOTAGES: dict[str, dict[str, int]] = {"no-sentinel": {"sentinel": 0}, "single-log": {"factor": 1}}


def compare(instance: Instance, bound: Bound) -> Iterable[Comparison]:
    """Hold the exact expected bits at each input against the bound."""
    beta, d, B = instance.beta, instance.d, instance.B
    most = bound(beta, d, B)
    for place, bits in enumerate(instance.lengths()):
        witness = {"input": place, "beta": beta, "d": d, "B": B}
        yield Comparison("expected bits", "le", float(bits), most, ROUND_OFF, witness, headline=True)


def compare_random(bound: Bound) -> Iterable[Comparison]:
    """Random steps, blocks and inputs, of dimensions 1 to 40 and budgets of many sizes."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for case in range(200):
        d = int(rng.integers(1, 41))
        cuts = np.flatnonzero(rng.random(d - 1) < rng.choice([0.0, 0.2]))
        blocks = np.diff([0, *(cuts + 1), d])
        h = np.exp(rng.normal(rng.normal(0, 2), rng.choice([0.0, 1.0]), size=d))
        x = rng.choice([0.0, 1.0], size=d) if case % 2 else np.exp(rng.normal(0, 3, size=d))
        yield from compare(Instance(tuple(h), (tuple(x),), tuple(map(int, blocks))), bound)


def compare_maximum(instance: Instance) -> Iterable[Comparison]:
    """The bound is the largest sum of the two concave lengths over all allowed mean numbers of nonzeros."""
    beta, d, B = instance.beta, instance.d, instance.B
    nonzeros = min(beta, d)
    gaps = np.linspace(1.0, nonzeros + 1, GRID)
    levels = np.linspace(nonzeros / GRID, nonzeros, GRID)
    gap_lengths = gaps * (1 + 2 * np.log2((d + 1) / gaps))
    level_lengths = 2 * levels * np.log2(beta / levels)
    largest = float(NORM_BITS * B + gap_lengths.max() + 2 * nonzeros + level_lengths.max())
    most, witness = stated(beta, d, B), {"beta": beta, "d": d, "B": B}
    yield Comparison("largest on a grid", "le", largest, most, ROUND_OFF, witness)
    yield Comparison("largest on a grid", "eq", largest, most, GRID_SPACING, witness)
    formulas = theory.claim("squant/bits-bound").formulas
    maximisers = {
        "nonzeros": nonzeros,
        "gap_maximiser": min(nonzeros + 1, (d + 1) * 2**0.5 / e),
        "level_maximiser": min(nonzeros, beta / e),
    }
    for name, literal in maximisers.items():
        found = evaluate(formulas[name], {"beta": beta, "d": d})
        yield Comparison(name, "eq", found, literal, ROUND_OFF, witness)
    yield Comparison("literal bound", "eq", literal_bound(beta, d, B), most, ROUND_OFF, witness)


def _searched(d: int) -> Check:
    """Search over input and steps at once for the largest quotient of expected bits and bound."""

    def split(points: Any) -> tuple[Any, Any]:
        # Steps from 1e-5 to 1e5: budgets from nothing to many levels.
        return points[:, :d], np.exp(np.clip(points[:, d:], -11.0, 11.0))

    def value(points: Any) -> Any:
        x, h = split(points)
        return StochasticQuantizer(h, norm_bits=NORM_BITS).expected_bits(x)

    def case(bound: Bound) -> AdversarialCase:
        def most(points: Any) -> Any:
            budgets = np.sqrt((split(points)[1] ** -2.0).sum(axis=1))
            return np.array([bound(float(beta), d, 1) for beta in budgets])

        starts: Sequence[Any] = ([1.0] * d + [9.0] * d, [1.0] * d + [0.0] * d, [1.0] * d + [-9.0] * d)
        return AdversarialCase(value, most, 2 * d, starts=starts, scale_invariant=False, budget=500)

    mutants = {
        name: Lazy(partial(case, partial(literal_bound, **change))) for name, change in _SABOTAGES.items()
    }
    parameters = {"d": d, "searched": "input and logarithms of the steps"}
    return Check("adversarial", f"d{d}", Lazy(partial(case, stated)), parameters, mutants, seconds=0.1)
