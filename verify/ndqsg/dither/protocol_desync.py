"""Checks of `ndqsg/protocol-desync`: pairs of dithers in rationals, sampling, and tampering with messages."""

import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer
from impl.errors import CorruptMessage, DesyncError
from impl.protocol import Aggregator, Frame, Receiver, Sender, SideInformation
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ORACLE, ROUND_OFF, Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.by_kernels import also_at, as_written, at_both, by_kernels
from verify.conformance.messages.protocol_messages import OTHER_MESSAGES, protocol_messages, taken_from
from verify.ndqsg.fixtures.arguments.protocol_arguments import protocol_inside, protocol_outside
from verify.ndqsg.fixtures.dithers import errors_at, frozen_key
from verify.ndqsg.fixtures.runs.desynchronised import INPUTS, POINTS, Biased, SwappedEnds
from verify.ndqsg.fixtures.runs.dithered_run import usual_key
from verify.ndqsg.fixtures.sabotaged_dither import Desynchronised
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

SAMPLED = (0.1, 0.25, 0.5, 2 + 1 / 3)
SEED = (2024, 0)
SAME = 1e-12
"""Steps within which two errors count as the same: round-off is below, and the grid of dithers is 6e-8."""


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


class Shaken(Receiver):
    """Is off by a tenth of the largest entry."""

    def receive(self, *arguments: Any, **options: Any) -> Any:
        found = super().receive(*arguments, **options)
        return replace(found, estimate=found.estimate + np.abs(found.estimate).max())


def every_other_key(seed: tuple[int, int], worker: int, iteration: int) -> Key:
    """Return the key of one of the first two iterations, in turns."""
    return usual_key(seed, worker, iteration % 2)


judge = checks_of(
    "ndqsg/protocol-desync",
    pair=Desynchronised,
    rule=usual_key,
    receiver=Receiver,
    flip=flipped,
    less=0,
    ahead=0,
    taken=taken,
    taken_from=taken_from,
)


judge.sabotage(
    *REFUSALS,
    *at_both(OTHER_MESSAGES, "exact/messages", "exact/messages-as-written"),
    *also_at(OTHER_MESSAGES, "exact/messages", "exact/messages-by-kernels"),
)


_SQUARES = ("exact", "bound", "finite")

judge.sabotage(
    "side-of-all-but-one at exact/aggregated-*: Side information divided by one message less. | less = 1",
    "side-of-one-more at exact/aggregated-*: Side information divided by one message more. | less = -1",
    "dither-of-next at exact/aggregated-*: The server takes the dithers of the next iteration. | ahead = 1",
    "synchronous-variance at exact/dither-pairs, adversarial/*, montecarlo/x-0.1: Claim the variance of a "
    "synchronous pair for a desynchronised one; at $p=0$ nothing shows.",
    lambda law: law.replace(
        **{name: law.of("ndqsg/dq-uniform-error").formulas["exact"] for name in _SQUARES}
    ),
    "biased at exact/dither-pairs: A message that is biased.",
    {"pair": Biased},
    "synchronous-margin at exact/nested-margin-*: Claim the margin $\\frac{k-1}2$ of a synchronous nested "
    "pair for a desynchronised one. | margin = margin + 1",
    "smaller-margin at exact/nested-margin-*: Claim a margin that is one step smaller. | margin = margin - 1",
    "no-fingerprint at run/tampering, exact/tampering: A receiver that does not compare fingerprints.",
    {"receiver": NoFingerprint},
    "no-counter at run/tampering, exact/tampering: A receiver that does not compare the iteration.",
    {"receiver": NoCounter},
    "shaken at run/tampering, exact/tampering: A receiver that is off by its largest entry.",
    {"receiver": Shaken},
    "unchanged at run/tampering, exact/tampering: Messages that are not changed at all.",
    {"flip": lambda data, bit: data},
    "frozen-dither at exact/streams, run/tampering, exact/tampering: The same dither in every iteration: at "
    "a constant gradient the normalised errors repeat.",
    {"rule": frozen_key},
    "dither-of-period-2 at exact/streams: Two dithers in turns: neighbours differ, every other one repeats.",
    {"rule": every_other_key},
    "swapped-ends, neutral at exact/dither-pairs: Exchange the dithers of the two ends: the law does not "
    "change.",
    {"pair": SwappedEnds},
)


@judge.exact(x=INPUTS, parameters={"points": POINTS, "x": INPUTS})
def dither_pairs(law: Law, x: Sequence[F]) -> Iterable[Comparison]:
    """Mean and variance over all pairs of dithers, at inputs that are multiples of 1/N."""
    codec = law.pair(1, scale=1, points=POINTS)
    for at in x:
        found, shown = errors_at(codec, at), {"x": at, "points": POINTS}
        square = sum(p * e**2 for p, e in found)
        yield eq("mean", sum(p * e for p, e in found), 0, witness=shown)
        yield eq("variance", square, law.exactly("finite", p=at % 1, N=POINTS), witness=shown)
        yield le("bound", square, law.exactly("bound"), witness=shown, headline=True)


