"""Predictions by the bounds of arXiv 1904.01197."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, first_round
from verify.wires.methods import choice

LEVELS = (1, 2, 3, 7, 15, 31, 127, 1023, 32767)
"""M among which the cheapest one by its bound is taken."""

RATIO = 3
"""Of the nested codecs, or 2 where that saves nothing."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield the best quantized gradient descent with dither by its bound; with several nodes also nested.

    For nesting no bound is known that holds for every problem (`ndqsg/finding-headline-on-training`): half of
    the nodes are nested at the same levels, with the same step.
    """
    M, step, best = min((_dithered(setting, M) for M in LEVELS), key=lambda found: found[2].cost)
    yield best
    if setting.n > 1:
        yield _half_nested(setting, M, step)


def _dithered(setting: Setting, M: int) -> tuple[int, float, Prediction]:
    from impl.compressors import DitheredQuantizer

    codec, step, noise = DitheredQuantizer(M, norm_bits=32), step_size(setting, M), _noise(setting, M)
    claim, target = theory.claim("ndqsg/conv-strong"), setting.squared_target
    spread = float(setting.node_gradients.sum())
    values = {**noise, "r_0": setting.distance, "mu": setting.mu, "sigma_sq": 0, "S_star": spread}
    rounds = first_round(claim.formulas["bound_different"], "T", {**values, "eta": step}, target)
    bits = _bits(codec, setting.d)
    prediction = Prediction(
        f"DQSG, M={M}",
        rounds,
        bits,
        math.inf if rounds is None else rounds * setting.price(bits),
        ("ndqsg/conv-strong", "ndqsg/dqsg-variance"),
        "mean",
        partial(trace_of, setting, partial(_run, setting, codec), step),
        choice("dqsg", levels=float(M), float_bits=setting.float_bits),
    )
    return M, step, prediction


def step_size(setting: Setting, M: int) -> float:
    """Return the step of quantized gradient descent with M levels for the accuracy."""
    noise, spread = _noise(setting, M), float(setting.node_gradients.sum())
    formula = theory.claim("ndqsg/conv-strong").formulas["step_size_different"]
    step = float(evaluate(formula, {**noise, "L": max(setting.L, setting.L_max)}))
    if spread > 0:  # half of the accuracy is left to the neighbourhood
        step = min(step, setting.squared_target * setting.n**2 * setting.mu / (4 * spread * noise["omega"]))
    return step


def _noise(setting: Setting, M: int) -> dict[str, Any]:
    # One block: the mean square error is at most d / (12 M^2) times that of the input.
    values = {"M": M, "d_b": (setting.d,), "j": 0}
    omega = evaluate(theory.claim("ndqsg/dqsg-variance").formulas["block_omega"], values)
    return {"P": setting.n, "omega": omega}


def _half_nested(setting: Setting, M: int, step: float) -> Prediction:
    from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer

    plain = DitheredQuantizer(M, norm_bits=32)
    ratio = min(RATIO, 2 * M)
    nested = NestedDitheredQuantizer(M, ratio, norm_bits=32)
    first = setting.n - setting.n // 2
    codecs = [plain] * first + [nested] * (setting.n - first)
    return Prediction(
        f"NDQSG, M={M}, ratio {ratio} on half of the nodes",
        None,
        sum(_bits(codec, setting.d) for codec in codecs) / setting.n,
        math.inf,
        ("ndqsg/nested-conditional-mse", "ndqsg/finding-headline-on-training"),
        "no bound; step of DQSG",
        partial(trace_of, setting, partial(_run, setting, codecs), step),
        choice("ndqsg", levels=float(M), float_bits=setting.float_bits),
    )


def _bits(codec: Any, d: int) -> int:
    """Return the bits of a message, the same for every gradient."""
    import numpy as np

    return int(codec.expected_bits(np.ones(d)))


def _run(setting: Setting, codecs: Any, **common: Any) -> Any:
    from impl.optimizers import quantized_sgd

    return quantized_sgd(setting.problem, codecs, **common)
