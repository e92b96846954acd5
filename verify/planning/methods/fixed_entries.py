"""Predictions for gradient descent, whole or with a fixed number of entries (arXiv 2003.06377)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import theory
from verify.formulas.evaluation import evaluate
from verify.planning.measured import trace_of
from verify.planning.methods.adaptive import run_rule
from verify.planning.setting import Prediction, Setting, first_round
from verify.wires.methods import choice

SIZES = (1, 8, 32)
"""Numbers of entries."""


def predictions(setting: Setting) -> Iterable[Prediction]:
    """Yield gradient descent; on one node also fixed numbers of entries, whose average can diverge."""
    from impl.communication import dense_bits

    bits = dense_bits(setting.d, setting.float_bits)
    whole = _predicted(setting, "GD", 1.0, bits, ("cat/s-rates",), _descent(setting))
    yield replace(whole, wire=choice("gd", float_bits=setting.float_bits))
    if setting.n == 1:
        for size in SIZES:
            if size < setting.d:
                yield _largest(setting, size)


@cache
def _equal_shares() -> Any:
    """Return the bound of `cat/s-rates` on the gap for one share in all rounds, a power."""
    from sympy import Indexed, Symbol

    product = theory.claim("cat/s-rates").formulas["product"]
    return product.replace(lambda item: isinstance(item, Indexed), lambda _: Symbol("share")).doit()


def _predicted(
    setting: Setting, method: str, share: float, bits: int, claims: tuple[str, ...], run: Any
) -> Prediction:
    """Return the prediction with a share that every gradient has."""
    values = {"share": share, "mu": setting.mu, "L": setting.L, "Delta_0": setting.gap}
    rounds = first_round(_equal_shares(), "K", values, setting.target)
    cost = math.inf if rounds is None else rounds * setting.price(bits)
    return Prediction(method, rounds, bits, cost, claims, run=run)


def _descent(setting: Setting) -> Any:
    def method(*, replicates: int, **common: Any) -> Any:  # all would be the same
        from impl.optimizers import gd

        return gd(setting.problem, float_bits=setting.float_bits, **common)

    return partial(trace_of, setting, method, 1 / setting.L)


def _largest(setting: Setting, size: int) -> Prediction:
    from impl.communication import sparse_bits

    bits = int(sparse_bits(size, setting.d, setting.float_bits))
    share = evaluate(theory.claim("cat/alpha-shape").bound, {"T": size, "d": setting.d})

    def rule(g: Any) -> Any:
        from impl.adaptive import Choice
        from impl.compressors import TopK

        price = setting.price(bits)
        return Choice(size, share, share / price, 1.0, price, TopK(size))

    return _predicted(
        setting, f"top-{size}", share, bits, ("cat/s-rates", "cat/alpha-shape"), run_rule(setting, rule)
    )
