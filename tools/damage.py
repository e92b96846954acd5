"""Damage and misdirect encoded messages and count those that are decoded all the same.

    python -m tools.damage --count 1000000 --seed 1

Messages are those of every compressor, with and without a key, of every joint compressor, and of the protocol
of the dithered quantizers, plain, nested and safe. Half of the trials change the bytes: bits, bursts, noise,
cuts, bytes added, lost or repeated, or spliced with another message. The other half hand an intact message to
a receiver of another seed, worker, round, tensor, compressor, parameters or shared draws. A trial is silent
where the receiver returns anything. Damage must be a MessageError; a receiver of another kind may find its
own arguments wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import impl.compressors
from impl.compressors import (
    Compressor,
    DitheredQuantizer,
    JointCompressor,
    Key,
    NestedDitheredQuantizer,
    RoundKey,
)
from impl.errors import ArgumentError, MessageError
from impl.protocol import Receiver, Sender, SideInformation

D, CLIENTS = 40, 4


@dataclass(frozen=True)
class Link:
    """A message and its receivers.

    Attributes:
        name: Of the codec.
        data: What was sent.
        receive: Hands data to the receiver for which it is meant.
        elsewhere: Kind of misdirection to a function of a generator that hands data to a wrong receiver.
    """

    name: str
    data: bytes
    receive: Callable[[bytes], Any]
    elsewhere: dict[str, Callable[[np.random.Generator, bytes], Any]]


def _words(rng: np.random.Generator, count: int) -> list[int]:
    return [int(word) for word in rng.integers(0, 2**63, count)]


def _examples(kind: type) -> list[Any]:
    members = [getattr(impl.compressors, name) for name in impl.compressors.__all__]
    classes = [item for item in members if isinstance(item, type) and issubclass(item, kind)]
    return [
        example
        for item in classes
        if not getattr(item, "__abstractmethods__", ())
        for example in item.examples()
    ]


def _other_draws(rng: np.random.Generator, codec: Compressor, own: Any) -> Any:
    """Return shared draws that are not the own ones."""
    while True:
        shared = codec.draw(rng, (codec.dimension or D,)).shared
        if not np.array_equal(shared, own):
            return shared


def links(rng: np.random.Generator) -> list[Link]:
    """Return one message of each codec."""
    return [*_alone(rng), *_joint(rng), *_protocol(rng)]


def _alone(rng: np.random.Generator) -> Iterator[Link]:
    codecs: list[Compressor] = _examples(Compressor)
    for codec in codecs:
        d = codec.dimension or D
        x, key = rng.standard_normal(d), Key((1, 2), 3, 4)
        side = x if isinstance(codec, NestedDitheredQuantizer) else None
        others = [item for item in codecs if item != codec]

        def receive(
            data: bytes, codec: Any = codec, side: Any = side, key: Any = key, shared: Any = None
        ) -> Any:
            return codec.decode(data, shared, key, side)

        def other_key(rng: np.random.Generator, data: bytes, receive: Any = receive) -> Any:
            places = [1, 2, 3, 4, 0]
            for place in rng.choice(5, size=rng.integers(1, 6), replace=False):
                places[place] = _words(rng, 1)[0]
            a, b, worker, iteration, tensor = places
            return receive(data, key=Key((a, b), worker, iteration, tensor))

        def other_codec(rng: np.random.Generator, data: bytes, others: Any = others, side: Any = side) -> Any:
            return others[rng.integers(len(others))].decode(data, None, Key((1, 2), 3, 4), side)

        elsewhere: dict[str, Any] = {"another key": other_key, "another compressor": other_codec}
        draws = codec.draw_keyed(key, x.shape)
        if draws.shared is not None:

            def other_draws(
                rng: np.random.Generator,
                data: bytes,
                codec: Any = codec,
                own: Any = draws.shared,
                receive: Any = receive,
            ) -> Any:
                return receive(data, shared=_other_draws(rng, codec, own))

            elsewhere["other shared draws"] = other_draws
        yield Link(f"{codec!r}, key", codec.encode(x, draws, key), receive, elsewhere)

        def bare(data: bytes, codec: Any = codec, side: Any = side, shared: Any = draws.shared) -> Any:
            return codec.decode(data, shared, None, side)

        def bare_codec(
            rng: np.random.Generator,
            data: bytes,
            others: Any = others,
            side: Any = side,
            shared: Any = draws.shared,
        ) -> Any:
            return others[rng.integers(len(others))].decode(data, shared, None, side)

        elsewhere = {"another compressor": bare_codec}
        if draws.shared is not None:

            def bare_draws(
                rng: np.random.Generator,
                data: bytes,
                codec: Any = codec,
                own: Any = draws.shared,
                bare: Any = bare,
            ) -> Any:
                return bare(data, shared=_other_draws(rng, codec, own))

            elsewhere["other shared draws"] = bare_draws
        yield Link(f"{codec!r}, no key", codec.encode(x, draws), bare, elsewhere)


def _joint(rng: np.random.Generator) -> Iterator[Link]:
    codecs: list[JointCompressor] = _examples(JointCompressor)
    shape, key = (CLIENTS, 8), RoundKey((1, 2), 300)
    for codec in codecs:
        x, own = rng.standard_normal(shape), [codec.client_draws(key, i, shape) for i in range(CLIENTS)]
        shared = own[0].shared
        sent = [codec.message(x[i], i, own[i], n=CLIENTS, key=key) for i in range(CLIENTS)]
        rest = [codec.decode(codec.encode(item, shared), shared) for item in sent[1:]]

        def receive(
            data: bytes, codec: Any = codec, shared: Any = shared, rest: Any = rest, key: Any = key
        ) -> Any:
            return codec.aggregate([codec.decode(data, shared), *rest], shared, key=key)

        def other_round(
            rng: np.random.Generator, data: bytes, codec: Any = codec, receive: Any = receive
        ) -> Any:
            """The others are of the round of the receiver, this message is not."""
            a, b, iteration, tensor = _words(rng, 4)
            late = RoundKey((a, b), iteration if rng.random() < 0.5 else 300, tensor)
            own = [codec.client_draws(late, i, shape) for i in range(CLIENTS)]
            rest = [codec.message(np.ones(8), i, own[i], n=CLIENTS, key=late) for i in range(1, CLIENTS)]
            return receive(data, shared=own[0].shared, rest=rest, key=late)

        def other_codec(rng: np.random.Generator, data: bytes, codec: Any = codec) -> Any:
            others = [item for item in codecs if item != codec]
            other = others[rng.integers(len(others))]
            own = [other.client_draws(key, i, shape) for i in range(CLIENTS)]
            rest = [other.message(np.ones(8), i, own[i], n=CLIENTS, key=key) for i in range(1, CLIENTS)]
            found = other.decode(data, own[0].shared)
            return other.aggregate([found, *rest], own[0].shared, key=key)

        yield Link(
            f"{codec!r}, key",
            codec.encode(sent[0], shared),
            receive,
            {"another round": other_round, "another compressor": other_codec},
        )


def _protocol(rng: np.random.Generator) -> Iterator[Link]:
    seed, g = (2024, 0), rng.standard_normal(D)
    plain = Sender(DitheredQuantizer(3, 10), seed=seed, worker=0).send(g)
    side = SideInformation.of([Receiver(seed=seed, worker=0).receive(plain)])
    for codec in (DitheredQuantizer(3, 10), NestedDitheredQuantizer(3, 3, blocks=10)):
        for safe in (False, True):
            nested = isinstance(codec, NestedDitheredQuantizer)
            data = Sender(codec, seed=seed, worker=1, safe=safe).send(g)

            def receive(data: bytes, nested: bool = nested, **place: Any) -> Any:
                tensor = place.pop("tensor", 0)
                receiver = Receiver(**{"seed": seed, "worker": 1, **place})
                return receiver.receive(data, side if nested else None, tensor=tensor)

            def elsewhere(rng: np.random.Generator, data: bytes, receive: Any = receive) -> Any:
                a, b, other = _words(rng, 3)
                places: list[dict[str, Any]] = [
                    {"seed": (a, b)},
                    {"worker": 2 + other // 2},
                    {"start": 1 + other},
                    {"tensor": 1 + other},
                    {"seed_id": 1 + other},
                ]
                return receive(data, **places[rng.integers(len(places))])

            words = f"protocol, {codec!r}{', safe' * safe}"
            yield Link(words, data, receive, {"another seed, worker, iteration or tensor": elsewhere})


def damaged(rng: np.random.Generator, data: bytes, other: bytes) -> tuple[str, bytes]:
    """Return a kind of damage and a message that was damaged so, other than the message itself."""
    while True:
        kind, changed = _damaged(rng, data, other)
        if changed != data:
            return kind, changed


def _damaged(rng: np.random.Generator, data: bytes, other: bytes) -> tuple[str, bytes]:
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8))
    size, at = len(data), int(rng.integers(0, len(data) + 1))
    match int(rng.integers(0, 9)):
        case 0:
            bits[rng.integers(0, len(bits), rng.integers(1, 9))] ^= 1
            return "bits", np.packbits(bits).tobytes()
        case 1:
            start, length = rng.integers(0, len(bits)), rng.integers(1, 65)
            bits[start : start + length] = rng.integers(0, 2, len(bits[start : start + length]))
            return "a burst", np.packbits(bits).tobytes()
        case 2:
            return "noise", rng.bytes(size)
        case 3:
            return "a cut", data[:at]
        case 4:
            return "bytes added", data[:at] + rng.bytes(rng.integers(1, 9)) + data[at:]
        case 5:
            end = int(rng.integers(at, size + 1))
            return "bytes lost", data[:at] + data[end:]
        case 6:
            return "zeros", data[:at] + bytes(len(data[at : at + 8])) + data[at + 8 :]
        case 7:
            return "bytes repeated", data[:at] + data[at : at + 4] + data[at:]
        case _:
            cut = int(rng.integers(0, len(other) + 1))
            return "spliced with another message", data[:at] + other[cut:]


@dataclass(frozen=True)
class Outcome:
    """What became of the trials.

    Attributes:
        trials: Their numbers by kind.
        silent: Kind and codec of each message that was decoded although it was wrong.
        refused: Numbers by the class of the error.
    """

    trials: Counter[str]
    silent: list[tuple[str, str]]
    refused: Counter[str]


def campaign(count: int, seed: int, *, strict: bool = True) -> Outcome:
    """Return what became of so many wrong messages; half of them are damaged, half are misdirected.

    Args:
        count: How many.
        seed: Of the damage.
        strict: Whether a damaged message must be refused as such; without checksums its dimension or an entry
            may be refused as a wrong argument.

    Raises:
        Exception: Whatever else a receiver raises: that is a fault.
    """
    rng = np.random.default_rng(seed)
    made = links(rng)
    outcome = Outcome(Counter(), [], Counter())
    for trial in range(count):
        link = made[trial // 2 % len(made)]
        misdirected = bool(trial % 2)
        try:
            if misdirected:
                names = list(link.elsewhere)
                kind = names[rng.integers(len(names))]
                outcome.trials[kind] += 1
                link.elsewhere[kind](rng, link.data)
            else:
                kind, changed = damaged(rng, link.data, made[rng.integers(len(made))].data)
                outcome.trials[kind] += 1
                # Bits of a signalling NaN, which only a message without a checksum brings this far.
                with np.errstate(invalid="ignore"):
                    link.receive(changed)
        except (MessageError, ArgumentError) as error:
            if strict and not misdirected and not isinstance(error, MessageError):
                raise
            outcome.refused[type(error).__name__] += 1
        else:
            outcome.silent.append((kind, link.name))
    return outcome


def main() -> int:
    """Run a campaign and print what became of it; 1 where a message was decoded silently."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = campaign(given.count, given.seed)
    for kind, number in found.trials.most_common():
        print(f"{number:9d} {kind}")
    print(f"{sum(found.trials.values()):9d} in all; refused: {dict(found.refused)}")
    print(f"{len(found.silent):9d} decoded silently: {Counter(found.silent)}")
    return 1 if found.silent else 0


if __name__ == "__main__":
    sys.exit(main())
