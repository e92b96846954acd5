"""Whether messages of the protocol have their layout, counters move, and both ends refuse the rest."""

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer
from impl.errors import (
    ArgumentError,
    CorruptMessage,
    DesyncError,
    MissingSideInfo,
    OverloadError,
    ScaleOverflow,
)
from impl.protocol import Aggregator, Received, Receiver, Sender, SideInformation
from verify.authoring import Comparisons, eq

Taken = Callable[[Any], Any]
OTHER_MESSAGES: tuple[Any, ...] = (
    "other-messages at exact/messages: All numbers that are read, sent or counted are larger by one, entries "
    "by a ten-billionth.",
    {"taken_from": lambda found: found + 1 if np.ndim(found) == 0 else found * (1 + 1e-10)},
)
"""A mutant of a check `messages` whose law has `taken_from`."""
_LAYOUT = struct.Struct("<4sBBBBQQQQQQIIdQ")
_SEED, _D = (2024, 7), 7
_ERRORS = (ScaleOverflow, CorruptMessage, DesyncError, MissingSideInfo, OverloadError, ArgumentError)


def taken_from(found: Any) -> Any:
    """Return what is read of a message, or counted, as it is."""
    return found


def _vector(place: int) -> Any:
    return np.sin(np.arange(1.0, _D + 1) + place) * 3


def _codecs() -> Mapping[str, tuple[Any, dict[str, Any]]]:
    return {
        "plain": (DitheredQuantizer(3), {}),
        "one level": (DitheredQuantizer(1), {"safe": True, "seed_id": 2**64 - 1, "start": 5}),
        "as many levels as there may be": (DitheredQuantizer(2**24), {}),
        "32 bits": (DitheredQuantizer(3, norm_bits=32), {"code": "adaptive"}),
        "blocks": (DitheredQuantizer(2, blocks=3), {"safe": True}),
        "blocks of 32 bits": (DitheredQuantizer(4, blocks=2, norm_bits=32), {"start": 2**32}),
        "a block beyond the end": (DitheredQuantizer(2, blocks=9), {"code": "adaptive", "safe": True}),
        "nested": (NestedDitheredQuantizer(9, 5), {"safe": True}),
        "nested in blocks": (NestedDitheredQuantizer(9, 4, blocks=3), {"code": "adaptive"}),
        "nested, half": (NestedDitheredQuantizer(9, 5, 0.5), {}),
        "nested, a fixed scale": (NestedDitheredQuantizer(3, 5, scale=0.5), {"safe": True}),
        "nested, a block of zeros": (NestedDitheredQuantizer(9, 5, blocks=3), {"safe": True}),
        "nested, aware of the range": (NestedDitheredQuantizer(3, 7, range_aware=True), {}),
    }


