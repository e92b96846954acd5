"""Checks of `ndqsg/coded-size`: all short messages, searched counts, unfavourable streams, recorded ones.

The range coder is the literal one, which gives the same bytes as the library: so every mutant is judged
without the library too. Recorded streams go through the library where it is installed.
"""

import functools
import importlib
import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.coding.adaptive_coder import AdaptiveCoder
from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA
from impl.coding.symbol_words import word_count
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.protocol import Sender, unpack
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUNDS, Comparison
from verify.conformance.arguments import REFUSALS, arguments, places, taken
from verify.conformance.by_kernels import also_at, as_written, at_both, by_kernels
from verify.conformance.messages.code_words import OTHER_BITS, code_words, coded, short_levels
from verify.conformance.messages.coder_bytes import coder_bytes
from verify.ndqsg.fixtures.arguments.coder_arguments import coders_inside, coders_outside, wrong_digits
from verify.ndqsg.fixtures.coded_messages import (
    DIMENSION,
    compare_library,
    cross_entropy,
    frequent_and_rare,
    recorded,
    unfavourable_message,
)
from verify.ndqsg.fixtures.literal import literal_range_coder as literal
from verify.rungs.adversarial import AdversarialCase

CLAIM = "ndqsg/coded-size"
SHORT = {2: 7, 3: 4}
"""Longest message by alphabet, of which all are tried."""

SOURCES = ((F(1, 4), F(1, 2), F(1, 4)), (F(1, 2), F(1, 4), F(1, 8), F(1, 8)))
"""Probabilities of symbols; the first are those of DQSG, M = 1, of a uniform gradient."""

CHANCES = {2: (0.75, 0.25), 3: (0.25, 0.5, 0.25)}
UNFAVOURABLE = 20_000
MOST = 40


def encoded(digits: Sequence[int], alphabet: int, chances: Sequence[float], updated: bool = True) -> Any:
    """Return the literal encoder behind the digits, adaptive without probabilities."""
    if chances:
        return literal.fixed(digits, chances)
    return literal.adaptive(digits, alphabet, updated=updated)


def range_bits(digits: Sequence[int], alphabet: int, chances: Sequence[float] = ()) -> int:
    """Return the bits of the range coder."""
    return int(encoded(digits, alphabet, chances).bits)


def literal_bytes(digits: Sequence[int], alphabet: int, chances: Sequence[float]) -> bytes:
    """Return the code of the literal range coder."""
    return bytes(encoded(digits, alphabet, chances).data())


def own_bits(digits: Sequence[int], alphabet: int) -> int:
    """Return the bits of the coder with 32-bit registers."""
    return AdaptiveCoder(alphabet).bits(digits)


@functools.cache
def inverse_chance(counts: tuple[int, ...]) -> Any:
    """Return 2 to the power L: the inverse of the probability of a message in the adaptive model."""
    n, A = sum(counts), len(counts)
    return F(math.factorial(n + A - 1), math.factorial(A - 1) * math.prod(map(math.factorial, counts)))


def entropic(counts: Sequence[int]) -> F:
    """Return 2 to the power of n times the empirical entropy."""
    return F(sum(counts) ** sum(counts), math.prod(count**count for count in counts))


def bits_of(number: Any) -> float:
    """Return a binary logarithm."""
    return math.log2(number.numerator) - math.log2(number.denominator)


judge = checks_of(
    CLAIM,
    coded=range_bits,
    adaptive=own_bits,
    inverse=inverse_chance,
    entropic=entropic,
    unit=1.0,
    counted_scales=1,
    weights=literal.cumulative,
    words=word_count,
    text=coded,
    taken=taken,
)


