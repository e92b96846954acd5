"""Checks of `ndqsg/bits-at-equal-variance`: entropies by quadrature, real message lengths, sampled errors."""

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate
from verify.ndqsg.index_entropy import conditional_entropy as conditional
from verify.ndqsg.index_entropy import coset_entropy, index_entropy, normal
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/bits-at-equal-variance"
PRINTED = Tolerance(5e-12, "the table has 12 significant digits")
SAVING = Tolerance(
    1e-5, "one uniform error and two shorter ones have the same variance: higher orders of the step remain"
)
PHASE = Tolerance(1e-13, "the error of rounding depends on the phase by exp(-2 pi^2 / step^2) < 1e-14")
WORDS = 1.05
"""Raw payload over its ideal: whole symbols in words of 64 bits lose 4 per cent at 7 symbols."""


@dataclass(frozen=True)
class Rule:
    """What is claimed: as stated, or with one fault.

    Args:
        rounding: Number of phases that V is the variance of: 2 for rounding as stated, 1 as if it had dither.
        symbols: Summand beside 2M in the number of raw symbols.
        scales: Whether the bits of the scales count.
        unit: Factor on x and on the steps.
    """

    rounding: int = 2
    symbols: int = 1
    scales: bool = True
    unit: float = 1.0

    def rounding_step(self, V: float) -> float:
        """Return the step of stochastic rounding."""
        name = "rounding_step" if self.rounding == 2 else "dither_step"
        return evaluate(theory.claim(CLAIM).formulas[name], {"V": V})

    def raw_bits(self, M: int, scale_bits: int, block: int) -> float:
        """Return the raw bits of DQSG per coordinate."""
        values = {"M": M, "scale_bits": scale_bits if self.scales else 0, "block": block}
        stated = evaluate(theory.claim(CLAIM).formulas["raw"], values)
        return stated + math.log2((2 * M + self.symbols) / (2 * M + 1))


STATED = Rule()
RULES = {
    "rounding-like-dither": Rule(rounding=1),
    "one-symbol-less": Rule(symbols=0),
    "no-scale-bits": Rule(scales=False),
    "other-unit": Rule(unit=3.0),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "table",
            ExactCase(functools.partial(compare_table, STATED)),
            {"V": (0.1, 0.01, 0.001)},
            {
                name: ExactCase(functools.partial(compare_table, RULES[name]))
                for name in ("rounding-like-dither", "other-unit")
            },
            seconds=0.2,
        ),
        Check("exact", "cosets", ExactCase(compare_cosets), {"V": 0.1, "k": (2, 3, 4)}, seconds=0.1),
        Check(
            "exact",
            "messages",
            ExactCase(functools.partial(compare_messages, STATED)),
            {"M": (1, 3), "k": (2, 3), "blocks": (16, 256)},
            {
                name: ExactCase(functools.partial(compare_messages, RULES[name]))
                for name in ("one-symbol-less", "no-scale-bits")
            },
            seconds=0.1,
        ),
        _sampled("dither", {}),
        _sampled("rounding", {"rounding-like-dither": RULES["rounding-like-dither"]}),
    )


def _table() -> Iterable[Any]:
    return (case.values for case in theory.claim(CLAIM).worst_cases if "V" in case.values)


def compare_table(rule: Rule) -> Iterable[Comparison]:
    """Steps, entropies and rates at three variances; the variance of rounding at its step."""
    formulas = theory.claim(CLAIM).formulas
    for row in _table():
        V, name = float(row["V"]), f"V={row['V']}"
        dither, rounding = evaluate(formulas["dither_step"], {"V": V}), rule.rounding_step(V)
        fine, coarse = (normal(rule.unit / (rule.unit * step)) for step in (dither, rounding))
        found = {
            "dither_step": dither,
            "rounding_step": rounding,
            "index": index_entropy(fine),
            "conditional": conditional(fine),
            "rounding_index": index_entropy(coarse),
            "rate": evaluate(formulas["gauss_rate"], {"V": V}),
        }
        for key, value in found.items():
            headline = key == "conditional"
            yield Comparison(f"{name}: {key}", "eq", value, float(row[key]), PRINTED, headline=headline)
        error = (rule.unit * rounding) ** 2 * phase_variance(1 / rounding) / rule.unit**2
        yield Comparison(f"{name}: variance of rounding", "eq", error, V, PHASE)
        stated = evaluate(formulas["fine"], {"delta": dither})
        gap = evaluate(formulas["gap"], {})
        yield Comparison(f"{name}: fine steps", "eq", stated, found["rate"] + gap, ROUND_OFF)
        # h(x) <= h(x + error) <= h of the normal law of the same variance.
        yield Comparison(f"{name}: fine steps from below", "le", stated, found["conditional"], ROUND_OFF)
        above = stated + math.log2(1 + dither**2 / 12) / 2
        yield Comparison(f"{name}: fine steps from above", "le", found["conditional"], above, ROUND_OFF)
        saved = found["rounding_index"] - found["conditional"]
        half = evaluate(formulas["saving"], {})
        yield Comparison(f"{name}: saving", "eq", saved, half, SAVING)


