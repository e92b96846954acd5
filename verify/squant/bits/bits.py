"""Checks of `squant/bits`: the lengths of real messages, enumerated, sent and received, and sampled."""

import itertools
from collections.abc import Generator
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.coding.elias import GAMMA, OMEGA
from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq
from verify.comparison import ROUND_OFF, Comparison
from verify.rungs.montecarlo import MonteCarloCase
from verify.sabotage.stochastic_quantizer import scaled_levels
from verify.squant.fixtures.literal_length import NORM_BITS

CODES = ("sparse-gamma", "sparse-omega", "dense-gamma")


def _sent_and_received(quantizer: StochasticQuantizer, x: Any, draws: Any) -> Any:
    return quantizer.decode(quantizer.encode(x, draws))


# `measure`: the bits of a message by its code and number of norms; `transit`: what a receiver makes of it.
judge = checks_of(
    "squant/bits",
    quantizer=StochasticQuantizer,
    measure=lambda message, norms: message.bits,
    transit=_sent_and_received,
)

INSTANCES: dict[str, dict[str, Any]] = {
    "norm-7": {"x": (2, 3, 6), "steps": (F(1, 2), F(1, 3), F(1, 4)), "blocks": None},
    "norm-9": {"x": (1, 4, 8), "steps": F(3, 2), "blocks": None},
    "two-blocks": {"x": (3, 4, 5, 12), "steps": (F(1, 2), F(1, 2), F(1, 3), F(1, 3)), "blocks": (2, 2)},
    "with-zeros": {"x": (0, 3, 0, 0, 4, 0, 0, 0), "steps": 2, "blocks": None},
    "zero-block": {"x": (0, 0, -3, 4), "steps": 1, "blocks": (2, 2)},
    "long-gaps": {"x": (0,) * 2 + (3,) + (0,) * 6 + (4,) + (0,) * 5, "steps": F(5, 4), "blocks": None},
}
_ALL = tuple(f"exact/{name}" for name in INSTANCES)


def _without_sentinel(message: Any, norms: int) -> Any:
    found = [literal_length(row, norms, sentinel=False) for row in np.atleast_2d(message.symbols)]
    return found[0] if np.ndim(message.symbols) == 1 else found


def _without_last(quantizer: StochasticQuantizer, x: Any, draws: Any) -> Any:
    received = _sent_and_received(quantizer, x, draws)
    return np.where(np.arange(received.size) < received.size - 1, received, 0)


judge.sabotage(
    "no-sentinel at exact/long-messages, montecarlo/ones-d100: Leave out the gap to the sentinel: the "
    "message is shorter and cannot be decoded.",
    {"measure": _without_sentinel},
    r"single-log at exact/long-messages: Count $\lfloor\log_2k\rfloor+1$ bits for a number, without the "
    "factor 2 of a self-delimiting code.",
    {"measure": lambda message, norms: literal_length(message.symbols, norms, doubled=False)},
    at=_ALL,
)
judge.sabotage(
    "one-norm at exact/two-blocks, exact/zero-block: Charge one norm for $B$ blocks: $32(B-1)$ bits too few.",
    {"measure": lambda message, norms: message.bits - NORM_BITS * (norms - 1)},
    "lost-coordinate at exact/norm-?, exact/two-blocks, exact/long-messages: The receiver loses the last "
    "coordinate.",
    {"transit": _without_last},
)
judge.sabotage_data(
    "negated-input, neutral: Change the sign of the input: no length may change.",
    lambda x, **_: {"x": tuple(-item for item in x)},
    at=_ALL,
)


def literal_length(levels: Any, norms: int, *, sentinel: bool = True, doubled: bool = True) -> int:
    """Return the length of the sparse gamma code, counted literally, with one thing left out on request."""

    def gamma(k: int) -> int:
        return (2 if doubled else 1) * (k.bit_length() - 1) + 1

    bits, last = NORM_BITS * norms, 0
    for position, level in enumerate(map(int, levels), start=1):
        if level:
            bits += gamma(position - last) + 1 + gamma(abs(level))
            last = position
    return bits + (gamma(len(levels) + 1 - last) if sentinel else 0)


def _counted(law: Law, quantizer: Any, x: Any, code: str, norms: int) -> Generator[Comparison, None, F]:
    """Count the bits of all messages, each of which is also sent and received; return the mean length."""
    mean, lost, counted, literal = F(0), 0, 0, 0
    gamma = code == "sparse-gamma"
    for chance, draws in quantizer.outcomes([F(item) for item in x]):
        message = quantizer.message(x, draws)
        bits = int(law.measure(message, norms) if gamma else message.bits)
        mean, counted = mean + chance * bits, counted + bits
        literal += literal_length(message.symbols, norms) if gamma else 0
        lost += int((law.transit(quantizer, x, draws) != quantizer.compress(x, draws)).sum())
    yield eq("coordinates lost in transit", lost, 0)
    if gamma:
        yield eq("literal count", counted, literal)
    return mean


