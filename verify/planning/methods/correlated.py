"""Predictions by the bounds of arXiv 2401.05518: MARINA with joint compressors, or with independent ones."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.methods.unbiased import Messages, choices, of_form
from verify.planning.setting import Prediction, Setting, cheapest, first_round
from verify.wires.methods import choice

PROBABILITIES = (0.5, 0.25, 0.1, 0.05, 0.02, 0.01)
"""Probabilities of full gradients among which the cheapest one by its bound is taken."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield MARINA with independent and correlated one-bit quantizers and with PermK, each at its best p.

    Then with natural compression, TernGrad and rand-k, by each client on its own.
    """
    for joint in compressors(setting):
        yield _at_best_p(setting, joint)
    for messages in choices(setting):
        yield cheapest(_at_best_p(setting, alone(setting, item)) for item in messages)


def _at_best_p(setting: Setting, joint: Joint) -> Prediction:
    found = (_marina(setting, joint, p) for p in PROBABILITIES)
    return min(found, key=lambda prediction: prediction.cost)


@dataclass(frozen=True)
class Joint:
    """A joint compressor.

    Attributes:
        label: In words.
        form: Of MARINA with it, on processes.
        compressor: Itself.
        A: Its constant A.
        B: Its constant B.
        bits: Of a message, in the mean over the clients.
        claims: Ids of the claims behind A and B.
        size: Number of entries, where it has one.
    """

    label: str
    form: str
    compressor: Any
    A: float
    B: float
    bits: float
    claims: tuple[str, ...]
    size: int = 1


def compressors(setting: Setting) -> Iterable[Joint]:
    """Yield the joint compressors that are planned."""
    from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, PermK

    n, d, bits = setting.n, setting.d, setting.float_bits
    independent = evaluate(theory.claim("cq_marina/ab-independent").formulas["binary"], {"d": d}) / n
    yield Joint(
        "independent quantizers",
        "independent",
        IndependentQuantizer("binary", norm_bits=32),
        independent,
        0.0,
        bits + d,
        ("cq_marina/ab-independent",),
    )
    if n < 2:
        return
    claim = theory.claim("cq_marina/ab-cq")
    A, B = (evaluate(claim.formulas[name], {"d": d, "n": n}) for name in ("A", "B"))
    quantizer = CorrelatedQuantizer("binary", norm_bits=32)
    yield Joint("correlated quantizers", "correlated", quantizer, A, B, bits + d, (claim.id,))
    theta = evaluate(theory.claim("cq_marina/ab-permk").formulas["theta"], {"d": d, "n": n})
    yield Joint(
        "PermK",
        "perm_k",
        PermK(value_bits=bits),
        theta,
        theta,
        bits * max(d / n, 1.0),
        ("cq_marina/ab-permk",),
    )


def alone(setting: Setting, messages: Messages) -> Joint:
    """Return an unbiased compressor that each client applies on its own."""
    from impl.compressors import Independent

    claims = tuple(dict.fromkeys(("cq_marina/ab-independent", messages.claim)))
    made = Independent(messages.compressor)
    A = messages.q / setting.n
    return Joint(messages.label, messages.form, made, A, 0.0, messages.bits, claims, messages.size)


def joint_of(setting: Setting, form: str, size: int) -> Joint | None:
    """Return a joint compressor by its form on processes; None where it needs another node."""
    if form in ("perm_k", "correlated", "independent"):
        return next((joint for joint in compressors(setting) if joint.form == form), None)
    return alone(setting, of_form(setting, form, size))


def _entries_of_perm_k(setting: Setting) -> dict[int, float]:
    """Return the lengths of messages of PermK with the share of the clients that send them.

    Over packets the price of the mean length is below the mean price.
    """
    n, d, bits = setting.n, setting.d, setting.float_bits
    if d <= n:
        return {bits: 1.0}
    few, longer = divmod(d, n)
    if setting.on_a_real_link:  # the server waits for the longest one
        return {bits * (few + bool(longer)): 1.0}
    shares = {bits * few: 1 - longer / n, bits * (few + 1): longer / n}
    return {length: share for length, share in shares.items() if share}


def step_size(setting: Setting, joint: Joint, p: float) -> float:
    """Return the step of MARINA with a probability p of whole gradients."""
    formulas, constants = theory.claim("cq_marina/marina-pl").formulas, setting.constants
    smoothness = {"L_plus": constants.L_plus, "L_pm": constants.L_pm}
    X = evaluate(formulas["X"], {"A": joint.A, "B": joint.B, **smoothness})
    values = {"p": p, "mu": setting.mu, "X": X, "L_minus": constants.L_minus}
    return float(evaluate(formulas["step_size"], values))


def _marina(setting: Setting, joint: Joint, p: float) -> Prediction:
    from impl.optimizers import marina

    claim, gamma, message = theory.claim("cq_marina/marina-pl"), step_size(setting, joint, p), joint.bits
    values = {"Delta_0": setting.gap, "E_0": 0, "gamma": gamma, "mu": setting.mu, "p": p}
    rounds = first_round(claim.bound, "T", values, setting.target)
    whole = setting.d * setting.float_bits
    mean = p * whole + (1 - p) * message
    sizes = _entries_of_perm_k(setting) if joint.label == "PermK" else {int(message): 1.0}
    short = sum(chance * setting.price(bits) for bits, chance in sizes.items())
    mean_price = p * setting.price(whole) + (1 - p) * short
    cost = math.inf if rounds is None else setting.price(whole) + rounds * mean_price

    def method(**common: Any) -> Any:
        return marina(
            setting.problem, joint.compressor, probability=p, float_bits=setting.float_bits, **common
        )

    return Prediction(
        f"MARINA, {joint.label}, p={p:g}",
        rounds,
        mean,
        cost,
        ("cq_marina/marina-pl", *joint.claims),
        "mean over the coin",
        partial(trace_of, setting, method, gamma),
        choice(
            f"marina:{joint.form}", probability=p, levels=float(joint.size), float_bits=setting.float_bits
        ),
    )
