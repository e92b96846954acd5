"""Checks of `ndqsg/exp-digits`: bits of runs and of the wire, errors along runs, accuracy, literal runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import theory
from impl.coding.symbol_words import symbols_per_word
from impl.networks import Convolutional, FullyConnected
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import LONG_RUN, Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.network_functions import OTHER_SCORES, network_functions, network_losses, scored
from verify.experiments.ndqsg import sabotaged_training as sabotage
from verify.experiments.ndqsg.training_bits import (
    FIXED,
    OVER_THE_WIRE,
    alphabet_of,
    bits_without_scales,
    compare_bits,
    compare_wire,
    entropy_bits,
    method_in,
    stated_message,
)
from verify.experiments.ndqsg.training_errors import NEAR, arms, recorded, surplus
from verify.experiments.ndqsg.training_methods import METHODS, Setting
from verify.experiments.ndqsg.training_variants import DEEP, LONG, SHORT, VARIANTS, methods_in, parameters_of
from verify.ndqsg.fixtures.arguments.training_arguments import training_inside, training_outside
from verify.ndqsg.fixtures.central_differences import STEP, compare_gradients, small_networks
from verify.ndqsg.fixtures.literal.literal_trace import OTHER_TRACES, compare_traces, traced
from verify.ndqsg.fixtures.literal.literal_workers import CLASSES, FAULTS, FEATURES, HONEST, compare_training
from verify.ndqsg.fixtures.literal.literal_workers import METHODS as TRAINED
from verify.ndqsg.fixtures.nested_overload_oracle import conditional_error
from verify.rungs.costs import CostCase, Ordering, Samples
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.uniformity_case import UniformityCase

ID = "ndqsg/exp-digits"
NESTED = FIXED[2:]

REPLICATES, SEVERAL, MANY = 40, 64, 100
"""For the medians of accuracies; a fully connected network scatters by three points.

With a dither of half the width 40 left one master seed in twenty open.
"""

TOLERANCE = {"tolerance": "in parts of the largest square of a coordinate, (1/2 + k |j|)^2"}
"""How far the mean square may be off its conditional mean, as part (j) says.

