"""Exact supremum of the quantizer's variance, from the formulas of `squant/sup`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import theory
from verify.evaluation import evaluate, root


@dataclass(frozen=True)
class Supremum:
    """Interval for the supremum of the variance over unit inputs; both ends agree where it is known exactly.

    Args:
        lower: Guaranteed from below.
        upper: Guaranteed from above; any upper bound may serve as the constant of a method.
        maximiser: An input at which it is attained, None where the formula gives none.
    """

    lower: float
    upper: float
    maximiser: tuple[float, ...] | None


def supremum_of(L: Sequence[float], h: Sequence[float], *, maximiser: bool = True) -> Supremum:
    """Return the supremum for the diagonal weight L (d,) and steps h (d,) of one block.

    Coarse regime: exact, with its maximiser if asked for. Fine regime: the interval of the claim.
    """
    claim = theory.claim("squant/sup")
    formulas, exact = claim.formulas, claim.exact
    d = len(L)
    values: dict[str, Any] = {"L": list(map(float, L)), "h": list(map(float, h)), "d": d}
    if d == 1:
        value = evaluate(formulas["one_dimension"], {"step": values["h"][0], "weight": values["L"][0]})
        return Supremum(value, value, (1.0,))
    if evaluate(formulas["regime"], values) <= 4:
        upper = evaluate(formulas["fine_upper"], values)
        positive = [item * step**2 for item, step in zip(values["L"], values["h"], strict=True) if item > 0]
        if len(positive) < d:
            return Supremum(upper, upper, None)
        lower = evaluate(formulas["fine_lower"], {**values, "carrier": min(positive)})
        return Supremum(lower, upper, None)
    nu = root(exact, values)  # an implicit value in this claim
    at_root = {**values, "nu": nu}
    value = evaluate(formulas["value_at_multiplier"], at_root)
    if not maximiser:
        return Supremum(value, value, None)
    place = tuple(
        evaluate(formulas["maximiser"], {"L": values["L"], "h": values["h"], "nu": nu, "j": j})
        for j in range(d)
    )
    return Supremum(value, value, place)
