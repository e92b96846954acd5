"""Checks of `ndqsg/finding-seed-cycle`: chains of seeds as public code draws them, and errors that repeat."""

import math
from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.experiments.ndqsg.seed_chain import COORDINATES, SEEDS, STARTS, chain_from, literal_next_seed
from verify.rungs.montecarlo import MonteCarloCase

QUICK = (7, 8)
"""Places of the chains that repeat first, one of each cycle."""
LONGEST = 2000

judge = checks_of(
    "ndqsg/finding-seed-cycle",
    quantizer=DitheredQuantizer,
    coordinates=COORDINATES,
)

judge.sabotage(
    "one-more-coordinate at exact/chains-quick: Draw one number more for each dither: other chains. "
    "| coordinates = 11",
    "shorter-cycle at exact/chains-*: Claim half the cycles. | cycle = cycle / 2",
    "later at exact/chains-*: Claim repeats one step later. | first = first + 1",
    "squared at exact/few-seeds: Claim that half as many seeds repeat as early. | bound = bound(N = N / 2)",
    "rare at exact/training: Claim that a training rarely repeats. | training = training / 2",
    "averaged at montecarlo/repeated: Claim that cycles average. | repeated = repeated / 4",
    "not-averaged at montecarlo/independent: Claim that fresh errors do not. | independent = repeated",
)


def probability(k: int, numbers: int) -> F:
    """Return the probability that none of k seeds repeats, each drawn afresh."""
    return math.prod((F(numbers - i, numbers) for i in range(k)), start=F(1))


@judge.exact(numbers=[3, 10, 365])
def few_seeds(law: Law, numbers: int) -> Comparisons:
    """All numbers of steps for few seeds."""
    for k in range(numbers + 2):
        found = float(probability(k, numbers))
        yield le("no repeat", found, law("bound", k=k, N=numbers), ROUND_OFF, witness={"k": k})


@judge.exact(numbers=SEEDS, steps=1500)
def training(law: Law, numbers: int, steps: int) -> Comparisons:
    """The seeds and steps of the public code."""
    found = float(probability(steps, numbers))
    yield le("no repeat", found, law("bound", k=steps, N=numbers), ROUND_OFF)
    yield le("no repeat in a training", found, law("training"), ROUND_OFF, headline=True)


@judge.exact(instance="chains-all", places=tuple(range(len(STARTS))), profile="full")
@judge.exact(instance="chains-quick", places=QUICK)
def chains(law: Law, places: tuple[int, ...]) -> Comparisons:
    """Chains of seeds until one comes again, and some steps behind it."""
    for place in places:
        start = STARTS[place]
        chain = chain_from(start, law.coordinates, LONGEST)
        witness = {"seed": start}
        yield eq("first repeat", len(chain.seeds), law.exactly("first", k=place), witness=witness)
        yield eq("length of the cycle", chain.cycle, law.exactly("cycle", k=place), witness=witness)
        behind, seed = chain.seeds[chain.entry :], chain.seeds[-1]
        for known in behind[:3]:
            seed = literal_next_seed(seed)
            yield eq("later seeds", seed, known, witness=witness)


def _averages(law: Law, seeds: Sequence[int], count: int, steps: int) -> Any:
    """Return squared average errors of a dithered quantizer with two levels, a seed for each cycle."""
    quantizer = law.quantizer(2)
    x = np.broadcast_to(np.array([1.0, 0.3]), (count, steps, 2))
    total = np.zeros(count)
    for seed in seeds:
        draws = quantizer.draw(np.random.Generator(np.random.Philox(seed)), x.shape)
        total += (quantizer.compress(x, draws) - x)[..., 1].mean(axis=1)
    return (total / len(seeds)) ** 2


# A scale of one and two levels: the error is uniform on a cell of half.
VARIANCE, LARGEST = 1 / 48, 1 / 16


@judge.montecarlo(label="repeated errors", steps=5, cycles=4)
def repeated(law: Law, steps: int, cycles: int) -> MonteCarloCase:
    """One cycle of dithers, over and over: its errors are averaged once."""

    def sample(rng: Any, size: int) -> Any:
        return _averages(law, [int(rng.integers(2**63))] * cycles, size, steps)

    stated = law("repeated", c=steps, sigma_sq=VARIANCE)
    return MonteCarloCase("eq", sample, stated, upper=LARGEST, resolution=0.05)


@judge.montecarlo(label="fresh errors", steps=5, cycles=4)
def independent(law: Law, steps: int, cycles: int) -> MonteCarloCase:
    """Fresh dithers in each cycle."""

    def sample(rng: Any, size: int) -> Any:
        return _averages(law, rng.integers(2**63, size=cycles).tolist(), size, steps)

    stated = law("independent", c=steps, m=cycles, sigma_sq=VARIANCE)
    return MonteCarloCase("eq", sample, stated, upper=LARGEST, resolution=0.05)
