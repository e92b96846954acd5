"""Checks of `cat/st-descent`: one step over all masks in rationals, and the sampler in 64 dimensions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import keep_probabilities
from impl.compressors import BernoulliSparsifier
from verify.binding import Check, Lazy
from verify.cat.golden_vectors import GI, gh, rational
from verify.cat.outcome_tree import Law, QuadraticNodes, kept_entries, square, systematic_entries
from verify.comparison import Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/st-descent"


@dataclass(frozen=True)
class Instance:
    """A quadratic without linear term at a point, and the chances of its entries.

    `L` is at least the largest eigenvalue: a sum of magnitudes of a row.
    """

    matrix: tuple[tuple[F, ...], ...]
    x: tuple[F, ...]
    T: F
    chances: tuple[F, ...] | None = None

    @property
    def L(self) -> F:
        """Return the largest row sum of magnitudes."""
        return max(sum((abs(item) for item in row), F(0)) for row in self.matrix)

    @property
    def nodes(self) -> QuadraticNodes:
        """Return the function."""
        return QuadraticNodes([self.matrix])

    @property
    def p(self) -> tuple[F, ...]:
        """Return the chances: given ones, or the best of the expected size T."""
        return self.chances or tuple(keep_probabilities(list(self.nodes.gradient(self.x)), self.T))

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"d": len(self.x), "T": self.T, "L": self.L, "x": self.x}


def isotropic(g: Sequence[int], T: F, chances: tuple[F, ...] | None = None) -> Instance:
    """Return half the squared norm at x = g."""
    d = len(g)
    identity = tuple(tuple(F(i == j) for j in range(d)) for i in range(d))
    return Instance(identity, tuple(rational(g)), T, chances)


DENSE = tuple(
    tuple(F(item) for item in row) for row in ((4, 2, 0, -1), (2, 3, -1, 1), (0, -1, 2, 1), (-1, 1, 1, 5))
)
INSTANCES = {
    "gi-one": isotropic(GI, F(1)),
    "gi-three": isotropic(GI, F(3)),
    "gi-five-halves": isotropic(GI, F(5, 2)),
    "gi-six": isotropic(GI, F(6)),
    "ties-and-zero": isotropic((2, -2, 0, 1, 1), F(2)),
    "any-chances": isotropic((3, -1, 4, 1), F(2), (F(1, 3), F(1, 7), F(1), F(11, 21))),
    "dense": Instance(DENSE, (F(1), F(-2), F(1, 2), F(3)), F(2)),
    "dense-one": Instance(DENSE, (F(-1), F(1), F(5), F(1, 3)), F(1)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        _sampled(),
    )


def sampled_entries(g: Sequence[Any], p: Sequence[Any]) -> Law:
    """Return the law of the compressor of the rule, all outcomes of its literal form."""
    compressor = BernoulliSparsifier([chance or F(1) for chance in p])
    return [
        (chance, tuple(compressor.reference(list(g), draws)))
        for chance, draws in compressor.outcomes(list(g))
    ]


def _exact(name: str, instance: Instance) -> Check:
    def case(law: Any = sampled_entries, unit_step: bool = False, factor: int = 1) -> ExactCase:
        return ExactCase(lambda: compare(instance, law, unit_step=unit_step, factor=factor))

    mutants = {
        "unscaled": case(partial(kept_entries, scaled=False)),
        "systematic-sampling": case(systematic_entries),
    }
    if instance.matrix == DENSE:  # on isotropic ones it would be seen by the equality, too
        mutants["half-denominator"] = case(factor=2)
    else:  # elsewhere the step 1 / L may do well
        mutants["step-of-descent"] = case(unit_step=True)
    return Check("exact", name, case(), instance.parameters, mutants, seconds=0.1)


def share(g: Sequence[Any], p: Sequence[Any]) -> Any:
    """Return the stated share, exactly; entries that are zero are left out."""
    kept = [(item, chance) for item, chance in zip(g, p, strict=True) if item]
    values = {"g": [item for item, _ in kept], "p": [chance for _, chance in kept], "d": len(kept)}
    return evaluate_exact(theory.claim(ID).formulas["share"], values)


def compare(
    instance: Instance, law: Any = sampled_entries, *, unit_step: bool = False, factor: int = 1
) -> Iterable[Comparison]:
    """Hold mean, second moment and decrease over all outcomes against the stated ones, it `factor` times."""
    claim, x = theory.claim(ID), instance.x
    g, p = instance.nodes.gradient(x), instance.p
    outcomes, omega, witness = law(g, p), share(g, p), instance.parameters
    values = {"omega": omega, "G": square(g), "L": instance.L}
    step = evaluate_exact(claim.formulas["step"], {"omega": omega, "L": instance.L})
    step = F(1) / instance.L if unit_step else F(int(step.p), int(step.q))
    after = sum(
        chance * instance.nodes.objective(tuple(a - step * b for a, b in zip(x, q, strict=True)))
        for chance, q in outcomes
    )
    yield Comparison("total chance", "eq", sum(chance for chance, _ in outcomes), 1, witness=witness)
    for j, item in enumerate(g):
        mean = sum(chance * q[j] for chance, q in outcomes)
        yield Comparison(f"mean of entry {j}", "eq", mean, item, witness=witness)
    second = sum(chance * square(q) for chance, q in outcomes)
    yield Comparison("second moment", "eq", second * omega, square(g), witness=witness)
    decrease, bound = instance.nodes.objective(x) - after, factor * evaluate_exact(claim.bound, values)
    yield Comparison("guaranteed decrease", "le", bound, decrease, witness=witness, headline=True)
    if instance.matrix != DENSE:
        yield Comparison("attained", "eq", bound, decrease, witness=witness)


def _sampled() -> Check:
    """Test the sampler on half the squared norm: the objective after one step."""
    g, T = gh(), 5

    def case(unit_step: bool = False) -> MonteCarloCase:
        claim, p = theory.claim(ID), keep_probabilities(g, T)
        omega = evaluate(claim.formulas["share"], {"g": g, "p": p, "d": len(g)})
        decrease = evaluate(claim.bound, {"omega": omega, "G": float(g @ g), "L": 1})
        step = 1.0 if unit_step else evaluate(claim.formulas["step"], {"omega": omega, "L": 1})
        compressor = BernoulliSparsifier(p)

        def sample(rng: Any, size: int) -> Any:
            after = g - step * compressor.sample(g, rng, size)
            return (after**2).sum(axis=-1) / 2

        upper = float(np.maximum(g**2, (g - step * g / p) ** 2).sum() / 2)
        return MonteCarloCase("eq", sample, float(g @ g) / 2 - decrease, upper=upper)

    base = Lazy(case, tests=1)
    mutants = {"step-of-descent": Lazy(partial(case, True), tests=1)}
    return Check("montecarlo", "gh-five", base, {"d": len(g), "T": T}, mutants, seconds=0.5)
