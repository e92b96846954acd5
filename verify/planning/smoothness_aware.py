"""Predictions by the bounds of arXiv 2106.03524, for quantizers that are not aware of smoothness matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import theory
from verify.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, first_round

LEVELS = (1, 2, 4, 8, 16, 32)
"""Levels among which the cheapest one by its bound is taken."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield the best DCGD and the best DIANA by their bounds."""
    for method in (_dcgd, _diana):
        yield min((method(setting, s) for s in LEVELS), key=lambda found: found.cost)


def _quantizer(setting: Setting, levels: int) -> tuple[Any, float, float]:
    """Return QSGD with s levels, its variance constant and a bound on its mean bits."""
    from impl.compressors import StochasticQuantizer

    d = setting.d
    omega = evaluate(theory.claim("squant/bounds").formulas["standard_bound"], {"d": d, "s": levels})
    beta = levels * math.sqrt(d)
    bits = evaluate(theory.claim("squant/bits-bound").bound, {"B": 1, "beta": beta, "d": d})
    return StochasticQuantizer(1 / levels, norm_bits=32), omega, bits


def _dcgd(setting: Setting, levels: int) -> Prediction:
    from impl.optimizers import dcgd

    claim = theory.claim("squant/dcgd")
    quantizer, omega, bits = _quantizer(setting, levels)
    n, mu = setting.n, setting.mu
    largest = evaluate(
        claim.formulas["step_size"], {"L": setting.L, "Lcal_max": omega * setting.L_max, "n": n}
    )
    # With L_i I for the matrices, Lcal_i = omega L_i and s_i = ||grad f_i(x*)||^2 / L_i.
    sigma = omega * float(setting.node_gradients.mean())
    target = setting.squared_target
    gamma = min(largest, target * mu * n / (4 * sigma)) if sigma > 0 else largest
    values = {"distance": setting.distance, "gamma": gamma, "mu": mu, "n": n, "sigma": sigma}
    rounds = first_round(claim.bound, "k", values, target)
    run = partial(trace_of, setting, lambda **common: dcgd(setting.problem, quantizer, **common), gamma)
    return Prediction(
        f"DCGD, QSGD s={levels}",
        rounds,
        bits,
        setting.total(rounds, bits),
        ("squant/dcgd", "squant/bounds", "squant/bits-bound"),
        setting.mean_bits_note,
        run,
    )


def _diana(setting: Setting, levels: int) -> Prediction:
    from impl.optimizers import diana

    claim = theory.claim("squant/diana")
    quantizer, omega, bits = _quantizer(setting, levels)
    n = setting.n
    gamma = evaluate(claim.formulas["step_size"], {"L": setting.L, "Lcal_max": omega * setting.L_max, "n": n})
    alpha = evaluate(claim.formulas["learning_rate"], {"omega_max": omega})
    sigma = omega * float(setting.node_gradients.mean())
    start = evaluate(
        claim.formulas["lyapunov"],
        {"distance": setting.distance, "gamma": gamma, "sigma": sigma, "alpha": alpha, "n": n},
    )
    values = {"Psi_0": start, "alpha": alpha, "gamma": gamma, "mu": setting.mu}
    rounds = first_round(claim.bound, "k", values, setting.squared_target)

    def method(**common: Any) -> Any:
        return diana(setting.problem, quantizer, learning_rate=alpha, **common)

    return Prediction(
        f"DIANA, QSGD s={levels}",
        rounds,
        bits,
        setting.total(rounds, bits),
        ("squant/diana", "squant/bounds", "squant/bits-bound"),
        setting.mean_bits_note,
        partial(trace_of, setting, method, gamma),
    )
