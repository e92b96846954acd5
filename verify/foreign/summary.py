"""What a check says in the end: the refuted claim with its input, or how closely each claim was looked at."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from verify.foreign.allocation import COARSE, Limits, Spent
from verify.foreign.arm import REACH, Arm
from verify.foreign.claims import Claims
from verify.outcome import ALPHA, Evidence, Verdict, json_ready
from verify.reporting.compressor_report import NamedEvidence

ATTAINED = 0.99
"""Part of a constant from which it counts as attained."""


def summaries(spent: Spent, claims: Claims, limits: Limits, seed: int) -> list[NamedEvidence]:
    """Return the refutations of what was spent, or one line for each claim."""
    every = [item for arm in spent.arms for item in arm.evidence()]
    refuted = [item for item in every if item.evidence.verdict == "violated"]
    if refuted:
        return _strongest(refuted, sum(item.evidence.tests for item in every))
    found = [*_unbiased(spent, claims, limits, seed), *_bounds(spent, seed, limits), *_stated(spent, seed)]
    if claims.omega_sharp:
        found.append(_sharp(spent, claims, limits))
    return found


def _strongest(refuted: Sequence[NamedEvidence], tests: int) -> list[NamedEvidence]:
    """Return one refutation of each claim, the first with the number of tests of all."""
    kept: dict[str, NamedEvidence] = {}
    for item in refuted:
        kept.setdefault(item.name.partition(" at ")[0], item)
    first, *others = kept.values()
    return [
        NamedEvidence(first.name, replace(first.evidence, tests=tests)),
        *(NamedEvidence(item.name, replace(item.evidence, tests=0)) for item in others),
    ]


def _unbiased(spent: Spent, claims: Claims, limits: Limits, seed: int) -> Iterable[NamedEvidence]:
    if not claims.unbiased and claims.unbiased_given is None:
        return
    tested = [(arm, arm.bias) for arm in spent.arms if arm.bias is not None]
    of_nodes = any(arm.foreign.n is not None for arm in spent.arms)
    if not tested:
        equal = "C(x) = x" if claims.unbiased_given is None else "C(x) = unbiased_given(x)"
        equal = "mean of C_i(x_i) = mean of x_i" if of_nodes else equal
        reason = f"{equal} at all {len(spent.arms)} inputs, and no random number is drawn"
        yield NamedEvidence("unbiased", Evidence("consistent", "search", reason=reason))
        return
    relative = sorted((bias.detectable() / arm.norm, arm.name) for arm, bias in tested)
    focus = [(bias.detectable() / arm.norm, arm.name) for arm, bias in tested if arm in spent.focus]
    closest = min(focus, default=relative[0])
    widest = max(focus, default=relative[0])
    coarse = not any(
        bias.detectable() <= COARSE * limits.resolution * arm.allowed()
        for arm, bias in tested
        if arm in spent.focus
    )
    verdict: Verdict = "inconclusive" if coarse else "consistent"
    samples = sum(bias.samples for _, bias in tested)
    premise = f"{REACH:g} (1 + omega) ||x|| with omega = {spent.omega:.4g}" + (
        "" if claims.omega is not None or claims.ab is not None else ", twice the largest that was seen"
    )
    reason = (
        f"unbiased to {closest[0]:.2g} of the norm at level {ALPHA:g} at {closest[1]!r}, to {widest[0]:.2g} "
        f"at all {max(len(focus), 1)} inputs in focus, to {relative[-1][0]:.2g} at all {len(tested)} "
        f"({samples} samples), for outcomes within {premise} of x"
    )
    if of_nodes:
        reason = f"the mean over nodes is {reason}"
    if coarse:
        reason += f"; too coarse for a verdict: {_remedy(spent, limits)}"
    witness = json_ready({"seed": seed, "samples": samples, "inputs": len(tested)})
    yield NamedEvidence(
        "unbiased",
        Evidence(verdict, "search", samples=samples, tests=len(tested), witness=witness, reason=reason),
    )


def _bounds(spent: Spent, seed: int, limits: Limits) -> Iterable[NamedEvidence]:
    names = list(dict.fromkeys(test.claim for arm in spent.arms for test in arm.bounds))
    for arm in spent.arms:
        for item in arm.sure:
            if not names and item.name.startswith("mean squared error"):
                names = [""]
    for name in names:
        if not name:
            yield _largest_sure(spent.arms)
            continue
        tested = [(test, arm) for arm in spent.arms for test in arm.bounds if test.claim == name]
        test, arm = max(tested, key=lambda item: item[0].moments.mean / item[0].bound)
        coarse = COARSE * limits.resolution
        settled = any(item.settled(coarse) for item, at in tested if at in spent.focus)
        # One input that is settled says nothing of another one, where the mean may well be too large.
        above = any(item.unresolved_above(coarse) for item, _ in tested)
        verdict: Verdict = "consistent" if settled and not above else "inconclusive"
        samples = sum(item.moments.samples for item, _ in tested)
        reason = (
            f"largest mean squared error {test.moments.mean:.6g}, {test.moments.mean / test.bound:.4g} of "
            f"the bound, at {arm.name!r}, where a mean above {test.detectable():.4g} times the bound would "
            f"show at level {ALPHA:g}, for outcomes within the range that was seen ({samples} samples at "
            f"{len(tested)} inputs)"
        )
        if above:
            reason += f"; that it is above the bound is neither shown nor excluded: {_remedy(spent, limits)}"
        elif verdict == "inconclusive":
            reason += f"; too coarse for a verdict: {_remedy(spent, limits)}"
        yield NamedEvidence(
            f"mean squared error, {name}",
            Evidence(
                verdict,
                "search",
                bound=test.bound,
                value=test.moments.mean,
                samples=samples,
                tests=len(tested),
                witness=json_ready({"x": arm.x, "seed": seed, "samples": test.moments.samples}),
                reason=reason,
            ),
        )


def _largest_sure(arms: Sequence[Arm]) -> NamedEvidence:
    """Return the deterministic evidence that came closest to its bound."""
    found = [item for arm in arms for item in arm.sure if item.name.startswith("mean squared error")]
    nearest = min(found, key=lambda item: item.evidence.tightness or math.inf)
    reason = f"{nearest.evidence.reason}; nothing is closer at {len(arms)} inputs"
    return NamedEvidence(nearest.name, replace(nearest.evidence, reason=reason))


def _stated(spent: Spent, seed: int) -> Iterable[NamedEvidence]:
    names = list(dict.fromkeys(name for arm in spent.arms for name, _ in arm.stated))
    for name in names:
        tested = [(test, arm) for arm in spent.arms for own, test in arm.stated if own == name]
        test, arm = max(tested, key=lambda item: item[0].moments.samples)
        samples = sum(item.moments.samples for item, _ in tested)
        reason = (
            f"as stated at all {len(tested)} inputs where it is positive, from both sides ({samples} "
            f"samples); at {arm.name!r} {test.stated:.6g} is stated and {test.moments.mean:.6g} is seen"
        )
        yield NamedEvidence(
            name,
            Evidence("consistent", "search", samples=samples, tests=len(tested), reason=reason),
        )


def _sharp(spent: Spent, claims: Claims, limits: Limits) -> NamedEvidence:
    """Judge whether the constant is attained; a search that finds no such input refutes nothing."""
    assert claims.omega is not None
    found = [
        (test.moments.mean / test.bound, arm)
        for arm in spent.arms
        for test in arm.bounds
        if test.settled(COARSE * limits.resolution)
    ]
    found += [
        (item.evidence.value / item.evidence.bound, arm)
        for arm in spent.arms
        for item in arm.sure
        if item.evidence.value and item.evidence.bound
    ]
    ratio, best = max(found, key=lambda item: item[0], default=(0.0, None))
    at = f" at {best.name!r}" if best else ""
    attained = ratio >= ATTAINED
    reason = (
        f"the largest mean squared error found is {ratio:.4g} of omega ||x||^2{at}"
        if attained
        else f"no input that was tried attains it; the largest found is {ratio:.4g} of omega ||x||^2{at}"
    )
    return NamedEvidence(
        "omega attained",
        Evidence(
            "consistent" if attained else "inconclusive",
            "search",
            bound=claims.omega,
            value=ratio * claims.omega,
            witness=json_ready({"x": best.x}) if best else None,
            reason=reason,
        ),
    )


def _remedy(spent: Spent, limits: Limits) -> str:
    why = (
        f"the time limit of {limits.seconds:g} s ended it"
        if spent.out_of_time
        else f"samples={limits.samples} ended it"
    )
    return f"{why}; raise it (--time-limit, --samples), lower d, or ask for a coarser --resolution"