def protocol_messages(judged: Taken, worker: int) -> Comparisons:
    """Compare messages with their layout, what is received with what was sent, and refuse what nobody sends.

    Args:
        judged: `taken_from` or a mutant.
        worker: Number of the sender, at least 2.
    """
    for name, (codec, options) in _codecs().items():
        at, start = {"codec": name}, options.get("start", 0)
        sender = Sender(codec, seed=_SEED, worker=worker, **options)
        ends = {"seed": _SEED, "start": start, "seed_id": options.get("seed_id", 0)}
        unbounded = codec.scale is not None  # whose indices no range limits, whatever a receiver is told
        aware = getattr(codec, "range_aware", False)
        receiver = Receiver(worker=worker, range_aware=unbounded or aware, **ends)
        for tensor, k in ((0, 0), (3, 0), (0, 1), (0, 2)):
            g, key = _vector(k), Key(_SEED, worker, start + k, tensor)
            if "zeros" in name:
                g[:3] = 0.0
            near = 3 * g if aware else g  # so far away that others would decode to indices out of the range
            side = _side(near, start + k, tensor) if isinstance(codec, NestedDitheredQuantizer) else None
            data = sender.send(g, tensor)
            yield from _layout(judged, data, codec, options, key, g, at)
            found = receiver.receive(data, side, tensor)
            draws = codec.draw_keyed(key, (_D,))
            shared = Draws(shared=np.asarray(draws.shared))
            beside = () if side is None else (side.mean.tolist(),)
            literal = np.array(codec.reference(g.tolist(), shared, *beside))
            wrong = int((np.abs(judged(found.estimate) - literal) > 1e-12 * np.abs(literal).max()).sum())
            yield eq("entries other than those of the literal end", wrong, 0, witness=at)
            message = codec.message(g, draws)
            facts = (
                *(found.worker, found.tensor, found.iteration, found.levels, found.ratio, found.alpha),
                *(found.bits, found.unreliable, found.scales.tolist(), found.symbols.tolist()),
                found.payload_bits,
            )
            ratio, alpha = getattr(codec, "ratio", 0), float(getattr(codec, "alpha", 1.0))
            expected = (
                *(worker, tensor, start + k, codec.levels, ratio, alpha, 8 * len(data), 0),
                *(np.asarray(message.scales).ravel().tolist(), message.symbols.tolist()),
                8 * _payload(data, codec)[1],
            )
            wrong = sum(a != b for a, b in zip(facts, expected, strict=True))
            if side is not None:  # decoded indices; the checksum of safe messages takes 32 bits of each
                _, indices, _ = codec.reconstruct_counted(message, shared.shared, side.mean)
                wrong += int((indices != codec.fine_indices(g, shared)[0]).sum())
            yield eq("facts that are read differently", judged(wrong), 0, witness=at)
            counters = [(end.iteration(0), end.iteration(3)) for end in (sender, receiver)]
            wanted = (
                (start + k + 1, start + (tensor == 3 or k > 0)) if tensor == 0 else (start + 1, start + 1)
            )
            wrong = sum(item != wanted for item in counters)
            yield eq(
                "counters that are elsewhere", judged(wrong), 0, witness={**at, "k": k, "tensor": tensor}
            )
    yield from _sent_again(judged, worker)
    yield from _forged(judged, worker)
    for mode in ("parallel", "sequential"):
        yield from _gathered(judged, mode)
    yield from _long_means(judged)
    yield from _placed(judged)


def _side(g: Any, iteration: int, tensor: int) -> SideInformation:
    """Return the mean of two messages of other workers, near a gradient."""
    received = []
    for worker in range(2):
        sender = Sender(DitheredQuantizer(2**10), seed=_SEED, worker=worker, start=iteration)
        end = Receiver(seed=_SEED, worker=worker, start=iteration)
        received.append(end.receive(sender.send(g + 0.01 * worker, tensor), tensor=tensor))
    return SideInformation.of(received[::-1])


