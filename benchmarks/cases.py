"""What a row of the table is, and what all rows share."""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from impl import tiers

Member = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One row.

    Args:
        mechanism: What is measured.
        size: As it is printed.
        members: Name to a call: `numpy`, `fused`, `naive`, `copy`, `random`, or `peer LIBRARY`.
        check: Raises unless what the members return is right.
        wanted: What is asked for. `naive` and `peer LIBRARY`: fused at least so many times as fast; `copy`:
            at most so many copies; `ms`: at most so many milliseconds; `numpy ms`: so many of the numpy tier.
        per: How often one call does what the times are of, such as rounds of a run.
    """

    mechanism: str
    size: str
    members: Mapping[str, Member]
    check: Callable[[], None]
    wanted: Mapping[str, float] = field(default_factory=dict)
    per: int = 1


def has(library: str) -> bool:
    """Tell whether a library is there."""
    return importlib.util.find_spec(library) is not None


def both(call: Callable[[str], Any]) -> dict[str, Member]:
    """Return a call on each tier that there is."""
    found: dict[str, Member] = {"numpy": lambda: call("numpy")}
    if tiers.is_installed():
        found["fused"] = lambda: call("fused")
    return found


def limits(x: Any, drawn: int, dtype: Any) -> dict[str, Member]:
    """Return a copy of x, and so many uniforms by a kernel."""
    target = np.empty_like(x)
    found: dict[str, Member] = {"copy": lambda: np.copyto(target, x)}
    if drawn and tiers.is_installed():
        from impl.kernels.philox import fill_uniforms

        numbers, stream = np.empty(drawn, dtype), np.arange(4, dtype=np.uint32)
        found["random"] = lambda: fill_uniforms(numbers, np.uint64(0), stream)
    return found


def by_law(compressor: Any, x: Any, call: Member, *, alone: bool = False) -> Callable[[], None]:
    """Return a check: the squared error of a sample is that of the exact law, within a tenth of it."""

    def check() -> None:
        wide = x.astype(np.float64)
        exact = compressor.variance(wide)
        got = np.asarray(call(), np.float64)
        error = float(((got - (wide.mean(axis=0) if alone else wide)) ** 2).sum())
        assert abs(error - exact) <= 0.3 * exact if x.shape[-1] < 10_000 else abs(error / exact - 1) <= 0.1

    return check


def gaussian(*shape: int, dtype: Any = np.float32) -> Any:
    """Return the same normal numbers every time."""
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


def size_of(d: int) -> str:
    """Return 10^k or 2^k as text."""
    return f"1e{len(str(d)) - 1}" if set(str(d)[1:]) == {"0"} else f"2^{d.bit_length() - 1}"
