"""MARINA written out, replicate by replicate and client by client, with packed messages: runs equal it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction as F
from functools import cache
from typing import Any

import numpy as np

from impl.communication import Wire
from impl.compressors import (
    CorrelatedGrid,
    CorrelatedQuantizer,
    Draws,
    ImportanceSampling,
    Independent,
    IndependentQuantizer,
    JointCompressor,
    PermK,
    PermKQuantizer,
    RandK,
    RotatedQuantizer,
    WeightedPartition,
    wire,
)
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Quadratic
from verify.comparison import ROUNDS, Comparison

REPLICATES, ROUNDS_RUN, PROBABILITY, STEP = 3, 7, 0.4, 0.02
_ADDRESS = 3 * 64
"""Bits of the numbers of client, clients and round, which come before the payload of a message."""
_HEADER = Wire(100, 7, 3)
"""Some price of a message that is not affine in its bits."""

_WEIGHTS = (F(1, 10), F(1, 5), F(3, 10), F(2, 5))
SCHEMES: dict[str, tuple[JointCompressor | RandK, int, int]] = {
    "rand-k": (RandK(2), 4, 6),
    "perm-k": (PermK(), 4, 6),
    "perm-k-many-clients": (PermK(value_bits=32), 5, 2),
    "partition": (WeightedPartition(_WEIGHTS), 4, 6),
    "sampled-clients": (ImportanceSampling(3, _WEIGHTS, RandK(2)), 4, 6),
    "sampled-clients-correlated": (ImportanceSampling(2, _WEIGHTS, CorrelatedQuantizer("binary")), 4, 6),
    "grid": (CorrelatedGrid(0.75, "random"), 4, 6),
    "groups": (PermKQuantizer(2), 4, 6),
    "groups-independent": (PermKQuantizer(2, correlated=False, norm_bits=32), 4, 6),
    "rotated": (RotatedQuantizer(True), 4, 8),
    "rotated-independent": (RotatedQuantizer(False, norm_bits=32), 4, 8),
    "correlated-ternary": (CorrelatedQuantizer("ternary", norm_bits=32), 4, 6),
    "one-bit": (IndependentQuantizer("binary"), 4, 6),
}
"""Compressor, number of clients, of coordinates."""
_ALL = {**SCHEMES, "correlated": (CorrelatedQuantizer("binary", norm_bits=32), 4, 6)}


@dataclass(frozen=True)
class Rules:
    """What a mutant changes of the literal method.

    Args:
        full: Bits of a full gradient from d and the bits of a float.
        mixed: Whether replicates with a full round are charged on their own, whatever others do.
        stale: Whether a full round leaves the gradients from which differences are taken.
        share: Maps n to the number by which messages are divided.
        first: Whether the first estimate is sent.
        alike: Whether all clients are charged the message of the first.
    """

    full: Callable[[int, int], int] = field(default=lambda d, float_bits: float_bits * d)
    mixed: bool = True
    stale: bool = False
    share: Callable[[int], int] = field(default=lambda n: n)
    first: bool = True
    alike: bool = False


HONEST = Rules()


def singular_clients(n: int, d: int) -> tuple[Any, Any]:
    """Return matrices of rank one or two, (n, d, d), and b_i, (n, d): the first is heavy, none solves all."""
    matrices, linear = np.zeros((n, d, d)), np.zeros((n, d))
    for i in range(n):
        weight = 10.0 if i == 0 else 1.0
        for shift in range(1 + i % 2):
            u = np.array([((3 * i + 5 * j + 2 * shift) % 7 - 3) / 4 for j in range(d)])
            matrices[i] += weight * np.outer(u, u)
            linear[i] += weight * u * (i - 1 + shift)
    return matrices, linear


@dataclass(frozen=True)
class LiteralRun:
    """A run.

    Args:
        iterates: (R, K + 1, d).
        bits: Of each message, (R, K, n).
    """

    iterates: Any
    bits: Any


def literal_marina(
    name: str, *, seed: int, float_bits: int, initial: Any = None, rules: Rules = HONEST
) -> LiteralRun:
    """Run the method as the claim says it, on the stream of `marina`; sums over packed messages."""
    given, n, d = _ALL[name]
    compressor = given if isinstance(given, JointCompressor) else Independent(given)
    matrices, linear = singular_clients(n, d)
    rng = np.random.default_rng(seed)
    iterates = np.zeros((REPLICATES, ROUNDS_RUN + 1, d))
    bits = np.zeros((REPLICATES, ROUNDS_RUN, n), dtype=np.int64)
    iterates[:, 0] = _start(d)
    estimates: list[Any] = [None] * REPLICATES
    older: list[Any] = [None] * REPLICATES
    whole = rules.full(d, float_bits)
    for k in range(ROUNDS_RUN):
        coins = rng.random(REPLICATES) < PROBABILITY if k else np.ones(REPLICATES, dtype=bool)
        draws = compressor.draw(rng, (REPLICATES, n, d)) if k else None
        for r in range(REPLICATES):
            x = iterates[r, k]
            gradients = [matrices[i] @ x - linear[i] for i in range(n)]
            if k == 0 and initial is not None:
                estimates[r] = np.array(initial)
                bits[r, k] = 0
            elif coins[r]:
                estimates[r] = sum(gradients, np.zeros(d)) / n
                charged = not (k == 0 and not rules.first) and (rules.mixed or bool(coins.all()))
                bits[r, k] = whole if charged else 0
            else:
                rows = [new - old for new, old in zip(gradients, older[r], strict=True)]
                own = Draws(_of(draws.shared, r), _of(draws.private, r))  # type: ignore[union-attr]
                decoded = compressor.reference(rows, own)
                estimates[r] = estimates[r] + np.array(decoded).sum(axis=0) / rules.share(n)
                sizes = [payload_bits(compressor, row, i, own, n) for i, row in enumerate(rows)]
                bits[r, k] = sizes[:1] * n if rules.alike else sizes
            if not (rules.stale and k and coins[r]):
                older[r] = gradients
            iterates[r, k + 1] = x - STEP * estimates[r]
    return LiteralRun(iterates, bits)


def payload_bits(compressor: JointCompressor, row: Any, client: int, draws: Draws, n: int) -> int:
    """Return the bits of the payload in the bytes that a client sends, 0 where they say something else."""
    own = compressor.of_client(draws, client)
    message = compressor.message(row, client, own, n=n)
    data = compressor.encode(message, draws.shared)
    received = compressor.decode(data, draws.shared).symbols
    if not np.array_equal(np.ravel(received), np.ravel(message.symbols)):
        return 0
    return int(wire.unpack(data)[1].bits) - _ADDRESS


def _of(part: Any, replicate: int) -> Any:
    """Return the draws of one replicate: arrays, tuples of them, or nothing."""
    if part is None:
        return None
    return tuple(_of(item, replicate) for item in part) if isinstance(part, tuple) else part[replicate]


def _start(d: int) -> Any:
    return np.array([1 + (j % 3) / 2 for j in range(d)])


@cache
def _problem(n: int, d: int) -> Quadratic:
    return Quadratic(*singular_clients(n, d))


def batched(
    name: str,
    *,
    seed: int,
    float_bits: int,
    initial: Any = None,
    estimator: type[MarinaEstimator] = MarinaEstimator,
) -> Any:
    """Run `marina` itself."""
    compressor, n, d = _ALL[name]
    return marina(
        _problem(n, d),
        compressor,
        step_size=STEP,
        probability=PROBABILITY,
        rounds=ROUNDS_RUN,
        rng=np.random.default_rng(seed),
        replicates=REPLICATES,
        start=_start(d),
        initial=initial,
        trace=True,
        float_bits=float_bits,
        cost=_HEADER,
        estimator=estimator,
    )


def _settings(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield arguments of two runs, the second from an estimate that the server has, with what they are."""
    d = _ALL[name][2]
    yield {"seed": 5, "float_bits": 64}, {"g^0": "exact"}
    if name in ("perm-k", "rand-k"):
        yield {"seed": 6, "float_bits": 32, "initial": np.full(d, 0.5)}, {"g^0": "1/2", "float": 32}


