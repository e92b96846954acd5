"""Bits of training runs against the stated ones: every message, totals, and bytes over the real protocol."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from impl.compressors import NestedDitheredQuantizer
from impl.optimizers import Exchange
from impl.problems.data.digits import load_digits
from impl.protocol import Aggregator, Sender
from verify.authoring import eq
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.experiments.ndqsg.sabotaged_training import rebuilt
from verify.experiments.ndqsg.training_methods import METHODS, NETWORKS, Method, Setting

FIXED = ("dqsg-1", "dqsg-3", "nested-1-2", "nested-3-3", "nested-3-5")
"""Methods whose bits do not depend on the run, in the order of the worst cases of the claim."""

OVER_THE_WIRE = Setting(workers=4, batch=64, iterations=3)


def method_in(name: str, variant: str, kind: Any = None) -> Method:
    """Return a method, in blocks for the variant `blocks-256`, sabotaged where a class is given."""
    return rebuilt(METHODS[name], kind, 256 if variant == "blocks-256" else None)


def stated_message(law: Law, entries: int, block: int, alphabet: int) -> Any:
    """Return the stated bits of a message, its scales among them."""
    w = law.exactly("per_word", A=alphabet)
    return law.exactly("message", d=entries, b=block, w=w)


def bits_without_scales(law: Law, entries: int, block: int, alphabet: int) -> Any:
    """The stated bits of a message but those of its scales."""
    return stated_message(law, entries, block, alphabet) - 64 * -(-entries // block)


def entropy_bits(law: Law, entries: int, block: int, alphabet: int) -> float:
    """The logarithm of the alphabet for each symbol."""
    return float(entries * np.log2(alphabet)) + 64 * -(-entries // block)


def alphabet_of(codec: Any) -> int:
    """Return the number of symbols as the statement has it."""
    return int(codec.ratio) if isinstance(codec, NestedDitheredQuantizer) else 2 * int(codec.levels) + 1


def compare_bits(
    law: Law, setting: Setting, methods: Sequence[str], variant: str = ""
) -> Iterable[Comparison]:
    """Compare every message of runs, the bits of every worker and the total with the stated bits."""
    for name in methods:
        method = METHODS[name] if METHODS[name].adaptive else method_in(name, variant)
        expected = np.zeros((setting.iterations, setting.workers), dtype=object)

        def count(t: int, tensor: int, exchange: Exchange, expected: Any = expected) -> None:
            for workers, message in exchange.messages:
                codec = exchange.compressors[workers.start]
                d = message.shape[-1]
                expected[t, list(workers)] += law.price(law, d, codec.blocks or d, law.alphabet(codec))

        sent = setting.run(method, np.random.default_rng(1), 1, observe=count).bits[0]
        witness = {"method": method.label, "T": setting.iterations, "P": setting.workers}
        wrong = sum(int(a) != b for a, b in zip(sent.ravel(), expected.ravel(), strict=True))
        yield eq("messages of other lengths", wrong, 0, witness=witness)
        if method.adaptive:
            continue
        first, second = (int(sent[0, place]) for place in (0, -1))
        values = {"T": setting.iterations, "P": setting.workers, "m": setting.workers - setting.workers // 2}
        total = law.exactly("exact", **values, first=first, second=second)
        yield eq("bits of a run", int(sent.sum()), total, witness=witness, headline=True)


def compare_wire(law: Law) -> Iterable[Comparison]:
    """Train over the real protocol and compare the bytes that travel with the formula of the claim."""
    for name in FIXED:
        sent, values = _over_the_wire(law, OVER_THE_WIRE, METHODS[name])
        yield eq("bits on the wire", sent, law.exactly("wire", **values), witness=values, headline=True)


def _over_the_wire(law: Law, setting: Setting, method: Method) -> tuple[int, dict[str, Any]]:
    """Return the bits of all messages, and the values of the stated formula."""
    rng, data = np.random.default_rng(3), load_digits()
    network, P, seed = NETWORKS[setting.network](), setting.workers, (2024, 0)
    weights, sizes = network.initial(rng), [int(np.prod(shape)) for shape in network.shapes]
    assert method.codecs is not None
    codecs = [method.codecs(size, P) for size in sizes]
    senders = [Sender(codec, seed=seed, worker=worker) for worker, codec in enumerate(codecs[0])]
    receivers = [Aggregator(P, seed=seed, mode="sequential", tensor=tensor) for tensor in range(len(sizes))]
    bits = 0
    for _ in range(setting.iterations):
        rows = rng.permutation(len(data.labels))[: setting.batch].reshape(1, P, -1)
        _, gradients = network.loss_and_gradients(weights, data.features[rows], data.labels[rows])
        for tensor, gradient in enumerate(gradients):
            for worker, sender in enumerate(senders):
                packet = sender.send(gradient[0, worker].ravel(), tensor)
                bits += 8 * len(packet)
                receivers[tensor].receive(packet)
            mean = receivers[tensor].mean().reshape(weights[tensor].shape)
            weights[tensor] = weights[tensor] - setting.step_size * mean
    half = [
        sum(stated_message(law, size, size, alphabet_of(codecs[0][p])) for size in sizes) for p in (0, -1)
    ]
    values = {"T": setting.iterations, "P": P, "m": P - P // 2, "L": len(sizes)}
    return bits, {**values, "first": half[0], "second": half[1]}
