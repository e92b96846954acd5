"""Checks of `ndqsg/protocol-desync`: pairs of dithers in rationals, sampling, and tampering with messages."""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction as F
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer
from impl.errors import CorruptMessage, DesyncError
from impl.protocol import Aggregator, Frame, Receiver, Sender
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, Tolerance, rational
from verify.equations import equations
from verify.evaluation import evaluate, evaluate_exact, names
from verify.ndqsg.dithered_run import Rule, usual_key
from verify.ndqsg.fixtures.dithers import frozen_key
from verify.ndqsg.nested_links import grid
from verify.ndqsg.sabotaged_dither import Desynchronised
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/protocol-desync"
POINTS = 8
INPUTS = tuple(F(n, 8) for n in (4, 2, 1, 3, 0, 7, -5, 20))
SAMPLED = (0.1, 0.25, 0.5, 2 + 1 / 3)
SEED = (2024, 0)
STEPS = Tolerance(1e-9, "errors in steps are differences of float64 numbers below 1000 steps")
SAME = 1e-12
"""Steps within which two errors count as the same: round-off is below, and the grid of dithers is 6e-8."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=1.5),
        _exact(),
        _streams(),
        *(_nested_margin(ratio) for ratio in (3, 4, 5, 7)),
        _search(),
        *(_sampled(x) for x in SAMPLED),
        _tampering(),
        *(_aggregated(mode) for mode in MODES),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


# ---------------------------------------------------------------- all pairs of dithers


class SwappedEnds(Desynchronised):
    """The dithers of the two ends exchanged."""

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        for chance, draws in super().outcomes(x):
            yield chance, Draws(shared=draws.private, private=draws.shared)


def synchronous(p: Any) -> Any:
    """The variance of a synchronous pair, where that of a desynchronised one is asked for."""
    return (1 - F(1, POINTS**2)) / 12


def finite(p: Any) -> Any:
    """The stated variance with `POINTS` points at each end."""
    return stated("finite", p=p, N=POINTS)


def compare(kind: type[DitheredQuantizer], variance: Callable[[Any], Any]) -> Iterable[Comparison]:
    """Mean and variance over all pairs of dithers, at inputs that are multiples of 1/N."""
    codec = kind(1, scale=1, points=POINTS)
    for x in INPUTS:
        errors = [(chance, codec.reference([x], draws)[0] - x) for chance, draws in codec.outcomes([x])]
        mean = sum(chance * e for chance, e in errors)
        square = sum(chance * e**2 for chance, e in errors)
        witness = {"x": x, "points": POINTS}
        yield Comparison("mean", "eq", mean, 0, witness=witness)
        yield Comparison("variance", "eq", square, variance(x % 1), witness=witness)
        yield Comparison("bound", "le", square, stated("bound"), witness=witness, headline=True)


def _exact() -> Check:
    mutants = {
        "synchronous-variance": ExactCase(partial(compare, Desynchronised, synchronous)),
        "swapped-ends": ExactCase(partial(compare, SwappedEnds, finite)),
    }
    base = ExactCase(partial(compare, Desynchronised, finite))
    return Check("exact", "dither-pairs", base, {"points": POINTS, "x": INPUTS}, mutants, seconds=0.2)


def compare_streams(rule: Rule) -> Iterable[Comparison]:
    """No two iterations of a worker share a dither."""
    codec, d = DitheredQuantizer(1), 64
    dithers = [codec.draw_keyed(rule(SEED, 5, iteration), (d,)).shared for iteration in range(8)]
    shared = max(int(np.count_nonzero(first == second)) for first, second in pairwise(dithers))
    # Two of 2^24 points agree by chance at 3 of 64 places with probability 1e-17.
    yield Comparison("coordinates that two iterations share", "le", shared, 2, headline=True)


def _streams() -> Check:
    mutants = {"frozen-dither": ExactCase(partial(compare_streams, frozen_key))}
    base = ExactCase(partial(compare_streams, usual_key))
    return Check("exact", "streams", base, {"iterations": 8, "d": 64}, mutants, seconds=0.05)


def compare_nested(ratio: int, claimed: F | None = None) -> Iterable[Comparison]:
    """Inside the stated margin a desynchronised nested pair keeps its cell; beyond it some pair does not.

    Then the error is that of a plain pair, below one step and a half; another cell is k steps away.
    """
    margin = stated("margin", k=ratio) if claimed is None else claimed
    sender, receiver = (part.ravel() for part in np.meshgrid(grid(POINTS), grid(POINTS)))
    codec = NestedDitheredQuantizer(1, ratio, scale=1.0)

    def largest(z: F) -> F:
        errors = []
        for g in (0.0, 1 / (2 * POINTS), -1 / POINTS, -2.5):
            gradients = np.full(len(sender), g)
            message = codec.message(gradients, Draws(shared=sender))
            errors.append(np.abs(codec.reconstruct(message, receiver, gradients - float(z)) - g).max())
        return F(float(max(errors)))

    # |Q(g + u) - g| reaches 1 - 1/N on both sides at these gradients, and |u'| 1/2 - 1/(2N).
    room = F(3, 2 * POINTS)
    for z in {margin, -margin, margin / 2, F(0)}:
        yield Comparison(
            "error inside", "le", largest(z), F(3, 2), witness={"z": z, "k": ratio}, headline=True
        )
    for z in (margin + room + F(1, 32), -margin - room - F(1, 32)):
        yield Comparison("error beyond", "le", F(3, 2), largest(z), witness={"z": z, "k": ratio})


def _nested_margin(ratio: int) -> Check:
    synchronous = F(ratio - 1, 2)
    mutants = {"synchronous-margin": ExactCase(partial(compare_nested, ratio, synchronous))}
    base = ExactCase(partial(compare_nested, ratio))
    return Check("exact", f"nested-margin-{ratio}", base, {"k": ratio, "N": POINTS}, mutants, seconds=0.05)


# ---------------------------------------------------------------- search for the worst input


def _case(bound: float) -> AdversarialCase:
    points = 32
    codec = Desynchronised(1, scale=1.0, points=points)
    grid = (2 * np.arange(points) + 1 - points) / (2 * points)
    sender, receiver = (part.ravel() for part in np.meshgrid(grid, grid))

    def value(inputs: Any) -> Any:
        x = np.broadcast_to(np.asarray(inputs)[:, :1], (len(inputs), points**2))
        shared = np.broadcast_to(sender, x.shape)
        decoded = codec.compress(x, Draws(shared=shared, private=np.broadcast_to(receiver, x.shape)))
        return ((decoded - x) ** 2).mean(axis=-1)

    return AdversarialCase(
        value,
        # N points round up with a probability within 1/(2N) of p: that adds at most 1/(6 N^2), at the start.
        lambda inputs: np.full(len(inputs), bound + 1 / (6 * points**2)),
        dim=1,
        starts=([0.5 - 1 / (2 * points)], [0.25]),
        scale_invariant=False,
        budget=200,
    )


def _search() -> Check:
    claim = theory.claim(ID)
    mutants = {"synchronous-variance": Lazy(lambda: _case(1 / 12))}
    base = Lazy(lambda: _case(float(claim.expressions["bound"])))
    return Check("adversarial", "phase", base, {"points": 32}, mutants, seconds=0.3)


# ---------------------------------------------------------------- sampling


def _sampling(x: float, value: float) -> MonteCarloCase:
    codec, copies = Desynchronised(1, scale=1.0), 16
    batch_of = np.full(copies, x)

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.broadcast_to(batch_of, (size, copies))
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - x) ** 2).mean(axis=-1)

    # |Q(x + u) - x| <= 1 and |u'| <= 1/2.
    return MonteCarloCase("eq", sample, value, upper=9 / 4, variance=1 / copies, resolution=0.02)


def _sampled(x: float) -> Check:
    value = partial(evaluate, theory.claim(ID).exact, {"p": x % 1})
    mutants = {"synchronous-variance": Lazy(lambda: _sampling(x, 1 / 12), tests=1)}
    base = Lazy(lambda: _sampling(x, value()), tests=1)
    # One input of these is judged with its mutant; at the others the same mutant shows less.
    seen = mutants if x == SAMPLED[0] else {}
    return Check("montecarlo", f"x-{x:.3g}", base, {"x": x}, seen, seconds=0.3)


# ---------------------------------------------------------------- tampering


class NoFingerprint(Receiver):
    """Does not compare the fingerprint."""

    def require_expected(self, frame: Frame, tensor: int = 0) -> None:
        try:
            super().require_expected(frame, tensor)
        except DesyncError as error:
            if "fingerprint" not in str(error):
                raise


class NoCounter(Receiver):
    """Does not compare the iteration."""

    def require_expected(self, frame: Frame, tensor: int = 0) -> None:
        self._next[tensor] = frame.header.iteration
        super().require_expected(frame, tensor)


def outcome(call: Callable[[], Any]) -> str:
    """Return the name of the error that a call raises, or that it was accepted."""
    try:
        call()
    except (DesyncError, CorruptMessage) as error:
        return type(error).__name__
    return "accepted"


def flipped(data: bytes, bit: int) -> bytes:
    """Return data with one bit changed."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << (bit % 8)
    return bytes(changed)


