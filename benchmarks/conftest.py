"""Fixtures of the benchmarks."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from threadpoolctl import threadpool_limits

from benchmarks.data import libsvm_folder as folder_of_libsvm
from benchmarks.targets import Known, Measured, has_wide_vectors, judge


@dataclass(frozen=True)
class Ratio:
    """CPU time of a over that of b.

    Args:
        ratio: Quotient of the medians.
        lower_quartile: Of the quotients round by round.
        a_ms: Median of a, milliseconds per call.
        b_ms: Median of b, milliseconds per call.
    """

    ratio: float
    lower_quartile: float
    a_ms: float
    b_ms: float


def measure_cpu_ratio(
    a: Callable[[], Any], b: Callable[[], Any], *, rounds: int = 9, slice_seconds: float = 0.02
) -> Ratio:
    """Alternate a and b as ABBA in this process and compare their CPU times.

    Wall clock is useless on a shared machine, and members measured one after the other drift apart.
    """
    calls = {}
    for function in (a, b):
        function()
        start = time.process_time()
        function()
        calls[function] = max(1, round(slice_seconds / max(time.process_time() - start, 1e-7)))

    def run(function: Callable[[], Any]) -> float:
        start = time.process_time()
        for _ in range(calls[function]):
            function()
        return (time.process_time() - start) / calls[function]

    pairs = []
    for _ in range(rounds):
        first, second, third, fourth = run(a), run(b), run(b), run(a)
        pairs.append(((first + fourth) / 2, (second + third) / 2))
    a_time, b_time = (statistics.median(side) for side in zip(*pairs, strict=True))
    lower = statistics.quantiles([left / right for left, right in pairs], n=4)[0]
    return Ratio(a_time / b_time, lower, 1e3 * a_time, 1e3 * b_time)


@pytest.fixture
def one_thread():
    """Limit BLAS: CPU time of several threads would add up to more than the work."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def libsvm_folder() -> Path:
    """The folder with the LIBSVM files."""
    folder = folder_of_libsvm()
    if folder is None:
        pytest.skip("neither BOUNDCHECK_DATA nor ../shared/data is there")
    return folder


@pytest.fixture
def cpu_ratio() -> Callable[..., Ratio]:
    """Return `measure_cpu_ratio`."""
    return measure_cpu_ratio


@pytest.fixture
def require() -> Callable[..., None]:
    """Return what fails where a ratio is not as is wanted, unless it is a known miss and no worse."""

    def check(ratio: float, wanted: float, known: Known | None = None, *, what: str = "times") -> None:
        verdict = judge(what, wanted, Measured(ratio), known, wide=has_wide_vectors())
        print(verdict.text)
        assert verdict.state in ("reached", "known miss"), verdict.text

    return check
