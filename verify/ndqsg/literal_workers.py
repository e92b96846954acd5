"""Quantized SGD and training written out, worker by worker, with packed messages: runs equal it."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction as F
from functools import cache, partial
from typing import Any

import numpy as np

from impl.compressors import (
    DitheredQuantizer,
    Draws,
    NestedDitheredQuantizer,
    OneBit,
    StochasticQuantizer,
    TernGrad,
    wire,
)
from impl.networks import FullyConnected
from impl.optimizers import QuantizedEstimator, quantized_sgd, train_network
from impl.problems import Quadratic
from impl.problems.digits import Classified
from verify.comparison import ROUNDS, Comparison
from verify.equations import equations
from verify.ndqsg.ratio_rule import estimated_innovation

REPLICATES, WORKERS, STEPS = 2, 4, 5
DIMENSION, STEP_SIZE, MOMENTUM, NOISE = 6, 0.03, 0.5, 0.1
FEATURES, CLASSES, BATCH, LEARNING = 4, 3, 16, 0.4
_SEED = 7

# Decoded messages of the workers without nesting and their error variance to the variance of the innovation.
Innovation = Callable[[Any, float], float]


@dataclass(frozen=True)
class Rules:
    """What a mutant changes of the literal method.

    Args:
        share: Maps P to the number by which decoded messages are divided.
        momentum: Factor on the stated momentum.
        residual: Whether messages of one bit keep what earlier ones lost.
        float_bits: Bits of a number that travels as it is.
        innovation: Estimate for adaptive ratios.
    """

    share: Callable[[int], int] = field(default=lambda P: P)
    momentum: float = 1.0
    residual: bool = True
    float_bits: int = 32
    innovation: Innovation = estimated_innovation


HONEST = Rules()


def without_mean(messages: Any, fine_variance: float) -> float:
    """The estimated variance as if the mean of the messages were known."""
    return estimated_innovation(messages, fine_variance) - float(messages.var(axis=0, ddof=1).mean()) / len(
        messages
    )


FAULTS = {
    "one-worker-less": Rules(share=lambda P: P - 1),
    "half-momentum": Rules(momentum=0.5),
    "lost-residual": Rules(residual=False),
    "long-floats": Rules(float_bits=64),
    "no-term-of-the-mean": Rules(innovation=without_mean),
}


def is_nested(codec: Any) -> bool:
    """Return whether a message needs side information."""
    return isinstance(codec, NestedDitheredQuantizer)


def draws_of(codecs: Sequence[Any], rng: np.random.Generator, replicates: int, d: int) -> list[list[Draws]]:
    """Return the draws by replicate and worker; neighbours with equal codecs draw in one array."""
    found: list[list[Draws]] = [[] for _ in range(replicates)]
    for codec, members in itertools.groupby(codecs):
        count = len(list(members))
        drawn = codec.draw(rng, (replicates, count, d))
        for r in range(replicates):
            found[r] += [Draws(_at(drawn.shared, r, p), _at(drawn.private, r, p)) for p in range(count)]
    return found


def _at(part: Any, replicate: int, worker: int) -> Any:
    return None if part is None else np.asarray(part)[replicate, worker]


def exchange(
    codecs: Sequence[Any], vectors: Any, draws: Sequence[Draws], side: str, residuals: Any = None
) -> tuple[Any, list[int]]:
    """Return decoded vectors (P, d) and the bits of the payloads that travel.

    Args:
        codecs: One for each worker.
        vectors: Gradients, (P, d).
        draws: Of each worker.
        side: `parallel` or `sequential`.
        residuals: What earlier messages of one bit lost, (P, d), updated here; None where nothing is kept.
    """
    decoded, bits = np.zeros(vectors.shape), [0] * len(codecs)
    plain = [p for p, codec in enumerate(codecs) if not is_nested(codec)]
    nested = [p for p, codec in enumerate(codecs) if is_nested(codec)]
    for p in plain + nested:
        codec, x = codecs[p], vectors[p]
        if isinstance(codec, OneBit) and residuals is not None:
            x = x + residuals[p]
        if is_nested(codec):
            before = plain if side == "parallel" else list(range(p))
            y = sum((decoded[q] for q in before), np.zeros(x.shape)) / len(before)
            decoded[p] = codec.reference(x.tolist(), draws[p], y.tolist())
        else:
            decoded[p] = codec.reference(x.tolist(), draws[p])
        if isinstance(codec, OneBit) and residuals is not None:
            residuals[p] = x - decoded[p]
        bits[p] = int(wire.unpack(codec.encode(x, draws[p]))[1].bits)
    return decoded, bits


def _same(label: str, found: Any, literal: Any, witness: Any) -> Comparison:
    """Hold an array against another, relative to its length."""
    size = float(np.linalg.norm(literal))
    off = size + float(np.linalg.norm(np.asarray(found) - literal))
    return Comparison(label, "eq", off, size, ROUNDS, witness)


# ---------------------------------------------------------------- quantized SGD

_PLAIN, _NESTED = DitheredQuantizer(3), NestedDitheredQuantizer(3, 3)
CODECS: dict[str, tuple[tuple[Any, ...], str]] = {
    "dithered": ((DitheredQuantizer(2, blocks=4),) * WORKERS, "parallel"),
    "nested-parallel": ((_PLAIN, _PLAIN, _NESTED, _NESTED), "parallel"),
    "nested-sequential": ((_PLAIN, _NESTED, _NESTED, DitheredQuantizer(1, norm_bits=32)), "sequential"),
    "baselines": ((OneBit(), OneBit(norm_bits=32), TernGrad(1.2), StochasticQuantizer(F(1, 2))), "parallel"),
}


@cache
def singular_workers() -> tuple[Any, Any]:
    """Return matrices of rank one, (P, d, d), and b_p, (P, d): the first is heavy, none solves all."""
    matrices, linear = np.zeros((WORKERS, DIMENSION, DIMENSION)), np.zeros((WORKERS, DIMENSION))
    for p in range(WORKERS):
        u = np.array([((3 * p + 5 * j) % 7 - 3) / 4 for j in range(DIMENSION)])
        weight = 8.0 if p == 0 else 1.0
        matrices[p], linear[p] = weight * np.outer(u, u), weight * (p - 1) * u
    return matrices, linear


@cache
def _problem() -> Quadratic:
    return Quadratic(*singular_workers())


def compare_sgd(name: str, rules: Rules = HONEST) -> Iterable[Comparison]:
    """Hold iterates and bits of `quantized_sgd` against the literal method, step by step."""
    codecs, side = CODECS[name]
    start = np.linspace(1.0, 2.0, DIMENSION)
    found = quantized_sgd(
        _problem(),
        codecs,
        step_size=STEP_SIZE,
        rounds=STEPS,
        rng=np.random.default_rng(_SEED),
        replicates=REPLICATES,
        noise_std=NOISE,
        side=side,  # type: ignore[arg-type]  # one of the two words
        momentum=MOMENTUM,
        start=start,
        trace=True,
        estimator=QuantizedEstimator,
    )
    rng = np.random.default_rng(_SEED)
    matrices, linear = singular_workers()
    x = np.tile(start, (REPLICATES, 1))
    direction, residuals = np.zeros(x.shape), np.zeros((REPLICATES, WORKERS, DIMENSION))
    total = np.zeros(REPLICATES, dtype=np.int64)
    for t in range(STEPS):
        noise = NOISE * rng.standard_normal((REPLICATES, WORKERS, DIMENSION))
        draws = draws_of(codecs, rng, REPLICATES, DIMENSION)
        for r in range(REPLICATES):
            given = np.array([matrices[p] @ x[r] - linear[p] + noise[r, p] for p in range(WORKERS)])
            kept = residuals[r] if rules.residual else None
            decoded, bits = exchange(codecs, given, draws[r], side, kept)
            direction[r] = rules.momentum * MOMENTUM * direction[r] + decoded.sum(axis=0) / rules.share(
                WORKERS
            )
            x[r] = x[r] - STEP_SIZE * direction[r]
            total[r] += sum(bits)
            where = {"replicate": r, "t": t + 1}
            iterates: Any = found.iterates
            yield _same("iterate", iterates[r, t + 1], x[r], where)
            sent = F(float(found.bits[r, t + 1])) * WORKERS
            yield Comparison("bits", "eq", sent, int(total[r]), witness=where)


# ---------------------------------------------------------------- training


@cache
def rows() -> Classified:
    """Return 40 rows for training and 12 for testing, of three classes in four dimensions."""
    i, j = np.arange(52)[:, None], np.arange(FEATURES)
    features = np.cos(1.3 * i * (j + 1) + j**2)
    labels = np.argmax(features[:, :CLASSES] + 0.3 * np.sin(i * (j[:CLASSES] + 2)), axis=-1)
    return Classified(features[:40], labels[:40], features[40:], labels[40:])


def _half(size: int) -> tuple[Any, ...]:
    return (_PLAIN, _PLAIN, NestedDitheredQuantizer(3, 5), NestedDitheredQuantizer(3, 5))


def _many_levels(size: int) -> tuple[Any, ...]:
    return (DitheredQuantizer(20), DitheredQuantizer(30), *(NestedDitheredQuantizer(20, 5),) * 2)


def some_ratio(sigma: float, levels: int) -> int | None:
    """Return a ratio that a small change of the estimated deviation changes."""
    ratio = 2 + int(4 * sigma)
    return ratio if ratio < 2 * levels + 1 else None


def _all(codec: Any, size: int) -> tuple[Any, ...]:
    return (codec,) * WORKERS


METHODS: dict[str, Callable[[int], tuple[Any, ...]] | None] = {
    "sgd": None,
    "dithered": partial(_all, DitheredQuantizer(1)),
    "nested": _half,
    "nested-adaptive": _many_levels,
    "rounding": partial(_all, StochasticQuantizer(1, norm="max", code="dense-gamma")),
    "terngrad": partial(_all, TernGrad(0.9)),
    "one-bit": partial(_all, OneBit()),
}


@equations
def compare_training(name: str, rules: Rules = HONEST) -> Iterable[Comparison]:
    """Hold losses, accuracies, weights and bits of `train_network` against the literal training."""
    method, data = METHODS[name], rows()
    adaptive = name == "nested-adaptive"
    network = FullyConnected((FEATURES, CLASSES))
    found = train_network(
        network,
        data,
        method,
        workers=WORKERS,
        step_size=LEARNING,
        iterations=STEPS,
        batch=BATCH,
        rng=np.random.default_rng(_SEED),
        replicates=REPLICATES,
        momentum=MOMENTUM,
        side="sequential",
        choose=some_ratio if adaptive else None,
    )
    seeds = np.random.default_rng(_SEED).integers(0, 2**63, size=(2, 4))
    rows_rng, rng = (np.random.default_rng(item) for item in seeds)
    weights = [np.array(item) for item in network.initial(rows_rng, REPLICATES)]
    directions = [np.zeros_like(item) for item in weights]
    residuals = [np.zeros((REPLICATES, WORKERS, item[0].size)) for item in weights]
    known: list[list[Any]] = [[None] * REPLICATES for _ in weights]
    yield from _accuracies(found.accuracy[:, 0], weights, data, 0)
    for t in range(STEPS):
        chosen = [rows_rng.permutation(len(data.labels))[:BATCH] for _ in range(REPLICATES)]
        parts = [_gradients([item[r] for item in weights], data, chosen[r]) for r in range(REPLICATES)]
        for r in range(REPLICATES):
            loss = sum(part[0] for part in parts[r]) / WORKERS
            yield Comparison("loss", "eq", float(found.loss[r, t]), loss, ROUNDS, {"t": t, "replicate": r})
        expected = np.zeros((REPLICATES, WORKERS), dtype=np.int64)
        for tensor, weight in enumerate(weights):
            given = np.array([[part[1][tensor].ravel() for part in parts[r]] for r in range(REPLICATES)])
            decoded, bits = _sent(method, adaptive, given, rng, residuals[tensor], known[tensor], rules)
            expected += bits
            average = decoded.sum(axis=1) / rules.share(WORKERS)
            directions[tensor] = rules.momentum * MOMENTUM * directions[tensor] + average.reshape(
                weight.shape
            )
            weights[tensor] = weight - LEARNING * directions[tensor]
        wrong = int((found.bits[:, t] != expected).sum())
        yield Comparison("messages of other lengths", "eq", wrong, 0, witness={"t": t})
    for tensor, weight in enumerate(weights):
        yield _same("weights at the end", found.parameters[tensor], weight, {"tensor": tensor})
    yield from _accuracies(found.accuracy[:, -1], weights, data, STEPS)


def _accuracies(found: Any, weights: Any, data: Classified, t: int) -> Iterable[Comparison]:
    for r, share in enumerate(found):
        scores = data.test_features @ weights[0][r] + weights[1][r]
        right = int((scores.argmax(axis=-1) == data.test_labels).sum())
        counted = round(float(share) * len(scores))
        yield Comparison("test rows in their class", "eq", counted, right, witness={"t": t, "replicate": r})


def _gradients(weights: Any, data: Classified, chosen: Any) -> list[tuple[float, list[Any]]]:
    """Return loss and gradients of each worker: softmax regression, row by row."""
    found = []
    for part in np.split(chosen, WORKERS):
        loss, slopes = 0.0, [np.zeros_like(item) for item in weights]
        for row, label in zip(data.features[part], data.labels[part], strict=True):
            scores = row @ weights[0] + weights[1]
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            loss -= float(np.log(chances[label])) / len(part)
            off = (chances - np.eye(CLASSES)[label]) / len(part)
            slopes[0] += np.outer(row, off)
            slopes[1] += off
        found.append((loss, slopes))
    return found


def _sent(
    method: Any, adaptive: bool, given: Any, rng: Any, residuals: Any, known: list[Any], rules: Rules
) -> tuple[Any, Any]:
    """Return what the server decodes of one tensor, (R, P, d), and bits, (R, P)."""
    _, _, d = given.shape
    if method is None:
        return given, np.full(given.shape[:2], rules.float_bits * d)
    decoded, bits = np.zeros(given.shape), np.zeros(given.shape[:2], dtype=np.int64)
    codecs = method(d)
    draws = [] if adaptive else draws_of(codecs, rng, REPLICATES, d)
    for r in range(REPLICATES):
        used = _adapted(codecs, known[r]) if adaptive else codecs
        own = draws_of(used, rng, 1, d)[0] if adaptive else draws[r]
        kept = residuals[r] if rules.residual else None
        decoded[r], bits[r] = exchange(used, given[r], own, "sequential", kept)
        if adaptive:
            steps = [float(np.abs(g).max()) / codec.levels for g, codec in zip(given[r], codecs, strict=True)]
            first = [p for p, codec in enumerate(codecs) if not is_nested(codec)]
            fine = sum(steps[p] ** 2 for p in first) / len(first) / 12
            known[r] = rules.innovation(decoded[r][first], fine) ** 0.5, steps
    return decoded, bits


def _adapted(codecs: Sequence[Any], known: Any) -> list[Any]:
    """Return the codecs of the next message: nested ones with the ratio of the rule."""
    used = []
    for p, codec in enumerate(codecs):
        if is_nested(codec):
            ratio = None
            if known is not None and known[1][p] > 0:
                ratio = some_ratio(known[0] / known[1][p], codec.levels)
            M = codec.levels
            codec = DitheredQuantizer(M) if ratio is None else NestedDitheredQuantizer(M, ratio)
        used.append(codec)
    return used