def resealed(data: bytes) -> bytes:
    """Return data with a checksum that fits: damage by somebody who knows the format."""
    body = data[:-4]
    return body + struct.pack("<I", zlib.crc32(body))


def compare_tampering(receiver: type[Receiver], rule: Rule, rng: np.random.Generator) -> Iterable[Comparison]:
    """Every wrong message raises its error; the right ones are decoded to half a step."""
    d, levels, worker = 24, 3, 5

    def ends(**other: Any) -> tuple[Sender, Receiver]:
        given = {"seed": SEED, "worker": worker, **other}
        return Sender(DitheredQuantizer(levels), seed=SEED, worker=worker), receiver(**given)

    gradients = rng.standard_normal((4, d))
    sender, right = ends()
    messages = [sender.send(g) for g in gradients]
    for g, data in zip(gradients, messages, strict=True):
        away = np.abs(right.receive(data).estimate - g).max() / np.abs(g).max() * levels
        yield Comparison("error of the right receiver in steps", "le", float(away), 0.5, STEPS)
    wrong: dict[str, tuple[Callable[[], Any], str]] = {
        "another seed": (lambda: ends(seed=(2025, 0))[1].receive(messages[0]), "DesyncError"),
        "another worker": (lambda: ends(worker=6)[1].receive(messages[0]), "DesyncError"),
        "another tensor": (lambda: ends()[1].receive(messages[0], tensor=1), "DesyncError"),
        "iteration too late": (lambda: ends()[1].receive(messages[1]), "DesyncError"),
        "iteration replayed": (lambda: right.receive(messages[3]), "DesyncError"),
        "truncated": (lambda: ends()[1].receive(messages[0][:-1]), "CorruptMessage"),
        "too long": (lambda: ends()[1].receive(messages[0] + b"\0"), "CorruptMessage"),
    }
    for name, (call, expected) in wrong.items():
        yield Comparison(f"{name}: raises {expected}", "eq", int(outcome(call) == expected), 1, headline=True)
    bits = 8 * len(messages[0])
    detected = sum(
        outcome(partial(ends()[1].receive, flipped(messages[0], bit))) == "CorruptMessage"
        for bit in range(bits)
    )
    yield Comparison("flipped bits that raise CorruptMessage", "eq", detected, bits)
    # With a new checksum, a changed seed id, worker, tensor, iteration or fingerprint is still refused.
    fields = (*range(8, 40), *range(72, 80))
    refused = sum(
        outcome(partial(ends()[1].receive, resealed(flipped(messages[0], 8 * byte)))) == "DesyncError"
        for byte in fields
    )
    yield Comparison("resealed counters that raise DesyncError", "eq", refused, len(fields))
    yield from compare_errors(rule, rng)


