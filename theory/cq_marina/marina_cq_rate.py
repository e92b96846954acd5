"""Formulas of `cq_marina/marina-cq-rate` in the symbols of the old form, for `exp_quadratic` and `exp_logreg`."""

from types import SimpleNamespace

from sympy import Max, Min

from theory.cq_marina.symbols import L_plus, L_pm, d, n

_INDEPENDENT = (d - 1) / n * L_plus**2
_EQUAL = d / n**2 * L_plus**2
_B = Max((n - 2) / (2 * (n - 1)), d / n - 1 / (n - 1))
CLAIM = SimpleNamespace(
    formulas={
        "X_independent": _INDEPENDENT,
        "X_equal_hessians": _EQUAL,
        "X": Min(_INDEPENDENT, _EQUAL + _B * L_pm**2),
    }
)
