"""Whether halves of methods that exchange frames take the course of the method, written out node by node."""

import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from json import dumps
from typing import Any

import numpy as np

from impl.coding.bit_stream import BitWriter
from impl.compressors import (
    DitheredQuantizer,
    Key,
    NestedDitheredQuantizer,
    PermK,
    RoundKey,
    StochasticQuantizer,
    TopK,
)
from impl.errors import ArgumentError, MessageError
from impl.matrix_roots import MatrixRoots
from impl.problems import Quadratic
from impl.wires import Place, Session
from impl.wires.halves import (
    Alone,
    MarinaServer,
    MarinaWorker,
    MeanServer,
    MeanWorker,
    MemoryWorker,
    Plain,
    ShiftedServer,
    ShiftedWorker,
)
from impl.wires.halves.marina import Coins
from impl.wires.transports.inprocess import run_in_process
from verify.authoring import Comparisons, eq
from verify.comparison import ROUNDS

Told = Callable[[Any], Any]
OTHER_COURSE: tuple[Any, ...] = (
    "other-course at exact/courses: All points and counts are larger by one, and a bit.",
    {"told": lambda found: 1.0001 * np.asarray(found) + 1},
)
"""A mutant of a check `courses` whose law has `told`."""
_CURVES = np.array([[1.0, 2.0, 0.5, 3.0, 1.0], [2.0, 0.25, 1.0, 1.0, 3.0], [0.5, 1.0, 4.0, 2.0, 1.0]])
_CENTERS = np.sin(np.arange(15.0)).reshape(3, 5)
_N, _D, _STEP, _RATE, _COIN, _NESTED = 3, 5, 0.1, 0.4, 0.4, 2


def told(found: Any) -> Any:
    """Return what a run tells as it is."""
    return found


def _problem() -> Quadratic:
    return Quadratic.from_centers(_CURVES, _CENTERS)


def _codecs(name: str) -> list[Any]:
    if name == "memory":
        return [TopK(2)] * _N
    if name == "nested":
        return [DitheredQuantizer(9), DitheredQuantizer(9), NestedDitheredQuantizer(9, 9)]
    return [StochasticQuantizer(0.5)] * _N


def halves(name: str, bits: int, seed: tuple[int, int], step: float = _STEP) -> tuple[Any, list[Any]]:
    """Return fresh halves of a method."""
    parts = [_problem().part(i) for i in range(_N)]
    options: dict[str, Any] = {"step_size": step, "point_bits": bits}
    start, roots = np.zeros(_D), MatrixRoots.of_nodes(_problem().smoothness)
    if name == "descent":
        plain = Plain(_D, bits)
        return MeanServer(start, [plain] * _N, **options), [MeanWorker(part, plain) for part in parts]
    if name == "marina":
        coins = Coins(seed, _COIN)
        made = [MarinaWorker(part, PermK(), coins, worker=i, n=_N, bits=bits) for i, part in enumerate(parts)]
        return MarinaServer(start, PermK(), coins, bits=bits, **options), made
    codecs = [Alone(codec, d=_D, seed=seed, worker=i) for i, codec in enumerate(_codecs(name))]
    pairs = list(zip(parts, codecs, strict=True))
    used = roots if name.endswith("roots") else None
    own = [None if used is None else used.node(i) for i in range(_N)]
    if name.startswith("shifts"):
        workers = [
            ShiftedWorker(part, codec, learning_rate=_RATE, roots=root)
            for (part, codec), root in zip(pairs, own, strict=True)
        ]
        return ShiftedServer(start, codecs, learning_rate=_RATE, roots=used, **options), workers
    if name == "memory":
        return MeanServer(start, codecs, **options), [MemoryWorker(*pair) for pair in pairs]
    nested = [_NESTED] if name == "nested" else []
    mean = [MeanWorker(*pair, root) for pair, root in zip(pairs, own, strict=True)]
    return MeanServer(start, codecs, used, nested, **options), mean


METHODS = ("descent", "mean", "mean of roots", "shifts", "shifts of roots", "memory", "nested", "marina")


def _rounded(x: Any, bits: int) -> Any:
    return np.array([float(np.float32(item)) if bits == 32 else float(item) for item in x])