The largest square has the farther one of the two cells; it may be much more than the mean square itself.
"""

HIDDEN = (FEATURES, 5, CLASSES)


def _loss(name: str, points: float) -> Ordering:
    return Ordering(f"loss, {name}", "one", 1 + points)


judge = checks_of(
    ID,
    methods=(),
    kind=None,
    price=stated_message,
    alphabet=alphabet_of,
    held=symbols_per_word,
    oracle=conditional_error,
    accuracy=_loss,
    literal=HONEST,
    network=FullyConnected,
    taken=taken,
    seen=traced,
    scored=scored,
)

# ---------------------------------------------------------------- sabotages


judge.sabotage(*REFUSALS, *OTHER_TRACES, *OTHER_SCORES)


judge.sabotage(
    "scales-free at exact/bits: Leave out the bits of the scales.",
    {"price": bits_without_scales, "methods": FIXED[:2]},
    "smaller-alphabet at exact/bits: Count $\\log_22M$ bits for an index, without its zero.",
    lambda law: law.replace(alphabet=lambda codec: alphabet_of(codec) - 1, methods=FIXED[:2]),
    "entropy at exact/bits: Count $d\\log_2A$ bits, no whole words.",
    {"price": entropy_bits, "methods": FIXED[:2]},
    "header-free at exact/wire: Leave out headers and checksums of what travels. | wire = exact",
    "one-symbol-less at exact/words: Words hold one symbol less.",
    {"held": lambda alphabet: symbols_per_word(alphabet) - 1},
    "one-symbol-more at exact/words: Words hold one symbol more.",
    {"held": lambda alphabet: symbols_per_word(alphabet) + 1},
)


def _coded(kind: Any) -> dict[str, Any]:
    return {"kind": kind, "methods": ("nested-3-3",)}


judge.sabotage(
    "half-width at run/uniform-errors: A dither of half width at both ends.",
    _coded(sabotage.HalfWidth),
    "one-dither-for-all at run/uniform-errors: All workers use the dither of one.",
    _coded(sabotage.OneForAll),
    "frozen-dither at run/uniform-errors: The dither of the first iteration always.",
    _coded(sabotage.Frozen),
    "dither-not-subtracted at run/decoding: The receiver keeps the dither.",
    _coded(sabotage.NotSubtracted),
    "side-off-by-a-step at run/decoding: Side information one fine step too high.",
    _coded(sabotage.SideOff),
    "smaller-ratio at run/decoding: The receiver reduces by $k-1$.",
    _coded(sabotage.SmallerRatio),
    r"narrow-scale at run/decoding: Scales of $\frac45\|g\|_\infty$: some clip.",
    _coded(sabotage.NarrowScale),
    "other-coset-element, neutral at run/decoding: Send other elements of the cosets: nothing may change at "
    "the receiver.",
    _coded(sabotage.OtherCosetElement),
)


judge.sabotage(
    r"without-half-step at run/mean-square: The mean square with $\pi=\max(0,|w|-\frac k2)$: no overload "
    "next to the margin.",
    {"oracle": sabotage.without_half_step},
    "claims-a-lead at run/accuracy, run/accuracy-half-width: Claim an accuracy two points above that of SGD.",
    {"accuracy": lambda name, points: Ordering("one", f"lead, {name}", 1 / (1 + points))},
    "no-mask at exact/literal-hidden-*, exact/gradients: The slope passes rectified units whatever their "
    "sign.",
    {"network": sabotage.Unmasked},
)


_LITERAL = {
    "one-worker-less at exact/literal-*": r"Decoded messages are divided by $P-1$.",
    "half-momentum at exact/literal-*": "Half the momentum.",
    "lost-residual at exact/literal-one-bit": "Messages of one bit without error feedback.",
    "long-floats at exact/literal-sgd": "Numbers that travel as they are have 64 bits.",
    "no-term-of-the-mean at exact/literal-nested-adaptive": "Adaptive ratios from the variance of the "
    "messages alone, without that of their mean.",
    "worst-score at exact/literal-*": "A row is in the class of its smallest score.",
}
for _fault, _text in _LITERAL.items():
    judge.sabotage(f"{_fault}: {_text}", literal=FAULTS[_fault.partition(" ")[0]])


# ---------------------------------------------------------------- bits


@judge.exact(alphabets=(2, 3, 4, 5, 7, 15, 255, 256, 65536))
def words(law: Law, alphabets: Sequence[int]) -> Iterable[Comparison]:
    """Numbers below A^w are w digits of base A: a word holds w symbols iff there are at most 2^64."""
    for A in alphabets:
        held = law.held(A)
        yield eq("symbols in a word", held, law.exactly("per_word", A=A), witness={"A": A})
        yield le("full word", A**held, 2**64, witness={"A": A})
        yield le("one symbol more", 2**64 + 1, A ** (held + 1), witness={"A": A})


@judge.exact(parameters=parameters_of(Setting(iterations=2), FIXED))
def bits(law: Law) -> Iterable[Comparison]:
    """All messages of two iterations, and of one iteration in blocks."""
    yield from compare_bits(law, Setting(iterations=2), law.methods or FIXED)
    yield from compare_bits(law, Setting(iterations=1), FIXED[1:2], "blocks-256")


@judge.exact(parameters=parameters_of(OVER_THE_WIRE, FIXED))
def wire(law: Law) -> Iterable[Comparison]:
    """All bytes between real senders and receivers."""
    return compare_wire(law)


@judge.exact(
    instances={"totals": {"iterations": 4}},
    parameters=parameters_of(Setting(iterations=4), FIXED),
)
def totals(law: Law, iterations: int) -> Iterable[Comparison]:
    """Bits of softmax regression, in equal parts of each iteration, against the stated totals."""
    for name, case in zip(FIXED, theory.claim(ID).worst_cases, strict=True):
        sent = Setting(iterations=iterations).run(METHODS[name], np.random.default_rng(2), 1).bits
        stated = law.exactly("exact", **case.values)
        found = 200 // iterations * int(sent.sum())
        yield eq("bits of 200 iterations", found, stated, headline=True, witness={"method": name})


judge.exact(
    instances={"table": {"iterations": 200}}, parameters=parameters_of(Setting(), FIXED), profile="full"
)(totals)


# ---------------------------------------------------------------- errors


_SAMPLED = ("dqsg-1", "nested-3-3")  # the first group of the second method has M = 3


@judge.samples(
    label="uniform errors",
    parameters=parameters_of(SHORT, _SAMPLED),
    settings={"short": SHORT},
    methods=_SAMPLED,
)
def uniform_errors(law: Law, settings: Mapping[str, Setting], methods: Sequence[str]) -> UniformityCase:
    """Fine errors of one run for each setting and method."""

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        return [
            arm
            for variant, setting in settings.items()
            for name in law.methods or methods
            for arm in arms(recorded(setting, method_in(name, variant, law.kind), rng))
        ]

    return UniformityCase(sample, batches=1)


@judge.drift(parameters=parameters_of(SHORT, NESTED), setting=SHORT, methods=NESTED)
def decoding(
    law: Law, rng: Any, setting: Setting, methods: Sequence[str], variant: str = ""
) -> Iterable[Comparison]:
    """Compare every recorded error with that of the recorded dither and innovation; count clips."""
    for name in law.methods or methods:
        for tensor, part in enumerate(recorded(setting, method_in(name, variant, law.kind), rng)):
            stated, seen = part.stated_errors, np.isfinite(part.errors)
            off = int((np.abs(part.errors - stated)[seen] > NEAR * (1 + np.abs(stated[seen]))).sum())
            witness = {"method": name, "tensor": tensor, "coordinates": int(seen.sum())}
            yield eq("errors off the identity", off, 0, witness=witness)
            yield eq("clipped indices", part.clips, 0, witness=witness)
            for z, e, k, error in part.largest_innovations():
                yield eq("error at the largest innovation", error, law("wrapped", z=z, e=e, k=k), LONG_RUN)
            found, expected = (float(np.nansum(errors**2)) for errors in (part.errors, stated))
            yield eq("sum of squares", found, expected, LONG_RUN, witness=witness, headline=True)


@judge.samples(
    label="mean square",
    parameters={**parameters_of(Setting(iterations=12), ("nested-1-2",)), **TOLERANCE},
    settings={"short": Setting(iterations=12)},
    # With k = 2 every overload beside the margin is to the nearest cell, where the half step decides.
    methods=("nested-1-2",),
)
def mean_square(law: Law, settings: Mapping[str, Setting], methods: Sequence[str]) -> MonteCarloCase:
    """Squared errors less their means given z, relative to the largest squares.

    A bet on bounded values whose mean given the past is 0 is a martingale along a run as well as over runs.
    """

    def sample(rng: np.random.Generator, size: int) -> Any:
        found = [
            surplus(recorded(setting, method_in(name, variant), rng), law.oracle)
            for variant, setting in settings.items()
            for name in methods
        ]
        return np.concatenate(found)

    return MonteCarloCase("eq", sample, 0.0, lower=-1.0, upper=1.0, tolerance=law("tolerated") / 100)


# ---------------------------------------------------------------- accuracy


@judge.costs(
    label="accuracy",
    parameters={**parameters_of(Setting(iterations=20), ("sgd", "dqsg-3")), "replicates": REPLICATES},
    settings={"softmax": Setting(iterations=20)},
    replicates=REPLICATES,
)
def accuracy(law: Law, settings: Mapping[str, Setting], replicates: int, codec: Any = None) -> CostCase:
    """Medians of 1 plus the loss of accuracy of DQSG, M = 3, against SGD on the same rows."""

    def samples(stream: Callable[[int], Any]) -> dict[str, Samples]:
        found: dict[str, Samples] = {"one": (np.ones(replicates), np.ones(replicates))}
        for place, (variant, setting) in enumerate(settings.items()):
            sgd, dqsg = (
                setting.run(method, stream(place), replicates).accuracy[:, -1]
                for method in (METHODS["sgd"], method_in("dqsg-3", variant, codec))
            )
            for name, gap in ((f"loss, {variant}", sgd - dqsg), (f"lead, {variant}", dqsg - sgd)):
                found[name] = 1 + gap, 1 + gap
        return found

    return CostCase(samples, [law.accuracy(name, law("points")) for name in settings])


judge.costs(
    instance="accuracy-200",
    label="accuracy",
    profile="full",
    parameters={"settings": list(LONG), "iterations": 200, "replicates": MANY},
    settings=LONG,
    replicates=MANY,
)(accuracy)
# Its errors are not uniform, as `uniform_errors` finds; its accuracy does not show it.
judge.costs(
    instance="accuracy-half-width",
    label="accuracy with a dither of half the width",
    parameters={
        **parameters_of(Setting(iterations=20), ("sgd", "dqsg-3")),
        "replicates": SEVERAL,
        "width": "1/2",
    },
    settings={"softmax": Setting(iterations=20)},
    replicates=SEVERAL,
    codec=sabotage.HalfWidth,
)(accuracy)


# ---------------------------------------------------------------- all settings


def _all_bits(law: Law, setting: Setting, variant: str) -> Iterable[Comparison]:
    return compare_bits(law, setting, methods_in(variant), variant)


for _name, _setting in {**VARIANTS, **DEEP}.items():
    _shown = parameters_of(_setting, methods_in(_name))
    judge.exact(instance=f"bits-{_name}", profile="full", parameters=_shown, setting=_setting, variant=_name)(
        _all_bits
    )
    judge.drift(
        instance=f"decoding-{_name}",
        profile="full",
        parameters=_shown,
        setting=_setting,
        methods=methods_in(_name),
        variant=_name,
    )(decoding)
for _name, _settings in {"softmax": VARIANTS, "networks": DEEP}.items():
    _all = {"settings": list(_settings)}
    judge.samples(
        instance=f"uniform-errors-{_name}",
        label="uniform errors",
        profile="full",
        parameters={**_all, "methods": FIXED},
        settings=_settings,
        methods=FIXED,
    )(uniform_errors)
    judge.samples(
        instance=f"mean-square-{_name}",
        label="mean square",
        profile="full",
        parameters={**_all, "methods": NESTED, **TOLERANCE},
        settings=_settings,
        methods=NESTED,
    )(mean_square)


# ---------------------------------------------------------------- literal


def _literal(law: Law, method: str, widths: Sequence[int]) -> Iterable[Comparison]:
    """A small training against the literal one: losses, weights, accuracies and bits."""
    return compare_training(method, law.literal, law.network(widths))


judge.exact(
    instances={
        **{f"literal-{name}": {"method": name, "widths": (FEATURES, CLASSES)} for name in TRAINED},
        **{f"literal-hidden-{name}": {"method": name, "widths": HIDDEN} for name in ("sgd", "nested")},
    }
)(_literal)
# Of the kind of "literal-hidden-nested" and "literal-dithered", which notice all that it notices.
judge.exact(instances={"literal-hidden-dithered": {"method": "dithered", "widths": HIDDEN}}, profile="full")(
    _literal
)


@judge.exact(parameters={"networks": ["(6, 7, 4, 3)", "convolutional (2, 3), 5, 4"], "h": STEP})
def gradients(law: Law) -> Iterable[Comparison]:
    """Every third entry of each gradient against the central difference of losses."""
    for network in (law.network((6, 7, 4, 3)), Convolutional((2, 3), 5, 4)):
        yield from compare_gradients(network)


@judge.exact(widths=HIDDEN)
def domain(law: Law, widths: Sequence[int]) -> Iterable[Comparison]:
    """Counts, codecs, weights and rows that training and networks take."""
    del widths
    yield from arguments(law.taken, training_inside(), training_outside())


@judge.exact(instance="traced", widths=HIDDEN[::2])
def traces(law: Law, widths: Sequence[int]) -> Iterable[Comparison]:
    """Errors and overloads that a trace of messages counts, and trainings that overflow."""
    del widths
    yield from compare_traces(law.seen)


@judge.exact(instance="networks", widths=HIDDEN, channels=(2, 2))
def networks(law: Law, widths: Sequence[int], channels: tuple[int, int]) -> Iterable[Comparison]:
    """Weights at the start, scores, losses, slopes and accuracies, unit by unit and pixel by pixel."""
    dense, images = small_networks(widths, channels)
    yield from network_functions(law.scored, dense | images, seed=len(widths))
    yield from network_losses(law.scored, dense, seed=len(widths))
