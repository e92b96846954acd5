"""Checks of `ndqsg/finding-headline-on-training`: enumerated overloads, recorded runs, medians of runs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.compressors.contract import Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import LONG_RUN, Comparison
from verify.experiments.ndqsg.headline_medians import (
    GAUSSIAN,
    ITERATIONS,
    PAIRS,
    arm_of,
    exchanges,
    full_alphabet,
    large_batch,
    long_runs,
    one_long_run,
    other_settings,
    sixty_iterations,
    twenty_iterations,
    two_other_settings,
    where_it_holds,
)
from verify.experiments.ndqsg.training_medians import LOST, Arm, BesideOwnGradient, Limit, median_case
from verify.experiments.ndqsg.training_record import messages_of
from verify.ndqsg.fixtures.nested_links import Link, grid
from verify.rungs.costs import CostCase

POINTS = 16
INSIDE = 1 - 1e-9
"""Round-off of recorded gradients must not decide at the end of the spread."""

judge = checks_of(
    "ndqsg/finding-headline-on-training",
    side="sequential",
    step=lambda ratio: ratio,
    slope=1,
    tie=1,
    ranged=True,
    aware=full_alphabet,
    common=True,
    arms=lambda arms: arms,
    limits=lambda limits: limits,
)


def above(limits: Sequence[Limit]) -> Sequence[Limit]:
    """Return the claim on mse/D of the last arm alone: without overloads other quantities are undefined."""
    return [Limit("mse/D", limits[-1].arm)]


def _own(arm: Arm) -> Arm:
    """Return a run of at most 6 iterations: the ratio is 1 in each of them."""
    return replace(_shortened(arm), codec=BesideOwnGradient)


def _shortened(arm: Arm) -> Arm:
    """Return an arm of at most 6 iterations, all of them recorded."""
    short = replace(arm.setting, iterations=min(6, arm.setting.iterations))
    return replace(arm, setting=short, every=1)


judge.sabotage(
    "own-gradient-for-side-information at run/softmax-20, run/softmax-200, run/four-workers-and-momentum: "
    "Decode each nested message beside the gradient of its own sender, which no receiver has: the ratio "
    "becomes 1.",
    {"arms": lambda arms: [_own(arm) for arm in arms], "limits": above},
    "range-aware-full-alphabet, slow at run/softmax-20: Send $k=2M+1$ symbols and decode within the range: "
    "the ratio becomes 1, and nothing is saved.",
    {"arms": lambda arms: [replace(arm, codec=full_alphabet) for arm in arms], "limits": above},
    "accuracy-falls at run/softmax-60: Claim that the accuracy falls by more than two points.",
    {
        "arms": lambda arms: [replace(arm, replicates=64) for arm in arms],
        "limits": lambda limits: [Limit(LOST, "3-3", 1, 0.02)],
    },
    "gaussian-innovations at run/softmax-20: Claim that the error is that of Gaussian innovations with the "
    "measured deviation.",
    {
        "arms": lambda arms: [_shortened(arm) for arm in arms],
        "limits": lambda limits: [Limit(GAUSSIAN, "3-5", -1, 1)],
    },
    "one-step-per-overload at exact/one-coordinate, run/excess: Claim that an overload is a jump of one "
    "fine step, $k=1$ in the bounds of the excess.",
    {"step": lambda ratio: 1},
    "spread-of-the-margin at exact/spread, run/spread: Claim the whole margin $\\frac{k-1}2$ for the spread "
    "of gradients, as if the messages that predict were free of errors. | slope = 0",
    "small-batch at run/large-batch: Take 16 rows for each worker.",
    {
        "arms": lambda arms: [
            replace(arm, setting=replace(arm.setting, batch=128), copied=False) for arm in arms
        ]
    },
    "twice-the-excess at run/excess: Claim twice the excess of each overload. "
    "| excess_overload = 3 * excess_overload",
    "larger-of-two at exact/range-aware: A tie goes to the larger of the two nearest indices. | tie = -1",
    "any-range at exact/range-aware: Decode to the nearest index of the coset, in the range or not. "
    "| ranged = False",
    "half-the-spread at exact/spread: Half of the spread. | spread = spread / 2 - 1",
    "own-rows at run/common-gradients: Gradients of rows of their own in the place of common ones. "
    "| common = False",
    "fewer-symbols at run/full-alphabet: Send $k$ symbols, not all $2M+1$, and decode as usual.",
    {"aware": lambda levels, ratio: NestedDitheredQuantizer(levels, ratio - 1)},
    "empty-spread at run/spread: No coordinate is within the spread. | spread = spread - 100",
    "parallel-side-information, neutral at run/excess: Decode beside the mean of the first group alone: "
    "what is claimed of the overloads remains. | side = 'parallel'",
)


@judge.exact(k=[2, 3, 5], points=POINTS)
def one_coordinate(law: Law, k: int, points: int) -> Iterable[Comparison]:
    """Compare the excess of decoded coordinates with the stated one and its bounds.

    The gradient is 0, so the fine error is the opposite of the dither; all numbers are dyadic.
    """
    z = np.array([-2.5, -1.5, -0.875, 0.625, 1.0, 1.375, 2.0]) * k
    codec, u = Link(k).codec, np.broadcast_to(grid(points)[::5], (len(z), 4))
    g, y = np.zeros(u.shape), np.broadcast_to(-z[:, None], u.shape)
    errors, draws = Link(k).errors(g, y, u), Draws(shared=u)
    decoded = codec.reconstruct_counted(codec.message(g, draws), u, y)[1]
    jumps = (codec.indices(g, draws) - decoded) // k
    for place in np.ndindex(*u.shape):
        e, jump, error = dyadic(-u[place]), int(jumps[place]), dyadic(errors[place])
        shown = {"k": k, "e": str(e), "z": float(z[place[0]])}
        excess = 12 * (error**2 - e**2)
        low, high = (law.exactly(name, k=law.step(k), jump=jump) for name in ("excess_low", "excess_high"))
        yield le("least excess", low, excess, witness=shown)
        yield le("largest excess", excess, high, witness=shown)
        least = law.exactly("excess_overload", k=law.step(k), overload=int(jump != 0))
        yield le("any overload", least, excess, witness=shown)
        yield eq("excess", excess, law.exactly("exact", k=k, e=e, jump=jump), headline=True, witness=shown)


def dyadic(number: Any) -> F:
    """Return a float that is a multiple of 2^-20 as it is."""
    return F(int(float(number) * 2**20), 2**20)


@judge.exact(k=[3, 4, 5], rho=[F(1, 2), F(1), F(3, 2)], points=4 * POINTS)
def spread(law: Law, k: int, rho: F, points: int) -> Iterable[Comparison]:
    """No pair of dithers overloads up to 1/32 before the stated spread, one does 1/16 beyond it.

    One message predicts the other; its step is rho times the one of the other. With 64 dithers the largest
    errors are within 1/64 of a half, so less than 1/16 is missing for both together.
    """
    u = grid(points)
    own, others = (axis.reshape(-1, 1) for axis in np.meshgrid(u, u))
    first = DitheredQuantizer(1, scale=float(rho))
    y = first.compress(np.zeros(own.shape), Draws(shared=others))
    claimed = law.exactly("spread", k=k, rho=law.slope * rho)
    for t, inside in ((claimed - F(1, 32), True), (claimed + F(1, 16), False)):
        g = np.full(own.shape, float(t))
        wrong = int(Link(k).codec.overloads(g, Draws(shared=own), y).sum())
        shown = {"k": k, "rho": str(rho), "t": str(t)}
        if inside:
            yield eq("overloads within the spread", wrong, 0, headline=True, witness=shown)
        else:
            yield le("overloads beyond it", 1, wrong, witness=shown)


@judge.exact(k=[2, 3, 5], M=2)
def range_aware(law: Law, k: int, M: int) -> Iterable[Comparison]:
    """Every index is decoded to the nearest one of its coset in the range; a tie goes to the smaller one."""
    codec, u = NestedDitheredQuantizer(M, k, range_aware=law.ranged), grid(POINTS)
    for start in (-1.0, -0.5, 0.0, 0.25, 0.5, 1.0):
        # The last coordinate makes the scale 1; each y is half way between two indices, or beside that.
        for halves in range(-6, 7):
            for beside in (F(0), F(1, 32)):
                g = np.array([start] * len(u) + [1.0])
                dither = np.append(u, 0.0)
                target = F(halves, 2) + beside
                y = (float(target) - dither) / M
                draws = Draws(shared=dither)
                index = codec.indices(g, draws)
                found = codec.reconstruct_counted(codec.message(g, draws), dither, y)[1]
                stated = [nearest(int(i), target, M, k, law.tie) for i in index[:-1]]
                shown = {"k": k, "g": start, "y": str(target)}
                values = np.array(codec.reference(g.tolist(), draws, y.tolist()), dtype=float)
                for indices in (found, np.rint(M * values + dither)):
                    other = sum(int(i) != c for i, c in zip(indices[:-1], stated, strict=True))
                    yield eq("nearest index in the range", other, 0, witness=shown)
                if k == 2 * M + 1:
                    wrong = int(np.sum(found != index))
                    yield eq("overloads with all symbols", wrong, 0, headline=True, witness=shown)


def nearest(index: int, target: F, M: int, k: int, tie: int) -> int:
    """Return the element of the coset of an index in the range that is nearest to the target."""
    coset = [c for c in range(-M, M + 1) if (c - index) % k == 0]
    return min(coset, key=lambda c: (abs(c - target), tie * c))


@judge.drift(parameters={"(M, k)": PAIRS, "batch": 128, "iterations": ITERATIONS})
def excess(law: Law, rng: Any) -> Iterable[Comparison]:
    """Overloads of training runs: the fine errors of the messages, and their excess within its bounds."""
    for M, k in PAIRS:
        parts = zip(*nested_errors((M, k), law.side, rng), strict=True)
        errors, jumps, fine = (np.concatenate(part) for part in parts)
        added = 12 * (errors**2 - fine**2)
        rate = float((jumps != 0).mean())
        shown = {"M": M, "k": k, "overloads": rate}
        relative = np.where(jumps == 0, np.nan, added / np.where(jumps == 0, 1, jumps) ** 2)
        for place in (np.nanargmin(relative), np.nanargmax(relative)):
            jump, value = int(jumps[place]), float(added[place])
            extreme = {**shown, "jump": jump, "e": float(fine[place])}
            low, high = (law(name, k=law.step(k), jump=jump) for name in ("excess_low", "excess_high"))
            yield le("least excess", low, value, LONG_RUN, witness=extreme)
            yield le("largest excess", value, high, LONG_RUN, witness=extreme)
            least = law("excess_overload", k=law.step(k), overload=1)
            yield le("any overload", least, value, LONG_RUN, witness=extreme)
            stated = law("exact", k=k, e=float(fine[place]), jump=jump)
            yield eq("excess of a coordinate", value, stated, LONG_RUN, witness=extreme)
        least = law("excess_overload", k=k, overload=rate)
        yield le("excess", least, float(added.mean()), LONG_RUN, headline=True, witness=shown)


def nested_errors(pair: tuple[int, int], side: str, rng: Any) -> Iterable[tuple[Any, Any, Any]]:
    """Yield errors of nested messages in steps, jumps in coarse steps, and fine errors from the dither."""
    for exchange in exchanges(arm_of(pair, side=side), rng):
        for (workers, _), found in zip(exchange.messages, messages_of(exchange), strict=True):
            if found.innovations is not None:
                x = found.phases + exchange.shared[:, workers.start : workers.stop]
                fine = np.floor(x + 0.5) - x
                yield found.errors.ravel(), np.round((fine - found.errors) / pair[1]).ravel(), fine.ravel()


@judge.drift(
    instance="spread",
    parameters={"(M, k)": PAIRS, "batch": 128, "iterations": ITERATIONS, "side": "parallel"},
)
def recorded_spread(law: Law, rng: Any) -> Iterable[Comparison]:
    """No overload in training where the gradient is near enough to the mean of the first group."""
    for M, k in PAIRS:
        wrong = inside = 0
        for exchange in exchanges(arm_of((M, k), replicates=1, side="parallel"), rng):
            seen = list(messages_of(exchange))
            (group, scales), second = exchange.messages[0], seen[-1]
            others = exchange.gradients[:, group.start : group.stop].mean(axis=1, keepdims=True)
            for at, worker in enumerate(range(group.stop, exchange.gradients.shape[1])):
                step = float(exchange.messages[-1][1].scales[0, at, 0]) / M
                rho = float(scales.scales[0].mean()) / M / step
                limit = law("spread", k=k, rho=law.slope * rho)
                t = (exchange.gradients[0, worker] - others[0, 0]) / step
                near = np.abs(t) <= limit * INSIDE
                inside += int(near.sum())
                wrong += int((second.jumps[0, at][near] != 0).sum())
        shown = {"M": M, "k": k, "coordinates": inside}
        yield eq("overloads within the spread", wrong, 0, headline=True, witness=shown)
        if k > 2:  # at k = 2 the spread ends near zero
            yield le("coordinates within the spread", 1, inside, witness=shown)


@judge.drift(parameters={"(M, k)": PAIRS, "batch": 128, "iterations": ITERATIONS})
def common_gradients(law: Law, rng: Any) -> Iterable[Comparison]:
    """With gradients that are common to all workers nothing overloads, in either mode."""
    for M, k in PAIRS:
        for side in ("parallel", "sequential"):
            wrong, largest = 0, 0.0
            for exchange in exchanges(arm_of((M, k), side=side, common=law.common), rng):
                for found in messages_of(exchange):
                    wrong += int((found.jumps != 0).sum())
                    largest = max(largest, float(np.abs(found.errors).max()))
            shown = {"M": M, "k": k, "side": side}
            yield eq("overloads of common gradients", wrong, 0, headline=True, witness=shown)
            yield le("largest error of common gradients", largest, 0.5, LONG_RUN, witness=shown)


@judge.drift(
    instance="full-alphabet", parameters={"M": [1, 3], "k": "2M + 1", "batch": 128, "iterations": ITERATIONS}
)
def full_alphabets(law: Law, rng: Any) -> Iterable[Comparison]:
    """With all symbols and range-aware decoding nothing overloads, and no bit is saved."""
    for M in (1, 3):
        wrong, saved, largest = 0, 0, 0.0
        for exchange in exchanges(arm_of((M, 2 * M + 1), codec=law.aware), rng):
            (_, dithered), (_, nested) = exchange.messages[0], exchange.messages[-1]
            saved += int(np.abs(dithered.bits[0, 0] - nested.bits).sum())
            for found in messages_of(exchange):
                wrong += int((found.jumps != 0).sum())
                largest = max(largest, float(np.abs(found.errors).max()))
        shown = {"M": M, "k": 2 * M + 1}
        yield eq("overloads of a full alphabet", wrong, 0, headline=True, witness=shown)
        yield le("largest error of a full alphabet", largest, 0.5, LONG_RUN, witness=shown)
        yield eq("bits of a full alphabet", saved, 0, witness=shown)


def _medians(law: Law, planned: tuple[Sequence[Arm], Sequence[Limit]]) -> CostCase:
    arms, limits = planned
    return median_case(law.arms(arms), law.limits(limits))


@judge.costs(instance="softmax-60", label="60 iterations", parameters={"M": 3, "k": 3, "batch": 128, "P": 8})
def softmax_60(law: Law) -> CostCase:
    return _medians(law, sixty_iterations(law))


@judge.costs(instance="softmax-20", label="20 iterations", parameters={"(M, k)": PAIRS, "batch": 128, "P": 8})
def softmax_20(law: Law) -> CostCase:
    return _medians(law, twenty_iterations(law))


@judge.costs(instance="softmax-200", label="200 iterations", parameters={"M": 1, "k": 2, "batch": 128})
def softmax_200_once(law: Law) -> CostCase:
    return _medians(law, one_long_run(law))


@judge.costs(
    instance="four-workers-and-momentum",
    label="other settings",
    parameters={"M": 1, "k": 2, "iterations": 40},
)
def four_workers_and_momentum(law: Law) -> CostCase:
    return _medians(law, two_other_settings())


@judge.costs(
    instance="large-batch",
    label="where it holds",
    parameters={"M": 1, "k": 2, "rows": 1024, "iterations": 4},
)
def large_batches(law: Law) -> CostCase:
    return _medians(law, large_batch())


@judge.costs(
    instances={f"softmax-200-batch-{batch}": {"batch": batch} for batch in (128, 1024)},
    label="200 iterations",
    profile="full",
)
def softmax_200(law: Law, batch: int) -> CostCase:
    return _medians(law, long_runs(batch, law))


@judge.costs(instance="other-settings", label="other settings", profile="full", parameters={"(M, k)": PAIRS})
def others(law: Law) -> CostCase:
    return _medians(law, other_settings())


@judge.costs(instance="where-it-holds", label="where it holds", profile="full", parameters={"P": 8})
def holds(law: Law) -> CostCase:
    return _medians(law, where_it_holds(law))
