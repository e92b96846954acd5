"""Checks of `ndqsg/coded-size`: all short messages, searched counts, unfavourable streams, recorded ones.

The range coder is the literal one, which gives the same bytes as the library: so every mutant is judged
without the library too. Recorded streams go through the library where it is installed.
"""

import functools
import importlib
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA
from impl.coding.range_coder import RangeCoder
from impl.coding.symbol_words import word_count
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.optimizers import Exchange, quantized_sgd
from impl.problems import Quadratic
from impl.protocol import Sender, unpack
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg import literal_range_coder as literal
from verify.ndqsg.coding_rule import CLAIM, IDEAL, RULES, STATED, Rule
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

LOGARITHMS = Tolerance(
    1e-11, "differences of logarithms of factorials, up to 100 times as large as the result"
)
SHORT = {2: 7, 3: 4}
"""Longest message by alphabet, of which all are tried."""

SOURCES = ((F(1, 4), F(1, 2), F(1, 4)), (F(1, 2), F(1, 4), F(1, 8), F(1, 8)))
"""Chances of symbols; the first are those of DQSG, M = 1, of a uniform gradient."""

CHANCES = {2: (0.75, 0.25), 3: (0.25, 0.5, 0.25)}
RARE, UNFAVOURABLE = 13, 20_000
SHORT_MESSAGE = 2**17
"""Symbols and alphabet together up to which the statement has a number of bits above L."""

MOST = 40
DIMENSION = 1000


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)

    def exact(
        name: str, compare: Callable[[Rule], Iterable[Comparison]], mutants: Sequence[str], **given: Any
    ) -> Check:
        return Check(
            "exact",
            name,
            ExactCase(functools.partial(compare, STATED)),
            given,
            {mutant: ExactCase(functools.partial(compare, RULES[mutant])) for mutant in mutants},
            seconds=0.2,
        )

    streams = ("model-not-updated", "natural-logarithms", "learning-for-nothing")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        exact("short-messages", compare_short, ("half-ending", "other-order"), A=(2, 3), n=(7, 4)),
        exact("all-messages", compare_codes, ("no-ending", "other-order"), q=SOURCES, n="1 to 5"),
        exact(
            "worst-cases",
            compare_worst,
            ("model-not-updated", "learning-for-nothing"),
            n=[case.values["n"] for case in claim.worst_cases],
        ),
        exact("unfavourable", compare_unfavourable, ("no-truncation",), n=UNFAVOURABLE, p=f"2^-{RARE}"),
        exact("lengths", lambda rule: compare_lengths(), (), A="2 to 65536", j="-70 to 70"),
        exact("wire", compare_wire, ("no-scale-bits",), d=100, blocks=(16, 100)),
        _searched(),
        Check(
            "run",
            "streams",
            DriftCase(functools.partial(compare_streams, STATED)),
            {"d": DIMENSION, "M": (1, 3, 127), "k": 3, "range coder": range_coder()},
            {name: DriftCase(functools.partial(compare_streams, RULES[name])) for name in streams},
            seconds=0.6,
        ),
    )


def range_coder() -> str:
    """Return which range coder the recorded streams go through."""
    try:
        importlib.import_module("constriction")
    except Exception:  # a library that breaks while it is imported is no better than none
        return "literal"
    return "constriction"


def _rational(formula: Any, values: Mapping[str, Any]) -> F:
    found = evaluate_exact(formula, values)
    return F(int(found.p), int(found.q))


def _counts(digits: Sequence[int], alphabet: int) -> tuple[int, ...]:
    return tuple(digits.count(a) for a in range(alphabet))


@functools.cache
def _growths(n: int, alphabet: int) -> tuple[F, F]:
    formulas = theory.claim(CLAIM).formulas
    growth = _rational(formulas["growth"], {"A": alphabet})
    return growth**n, _rational(formulas["own_growth"], {"A": alphabet, "n": n}) ** n


@functools.cache
def _inverse_chance(counts: tuple[int, ...]) -> F:
    """Return 2 to the power L."""
    values = {"c": counts, "n": sum(counts), "A": len(counts)}
    return 1 / _rational(theory.claim(IDEAL).formulas["probability"], values)


