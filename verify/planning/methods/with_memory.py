"""Predictions for gradient descent with memory: what messages lose is sent later (arXiv 1809.07599)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, cheapest, first_round

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Numbers of entries among which the cheapest one by its bound is taken."""

CLAIMS = ("cat/memory-rates", "cat/memory-descent", "cat/contractions")


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield the best number of largest entries by its bound, and one bit with the means of both classes.

    They have halves for processes, but are not tried on real links: runs on processes have not been held
    against the model (docs/planner.md).
    """
    import numpy as np

    from impl.compressors import OneBit, TopK

    d = setting.d
    sizes = [k for k in SIZES if k < d] or [1]
    yield cheapest(
        _predicted(setting, f"top-{k}", lost_by_entries(k, d), TopK(k, value_bits=setting.float_bits),
                   entry_bits(k, d, setting.float_bits))
        for k in sizes
    )  # fmt: skip
    one_bit = OneBit(norm_bits=setting.float_bits)
    yield _predicted(setting, "one bit", lost_by_signs(d), one_bit, int(one_bit.expected_bits(np.ones(d))))


def lost_by_entries(k: int, d: int) -> float:
    r"""Return the largest share of the square that the k largest of d entries lose, $1-\delta$."""
    return float(evaluate(theory.claim("cat/contractions").formulas["bound"], {"k": k, "d": d}))


def lost_by_signs(d: int) -> float:
    """Return the same of one bit and the means of both classes."""
    return float(evaluate(theory.claim("cat/contractions").formulas["least"], {"d": d}))


def entry_bits(k: int, d: int, value_bits: int) -> int:
    """Return the most bits of a message of `TopK`: k numbers, and Elias gamma codes of k + 1 gaps.

    The gaps add up to d + 1. A gap of 2^e or more costs 2 e + 1 bits; larger exponents cost more of the sum
    each, so that filling the gaps evenly costs most bits.
    """
    left, bits, size = d - k, k + 1, 1
    while left >= size:
        grown = min(k + 1, left // size)
        left, bits = left - grown * size, bits + 2 * grown
        if grown <= k:
            break
        size *= 2
    return bits + k * value_bits


def step_size(setting: Setting, lost: float) -> float:
    """Return the step of the rate for this loss, with half of the accuracy left to the neighbourhood."""
    r, (B, Z) = math.sqrt(lost), _dissimilarity(setting)
    step = evaluate(theory.claim("cat/memory-rates").formulas["step"], {"L": setting.L, "r": r})
    step = float(step) / math.sqrt(B)
    if r * Z > 0:
        step = min(step, setting.target * (1 - r) * setting.mu / (2 * setting.L * r**2 * Z))
    return step


def _dissimilarity(setting: Setting) -> tuple[float, float]:
    r"""Return B and $\zeta^2$: those of one node, else of `cat/memory-descent` (g)."""
    if setting.n == 1:
        return 1.0, 0.0
    return 2 * setting.L_max / setting.mu, 2 * float(setting.node_gradients.mean())


def _predicted(setting: Setting, name: str, lost: float, compressor: Any, bits: int) -> Prediction:
    step, (_, Z) = step_size(setting, lost), _dissimilarity(setting)
    values = {"L": setting.L, "r": math.sqrt(lost), "Z": Z, "gamma": step, "mu": setting.mu}
    values["Delta_0"] = setting.gap
    rounds = first_round(theory.claim("cat/memory-rates").bound, "T", values, setting.target)
    return Prediction(
        f"GD with memory, {name}",
        rounds,
        bits,
        math.inf if rounds is None else rounds * setting.price(bits),
        CLAIMS,
        run=partial(trace_of, setting, partial(_run, setting, compressor), step),
    )


def _run(setting: Setting, compressor: Any, *, replicates: int, **common: Any) -> Any:
    from impl.optimizers import memory_gd

    return memory_gd(setting.problem, compressor, **common)  # all replicates would be the same
