"""Checks of `ndqsg/adaptive-code-length`: all small counts, searched counts, real streams of runs."""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Symbol, log

import theory
from impl.coding.adaptive_coder import AdaptiveCoder, ideal_bits
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.optimizers import Exchange, quantized_sgd
from impl.problems import Quadratic
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUNDS, Comparison
from verify.ndqsg.fixtures.literal.literal_decoder import decoded
from verify.rungs.adversarial import AdversarialCase

CLAIM = "ndqsg/adaptive-code-length"
MOST, ALPHABET = 400, 3


def adaptive(digits: Sequence[int], alphabet: int, first: int = 1) -> F:
    """Return the probability of a message under counts that start at `first` and are updated."""
    counts, chance = [first] * alphabet, F(1)
    for digit in digits:
        chance *= F(counts[digit], sum(counts)) if sum(counts) else F(0)
        counts[digit] += 1
    return chance


class OtherDigits(AdaptiveCoder):
    """Sabotage: the digits in the opposite order."""

    def decode(self, data: bytes, count: int) -> Any:
        return super().decode(data, count)[::-1]


judge = checks_of(CLAIM, model=adaptive, decoder=decoded, coder=AdaptiveCoder)


judge.sabotage(
    "opposite-order at exact/decoding, run/streams: Decode the digits in the opposite order.",
    {"coder": OtherDigits},
    "square-root at exact/small-counts: Take half of the bits for the probability. "
    "| probability = probability**2",
    "larger-probability at exact/small-counts: Claim a probability without factorials. | probability = 1",
    "counts-from-zero at exact/small-counts: Start the counts at 0: the first symbol has probability 0, its "
    "length is infinite.",
    {"model": lambda digits, alphabet: adaptive(digits, alphabet, first=0)},
)


@judge.mutant(
    r"Never update the model: $L=n\log_2A$, above the upper bound for skewed counts.",
    at=("exact/small-counts", "exact/ideal-bits", "adversarial/upper"),
)
def frozen_model(law: Law) -> Law:
    n, A = (Symbol(name, real=True) for name in "nA")
    return law.replace(
        model=lambda digits, alphabet: F(1, alphabet ** len(digits)), exact=n * log(A) / log(2)
    )


judge.sabotage(
    "update-order at exact/decoding, run/streams: The receiver updates its model one symbol later than the "
    "sender: the message does not decode.",
    {"decoder": lambda data, count, alphabet: decoded(data, count, alphabet, late=True)},
    "other-order, neutral at exact/small-counts: Send the symbols in another order: nothing may change.",
    {"model": lambda digits, alphabet: adaptive(digits[::-1], alphabet)},
)


@judge.exact(parameters={"A": (1, 2, 3, 4), "n": "1 to 12"}, alphabets=((1, 12), (2, 12), (3, 12), (4, 4)))
def small_counts(law: Law, alphabets: Sequence[tuple[int, int]]) -> Iterable[Comparison]:
    """Probabilities digit by digit, and both bounds as inequalities of integers."""
    for alphabet, largest in alphabets:
        for counts in itertools.product(range(largest + 1), repeat=alphabet):
            n = sum(counts)
            if not 1 <= n <= 12:
                continue
            digits = [a for a, count in enumerate(counts) for _ in range(count)]
            shown, chance = {"counts": counts}, law.model(digits, alphabet)
            stated = law.exactly("probability", counts=counts, n=n, A=alphabet)
            yield eq("probability of a message", chance, stated, witness=shown)
            # 2^{n H} = n^n / prod c^c, times or over the number of types.
            entropy = F(n**n, math.prod(count**count for count in counts))
            types = math.comb(n + alphabet - 1, alphabet - 1)
            yield le("entropy", entropy, 1 / stated, witness=shown)
            yield le("entropy and number of types", 1 / stated, types * entropy, witness=shown, headline=True)


@judge.exact
def worst_cases(law: Law) -> Iterable[Comparison]:
    """The stated length against the stated probability, in double precision."""
    for case in theory.claim(CLAIM).worst_cases:
        values = dict(case.values)
        length, chance = law("exact", **values), law.exactly("probability", **values)
        bits = math.log2(chance.denominator) - math.log2(chance.numerator)
        yield eq("length", bits, length, ROUNDS, headline=True, witness=values)
        empirical = law("empirical", **values)
        excess = law("excess", n=values["n"], A=values["A"])
        yield le("entropy in bits", empirical, length, ROUNDS, witness=values)
        yield le("entropy and excess", length, empirical + excess, ROUNDS, witness=values)


