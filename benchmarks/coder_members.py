"""Rows of the table: codes of levels, entropy coders, and whole messages of the protocol."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from cases import Case, both, has, limits

import impl
from impl import tiers
from impl.coding import GAMMA, BitReader, BitWriter, DenseCode, SparseCode
from impl.coding.adaptive_coder import AdaptiveCoder
from impl.coding.range_coder import RangeCoder
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.protocol import Aggregator, Sender

WORKERS = 4


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


def coders() -> Iterator[Case]:
    """Yield rows of writing and reading 10^6 digits; pure Python would take seconds, and is left out."""
    if not tiers.is_installed():
        return
    d, rng = 10**6, np.random.default_rng(0)
    x = rng.standard_normal(d)
    for levels, norm in [
        (1, "max"),
        (4, "max"),
        (7, "max"),
        (16, "max"),
        (127, "max"),
        (4, "L2"),
        (16, "L2"),
    ]:
        v = np.abs(x) / (np.abs(x).max() if norm == "max" else np.linalg.norm(x)) * levels
        drawn = np.floor(v) + (rng.random(d) < v - np.floor(v))
        digits = (drawn * np.sign(x)).astype(np.int64) + levels
        counts = np.bincount(digits, minlength=2 * levels + 1)
        chances = counts[counts > 0] / d
        entropy = float(-(chances * np.log2(chances)).sum())
        given: list[tuple[str, Any]] = [("adaptive coder", AdaptiveCoder(2 * levels + 1))]
        if has("constriction"):
            given.append(("range coder, adaptive", RangeCoder(2 * levels + 1)))
            given.append(("range coder, fixed", RangeCoder(2 * levels + 1, counts + 1)))
        for name, coder in given:
            yield from _rows(f"{name}, s = {levels}, {norm} norm", coder, digits, entropy)


def _rows(name: str, coder: Any, digits: Any, entropy: float) -> Iterator[Case]:
    d = len(digits)
    with impl.tier("fused"):
        data = coder.encode(digits)

    def write(tier: str) -> bytes:
        with impl.tier(tier):
            return coder.encode(digits)  # type: ignore[no-any-return]

    def read(tier: str) -> Any:
        with impl.tier(tier):
            return coder.decode(data, d)

    def check() -> None:
        # Rounded widths, and the counts that are learned, show where a digit has a ninth of a bit or less.
        assert 8 * len(data) <= (1.005 if entropy > 0.2 else 1.01) * entropy * d
        assert np.array_equal(read("fused"), digits)
        few = digits[:3000]  # by the coder itself
        code = coder.encode(few)
        with impl.tier("fused"):
            assert coder.encode(few) == code

    size = f"1e6, {8 * len(data) / d:.4g} bits"
    fixed = name.startswith("range coder, fixed")
    for what, call, wanted in (("write", write, 10), ("read", read, 20)):
        members = {"fused": lambda call=call: call("fused")}
        if fixed:  # the numpy tier leaves this one to the library
            members["peer constriction"] = lambda call=call: call("numpy")
        yield Case(f"{what} {name}", size, {**members, **limits(digits, 0, None)}, check, {"ms": wanted})


def messages() -> Iterator[Case]:
    """Yield rows of one iteration of four workers: what they send, is received, and its mean."""
    d, rng = 10**6, np.random.default_rng(0)
    near = rng.standard_normal(d)
    gradients = [near + 0.01 * rng.standard_normal(d) for _ in range(WORKERS)]
    for name, second in [("plain", DitheredQuantizer(3)), ("half nested", NestedDitheredQuantizer(3, 3))]:
        codecs = [DitheredQuantizer(3)] * (WORKERS // 2) + [second] * (WORKERS // 2)

        def ends(codecs: Any = codecs) -> tuple[list[Sender], Aggregator]:
            senders = [Sender(codec, seed=(1, 2), worker=w) for w, codec in enumerate(codecs)]
            return senders, Aggregator(WORKERS, seed=(1, 2))

        def mean(tier: str, senders: Any, aggregator: Any) -> Any:
            with impl.tier(tier):
                for sender, g in zip(senders, gradients, strict=True):
                    aggregator.receive(sender.send(g))
                return aggregator.mean()

        kept = {tier: ends() for tier in tiers.TIERS}  # both ends go on from iteration to iteration

        def call(tier: str, kept: Any = kept, mean: Any = mean) -> Any:
            return mean(tier, *kept[tier])

        def check(ends: Any = ends, mean: Any = mean) -> None:
            found = [mean(tier, *ends()) for tier in both(str)]
            assert all(item.tobytes() == found[0].tobytes() for item in found)
            assert np.abs(found[0] - np.mean(gradients, axis=0)).max() <= np.abs(near).max() / 6 + 0.1

        wanted = {"ms": 60.0} if name == "plain" else {}
        members = {**both(call), **limits(near, 0, None)}
        yield Case(f"Sender and Aggregator, {WORKERS} workers, {name}", "1e6 f8, raw", members, check, wanted)


def coder_cases() -> Iterator[Case]:
    """Yield all rows of this module."""
    yield from codes()
    yield from coders()
    yield from messages()