judge.sabotage(
    *at_both(OTHER_BITS, "exact/words", "exact/words-as-written"),
    *also_at(OTHER_BITS, "exact/words", "exact/words-by-kernels"),
    *REFUSALS,
)
judge.sabotage(
    "model-not-updated at exact/worst-cases, run/streams: The coder never updates its counts: about "
    "$n\\log_2A$ bits, above the bound for skewed counts.",
    {"coded": lambda digits, alphabet, chances=(): encoded(digits, alphabet, chances, updated=False).bits},
    "natural-logarithms at adversarial/counts, run/streams: $L$ in nats, as if they were bits.",
    lambda law: law.replace(unit=math.log(2)),
    "half-ending at exact/short-messages, adversarial/counts: 16 bits for the ending: but whole words of 32 "
    "bits are sent. | ending = 16, own_ending = 1, bound = bound - 17, fixed = fixed - 17, own = own - 1",
    "no-truncation at exact/unfavourable: As if the interval were cut without rounding: 33 bits, however "
    "long the message.",
    lambda law: law.replace(fixed=_without_growth),
    "learning-for-nothing at exact/worst-cases, run/streams: $n\\hat H$ in the place of $L$, as if the "
    "receiver knew the counts.",
    {"inverse": entropic},
    "no-ending at exact/all-messages: Leave out the ending: shorter than the entropy, and it does not "
    "decode.",
    {
        "coded": lambda digits, alphabet, chances=(): 32 * encoded(digits, alphabet, chances).scalings,
        "adaptive": lambda digits, alphabet: own_bits(digits, alphabet) - 2,
    },
    "no-scale-bits at exact/wire: Scales are not counted in the message. | counted_scales = 0",
    "hundredfold-entropy at exact/short-messages, run/streams: Take a hundred times the entropy.",
    {"entropic": lambda counts: entropic(counts) ** 100},
    "smaller-weights at exact/weights: Weights without their own unit.",
    {"weights": lambda chances: [end - 2 * k for k, end in enumerate(literal.cumulative(chances))]},
    "unsigned-words at exact/lengths, run/streams: Elias words without their sign. | elias = elias - 1",
    "wider-symbols at exact/lengths, run/streams: Words hold one symbol less.",
    {"words": lambda n, A: word_count(n, A) + 1},
    "other-order, neutral at exact/short-messages, exact/all-messages, adversarial/counts: Send the digits "
    "in another order: no bound may be exceeded.",
    {
        "coded": lambda digits, alphabet, chances=(): range_bits(digits[::-1], alphabet, chances),
        "adaptive": lambda digits, alphabet: own_bits(digits[::-1], alphabet),
    },
)


def _without_growth(formula: Any) -> Any:
    found = {symbol.name: symbol for symbol in formula.free_symbols}
    return found["X"] + 33


def ideal_length(law: Law, counts: Sequence[int]) -> float:
    """Return L in bits."""
    return float(law.unit * bits_of(law.inverse(tuple(map(int, counts)))))


def _counts(digits: Sequence[int], alphabet: int) -> tuple[int, ...]:
    return tuple(int(count) for count in np.bincount(digits, minlength=alphabet))


def range_coder() -> str:
    """Return which range coder the recorded streams go through."""
    try:
        importlib.import_module("constriction")
    except Exception:  # a library that breaks while it is imported is no better than none
        return "literal"
    return "constriction"


