"""Predictions by the bounds of arXiv 2106.03524, for methods with and without smoothness matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, cheapest, first_round
from verify.wires.methods import choice

LEVELS = (0.5, 1, 2, 4, 8, 16, 32, 64, 256, 1024)
"""beta / sqrt(d), which for uniform steps is the number of levels: the cheapest one by its bound is taken."""

COMPRESSIONS = {
    "dcgd": ("standard",),
    "diana": ("standard",),
    "dcgd_plus": ("block", "varying"),
    "diana_plus": ("block", "varying"),
}
MOST_NUMBERS = 30_000_000
"""Of the smoothness matrices of all nodes together, for which the aware methods are still planned."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield the best quantization of each method by its bound."""
    for name, compressions in COMPRESSIONS.items():
        if name.endswith("plus") and setting.n * setting.d**2 > MOST_NUMBERS:
            continue
        found = (
            cheapest(_prediction(setting, name, compression, s) for s in LEVELS)
            for compression in compressions
        )
        yield min(found, key=lambda prediction: prediction.cost)


def _prediction(setting: Setting, name: str, compression: str, s: float) -> Prediction:
    from verify.experiments.squant.methods import equal_blocks, method_of

    aware, shifted = name.endswith("plus"), name.startswith("diana")
    d, n, beta = setting.d, setting.n, s * math.sqrt(setting.d)
    roots = setting.roots if aware else None
    method = method_of(setting.problem, name, compression, beta, roots, constant="paper")
    sigma = _noise(setting, method)
    bound = _with_shifts if shifted else _without_shifts
    step, rounds = bound(setting, method, sigma)
    blocks = len(equal_blocks(d, n)) if compression == "block" else 1
    bits = evaluate(theory.claim("squant/bits-bound").bound, {"B": blocks, "beta": beta, "d": d})
    return Prediction(
        f"{_label(name)}, {_words(compression, s, beta)}",
        rounds,
        bits,
        math.inf if rounds is None else rounds * setting.mean_price(bits),
        (*_claims(compression, shifted), "squant/sup", "squant/bits-bound"),
        "mean",
        partial(trace_of, setting, partial(_run, method), step),
        choice(f"{name}:{compression}" if aware else name, levels=float(s), float_bits=setting.float_bits),
    )


def _noise(setting: Setting, method: Any) -> float:
    """Return sigma, what the compression does at the solution."""
    gradients = setting.node_gradients
    if method.roots is not None:
        solution = setting.problem.gradients(setting.problem.solution)
        gradients = (setting.roots.apply_pseudo_inverse_root(solution) ** 2).sum(axis=-1)
    else:
        gradients = gradients / setting.problem.L_nodes
    constants = method.compression.variance_constants
    return float(sum(constant * s_i for constant, s_i in zip(constants, gradients, strict=True)) / setting.n)


def step_size(setting: Setting, method: Any) -> float:
    """Return the step of a method for the accuracy."""
    if method.learning_rate is not None:
        return float(method.step_size)
    sigma = _noise(setting, method)
    # Half of the accuracy is left to the neighbourhood 2 gamma sigma / (mu n).
    most = setting.squared_target * setting.mu * setting.n / (4 * sigma) if sigma > 0 else math.inf
    return float(min(method.step_size, most))


def _claims(compression: str, shifted: bool) -> tuple[str, ...]:
    """Return the claims of the rate and, for steps that are not uniform, of the steps."""
    rate = "squant/diana" if shifted else "squant/dcgd"
    return (
        (rate,) if compression == "standard" else (rate, "squant/steps-diana" if shifted else "squant/steps")
    )


def _label(name: str) -> str:
    from verify.experiments.squant.methods import NAMES

    return NAMES[name]


def _words(compression: str, s: float, beta: float) -> str:
    return f"QSGD s={s:g}" if compression == "standard" else f"{compression} steps, beta={beta:.3g}"


def _without_shifts(setting: Setting, method: Any, sigma: float) -> tuple[float, int | None]:
    """Return the step for the accuracy and the rounds until then."""
    step = step_size(setting, method)
    values = {"distance": setting.distance, "gamma": step, "mu": setting.mu, "n": setting.n, "sigma": sigma}
    return step, first_round(theory.claim("squant/dcgd").bound, "k", values, setting.squared_target)


def _with_shifts(setting: Setting, method: Any, sigma: float) -> tuple[float, int | None]:
    claim, alpha = theory.claim("squant/diana"), method.learning_rate
    values = {"distance": setting.distance, "gamma": method.step_size, "sigma": sigma, "alpha": alpha}
    start = evaluate(claim.formulas["lyapunov"], {**values, "n": setting.n})
    values = {"Psi_0": start, "alpha": alpha, "gamma": method.step_size, "mu": setting.mu}
    return method.step_size, first_round(claim.bound, "k", values, setting.squared_target)


def _run(method: Any, *, step_size: float, **common: Any) -> Any:
    from dataclasses import replace

    return replace(method, step_size=step_size).run(common.pop("rng"), **common)
