"""Checks of `ndqsg/exp-digits`: bits of runs and of the wire, errors along runs, and test accuracy."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, Tolerance
from verify.experiments.ndqsg import sabotaged_training as sabotage
from verify.experiments.ndqsg.training_bits import (
    FIXED,
    ID,
    OVER_THE_WIRE,
    Price,
    compare_bits,
    compare_table,
    compare_wire,
    entropy_bits,
    method_in,
    smaller_alphabet,
    stated_message,
    without_scales,
)
from verify.experiments.ndqsg.training_errors import NEAR, arms, recorded, surplus
from verify.experiments.ndqsg.training_methods import METHODS, Setting
from verify.ndqsg.fixtures.literal_workers import FAULTS, compare_training
from verify.ndqsg.fixtures.literal_workers import METHODS as TRAINED
from verify.ndqsg.fixtures.nested_overload_oracle import conditional_cell, conditional_error
from verify.rungs.costs import CostCase, Ordering, Samples
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase
from verify.rungs.uniformity_case import UniformityCase

NESTED = FIXED[2:]

POINTS = 0.02
"""Loss of test accuracy against SGD that is claimed at most."""

REPLICATES, MANY = 40, 100
"""For the medians of accuracies; a fully connected network scatters by three points."""

TOLERATED = 0.02
"""How far the mean square may be off its conditional mean, in parts of the largest square of a coordinate.

