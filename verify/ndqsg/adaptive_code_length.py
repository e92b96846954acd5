"""Checks of `ndqsg/adaptive-code-length`: all small counts, searched counts, real streams of runs."""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.coding.adaptive_coder import AdaptiveCoder, ideal_bits
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.optimizers import Exchange, quantized_sgd
from impl.problems import Quadratic
from verify.binding import Check
from verify.comparison import Comparison, Tolerance
from verify.equations import equations
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.literal_decoder import decoded
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/adaptive-code-length"
LOGARITHMS = Tolerance(1e-11, "differences of logarithms up to 100 times as large as the result")
MOST, ALPHABET = 400, 3

# From a message, digit by digit, to its probability under a model.
Model = Callable[[Sequence[int], int], F]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "small-counts",
            ExactCase(functools.partial(compare_counts, adaptive)),
            {"A": (1, 2, 3, 4), "n": "1 to 12"},
            {
                "counts-from-zero": ExactCase(
                    functools.partial(compare_counts, functools.partial(adaptive, first=0))
                ),
                "frozen-model": ExactCase(functools.partial(compare_counts, frozen)),
                "other-order": ExactCase(functools.partial(compare_counts, backwards)),
            },
            seconds=0.3,
        ),
        Check(
            "exact",
            "worst-cases",
            ExactCase(compare_worst),
            {"c": [case.values["c"] for case in claim.worst_cases]},
            seconds=0.1,
        ),
        Check(
            "exact",
            "ideal-bits",
            ExactCase(functools.partial(compare_ideal, adaptive)),
            {"A": (1, 2, 4)},
            {"frozen-model": ExactCase(functools.partial(compare_ideal, frozen))},
            seconds=0.1,
        ),
        _searched("upper", upper=True),
        _searched("lower", upper=False),
        Check(
            "run",
            "streams",
            DriftCase(functools.partial(compare_streams, late=False)),
            {"d": 3000, "P": 2, "M": 3, "k": 3, "rounds": 2},
            {"update-order": DriftCase(functools.partial(compare_streams, late=True))},
            seconds=0.3,
        ),
    )


def adaptive(digits: Sequence[int], alphabet: int, first: int = 1) -> F:
    """Return the probability of a message under counts that start at `first` and are updated."""
    counts, chance = [first] * alphabet, F(1)
    for digit in digits:
        chance *= F(counts[digit], sum(counts)) if sum(counts) else F(0)
        counts[digit] += 1
    return chance


def backwards(digits: Sequence[int], alphabet: int) -> F:
    """Return the probability of the reversed message."""
    return adaptive(digits[::-1], alphabet)


def frozen(digits: Sequence[int], alphabet: int) -> F:
    """Return the probability under a model that is never updated."""
    return F(1, alphabet ** len(digits))


def compare_counts(model: Model) -> Iterable[Comparison]:
    """Probabilities digit by digit, and both bounds as inequalities of whole numbers."""
    formulas = theory.claim(CLAIM).formulas
    for alphabet, largest in ((1, 12), (2, 12), (3, 12), (4, 4)):
        for counts in itertools.product(range(largest + 1), repeat=alphabet):
            n = sum(counts)
            if not 1 <= n <= 12:
                continue
            digits = [a for a, count in enumerate(counts) for _ in range(count)]
            chance = model(digits, alphabet)
            stated = evaluate_exact(formulas["probability"], {"c": counts, "n": n, "A": alphabet})
            yield Comparison(f"probability of a message with counts {counts}", "eq", chance, stated)
            # 2^{n H} = n^n / prod c^c, times or over the number of types.
            entropy = F(n**n, math.prod(count**count for count in counts))
            types = math.comb(n + alphabet - 1, alphabet - 1)
            length = 1 / F(int(stated.p), int(stated.q))
            yield Comparison(f"n H at counts {counts}", "le", entropy, length)
            yield Comparison(
                f"n H plus excess at counts {counts}", "le", length, types * entropy, headline=True
            )


