"""Steps and splits of `cq_marina/marina-biased`: as stated, or with one fault each."""

from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import theory
from verify.evaluation import evaluate, evaluate_exact

CLAIM = "cq_marina/marina-biased"


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly where all values are rational."""
    formula = theory.claim(CLAIM).formulas[name]
    if any(isinstance(item, float) for item in values.values()):
        return evaluate(formula, values)
    return evaluate_exact(formula, values)


@dataclass(frozen=True)
class Rule:
    """How the step and the split are chosen: as stated, or with one fault.

    Args:
        bias: Factor on X_b before the constants are computed.
        unbiased: Whether the mean square of the error is taken for a variance.
        split: s as a multiple of p / (1 - p); None for s*.
        crossed: Whether the bound on the noise has its cross term.
    """

    bias: Any = F(1)
    unbiased: bool = False
    split: Any = None
    crossed: bool = True

    def root_kappa(self, p: Any, X_v: Any, X_b: Any) -> Any:
        """Return the root of kappa, exact where the values are."""
        X_b = X_b * self.bias
        if self.unbiased:
            return stated("root_kappa_unbiased", p=p, X_v=X_v + X_b)
        if self.split is not None:
            kappa = stated("kappa", p=p, X_v=X_v, X_b=X_b, s=self.split_value(p, X_v, X_b))
            return abs(kappa) ** F(1, 2)
        return stated("root_kappa", p=p, X_v=X_v, X_b=X_b)

    def split_value(self, p: Any, X_v: Any, X_b: Any) -> Any:
        """Return s."""
        return (
            stated("s_star", p=p, X_v=X_v, X_b=X_b * self.bias)
            if self.split is None
            else self.split * p / (1 - p)
        )


STATED = Rule()
FAULTS = {
    "unbiased-step": Rule(unbiased=True),
    "split-outside-range": Rule(split=F(2)),
    "dropped-cross-term": Rule(crossed=False),
    "half-the-bias": Rule(bias=F(1, 2)),
    "other-split": Rule(split=F(1, 2)),
}
