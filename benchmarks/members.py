"""The rows of the table: what is measured of each mechanism, beside what, and what is asked for."""

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import impl
from impl import tiers
from impl.coding import GAMMA, BitReader, BitWriter, DenseCode, SparseCode
from impl.compressors import (
    CorrelatedQuantizer,
    DitheredQuantizer,
    NestedDitheredQuantizer,
    RandK,
    StochasticQuantizer,
    TernGrad,
    TopK,
    squared_errors,
)
from impl.hadamard import hadamard_in_place

Member = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One row.

    Args:
        mechanism: What is measured.
        size: As it is printed.
        members: Name to a call: `numpy`, `fused`, `naive`, `copy`, `random`, or `peer LIBRARY`.
        check: Raises unless what the members return is right.
        wanted: What is asked for: `naive` and `peer` at least so many times, `copy` at most, `ms` at most.
    """

    mechanism: str
    size: str
    members: Mapping[str, Member]
    check: Callable[[], None]
    wanted: Mapping[str, float] = field(default_factory=dict)


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


# ---------------------------------------------------------------- quantizers


def quantizers() -> Iterator[Case]:
    """Yield rows of QSGD, TernGrad and the dithered quantizers."""
    rng, nested = np.random.default_rng(1), NestedDitheredQuantizer(3, 3)
    wanted = {10**3: {"naive": 6}, 10**5: {"naive": 8}, 10**6: {"naive": 5, "copy": 6}, 10**7: {"naive": 5}}
    for d, dtype in [(10**3, "f4"), (10**5, "f4"), (10**6, "f4"), (10**7, "f4"), (10**6, "f8")]:
        x = gaussian(d, dtype=dtype)

        def naive(x: Any = x) -> Any:
            norm = np.linalg.norm(x)
            v = np.abs(x) / norm * 16
            floor = np.floor(v)
            return np.sign(x) * norm / 16 * (floor + (rng.random(x.shape) < v - floor))

        asked = wanted[d] if dtype == "f4" else {}
        yield _row("QSGD, s = 16", x, StochasticQuantizer(1 / 16), rng, naive, asked)
    for d in (10**5, 10**6):
        x = gaussian(d)

        def ternary(x: Any = x) -> Any:
            size = np.abs(x)
            kappa = size.max()
            return kappa * np.sign(x) * (rng.random(x.shape) < size / kappa)

        yield _row("TernGrad", x, TernGrad(), rng, ternary, {"naive": 8})

        def dithered(x: Any = x) -> Any:
            kappa, u = np.abs(x).max(), rng.random(x.shape, dtype=np.float32) - np.float32(0.5)
            q = np.clip(np.floor(x / kappa * 3 + u + np.float32(0.5)), -3, 3)
            return kappa * ((q - u) / 3)

        yield _row("dithered, M = 3", x, DitheredQuantizer(3), rng, dithered, {"naive": 8})
        side = x.astype(np.float64) * 1.01

        def coset(x: Any = x, y: Any = side) -> Any:
            kappa, u = float(np.abs(x).max()), rng.random(x.shape) - 0.5
            i = np.clip(np.floor(x / kappa * 3 + u + 0.5), -3, 3)
            symbol = i - 3 * np.floor((i + 1) / 3)
            r = symbol - u - y / (kappa / 3)
            return (y + kappa / 3 * (r - 3 * np.floor(r / 3 + 0.5))).astype(np.float32)

        yield Case(
            "nested dithered, M = k = 3",
            f"{size_of(d)} f4",
            {
                **both(lambda tier, x=x, y=side: nested.sample(x, rng, side=y, tier=tier)),
                "naive": coset,
                **limits(x, d, np.float32),
            },
            lambda x=x, y=side: _near(nested.sample(x, rng, side=y), x, float(np.abs(x).max()) / 6),
        )


def _near(found: Any, x: Any, distance: float) -> None:
    assert np.abs(found - x).max() <= distance * (1 + 1e-5)


def _row(name: str, x: Any, compressor: Any, rng: Any, naive: Member, wanted: Mapping[str, float]) -> Case:
    def call(tier: str) -> Any:
        return compressor.sample(x, rng, tier=tier)

    def check() -> None:
        for member in (naive, *both(call).values()):
            by_law(compressor, x, member)()

    members = {**both(call), "naive": naive, **limits(x, x.size, x.dtype)}
    return Case(name, f"{size_of(x.size)} {x.dtype.str[1:]}", members, check, wanted)


def correlated() -> Iterator[Case]:
    """Yield rows of the correlated quantizer of 16 clients."""
    rng, n, quantizer = np.random.default_rng(1), 16, CorrelatedQuantizer("binary")
    for d in (10**3, 10**5, 10**6):
        x = gaussian(n, d, dtype=np.float64)

        def call(tier: str, x: Any = x) -> Any:
            with impl.tier(tier):
                return quantizer.compress(x, quantizer.draw(rng, x.shape))

        def naive(x: Any = x) -> Any:
            strata = np.argsort(rng.random(x.shape), axis=0)
            thresholds = (strata + rng.random(x.shape)) / n
            norms = np.linalg.norm(x, axis=1, keepdims=True)
            return np.where(thresholds < (1 + x / norms) / 2, norms, -norms)

        members = {**both(call), "naive": naive, **limits(x, x.size, np.float64)}
        if has("torch"):
            import torch

            torch.set_num_threads(1)
            members["peer torch"] = lambda x=x: torch.argsort(torch.rand(x.shape), dim=0)

        def check(x: Any = x, call: Any = call) -> None:
            for member in both(call).values():
                by_law(quantizer, x, lambda member=member: member().mean(axis=0), alone=True)()

        wanted = {"peer": 12, **({"copy": 6} if d == 10**6 else {})}
        yield Case("correlated, n = 16", f"{size_of(d)} f8", members, check, wanted)


# ---------------------------------------------------------------- sparsifiers, transform


def sparsifiers() -> Iterator[Case]:
    """Yield rows of Top-k and Rand-k, k = d / 100."""
    rng = np.random.default_rng(1)
    for d, peer in [(10**3, 3), (10**5, 3), (10**6, 5)]:
        x, k = gaussian(d), max(1, d // 100)
        top, rand = TopK(k), RandK(k)

        def largest(x: Any = x, k: int = k) -> Any:
            out = np.zeros_like(x)
            kept = np.argpartition(np.abs(x), len(x) - k)[len(x) - k :]
            out[kept] = x[kept]
            return out

        def permuted(x: Any = x, k: int = k) -> Any:
            out = np.zeros_like(x)
            kept = rng.permutation(len(x))[:k]
            out[kept] = x[kept] * np.float32(len(x) / k)
            return out

        members = {
            **both(lambda tier, x=x, top=top: top.sample(x, rng, tier=tier)),
            "naive": largest,
            **limits(x, 0, None),
        }
        if has("torch"):
            import torch

            torch.set_num_threads(1)
            tensor = torch.from_numpy(x)
            members["peer torch"] = lambda tensor=tensor, k=k: torch.topk(tensor.abs(), k)

        def same(x: Any = x, top: Any = top, largest: Any = largest) -> None:
            assert all(np.array_equal(top.sample(x, rng, tier=tier), largest()) for tier in both(str))

        yield Case("Top-k, k = d / 100", f"{size_of(d)} f4", members, same, {"peer": peer})

        def kept(x: Any = x, rand: Any = rand, k: int = k) -> None:
            for tier in both(str):
                found = rand.sample(x, rng, tier=tier)
                assert np.count_nonzero(found) == k
                np.testing.assert_allclose(found[found != 0], x[found != 0] * (len(x) / k), rtol=1e-6)

        yield Case(
            "Rand-k, k = d / 100",
            f"{size_of(d)} f4",
            {
                **both(lambda tier, x=x, rand=rand: rand.sample(x, rng, tier=tier)),
                "naive": permuted,
                **limits(x, k, np.float32),
            },
            kept,
            {"naive": 50},
        )


def transform() -> Iterator[Case]:
    """Yield rows of the Hadamard transform in place."""
    for d, dtype in [(2**17, "f8"), (2**20, "f8"), (2**20, "f4")]:
        x, work = gaussian(d, dtype=dtype), np.zeros(d, dtype)

        def naive(work: Any = work) -> Any:
            width = 1
            while width < len(work):
                pairs = work.reshape(-1, 2, width)
                pairs[:, 0], pairs[:, 1] = pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]
                width *= 2
            return work

        def check(x: Any = x, naive: Any = naive) -> None:
            expected = naive(x.copy())
            for tier in both(str):
                found = x.copy()
                hadamard_in_place(found, tier=tier)
                assert found.tobytes() == expected.tobytes()

        members = {
            **both(lambda tier, work=work: hadamard_in_place(work, tier=tier)),
            "naive": naive,
            **limits(x, 0, None),
        }
        yield Case("Hadamard", f"{size_of(d)} {dtype}", members, check, {"ms": 45} if dtype == "f8" else {})


# ---------------------------------------------------------------- codes, Monte Carlo


def codes() -> Iterator[Case]:
    """Yield rows of writing and reading 10^6 levels, of both norms."""
    d, rng = 10**6, np.random.default_rng(0)
    x = np.abs(rng.standard_normal(d))
    for code in (SparseCode(GAMMA), DenseCode(GAMMA)):
        for levels, norm in [(4, "max"), (16, "max"), (4, "L2"), (16, "L2")]:
            v = x / (x.max() if norm == "max" else np.linalg.norm(x)) * levels
            drawn = np.floor(v) + (rng.random(d) < v - np.floor(v))
            symbols = (drawn * rng.choice([-1, 1], d)).astype(np.int64)

            def write(tier: str, code: Any = code, symbols: Any = symbols) -> tuple[bytes, int]:
                writer = BitWriter()
                with impl.tier(tier):
                    code.write(writer, symbols)
                return writer.to_bytes(), writer.bits

            data = write("numpy")

            def read(tier: str, code: Any = code, data: Any = data) -> Any:
                with impl.tier(tier):
                    return code.read(BitReader(*data), d)

            def check(write: Any = write, read: Any = read, data: Any = data, symbols: Any = symbols) -> None:
                assert all(write(tier) == data for tier in both(str))
                assert all(np.array_equal(read(tier), symbols) for tier in both(str))

            kind = "sparse" if isinstance(code, SparseCode) else "dense"
            name = f"{kind} Elias code, s = {levels}, {norm} norm"
            bits = f"1e6, {data[1] / d:.2f} bits"
            yield Case(f"write {name}", bits, {**both(write), **limits(symbols, 0, None)}, check, {"ms": 5})
            members = {**both(read), **limits(symbols, 0, None)}
            yield Case(f"read {name}", bits, members, check, {"ms": 10})


def monte_carlo() -> Iterator[Case]:
    """Yield rows of squared errors of 1000 samples."""
    rng, count = np.random.default_rng(1), 1000
    for compressor, x in [
        (StochasticQuantizer(1 / 4), gaussian(1000, dtype=np.float64)),
        (CorrelatedQuantizer("binary"), gaussian(16, 100, dtype=np.float64)),
    ]:
        joint = isinstance(compressor, CorrelatedQuantizer)

        def naive(compressor: Any = compressor, x: Any = x, joint: bool = joint) -> Any:
            truth = x.mean(axis=0) if joint else x
            return np.array([((compressor.sample(x, rng) - truth) ** 2).sum() for _ in range(count)])

        def call(tier: str, compressor: Any = compressor, x: Any = x) -> Any:
            return squared_errors(compressor, x, rng, count, tier=tier)

        def check(compressor: Any = compressor, x: Any = x, call: Any = call) -> None:
            for member in both(call).values():
                found = member()
                assert abs(found.mean() - compressor.variance(x)) < 6 * found.std() / count**0.5

        members = {**both(call), "naive": naive, **limits(x, count * x.size, np.float64)}
        size = f"{count} x {' x '.join(map(str, x.shape))}"
        yield Case(
            f"squared errors, {type(compressor).__name__}", size, members, check, {} if joint else {"ms": 1.5}
        )


def cases() -> Iterator[Case]:
    """Yield all rows."""
    for group in (quantizers, correlated, sparsifiers, transform, codes, monte_carlo):
        yield from group()
