"""Zero, subnormal and huge inputs: what happens there is told; only a message of nothing must be nothing."""

import warnings
from typing import Any

from verify.context import Context
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.claims import Claims
from verify.foreign.guard import CompressorFault, guarded
from verify.foreign.inputs import EXTREMES, idle_inputs
from verify.outcome import Evidence, json_ready
from verify.reporting.compressor_report import NamedEvidence

CALLS = 4
"""Calls for each input."""

ORDERS = 1e-6
"""Largest entries of C(x) and x that differ by this are told; a sparse C(x) may be larger by its d."""

NO_BOUND = "C(0) is not 0: no bound relative to ||x||^2 allows that"
NO_MEAN = "C(0) is not 0 and does not vary: its mean is not 0"
"""What refutes a bound, and a mean that is x."""

_TOLD = {"raises", "not finite"}


def check_extremes(foreign: ForeignCompressor, claims: Claims, seed: int) -> list[NamedEvidence]:
    """Judge C(0) = 0 where the error is bounded; note what is not finite or lost at other extremes.

    Many right compressors divide by a norm that is 0, or whose square leaves the range of the numbers: that
    is told and does not decide.
    """
    import numpy as np

    if not claims.unbiased and not claims.bounds_error:
        return []
    shape = np.sin(1.0 + np.arange(np.prod(foreign.shape, dtype=int))).reshape(foreign.shape)
    shape /= np.abs(shape).max()
    notes = []
    for scale in (0.0, *EXTREMES[foreign.dtype]):
        x = (scale * shape).astype(foreign.dtype).astype(float)
        name = "the zero vector" if not scale else f"entries up to {scale:g}"
        found, fault = _quietly(foreign, x, Context("check", "montecarlo", f"extreme-{scale:g}", seed=seed))
        if fault:
            notes.append(f"{fault} at {name}")
            continue
        if not scale and found.any() and claims.bounds_error and foreign.n is None:
            return [NamedEvidence("the zero vector", _not_nothing(x, found, seed, NO_BOUND))]
        if not scale and claims.unbiased and _constant(foreign, x, found, seed):
            return [NamedEvidence("unbiased at the zero vector", _not_nothing(x, found, seed, NO_MEAN))]
        if scale and x.any():
            notes += [
                f"{told} at {name}" for told in _other_size(np.abs(found).max(), np.abs(x).max(), x.size)
            ]
    for name, x in idle_inputs(foreign.d, foreign.n) if foreign.n else ():
        fault = refused_at(foreign, x, seed)
        notes += [f"{fault} where the {name.replace(' zero', ' is zero')}"] if fault else []
    told = (
        "; ".join(notes)
        if notes
        else f"finite and not lost at zero and at {len(EXTREMES[foreign.dtype])} scales"
    )
    return [NamedEvidence("extreme inputs", Evidence("consistent", "search", samples=CALLS, reason=told))]


def _other_size(found: float, x: float, entries: int) -> list[str]:
    """Return what is told of outcomes of another order than the input: clipped, rounded off, or noise."""
    if not found:
        return ["all is lost"]
    if found < ORDERS * x:
        return [f"C(x) is below {ORDERS:g} times x"]
    return [f"C(x) is above {1 / ORDERS:g} times x"] if x < ORDERS * found / entries else []


def refused_at(foreign: ForeignCompressor, x: Any, seed: int) -> str:
    """Return `raises` or `not finite` where a compressor does so at an extreme input, else nothing."""
    return _quietly(foreign, x, Context("check", "montecarlo", "idle", seed=seed))[1]


def _quietly(foreign: ForeignCompressor, x: Any, context: Context) -> tuple[Any, str]:
    """Return samples, and which fault there was instead.

    Raises:
        CompressorFault: Another one than those that are told.
    """
    import numpy as np

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return foreign.samples(x, context.stream(0), CALLS), ""
        except CompressorFault as fault:
            if fault.kind not in _TOLD:
                raise
            return None, fault.kind


def _constant(foreign: ForeignCompressor, x: Any, found: Any, seed: int) -> bool:
    """Return whether C(0) is something else than 0 and no random number is drawn there."""
    if foreign.untouched is None or foreign.n is not None or not found.any() or (found != found[0]).any():
        return False
    with guarded("a call", foreign.longest):
        stream = Context("check", "montecarlo", "extreme-0", seed=seed).stream(0)
        return foreign.untouched(x.astype(foreign.dtype), stream)


def _not_nothing(x: Any, found: Any, seed: int, reason: str) -> Evidence:
    """Refute a bound on the error relative to the norm, or a mean, by an error where the norm is 0."""
    row = found[abs(found).reshape(len(found), -1).any(axis=1)][0]
    return Evidence(
        "violated",
        "numerical",
        bound=0.0,
        value=float((row**2).sum()),
        samples=CALLS,
        witness=json_ready({"x": x, "seed": seed}),
        reason=reason,
    )
