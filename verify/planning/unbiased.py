"""Predictions for averages of unbiased messages: natural compression and TernGrad (arXiv 2003.06377)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import theory
from verify.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, first_round
from verify.wires.methods import choice

RATE = "cat/mn-strong"


@dataclass(frozen=True)
class Rounding:
    """An unbiased compressor without free parameters.

    Attributes:
        label: In words.
        form: Of `averaged_gd`, where it runs on processes.
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


ROUNDINGS = (
    Rounding("natural compression", "natural", "cat/contractions"),
    Rounding("TernGrad", "tern_grad", "squant/finding-original-levels"),
)


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield gradient descent with each of them, at the step of its rate for the accuracy."""
    import numpy as np

    for rounding in ROUNDINGS:
        codec = rounding.compressor()
        step, rounds = step_and_rounds(setting, rounding.variance_constant(setting.d))
        bits = int(codec.expected_bits(np.ones(setting.d)))  # the same for every gradient
        yield Prediction(
            rounding.label,
            rounds,
            bits,
            math.inf if rounds is None else rounds * setting.price(bits),
            (RATE, rounding.claim),
            "mean",
            partial(trace_of, setting, partial(_run, setting, codec), step),
            choice(f"averaged_gd:{rounding.form}", float_bits=setting.float_bits),
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
