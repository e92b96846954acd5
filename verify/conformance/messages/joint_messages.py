"""Whether a joint compressor and the messages of its clients give what its literal method gives."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from impl import tiers
from impl.compressors import ImportanceSampling, RotatedQuantizer, wire
from impl.compressors.contract import Draws, Key
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.joint_message import RoundKey
from impl.errors import ArgumentError
from verify.authoring import Comparisons, eq

Received = Callable[[JointCompressor, Any, Draws], Any]
ALL_LARGER: tuple[Any, ...] = (
    "larger-clients at exact/literal: Receive all entries a ten-billionth larger, and a bit more.",
    {"received": lambda compressor, x, draws: _times(compressor.compress_counted(x, draws), 1 + 1e-10, 1)},
)
"""A mutant of a check `literal` whose law has `received`."""
_LITERAL = 1e-12
"""Relative round-off of sums over clients."""


def received(compressor: JointCompressor, x: Any, draws: Draws) -> Any:
    """Return what the fast form gives: decoded clients (..., n, d), and bits (..., n)."""
    return compressor.compress_counted(x, draws)


def joint_agreement(
    judged: Received, cases: Mapping[str, tuple[JointCompressor, Any, Any]], key: RoundKey
) -> Comparisons:
    """Compare decoded clients and bits with the literal method and with messages of single clients.

    Args:
        judged: `received` or a mutant.
        cases: Name to compressor, inputs (..., n, d) and the leading axes of the draws.
        key: A round, for the draws of which each client knows its own.
    """
    for name, (compressor, x, batch) in cases.items():
        at, (n, d) = {"case": name}, x.shape[-2:]
        streams = [np.random.Generator(np.random.Philox(7)) for _ in range(2)]
        draws = compressor.draw(streams[0], (*batch, n, d))
        fast, bits = judged(compressor, x, draws)
        rows = np.broadcast_to(x, (*batch, n, d))
        literal = np.array(
            [compressor.reference(rows[place].tolist(), _of(draws, place)) for place in np.ndindex(*batch)]
        ).reshape(rows.shape)
        size_of_rows = np.abs(literal).max(axis=-1, keepdims=True)
        differing = int((np.abs(fast - literal) > _LITERAL * size_of_rows).sum())
        yield eq("entries other than those of the literal clients", differing, 0, witness=at)
        size = batch[: len(batch) - (x.ndim - 2)]
        sampled = compressor.sample(x, streams[1], size) != _average(fast)
        yield eq("sampled estimates that differ", int(sampled.sum()), 0, witness=at)
        for place in list(np.ndindex(*batch))[:2]:
            yield from _of_single_clients(
                compressor, rows[place], _of(draws, place), (fast[place], bits[place]), at
            )
        keyed = compressor.draw_keyed(key, (n, d))
        alike, counted = judged(compressor, rows[(0,) * len(batch)], keyed)
        yield from _of_rationals(compressor, rows[(0,) * len(batch)], keyed, alike, at)
        prescribed = compressor.estimate(rows[(0,) * len(batch)], _prescribed(compressor, key, n, d))
        wrong = int((prescribed != _average(alike)).sum())
        yield eq("sampled estimates that differ", wrong, 0, witness={**at, "draws": "of a key"})
        own = [compressor.client_draws(key, i, (n, d)) for i in range(n)]
        yield from _of_single_clients(
            compressor, rows[(0,) * len(batch)], keyed, (alike, counted), at, (own, key)
        )


_UNROUNDED = 2.0**-20  # in rationals numbers of 32 bits are not rounded; sums have eight terms at most


def _of_rationals(compressor: JointCompressor, x: Any, draws: Draws, fast: Any, at: Any) -> Comparisons:
    """Compare what is received with the literal method in rationals, where no norm is irrational."""
    try:
        literal = compressor.reference([[Fraction(item) for item in row] for row in x.tolist()], draws)
    except ArgumentError:
        return
    exact = np.array([[float(item) for item in row] for row in literal])
    size_of_rows = np.abs(exact).max(axis=-1, keepdims=True)
    differing = int((np.abs(fast - exact) > _UNROUNDED * size_of_rows).sum())
    at = {**at, "numbers": "rational"}
    yield eq("entries other than those of the literal clients", differing, 0, witness=at)


def clients_told(
    judged: Callable[[Any], Any], cases: Mapping[str, tuple[JointCompressor, Any, Any]]
) -> Comparisons:
    """Compare messages of clients that are told no number of clients, where draws tell it, with those of n.

    Args:
        judged: What is made of a number of messages, `stated` or a mutant.
        cases: As of `joint_agreement`.
    """
    for name, (compressor, inputs, _) in cases.items():
        x = inputs.reshape(-1, *inputs.shape[-2:])[0]
        n = len(x)
        draws = compressor.draw(np.random.Generator(np.random.Philox(7)), x.shape)
        alike = 0
        for i, row in enumerate(x):
            for own in (compressor.of_client(draws, i), draws):
                given = compressor.message(row, i, own, n=n)
                try:
                    found = compressor.message(row, i, own)
                except ArgumentError:
                    # One client knows its own uniforms alone; who takes them from nobody is told nothing.
                    alike += own.private is None or np.ndim(own.private) < 2
                else:
                    same = (found.clients, found.bits) == (n, given.bits)
                    alike += same and np.array_equal(found.symbols, given.symbols)
        yield eq("messages of clients told by draws", judged(alike), 2 * n, witness={"case": name})


def over_rounds(judged: Received, cases: Mapping[str, tuple[JointCompressor, Any, Any]]) -> Comparisons:
    """Compare rounds that are made over and over, also of a client that has nothing, with those of draws.

    Args:
        judged: `received` or a mutant.
        cases: As of `joint_agreement`; those that offer no such rounds, by numpy, are passed over.
    """
    for name, (compressor, inputs, _) in cases.items():
        repeatedly, drawn = (np.random.Generator(np.random.Philox(7)) for _ in range(2))
        x = inputs.reshape(-1, *inputs.shape[-2:])[0]
        make = getattr(compressor, "rounds", None) if x.dtype == np.float64 else None
        rounds: Any = None if make is None else make(repeatedly, x.shape)
        for given in () if rounds is None else (x + 0.0, x * (np.arange(len(x)) > 0)[:, None], x / -2):
            rounds.draw()
            with np.errstate(divide="raise", invalid="raise"):  # where a caller would be warned
                found, bits = rounds.compress(given)
            wanted, counted = judged(compressor, given, compressor.draw(drawn, x.shape))
            wrong = int((found != wanted).sum()) + int((bits != counted).sum())
            yield eq("entries or bits that change over rounds", wrong, 0, witness={"case": name})


def _average(clients: Any) -> Any:
    """Return the mean over the clients, by shares where their sum is beyond the range."""
    given = np.asarray(clients)
    with np.errstate(over="ignore"):
        mean = given.mean(axis=-2)
    return mean if np.isfinite(mean).all() else (given / given.shape[-2]).sum(axis=-2)


def in_blocks(
    judged: Received,
    compressors: Mapping[str, JointCompressor],
    sampled: Mapping[str, JointCompressor],
    seed: int,
) -> Comparisons:
    """Compare long inputs, and many rounds, which fast forms go through block by block, with single rounds.

    Samples of long inputs are held against their draws. Strata are permutations of the clients.

    Args:
        judged: `received` or a mutant.
        compressors: Some that draw strata or nothing that is shared, by name.
        sampled: Some that sample long inputs client by client, tile by tile; they take four clients.
        seed: Of the stream.
    """
    for name, compressor in compressors.items():
        shapes = ((2, 3, 2**17 // 3 + 5), (2**17 // 3 + 5, 3, 1), (3, 3, 2**16 // 3), (45, 300, 10))
        for shape in shapes:  # more clients are sorted, where few are not
            x, at = np.cos(np.arange(math.prod(shape))).reshape(shape), {"case": name, "shape": shape}
            draws = compressor.draw(np.random.Generator(np.random.Philox(seed)), shape)
            fast, bits = judged(compressor, x, draws)
            for place in (0, shape[0] - 1):
                alone, length = compressor.compress_counted(x[place], _of(draws, (place,)))
                wrong = int((fast[place] != alone).sum()) + int((bits[place] != length).sum())
                if draws.shared is not None:
                    wrong += int((np.sort(draws.shared[place], axis=0) != np.arange(shape[1])[:, None]).sum())
                yield eq("entries that change beside other rounds", wrong, 0, witness=at)
    yield from _long_samples(judged, sampled, seed)


def _long_samples(judged: Received, compressors: Mapping[str, JointCompressor], seed: int) -> Comparisons:
    """Compare samples of long inputs, made client by client and tile by tile, with those of equal draws."""
    for name, compressor in compressors.items():
        d = 2**16 if isinstance(compressor, RotatedQuantizer) else 2**15 + 36
        x = np.sin(np.arange(1.0, 1 + 4 * d)).reshape(4, d)
        drawn, sampled = (np.random.Generator(np.random.Philox(seed)) for _ in range(2))
        decoded, _ = judged(compressor, x, compressor.draw(drawn, x.shape))
        differing = int((compressor.sample(x, sampled) != _average(decoded)).sum())
        differing += int(drawn.random() != sampled.random())  # one goes on where the other does
        yield eq("sampled estimates that differ", differing, 0, witness={"case": name, "d": d})


def _of_single_clients(
    compressor: JointCompressor, rows: Any, draws: Draws, found: Any, at: Any, keyed: Any = None
) -> Comparisons:
    """Compare one round, clients as received (n, d) and bits (n), with packed messages, one by one."""
    n = len(rows)
    fast, bits = found
    own, key = keyed or ([compressor.of_client(draws, i) for i in range(n)], None)
    messages = [compressor.message(row, i, own[i], n=n, key=key) for i, row in enumerate(rows)]
    data = [compressor.encode(item, draws.shared) for item in messages]
    sent = [compressor.decode(item, draws.shared) for item in data][::-1]
    estimate = compressor.aggregate(sent, draws.shared, key=key)
    lost = _far(estimate, _average(fast))
    yield eq("entries lost between clients and server", lost, 0, witness=at)
    lengths = [wire.payload_bits(item, wire.JOINT) for item in data]
    announced = sum(int(item.bits) for item in (*messages, *sent))
    # As ratios: the bits themselves are others where kernels draw.
    total = int(np.sum(bits))
    yield eq("bits of packed clients", Fraction(1 + announced, 1 + 2 * total), 1, witness=at)
    yield eq("bits of the payloads", Fraction(1 + sum(lengths), 1 + total), 1, witness=at)


def _prescribed(compressor: JointCompressor, key: RoundKey, n: int, d: int) -> Draws:
    """Return the draws of a round by numpy: of each client from its own stream, of all from the last one."""

    def stream(worker: int) -> np.random.Generator:
        return Key(key.seed, worker, key.iteration, key.tensor).generator()

    by_slot = ImportanceSampling in (type(compressor), type(getattr(compressor, "inner", None)))
    with tiers.tier("numpy"):
        private = [compressor.draw_private(stream(i), (1, d)) for i in range(n)]
        shared = compressor.draw_shared(stream(2**64 - 1), (n, d))
    if private[0] is None:
        return Draws(shared)
    rows = [private[i][t] for t, i in enumerate(shared[0])] if by_slot else [row for (row,) in private]
    return Draws(shared, np.stack(rows))  # a slot has the draws of the client that fills it


def _far(estimate: Any, mean: Any) -> int:
    return int((np.abs(estimate - mean) > _LITERAL * np.abs(mean).max()).sum())


def _times(found: tuple[Any, Any], factor: float, more: int) -> tuple[Any, Any]:
    return factor * found[0], found[1] + more


def _of(draws: Draws, place: tuple[int, ...]) -> Draws:
    """Return the draws of one round."""
    return Draws(_part(draws.shared, place), _part(draws.private, place))


def _part(drawn: Any, place: tuple[int, ...]) -> Any:
    if drawn is None:
        return None
    return tuple(_part(item, place) for item in drawn) if isinstance(drawn, tuple) else drawn[place]
