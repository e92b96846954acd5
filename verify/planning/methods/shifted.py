"""Predictions for DIANA with the messages of `unbiased`, by its rate without matrices (arXiv 2106.03524)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.methods.unbiased import Messages, choices
from verify.planning.setting import Prediction, Setting, cheapest, first_round

CLAIM = "squant/diana"


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield DIANA with each compressor, at the cheapest of its parameters by the bound."""
    for messages in choices(setting):
        yield cheapest(_shifted(setting, item) for item in messages)


def step_sizes(setting: Setting, q: float) -> tuple[float, float]:
    r"""Return $\gamma$ and $\alpha$ for messages with variance constant q at every node."""
    formulas = theory.claim(CLAIM).formulas
    gamma = evaluate(formulas["step_size"], {"L": setting.L, "Lcal_max": q * setting.L_max, "n": setting.n})
    return float(gamma), float(evaluate(formulas["learning_rate"], {"omega_max": q}))


def _shifted(setting: Setting, messages: Messages) -> Prediction:
    claim, (step, alpha) = theory.claim(CLAIM), step_sizes(setting, messages.q)
    # With L_i I for the matrix and q L_i for the constant of node i, sigma^2 of zero shifts has no L_i.
    sigma = messages.q * float(setting.node_gradients.mean())
    values = {"distance": setting.distance, "gamma": step, "sigma": sigma, "alpha": alpha, "n": setting.n}
    values = {"Psi_0": evaluate(claim.formulas["lyapunov"], values), "gamma": step, "alpha": alpha}
    rounds = first_round(claim.bound, "k", {**values, "mu": setting.mu}, setting.squared_target)
    return Prediction(
        f"DIANA, {messages.label}",
        rounds,
        messages.bits,
        math.inf if rounds is None else rounds * messages.price(setting),
        (CLAIM, messages.claim),
        "mean",
        partial(trace_of, setting, partial(_run, setting, messages, alpha), step),
        messages.wire(setting, "diana"),
    )


def _run(setting: Setting, messages: Messages, alpha: float, **common: Any) -> Any:
    from impl.optimizers import diana

    return diana(setting.problem, messages.compressor, learning_rate=alpha, omega=messages.q, **common)
