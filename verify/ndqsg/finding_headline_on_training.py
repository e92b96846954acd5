"""Checks of `ndqsg/finding-headline-on-training`: enumerated overloads, recorded runs, medians of runs."""

from collections.abc import Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from impl.compressors.contract import Draws
from impl.optimizers import Exchange
from verify.binding import Check
from verify.comparison import Comparison, Tolerance, rational
from verify.evaluation import evaluate, evaluate_exact, names
from verify.ndqsg.headline_medians import ITERATIONS, PAIRS, arm_of, full_alphabet, median_checks
from verify.ndqsg.nested_links import Link, grid
from verify.ndqsg.training_medians import Arm
from verify.ndqsg.training_record import messages_of
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/finding-headline-on-training"
POINTS = 16
STEPS = Tolerance(1e-9, "errors in steps are differences of float64 numbers below 1000 steps")
INSIDE = 1 - 1e-9
"""Round-off of recorded gradients must not decide at the end of the spread."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _one_coordinate(),
        _spread(),
        _recorded(),
        _recorded_spread(),
        _common(),
        _full_alphabet(),
        *median_checks(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly where all values are rational."""
    formula = theory.claim(ID).expressions[name]
    given = {key: values[key] for key in names(formula)}
    if any(isinstance(value, float) for value in given.values()):
        return evaluate(formula, given)
    return rational(evaluate_exact(formula, given))


# ---------------------------------------------------------------- one coordinate


def _one_coordinate() -> Check:
    mutants = {"one-step-per-overload": ExactCase(partial(compare_coordinates, one_step=True))}
    return Check(
        "exact",
        "one-coordinate",
        ExactCase(compare_coordinates),
        {"k": [2, 3, 5], "N": POINTS},
        mutants,
        seconds=0.2,
    )


def compare_coordinates(one_step: bool = False) -> Iterable[Comparison]:
    """Compare the excess of decoded coordinates with the stated one and its bounds.

    The gradient is 0, so the fine error is the opposite of the dither; all numbers are dyadic.
    """
    for ratio in (2, 3, 5):
        z = np.array([-2.5, -1.5, -0.875, 0.625, 1.0, 1.375, 2.0]) * ratio
        codec, u = Link(ratio).codec, np.broadcast_to(grid(POINTS)[::5], (len(z), 4))
        g, y = np.zeros(u.shape), np.broadcast_to(-z[:, None], u.shape)
        errors, draws = Link(ratio).errors(g, y, u), Draws(shared=u)
        decoded = codec.reconstruct_counted(codec.message(g, draws), u, y)[1]
        jumps = (codec.indices(g, draws) - decoded) // ratio
        for place in np.ndindex(*u.shape):
            e, jump, error = F(-float(u[place])), int(jumps[place]), F(float(errors[place]))
            yield from _bounded(12 * (error**2 - e**2), ratio, jump, one_step, {"e": e, "z": z[place[0]]})
            exact = stated("exact", k=ratio, e=e, jump=jump)
            yield Comparison("excess", "eq", 12 * (error**2 - e**2), exact, headline=True)


def _bounded(
    excess: Any, ratio: int, jump: int, one_step: bool, witness: dict[str, Any], **options: Any
) -> Iterable[Comparison]:
    """Hold the excess of one coordinate against its bounds; sabotage: of a jump by one fine step."""
    k = 1 if one_step else ratio
    low, high = (stated(name, k=k, jump=jump) for name in ("excess_low", "excess_high"))
    yield Comparison("least excess", "le", low, excess, witness=witness, **options)
    yield Comparison("largest excess", "le", excess, high, witness=witness, **options)
    least = stated("excess_overload", k=k, overload=int(jump != 0))
    yield Comparison("any overload", "le", least, excess, witness=witness, **options)


# ---------------------------------------------------------------- spread of gradients


def _spread() -> Check:
    mutants = {"spread-of-the-margin": ExactCase(partial(compare_spread, free=True))}
    parameters = {"k": [3, 4, 5], "rho": ["1/2", "1", "3/2"], "N": 4 * POINTS}
    return Check("exact", "spread", ExactCase(compare_spread), parameters, mutants, seconds=0.1)


