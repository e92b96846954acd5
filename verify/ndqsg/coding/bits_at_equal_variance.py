"""Checks of `ndqsg/bits-at-equal-variance`: entropies by quadrature, real message lengths, sampled errors."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sympy import Symbol, log

import theory
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison, printed
from verify.ndqsg.fixtures.index_entropy import conditional_entropy, coset_entropy, index_entropy, normal
from verify.rungs.montecarlo import MonteCarloCase

CLAIM = "ndqsg/bits-at-equal-variance"
WORDS = 1.05
"""Raw payload over its ideal: whole symbols in words of 64 bits lose 4 per cent at 7 symbols."""
COORDINATES = 64

# The bits of a scale; the unit of x and of the steps.
judge = checks_of(CLAIM, quantizer=DitheredQuantizer, scale_bits=64, unit=1.0)


judge.sabotage(
    "rounding-like-dither at exact/table, montecarlo/rounding: Take $\\delta^2/12$ as the variance of "
    "rounding: its step has twice the variance. | rounding_step = sqrt(2) * rounding_step",
    "standard at exact/other-deviations: Take the bound of $N(0,1)$ for every normal law: at a tenth of a "
    "step it is exceeded. | above = above(sigma = 1)",
    "dither-like-rounding at exact/table, exact/cosets, montecarlo/dither: Take $\\delta^2/6$ as the "
    "variance of dither: its step has half the variance. | dither_step = dither_step / sqrt(2)",
)


@judge.mutant(r"Count $\log_2(2M)$ raw bits for the $2M+1$ indices.", at=("exact/messages",))
def one_symbol_less(law: Law) -> Law:
    M = Symbol("M", real=True)
    return law.replace(raw=lambda formula: formula.subs(log(2 * M + 1), log(2 * M)))


judge.sabotage(
    "no-scale-bits at exact/messages: Do not count the scales: at blocks of 16 they are 4 bits per "
    "coordinate. | scale_bits = 0",
    "other-unit, neutral at exact/table: Measure x and the steps in another unit: nothing may change. "
    "| unit = 3.0",
)


def phase_variance(deviation: float) -> float:
    """Return E p (1 - p) of the fractional part p of a normal variable, by its Fourier series."""
    j = np.arange(1, 20)
    terms = np.exp(-2 * (np.pi * j * deviation) ** 2) / (np.pi * j) ** 2
    return float(1 / 6 - terms.sum())


def _cases(key: str) -> list[dict[str, Any]]:
    return [dict(case.values) for case in theory.claim(CLAIM).worst_cases if key in case.values]


@judge.exact(parameters={"V": (0.1, 0.01, 0.001)})
def table(law: Law) -> Iterable[Comparison]:
    """Steps, entropies and rates at three variances; the variance of rounding at its step."""
    for row in _cases("V"):
        V, stated = float(row["V"]), {name: float(value) for name, value in row.items()}
        witness = {"V": V}
        dither, rounding = law("dither_step", V=V), law("rounding_step", V=V)
        fine, coarse = (normal(law.unit / (law.unit * step)) for step in (dither, rounding))
        conditional, rounded, rate = conditional_entropy(fine), index_entropy(coarse), law("gauss_rate", V=V)
        digits = printed(12)
        yield eq("step of dither", dither, stated["dither_step"], digits, witness=witness)
        yield eq("step of rounding", rounding, stated["rounding_step"], digits, witness=witness)
        yield eq("index entropy", index_entropy(fine), stated["index"], digits, witness=witness)
        yield eq(
            "conditional entropy", conditional, stated["conditional"], digits, headline=True, witness=witness
        )
        yield eq("entropy of rounding", rounded, stated["rounding_index"], digits, witness=witness)
        yield eq("rate", rate, stated["rate"], digits, witness=witness)
        error = (law.unit * rounding) ** 2 * phase_variance(1 / rounding) / law.unit**2
        yield eq("variance of rounding", error, V, ROUND_OFF, witness=witness)
        least = law("fine", delta=dither, sigma=1)
        yield eq("bits at fine steps", least, rate + law("gap"), ROUND_OFF, witness=witness)
        yield le("fine steps from below", least, conditional, ROUND_OFF, witness=witness)
        above = least + law("above", delta=dither, sigma=1)
        yield le("fine steps from above", conditional, above, ROUND_OFF, witness=witness)
        # Both steps are short, not zero: higher orders remain.
        yield eq("saving", rounded - conditional, law("saving"), printed(6), witness=witness)


@judge.exact(sigma=(0.1, 0.5, 3.0), delta=(0.25, 1.0))
def other_deviations(law: Law, sigma: Sequence[float], delta: Sequence[float]) -> Iterable[Comparison]:
    """Part (c) for normal laws of other deviations, at steps from a twelfth of them to ten times."""
    for deviation, step in ((deviation, step) for deviation in sigma for step in delta):
        witness = {"sigma": deviation, "delta": step}
        conditional = conditional_entropy(normal(law.unit * deviation / (law.unit * step)))
        least = law("fine", delta=step, sigma=deviation)
        yield le("fine steps from below", least, conditional, ROUND_OFF, witness=witness)
        above = least + law("above", delta=step, sigma=deviation)
        yield le("fine steps from above", conditional, above, ROUND_OFF, witness=witness)


@judge.exact(parameters={"V": 0.1, "k": (2, 3, 4)})
def cosets(law: Law) -> Iterable[Comparison]:
    """Entropy of the coset symbols at V = 0.1: nearly that of uniform symbols."""
    step, gains = law("dither_step", V=0.1), []
    for case in _cases("coset"):
        k, witness = case["k"], {"k": case["k"]}
        found = coset_entropy(normal(1 / step), k)
        yield eq("coset entropy", found, float(case["coset"]), printed(12), headline=True, witness=witness)
        uniform = law("raw_nested", k=k, scale_bits=0, block=1)
        yield le("coset symbols against uniform ones", found, uniform, ROUND_OFF, witness=witness)
        gains.append(math.log2(k) - found)
        yield le("gain of coded coset symbols", gains[-1], law("coset_gain"), ROUND_OFF, witness=witness)
    # Stated in hundredths of a bit: less by one would be wrong.
    yield le("largest gain of coded coset symbols", law("coset_gain") - 0.01, max(gains), ROUND_OFF)


@judge.exact(parameters={"M": (1, 3), "k": (2, 3), "blocks": (16, 256)}, pairs=((1, 2), (3, 3)))
def messages(law: Law, pairs: Sequence[tuple[int, int]]) -> Iterable[Comparison]:
    """Lengths of messages of the codecs: the stated bits and what whole words cost beside them."""
    d = 4096
    x = np.linspace(-1, 1, d)
    for M, k in pairs:
        for block in (16, 256):
            codecs = {
                "raw": law.quantizer(M, blocks=block),
                "raw_nested": NestedDitheredQuantizer(M, k, blocks=block),
            }
            rng, bits, scales = np.random.default_rng(0), [], {"scale_bits": law.scale_bits, "block": block}
            for name, own in (("raw", {"M": M}), ("raw_nested", {"k": k})):
                witness = {"formula": name, **own, "block": block}
                message = codecs[name].message(x, codecs[name].draw(rng, (d,)))
                bits.append(message.bits / d)
                if name == "raw":
                    used = math.log2(len(np.unique(message.symbols)))
                    indices = law("raw", M=M, scale_bits=0, block=1)
                    yield eq("indices", used, indices, ROUND_OFF, witness=witness)
                stated = law(name, **own, **scales)
                yield le("raw bits", stated, bits[-1], ROUND_OFF, witness=witness)
                words = WORDS * stated
                yield le(
                    "raw bits with whole words", bits[-1], words, ROUND_OFF, headline=True, witness=witness
                )
            both = law("exact", M=M, k=k, **scales)
            yield le("half and half", both, sum(bits) / 2, ROUND_OFF, witness={"M": M, "block": block})


def _sampled(law: Law, step: float, V: float, *, subtracted: bool) -> MonteCarloCase:
    """The codec at the step of a fixed scale has the error variance V; without dither, that of rounding."""
    codec = law.quantizer(1, scale=step)

    def sample(rng: Any, size: int) -> Any:
        x = rng.standard_normal((size, COORDINATES))
        draws = codec.draw(rng, x.shape)
        shared = draws.shared if subtracted else np.zeros_like(draws.shared)
        decoded = codec.reconstruct(codec.message(x, draws), shared)
        return ((decoded - x) ** 2).mean(axis=-1)

    return MonteCarloCase("eq", sample, V, upper=(step / 2) ** 2 if subtracted else step**2)


_PARAMETERS = {"V": 0.1, "x": "N(0,1)", "coordinates": COORDINATES}


@judge.montecarlo(label="error of dither", parameters=_PARAMETERS, V=0.1)
def dither(law: Law, V: float) -> MonteCarloCase:
    """The step of dither."""
    return _sampled(law, law("dither_step", V=V), V, subtracted=True)


@judge.montecarlo(label="error of rounding", parameters=_PARAMETERS, V=0.1)
def rounding(law: Law, V: float) -> MonteCarloCase:
    """The step of rounding."""
    return _sampled(law, law("rounding_step", V=V), V, subtracted=False)
