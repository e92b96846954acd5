"""Checks of `cat/memory-bounded`: memories of exact runs, and of runs of `memory_gd`."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import numpy as np

from impl.compressors import Draws, OneBit, TopK, TopKSigns
from impl.optimizers import memory_gd
from impl.problems import Quadratic
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import quad
from verify.cat.memory.exact_messages import CONTRACTIONS, Compress, Vector, kept, random_entries
from verify.comparison import LONG_RUN, ROUND_OFF, Comparison
from verify.expectation.outcome_tree import square

_CURVATURES, _CENTER = (F(1), F(1, 2), F(1, 4), F(2)), (F(1), F(-2), F(4), F(1, 2))
_PAIRS = (
    ((1, 1, 1, 1), (1, 1, 1, 1)),
    ((3, -1, 0, 2), (1, 1, -2, 0)),
    ((0, 0, 0, 0), (2, -3, 6, 1)),
    ((1, -2, 3, -1), (-1, 2, -3, 2)),
)


class Louder:
    """Sabotage: a compressor whose messages are received three times as large: no contraction."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def draw(self, rng: Any, shape: Any) -> Any:
        return self._inner.draw(rng, shape)

    def message(self, x: Any, draws: Any) -> Any:
        return self._inner.message(x, draws)

    def reconstruct(self, message: Any, shared: Any = None) -> Any:
        return 3 * self._inner.reconstruct(message, shared)


def other_memory(*arguments: Any, **options: Any) -> Any:
    """Sabotage: record memories that are larger by a millionth."""
    found: Any = memory_gd(*arguments, **options)
    return replace(found, shifts=(1 + 1e-6) * found.shifts)


judge = checks_of(
    "cat/memory-bounded",
    keep=kept,
    send=lambda compress: compress,
    method=memory_gd,
    receive=lambda made: made,
)


judge.sabotage(
    "doubled at exact/*: Keep twice what is lost.",
    {"keep": lambda whole, sent: tuple(2 * item for item in kept(whole, sent))},
    "unscaled at exact/random-3: Send random entries as unbiased ones, d/k times as large.",
    {"send": lambda compress: random_entries(3, F(1))},
    "half-constant at exact/shrunk: Claim half of the constant. | bound = bound / 2",
    "half-fixed-point at exact/shrunk: Claim half of the fixed point. | fixed = fixed / 2",
    "smaller-share at exact/top-3, exact/random-3, exact/shrunk: Claim one round of a better contraction. "
    "| kept = kept * 15/16, added = added * 15/16",
    "loud at run/quad, run/nodes: Messages are received three times as large: no contraction.",
    {"receive": Louder},
    "other-memory at run/quad, run/nodes: Keep a millionth more than was lost.",
    {"method": other_memory},
)
judge.sabotage_data(
    "turned, neutral at exact/*: Reverse the order of the coordinates: nothing may change.",
    lambda name, order: {"name": name, "order": -order},
)


# ---------------------------------------------------------------- exact


@judge.exact(instances={name: {"name": name, "order": 1} for name in CONTRACTIONS})
def contractions(law: Law, name: str, order: int) -> Iterable[Comparison]:
    """Single rounds at given memories, and all rounds of a short run, in expectation."""
    made = CONTRACTIONS[name]
    compress, delta = law.send(made.compress), 1 - made.r**2
    for h, g in _PAIRS:
        whole = tuple(F(a + b) for a, b in zip(h[::order], g[::order], strict=True))
        after = sum((q * square(law.keep(whole, sent)) for q, sent in compress(whole)), F(0))
        for beta in (1 / made.r - 1, F(1, 2), F(3)):
            at = {"h": h, "g": g, "beta": beta}
            factors = [law.exactly(part, delta=delta, beta=beta) for part in ("kept", "added")]
            bound = factors[0] * square(h) + factors[1] * square(g)
            yield le("one round", after, bound, witness=at)
    yield from _constants(law, made.r)
    yield from _run(law, compress, made.r, _gradient(order), rounds=3 if name == "random-3" else 12)
    if name == "shrunk":
        yield from _run(law, compress, made.r, lambda x: (F(0), F(0), F(3), F(4)), rounds=40)
        yield from _line(law, made.r)


def _constants(law: Law, r: F) -> Iterable[Comparison]:
    for root in (r, F(99, 100)):
        delta, bound = 1 - root**2, law.exactly("bound", r=root)
        best = 1 / root - 1
        yield eq("reached", law.exactly("fixed", delta=delta, beta=best), bound)
        yield eq("reached", law.exactly("kept", delta=delta, beta=best), root)
        yield eq("reached", law.exactly("added", delta=delta, beta=best), root**2 / (1 - root))
        for beta in (best * F(9, 10), best, best * F(11, 10)):
            if (1 - delta) * (1 + beta) < 1:
                yield le("least constant", bound, law.exactly("fixed", delta=delta, beta=beta))
        yield le("simple constant", bound, law.exactly("simple", delta=delta))


