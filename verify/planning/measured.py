"""Runs of methods with their costs over a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from verify.planning.setting import Setting


def trace_of(
    setting: Setting, method: Callable[..., Any], step_size: float, rounds: int, rng: Any, replicates: int = 5
) -> tuple[Any, Any]:
    """Return gaps f - f* and costs of a node (the mean over the nodes) by round, each (R, K + 1)."""
    result = method(step_size=step_size, rounds=rounds, rng=rng, replicates=replicates, cost=setting.cost)
    least = setting.problem.objective(setting.problem.solution)
    return result.objective - least, result.cost


def cost_to_target(setting: Setting, gaps: Any, costs: Any) -> tuple[float, float] | None:
    """Return the mean rounds and costs until the accuracy is reached, None if a run has not reached it."""
    close = gaps <= setting.target
    if not close.any(axis=1).all():
        return None
    first = close.argmax(axis=1)
    return float(first.mean()), float(costs[np.arange(len(first)), first].mean())