@judge.exact(iterations=8, d=64)
def streams(law: Law, iterations: int, d: int) -> Iterable[Comparison]:
    """No two iterations of a worker share a dither."""
    codec = DitheredQuantizer(1)
    dithers = [codec.draw_keyed(law.rule(SEED, 5, t), (d,)).shared for t in range(iterations)]
    shared = max(int(np.count_nonzero(first == second)) for first, second in combinations(dithers, 2))
    # Dithers of 2^24 points agree at 3 of 64 places with probability 1e-17, one of 28 pairs with 3e-16.
    yield le("coordinates that two iterations share", shared, 2, headline=True)


@judge.exact(instances={f"nested-margin-{k}": {"k": k} for k in (3, 4, 5, 7)}, N=POINTS)
def nested(law: Law, k: int, N: int) -> Iterable[Comparison]:
    """Inside the stated margin a desynchronised nested pair keeps its cell; beyond it some pair does not.

    Then the error is that of a plain pair, below one step and a half; another cell is k steps away.
    """
    margin, grid = law.exactly("margin", k=k), (2 * np.arange(N) + 1 - N) / (2 * N)
    sender, receiver = (part.ravel() for part in np.meshgrid(grid, grid))
    codec = NestedDitheredQuantizer(1, k, scale=1.0)

    def largest(z: F) -> F:
        errors = []
        for g in (0.0, 1 / (2 * N), -1 / N, -2.5):
            gradients = np.full(len(sender), g)
            message = codec.message(gradients, Draws(shared=sender))
            errors.append(np.abs(codec.reconstruct(message, receiver, gradients - float(z)) - g).max())
        return F(float(max(errors)))

    # |Q(g + u) - g| reaches 1 - 1/N on both sides at these gradients, and |u'| 1/2 - 1/(2N).
    room = F(3, 2 * N)
    for z in {margin, -margin, margin / 2, F(0)}:
        yield le("error inside", largest(z), F(3, 2), witness={"z": z, "k": k}, headline=True)
    for z in (margin + room + F(1, 32), -margin - room - F(1, 32)):
        yield le("error beyond", F(3, 2), largest(z), witness={"z": z, "k": k})


@judge.adversarial(instance="phase", label="worst phase", points=32)
def search(law: Law, points: int) -> AdversarialCase:
    """The input with the largest mean square."""
    codec, bound = law.pair(1, scale=1.0, points=points), float(law.exactly("bound"))
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


@judge.montecarlo(label="sampled mean square", instances={f"x-{x:.3g}": {"x": x} for x in SAMPLED})
def sampled(law: Law, x: float) -> MonteCarloCase:
    """The mean square error at an input."""
    codec, copies = law.pair(1, scale=1.0), 16

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.full((size, copies), x)
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - x) ** 2).mean(axis=-1)

    # |Q(x + u) - x| <= 1 and |u'| <= 1/2.
    value = law("exact", p=x % 1)
    return MonteCarloCase("eq", sample, value, upper=9 / 4, variance=1 / copies, resolution=0.02)


@judge.drift(parameters={"d": 24, "M": 3, "messages": 4})
def tampering(law: Law, rng: np.random.Generator) -> Iterable[Comparison]:
    """Every wrong message raises its error; the right ones are decoded to half a step."""
    d, levels, worker = 24, 3, 5

    def ends(**other: Any) -> tuple[Sender, Receiver]:
        given = {"seed": SEED, "worker": worker, **other}
        return Sender(DitheredQuantizer(levels), seed=SEED, worker=worker), law.receiver(**given)

    gradients = rng.standard_normal((4, d))
    sender, right = ends()
    messages = [sender.send(g) for g in gradients]
    for g, data in zip(gradients, messages, strict=True):
        away = np.abs(right.receive(data).estimate - g).max() / np.abs(g).max() * levels
        yield le("error of the right receiver in steps", float(away), 0.5, ORACLE)
    nested = Sender(NestedDitheredQuantizer(levels, 5), seed=SEED, worker=worker, start=1)
    before = SideInformation.of([ends()[1].receive(messages[0])])
    wrong: dict[str, tuple[Callable[[], Any], str]] = {
        "another seed": (lambda: ends(seed=(2025, 0))[1].receive(messages[0]), "DesyncError"),
        "another worker": (lambda: ends(worker=6)[1].receive(messages[0]), "DesyncError"),
        "another tensor": (lambda: ends()[1].receive(messages[0], tensor=1), "DesyncError"),
        "iteration too late": (lambda: ends()[1].receive(messages[1]), "DesyncError"),
        "iteration replayed": (lambda: right.receive(messages[3]), "DesyncError"),
        "side information of another iteration": (
            lambda: ends(start=1)[1].receive(nested.send(gradients[1]), before),
            "DesyncError",
        ),
        "truncated": (lambda: ends()[1].receive(messages[0][:-1]), "CorruptMessage"),
        "too long": (lambda: ends()[1].receive(messages[0] + b"\0"), "CorruptMessage"),
    }
    for name, (call, expected) in wrong.items():
        raised = int(outcome(call) == expected)
        yield eq("wrong message is refused", raised, 1, witness={"message": name}, headline=True)
    bits = 8 * len(messages[0])
    detected = sum(
        outcome(partial(ends()[1].receive, law.flip(messages[0], bit))) == "CorruptMessage"
        for bit in range(bits)
    )
    yield eq("flipped bits that raise CorruptMessage", detected, bits)
    # With a new checksum, a changed seed id, worker, tensor, iteration or fingerprint is still refused.
    fields = (*range(8, 40), *range(72, 80))
    refused = sum(
        outcome(partial(ends()[1].receive, resealed(law.flip(messages[0], 8 * byte)))) == "DesyncError"
        for byte in fields
    )
    yield eq("resealed counters that raise DesyncError", refused, len(fields))
    yield from _repeated(law, rng)


