"""Search the inputs at which the mean squared error comes closest to its bound."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from verify.context import Context
from verify.errors import UsageError
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.claims import Claims
from verify.foreign.clock import Clock
from verify.foreign.inputs import joint_inputs, named_inputs, two_level_input, two_level_inputs
from verify.outcome import Evidence, json_ready
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.dispatch import judge

LARGEST_SEARCHED = 1024
"""Dimension above which gradients cost too much: then only named and two-level inputs are evaluated."""

SEARCH_SHARE = 0.25
"""Part of the time limit by which the search has ended."""

LOOK, KEPT, REFINED = 8, 4, 3
"""Samples of a first look at a two-level input, how many are kept, and how often the best is refined."""


def search_exact(foreign: ForeignCompressor, claims: Claims, seed: int) -> Evidence:
    """Maximise the exact variance over inputs, of the mean over nodes for a joint compressor."""
    import numpy as np

    variance = foreign.variance
    if variance is None:
        raise UsageError("the compressor has no exact variance to search with")
    shape = foreign.shape

    def value(inputs: Any) -> Any:
        return np.array([float(variance(x.reshape(shape))) for x in inputs])

    def bound_of(x: Any) -> float:
        return min(claims.bounds_at(x.reshape(shape)).values())

    def bound(inputs: Any) -> Any:
        loose = 0.0 if claims.omega or claims.ab or claims.contraction else 1e-12
        return np.array([bound_of(x) + loose for x in inputs])

    if foreign.n is None:
        inputs = [scale * x for scale in foreign.scales for _, x in named_inputs(foreign.d)]
    else:
        inputs = [x for _, x in joint_inputs(foreign.d, foreign.n)]
        inputs += [scale * inputs[-1] for scale in foreign.scales[1:]]
    starts = [x.ravel() for x in inputs]
    if math.prod(shape) > LARGEST_SEARCHED:
        return _largest_of(starts, value, bound, claims)
    budget = 4000 if foreign.n is None else foreign.search_budget(starts[0].reshape(shape))
    everywhere = foreign.scale_equivariance != "all"
    case = AdversarialCase(
        value, bound, math.prod(shape), starts=starts, scale_invariant=not everywhere, budget=budget
    )
    return judge("adversarial", case, Context("check", "adversarial", "omega", seed=seed))


def _largest_of(
    starts: list[Any], value: Callable[[Any], Any], bound: Callable[[Any], Any], claims: Claims
) -> Evidence:
    """Evaluate the exact variance at each of these inputs and at two-level ones."""
    d = len(starts[0])
    best, at, looked = -math.inf, starts[0], 0
    for x in (*starts, *(two_level_input(d, *pair) for pair in two_level_inputs(d))):
        looked += 1
        allowed = float(bound([x])[0])
        ratio = float(value([x])[0]) / allowed if allowed > 0 else -math.inf
        if ratio > best:
            best, at = ratio, x
    found, allowed = float(value([at])[0]), float(bound([at])[0])
    exceeded = best > 1 + 1e-9
    return Evidence(
        "violated" if exceeded else "consistent",
        "numerical" if exceeded else "search",
        bound=allowed,
        value=found,
        samples=looked,
        witness=json_ready({"x": at}),
        reason=f"value {found:.9g} {'exceeds' if exceeded else 'against'} the bound {allowed:.9g} at "
        f"the worst of {looked} inputs (no local search above d={LARGEST_SEARCHED})",
    )


def search_sampled(
    foreign: ForeignCompressor, claims: Claims, seed: int, clock: Clock
) -> Iterator[tuple[str, Any]]:
    """Yield two-level inputs whose sampled error comes closest to the bound; time ends the search.

    Args:
        foreign: The compressor, of one node.
        claims: What bounds its error.
        seed: Master seed.
        clock: It ends with the share of the time limit that a search may take.
    """
    d, place = foreign.d, 0

    def ratio(count: float, level: float, size: int) -> float:
        nonlocal place
        place += 1
        x = two_level_input(d, count, level)
        stream = Context("check", "pilot", f"two-level-{place}", seed=seed).stream(0)
        bound = min(claims.bounds_at(x).values())
        found: float = foreign.squared_errors(x, stream, size).mean()
        return found / bound if bound > 0 else 0.0

    looked = []
    for count, level in two_level_inputs(d):
        if clock.over(SEARCH_SHARE):
            break
        looked.append((ratio(count, level, LOOK), count, level))
    best = sorted(looked, reverse=True)[:KEPT]
    for _ in range(REFINED):
        if not best or clock.over(SEARCH_SHARE):
            break
        _, count, level = best[0]
        near = {(max(1.0, round(count * factor)), level) for factor in (0.7, 0.85, 1.2, 1.4) if count < d}
        near |= {(count, min(level * factor, 1.0)) for factor in (0.7, 0.85, 0.95, 1.05, 1.2, 1.4)}
        near = {pair for pair in near if pair[0] <= d and pair not in {item[1:] for item in best}}
        best = sorted([*best, *((ratio(*pair, 4 * LOOK), *pair) for pair in sorted(near))], reverse=True)[
            :KEPT
        ]
    for _, count, level in best:
        yield f"{count:g} ones, then {level:.4g}", two_level_input(d, count, level)