def compare_iterates(
    name: str, rules: Rules = HONEST, estimator: type[MarinaEstimator] = MarinaEstimator
) -> Iterable[Comparison]:
    """Hold the iterates of the batched method against those of the literal one, round by round."""
    for arguments, witness in _settings(name):
        found = batched(name, **arguments, estimator=estimator)
        literal = literal_marina(name, **arguments, rules=rules)
        for r in range(REPLICATES):
            for k in range(1, ROUNDS_RUN + 1):
                exact = literal.iterates[r, k]
                size = float(np.linalg.norm(exact))
                off = size + float(np.linalg.norm(found.iterates[r, k] - exact))
                where = {**witness, "replicate": r, "k": k}
                yield Comparison("literal iterate", "eq", off, size, ROUNDS, where)


def bits_of_rounds(
    name: str, rules: Rules = HONEST, estimator: type[MarinaEstimator] = MarinaEstimator
) -> Iterable[Comparison]:
    """Hold the bits of the batched method against the payloads of packed messages, round by round."""
    n = _ALL[name][1]
    for arguments, witness in _settings(name):
        found = batched(name, **arguments, estimator=estimator)
        literal = literal_marina(name, **arguments, rules=rules)
        total = np.cumsum(literal.bits, axis=1)
        spent = np.cumsum(
            [[[float(_HEADER(int(b))) if b else 0.0 for b in row] for row in rows] for rows in literal.bits],
            axis=1,
        )
        slowest = np.cumsum(literal.bits.max(axis=-1), axis=1)
        for r in range(REPLICATES):
            for k in range(ROUNDS_RUN):
                where = {**witness, "replicate": r, "k": k + 1}
                sent = F(float(found.bits[r, k + 1])).limit_denominator(n) * n
                yield Comparison("bits", "eq", sent, int(total[r, k].sum()), witness=where)
                largest = F(float(found.bits_slowest[r, k + 1]))
                yield Comparison("slowest client", "eq", largest, int(slowest[r, k]), witness=where)
                price = float(spent[r, k].sum()) / n
                yield Comparison("cost", "eq", float(found.cost[r, k + 1]), price, ROUNDS, where)
