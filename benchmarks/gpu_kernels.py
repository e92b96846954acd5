"""Kernels on a GPU against a copy of the device and against torch: `python benchmarks/gpu_kernels.py`.

Times are medians of device events, with the cache of the device flushed before each run. The device waits
before it, so that everything is queued when the first kernel starts: where the host is slow, events around
a call measure the host. Its time for a call is a column of its own. Of a call that waits for the device
itself, as Top-k does, neither holds: its work is not queued ahead, and the time of the host has that wait
in it. A ratio is against the copy of as many
bytes as the mechanism reads and writes at least. Nothing here is judged by seconds.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, DitheredQuantizer, StochasticQuantizer, TopK
from impl.gpu.available import why_not

SIZE, RUNS = 2**24, 100
WAIT = 4_000_000  # clock cycles of the device, 2 ms: longer than the host takes for a call that does not wait
LIMITS = {"stochastic rounding": 1.5, "hadamard 2^15": 2.0, "correlated, 16 clients": 2.0}
"""Ratios to a copy that the kernels are meant to keep on an H100."""


def cases(torch: Any) -> dict[str, tuple[Callable[[], Any], Callable[[], Any] | None]]:
    """Return name to our call and that of torch, None where torch has none."""
    from impl.gpu import on_device
    from impl.gpu.hadamard import transform

    rng = np.random.default_rng(0)
    x = torch.randn(SIZE, device="cuda")
    stochastic = on_device(StochasticQuantizer(1 / 16), checked=False)
    dithered = on_device(DitheredQuantizer(3), checked=False)
    top = on_device(TopK(SIZE // 100), checked=False)
    correlated = on_device(CorrelatedQuantizer("binary"), checked=False)
    clients = x.view(16, -1)

    def plain() -> Any:
        spacing = torch.linalg.vector_norm(x) / 16
        v = x.abs() / spacing
        floor = v.floor()
        return torch.sign(x) * spacing * (floor + (torch.rand_like(x) < v - floor))

    def plain_dithered() -> Any:
        scale, u = x.abs().max(), torch.rand_like(x) - 0.5
        return scale * ((3 * x / scale + u).round() - u) / 3

    def plain_correlated() -> Any:
        norms = torch.linalg.vector_norm(clients, dim=1, keepdim=True)
        strata = torch.argsort(torch.rand_like(clients), dim=0)
        up = (strata + torch.rand_like(clients)) / 16 < (1 + clients / norms) / 2
        return torch.where(up, norms, -norms)

    found: dict[str, tuple[Callable[[], Any], Callable[[], Any] | None]] = {
        "stochastic rounding": (lambda: stochastic.sample(x, rng), plain),
        "its levels": (lambda: stochastic.message(x, rng), None),
        "dithered quantizer": (lambda: dithered.sample(x, rng), plain_dithered),
        "top 1 %": (lambda: top.sample(x), None),
        "correlated, 16 clients": (lambda: correlated.compress(clients, rng), plain_correlated),
        "their levels": (lambda: correlated.message(clients, rng), None),
        "their mean": (lambda: correlated.sample(clients, rng), None),
    }
    for exponent in (8, 11, 13, 15):
        rows = x.view(-1, 2**exponent)
        found[f"hadamard 2^{exponent}"] = (lambda rows=rows: transform(rows), None)
    return found


def milliseconds(torch: Any, call: Callable[[], Any]) -> tuple[float, float]:
    """Return the medians of a call on the device, and on the host, in milliseconds."""
    call()
    cache = torch.empty(2**28, dtype=torch.int8, device="cuda")
    device, host = [], []
    for _ in range(RUNS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        cache.zero_()
        torch.cuda._sleep(WAIT)
        start.record()
        before = time.perf_counter()
        call()
        host.append(1e3 * (time.perf_counter() - before))
        end.record()
        end.synchronize()
        device.append(start.elapsed_time(end))
    return statistics.median(device), statistics.median(host)


def main() -> int:
    """Print the table; return 1 where a ratio is above its limit."""
    reason = why_not()
    if reason is not None:
        print(f"no kernels on a GPU here: {reason}")
        return 0
    import torch

    x, y = torch.randn(SIZE, device="cuda"), torch.empty(SIZE, device="cuda")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, {SIZE} float32")
    print(f"{'mechanism':22}{'ms':>8}{'host ms':>9}{'copy ms':>9}{'ratio':>7}{'torch ms':>10}")
    missed = 0
    for name, (ours, theirs) in cases(torch).items():
        copies = [milliseconds(torch, lambda: y.copy_(x))[0]]
        mine, host = milliseconds(torch, ours)
        copies.append(milliseconds(torch, lambda: y.copy_(x))[0])
        copy = min(copies)
        other = f"{milliseconds(torch, theirs)[0]:10.4f}" if theirs else f"{'-':>10}"
        note = ""
        if mine > LIMITS.get(name, np.inf) * copy:
            missed, note = 1, f"  above {LIMITS[name]}"
        print(f"{name:22}{mine:8.4f}{host:9.4f}{copy:9.4f}{mine / copy:7.2f}{other}{note}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