@judge.exact(instances=INSTANCES)
def enumerated(law: Law, x: Any, steps: Any, blocks: Any) -> Comparisons:
    """Mean length over all outcomes against the formula."""
    norms, entries = len(blocks or (1,)), [F(item) for item in x]
    for code in CODES:
        quantizer = law.quantizer(
            steps, blocks=list(blocks) if blocks else None, norm_bits=NORM_BITS, code=code
        )
        mean = yield from _counted(law, quantizer, x, code, norms)
        u = scaled_levels(quantizer, entries)
        stated = law.exactly(code.replace("-", "_"), u=u, d=len(u), B=norms)
        yield eq(f"mean length, {code}", mean, stated, headline=code == "sparse-gamma")
        yield eq(f"closed form, {code}", quantizer.expected_bits(entries), stated)


@judge.exact(d=2000, entries={2: 3, 1500: 6, 1999: 2}, steps=F(3, 7))
def long_messages(law: Law, d: int, entries: Any, steps: Any) -> Comparisons:
    """Messages with gaps of more than a thousand; the closed form in floats."""
    x = [F(entries.get(j, 0)) for j in range(d)]
    for code in ("sparse-gamma", "sparse-omega"):
        quantizer = law.quantizer(steps, norm_bits=NORM_BITS, code=code)
        mean = yield from _counted(law, quantizer, x, code, 1)
        if code == "sparse-gamma":
            closed = float(quantizer.expected_bits(np.array(x, dtype=float)))
            yield eq("closed form, sparse-gamma", closed, float(mean), ROUND_OFF)


@judge.exact(instances={f"{name}-pairs": INSTANCES[name] for name in ("norm-7", "norm-9", "two-blocks")})
def pairs(law: Law, x: Any, steps: Any, blocks: Any) -> Comparisons:
    """How often two nonzeros are consecutive in a message, both ends included."""
    entries = [F(item) for item in x]
    quantizer = law.quantizer(steps, blocks=list(blocks) if blocks else None, norm_bits=NORM_BITS)
    u, d = scaled_levels(quantizer, entries), len(x)
    found = dict.fromkeys(itertools.combinations(range(d + 2), 2), F(0))
    for chance, draws in quantizer.outcomes(entries):
        symbols = quantizer.message(x, draws).symbols
        places = [0, *(j for j, level in enumerate(symbols, start=1) if level), d + 1]
        for pair in itertools.pairwise(places):
            found[pair] += chance
    for (i, j), value in found.items():
        stated = law.exactly("consecutive", u=u, d=d, i=i, j=j)
        yield eq("consecutive nonzeros", value, stated, witness={"i": i, "j": j})


@judge.exact(k=[*range(1, 18), 31, 32, 63, 64, 100, 2**16 - 1, 2**16, 2**31, 2**32 - 1, 2**62])
def words(law: Law, k: int) -> Comparisons:
    """The words that are sent for numbers."""
    yield eq("length of gamma", len(GAMMA.word(k)), law.exactly("gamma_length", k=k))
    yield eq("length of omega", len(OMEGA.word(k)), law.exactly("omega_length", k=k))


@judge.exact(x="ones", steps=1, d=[16, 64, 100])
def ones(law: Law, d: int, **_: Any) -> Comparisons:
    """All ones with step 1: the formula of the claim against the closed form in `impl`."""
    stated = law("exact", u=[d**-0.5] * d, d=d, B=1)
    value = float(law.quantizer(1, norm_bits=NORM_BITS).expected_bits([1.0] * d))
    yield eq("closed form, sparse-gamma", value, stated, ROUND_OFF, witness={"d": d})


@judge.montecarlo(instance="ones-d100", d=100, x="ones", steps=1)
def sampled_bits(law: Law, d: int, **_: Any) -> MonteCarloCase:
    """Real messages of the ones vector."""
    quantizer = law.quantizer(1, norm_bits=NORM_BITS)

    def sample(rng: Any, size: int) -> Any:
        messages = quantizer.message(np.ones(d), quantizer.draw(rng, (size, d)))
        return np.asarray(law.measure(messages, 1), dtype=float)

    stated = law("exact", u=[d**-0.5] * d, d=d, B=1)
    # Levels are 0 or 1: at most 2 bits of content each; gaps sum to d+1 and cost at most 3/2 bit a unit.
    return MonteCarloCase("eq", sample, stated, lower=NORM_BITS, upper=NORM_BITS + 2 * d + 1.5 * (d + 1))