def _literal(name: str, bits: int, seed: tuple[int, int]) -> Iterator[tuple[Any, list[int]]]:
    """Yield the points of a run and, with each but the first, the bits of its messages."""
    x, kept, estimate = np.zeros(_D), np.zeros((_N, _D)), np.zeros(_D)
    before, lengths, k = np.zeros((_N, _D)), [0] * _N, 0
    roots = np.sqrt(_CURVES) if name.endswith("roots") else np.ones((_N, _D))
    while True:
        yield x, lengths
        own = _CURVES * (x - _CENTERS)
        if name == "descent":
            sent, lengths = np.stack([_rounded(g, bits) for g in own]), [bits * _D] * _N
        elif name == "marina":
            sent, lengths = _of_marina(own, before, k, bits, seed)
            whole = k == 0 or RoundKey(seed, k, 1).shared().generator().random() < _COIN
            estimate = sent.mean(axis=0) + (0 if whole else estimate)
        else:
            given = (own - kept if name.startswith("shifts") else own + kept * (name == "memory")) / roots
            sent, lengths = _of_codecs(_codecs(name), given, k, seed)
            sent = sent * roots
        direction = estimate if name == "marina" else sent.mean(axis=0)
        if name.startswith("shifts"):
            direction, kept = direction + kept.mean(axis=0), kept + _RATE * sent
        elif name == "memory":
            kept = kept + own - sent
        x, before, k = _rounded(x - _STEP * direction, bits), own, k + 1


def _of_codecs(codecs: list[Any], given: Any, k: int, seed: tuple[int, int]) -> tuple[Any, list[int]]:
    """Return what the server decodes, (n, d), nested messages beside the mean of the others, and bits."""
    decoded: list[Any] = []
    lengths = []
    for i, codec in enumerate(codecs):
        draws = codec.draw_keyed(Key(seed, i, k), (_D,))
        nested = isinstance(codec, NestedDitheredQuantizer)
        side = ((sum(decoded, np.zeros(_D)) / len(decoded)).tolist(),) if nested else ()
        decoded.append(np.array(codec.reference(given[i].tolist(), draws, *side)))
        lengths.append(int(codec.message(given[i], draws).bits))
    return np.stack(decoded), lengths


def _of_marina(own: Any, before: Any, k: int, bits: int, seed: tuple[int, int]) -> tuple[Any, list[int]]:
    if k == 0 or RoundKey(seed, k, 1).shared().generator().random() < _COIN:
        return np.stack([_rounded(g, bits) for g in own]), [bits * _D] * _N
    draws = PermK().draw_keyed(RoundKey(seed, k), (_N, _D))
    sent = np.array(PermK().reference((own - before).tolist(), draws))
    return sent, PermK().bits(own - before, draws).tolist()


