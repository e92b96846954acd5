"""Checks of `squant/bounds`: the two branches against the exact variance, searched and sampled."""

from collections.abc import Sequence
from typing import Any

from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, checks_of, le
from verify.authoring.law import Law, formulas_of
from verify.binding import Check
from verify.comparison import ROUND_OFF
from verify.expectation.weighted_error import weighted_error_sampler
from verify.foreign.adapter import adapt
from verify.foreign.inputs import structured_inputs
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.sabotage.stochastic_quantizer import expand_steps
from verify.squant.fixtures.honest_twin import honest_twin

# `assemble`: from the bound of each block to that of the whole quantizer.
judge = checks_of("squant/bounds", quantizer=StochasticQuantizer, assemble=max)

Vector = tuple[float, ...]


def _instance(
    steps: Vector, weight: Vector, inputs: tuple[Vector, ...], blocks: Any = None
) -> dict[str, Any]:
    return {"steps": steps, "weight": weight, "inputs": inputs, "blocks": blocks}


INSTANCES = {
    "ones-d100": _instance((1.0,), (1.0,) * 100, ((1.0,) * 100,)),
    "quarter-branch": _instance((3.0, 3.0), (4.0, 1.0), ((1.0, 1.0), (1.34, 2.68))),
    "half-levels-d64": _instance((0.125,), (1.0,) * 64, ((3.0,) * 24 + (1.0,) * 40,)),
    "varying-steps": _instance(
        (2.0, 3.0, 6.0), (9.0, 4.0, 1.0), ((0.7, 1.4, 2.5), (3.0, 2.0, 1.0), (0.0, 0.0, 1.0))
    ),
    "two-blocks": _instance(
        (0.5, 2.0),
        (1.0, 2.0, 3.0, 4.0, 5.0),
        ((0.0, 0.0, 1.0, 1.0, 1.0), (1.0, 1.0, 0.0, 0.0, 0.0), (1.0, 2.0, 3.0, 2.0, 1.0)),
        (2, 3),
    ),
    "many-blocks": _instance(
        tuple(0.2 * (k + 1) for k in range(4)),
        tuple(1.0 + (k % 5) for k in range(24)),
        (*tuple(tuple(float(j // 6 == k) for j in range(24)) for k in range(4)), (1.0,) * 24),
        (6, 6, 6, 6),
    ),
}


class _OtherNorm(StochasticQuantizer):
    """The honest quantizer with other norms, that is with larger steps."""

    def factors(self, x: Any) -> list[float]:
        """Return by what the norm of each block is too large."""
        raise NotImplementedError

    def _scaled(self, x: Any) -> StochasticQuantizer:
        steps = [step * factor for step, factor in zip(self.steps, self.factors(x), strict=True)]
        return StochasticQuantizer(steps, blocks=self.blocks)

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        return self._scaled(x).variance(x, weight=weight)

    def sample_chunks(self, x: Any, rng: Any, size: int) -> Any:
        return self._scaled(x).sample_chunks(x, rng, size)


class _NormOne(_OtherNorm):
    def factors(self, x: Any) -> list[float]:
        return [sum(map(abs, x)) / _norm(x)] * len(self.steps)


class _SummedNorms(_OtherNorm):
    def factors(self, x: Any) -> list[float]:
        norms = [_norm(x[part]) for part in _parts(self.blocks)]
        return [sum(norms) / (norm or 1.0) for norm in norms]  # a block of norm 0 sends nothing


def _norm(x: Any) -> float:
    return float(sum(item * item for item in x) ** 0.5)


def _parts(lengths: Sequence[int]) -> list[slice]:
    ends = [sum(lengths[: k + 1]) for k in range(len(lengths))]
    return [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]


judge.sabotage(
    "l1-norm at */ones-d100: Quantize with the 1-norm and keep the bound: at ones, d = 100, h = 1 the "
    "variance is 9.9 times the bound instead of 0.9 times.",
    {"quantizer": _NormOne},
    "summed-block-norms at exact/many-blocks: Quantize every block with the sum of the norms of all blocks.",
    {"quantizer": _SummedNorms},
    "halved-coarse-bound at exact/ones-d100, adversarial/varying-steps: Half the coarse branch: the exact "
    "supremum lies above it. | coarse = coarse / 2",
    "mean-over-blocks at exact/many-blocks, adversarial/many-blocks, adversarial/two-blocks: The mean over "
    "the blocks instead of the maximum.",
    {"assemble": lambda values: sum(values) / len(values)},
)
judge.sabotage_data(
    "permuted-coordinates, neutral: Permute the coordinates of inputs, steps, blocks and weights alike: "
    "nothing may change.",
    lambda steps, weight, inputs, blocks: _instance(
        steps[::-1], weight[::-1], tuple(x[::-1] for x in inputs), blocks and blocks[::-1]
    ),
    at=tuple(f"exact/{name}" for name in INSTANCES),
)


def constant(law: Law, steps: Any, weight: Any, blocks: Any) -> float:
    """Return the largest over the blocks of the smaller branch."""
    lengths = blocks or (len(weight),)
    h, values = expand_steps(steps, lengths, len(weight)), []
    for part, length in zip(_parts(lengths), lengths, strict=True):
        arguments = {"L": weight[part], "h": h[part], "d": length}
        values.append(min(law("coarse", **arguments), law("quarter", **arguments)))
    return float(law.assemble(values))


@judge.exact(instances=INSTANCES)
def variance(law: Law, steps: Any, weight: Any, inputs: Any, blocks: Any) -> Comparisons:
    """The exact variance against the bound times the squared norm."""
    quantizer = law.quantizer(steps, blocks=blocks and list(blocks))
    bound = constant(law, steps, weight, blocks)
    for x in inputs:
        square = sum(item * item for item in x)
        yield le("variance", quantizer.variance(x, weight=weight), bound * square, ROUND_OFF)


@judge.adversarial(
    label="searched variance",
    instances={
        name: INSTANCES[name] for name in ("quarter-branch", "varying-steps", "two-blocks", "many-blocks")
    },
)
def searched(law: Law, steps: Any, weight: Any, inputs: Any, blocks: Any) -> AdversarialCase:
    """Inputs at which the variance comes near the bound."""
    quantizer = law.quantizer(steps, blocks=blocks and list(blocks))
    bound = constant(law, steps, weight, blocks)
    return AdversarialCase(
        lambda points: quantizer.variance(points, weight=weight),
        lambda points: bound * (points**2).sum(axis=-1),
        len(weight),
        starts=inputs,
        budget=6000,
    )


@judge.montecarlo(label="sampled variance", instances={"ones-d100": INSTANCES["ones-d100"]})
def sampled(law: Law, steps: Any, weight: Any, inputs: Any, blocks: Any) -> MonteCarloCase:
    """At the ones vector the variance is 9 and the bound 10 times the squared norm."""
    sample = weighted_error_sampler(law.quantizer(steps), inputs[0])
    # No coordinate is off by a whole step, 10 times its size here.
    return MonteCarloCase(
        "le", sample, constant(law, steps, weight, blocks) * len(weight), upper=100.0 * len(weight)
    )


def checks_for(compressor: Any, d: int) -> tuple[Check, ...]:
    """Return checks that a compressor with `steps` (and `blocks`) keeps the bound of the claim.

    Raises:
        UsageError: It has no steps.
    """
    law = Law("squant/bounds", formulas_of("squant/bounds"), judge.implementations)
    foreign, twin = adapt(compressor, d, None), honest_twin(compressor)
    blocks = None if twin.blocks is None else tuple(twin.blocks)
    h = [float(step) for step in expand_steps(twin.steps, blocks or (d,), d)]
    bound = constant(law, h, (1.0,) * d, blocks)

    def case(x: Any) -> MonteCarloCase:
        square = float(x @ x)
        # No coordinate is off by a whole step, so the squared error is below the sum of h^2 |x|^2.
        return MonteCarloCase(
            "le",
            lambda rng, size: foreign.squared_errors(x, rng, size),
            bound * square,
            upper=square * sum(step**2 for step in h),
        )

    inputs = (structured_inputs(d)[0], structured_inputs(d)[-1])
    return tuple(Check("montecarlo", f"input-{index}", case(x), {"d": d}) for index, x in enumerate(inputs))
