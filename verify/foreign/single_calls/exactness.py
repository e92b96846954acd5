"""Claims that hold for every call: nothing is lost, and the scale of the input passes through."""

from collections.abc import Iterator
from typing import Any

from verify.context import Context
from verify.foreign.adapter import ForeignCompressor
from verify.foreign.inputs import EXTREMES
from verify.outcome import Evidence, json_ready
from verify.reporting.compressor_report import NamedEvidence

CALLS = 8
"""Calls for each input and scale."""

FACTORS = {"all": (0.5, 3.0, 1e-3, 7.25e5), "powers of two": (0.5, 2.0, 2.0**-20, 2.0**30)}
"""Scales that are compared with 1."""

ROUNDING = 1e-9
"""Relative difference that is rounding where the scale is no power of two."""


def check_lossless(foreign: ForeignCompressor, seed: int) -> NamedEvidence:
    """Judge whether C(x) = x to the last bit, at extreme inputs too."""
    import numpy as np

    count = 0
    for name, x in _inputs(foreign):
        found = foreign.samples(x, _stream(seed, f"lossless-{name}"), CALLS)
        count += CALLS
        wrong = np.argwhere(found != np.asarray(x, dtype=foreign.dtype))
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            reason = f"C(x){list(at[1:])} = {found[at]!r} where x has {x[at[1:]]!r}, at {name}"
            witness = json_ready({"x": x, "seed": seed})
            return NamedEvidence(
                "lossless", Evidence("violated", "numerical", witness=witness, reason=reason)
            )
    reason = f"C(x) = x in {count} calls, subnormal and huge entries among them"
    return NamedEvidence("lossless", Evidence("consistent", "search", samples=count, reason=reason))


def check_equivariance(foreign: ForeignCompressor, claimed: bool | str, seed: int) -> NamedEvidence:
    """Judge whether C(c x) = c C(x) for equal random numbers.

    A scale that is no power of two may turn one rounding in a call; such calls may be one in a hundred.
    """
    import numpy as np

    kind = "all" if claimed is True else str(claimed)
    calls, turned, first = 0, 0, None
    for name, x in list(foreign.named_inputs()):
        base = foreign.samples(x, _stream(seed, f"scale-{name}"), CALLS)
        for factor in FACTORS[kind]:
            scaled = foreign.samples(factor * x, _stream(seed, f"scale-{name}"), CALLS)
            calls += CALLS
            allowed = 0.0 if kind == "powers of two" else max(ROUNDING, foreign.round_off)
            room = allowed * np.abs(factor * base).max(initial=0.0)
            off = np.abs(scaled - factor * base).reshape(CALLS, -1).max(axis=1) > room
            turned += int(off.sum())
            if off.any() and first is None:
                first = (name, factor, x)
    verdict = "violated" if turned > (0 if kind == "powers of two" else calls // 100) else "consistent"
    reason = f"C(c x) differs from c C(x) for equal random numbers in {turned} of {calls} calls"
    if first is not None:
        reason += f", first at {first[0]} and c = {first[1]:g}"
    witness = json_ready({"x": first[2], "factor": first[1], "seed": seed}) if first else None
    return NamedEvidence(
        "scale equivariant",
        Evidence(
            verdict,  # type: ignore[arg-type]  # a string of this function's own
            "numerical" if verdict == "violated" else "search",
            samples=calls,
            witness=witness,
            reason=reason,
        ),
    )


def _inputs(foreign: ForeignCompressor) -> Iterator[tuple[str, Any]]:
    generic: Any = None
    for name, x in foreign.named_inputs():
        generic = x
        yield name, x
    for scale in EXTREMES[foreign.dtype]:
        yield f"times {scale:g}", scale * generic / abs(generic).max()


def _stream(seed: int, name: str) -> Any:
    return Context("check", "montecarlo", name, seed=seed).stream(0)
