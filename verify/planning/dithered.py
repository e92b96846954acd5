"""Predictions by the bounds of arXiv 1904.01197."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import theory
from verify.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, first_round

LEVELS = (1, 2, 3, 7, 15, 31)
"""M among which the cheapest one by its bound is taken."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield the best quantized gradient descent with dither by its bound."""
    yield min((_dithered(setting, M) for M in LEVELS), key=lambda found: found.cost)


def _dithered(setting: Setting, M: int) -> Prediction:
    import numpy as np

    from impl.compressors import DitheredQuantizer
    from impl.optimizers import quantized_sgd

    codec = DitheredQuantizer(M, norm_bits=32)
    claim = theory.claim("ndqsg/conv-strong")
    P, omega = setting.n, setting.d / (12 * M**2)
    L, spread = max(setting.L, setting.L_max), float(setting.node_gradients.sum())
    largest = evaluate(claim.formulas["step_size_different"], {"L": L, "P": P, "omega": omega})
    target = setting.squared_target
    eta = largest
    if spread > 0:
        eta = min(largest, target * P**2 * setting.mu / (4 * spread * omega))
    values = {
        "r_0": setting.distance,
        "eta": eta,
        "mu": setting.mu,
        "sigma_sq": 0,
        "omega": omega,
        "P": P,
        "S_star": spread,
    }
    rounds = first_round(claim.formulas["bound_different"], "T", values, target)
    bits = float(codec.expected_bits(np.ones(setting.d)))

    def method(**common: Any) -> Any:
        return quantized_sgd(setting.problem, codec, **common)

    return Prediction(
        f"DQSG, M={M}",
        rounds,
        bits,
        setting.total(rounds, bits),
        ("ndqsg/conv-strong", "ndqsg/dqsg-variance"),
        run=partial(trace_of, setting, method, eta),
    )
