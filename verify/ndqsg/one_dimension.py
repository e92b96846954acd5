r"""Runs of SGD with dithered gradients on $\frac\lambda2x^2$ at the largest step, exact in rationals."""

from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import theory
from verify.evaluation import evaluate_exact
from verify.ndqsg.fixtures.quadratic_oracle import adaptive_factor, adaptive_noise, affine_run


@dataclass(frozen=True)
class Rule:
    """How a method chooses its step and draws its dither: as stated, or with one fault.

    Args:
        omega: Factor on omega in the step rule.
        power: Power of P in the step rule.
        length: Factor on the step that is taken, not on the one that is claimed.
        shared: Whether all workers use one dither.
        reverse: Whether the workers are numbered in the reverse order.
    """

    omega: F = F(1)
    power: int = 1
    length: F = F(1)
    shared: bool = False
    reverse: bool = False

    def claimed_step(self, omega: Any, workers: int, L: Any = 1) -> Any:
        """Return the step size of the rule, by the formula of `ndqsg/conv-strong`."""
        stated = theory.claim("ndqsg/conv-strong").formulas["step_size"]
        values = {"L": L, "omega": self.omega * omega, "P": workers**self.power}
        number = evaluate_exact(stated, values)
        return F(int(number.p), int(number.q))

    def second_moments(
        self, lam: F, levels: int, workers: int, start: F, rounds: int, noise: F = F(0)
    ) -> list[F]:
        """Return E x_t^2 for t = 0..rounds, with the scale of each gradient; M levels."""
        step = self.length * self.claimed_step(F(1, 12 * levels**2), workers, lam)
        factor = adaptive_factor(step * lam, levels, workers, shared=self.shared)
        return list(affine_run(factor, adaptive_noise(step, levels, workers, noise), start**2, rounds))


STATED = Rule()
RULES = {
    "half-omega": Rule(omega=F(1, 2)),
    "same-seed": Rule(shared=True),
    "long-step": Rule(length=F(3, 2)),
    "no-worker-average": Rule(power=2),
    "renumbered-workers": Rule(reverse=True),
}