def _layout(judged: Taken, data: bytes, codec: Any, options: Any, key: Key, g: Any, at: Any) -> Comparisons:
    """Compare the bytes before the payload, its length, and the checksums."""
    nested, safe = isinstance(codec, NestedDitheredQuantizer), bool(options.get("safe"))
    block = min(codec.blocks or _D, _D)
    flags = safe + 2 * {"raw": 0, "adaptive": 1}[options.get("code", "raw")] + 8 * (codec.scale is not None)
    head = _LAYOUT.unpack_from(data)
    expected = (
        *(b"NDQ\xb1", 1, 1 + nested, int(codec.norm_bits == 64), flags, options.get("seed_id", 0)),
        *(key.worker, key.tensor, key.iteration, _D, block, codec.levels, getattr(codec, "ratio", 0)),
        *(float(getattr(codec, "alpha", 1.0)), _fingerprint(key)),
    )
    wrong = sum(a != b for a, b in zip(head, expected, strict=True))
    yield eq("fields of the header that differ", judged(wrong), 0, witness=at)
    kind = np.dtype("<f8" if codec.norm_bits == 64 else "<f4")
    scales = np.frombuffer(data, kind, -(-_D // block), _LAYOUT.size)
    message = codec.message(g, codec.draw_keyed(key, (_D,)))
    wrong = int((judged(scales.astype(float)) != np.asarray(message.scales).ravel()).sum())
    yield eq("scales that differ", wrong, 0, witness=at)
    at_payload, size = _payload(data, codec)
    rest = len(data) - at_payload - size
    yield eq("bytes behind the payload", judged(rest), 4 + 4 * safe, witness=at)
    (check,) = struct.unpack_from("<I", data, len(data) - 4)
    yield eq("checksums that differ", judged(int(check != zlib.crc32(data[:-4]))), 0, witness=at)
    if safe:
        indices = codec.fine_indices(g, codec.draw_keyed(key, (_D,)))[0]
        own = zlib.crc32(b"".join(struct.pack("<i", int(item)) for item in indices))
        wrong = int(struct.unpack_from("<I", data, len(data) - 8)[0] != own)
        yield eq("checksums that differ", judged(wrong), 0, witness=at)


def _payload(data: bytes, codec: Any) -> tuple[int, int]:
    """Return where the coded symbols of a message begin, behind their length, and how many bytes they are."""
    count = -(-_D // min(codec.blocks or _D, _D))
    at = _LAYOUT.size + count * codec.norm_bits // 8
    return at + 8, struct.unpack_from("<Q", data, at)[0]


def _fingerprint(key: Key) -> int:
    """Return the first word of the stream beside that of the dither: of the worker's number and 2^63."""
    counter = np.array([0, key.tensor, key.iteration, key.worker + 2**63], dtype=np.uint64)
    return int(np.random.Philox(counter=counter, key=np.array(key.seed, dtype=np.uint64)).random_raw())


def _outcome(call: Callable[..., Any], *given: Any) -> str:
    try:
        call(*given)
    except _ERRORS as error:
        return type(error).__name__
    return "taken"


def _sent_again(judged: Taken, worker: int) -> Comparisons:
    """Compare what is sent again after an overload with a plain message of the same round."""
    sender = Sender(NestedDitheredQuantizer(9, 3), seed=_SEED, worker=worker, safe=True)
    receiver, g = Receiver(seed=_SEED, worker=worker), _vector(0)
    far, near = _side(3 * g, 0, 0), _side(g, 0, 0)
    again = _outcome(sender.resend_plain)
    yield eq(
        "ends that are refused", judged(int(again == "ArgumentError")), 1, witness={"what": "nothing sent"}
    )
    buffer = g.copy()
    data = sender.send(buffer)
    buffer += 1.0  # the next gradient, in the same place
    for what, side, wanted in (
        ("far", far, "OverloadError"),
        ("none", None, "MissingSideInfo"),
        ("a vector", g, "ArgumentError"),
    ):
        found = _outcome(receiver.receive, data, side)
        yield eq("ends that are refused", judged(int(found == wanted)), 1, witness={"side": what})
    plain = receiver.receive(sender.resend_plain())
    codec = DitheredQuantizer(9)
    literal = codec.compress(g, codec.draw_keyed(Key(_SEED, worker, 0), (_D,)))
    wrong = int((judged(plain.estimate) != literal).sum()) + plain.ratio + plain.iteration
    yield eq("entries that are sent again differently", wrong, 0)
    counters = (sender.iteration(), receiver.iteration(), len(near.workers), near.iteration)
    yield eq("counters that are elsewhere", judged(int(counters != (1, 1, 2, 0))), 0)


def _forged(judged: Taken, worker: int) -> Comparisons:
    """Refuse fields and scales that no sender writes, under a checksum that fits."""
    plain = Sender(DitheredQuantizer(3, blocks=4), seed=_SEED, worker=worker).send(_vector(0))
    nested = Sender(NestedDitheredQuantizer(9, 5), seed=_SEED, worker=worker).send(_vector(0))
    side = _side(_vector(0), 0, 0)
    both: tuple[tuple[int, Any], ...] = (
        (0, b"NDQ\xb2"),
        (1, 0),
        (1, 2),
        (2, 0),
        (2, 3),
        (3, 2),
        (4, 6),
        (4, 16),
    )
    changes: dict[str, tuple[bytes, Any, tuple[tuple[int, Any], ...]]] = {
        "plain": (
            plain,
            None,
            (*both, (2, 2), (4, 8), (9, 0), (10, 0), (10, 8), (11, 0), (11, 2**24 + 1), (12, 1), (13, 0.5)),
        ),
        "nested": (
            nested,
            side,
            (
                *both,
                (2, 1),
                (9, 0),
                (10, 0),
                (10, 8),
                (11, 0),
                (12, 0),
                (12, 1),
                (13, -0.1),
                (13, 1.5),
                (13, np.nan),
            ),
        ),
    }
    for name, (data, beside, fields) in changes.items():
        for field, value in fields:
            head = list(_LAYOUT.unpack_from(data))
            head[field] = value
            forged = _sealed(_LAYOUT.pack(*head) + data[_LAYOUT.size : -4])
            end = Receiver(seed=_SEED, worker=worker)
            found = _outcome(end.receive, forged, beside)
            yield eq(
                "forged messages that are refused",
                judged(int(found == "CorruptMessage")),
                1,
                witness={"message": name, "field": field, "value": str(value)},
            )
    half = float(np.finfo(float).max) / 2
    for scale, wanted in (
        (-1.0, "CorruptMessage"),
        (np.nan, "CorruptMessage"),
        (1.001 * half, "CorruptMessage"),
        (half, "taken"),
        (0.0, "taken"),
    ):
        forged = _sealed(plain[: _LAYOUT.size] + struct.pack("<d", scale) + plain[_LAYOUT.size + 8 : -4])
        end = Receiver(seed=_SEED, worker=worker)
        found = _outcome(end.receive, forged)
        yield eq(
            "forged messages that are refused", judged(int(found == wanted)), 1, witness={"scale": scale}
        )
    for size in range(_LAYOUT.size):  # with a checksum that is right
        found = _outcome(Receiver(seed=_SEED, worker=worker).receive, _sealed(plain[:size]))
        refused = judged(int(found == "CorruptMessage"))
        yield eq("forged messages that are refused", refused, 1, witness={"size": size})
    for what, sent in {"short": plain[:60], "nothing": b"", "words": "message", "a number": 7}.items():
        end = Receiver(seed=_SEED, worker=worker)
        wanted = "CorruptMessage" if isinstance(sent, bytes) else "ArgumentError"
        found = _outcome(end.receive, sent)
        yield eq(
            "forged messages that are refused", judged(int(found == wanted)), 1, witness={"message": what}
        )


def _sealed(body: bytes) -> bytes:
    return body + struct.pack("<I", zlib.crc32(body))


def _gathered(judged: Taken, mode: Any) -> Comparisons:
    """Compare whom a server waits for, what it refuses, and how it goes on, message by message."""
    count = 4
    codecs = [DitheredQuantizer(9), *(NestedDitheredQuantizer(9, 5) for _ in range(3))]
    if mode == "parallel":
        codecs[1] = DitheredQuantizer(9)
    senders = [Sender(codec, seed=_SEED, worker=i, safe=True) for i, codec in enumerate(codecs)]
    server, g = Aggregator(count, seed=_SEED, mode=mode), _vector(1)
    data = [sender.send(g + (0.01 * i if i < 3 else 40.0)) for i, sender in enumerate(senders)]
    at = {"mode": mode}

    def state(what: str, found: Any, wanted: Any) -> Any:
        return eq("states of a server", judged(int(found == wanted)), 1, witness={**at, "after": what})

    yield state("nothing", (server.missing, list(server.received)), ([0, 1, 2, 3], []))
    yield state("a mean too soon", _outcome(server.mean), "ArgumentError")
    yield state(
        "a nested one", ([item.worker for item in server.receive(data[2])], server.missing), ([], [0, 1, 3])
    )
    yield state("a mean that waits", _outcome(server.mean), "MissingSideInfo")
    yield state("the same again", _outcome(server.receive, data[2]), "DesyncError")
    short = Sender(codecs[0], seed=_SEED, worker=0).send(g[:-1])
    yield state("another dimension", _outcome(server.receive, short), "CorruptMessage")
    other = Sender(codecs[0], seed=_SEED, worker=count).send(g)
    yield state("another worker", _outcome(server.receive, other), "DesyncError")
    alone = Sender(NestedDitheredQuantizer(9, 5), seed=_SEED, worker=0).send(g)
    yield state("one that waits for itself", _outcome(server.receive, alone), "MissingSideInfo")
    yield state("the first", [item.worker for item in server.receive(data[0])], [0])
    yield state("the second", [item.worker for item in server.receive(data[1])], [1, 2])
    yield state("an overload", _outcome(server.receive, data[3]), "OverloadError")
    yield state("whom it awaits", server.missing, [3])
    yield state("a plain one", [item.worker for item in server.receive(senders[3].resend_plain())], [3])
    yield state("all", [item.worker for item in server.received], [0, 1, 2, 3])
    estimates = [item.estimate for item in server.received]
    mean = judged(server.mean())
    wrong = int((np.abs(mean - sum(estimates, np.zeros(_D)) / count) > 1e-12 * np.abs(mean).max()).sum())
    yield eq("means of other messages", wrong, 0, witness=at)
    yield state("the mean", (server.missing, list(server.received)), ([0, 1, 2, 3], []))
    yield state("the round before", _outcome(server.receive, data[0]), "DesyncError")
    yield state("the next round", [item.worker for item in server.receive(senders[0].send(g))], [0])


def _long_means(judged: Taken) -> Comparisons:
    """Compare means of messages a coordinate shorter and longer than a tile, and of two, with the sums."""
    for d in (2**14 - 1, 2**14 + 1, 2**15 + 1):
        estimates = [np.sin(np.arange(1.0, d + 1) + worker) for worker in range(3)]
        none = np.zeros(0)
        items = [
            Received(estimate, worker, 0, 0, 3, 0, 1.0, none, none, 0, 0, 0)
            for worker, estimate in enumerate(estimates)
        ]
        literal = (estimates[0] + estimates[1] + estimates[2]) / 3
        means = {
            "at once": SideInformation.mean_of(items),
            "kept": SideInformation.of(items).mean,
            "one more": SideInformation.of(items[:2]).plus(items[2]).mean,
        }
        for way, mean in means.items():
            differing = int((~(np.abs(judged(mean) - literal) <= 1e-12)).sum())
            yield eq("means of other messages", differing, 0, witness={"d": d, "way": way})
        again = int(_outcome(SideInformation.of(items).plus, items[-1]) == "ArgumentError")
        yield eq("workers that are added again", judged(again), 1, witness={"d": d})
        far = [
            replace(item, estimate=np.where(np.arange(d) == d - 2, 7e307, item.estimate)) for item in items
        ]
        for way, call in {
            "at once": lambda far=far: SideInformation.mean_of(far),
            "kept": lambda far=far: SideInformation.of(far).mean,
        }.items():
            refused = int(_outcome(call) == "ScaleOverflow")
            yield eq("sums beyond the range", judged(refused), 1, witness={"d": d, "way": way})


def _placed(judged: Taken) -> Comparisons:
    """Compare which coordinate an error names whose symbol is none, in vectors of one tile and of more."""
    codec = NestedDitheredQuantizer(1, 7, range_aware=True)  # 3 + 7 k is not within 1 of zero
    for d, place in ((9, 4), (2**15 + 9, 2**15 + 3)):
        x, draws = np.sin(np.arange(1.0, d + 1)), codec.draw_keyed(Key(_SEED, 2, 0), (d,))
        message, named = codec.message(x, draws), ""
        symbols = np.where(np.arange(d) == place, 3, message.symbols)
        try:
            codec.reconstruct(replace(message, symbols=symbols), draws.shared, x)
        except CorruptMessage as error:
            named = str(error)
        told = int(f"symbol 3 of coordinate {place} " in named)
        yield eq("forged messages that are refused", judged(told), 1, witness={"d": d, "symbol at": place})
