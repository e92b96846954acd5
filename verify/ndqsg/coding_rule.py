"""What `ndqsg/coded-size` claims and how its messages are coded: as stated, or with one fault of a mutant."""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import theory
from impl.coding.adaptive_coder import AdaptiveCoder
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg import literal_range_coder as literal

CLAIM, IDEAL = "ndqsg/coded-size", "ndqsg/adaptive-code-length"


@functools.cache
def ending_bits(name: str) -> int:
    """Return the stated bits of an ending, `ending` or `own_ending`."""
    return int(evaluate_exact(theory.claim(CLAIM).formulas[name], {}))


@dataclass(frozen=True)
class Rule:
    """What is claimed and how it is coded: as stated, or with one fault.

    Args:
        updated: Whether the range coder updates its counts.
        unit: Factor on L; log 2 for nats.
        ending: Part of the bits of the ending that is granted.
        truncation: Whether the growth by rounding is granted.
        learning: Whether L is granted, not the empirical entropy alone.
        sealed: Whether the coder sends its ending.
        scales: Whether scales count in a message.
        backwards: Whether digits are sent from the last one.
    """

    updated: bool = True
    unit: float = 1.0
    ending: F = F(1)
    truncation: bool = True
    learning: bool = True
    sealed: bool = True
    scales: bool = True
    backwards: bool = False

    def range_bits(self, digits: Sequence[int], alphabet: int, chances: Sequence[float] = ()) -> int:
        """Return the bits of the range coder, adaptive without chances."""
        sent = digits[::-1] if self.backwards else digits
        if chances:
            encoder = literal.fixed(sent, chances)
        else:
            encoder = literal.adaptive(sent, alphabet, updated=self.updated)
        return encoder.bits if self.sealed else 32 * encoder.scalings

    def own_bits(self, digits: Sequence[int], alphabet: int) -> int:
        """Return the bits of the coder with 32-bit registers."""
        sent = digits[::-1] if self.backwards else digits
        return AdaptiveCoder(alphabet).bits(sent) - (0 if self.sealed else ending_bits("own_ending"))

    def exponent(self, name: str) -> int:
        """Return the whole bits of the ending that are granted."""
        return int(self.ending * ending_bits(name))

    def bound(self, name: str, values: Mapping[str, Any]) -> float:
        """Return a stated length in bits; `bound`, `own` or `fixed`."""
        claim, n = theory.claim(CLAIM), values["n"]
        own = "own_" if name == "own" else ""
        growth = claim.formulas[f"{own}growth"]
        stated = evaluate(claim.expressions[name], values)
        if name != "fixed":
            length = evaluate(theory.claim(IDEAL).exact, values)
            stated -= (1 - self.unit) * length
            if not self.learning:
                stated -= length - evaluate(theory.claim(IDEAL).formulas["empirical"], values)
        if not self.truncation:
            stated -= n * math.log2(evaluate(growth, {"A": values["A"], **({"n": n} if own else {})}))
        return stated - ending_bits(f"{own}ending") + self.exponent(f"{own}ending")


STATED = Rule()
RULES = {
    "model-not-updated": Rule(updated=False),
    "natural-logarithms": Rule(unit=math.log(2)),
    "half-ending": Rule(ending=F(1, 2)),
    "no-truncation": Rule(truncation=False),
    "learning-for-nothing": Rule(learning=False),
    "no-ending": Rule(sealed=False),
    "no-scale-bits": Rule(scales=False),
    "other-order": Rule(backwards=True),
}
