"""Predictions for the rules of arXiv 2003.06377 on one node, by their least efficiency for any gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.setting import Prediction, Setting

NOTE = "worst gradients; tuned runs cost less"


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield the four rules; with several nodes see `random_entries`."""
    from impl.adaptive import cat_qsgd, cat_s, cat_sq, cat_st

    if setting.n > 1:
        return
    sure, mean = ("cat/cost-bound", "polyak"), ("cat/st-rates", "polyak_cost")
    entries, signs = ("cat/alpha-shape",), ("cat/sq-descent", "cat/sq-range")
    random, levels = ("cat/st-waterfill", "cat/expected-packets"), ("cat/qsgd-adaptive",)
    yield _tuned(setting, "CAT-S", cat_s, _of_entries(setting), sure, entries)
    yield _tuned(setting, "CAT-SQ", cat_sq, _of_signs(setting), sure, signs)
    yield _tuned(setting, "CAT-ST", cat_st, _of_random_entries(setting), mean, random)
    yield _tuned(setting, "CAT-QSGD", cat_qsgd, _of_levels(setting), mean, levels)


def run_rule(
    setting: Setting, rule: Callable[[Any], Any], replicates: int = 1, step_size: float | None = None
) -> Callable[[int, Any], Any]:
    """Return what runs `cat_gd` with a rule, as `Prediction.run`; with the step 1/L if left out."""

    def run(rounds: int, rng: Any) -> tuple[Any, Any]:
        from impl.optimizers import cat_gd

        least = setting.problem.objective(setting.problem.solution)
        step = 1 / setting.L if step_size is None else step_size
        # A little below, so that round-off cannot end a run just above the accuracy.
        until = float(least + setting.target * (1 - 1e-9))
        options: dict[str, Any] = {"replicates": replicates, "until": until}
        result = cat_gd(setting.problem, rule, step_size=step, rounds=rounds, rng=rng, **options)
        return result.objective - least, result.cost

    return run


def _tuned(
    setting: Setting,
    method: str,
    rule: Callable[..., Any],
    efficiency: float,
    bound: tuple[str, str],
    claims: tuple[str, ...],
) -> Prediction:
    """Return the prediction of a rule whose efficiency is nowhere below the given one."""
    claim_id, formula = bound
    values = {"L": setting.L, "mu": setting.mu, "Delta_0": setting.gap, "epsilon": setting.target}
    cost = evaluate(theory.claim(claim_id).formulas[formula], {**values, "e_bar": efficiency})
    replicates, note = (1, NOTE) if claim_id == "cat/cost-bound" else (5, f"mean; {NOTE}")
    chosen = partial(rule, cost=setting.cost, float_bits=setting.float_bits)
    run = run_rule(setting, chosen, replicates)
    return Prediction(method, None, None, cost, (claim_id, *claims), note, run)


def _of_entries(setting: Setting) -> float:
    """Return what the best number of the largest entries achieves per cost at least, for every gradient."""
    from impl.communication import sparse_bits

    d, share = setting.d, theory.claim("cat/alpha-shape").bound
    return max(
        evaluate(share, {"T": T, "d": d}) / setting.price(int(sparse_bits(T, d, setting.float_bits)))
        for T in range(1, d + 1)
    )


def _of_signs(setting: Setting) -> float:
    """Return the same for signs.

    Either a fixed size, or the share 1/rho_d, which the best size has at no more than the cost of all signs.
    """
    from impl.communication import sign_entries_bits

    d, claim = setting.d, theory.claim("cat/sq-range")

    def price(size: int) -> float:
        return setting.price(int(sign_entries_bits(size, d, setting.float_bits)))

    fixed = max(evaluate(claim.bound, {"T": T, "d": d}) / price(T) for T in range(1, d + 1))
    return max(fixed, evaluate(claim.formulas["best"], {"d": d}) / price(d))


def _of_random_entries(setting: Setting) -> float:
    """Return the same for random entries: of a sure number only all of them."""
    d, share = setting.d, theory.claim("cat/st-waterfill").bound
    return max(evaluate(share, {"T": T, "d": d}) / setting.mean_price_of_entries(T) for T in range(1, d + 1))


def _of_levels(setting: Setting) -> float:
    """Return the same for QSGD with a code of fixed length."""
    from impl.adaptive.cat_qsgd import MOST_LEVELS
    from impl.communication import levels_bits

    d, share = setting.d, theory.claim("cat/qsgd-adaptive").bound
    return max(
        evaluate(share, {"levels": s, "d": d}) / setting.price(levels_bits(s, d, setting.float_bits))
        for s in range(1, MOST_LEVELS + 1)
    )
