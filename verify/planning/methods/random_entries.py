"""Predictions for unbiased random entries from several nodes (arXiv 2003.06377): the probabilities of ATOMO.

The largest entries of each node are biased, and their average can diverge (`cat/mn-topk-diverges`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.methods.adaptive import run_rule
from verify.planning.methods.unbiased import step_and_rounds
from verify.planning.setting import Prediction, Setting, cheapest

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Expected numbers of entries among which the cheapest one by its bound is taken."""

CLAIMS = ("cat/mn-strong", "cat/st-waterfill", "cat/expected-packets")


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield the best fixed number of expected entries by its bound, and CAT-ST with at least as many."""
    if setting.n == 1:
        return
    from impl.communication import sparse_bits

    sizes = [T for T in SIZES if setting.d > T] + [setting.d]
    yield cheapest(_fixed(setting, T) for T in sizes)
    # Whatever its sizes, a choice is no less efficient than all entries: it costs at most what these cost.
    bits = sparse_bits(setting.d, setting.d, setting.float_bits)
    few = [T for T in sizes if setting.d >= 2 * T] or sizes
    T = min(few, key=lambda least: _step_and_rounds(setting, least)[1] or math.inf)
    step, rounds = _step_and_rounds(setting, T)
    yield Prediction(
        f"CAT-ST, T>={T}",
        rounds,
        None,
        math.inf if rounds is None else rounds * setting.price(int(bits)),
        CLAIMS,
        "mean; as if every message had all entries",
        _run(setting, range(T, setting.d + 1), step, T),
    )


def _fixed(setting: Setting, T: int) -> Prediction:
    from impl.communication import sparse_bits

    step, rounds = _step_and_rounds(setting, T)
    return Prediction(
        f"random entries, T={T}",
        rounds,
        float(sparse_bits(T, setting.d, setting.float_bits)),
        math.inf if rounds is None else rounds * setting.mean_price_of_entries(T),
        CLAIMS,
        "mean",
        _run(setting, (T,), step, T),
    )


def _step_and_rounds(setting: Setting, T: int) -> tuple[float, int | None]:
    """Return the step for shares of at least T / d, and after how many rounds the accuracy is reached."""
    return step_and_rounds(setting, 1 / _least_share(setting, T) - 1)


def _least_share(setting: Setting, T: int) -> float:
    return evaluate(theory.claim("cat/st-waterfill").bound, {"T": T, "d": setting.d})


def _run(setting: Setting, sizes: Sequence[int], step: float, T: int) -> Any:
    from impl.adaptive import cat_st

    tried = _some(sizes) if not setting.cost.is_affine else list(sizes)
    share = _least_share(setting, T)

    def rule(g: Any) -> Any:
        choice = cat_st(g, setting.cost, float_bits=setting.float_bits, sizes=tried)
        # The least share, so that every round has the one step of the bound.
        return replace(choice, share=share) if choice.size else choice

    factor = 1 + 2 * (1 / share - 1) / setting.n  # by which `cat_gd` divides
    return run_rule(setting, rule, 5, step * factor)


def _some(sizes: Sequence[int]) -> list[int]:
    """Return about twenty of many sizes, the first and the last among them: expected costs take long."""
    import numpy as np

    chosen = np.unique(np.geomspace(sizes[0], sizes[-1], 20).round().astype(int))
    return [int(T) for T in chosen]