def compare_spread(free: bool = False) -> Iterable[Comparison]:
    """No pair of dithers overloads up to 1/32 before the stated spread, one does 1/16 beyond it.

    One message predicts the other; its step is rho times the one of the other. With 64 dithers the largest
    errors are within 1/64 of a half, so less than 1/16 is missing for both together.
    """
    u = grid(4 * POINTS)
    own, others = (axis.reshape(-1, 1) for axis in np.meshgrid(u, u))
    for ratio in (3, 4, 5):
        for rho in (F(1, 2), F(1), F(3, 2)):
            first = DitheredQuantizer(1, scale=float(rho))
            y = first.compress(np.zeros(own.shape), Draws(shared=others))
            claimed = stated("spread", k=ratio, rho=F(0) if free else rho)
            for t, relation in ((claimed - F(1, 32), "none"), (claimed + F(1, 16), "some")):
                g = np.full(own.shape, float(t))
                wrong = int(Link(ratio).codec.overloads(g, Draws(shared=own), y).sum())
                witness = {"k": ratio, "rho": rho, "t": t}
                if relation == "none":
                    yield Comparison(
                        "overloads within the spread", "eq", wrong, 0, witness=witness, headline=True
                    )
                else:
                    yield Comparison("overloads beyond it", "le", 1, wrong, witness=witness)


# ---------------------------------------------------------------- recorded runs


def _exchanges(arm: Arm, rng: Any) -> list[Exchange]:
    seen: list[Exchange] = []
    arm.run(rng, lambda iteration, tensor, exchange: seen.append(exchange))
    return seen


def _recorded() -> Check:
    def case(one_step: bool = False, side: str = "sequential") -> DriftCase:
        return DriftCase(partial(compare_recorded, one_step, side))

    mutants = {
        "one-step-per-overload": case(one_step=True),
        "parallel-side-information": case(side="parallel"),
    }
    parameters = {"(M, k)": PAIRS, "batch": 128, "iterations": ITERATIONS}
    return Check("run", "excess", case(), parameters, mutants, seconds=0.4)


def compare_recorded(one_step: bool, side: str, rng: Any) -> Iterable[Comparison]:
    """Overloads of training runs: the fine errors of the messages, and their excess within its bounds."""
    for pair in PAIRS:
        M, k = pair
        errors, jumps, fine = (np.concatenate(parts) for parts in zip(*_nested(pair, side, rng), strict=True))
        added = 12 * (errors**2 - fine**2)
        share = float((jumps != 0).mean())
        witness = {"M": M, "k": k, "share of overloads": share}
        relative = np.where(jumps == 0, np.nan, added / np.where(jumps == 0, 1, jumps) ** 2)
        for place in (np.nanargmin(relative), np.nanargmax(relative)):
            jump, value = int(jumps[place]), float(added[place])
            extreme = {**witness, "jump": jump, "e": float(fine[place])}
            yield from _bounded(value, k, jump, one_step, extreme, tolerance=STEPS)
            exact = stated("exact", k=k, e=float(fine[place]), jump=jump)
            yield Comparison("excess of a coordinate", "eq", value, exact, STEPS, extreme)
        least = stated("excess_overload", k=k, overload=share)
        yield Comparison("excess", "le", least, float(added.mean()), STEPS, witness, headline=True)


def _nested(pair: tuple[int, int], side: str, rng: Any) -> Iterable[tuple[Any, Any, Any]]:
    """Yield errors of nested messages in steps, jumps in coarse steps, and fine errors from the dither."""
    for exchange in _exchanges(arm_of(pair, side=side), rng):
        for (workers, _), found in zip(exchange.messages, messages_of(exchange), strict=True):
            if found.innovations is not None:
                x = found.phases + exchange.shared[:, workers.start : workers.stop]
                fine = np.floor(x + 0.5) - x
                yield found.errors.ravel(), np.round((fine - found.errors) / pair[1]).ravel(), fine.ravel()


