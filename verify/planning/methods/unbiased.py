"""Predictions for averages of unbiased messages: natural compression, TernGrad, rand-k, greedy entries.

Their variance constants are those of claims; the rate is one of arXiv 2003.06377. `shifted` and `correlated`
hand the same messages to DIANA and MARINA.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.mean_prices import most_mean_bits
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, cheapest, first_round
from verify.wires.methods import Choice, choice

RATE = "cat/mn-strong"

RAND_K = "rand_k"
"""Its form on processes."""

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Numbers of entries among which the cheapest one by its bound is taken."""


@dataclass(frozen=True)
class Messages:
    r"""An unbiased compressor and what the claims know of it.

    Attributes:
        label: In words.
        compressor: Itself.
        q: $\mathbb E\|C(x)-x\|^2\le q\|x\|^2$ for every x.
        claim: Id of the claim behind q.
        bits: Of a message, or a bound on its mean.
        sure: Whether every message has these bits.
        form: Of `averaged_gd`, `diana` and `marina`, which have halves for processes; empty where not.
        size: Its number of entries, where it has one.
    """

    label: str
    compressor: Any
    q: float
    claim: str
    bits: float
    sure: bool = True
    form: str = ""
    size: int = 1

    def price(self, setting: Setting) -> float:
        """Return what a message costs, at most in the mean where its length is random."""
        return setting.price(int(self.bits)) if self.sure else setting.mean_price(self.bits)

    def wire(self, setting: Setting, method: str, **options: Any) -> Choice | None:
        """Return a method with these messages on processes, None where it has no halves."""
        if not self.form:
            return None
        options |= {"levels": float(self.size), "float_bits": setting.float_bits}
        return choice(f"{method}:{self.form}", **options)


@dataclass(frozen=True)
class Rounding:
    """An unbiased compressor without free parameters.

    Attributes:
        label: In words.
        form: Of the methods on processes.
        claim: Id of the claim behind its variance.
    """

    label: str
    form: str
    claim: str

    def variance_constant(self, d: int) -> float:
        """Return q: the expected squared error is at most q times the squared norm."""
        formulas = theory.claim(self.claim).formulas
        if self.form == "natural":
            return float(evaluate(formulas["powers"], {"X": 1}))
        return float(evaluate(formulas["bound"], {"d": d}))

    def compressor(self) -> Any:
        """Return it, with exponents of float32 or a norm of 32 bits."""
        from impl.compressors import NaturalCompression, TernGrad

        return NaturalCompression(-126, 127) if self.form == "natural" else TernGrad(norm_bits=32)

    def messages(self, setting: Setting) -> Messages:
        """Return its messages, whose bits are the same for every gradient."""
        import numpy as np

        codec, d = self.compressor(), setting.d
        bits = int(codec.expected_bits(np.ones(d)))
        return Messages(self.label, codec, self.variance_constant(d), self.claim, bits, form=self.form)


ROUNDINGS = (
    Rounding("natural compression", "natural", "cat/contractions"),
    Rounding("TernGrad", "tern_grad", "squant/finding-original-levels"),
)


def rand_k(setting: Setting, k: int) -> Messages:
    """Return messages of k random entries; which ones, the receiver draws for itself."""
    from impl.compressors import RandK

    claim, d = theory.claim("cq_marina/est-exact"), setting.d
    q = float(evaluate(claim.formulas["rand_k"], {"d": d, "K": k, "n": 1, "M": 1}))
    codec = RandK(k, value_bits=setting.float_bits)
    return Messages(f"rand-{k}", codec, q, claim.id, k * setting.float_bits, True, RAND_K, k)


def of_form(setting: Setting, form: str, size: int) -> Messages:
    """Return messages by the form of a method on processes; the size is that of rand-k."""
    if form == RAND_K:
        return rand_k(setting, size)
    return next(item for item in ROUNDINGS if item.form == form).messages(setting)


def greedy(setting: Setting, T: int) -> Messages:
    """Return messages of greedy sparsification with at most T expected entries."""
    from impl.compressors import GreedySparsification

    claim, d = theory.claim("cat/atoms"), setting.d
    q = float(evaluate(claim.formulas["most"], {"d": d, "T": T}))
    codec = GreedySparsification(Fraction(T, d), value_bits=setting.float_bits)
    return Messages(
        f"greedy entries, T={T}", codec, q, claim.id, greedy_bits(T, d, setting.float_bits), False
    )


def greedy_bits(T: int, d: int, value_bits: int) -> float:
    """Return a bound on the mean bits of a message of `GreedySparsification` with T expected entries of d.

    k entries are sure, no more than T, and sent as they are; the others, in the mean T - k at most
    (`cat/atoms`), are signs. Gaps are taken as long as they can be.
    """
    from verify.planning.methods.with_memory import entry_bits

    signs = [entry_bits(count, d, 1) for count in range(d + 1)]
    others = most_mean_bits(signs)
    return max(float(value_bits + entry_bits(k, d, value_bits) + others[T - k]) for k in range(T + 1))


def sizes(setting: Setting) -> list[int]:
    """Return numbers of entries below d; one where there is no other."""
    return [size for size in SIZES if size < setting.d] or [1]


def choices(setting: Setting) -> list[list[Messages]]:
    """Return messages, those of one compressor along its growing parameter together."""
    found = [[rounding.messages(setting)] for rounding in ROUNDINGS]
    return [*found, [rand_k(setting, k) for k in sizes(setting)]]


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield gradient descent with each of them, at the step of its rate for the accuracy."""
    entries = [greedy(setting, T) for T in sizes(setting)]
    for messages in (*choices(setting), entries):
        yield cheapest(_averaged(setting, item) for item in messages)


def _averaged(setting: Setting, messages: Messages) -> Prediction:
    step, rounds = step_and_rounds(setting, messages.q)
    return Prediction(
        messages.label,
        rounds,
        messages.bits,
        math.inf if rounds is None else rounds * messages.price(setting),
        (RATE, messages.claim),
        "mean",
        partial(trace_of, setting, partial(_run, setting, messages.compressor), step),
        messages.wire(setting, "averaged_gd"),
    )


def step_and_rounds(setting: Setting, q: float) -> tuple[float, int | None]:
    """Return the step for averages of messages with variance constant q, and the rounds to the accuracy."""
    claim, target = theory.claim(RATE), setting.squared_target
    noise = {"q": q, "n": setting.n}
    spread = float(setting.node_gradients.mean())
    step = float(evaluate(claim.formulas["step"], {**noise, "L": setting.L_max}))
    if q > 0 and spread > 0:
        at = {**noise, "epsilon": target, "mu": setting.mu, "sigma_sq": spread}
        step = min(step, float(evaluate(claim.formulas["target_step"], at)))
    values = {**noise, "gamma": step, "mu": setting.mu, "D_0": setting.distance, "sigma_sq": spread}
    return step, first_round(claim.bound, "K", values, target)


def _run(setting: Setting, codec: Any, **common: Any) -> Any:
    from impl.optimizers import quantized_sgd

    return quantized_sgd(setting.problem, codec, **common)