def compare_worst() -> Iterable[Comparison]:
    """The stated length against the stated probability, in double precision."""
    claim = theory.claim(CLAIM)
    for case in claim.worst_cases:
        values = dict(case.values)
        length = evaluate(claim.exact, values)
        chance = evaluate_exact(claim.formulas["probability"], values)
        bits = math.log2(int(chance.q)) - math.log2(int(chance.p))
        yield Comparison(f"length at {values['c']}", "eq", bits, length, LOGARITHMS, headline=True)
        empirical = evaluate(claim.formulas["empirical"], values)
        excess = evaluate(claim.formulas["excess"], {"n": values["n"], "A": values["A"]})
        yield Comparison(f"n H at {values['c']}", "le", empirical, length, LOGARITHMS)
        yield Comparison(f"n H plus excess at {values['c']}", "le", length, empirical + excess, LOGARITHMS)


def _searched(name: str, *, upper: bool) -> Check:
    """Search for counts of three symbols that exceed the upper bound of the length, or the lower one."""
    claim = theory.claim(CLAIM)

    def case(frozen_model: bool) -> AdversarialCase:
        def counts(row: Any) -> tuple[int, ...]:
            return tuple(int(abs(item) * MOST) % (MOST + 1) for item in row)

        def each(inputs: Any, formula: Callable[[tuple[int, ...]], float]) -> Any:
            return np.array([formula(counts(row)) for row in inputs])

        def length(c: tuple[int, ...]) -> float:
            n = sum(c)
            if frozen_model:
                return n * math.log2(ALPHABET)
            return evaluate(claim.exact, {"c": c, "n": n, "A": ALPHABET}) if n else 0.0

        def empirical(c: tuple[int, ...]) -> float:
            n = sum(c)
            return evaluate(claim.formulas["empirical"], {"c": c, "n": n, "A": ALPHABET}) if n else 0.0

        def most(c: tuple[int, ...]) -> float:
            n = sum(c)
            return empirical(c) + (evaluate(claim.formulas["excess"], {"n": n, "A": ALPHABET}) if n else 0.0)

        value, bound = (length, most) if upper else (empirical, length)
        return AdversarialCase(
            lambda inputs: each(inputs, value),
            lambda inputs: each(inputs, bound),
            ALPHABET,
            starts=[np.array([1.0, 0.0, 0.0]), np.array([0.5, 0.5, 0.5])],
            scale_invariant=False,
            budget=400,
        )

    mutants = {"frozen-model": case(True)} if upper else {}
    return Check(
        "adversarial", name, case(False), {"A": ALPHABET, "n": f"up to {3 * MOST}"}, mutants, seconds=0.3
    )


def compare_streams(rng: Any, *, late: bool) -> Iterable[Comparison]:
    """Messages of a run of both groups of workers: coded size and digits that come back."""
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
    claim = theory.claim(CLAIM)
    # Messages of 3000 symbols are short in the sense of that claim.
    beside = evaluate(theory.claim("ndqsg/coded-size").formulas["own_short"], {})
    for index, (digits, alphabet) in enumerate(messages):
        counts = np.bincount(digits, minlength=alphabet).tolist()
        length = evaluate(claim.exact, {"c": counts, "n": len(digits), "A": alphabet})
        coder = AdaptiveCoder(alphabet)
        size = coder.bits(digits)
        label = f"message {index} of {alphabet} symbols"
        yield Comparison(
            f"{label}: coded size", "le", float(size), length + beside, LOGARITHMS, headline=True
        )
        back = decoded(coder.encode(digits), len(digits), alphabet, late=late)
        yield Comparison(f"{label}: wrong digits", "eq", int(np.sum(np.array(back) != digits)), 0)
        if index % 2:
            own = coder.decode(coder.encode(digits), len(digits))
            yield Comparison(f"{label}: wrong digits of the decoder", "eq", int(np.sum(own != digits)), 0)


@equations
def compare_ideal(model: Model) -> Iterable[Comparison]:
    """The length that `impl` computes from counts against the probability of a message with these counts."""
    for digits, A in (((0,), 1), ((0, 1, 1), 2), ((3, 0, 0, 1, 0, 2, 0), 4), ((2,) * 9, 4)):
        counts = [digits.count(symbol) for symbol in range(A)]
        stated = -math.log2(model(digits, A))
        yield Comparison("ideal bits", "eq", 1 + ideal_bits(counts), 1 + stated, LOGARITHMS, {"n": counts})