That is (1/2 + k |j|)^2 with the farther one of the two cells, not the mean square itself, of which it may be
much more.
"""

TOLERANCE = {"tolerance": f"{TOLERATED:g} of the largest square of a coordinate, (1/2 + k |j|)^2"}

RECORDED = Tolerance(1e-9, "errors in steps lose digits where |g| or |y| is many steps")

SHORT = Setting(iterations=8)
VARIANTS: dict[str, Setting] = {
    "workers-4": Setting(workers=4, iterations=40),
    "workers-8": Setting(iterations=40),
    "workers-16": Setting(workers=16, iterations=40),
    "momentum": Setting(momentum=0.9, step_size=0.1, iterations=40),
    "batch-1024": Setting(batch=1024, iterations=40),
    "blocks-256": Setting(iterations=40),
}
DEEP: dict[str, Setting] = {
    "fully-connected": Setting(network="fully-connected", iterations=25),
    "convolutional": Setting(network="convolutional", iterations=8),
}

Oracle = Callable[[Any, int], Any]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        _bits(),
        _wire(),
        _table(),
        *(_all_bits(name, setting) for name, setting in {**VARIANTS, **DEEP}.items()),
        _uniform(),
        _decoding(),
        _mean_square(),
        _accuracy(),
        *(_in_full(name, settings) for name, settings in (("softmax", VARIANTS), ("networks", DEEP))),
        *(_decoding_in_full(name, setting) for name, setting in {**VARIANTS, **DEEP}.items()),
        *(_squares_in_full(name, settings) for name, settings in (("softmax", VARIANTS), ("networks", DEEP))),
        _accuracy_in_full(),
        *(_literal(name) for name in TRAINED),
    )


def methods_in(variant: str) -> tuple[str, ...]:
    """Return the methods of a variant; the rule for k is for one block per tensor."""
    return FIXED if variant == "blocks-256" else (*FIXED, "nested-adaptive")


# ---------------------------------------------------------------- bits


def _bits() -> Check:
    setting = Setting(iterations=2)

    def case(price: Price = stated_message, methods: Sequence[str] = FIXED[:2]) -> ExactCase:
        return ExactCase(partial(compare_bits, setting, methods, price))

    mutants = {
        "scales-free": case(without_scales),
        "smaller-alphabet": case(smaller_alphabet),
        "entropy-bits": case(entropy_bits),
    }
    return Check("exact", "bits", case(methods=FIXED), _parameters(setting, FIXED), mutants, seconds=0.6)


def _all_bits(name: str, setting: Setting) -> Check:
    methods = methods_in(name)
    case = ExactCase(partial(compare_bits, setting, methods, variant=name))
    parameters = _parameters(setting, methods)
    return Check("exact", f"bits-{name}", case, parameters, seconds=1.0, profile="full")


def _table() -> Check:
    """The stated totals, and the totals of runs of full length."""
    parameters = _parameters(Setting(), FIXED)
    return Check("exact", "table", ExactCase(compare_table), parameters, seconds=2.6, profile="full")


def _wire() -> Check:
    mutants = {"header-free": ExactCase(partial(compare_wire, "exact"))}
    parameters = _parameters(OVER_THE_WIRE, FIXED)
    return Check("exact", "wire", ExactCase(compare_wire), parameters, mutants, seconds=0.4)


# ---------------------------------------------------------------- errors


def uniformity(settings: dict[str, Setting], methods: Sequence[str], kind: Any = None) -> UniformityCase:
    """Return a case on the fine errors of one run for each setting and method."""

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        return [
            arm
            for variant, setting in settings.items()
            for name in methods
            for arm in arms(recorded(setting, method_in(name, variant, kind), rng))
        ]

    return UniformityCase(sample, batches=1)


def _uniform() -> Check:
    # The first group of the second method has M = 3.
    methods = ("dqsg-1", "nested-3-3")
    kinds = {
        "half-width": sabotage.HalfWidth,
        "one-dither-for-all": sabotage.OneForAll,
        "frozen-dither": sabotage.Frozen,
    }
    case = partial(uniformity, {"short": SHORT})
    mutants = {name: Lazy(partial(case, methods[1:], kind), tests=1) for name, kind in kinds.items()}
    base, parameters = Lazy(partial(case, methods), tests=1), _parameters(SHORT, methods)
    return Check("run", "uniform-errors", base, parameters, mutants, seconds=1.1)


def _in_full(name: str, settings: dict[str, Setting]) -> Check:
    case = Lazy(partial(uniformity, settings, FIXED), tests=1)
    parameters = {"settings": list(settings), "methods": FIXED}
    return Check("run", f"uniform-errors-{name}", case, parameters, seconds=6.0, profile="full")


def compare_decoding(
    setting: Setting, methods: Sequence[str], rng: np.random.Generator, variant: str = "", kind: Any = None
) -> Iterable[Comparison]:
    """Compare every recorded error with that of the recorded dither and innovation; count clips."""
    for name in methods:
        for tensor, part in enumerate(recorded(setting, method_in(name, variant, kind), rng)):
            stated, seen = part.stated_errors, np.isfinite(part.errors)
            off = int((np.abs(part.errors - stated)[seen] > NEAR * (1 + np.abs(stated[seen]))).sum())
            witness = {"method": name, "tensor": tensor, "coordinates": int(seen.sum())}
            yield Comparison("errors off the identity", "eq", off, 0, witness=witness)
            yield Comparison("clipped indices", "eq", part.clips, 0, witness=witness)
            found, expected = (float(np.nansum(errors**2)) for errors in (part.errors, stated))
            yield Comparison("sum of squares", "eq", found, expected, RECORDED, witness, headline=True)


def _decoding() -> Check:
    def case(kind: type[DitheredQuantizer] | None = None, methods: Sequence[str] = NESTED) -> DriftCase:
        return DriftCase(lambda rng: compare_decoding(SHORT, methods, rng, kind=kind))

    one = ("nested-3-3",)
    mutants = {
        "dither-not-subtracted": case(sabotage.NotSubtracted, one),
        "side-off-by-a-step": case(sabotage.SideOff, one),
        "smaller-ratio": case(sabotage.SmallerRatio, one),
        "narrow-scale": case(sabotage.NarrowScale, one),
        "other-coset-element": case(sabotage.OtherCosetElement, one),
    }
    return Check("run", "decoding", case(), _parameters(SHORT, NESTED), mutants, seconds=0.6)


def _decoding_in_full(name: str, setting: Setting) -> Check:
    methods = methods_in(name)
    case = DriftCase(lambda rng: compare_decoding(setting, methods, rng, name))
    parameters = _parameters(setting, methods)
    return Check("run", f"decoding-{name}", case, parameters, seconds=0.8, profile="full")


def squares(
    settings: dict[str, Setting], methods: Sequence[str], oracle: Oracle = conditional_error
) -> MonteCarloCase:
    """Return a case on squared errors less their means given z, relative to the largest squares.

    A bet on bounded values whose mean given the past is 0 is a martingale along a run as well as over runs.
    """

    def sample(rng: np.random.Generator, size: int) -> Any:
        found = [
            surplus(recorded(setting, method_in(name, variant), rng), oracle)
            for variant, setting in settings.items()
            for name in methods
        ]
        return np.concatenate(found)

    return MonteCarloCase("eq", sample, 0.0, lower=-1.0, upper=1.0, tolerance=TOLERATED)


def without_half_step(z: Any, ratio: int) -> Any:
    """The mean square as if only |z| > k / 2 could overload."""
    cell, side, _ = conditional_cell(z, ratio)
    part = np.maximum(0.0, np.abs(z - ratio * cell) - ratio / 2)
    jumps = (1 - part) * cell**2 + part * (cell + side) ** 2
    return 1 / 12 - ratio * part * (1 - part) + ratio**2 * jumps


def _mean_square() -> Check:
    # With k = 2 every overload beside the margin is to the nearest cell, where the half step decides.
    setting, methods = Setting(iterations=12), ("nested-1-2",)
    case = partial(squares, {"short": setting}, methods)
    mutants = {"without-half-step": Lazy(partial(case, without_half_step), tests=1)}
    parameters = {**_parameters(setting, methods), **TOLERANCE}
    return Check("run", "mean-square", Lazy(case, tests=1), parameters, mutants, seconds=0.5)


def _squares_in_full(name: str, settings: dict[str, Setting]) -> Check:
    case = Lazy(partial(squares, settings, NESTED), tests=1)
    parameters = {"settings": list(settings), "methods": NESTED, **TOLERANCE}
    return Check("run", f"mean-square-{name}", case, parameters, seconds=2.5, profile="full")


# ---------------------------------------------------------------- accuracy


def accuracies(
    settings: dict[str, Setting], replicates: int, stream: Callable[[int], Any]
) -> dict[str, Samples]:
    """Return 1 plus the loss of accuracy of DQSG, M = 3, against SGD on the same rows; 1 plus its lead."""
    found: dict[str, Samples] = {"one": (np.ones(replicates), np.ones(replicates))}
    for place, (variant, setting) in enumerate(settings.items()):
        sgd, dqsg = (
            setting.run(method, stream(place), replicates).accuracy[:, -1]
            for method in (METHODS["sgd"], method_in("dqsg-3", variant))
        )
        for name, gap in ((f"loss, {variant}", sgd - dqsg), (f"lead, {variant}", dqsg - sgd)):
            found[name] = 1 + gap, 1 + gap
    return found


def accuracy(
    settings: dict[str, Setting], claims: Sequence[Ordering], replicates: int = REPLICATES
) -> CostCase:
    """Return a case on medians of paired differences."""
    return CostCase(partial(accuracies, settings, replicates), claims)


def _accuracy() -> Check:
    setting = Setting(iterations=20)
    settings = {"softmax": setting}
    case = accuracy(settings, [Ordering("loss, softmax", "one", 1 + POINTS)])
    mutants = {"claims-a-lead": accuracy(settings, [Ordering("one", "lead, softmax", 1 / (1 + POINTS))])}
    parameters = {**_parameters(setting, ("sgd", "dqsg-3")), "replicates": REPLICATES}
    return Check("run", "accuracy", case, parameters, mutants, seconds=1.2)


def _accuracy_in_full() -> Check:
    settings = {
        "softmax": Setting(),
        "momentum": Setting(momentum=0.9, step_size=0.1),
        "workers-4": Setting(workers=4),
        "workers-16": Setting(workers=16),
        "fully-connected": Setting(network="fully-connected"),
    }
    case = accuracy(settings, [Ordering(f"loss, {name}", "one", 1 + POINTS) for name in settings], MANY)
    parameters = {"settings": list(settings), "iterations": 200, "replicates": MANY}
    return Check("run", "accuracy-200", case, parameters, seconds=50.0, profile="full")


def _literal(name: str) -> Check:
    """A small training against the literal one: losses, weights, accuracies and bits."""
    more = {"one-bit": "lost-residual", "sgd": "long-floats", "nested-adaptive": "no-term-of-the-mean"}
    seen = ("one-worker-less", "half-momentum", *((more[name],) if name in more else ()))
    mutants = {key: ExactCase(partial(compare_training, name, FAULTS[key])) for key in seen}
    base = ExactCase(partial(compare_training, name))
    return Check("exact", f"literal-{name}", base, {"method": name}, mutants, seconds=0.1)


def _parameters(setting: Setting, methods: Sequence[str]) -> dict[str, Any]:
    return {
        "network": setting.network,
        "P": setting.workers,
        "batch": setting.batch,
        "step_size": setting.step_size,
        "momentum": setting.momentum,
        "iterations": setting.iterations,
        "methods": methods,
    }