@judge.exact(
    instance="ideal-bits",
    parameters={"A": (1, 2, 4)},
    messages=(((0,), 1), ((0, 1, 1), 2), ((3, 0, 0, 1, 0, 2, 0), 4), ((2,) * 9, 4), ((), 1), ((), 4)),
)
def ideal_bits_of_counts(law: Law, messages: Sequence[tuple[Sequence[int], int]]) -> Iterable[Comparison]:
    """The length that `impl` computes from counts against the probability of a message with these counts."""
    for digits, A in messages:
        counts = [digits.count(symbol) for symbol in range(A)]
        stated = -math.log2(law.model(digits, A))
        yield eq("ideal bits", 1 + ideal_bits(counts), 1 + stated, ROUNDS, witness={"counts": counts})


@judge.exact(parameters={"A": (2, 3), "n": "1 to 5"}, alphabets=(2, 3))
def decoding(law: Law, alphabets: Sequence[int]) -> Iterable[Comparison]:
    """All short messages, by the literal decoder and by the one of the coder."""
    for A in alphabets:
        for n in range(1, 6):
            for digits in itertools.product(range(A), repeat=n):
                data, shown = AdaptiveCoder(A).encode(digits), {"message": digits, "A": A}
                wrong = int(np.sum(np.array(law.decoder(data, n, A)) != digits))
                yield eq("wrong digits", wrong, 0, headline=True, witness=shown)
                wrong = int(np.sum(np.array(law.coder(A).decode(data, n)) != digits))
                yield eq("wrong digits of the decoder", wrong, 0, witness=shown)


def _searched(law: Law, *, upper: bool) -> AdversarialCase:
    def counts(row: Any) -> tuple[int, ...]:
        return tuple(int(abs(item) * MOST) % (MOST + 1) for item in row)

    def each(formula: Callable[[tuple[int, ...], int], float]) -> Callable[[Any], Any]:
        # One bit is added to both sides: there are messages without symbols.
        return lambda rows: np.array([1 + formula(c, sum(c)) if sum(c) else 1.0 for c in map(counts, rows)])

    def length(c: tuple[int, ...], n: int) -> float:
        return law("exact", counts=c, n=n, A=ALPHABET)

    def entropy(c: tuple[int, ...], n: int) -> float:
        return law("empirical", counts=c, n=n, A=ALPHABET)

    def most(c: tuple[int, ...], n: int) -> float:
        return entropy(c, n) + law("excess", n=n, A=ALPHABET)

    value, bound = (length, most) if upper else (entropy, length)
    starts = [np.array([1.0, 0.0, 0.0]), np.array([0.5, 0.5, 0.5])]
    return AdversarialCase(
        each(value), each(bound), ALPHABET, starts=starts, scale_invariant=False, budget=400
    )


@judge.adversarial(parameters={"A": ALPHABET, "n": f"up to {3 * MOST}"})
def upper(law: Law) -> AdversarialCase:
    """Search for counts of three symbols that exceed the upper bound of the length."""
    return _searched(law, upper=True)


@judge.adversarial(parameters={"A": ALPHABET, "n": f"up to {3 * MOST}"})
def lower(law: Law) -> AdversarialCase:
    """Search for counts of three symbols at which the length is below the entropy."""
    return _searched(law, upper=False)


@judge.drift(parameters={"d": 3000, "P": 2, "M": 3, "k": 3, "rounds": 2})
def streams(law: Law, rng: Any) -> Iterable[Comparison]:
    """Messages of a run of both groups of workers: digits that come back."""
    messages: list[tuple[Any, int]] = []

    def record(exchange: Exchange) -> None:
        for group, message in exchange.messages:
            codec = codecs[group[0]]
            messages.extend((row + codec.offset, codec.alphabet or 0) for row in message.symbols[0])

    codecs = [DitheredQuantizer(3), NestedDitheredQuantizer(3, 3)]
    quantized_sgd(
        Quadratic(np.tile(np.linspace(0.1, 1, 3000), (2, 1))),
        codecs,
        step_size=0.5,
        rounds=2,
        rng=rng,
        start=rng.standard_normal(3000),
        observe=record,
    )
    for index, (digits, alphabet) in enumerate(messages):
        shown = {"message": index, "A": alphabet}
        coder = AdaptiveCoder(alphabet)
        back = law.decoder(coder.encode(digits), len(digits), alphabet)
        yield eq("wrong digits", int(np.sum(np.array(back) != digits)), 0, headline=True, witness=shown)
        if index % 2:
            own = law.coder(alphabet).decode(coder.encode(digits), len(digits))
            yield eq("wrong digits of the decoder", int(np.sum(own != digits)), 0, witness=shown)