def _entropic(counts: Sequence[int]) -> F:
    """Return 2 to the power of n times the empirical entropy."""
    return F(sum(counts) ** sum(counts), math.prod(count**count for count in counts))


def compare_short(rule: Rule) -> Iterable[Comparison]:
    """All messages of some symbols: powers of two against products of chances, in whole numbers."""
    for alphabet, longest in SHORT.items():
        chances = CHANCES[alphabet]
        for n in range(1, longest + 1):
            growth, own = _growths(n, alphabet)
            for digits in itertools.product(range(alphabet), repeat=n):
                counts = _counts(digits, alphabet)
                length = _inverse_chance(counts)
                label = "".join(map(str, digits)) + f" of {alphabet}"
                found = 2 ** rule.range_bits(digits, alphabet)
                granted = 2 ** rule.exponent("ending") * growth
                yield Comparison(
                    f"range coder, {label}", "le", F(found), granted * length, headline=alphabet == 2
                )
                found = 2 ** rule.range_bits(digits, alphabet, chances)
                cross = 1 / math.prod(F(chances[digit]) for digit in digits)
                yield Comparison(f"fixed chances, {label}", "le", F(found), granted * cross)
                found = 2 ** rule.own_bits(digits, alphabet)
                granted = 2 ** rule.exponent("own_ending") * own
                yield Comparison(f"adaptive coder, {label}", "le", F(found), granted * length)
                below = _entropic(counts)
                yield Comparison(f"n H and L, {label}", "le", below, length)
                elias = 2 ** int(DenseCode(GAMMA).bits(np.array(digits) - alphabet // 2))
                yield Comparison(f"n H and Elias, {label}", "le", below, F(elias))
                yield Comparison(f"n H and raw, {label}", "le", below, F(2 ** (64 * word_count(n, alphabet))))


def compare_codes(rule: Rule) -> Iterable[Comparison]:
    """All messages of n symbols: Kraft's sum of each code, and mean lengths against n H."""
    for source in SOURCES:
        A = len(source)
        entropy = -sum((q * F(int(math.log2(q))) for q in source), F(0))
        for n in range(1, 6 if A == 3 else 5):
            words = list(itertools.product(range(A), repeat=n))
            law = [math.prod((source[digit] for digit in word), start=F(1)) for word in words]
            codes: dict[str, list[int]] = {
                "range coder": [rule.range_bits(word, A) for word in words],
                "fixed chances": [rule.range_bits(word, A, tuple(map(float, source))) for word in words],
                "adaptive coder": [rule.own_bits(word, A) for word in words],
                "Elias": [int(DenseCode(GAMMA).bits(np.array(word) - A // 2)) for word in words],
                "raw": [64 * word_count(n, A)] * len(words),
            }
            for name, lengths in codes.items():
                label = f"{name}, {n} symbols of {A}"
                kraft = sum((F(1, 2**bits) for bits in lengths), F(0))
                yield Comparison(f"{label}: Kraft's sum", "le", kraft, 1)
                mean = sum((q * bits for q, bits in zip(law, lengths, strict=True)), F(0))
                yield Comparison(f"{label}: n H", "le", n * entropy, mean)
                if name == "range coder":
                    most = evaluate(theory.claim(CLAIM).formulas["mean"], {"n": n, "A": A, "H": entropy})
                    yield Comparison(f"{label}: mean", "le", float(mean), most, ROUND_OFF, headline=True)


def compare_worst(rule: Rule) -> Iterable[Comparison]:
    """Messages with the counts of the worst cases, all equal digits one after another."""
    for case in theory.claim(CLAIM).worst_cases:
        counts, A = case.values["c"], case.values["A"]
        digits = [a for a, count in enumerate(counts) for _ in range(count)]
        yield from _both_coders(rule, case.description, digits, A, rule.range_bits(digits, A))


def _both_coders(
    rule: Rule, label: str, digits: Sequence[int], alphabet: int, bits: int
) -> Iterable[Comparison]:
    """Bits of one message in both adaptive coders against the stated ones."""
    values = {"c": np.bincount(digits, minlength=alphabet).tolist(), "n": len(digits), "A": alphabet}
    most = rule.bound("bound", values)
    yield Comparison(f"{label}: range coder", "le", float(bits), most, LOGARITHMS, headline=True)
    own = rule.own_bits(digits, alphabet)
    yield Comparison(f"{label}: adaptive coder", "le", float(own), rule.bound("own", values), LOGARITHMS)
    if values["n"] + alphabet <= SHORT_MESSAGE:
        most = evaluate(theory.claim(IDEAL).exact, values) + evaluate(
            theory.claim(CLAIM).formulas["own_short"], {}
        )
        yield Comparison(f"{label}: adaptive coder, short", "le", float(own), most, LOGARITHMS)


def unfavourable(count: int) -> tuple[list[int], literal.RangeEncoder]:
    """Return digits of which each costs the coder much beside its chance, and the encoder behind them.

    The frequent digit is sent where the range is small, so that it loses one unit of few; the rare one makes
    it small again.
    """
    ends, encoder = literal.cumulative(frequent_and_rare()), literal.RangeEncoder()
    digits = []
    for _ in range(count):
        digit = int(encoder.width >= 2**10 * literal.UNITS)
        digits.append(digit)
        encoder.encode(ends[digit], ends[digit + 1])
    return digits, encoder


def frequent_and_rare() -> tuple[float, float]:
    """Return the chances of the two digits of `unfavourable`."""
    return 1 - 2.0**-RARE, 2.0**-RARE


def compare_unfavourable(rule: Rule) -> Iterable[Comparison]:
    """A long message that meets the coder where it rounds most."""
    digits, encoder = unfavourable(UNFAVOURABLE)
    values = {"c": np.bincount(digits).tolist(), "n": len(digits), "A": 2, "p": frequent_and_rare()}
    bits = float(encoder.bits)
    yield Comparison("fixed chances", "le", bits, rule.bound("fixed", values), LOGARITHMS, headline=True)


def compare_lengths() -> Iterable[Comparison]:
    """Raw and Elias lengths less those of their formulas."""
    formulas = theory.claim(CLAIM).formulas
    for A in (2, 3, 5, 7, 15, 255, 4096, 65536):
        for n in (1, 39, 40, 41, 984, 6570):
            stated = _rational(formulas["raw"], {"n": n, "A": A})
            yield Comparison(f"raw, {n} of {A}: bits beside it", "eq", 64 * word_count(n, A) - stated, 0)
    for level in range(-70, 71):
        stated = _rational(formulas["elias"], {"j": level})
        found = int(DenseCode(GAMMA).bits(np.array([level])))
        yield Comparison(f"Elias, {level}: bits beside it", "eq", found - stated, 0)


def compare_wire(rule: Rule) -> Iterable[Comparison]:
    """Messages of senders, byte by byte."""
    x, stated = np.linspace(-1, 1, 100), theory.claim(CLAIM).formulas["message"]
    for block in (16, 100):
        for code, scale_bits in itertools.product(("raw", "adaptive"), (32, 64)):
            for codec in (
                DitheredQuantizer(3, blocks=block, norm_bits=scale_bits),
                NestedDitheredQuantizer(3, 3, blocks=block, norm_bits=scale_bits),
            ):
                data = Sender(codec, seed=(1, 2), worker=0, code=code).send(x)
                blocks = -(-len(x) // block)
                values = {"b": 8 * len(unpack(data).payload), "N": scale_bits * rule.scales, "B": blocks}
                beside = 8 * len(data) - _rational(stated, values)
                yield Comparison(f"{codec!r}, {code}: bits beside the stated ones", "eq", beside, 0)


def _searched() -> Check:
    """Search for counts of three symbols, and an order of them, at which the code is longest."""

    def case(rule: Rule) -> AdversarialCase:
        def message(row: Any) -> list[int]:
            counts = [int(abs(item) * MOST) % (MOST + 1) for item in row[:3]]
            digits = [a for a, count in enumerate(counts) for _ in range(count)]
            turn = int(abs(row[3]) * len(digits)) % max(len(digits), 1)
            return digits[turn:] + digits[:turn]

        def bound(digits: list[int]) -> float:
            return rule.bound("bound", {"c": _counts(digits, 3), "n": len(digits), "A": 3})

        return AdversarialCase(
            lambda inputs: np.array([float(rule.range_bits(message(row), 3)) for row in inputs]),
            lambda inputs: np.array([bound(message(row)) for row in inputs]),
            4,
            starts=[np.array([1 / MOST, 0, 0, 0]), np.array([0.5, 0.3, 0.2, 0.0])],
            scale_invariant=False,
            budget=120,
        )

    names = ("natural-logarithms", "half-ending", "other-order")
    mutants = {name: case(RULES[name]) for name in names}
    return Check(
        "adversarial", "counts", case(STATED), {"A": 3, "n": f"up to {3 * MOST}"}, mutants, seconds=0.4
    )


def compare_streams(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """Messages of a run of both groups of workers, in all codes."""
    formulas, library = theory.claim(CLAIM).formulas, range_coder() == "constriction"
    before: dict[int, Any] = {}
    for index, (worker, digits, alphabet, offset) in enumerate(recorded(rng)):
        label, n = f"message {index} of {alphabet} symbols", len(digits)
        if library and rule.updated:
            coder = RangeCoder(alphabet)
            data = coder.encode(digits)
            bits, same = 8 * len(data), literal.adaptive(digits, alphabet).data() == data
            yield Comparison(f"{label}: differs from the literal code", "eq", int(not same), 0)
            wrong = int(np.sum(coder.decode(data, n) != digits))
            yield Comparison(f"{label}: wrong digits", "eq", wrong, 0)
        else:
            bits = rule.range_bits(digits, alphabet)
        yield from _both_coders(rule, label, digits, alphabet, bits)
        counts = np.bincount(digits, minlength=alphabet)
        values = {"c": counts.tolist(), "n": n, "A": alphabet}
        if worker in before:  # the chances of the worker's last message
            chances = before[worker] / before[worker].sum()
            most = rule.bound("fixed", {**values, "p": chances.tolist()})
            if library:
                found = RangeCoder(alphabet, chances).bits(digits)
            else:
                found = rule.range_bits(digits, alphabet, chances.tolist())
            yield Comparison(f"{label}: fixed chances", "le", float(found), most, LOGARITHMS)
        before[worker] = counts + 1.0
        below = evaluate(theory.claim(IDEAL).formulas["empirical"], values)
        raw = evaluate(formulas["raw"], {"n": n, "A": alphabet})
        yield Comparison(f"{label}: raw", "eq", 64 * word_count(n, alphabet), int(raw))
        elias = sum(
            int(count) * _rational(formulas["elias"], {"j": a - offset}) for a, count in enumerate(counts)
        )
        coded = int(DenseCode(GAMMA).bits(np.array(digits) - offset))
        yield Comparison(f"{label}: Elias", "eq", coded, elias)
        ideal = evaluate(theory.claim(IDEAL).exact, values)
        for name, length in (("raw", raw), ("Elias", float(elias)), ("L", ideal)):
            yield Comparison(f"{label}: n H and {name}", "le", below, length, LOGARITHMS)


def recorded(rng: Any) -> list[tuple[int, list[int], int, int]]:
    """Return worker, digits, alphabet and offset of the messages of a short run."""
    messages: list[tuple[int, list[int], int, int]] = []
    codecs = [
        DitheredQuantizer(1),
        DitheredQuantizer(3),
        DitheredQuantizer(127),
        NestedDitheredQuantizer(3, 3),
    ]

    def record(exchange: Exchange) -> None:
        for group, message in exchange.messages:
            codec = codecs[group[0]]
            digits = (message.symbols[0, 0] + codec.offset).tolist()
            messages.append((group[0], digits, codec.alphabet or 0, codec.offset))

    quantized_sgd(
        Quadratic(np.tile(np.linspace(0.1, 1, DIMENSION), (len(codecs), 1))),
        codecs,
        step_size=0.5,
        rounds=2,
        rng=rng,
        start=rng.standard_normal(DIMENSION),
        observe=record,
    )
    return messages