def compare_errors(rule: Rule, rng: np.random.Generator) -> Iterable[Comparison]:
    """At a constant gradient the normalised errors of two iterations differ."""
    d, levels, codec = 64, 3, DitheredQuantizer(3)
    g = rng.standard_normal(d)
    errors = []
    for iteration in range(2):
        draws = codec.draw_keyed(rule(SEED, 5, iteration), (d,))
        errors.append((codec.compress(g, draws) - g) * levels / np.abs(g).max())
    repeated = int(np.count_nonzero(np.abs(errors[0] - errors[1]) < SAME))
    yield Comparison("errors that repeat in the next iteration", "le", repeated, 2)


def _tampering() -> Check:
    def case(receiver: type[Receiver], rule: Rule = usual_key) -> DriftCase:
        return DriftCase(lambda rng: compare_tampering(receiver, rule, rng))

    mutants = {
        "no-fingerprint": case(NoFingerprint),
        "no-counter": case(NoCounter),
        "frozen-dither": case(Receiver, frozen_key),
    }
    parameters = {"d": 24, "M": 3, "messages": 4}
    return Check("run", "tampering", case(Receiver), parameters, mutants, seconds=0.5)


# ---------------------------------------------------------------- synchronous ends, several workers

MODES = ("parallel", "sequential")


