"""Predictions by the bounds of arXiv 2003.06377: gradient descent on one node, tuned or with a fixed size.

The bounds need the least efficiency along the run. Before a run only its worst case is known: flat gradients
for the largest entries (share T/d) and for random ones, for signs the vector whose best share is 1/rho_d.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import theory
from verify.evaluation import evaluate
from verify.planning.setting import Prediction, Setting

FIXED = (1, 8, 32)
"""Numbers of entries of the methods that are not tuned."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield gradient descent, fixed sizes and the three rules.

    With several nodes only gradient descent is left: the biased rules can diverge (`cat/mn-topk-diverges`),
    and the step of the random one leaves a neighbourhood (`cat/mn-strong`).
    """
    from impl.communication import dense_bits

    whole = dense_bits(setting.d, setting.float_bits)
    yield _predicted(setting, "GD", 1.0, whole, _descent(setting), rounds_too=True)
    if setting.n > 1:
        return
    for size in FIXED:
        if size <= setting.d:
            yield _fixed(setting, size)
    yield from _tuned(setting)


def _predicted(
    setting: Setting,
    method: str,
    share: float,
    bits: float | None,
    run: Any,
    claims: tuple[str, ...] = (),
    *,
    efficiency: float | None = None,
    rounds_too: bool = False,
    note: str = "",
) -> Prediction:
    """Return the prediction with a share that every gradient has, at the cost of its message."""
    claim = theory.claim("cat/cost-bound")
    least = share / setting.price(bits) if efficiency is None and bits is not None else efficiency
    values = {
        "L": setting.L,
        "mu": setting.mu,
        "Delta_0": setting.gap,
        "epsilon": setting.target,
        "e_bar": least,
    }
    cost = evaluate(claim.formulas["polyak"], values)
    rounds = int(cost // setting.price(bits)) if rounds_too and bits is not None else None
    return Prediction(method, rounds, bits, cost, ("cat/cost-bound", *claims), note, run)


def _descent(setting: Setting) -> Callable[[int, Any], tuple[Any, Any]]:
    import numpy as np

    def run(rounds: int, rng: Any) -> tuple[Any, Any]:
        from impl.communication import dense_bits
        from impl.optimizers import gd

        result = gd(setting.problem, step_size=1 / setting.L, rounds=rounds)
        least = setting.problem.objective(setting.problem.solution)
        price = setting.price(dense_bits(setting.d, setting.float_bits))
        return result.objective - least, price * np.arange(rounds + 1.0)[None]

    return run


def _fixed(setting: Setting, size: int) -> Prediction:
    from impl.communication import sparse_bits

    def rule(g: Any) -> Any:
        from impl.adaptive import Choice
        from impl.compressors import TopK

        price = setting.price(bits)
        return Choice(size, 1.0, 1 / price, 1.0, price, TopK(size))

    bits = sparse_bits(size, setting.d, setting.float_bits)
    return _predicted(
        setting,
        f"top-{size}",
        size / setting.d,
        bits,
        partial(_run, setting, rule),
        ("cat/alpha-shape",),
        rounds_too=True,
    )


def _tuned(setting: Setting) -> Iterable[Prediction]:
    from impl.adaptive import cat_s, cat_sq, cat_st
    from impl.communication import sparse_bits

    d, bits = setting.d, setting.float_bits
    entries = max(T / d / setting.price(sparse_bits(T, d, bits)) for T in range(1, d + 1))
    # All entries are a sure message; at other sizes packets cost more than their mean number of entries does.
    every = 1 / setting.price(sparse_bits(d, d, bits))
    gradient = {
        "L": setting.L,
        "Delta_0": setting.gap,
        "epsilon": 2 * setting.mu * setting.target,  # f - f* is at most ||g||^2 / (2 mu)
        "e_bar": every,
    }
    note = "worst gradients; tuned runs cost less"
    yield _predicted(
        setting,
        "CAT-S",
        1.0,
        None,
        partial(_run, setting, partial(cat_s, cost=setting.cost, float_bits=bits)),
        ("cat/alpha-shape",),
        efficiency=entries,
        note=note,
    )
    yield _predicted(
        setting,
        "CAT-SQ",
        1.0,
        None,
        partial(_run, setting, partial(cat_sq, cost=setting.cost, float_bits=bits)),
        ("cat/sq-descent", "cat/sq-range"),
        efficiency=_sign_efficiency(setting),
        note=note,
    )
    yield Prediction(
        "CAT-ST",
        None,
        None,
        evaluate(theory.claim("cat/st-rates").formulas["cost"], gradient),
        ("cat/st-rates", "cat/st-waterfill"),
        "mean, by the gradient norm; " + note,
        partial(_run, setting, partial(cat_st, cost=setting.cost, float_bits=bits), replicates=5),
    )


def _sign_efficiency(setting: Setting) -> float:
    """Return what the best size achieves per cost at least, for every gradient.

    Either a fixed size, or the share 1/rho_d, which the best size has at no more than the cost of all signs.
    """
    from impl.communication import sign_entries_bits

    d, claim = setting.d, theory.claim("cat/sq-range")

    def price(size: int) -> float:
        return setting.price(sign_entries_bits(size, d, setting.float_bits))

    fixed = max(evaluate(claim.bound, {"T": T, "d": d}) / price(T) for T in range(1, d + 1))
    return max(fixed, evaluate(claim.formulas["best"], {"d": d}) / price(d))


def _run(setting: Setting, rule: Any, rounds: int, rng: Any, replicates: int = 1) -> tuple[Any, Any]:
    from impl.optimizers import cat_gd

    least = setting.problem.objective(setting.problem.solution)
    result = cat_gd(
        setting.problem,
        rule,
        step_size=1 / setting.L,
        rounds=rounds,
        rng=rng,
        replicates=replicates,
        # A little below, so that round-off cannot end a run just above the accuracy.
        until=float(least + setting.target * (1 - 1e-9)),
    )
    return result.objective - least, result.cost