def _recorded_spread() -> Check:
    def case(free: bool = False) -> DriftCase:
        return DriftCase(partial(compare_recorded_spread, free))

    parameters = {"(M, k)": PAIRS, "batch": 128, "iterations": ITERATIONS, "side": "parallel"}
    mutants = {"spread-of-the-margin": case(free=True)}
    return Check("run", "spread", case(), parameters, mutants, seconds=0.4)


def compare_recorded_spread(free: bool, rng: Any) -> Iterable[Comparison]:
    """No overload in training where the gradient is near enough to the mean of the first group."""
    for pair in PAIRS:
        M, k = pair
        wrong = inside = 0
        for exchange in _exchanges(arm_of(pair, replicates=1, side="parallel"), rng):
            seen = list(messages_of(exchange))
            (group, scales), second = exchange.messages[0], seen[-1]
            others = exchange.gradients[:, group.start : group.stop].mean(axis=1, keepdims=True)
            for at, worker in enumerate(range(group.stop, exchange.gradients.shape[1])):
                step = float(exchange.messages[-1][1].scales[0, at, 0]) / M
                rho = float(scales.scales[0].mean()) / M / step
                limit = stated("spread", k=k, rho=0.0 if free else rho)
                t = (exchange.gradients[0, worker] - others[0, 0]) / step
                near = np.abs(t) <= limit * INSIDE
                inside += int(near.sum())
                wrong += int((second.jumps[0, at][near] != 0).sum())
        witness = {"M": M, "k": k, "coordinates": inside}
        yield Comparison("overloads within the spread", "eq", wrong, 0, witness=witness, headline=True)
        if k > 2:  # at k = 2 the spread ends near zero
            yield Comparison("coordinates within the spread", "le", 1, inside, witness=witness)


def _common() -> Check:
    parameters = {"(M, k)": PAIRS, "batch": 128, "iterations": ITERATIONS}
    return Check("run", "common-gradients", DriftCase(compare_common), parameters, seconds=0.3)


def compare_common(rng: Any) -> Iterable[Comparison]:
    """With gradients that are common to all workers nothing overloads, in either mode."""
    for pair in PAIRS:
        for side in ("parallel", "sequential"):
            wrong, largest = 0, 0.0
            for exchange in _exchanges(arm_of(pair, side=side, common=True), rng):
                for found in messages_of(exchange):
                    wrong += int((found.jumps != 0).sum())
                    largest = max(largest, float(np.abs(found.errors).max()))
            witness = {"M": pair[0], "k": pair[1], "side": side}
            yield Comparison("overloads", "eq", wrong, 0, witness=witness, headline=True)
            yield Comparison("largest error", "le", largest, 0.5, STEPS, witness=witness)


def _full_alphabet() -> Check:
    parameters = {"M": [1, 3], "k": "2M + 1", "batch": 128, "iterations": ITERATIONS}
    return Check("run", "full-alphabet", DriftCase(compare_full_alphabet), parameters, seconds=0.2)


def compare_full_alphabet(rng: Any) -> Iterable[Comparison]:
    """With all symbols and range-aware decoding nothing overloads, and no bit is saved."""
    for M in (1, 3):
        wrong, saved, largest = 0, 0, 0.0
        for exchange in _exchanges(arm_of((M, 2 * M + 1), codec=full_alphabet), rng):
            (_, dithered), (_, nested) = exchange.messages[0], exchange.messages[-1]
            saved += int(np.abs(dithered.bits[0, 0] - nested.bits).sum())
            for found in messages_of(exchange):
                wrong += int((found.jumps != 0).sum())
                largest = max(largest, float(np.abs(found.errors).max()))
        witness = {"M": M, "k": 2 * M + 1}
        yield Comparison("overloads", "eq", wrong, 0, witness=witness, headline=True)
        yield Comparison("largest error", "le", largest, 0.5, STEPS, witness=witness)
        yield Comparison("bits beside those of dithered messages", "eq", saved, 0, witness=witness)
