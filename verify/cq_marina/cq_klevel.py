"""Checks of `cq_marina/cq-klevel`: all outcomes on fixed grids, exact averages over shifts, a search."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedGrid
from impl.compressors.stratified_thresholds import independent_outcomes
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.cq_klevel_sabotage import IndependentShifts
from verify.cq_marina.joint_draws import joint_law
from verify.cq_marina.joint_enumeration import enumerate_joint
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase


@dataclass(frozen=True)
class Instance:
    """Inputs of the clients in one coordinate, step and shift of the grid, in rationals."""

    x: tuple[F, ...]
    step: F
    shift: F = F(0)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"x": self.x, "step": self.step, "shift": self.shift}

    @property
    def rows(self) -> list[list[F]]:
        """Return the inputs as a joint input (n, 1)."""
        return [[item] for item in self.x]

    def moved(self) -> "Instance":
        """Return the instance with inputs and grid moved by the same number."""
        by = F(7, 11)
        return Instance(tuple(item + by for item in self.x), self.step, self.shift + by)

    def stated(self, name: str) -> Any:
        """Return a formula of the claim here, exactly; the bounds at the stated mean deviation."""
        values: dict[str, Any] = {"x": self.x, "beta": self.step, "n": len(self.x)}
        if name in ("exact", "independent"):
            values["s"] = self.shift
        if name in ("bound", "averaged_bound"):
            del values["x"]
            values["sigma_md"] = self.stated("mean_deviation")
        if name == "mean_deviation":
            del values["beta"]
        return evaluate_exact(expression(name), values)

    def leading_term(self) -> F:
        """Return the part of the variance that does not depend on the shift, literally."""
        n, total = len(self.x), F(0)
        for first, second in itertools.product(self.x, repeat=2):
            t = (first - second) / self.step
            total += (t - t.__floor__()) * (1 - (t - t.__floor__()))
        return self.step**2 * total / (2 * n**2 * (n - 1))


def tenths(*numbers: int) -> tuple[F, ...]:
    """Return the numbers divided by ten."""
    return tuple(F(item, 10) for item in numbers)


GOLDEN = Instance(tenths(1, 9, 17, 26), F(4, 5))
MIDDLE = Instance((F(1, 8),) * 4, F(1))
INSTANCES = {
    "golden": GOLDEN,
    "middle-of-a-cell": MIDDLE,
    "shifted": Instance(tenths(-7, 3, 4), F(1, 2), F(1, 3)),
    "two-clients": Instance(tenths(12, -5), F(2, 3), F(-1, 7)),
    "on-the-grid": Instance((F(0), F(1, 2), F(-1)), F(1, 2)),
}
AVERAGED = {
    "golden": GOLDEN,
    "equal-inputs": Instance((F(3, 10),) * 2, F(1)),
    "five-clients": Instance(tenths(0, 1, 3, 11, -4), F(3, 4)),
    "two-clients": Instance(tenths(1, 4), F(5, 7)),
}
LEVELS = (3, 4, 6, 9)


def expression(name: str) -> Any:
    """Return a formula of the claim."""
    return theory.claim("cq_marina/cq-klevel").expressions[name]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/cq-klevel")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        *(_fixed(name, instance) for name, instance in INSTANCES.items()),
        *(_averaged(name, instance) for name, instance in AVERAGED.items()),
        _ranges(),
        _searched(),
        _sampled("equal-inputs", (0.3,) * 8, 1.0, ("independent-shifts",)),
        _sampled("golden", tuple(float(item) for item in GOLDEN.x), float(GOLDEN.step), ()),
        joint_law("two-coordinates-grid"),
    )


def _fixed(name: str, instance: Instance) -> Check:
    mutants = {"moved-together": ExactCase(lambda: compare_fixed(instance.moved()))}
    if instance is MIDDLE:
        mutants["eighth"] = ExactCase(lambda: compare_fixed(instance, eighth=True))
    base = ExactCase(lambda: compare_fixed(instance))
    return Check("exact", f"fixed-{name}", base, instance.parameters, mutants, seconds=0.1)


def compare_fixed(instance: Instance, *, eighth: bool = False) -> Iterable[Comparison]:
    """Compare enumeration, the oracle in `impl` and the formula; then the bound."""
    quantizer, witness = CorrelatedGrid(instance.step, instance.shift), instance.parameters
    moments, stated = enumerate_joint(quantizer, instance.rows), instance.stated("exact")
    n = len(instance.x)
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    yield Comparison("mean", "eq", moments.mean[0], sum(instance.x) / n, witness=witness)
    yield Comparison("enumerated variance", "eq", moments.error, stated, witness=witness)
    yield Comparison("oracle", "eq", quantizer.variance(instance.rows), stated, witness=witness)
    independent = enumerated_independent(instance)
    yield Comparison(
        "independent thresholds", "eq", independent, instance.stated("independent"), witness=witness
    )
    bound = instance.stated("bound") - (instance.step**2 / (8 * n**2) if eighth else 0)
    yield Comparison("bound", "le", moments.error, bound, witness=witness, headline=True)


def enumerated_independent(instance: Instance) -> F:
    """Return the variance of the mean with independent thresholds, over all bits."""
    t = [(item - instance.shift) / instance.step for item in instance.x]
    y = [item - item.__floor__() for item in t]
    total = F(0)
    for chance, uniforms in independent_outcomes(y):
        error = sum((int(u < item) - item for u, item in zip(uniforms, y, strict=True)), F(0))
        total += chance * error**2
    return total * instance.step**2 / len(y) ** 2


def _averaged(name: str, instance: Instance) -> Check:
    mutants = {"moved-together": ExactCase(lambda: compare_averaged(instance.moved()))}
    if len(set(instance.x)) == 1 or name == "golden":
        mutants["twelfth"] = ExactCase(lambda: compare_averaged(instance, twelfth=True))
    if len(instance.x) == 2:
        mutants["independent-shifts"] = ExactCase(lambda: compare_averaged(instance, IndependentShifts))
    base = ExactCase(lambda: compare_averaged(instance))
    parameters = {"x": instance.x, "step": instance.step, "shift": "random"}
    return Check("exact", f"averaged-{name}", base, parameters, mutants, seconds=0.1)


def compare_averaged(
    instance: Instance, kind: type[CorrelatedGrid] = CorrelatedGrid, *, twelfth: bool = False
) -> Iterable[Comparison]:
    """Average the variance over the shifts exactly: it is piecewise quadratic in the shift."""
    witness = {"x": instance.x, "step": instance.step}
    average, stated = kind(instance.step, "random").variance(instance.rows), instance.stated("averaged")
    if twelfth:
        stated = (stated + instance.leading_term()) / 2
    yield Comparison("average over shifts", "eq", average, stated, witness=witness)
    floats = np.array([[float(item) for item in row] for row in instance.rows])
    oracle = kind(float(instance.step), "random").variance(floats)
    yield Comparison("average in floating point", "eq", oracle, float(average), ROUND_OFF, witness)
    yield Comparison(
        "bound", "le", average, instance.stated("averaged_bound"), witness=witness, headline=True
    )


def _ranges() -> Check:
    base = ExactCase(lambda: compare_ranges("shifted_step"))
    mutants = {"shift-without-range": ExactCase(lambda: compare_ranges("fixed_step"))}
    return Check("exact", "ranges", base, {"levels": LEVELS, "width": 1}, mutants, seconds=0.2)


def compare_ranges(shifted_step: str) -> Iterable[Comparison]:
    """Count the levels that inputs in [0, 1] may be sent to, and compare the bounds of both grids."""
    for levels in LEVELS:
        fixed, shifted = (step_of(name, levels) for name in ("fixed_step", shifted_step))
        yield Comparison(f"levels of a fixed grid, k={levels}", "eq", used_levels(fixed, F(0)), levels)
        for place in (F(0), F(1, 3), F(2, 3)):
            used = used_levels(shifted, place * shifted)
            yield Comparison(
                f"levels of a shifted grid, k={levels}",
                "le",
                used,
                levels,
                witness={"shift": place * shifted},
            )
    for levels in range(3, 10):
        bounds = [
            evaluate_exact(expression(bound), {"beta": step_of(step, levels), "n": 4, "sigma_md": F(0)})
            for bound, step in (("bound", "fixed_step"), ("averaged_bound", "shifted_step"))
        ]
        low, high = bounds if levels <= 6 else bounds[::-1]
        yield Comparison(f"better grid for equal inputs, k={levels}", "le", low, high)


def step_of(name: str, levels: int) -> F:
    """Return a stated step of a grid with this many levels on an interval of length 1."""
    found = evaluate_exact(expression(name), {"width": 1, "levels": levels})
    return F(int(found.p), int(found.q))


def used_levels(step: F, shift: F) -> int:
    """Return the number of levels between the lowest and the highest that inputs 0 and 1 are sent to."""
    quantizer, ends = CorrelatedGrid(step, shift), [[F(0)], [F(1)]]
    sent = [row[0] for _, draws in quantizer.outcomes(ends) for row in quantizer.reference(ends, draws)]
    return int((max(sent) - min(sent)) / step) + 1


def _searched() -> Check:
    """Search for the inputs with the largest variance over bound; equal ones in a cell's middle attain it."""
    clients = 3

    def case(share: float = 1.0) -> AdversarialCase:
        quantizer = CorrelatedGrid(1.0)
        # The bound is linear in sigma_md: its value at 0, and what one unit of sigma_md adds.
        values = [{"beta": 1, "n": clients, "sigma_md": item} for item in (0, 1)]
        constant, total = (evaluate(expression("bound"), item) for item in values)

        def bound(inputs: Any) -> Any:
            deviation = np.abs(inputs - inputs.mean(axis=-1, keepdims=True)).mean(axis=-1)
            return share * constant + (total - constant) * deviation

        return AdversarialCase(
            lambda inputs: quantizer.variance(inputs[..., None]),
            bound,
            clients,
            starts=((1 / 6,) * clients, (0.2, 0.2, 0.5)),
            scale_invariant=False,
            budget=1000,
        )

    mutants = {"eighth": Lazy(lambda: case(0.5))}
    return Check("adversarial", "three-clients", Lazy(case), {"n": 3, "step": 1}, mutants, seconds=0.4)