def phase_variance(deviation: float) -> float:
    """Return E p (1 - p) of the fractional part p of a normal variable, by its Fourier series."""
    j = np.arange(1, 20)
    terms = np.exp(-2 * (np.pi * j * deviation) ** 2) / (np.pi * j) ** 2
    return float(1 / 6 - terms.sum())


def compare_cosets() -> Iterable[Comparison]:
    """Entropy of the coset symbols at V = 0.1: nearly that of uniform symbols."""
    step = evaluate(theory.claim(CLAIM).formulas["dither_step"], {"V": 0.1})
    for case in theory.claim(CLAIM).worst_cases:
        if "coset" in case.values:
            k = case.values["k"]
            found = coset_entropy(normal(1 / step), k)
            yield Comparison(f"H(s), k={k}", "eq", found, float(case.values["coset"]), PRINTED, headline=True)
            yield Comparison(f"raw bits, k={k}", "le", found, math.log2(k))


def compare_messages(rule: Rule) -> Iterable[Comparison]:
    """Lengths of messages of the codecs: the stated bits and what whole words cost beside them."""
    claim, d = theory.claim(CLAIM), 4096
    for M, k in ((1, 2), (3, 3)):
        for block in (16, 256):
            x = np.linspace(-1, 1, d)
            plain = DitheredQuantizer(M, blocks=block)
            nested = NestedDitheredQuantizer(M, k, blocks=block)
            rng = np.random.default_rng(0)
            bits = {}
            for name, codec in (("DQSG", plain), ("NDQSG", nested)):
                message = codec.message(x, codec.draw(rng, (d,)))
                bits[name] = message.bits / d
                if name == "DQSG":
                    used = len(np.unique(message.symbols))
                    stated = evaluate(claim.formulas["raw"], {"M": M, "scale_bits": 0, "block": 1})
                    yield Comparison(f"{name}, M={M}: symbols", "eq", math.log2(used), stated, ROUND_OFF)
            nested_bits = evaluate(
                claim.formulas["raw_nested"], {"k": k, "scale_bits": 64 if rule.scales else 0, "block": block}
            )
            stated_bits = {"DQSG": rule.raw_bits(M, 64, block), "NDQSG": nested_bits}
            for name, stated in stated_bits.items():
                label = f"{name}, M={M}, k={k}, blocks of {block}"
                yield Comparison(f"{label}: at least", "le", stated, bits[name], ROUND_OFF)
                yield Comparison(
                    f"{label}: with whole words", "le", bits[name], WORDS * stated, headline=True
                )
            both = {"M": M, "k": k, "scale_bits": 64 if rule.scales else 0, "block": block}
            mean = sum(bits.values()) / 2
            yield Comparison(
                f"half and half, {block}: at least", "le", evaluate(claim.exact, both), mean, ROUND_OFF
            )


def _sampled(name: str, mutants: dict[str, Rule]) -> Check:
    """The codec at the step of a fixed scale has the error variance V; without dither, that of rounding."""
    V, coordinates = 0.1, 64

    def case(rule: Rule) -> MonteCarloCase:
        step = rule.rounding_step(V)
        if name == "dither":
            step = evaluate(theory.claim(CLAIM).formulas["dither_step"], {"V": V})
        codec = DitheredQuantizer(1, scale=step)

        def sample(rng: Any, size: int) -> Any:
            x = rng.standard_normal((size, coordinates))
            draws = codec.draw(rng, x.shape)
            subtracted = draws.shared if name == "dither" else np.zeros_like(draws.shared)
            decoded = codec.reconstruct(codec.message(x, draws), subtracted)
            return ((decoded - x) ** 2).mean(axis=-1)

        largest = (step / 2) ** 2 if name == "dither" else step**2
        return MonteCarloCase("eq", sample, V, upper=largest)

    return Check(
        "montecarlo",
        name,
        Lazy(functools.partial(case, STATED), tests=1),
        {"V": V, "x": "N(0,1)", "coordinates": coordinates},
        {key: Lazy(functools.partial(case, rule), tests=1) for key, rule in mutants.items()},
        seconds=0.3,
    )