def _frame(bits: int) -> int:
    """Return the bytes of a frame: its length in sevens, its payload, a checksum."""
    size = -(-bits // 8)
    return max(1, -(-(8 * size + -bits % 8).bit_length() // 7)) + size + 4


def courses(judged: Told, rounds: int, seed: tuple[int, int]) -> Comparisons:
    """Compare points and bytes of runs in one process with the literal method, and how runs end.

    Args:
        judged: `told` or a mutant.
        rounds: Of each run.
        seed: What all ends hold.
    """
    session = Session({"run": "course", "seed": list(seed)})
    for name in METHODS:
        for bits in (32, 64):
            at = {"method": name, "bits": bits}
            found = run_in_process(*halves(name, bits, seed), session, rounds=rounds)
            steps = list(islice(_literal(name, bits, seed), rounds + 1))
            points, lengths = zip(*steps, strict=True)
            size = float(np.linalg.norm(points))
            off = size + float(np.linalg.norm(judged(np.stack(found.points)) - np.stack(points)))
            yield eq("points of a course", off, size, ROUNDS, witness=at)
            up = [sum(map(_frame, row)) for row in lengths[1:]]
            longest = [max(map(_frame, row)) for row in lengths[1:]]
            down = [_N * _frame(bits * _D)] * rounds
            for what, own in (("up", up), ("longest", longest), ("down", down)):
                wrong = judged(np.array([getattr(item, what) for item in found.rounds])) != own
                yield eq("bytes of a course", int(wrong.sum()), 0, witness={**at, "bytes": what})
    yield from _ends(judged, rounds, seed, session)
    yield from _frames(judged, seed)


class _Failing(MeanWorker):
    """Cannot send in its second round."""

    def answer(self, k: int, x: Any) -> BitWriter:
        if k == 1:
            raise ArgumentError("there is nothing to send")
        return super().answer(k, x)


def _ends(judged: Told, rounds: int, seed: tuple[int, int], session: Session) -> Comparisons:
    """Compare how runs end, what is said of it, and how courses differ."""
    whole = run_in_process(*halves("mean", 64, seed), session, rounds=rounds)
    asked: list[Any] = []
    seen: list[Any] = []

    def enough(x: Any) -> bool:
        asked.append(x)
        return len(asked) == 3

    early = run_in_process(
        *halves("mean", 64, seed), session, rounds=rounds, until=enough, observe=seen.append
    )
    far = run_in_process(*halves("mean", 64, seed, 1e5), session, rounds=400)
    server, workers = halves("descent", 64, seed)
    workers[2] = _Failing(_problem().part(2), Plain(_D, 64))
    failed = run_in_process(server, workers, session, rounds=rounds)
    other = run_in_process(*halves("mean", 64, seed, 2 * _STEP), session, rounds=rounds)
    outside = MeanWorker(
        Quadratic([[1.0, 0.0]], [[1.0, 1.0]]), Plain(2, 64), MatrixRoots.of_nodes(np.array([[1.0, 0.0]]))
    )
    beyond = run_in_process(
        MeanServer(np.zeros(2), [Plain(2, 64)], step_size=_STEP, point_bits=64), [outside], session, rounds=2
    )
    states = {
        "outside of the range": (beyond.status == "failed" and not beyond.rounds, True),
        "as planned": (whole.status == "done" and not whole.reason, True),
        "rounds": (len(whole.rounds) == rounds and len(whole.reports) == _N, True),
        "stopped": (len(early.rounds) == 2 and seen == early.rounds and early.status == "done", True),
        "asked at the points": (all(map(np.array_equal, asked, whole.points)), True),
        "far": (far.status == "diverged" and len(far.rounds) < 400, True),
        "in range before": (bool(np.abs(far.points[-2]).max() <= 1e140 < np.abs(far.points[-1]).max()), True),
        "told how far": (f"after {len(far.rounds)} rounds" in far.reason and "nan" not in far.reason, True),
        "failed": (failed.status == "failed" and len(failed.rounds) == 1 and not failed.reports, True),
        "told who": ("round 1" in failed.reason and "worker 2" in failed.reason, True),
        "one course": (whole.same_course(whole) == "", True),
        "fewer rounds": (whole.same_course(early) == "", False),
        "other bytes": (
            whole.same_course(run_in_process(*halves("nested", 64, seed), session, rounds=rounds)) == "",
            False,
        ),
        "other points": (whole.same_course(other) == "", False),
        "time": (
            whole.seconds == whole.rounds[-1].seconds > 0 == failed.seconds - failed.rounds[-1].seconds,
            True,
        ),
        "cpu": (whole.server["cpu"] >= 0 and all(item.cpu >= 0 for item in whole.rounds), True),
    }
    for what, (found, wanted) in states.items():
        yield eq("ends of runs", int(judged(int(found))), int(wanted), witness={"what": what})


def _frames(judged: Told, seed: tuple[int, int]) -> Comparisons:
    """Compare frames with their layout, byte by byte, and refuse those of other places."""
    words = {"run": "frames", "seed": list(seed)}
    session, digest = Session(words), sha256(dumps(words, sort_keys=True).encode()).digest()
    for bits in (0, 1, 8, 13, 200, 5000):
        writer = BitWriter()
        writer.append(np.arange(bits, dtype=np.uint64) % 3 % 2, 1)
        place = Place("up", 3, 70000)
        data = session.pack(writer, place)
        number, body = 8 * -(-bits // 8) + -bits % 8, b""
        while True:
            body += bytes([number % 128 + 128 * (number > 127)])
            number //= 128
            if not number:
                break
        body += writer.to_bytes()
        seal = sha256(digest + b"up 3 70000").digest()[:4]
        check = zlib.crc32(body) ^ int.from_bytes(seal, "little")
        wrong = int(data != body + check.to_bytes(4, "little"))
        yield eq("frames that differ", int(judged(wrong)), 0, witness={"bits": bits})
        reader = session.unpack(data, place)
        read = reader.read_many(bits, 1)
        wrong = int((read != np.arange(bits) % 3 % 2).sum()) + abs(reader.at - bits)
        yield eq("frames that differ", int(judged(wrong)), 0, witness={"bits": bits})
        changes: dict[str, tuple[bytes, Place, Session]] = {
            "cut": (data[:-1], place, session),
            "long": (data + b"0", place, session),
            "changed": (data[:-1] + bytes([data[-1] ^ 1]), place, session),
            "nothing": (b"", place, session),
            "of another worker": (data, Place("up", 2, 70000), session),
            "of another round": (data, Place("up", 3, 70001), session),
            "of the server": (data, Place("down", 3, 70000), session),
            "of another session": (data, place, Session({"run": "other"})),
        }
        for what, (sent, where, own) in changes.items():
            try:
                own.unpack(sent, where)
                refused = 0
            except MessageError as error:
                refused = int(f"worker {where.worker} in round {where.round}" in str(error))
            yield eq(
                "frames that are refused", int(judged(refused)), 1, witness={"bits": bits, "frame": what}
            )