def squared_errors(quantizer: CorrelatedGrid, x: Sequence[float]) -> Callable[[Any, int], Any]:
    """Return a function (rng, m) -> m squared errors of the estimate of the mean, (m,)."""
    rows = np.array(x)[:, None]

    def sample(rng: Any, size: int) -> Any:
        return (quantizer.sample(rows, rng, size=size)[:, 0] - rows.mean()) ** 2

    return sample


def _sampled(name: str, x: tuple[float, ...], step: float, seen: Sequence[str]) -> Check:
    """Test the sampler with a random shift against the stated average."""

    def case(kind: type[CorrelatedGrid]) -> MonteCarloCase:
        n = len(x)
        stated = evaluate(expression("averaged"), {"x": x, "beta": step, "n": n})
        # The number of ones is off by less than 1 for equal inputs, and by one more for each other input.
        reach = step / n * (len(set(x)) + 1)
        return MonteCarloCase(
            "eq", squared_errors(kind(step, "random"), x), stated, upper=reach**2, resolution=0.03
        )

    mutants = {key: Lazy(partial(case, IndependentShifts), tests=1) for key in seen}
    base = Lazy(partial(case, CorrelatedGrid), tests=1)
    return Check("montecarlo", name, base, {"x": x, "step": step, "shift": "random"}, mutants, seconds=0.5)
