"""Checks of `squant/bits-bound`: exact expected lengths of many quantizers against the bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sympy import E, Min, log

from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.rungs.adversarial import AdversarialCase
from verify.sabotage.stochastic_quantizer import expand_steps
from verify.squant.fixtures.literal_length import NORM_BITS, literal_bound

judge = checks_of("squant/bits-bound", quantizer=StochasticQuantizer)


_SMALL = ("exact/one-coordinate", "exact/three-coordinates-no-budget", "adversarial/*")


@judge.mutant("Leave out the gap to the sentinel: one gap fewer than the message has.", at=_SMALL)
def no_sentinel(law: Law) -> Law:
    gaps, nonzeros = law.formulas["gap_maximiser"], law.formulas["nonzeros"]
    fewer = Min(*(item - 1 if item == nonzeros + 1 else item for item in gaps.args))
    return law.replace(bound=lambda formula: formula.xreplace({gaps: fewer}))


@judge.mutant(
    r"Count $\log_2$ without the factor 2 of a self-delimiting code, in gaps and levels.", at=_SMALL
)
def single_log(law: Law) -> Law:
    def once(formula: Any) -> Any:
        named = {symbol.name: symbol for symbol in formula.free_symbols}
        beta, d, B = named["beta"], named["d"], named["B"]
        nonzeros, levels = law.formulas["nonzeros"], law.formulas["level_maximiser"]
        gaps = Min(nonzeros + 1, 2 * (d + 1) / E)
        codes = gaps * (1 + log((d + 1) / gaps, 2)) + levels * log(beta / levels, 2)
        return NORM_BITS * B + codes + 2 * nonzeros

    return law.replace(bound=once)


judge.sabotage(
    "one-norm at exact/sixteen-blocks: Charge one norm for $B$ blocks: $32(B-1)$ bits too few. "
    "| bound = bound(B = 1)",
    "finer-steps at exact/one-level, exact/messages: Take a quarter of the steps: levels four times as high.",
    lambda law: law.replace(quantizer=_FinerSteps),
)


class _FinerSteps(StochasticQuantizer):
    """A quarter of the steps that it is given."""

    def __init__(self, h: Any, **options: Any) -> None:
        super().__init__(np.asarray(h) / 4, **options)


judge.sabotage_data(
    "reversed-coordinates, neutral at exact/*coordinate*, exact/*-d1*, exact/*-d64, exact/varying-steps, "
    "exact/*blocks: Reverse input, steps and blocks alike: the length changes, its bound does not.",
    lambda chosen, **_: {"chosen": chosen.reversed()},
)


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
        h = np.array(expand_steps(self.steps, lengths, self.d))
        return float(sum(np.linalg.norm(1 / part) for part in np.split(h, np.cumsum(lengths)[:-1])))

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        steps = (
            self.steps if len(self.steps) <= 12 else {"smallest": min(self.steps), "largest": max(self.steps)}
        )
        return {"d": self.d, "steps": steps, "blocks": self.blocks, "inputs": len(self.inputs)}

    def quantizer(self, make: Callable[..., StochasticQuantizer]) -> StochasticQuantizer:
        """Return the quantizer of the instance."""
        steps = self.steps[0] if len(self.steps) == 1 else list(self.steps)
        return make(steps, blocks=list(self.blocks) if self.blocks else None, norm_bits=NORM_BITS)

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


def lengths(law: Law, chosen: Instance) -> Comparisons:
    """Hold the bound against its literal form, and the exact expected bits at each input against it."""
    beta, d, B = chosen.beta, chosen.d, chosen.B
    most, witness = law("bound", beta=beta, d=d, B=B), {"beta": beta, "d": d, "B": B}
    yield eq("literal bound", literal_bound(beta, d, B), most, ROUND_OFF, witness=witness)
    for place, bits in enumerate(chosen.quantizer(law.quantizer).expected_bits(np.array(chosen.inputs))):
        at = {"input": place, **witness}
        yield le("expected bits", float(bits), most, ROUND_OFF, witness=at, headline=True)


for _name, _instance in INSTANCES.items():
    judge.exact(instance=_name, parameters=_instance.parameters, chosen=_instance)(lengths)


@judge.exact(quantizers=200)
def random(law: Law, quantizers: int) -> Comparisons:
    """Random steps, blocks and inputs, of dimensions 1 to 40 and budgets of many sizes."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for case in range(quantizers):
        d = int(rng.integers(1, 41))
        cuts = np.flatnonzero(rng.random(d - 1) < rng.choice([0.0, 0.2]))
        blocks = np.diff([0, *(cuts + 1), d])
        h = np.exp(rng.normal(rng.normal(0, 2), rng.choice([0.0, 1.0]), size=d))
        x = rng.choice([0.0, 1.0], size=d) if case % 2 else np.exp(rng.normal(0, 3, size=d))
        yield from lengths(law, Instance(tuple(h), (tuple(x),), tuple(map(int, blocks))))


@judge.exact(
    steps=[(1.0,), (0.3,), (2.0,), (0.5, 2.0)],
    x=[(1.0, 1.0, 1.0, 1.0), (3.0, 0.0, 4.0, 0.0), (1.0, 2.0, 4.0, 8.0)],
)
def messages(law: Law, steps: Any, x: Any) -> Comparisons:
    """The bits of the messages that are sent, over all outcomes of the rounding."""
    instance = Instance(steps, (x,), (2, 2) if len(steps) == 2 else None)
    quantizer = instance.quantizer(law.quantizer)
    mean = sum(
        float(chance) * quantizer.message(np.array(x), draws).bits for chance, draws in quantizer.outcomes(x)
    )
    most = law("bound", beta=instance.beta, d=instance.d, B=instance.B)
    yield le("bits of messages", mean, most, ROUND_OFF)


@judge.adversarial(
    label="searched bits",
    instances={"d1": {"d": 1}, "d3": {"d": 3}},
    searched="input and logarithms of the steps",
)
def searched(law: Law, d: int, **_: Any) -> AdversarialCase:
    """Search over input and steps at once for the largest quotient of expected bits and bound."""

    def split(points: Any) -> tuple[Any, Any]:
        # Steps from 1e-5 to 1e5: budgets from nothing to many levels.
        return points[:, :d], np.exp(np.clip(points[:, d:], -11.0, 11.0))

    def value(points: Any) -> Any:
        x, h = split(points)
        return law.quantizer(h, norm_bits=NORM_BITS).expected_bits(x)

    def most(points: Any) -> Any:
        budgets = np.sqrt((split(points)[1] ** -2.0).sum(axis=1))
        return np.array([law("bound", beta=float(beta), d=d, B=1) for beta in budgets])

    starts: Sequence[Any] = ([1.0] * d + [9.0] * d, [1.0] * d + [0.0] * d, [1.0] * d + [-9.0] * d)
    return AdversarialCase(value, most, 2 * d, starts=starts, scale_invariant=False, budget=500)