@judge.exact(instance="tampering", parameters={"d": 24, "M": 3, "messages": 4}, seed=2024)
def fixed_messages(law: Law, seed: int) -> Iterable[Comparison]:
    """The same for four fixed messages: every bit of one of them is changed."""
    yield from tampering(law, np.random.default_rng(seed))


def _repeated(law: Law, rng: np.random.Generator) -> Iterable[Comparison]:
    """At a constant gradient the normalised errors of two iterations differ."""
    d, levels, codec = 64, 3, DitheredQuantizer(3)
    g = rng.standard_normal(d)
    errors = []
    for iteration in range(2):
        draws = codec.draw_keyed(law.rule(SEED, 5, iteration), (d,))
        errors.append((codec.compress(g, draws) - g) * levels / np.abs(g).max())
    repeated = int(np.count_nonzero(np.abs(errors[0] - errors[1]) < SAME))
    yield le("errors that repeat in the next iteration", repeated, 2)


@judge.exact(
    instances={f"aggregated-{mode}": {"mode": mode} for mode in ("parallel", "sequential")},
    parameters={"P": 6, "M": 3, "k": 5, "alpha": (F(1, 2), 1, F(3, 4))},
)
def aggregated(law: Law, mode: Any) -> Iterable[Comparison]:
    """Means of checked messages over the wire against the same decoded in the order of the workers.

    At a gain of 1 an estimate does not depend on its side information within the margin, below 1 it does.
    """
    d, first = 6, 3
    codecs = (DitheredQuantizer(3),) * first
    codecs += tuple(NestedDitheredQuantizer(3, 5, alpha) for alpha in (0.5, 1.0, 0.75))
    senders = [Sender(codec, seed=SEED, worker=p, safe=True) for p, codec in enumerate(codecs)]
    server = Aggregator(len(codecs), seed=SEED, mode=mode)
    for t in range(3):
        given = np.array(
            [[np.cos(j + t) + 0.05 * np.sin(3 * p + j) for j in range(d)] for p in range(len(codecs))]
        )
        for p in (5, 3, 1, 0, 4, 2):
            server.receive(senders[p].send(given[p]))
        decoded: list[Any] = []
        for p, codec in enumerate(codecs):
            draws = codec.draw_keyed(Key(SEED, p, t + law.ahead), (d,))
            shared = Draws(shared=np.asarray(draws.shared))
            side = ()
            if p >= first:
                before = decoded[:first] if mode == "parallel" else decoded
                side = ((sum(before, np.zeros(d)) / (len(before) - law.less)).tolist(),)  # type: ignore[assignment]
            decoded.append(np.array(codec.reference(given[p].tolist(), shared, *side)))
        literal = sum(decoded, np.zeros(d)) / len(codecs)
        size = float(np.linalg.norm(literal))
        off = size + float(np.linalg.norm(server.mean() - literal))
        yield eq("mean of the messages", off, size, ROUND_OFF, witness={"t": t, "mode": mode})


@judge.exact(seed=SEED)
def domain(law: Law, seed: Sequence[int]) -> Iterable[Comparison]:
    """Seeds, workers, codecs and vectors that both ends take."""
    del seed
    yield from arguments(law.taken, protocol_inside(), protocol_outside())


@judge.exact(instance="messages", worker=5)
def layouts(law: Law, worker: int) -> Iterable[Comparison]:
    """Bytes and facts of messages of all codecs, counters, what is sent again, and what both ends refuse."""
    yield from protocol_messages(law.taken_from, worker)


@judge.exact(instance="messages-by-kernels", profile="full", worker=6)
def layouts_by_kernels(law: Law, worker: int) -> Iterable[Comparison]:
    """The same with kernels, where they are installed."""
    yield from by_kernels(protocol_messages, law.taken_from, worker)


@judge.exact(instance="messages-as-written", worker=4)
def layouts_written(law: Law, worker: int) -> Iterable[Comparison]:
    """The same by kernels that run as Python."""
    yield from as_written(protocol_messages, law.taken_from, worker)
