"""Settings of the training runs of `ndqsg/exp-digits`, and their methods."""

from collections.abc import Sequence
from typing import Any

from verify.experiments.ndqsg.training_bits import FIXED
from verify.experiments.ndqsg.training_methods import Setting

SHORT = Setting(iterations=8)
VARIANTS: dict[str, Setting] = {
    "workers-4": Setting(workers=4, iterations=40),
    "workers-8": Setting(iterations=40),
    "workers-16": Setting(workers=16, iterations=40),
    "momentum": Setting(momentum=0.9, step_size=0.1, iterations=40),
    "batch-1024": Setting(batch=1024, iterations=40),
    "blocks-256": Setting(iterations=40),
}
DEEP: dict[str, Setting] = {
    "fully-connected": Setting(network="fully-connected", iterations=25),
    "convolutional": Setting(network="convolutional", iterations=8),
}
LONG: dict[str, Setting] = {
    "softmax": Setting(),
    "momentum": Setting(momentum=0.9, step_size=0.1),
    "workers-4": Setting(workers=4),
    "workers-16": Setting(workers=16),
    "fully-connected": Setting(network="fully-connected"),
}


def parameters_of(setting: Setting, methods: Sequence[str]) -> dict[str, Any]:
    """Return what the record of a check shows."""
    return {
        "network": setting.network,
        "P": setting.workers,
        "batch": setting.batch,
        "step_size": setting.step_size,
        "momentum": setting.momentum,
        "iterations": setting.iterations,
        "methods": methods,
    }


def methods_in(variant: str) -> tuple[str, ...]:
    """Return the methods of a variant; the rule for k is for one block per tensor."""
    return FIXED if variant == "blocks-256" else (*FIXED, "nested-adaptive")