def _gradient(order: int) -> Callable[[Vector], Vector]:
    def gradient(x: Vector) -> Vector:
        rows = zip(_CURVATURES[::order], x, _CENTER[::order], strict=True)
        return tuple(a * (item - c) for a, item, c in rows)

    return gradient


def _run(
    law: Law, compress: Compress, r: F, gradient: Callable[[Vector], Vector], rounds: int
) -> Iterable[Comparison]:
    """Gradient descent of step 1/4 from zero, all outcomes of its messages."""
    leaves: list[tuple[F, Vector, Vector]] = [(F(1), (F(0),) * 4, (F(0),) * 4)]
    memories: list[F] = []
    gradients: list[F] = []
    for T in range(rounds + 1):
        slopes = [gradient(x) for _, x, _ in leaves]
        memories.append(sum((q * square(h) for q, _, h in leaves), F(0)))
        largest = max(gradients, default=F(0))
        at = {"T": T}
        delta, best = 1 - r**2, 1 / r - 1
        bound = law.exactly("bound", r=r)
        yield le("memory", memories[-1], bound * largest, witness=at, headline=True)
        for beta in (best, best / 2):
            fixed = law.exactly("fixed", delta=delta, beta=beta)
            yield le("fixed point", memories[-1], fixed * largest, witness=at)
        gradients.append(sum((q * square(g) for (q, _, _), g in zip(leaves, slopes, strict=True)), F(0)))
        yield le("sum", sum(memories, F(0)), bound * sum(gradients, F(0)), witness=at)
        after = []
        for (p, x, h), g in zip(leaves, slopes, strict=True):
            whole = tuple(a + b for a, b in zip(h, g, strict=True))
            for q, sent in compress(whole):
                moved = tuple(a - b / 4 for a, b in zip(x, sent, strict=True))
                after.append((p * q, moved, law.keep(whole, sent)))
        leaves = after


def _line(law: Law, r: F) -> Iterable[Comparison]:
    """C(x) = (1 - r) x with the gradient 1 in all rounds."""
    h, bound = F(0), law.exactly("bound", r=r)
    for T in range(1, 31):
        (h,) = law.keep((h + 1,), ((1 - r) * (h + 1),))
        yield eq("shrunk gradients", h, law.exactly("norm", r=r, T=T), witness={"T": T})
        yield le("limit", bound * (1 - 2 * r**T), h**2, witness={"T": T})


# ---------------------------------------------------------------- runs of the method


def _nodes() -> Quadratic:
    rng = np.random.default_rng(3)
    return Quadratic.from_centers(rng.uniform(0.2, 2.0, (3, 10)), rng.standard_normal((3, 10)))


PROBLEMS: dict[str, Callable[[], Quadratic]] = {"quad": quad, "nodes": _nodes}


@judge.drift(instances={name: {"name": name, "rounds": 60} for name in PROBLEMS})
def run(law: Law, rng: Any, name: str, rounds: int) -> Iterable[Comparison]:
    """Memories of each node along runs, against their own gradients."""
    problem = PROBLEMS[name]()
    d = problem.d
    for made, delta in ((TopK(d // 4), d // 4 / d), (TopKSigns(d, scale="mean"), 1 / d), (OneBit(), 1 / d)):
        found = law.method(
            problem,
            law.receive(made),
            step_size=0.2 / problem.L,
            rounds=rounds,
            rng=rng,
            trace=True,
            start=np.ones(d),
        )
        x, h = found.iterates[0], found.shifts[0]
        g, at = problem.gradients(x), {"compressor": repr(made)}
        H, G = (h**2).sum(axis=-1), (g**2).sum(axis=-1)
        r = float(np.sqrt(1 - delta))
        best = 1 / r - 1
        kept_part, added = (law(part, delta=delta, beta=best) for part in ("kept", "added"))
        bound, fixed = law("bound", r=r), law("fixed", delta=delta, beta=best)
        for k, (before, after) in enumerate(pairwise(h)):
            whole = before + g[k]
            stated = whole - law.receive(made).reconstruct(made.message(whole, Draws()))
            off = float(np.abs(after - stated).max()) / float(np.abs(whole).max())
            yield eq("memory of the run", 1 + off, 1.0, ROUND_OFF, witness={**at, "k": k})
            for i in range(problem.n):
                own = {**at, "k": k, "node": i}
                one = float(kept_part * H[k, i] + added * G[k, i])
                yield le("one round", float(H[k + 1, i]), one, ROUND_OFF, witness=own)
                most = float(G[: k + 1, i].max())
                yield le("memory", float(H[k + 1, i]), bound * most, ROUND_OFF, witness=own)
                yield le("fixed point", float(H[k + 1, i]), fixed * most, ROUND_OFF, witness=own)
                total = float(G[: k + 1, i].sum())
                yield le("sum", float(H[: k + 1, i].sum()), bound * total, LONG_RUN, witness=own)
