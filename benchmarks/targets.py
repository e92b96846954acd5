"""What is asked for, and what becomes of it: reached, missed as is known, missed, or not measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

MARGIN = 1.3
"""How much worse than what was measured a known miss may be; benchmarks/README.md has the reason."""

AT_MOST = ("copy", "sorts")
"""Ratios that are to be small, as times are, whose name ends with `ms`; others are to be large."""

State = Literal["reached", "known miss", "missed", "not measured"]


@dataclass(frozen=True)
class Known:
    """A miss that is known.

    Args:
        reason: Names of rows of "What limits what is missed" in benchmarks/README.md.
        wide: What was measured with AVX-512, None where it was not, or where the target is reached. Times are
            in copies of the input, which were measured beside them: milliseconds follow the load.
        narrow: What was measured without.
    """

    reason: str
    wide: float | None = None
    narrow: float | None = None


@dataclass(frozen=True)
class Measured:
    """What was measured of a target.

    Args:
        value: A ratio, or milliseconds; None where there was nothing to measure.
        copies: Milliseconds in copies of the input.
    """

    value: float | None = None
    copies: float | None = None


@dataclass(frozen=True)
class Verdict:
    """What became of one thing that was asked for.

    Args:
        state: As its type says.
        text: For the table.
    """

    state: State
    text: str


def has_wide_vectors() -> bool:
    """Tell whether kernels are compiled for AVX-512."""
    try:
        from llvmlite.binding import get_host_cpu_features
    except ImportError:
        return False
    return bool(get_host_cpu_features().get("avx512f"))


def judge(what: str, wanted: float, measured: Measured, known: Known | None, *, wide: bool) -> Verdict:
    """Say what became of a target.

    Args:
        what: Name of the target: `AT_MOST` and what ends with `ms` are at most, all others at least.
        wanted: The target.
        measured: What was measured.
        known: The miss that is known.
        wide: Which of its values counts.
    """
    asked = f"{what} {wanted:g}"
    if measured.value is None:
        return Verdict("not measured", f"{asked}: not measured")
    at_most = what in AT_MOST or what.endswith("ms")
    if (measured.value <= wanted) if at_most else (measured.value >= wanted):
        return Verdict("reached", asked)
    missed = f"{asked}: missed with {measured.value:.3g}"
    before = None if known is None else known.wide if wide else known.narrow
    held = measured.copies if what.endswith("ms") else measured.value
    if known is None or before is None or held is None:
        return Verdict("missed", f"{missed}, ?")
    if (held <= before * MARGIN) if at_most else (held >= before / MARGIN):
        return Verdict("known miss", f"{missed}, {known.reason}")
    unit = " copies" if what.endswith("ms") else ""
    return Verdict("missed", f"{missed}, {known.reason}, but {held:.3g}{unit} where {before:.3g} is known")


def judge_all(
    wanted: Mapping[str, float],
    measured: Mapping[str, Measured],
    known: Mapping[str, Known],
    *,
    wide: bool,
) -> dict[str, Verdict]:
    """Say of each target what became of it."""
    return {
        what: judge(what, value, measured.get(what, Measured()), known.get(what), wide=wide)
        for what, value in wanted.items()
    }
