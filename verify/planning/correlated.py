"""Predictions by the bounds of arXiv 2401.05518: MARINA with joint compressors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import theory
from verify.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.setting import Prediction, Setting, first_round

PROBABILITIES = (0.5, 0.25, 0.1, 0.05, 0.02, 0.01)
"""Probabilities of full gradients among which the cheapest one by its bound is taken."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield MARINA with independent and correlated one-bit quantizers and with PermK, each at its best p."""
    for compressor in _compressors(setting):
        found = (_marina(setting, *compressor, p) for p in PROBABILITIES)
        yield min(found, key=lambda prediction: prediction.cost)


def _compressors(setting: Setting) -> Iterable[tuple[str, Any, float, float, float, str]]:
    """Yield label, compressor, A, B, bits of a message and the claim behind A and B."""
    from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, PermK

    n, d, bits = setting.n, setting.d, setting.float_bits
    independent = evaluate(theory.claim("cq_marina/ab-independent").formulas["binary"], {"d": d}) / n
    yield (
        "independent quantizers",
        IndependentQuantizer("binary", norm_bits=32),
        independent,
        0.0,
        bits + d,
        "cq_marina/ab-independent",
    )
    if n < 2:
        return
    claim = theory.claim("cq_marina/ab-cq")
    A, B = (evaluate(claim.formulas[name], {"d": d, "n": n}) for name in ("A", "B"))
    yield "correlated quantizers", CorrelatedQuantizer("binary", norm_bits=32), A, B, bits + d, claim.id
    theta = evaluate(theory.claim("cq_marina/ab-permk").formulas["theta"], {"d": d, "n": n})
    yield "PermK", PermK(), theta, theta, bits * max(d / n, 1.0), "cq_marina/ab-permk"


def _entries_of_perm_k(setting: Setting) -> dict[int, float]:
    """Return the lengths of messages of PermK with the share of the clients that send them.

    Over packets the price of the mean length is below the mean price.
    """
    n, d, bits = setting.n, setting.d, setting.float_bits
    if d <= n:
        return {bits: 1.0}
    few, longer = divmod(d, n)
    shares = {bits * few: 1 - longer / n, bits * (few + 1): longer / n}
    return {length: share for length, share in shares.items() if share}


def _marina(
    setting: Setting, label: str, compressor: Any, A: float, B: float, message: float, claim_id: str, p: float
) -> Prediction:
    from impl.optimizers import marina

    claim = theory.claim("cq_marina/marina-pl")
    constants = setting.constants
    X = evaluate(claim.formulas["X"], {"A": A, "B": B, "L_plus": constants.L_plus, "L_pm": constants.L_pm})
    gamma = evaluate(
        claim.formulas["step_size"], {"p": p, "mu": setting.mu, "X": X, "L_minus": constants.L_minus}
    )
    values = {"Delta_0": setting.gap, "E_0": 0, "gamma": gamma, "mu": setting.mu, "p": p}
    rounds = first_round(claim.bound, "T", values, setting.target)
    whole = setting.d * setting.float_bits
    mean = p * whole + (1 - p) * message
    sizes = _entries_of_perm_k(setting) if label == "PermK" else {int(message): 1.0}
    short = sum(chance * setting.price(bits) for bits, chance in sizes.items())
    mean_price = p * setting.price(whole) + (1 - p) * short
    cost = math.inf if rounds is None else setting.price(whole) + rounds * mean_price

    def method(**common: Any) -> Any:
        return marina(setting.problem, compressor, probability=p, float_bits=setting.float_bits, **common)

    return Prediction(
        f"MARINA, {label}, p={p:g}",
        rounds,
        mean,
        cost,
        ("cq_marina/marina-pl", claim_id),
        "mean over the coin",
        partial(trace_of, setting, method, gamma),
    )