@equations
def compare_aggregated(mode: Any, less: int = 0, ahead: int = 0) -> Iterable[Comparison]:
    """Means of checked messages over the wire against the same decoded in the order of the workers.

    Args:
        mode: What nested messages are decoded beside.
        less: Taken off the number by which side information is divided, for a mutant.
        ahead: Iterations by which the literal server is ahead, for a mutant.
    """
    plain, nested, d = DitheredQuantizer(3), NestedDitheredQuantizer(3, 5), 6
    codecs = (plain, plain, nested, nested)
    senders = [Sender(codec, seed=SEED, worker=p, safe=True) for p, codec in enumerate(codecs)]
    server = Aggregator(len(codecs), seed=SEED, mode=mode)
    for t in range(3):
        given = np.array([[np.cos(j + t) + 0.05 * np.sin(3 * p + j) for j in range(d)] for p in range(4)])
        for p in (3, 1, 0, 2):
            server.receive(senders[p].send(given[p]))
        decoded: list[Any] = []
        for p, codec in enumerate(codecs):
            draws = codec.draw_keyed(Key(SEED, p, t + ahead), (d,))
            shared = Draws(shared=np.asarray(draws.shared))
            side = ()
            if codec is nested:
                before = decoded[:2] if mode == "parallel" else decoded
                side = ((sum(before, np.zeros(d)) / (len(before) - less)).tolist(),)  # type: ignore[assignment]
            decoded.append(np.array(codec.reference(given[p].tolist(), shared, *side)))
        literal = sum(decoded, np.zeros(d)) / len(codecs)
        size = float(np.linalg.norm(literal))
        off = size + float(np.linalg.norm(server.mean() - literal))
        yield Comparison("mean of the messages", "eq", off, size, ROUND_OFF, {"t": t, "mode": mode})


def _aggregated(mode: str) -> Check:
    mutants = {
        "side-of-all-but-one": ExactCase(partial(compare_aggregated, mode, 1)),
        "dither-of-next": ExactCase(partial(compare_aggregated, mode, 0, 1)),
    }
    base = ExactCase(partial(compare_aggregated, mode))
    return Check("exact", f"aggregated-{mode}", base, {"P": 4, "M": 3, "k": 5}, mutants, seconds=0.1)
