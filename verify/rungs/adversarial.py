"""Adversarial rung: search for the input at which value / bound is largest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.context import Context
from verify.errors import CheckError
from verify.outcome import Evidence, json_ready
from verify.rungs.real import require_real

SLACK = 1e-9
"""Relative excess below which a ratio above one is round-off of the oracle."""

FACTORS, SAME = (0.125, 3.0), 1e-6
"""Lengths at which a ratio that is said not to depend on the norm is looked at, and how far it may differ,
beside 1 or relative to itself: far above the round-off of sums and roots, far below what a length does."""


@dataclass(frozen=True)
class AdversarialCase:
    """A ratio to be maximised over inputs.

    Args:
        value: Maps inputs (m, dim) to the exact values (m,) of what is bounded.
        bound: Maps inputs (m, dim) to the stated bounds (m,).
        dim: Dimension of the input.
        starts: Inputs to begin with, the claimed worst case among them.
        gradient: Gradient of value / bound at one input, where it is known.
        scale_invariant: Whether the ratio depends on the direction only.
        budget: Evaluations in the quick profile; the full profile takes four times as many.
    """

    value: Callable[[Any], Any]
    bound: Callable[[Any], Any]
    dim: int
    starts: Sequence[Any] = ()
    gradient: Callable[[Any], Any] | None = None
    scale_invariant: bool = True
    budget: int = 10_000
    tests = 0

    def settings(self) -> Mapping[str, Any]:
        """Return how hard the search is, and the mean of value and bound at the starts and at two inputs."""
        import numpy as np

        ramp = np.arange(1.0, self.dim + 1)
        given = [np.asarray(start, dtype=float) for start in (*self.starts, np.ones(self.dim), ramp)]
        inputs = np.array([item / np.linalg.norm(item) for item in given])
        value, bound = _mean(self.value(inputs)), _mean(self.bound(inputs))
        return {
            "dim": self.dim,
            "budget": self.budget,
            "starts": len(self.starts),
            "gradient": self.gradient is not None,
            "scale_invariant": self.scale_invariant,
            "value": 0.0 if abs(value) <= SLACK * abs(bound) else value,
            "bound": bound,
        }


def _mean(values: Any) -> float:
    import numpy as np

    numbers = np.asarray(values, dtype=float)
    return float(np.where(np.isfinite(numbers), numbers, 0.0).mean())


def judge(case: AdversarialCase, context: Context) -> Evidence:
    """Search; `violated` with its witness where the bound is exceeded, else `consistent`."""
    import numpy as np

    from verify.evidence.supremum_search import search_supremum

    def ratio(inputs: Any) -> Any:
        value, bound = case.value(inputs), case.bound(inputs)
        require_real("value and bound", value, bound)
        value, bound = np.asarray(value, dtype=float), np.asarray(bound, dtype=float)
        if np.isnan(value).any() or np.isnan(bound).any():
            at = inputs[int(np.argmax(np.isnan(value) | np.isnan(bound)))]
            raise CheckError(
                f"the objective is not a number at x={at!r}; value and bound must be numbers there"
            )
        if np.isinf(bound).any() and not context.is_mutant:
            raise CheckError(
                f"the bound is infinite at x={inputs[int(np.argmax(np.isinf(bound)))]!r}, where nothing "
                "exceeds it; search where it is finite, or state it so that it does not overflow"
            )
        # At the origin both are 0: nothing is exceeded there, nor where a negative bound is kept.
        with np.errstate(over="ignore"):
            return np.divide(value, bound, out=np.where(_exceeds(value, bound), np.inf, 0.0), where=bound > 0)

    budget = case.budget * (4 if context.profile == "full" else 1)
    found = search_supremum(
        ratio,
        case.dim,
        scale_invariant=case.scale_invariant,
        budget=budget,
        seed=context.seed,
        gradient=case.gradient,
        starts=tuple(case.starts),
        batch=True,
        # One input above the bound rejects a mutant; the largest one is of interest in the honest case only.
        enough=1 + 2 * SLACK if context.is_mutant else np.inf,
    )
    x = found.x
    if case.scale_invariant and found.value <= 1 + SLACK:
        x = _at_other_lengths(case, ratio, x, context)
    value, bound = float(case.value(x[None])[0]), float(case.bound(x[None])[0])
    if not (np.isfinite(value) and np.isfinite(bound)) and not context.is_mutant:
        raise CheckError(f"value={value!r} and bound={bound!r} must be finite at the largest ratio found")
    exceeded = bool(_exceeds(value, bound))
    tightness = bound / value if value else float("inf")
    loose = f"; loose by {tightness:.3g} on this instance" if tightness > 1.05 else ""
    return Evidence(
        "violated" if exceeded else "consistent",
        "numerical" if exceeded else "search",
        bound=bound,
        value=value,
        samples=found.evaluations,
        witness=json_ready({"x": x, "starts_at_best": found.hits}),
        reason=(
            f"value {value:.15g} exceeds the bound {bound:.15g} at the witness"
            if exceeded
            else f"no input above the bound in {found.evaluations} evaluations{loose}"
        ),
    )


def _exceeds(value: Any, bound: Any) -> Any:
    """Return whether values lie above their bounds by more than round-off, whatever the signs."""
    return value > bound + SLACK * abs(bound)


def _at_other_lengths(case: AdversarialCase, ratio: Callable[[Any], Any], x: Any, context: Context) -> Any:
    """Return the input at which a ratio is largest that is said not to depend on the norm: x, if it does not.

    Raises:
        CheckError: It depends on the norm, so that the sphere, which was searched, says nothing of the rest.
    """
    import numpy as np

    unit = np.array([item / np.linalg.norm(item) for item in (x, *case.starts[:8], np.ones(case.dim))])
    there, elsewhere = ratio(unit), np.array([ratio(factor * unit) for factor in FACTORS])
    above = np.argwhere(np.isfinite(elsewhere) & (elsewhere > 1 + 2 * SLACK))
    if len(above):
        return FACTORS[above[0][0]] * unit[above[0][1]]
    known = np.isfinite(there) & np.isfinite(elsewhere)
    off = known & (
        np.abs(elsewhere - there) > SAME * np.maximum(1, np.maximum(np.abs(there), np.abs(elsewhere)))
    )
    if off.any() and not context.is_mutant:
        factor, at = (int(place) for place in np.argwhere(off)[0])
        raise CheckError(
            f"the ratio is {there[at]:.9g} at a unit vector and {elsewhere[factor, at]:.9g} at "
            f"{FACTORS[factor]:g} times it: it depends on the norm; say scale_invariant=False"
        )
    return x
