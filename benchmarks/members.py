"""The rows of quantizers: what is measured of each, beside what, and what is asked for."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from cases import Case, Member, both, by_law, gaussian, limits, size_of
from peers import grace, grace_member, torch_correlated

import impl
from impl.compressors import (
    CorrelatedQuantizer,
    DitheredQuantizer,
    NaturalCompression,
    NestedDitheredQuantizer,
    OneBit,
    StochasticQuantizer,
    TernGrad,
)

SHORT = {"numpy ms": 0.015}
"""What is asked of a call with 1000 coordinates by numpy."""


def stochastic() -> Iterator[Case]:
    """Yield rows of QSGD."""
    rng = np.random.default_rng(1)
    wanted = {
        10**3: {"peer GRACE": 20, "naive": 6, **SHORT},
        10**5: {"peer GRACE": 8, "naive": 8},
        10**6: {"peer GRACE": 6, "naive": 5, "copy": 6},
        10**7: {"peer GRACE": 10, "naive": 5},
    }
    for d, dtype in [(10**3, "f4"), (10**5, "f4"), (10**6, "f4"), (10**7, "f4"), (10**6, "f8")]:
        x = gaussian(d, dtype=dtype)

        def naive(x: Any = x) -> Any:
            norm = np.linalg.norm(x)
            v = np.abs(x) / norm * 16
            floor = np.floor(v)
            return np.sign(x) * norm / 16 * (floor + (rng.random(x.shape) < v - floor))

        asked = wanted[d] if dtype == "f4" else {}
        peer = grace_member(x, grace("qsgd", "QSGDCompressor", 16)) if asked else {}
        yield _row("QSGD, s = 16", x, StochasticQuantizer(1 / 16), rng, naive, asked, peer)


def others() -> Iterator[Case]:
    """Yield rows of TernGrad and the dithered quantizers; short ones of OneBit and natural compression."""
    rng, nested = np.random.default_rng(1), NestedDitheredQuantizer(3, 3)
    for d in (10**3, 10**5, 10**6):
        x = gaussian(d)
        asked = SHORT if d == 10**3 else {"naive": 8}

        def ternary(x: Any = x) -> Any:
            size = np.abs(x)
            kappa = size.max()
            return kappa * np.sign(x) * (rng.random(x.shape) < size / kappa)

        yield _row("TernGrad", x, TernGrad(), rng, ternary, asked)

        def dithered(x: Any = x) -> Any:
            kappa, u = np.abs(x).max(), rng.random(x.shape, dtype=np.float32) - np.float32(0.5)
            q = np.clip(np.floor(x / kappa * 3 + u + np.float32(0.5)), -3, 3)
            return kappa * ((q - u) / 3)

        yield _row("dithered, M = 3", x, DitheredQuantizer(3), rng, dithered, asked)
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
            SHORT if d == 10**3 else {},
        )
    x = gaussian(10**3)
    yield _row("OneBit", x, OneBit(), rng, None, SHORT)
    yield _row("natural compression", x, NaturalCompression(), rng, None, SHORT)


def _near(found: Any, x: Any, distance: float) -> None:
    assert np.abs(found - x).max() <= distance * (1 + 1e-5)


def _row(
    name: str,
    x: Any,
    compressor: Any,
    rng: Any,
    naive: Member | None,
    wanted: Mapping[str, float],
    peer: Mapping[str, Member] | None = None,
) -> Case:
    def call(tier: str) -> Any:
        return compressor.sample(x, rng, tier=tier)

    plain = {} if naive is None else {"naive": naive}

    def check() -> None:
        for member in (*plain.values(), *both(call).values(), *(peer or {}).values()):
            by_law(compressor, x, member)()

    members = {**both(call), **plain, **(peer or {}), **limits(x, x.size, x.dtype)}
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

        peer = torch_correlated(x)
        members = {**both(call), "naive": naive, **peer, **limits(x, x.size, np.float64)}

        def check(x: Any = x, call: Any = call, peer: Any = peer) -> None:
            whole = [call for name, call in peer.items() if name == "peer torch"]
            for member in (*both(call).values(), *whole):
                by_law(quantizer, x, lambda member=member: np.asarray(member()).mean(axis=0), alone=True)()

        wanted = {"peer torch": 12, "peer torch argsort": 12, **({"copy": 6} if d == 10**6 else {})}
        yield Case("correlated, n = 16", f"{size_of(d)} f8", members, check, wanted)


def quantizer_cases() -> Iterator[Case]:
    """Yield all rows of this module."""
    for group in (stochastic, others, correlated):
        yield from group()