@judge.exact(parameters={"A": tuple(SHORT), "n": tuple(SHORT.values())}, longest=tuple(SHORT.items()))
def short_messages(law: Law, longest: Sequence[tuple[int, int]]) -> Iterable[Comparison]:
    """All messages of some symbols: powers of two against products of probabilities, in integers."""
    ending, own_ending = law.exactly("ending"), law.exactly("own_ending")
    for alphabet, most in longest:
        chances, growth = CHANCES[alphabet], law.exactly("growth", A=alphabet)
        for n in range(1, most + 1):
            own_growth = law.exactly("own_growth", A=alphabet, n=n)
            granted, own = 2 ** int(ending) * growth**n, 2 ** int(own_ending) * own_growth**n
            for digits in itertools.product(range(alphabet), repeat=n):
                counts = _counts(digits, alphabet)
                length, below = law.inverse(counts), law.entropic(counts)
                shown = {"message": digits, "A": alphabet}
                found = F(2 ** law.coded(digits, alphabet))
                yield le("range coder", found, granted * length, headline=True, witness=shown)
                found = F(2 ** law.coded(digits, alphabet, chances))
                cross = 1 / math.prod(F(chances[digit]) for digit in digits)
                yield le("fixed probabilities", found, granted * cross, witness=shown)
                yield le(
                    "adaptive coder", F(2 ** law.adaptive(digits, alphabet)), own * length, witness=shown
                )
                yield le("entropy and ideal length", below, length, witness=shown)
                elias = 2 ** int(DenseCode(GAMMA).bits(np.array(digits) - alphabet // 2))
                yield le("entropy and Elias code", below, F(elias), witness=shown)
                words = F(2 ** (64 * word_count(n, alphabet)))
                yield le("entropy and raw words", below, words, witness=shown)


@judge.exact(parameters={"q": SOURCES, "n": "1 to 5"}, sources=SOURCES)
def all_messages(law: Law, sources: Sequence[Sequence[F]]) -> Iterable[Comparison]:
    """All messages of n symbols: the Kraft sum of each code, and expected lengths against n H."""
    for source in sources:
        A = len(source)
        entropy = -sum((q * F(int(math.log2(q))) for q in source), F(0))
        for n in range(1, 6 if A == 3 else 5):
            words = list(itertools.product(range(A), repeat=n))
            chances = [math.prod((source[digit] for digit in word), start=F(1)) for word in words]
            codes: dict[str, list[int]] = {
                "range coder": [law.coded(word, A) for word in words],
                "fixed probabilities": [law.coded(word, A, tuple(map(float, source))) for word in words],
                "adaptive coder": [law.adaptive(word, A) for word in words],
                "Elias": [int(DenseCode(GAMMA).bits(np.array(word) - A // 2)) for word in words],
                "raw": [64 * word_count(n, A)] * len(words),
            }
            for name, lengths in codes.items():
                shown = {"code": name, "n": n, "A": A}
                kraft = sum((F(1, 2**bits) for bits in lengths), F(0))
                yield le("Kraft sum", kraft, 1, witness=shown)
                mean = sum((q * bits for q, bits in zip(chances, lengths, strict=True)), F(0))
                yield le("entropy of the source", n * entropy, mean, witness=shown)
                if name == "range coder":
                    most = law("mean", n=n, A=A, H=float(entropy))
                    yield le("mean length", float(mean), most, ROUNDS, headline=True, witness=shown)


@judge.exact
def worst_cases(law: Law) -> Iterable[Comparison]:
    """Messages with the counts of the worst cases, all equal digits one after another."""
    for case in theory.claim(CLAIM).worst_cases:
        counts, A = case.values["counts"], int(case.values["A"])
        digits = [a for a, count in enumerate(counts) for _ in range(int(count))]
        shown, n = {"case": case.description}, len(digits)
        length = ideal_length(law, _counts(digits, A))
        found, own = float(law.coded(digits, A)), float(law.adaptive(digits, A))
        most = law("bound", L=length, n=n, A=A)
        yield le("range coder, worst case", found, most, ROUNDS, headline=True, witness=shown)
        most = law("own", L=length, n=n, A=A)
        yield le("adaptive coder, worst case", own, most, ROUNDS, witness=shown)
        yield le("adaptive coder, short", own, length + law("own_short"), ROUNDS, witness=shown)


@judge.exact(alphabets=(2, 3, 255, 4096))
def weights(law: Law, alphabets: Sequence[int]) -> Iterable[Comparison]:
    """Weights of equal and of unequal probabilities: at least those of the statement."""
    for A in alphabets:
        for chances in ([F(1, A)] * A, [F(2 * (a + 1), A * (A + 1)) for a in range(A)]):
            ends = law.weights([float(item) for item in chances])
            # Double precision changes the sums of probabilities by less than one unit of 2^-24.
            least = min(
                F(right - left) - p * (literal.UNITS - A - 1)
                for p, left, right in zip(chances, ends[:-1], ends[1:], strict=True)
            )
            yield le("weight", 0, least, witness={"A": A, "largest": str(max(chances))})


@judge.exact(n=UNFAVOURABLE)
def unfavourable(law: Law, n: int) -> Iterable[Comparison]:
    """A long message that meets the coder where it rounds most."""
    digits, encoder = unfavourable_message(n)
    cross = cross_entropy(_counts(digits, 2), frequent_and_rare())
    most = law("fixed", X=cross, n=n, A=2)
    yield le("unfavourable message", float(encoder.bits), most, ROUNDS, headline=True)


@judge.exact(parameters={"A": "2 to 65536", "j": "-70 to 70"}, alphabets=(2, 3, 5, 7, 15, 255, 4096, 65536))
def lengths(law: Law, alphabets: Sequence[int]) -> Iterable[Comparison]:
    """Raw and Elias lengths beside those of their formulas."""
    for A in alphabets:
        for n in (1, 39, 40, 41, 984, 6570):
            yield eq(
                "raw words", 64 * law.words(n, A), law.exactly("raw", n=n, A=A), witness={"n": n, "A": A}
            )
    for level in range(-70, 71):
        found = int(DenseCode(GAMMA).bits(np.array([level])))
        yield eq("Elias words", found, law.exactly("elias", j=abs(level)), witness={"level": level})


@judge.exact(parameters={"d": 100, "blocks": (16, 100)}, blocks=[16, 100])
def wire(law: Law, blocks: int) -> Iterable[Comparison]:
    """Messages of senders, byte by byte."""
    x = np.linspace(-1, 1, 100)
    for code, scale_bits in itertools.product(("raw", "adaptive"), (32, 64)):
        for codec in (
            DitheredQuantizer(3, blocks=blocks, norm_bits=scale_bits),
            NestedDitheredQuantizer(3, 3, blocks=blocks, norm_bits=scale_bits),
        ):
            data = Sender(codec, seed=(1, 2), worker=0, code=code).send(x)
            payload, count = 8 * len(unpack(data).payload), -(-len(x) // blocks)
            stated = law.exactly("message", b=payload, N=scale_bits * law.counted_scales, B=count)
            yield eq(
                "message", 8 * len(data), stated, headline=True, witness={"codec": repr(codec), "code": code}
            )


@judge.adversarial(parameters={"A": 3, "n": f"up to {3 * MOST}"})
def counts(law: Law) -> AdversarialCase:
    """Search for counts of three symbols, and an order of them, at which the code is longest."""

    def message(row: Any) -> list[int]:
        tally = [int(abs(item) * MOST) % (MOST + 1) for item in row[:3]]
        digits = [a for a, count in enumerate(tally) for _ in range(count)]
        turn = int(abs(row[3]) * len(digits)) % max(len(digits), 1)
        return digits[turn:] + digits[:turn]

    def bound(digits: list[int]) -> float:
        length = ideal_length(law, _counts(digits, 3)) if digits else 0.0
        return law("bound", L=length, n=len(digits), A=3)

    return AdversarialCase(
        lambda inputs: np.array([float(law.coded(message(row), 3)) for row in inputs]),
        lambda inputs: np.array([bound(message(row)) for row in inputs]),
        4,
        starts=[np.array([1 / MOST, 0, 0, 0]), np.array([0.5, 0.3, 0.2, 0.0])],
        scale_invariant=False,
        budget=120,
    )


@judge.drift(parameters={"d": DIMENSION, "M": (1, 3, 127), "k": 3})
def streams(law: Law, rng: Any) -> Iterable[Comparison]:
    """Messages of a run of both groups of workers, in all codes."""
    library = range_coder() == "constriction"
    before: dict[int, Any] = {}
    for index, (worker, digits, alphabet, offset) in enumerate(recorded(rng)):
        shown, n = {"message": index, "A": alphabet}, len(digits)
        tally = _counts(digits, alphabet)
        length, below = ideal_length(law, tally), bits_of(law.entropic(tally))
        if library:
            compare_library(digits, alphabet)
        found, own = float(law.coded(digits, alphabet)), float(law.adaptive(digits, alphabet))
        most = law("bound", L=length, n=n, A=alphabet)
        yield le("range coder", found, most, ROUNDS, headline=True, witness=shown)
        most = law("own", L=length, n=n, A=alphabet)
        yield le("adaptive coder", own, most, ROUNDS, witness=shown)
        yield le("adaptive coder, short", own, length + law("own_short"), ROUNDS, witness=shown)
        if worker in before:  # the probabilities of the worker's last message
            chances = [float(item) for item in before[worker] / before[worker].sum()]
            cross = cross_entropy(tally, chances)
            found = float(law.coded(digits, alphabet, chances))
            most = law("fixed", X=cross, n=n, A=alphabet)
            yield le("fixed probabilities", found, most, ROUNDS, witness=shown)
        before[worker] = np.array(tally) + 1.0
        raw = law.exactly("raw", n=n, A=alphabet)
        yield eq("raw words", 64 * law.words(n, alphabet), raw, witness=shown)
        elias = sum(count * law.exactly("elias", j=abs(a - offset)) for a, count in enumerate(tally))
        yield eq("Elias words", int(DenseCode(GAMMA).bits(np.array(digits) - offset)), elias, witness=shown)
        yield le("entropy and ideal length", below, length, ROUNDS, witness=shown)
        yield le("entropy and Elias code", below, float(elias), ROUNDS, witness=shown)
        yield le("entropy and raw words", below, float(raw), ROUNDS, witness=shown)


@judge.exact(codes=("gamma", "omega"), seed=5)
def words(law: Law, codes: Sequence[str], seed: int) -> Iterable[Comparison]:
    """Streams of numbers, levels and fields against their text, letter by letter, and read back."""
    yield from code_words(law.text, codes, seed)
    yield from coder_bytes(law.text, literal_bytes, range_coder() == "constriction", seed)


@judge.exact(instance="words-by-kernels", profile="full", codes=("gamma", "omega"), seed=2)
def words_by_kernels(law: Law, codes: Sequence[str], seed: int) -> Iterable[Comparison]:
    """The same with kernels, where they are installed."""
    yield from by_kernels(code_words, law.text, codes, seed)
    yield from by_kernels(coder_bytes, law.text, literal_bytes, range_coder() == "constriction", seed)


@judge.exact(instance="words-as-written", codes=("gamma", "omega"), seed=3)
def words_written(law: Law, codes: Sequence[str], seed: int) -> Iterable[Comparison]:
    """The same of short streams, by kernels that run as Python; their sums have three forms."""
    yield from as_written(short_levels, law.text, codes, seed)
    library = range_coder() == "constriction"
    yield from as_written(coder_bytes, law.text, literal_bytes, library, seed, (3, 60, 300), 40)


@judge.exact(alphabet=3)
def domain(law: Law, alphabet: int) -> Iterable[Comparison]:
    """Alphabets, digits and codes that the coders take."""
    del alphabet
    yield from arguments(law.taken, coders_inside(), coders_outside())
    yield from places(law.taken, wrong_digits(range_coder() == "constriction"))
