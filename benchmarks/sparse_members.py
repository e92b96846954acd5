"""Rows of the table: sparsifiers, and the Hadamard transform."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from cases import Case, both, gaussian, limits, size_of
from members import SHORT
from peers import fht_cpu, grace, grace_member, torch_top_k

from impl.compressors import RandK, TopK
from impl.hadamard import hadamard_in_place


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
            **torch_top_k(x, k),
            **grace_member(x, grace("topk", "TopKCompressor", 0.01)),
            **limits(x, 0, None),
        }

        def same(x: Any = x, top: Any = top, largest: Any = largest) -> None:
            assert all(np.array_equal(top.sample(x, rng, tier=tier), largest()) for tier in both(str))

        yield Case("Top-k, k = d / 100", f"{size_of(d)} f4", members, same, {"peer torch": peer})

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
            {"naive": 50, **(SHORT if d == 10**3 else {})},
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
            **fht_cpu(work),
            **limits(x, 0, None),
        }
        yield Case("Hadamard", f"{size_of(d)} {dtype}", members, check, {"ms": 45} if dtype == "f8" else {})


def sparse_cases() -> Iterator[Case]:
    """Yield all rows of this module."""
    yield from sparsifiers()
    yield from transform()
