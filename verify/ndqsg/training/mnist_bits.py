"""Checks of `ndqsg/mnist-bits`: lengths, messages of the network, and runs on the digits and on MNIST."""

from collections.abc import Sequence

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le, lt
from verify.comparison import LONG_RUN, ROUND_OFF
from verify.experiments.ndqsg.mnist_bits import (
    LEVELS,
    MEDIANS,
    RATIO,
    Data,
    counts_of,
    course,
    late,
    ratios,
    raw_bits,
    stated,
)
from verify.rungs.costs import CostCase, Ordering

REPLICATES = 120
"""As many decide at every master seed, where 60 left one in five open."""

judge = checks_of("ndqsg/mnist-bits", order=1, ratio=RATIO, counts=counts_of, runs=REPLICATES)

judge.sabotage(
    "turned at exact/digits: Turn the methods. | order = -1",
    "five-symbols at exact/messages: Nest with five symbols. | ratio = 5",
    "half-gain at exact/merged: Merging gains half of it. | gain = gain / 2",
    "exchanged at exact/merged: Take the symbols for the indices.",
    {"counts": lambda *given: counts_of(*given)[::-1]},
    "far-more-outside at exact/digits: Claim that most coordinates leave the margin. "
    "| outside_digits = 9 / 10",
    "large-errors at exact/digits: Claim ten times the errors. | error_digits = 10 * error_digits",
    "equal-gradients at exact/digits: Claim gradients that are nearly equal at first. "
    "| early_digits = 9 / 10",
    "no-correlation at exact/digits: Claim none later. | late_digits = 0",
    "a-third at run/medians: Claim a third of the raw bits of nested for coded DQSG, over half of the runs. "
    "| median_packed = 1 / 3, runs = 60",
    "no-excess at exact/digits: Claim the ideal length of the range coder. | real_digits = 1",
    "twice-the-bits at exact/digits: Claim a run with twice the raw bits. | saves_none = 2",
    "three-fifths at exact/digits: Claim three fifths of the raw and of the coded bits. "
    "| raw_digits = 3 / 5, coded_digits = 3 / 5",
)


@judge.exact(d=[50, 2000], spread=[0.1, 0.5])
def merged(law: Law, d: int, spread: float) -> Comparisons:
    """Ideal lengths of a message in indices and in symbols, in nats, against what merging gains."""
    rng = np.random.default_rng([d, int(10 * spread)])
    x = np.clip(spread * rng.standard_normal(d), -1, 1)
    indices, symbols = law.counts(x, rng, RATIO)
    gained = 0.0
    for residue in range(RATIO):
        parts = [count for at, count in enumerate(indices) if (at - LEVELS) % RATIO == residue and count]
        while len(parts) > 1:
            one, other = parts.pop(), parts.pop()
            gained += law("gain", a=one, b=other)
            parts.append(one + other)
    saved = _length(indices) - _length(symbols)
    yield eq("saved by symbols", saved, gained, LONG_RUN, headline=True)
    yield le("length of symbols", _length(symbols), _length(indices), ROUND_OFF)


def _length(counts: Sequence[int]) -> float:
    """Return n log n less the sum of c log c."""
    found = np.array([count for count in counts if count], dtype=float)
    return float(found.sum() * np.log(found.sum()) - (found * np.log(found)).sum())


@judge.exact()
def messages(law: Law) -> Comparisons:
    """What the codecs send of all tensors of the network on MNIST."""
    for name, ratio in (("first", None), ("second", law.ratio)):
        sent = raw_bits(LEVELS, ratio)
        yield eq("bits of an iteration", sent, law.exactly(name), witness={"message": name}, headline=True)


@judge.costs(
    label="medians",
    parameters={"replicates": REPLICATES, "iterations": MEDIANS.iterations, "workers": MEDIANS.workers},
)
def medians(law: Law) -> CostCase:
    """Ratios of bits to the accuracy, of runs on the same rows."""
    claims = [
        Ordering("nested raw / raw", "one", law("median_raw")),
        Ordering("coded / nested coded", "one", law("median_coded")),
        Ordering("nested coded / coded", "one", law("median_coded")),
        Ordering("coded / nested raw", "one", law("median_packed")),
    ]
    return CostCase(ratios(law.runs), claims)


def _runs(law: Law, data: Data) -> Comparisons:
    """Bits to the accuracy, run by run."""
    goal, most = stated(f"accuracy_{data}"), 0.0
    for seed in range(int(stated("seeds"))):
        plain, nested = [course(data, name, seed) for name in ("dqsg-3", "nested-3-3")][:: law.order]
        witness = {"data": data, "seed": seed}
        raw, nested_raw = plain.at(plain.raw, goal), nested.at(nested.raw, goal)
        most = max(most, nested_raw / raw)
        coded, nested_coded = plain.at(plain.coded, goal), nested.at(nested.coded, goal)
        yield le("raw bits in each run", nested_raw, law(f"raw_{data}") * raw, ROUND_OFF, witness=witness)
        bound = law(f"coded_{data}") * nested_coded
        yield le("coded bits in each run", coded, bound, ROUND_OFF, witness=witness)
        for run in (plain, nested):
            yield le("range coder", run.really, law(f"real_{data}"), ROUND_OFF, witness=witness)
        bound = law(f"packed_{data}") * nested_raw
        yield le("coded beside raw bits", coded, bound, ROUND_OFF, witness=witness)
    if data == "digits":
        yield lt("raw bits of the run that saves least", law("saves_none"), most, ROUND_OFF)


def _layers(law: Law, data: Data) -> Comparisons:
    """Correlation of gradients, and what the innovations of nested messages did, layer by layer."""
    for seed in range(int(stated("seeds"))):
        plain, nested = (course(data, name, seed) for name in ("dqsg-3", "nested-3-3"))
        for tensor, seen in plain.layers.items():
            witness = {"data": data, "seed": seed, "tensor": tensor}
            if tensor % 2 == 0:
                first, later = seen[0].correlation, np.mean([one.correlation for one in late(data, seen)])
                yield le("correlation at first", law(f"early_{data}"), first, ROUND_OFF, witness=witness)
                yield le("correlation later", float(later), law(f"late_{data}"), ROUND_OFF, witness=witness)
            seen = nested.layers[tensor]
            share = min(one.outside for one in seen)
            yield le("outside of the margin", law(f"outside_{data}"), share, ROUND_OFF, witness=witness)
            error = float(np.mean([one.error for one in seen]))
            yield le("error over D", law(f"error_{data}"), error, ROUND_OFF, witness=witness)


def _both(law: Law, data: Data) -> Comparisons:
    """Bits and layers of the same runs, which are made once."""
    yield from _runs(law, data)
    yield from _layers(law, data)


judge.exact(instance="digits", data="digits")(_both)
judge.exact(instance="mnist", data="mnist", profile="full", needs="mnist", trained=True)(_both)
