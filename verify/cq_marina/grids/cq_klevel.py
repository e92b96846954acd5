"""Checks of `cq_marina/cq-klevel`: all outcomes on fixed grids, exact averages over shifts, a search."""

from collections.abc import Iterable, Mapping
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Rational

from impl.compressors import CorrelatedGrid
from impl.compressors.joint.correlated.stratified_thresholds import independent_outcomes
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.fixtures.joint.joint_draws import EVENTS, HALF_WIDTH, events
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint
from verify.cq_marina.grids.shifted_grids import HalfStepLow, IndependentShifts
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

Inputs = tuple[F, ...]
MOVED = F(7, 11)
LEVELS = (3, 4, 6, 9)
EVENT = EVENTS["two-coordinates-grid"]


def _tenths(*numbers: int) -> Inputs:
    return tuple(F(item, 10) for item in numbers)


GOLDEN = _tenths(1, 9, 17, 26)
# Inputs, step and shift.
INSTANCES = {
    "golden": (GOLDEN, F(4, 5), F(0)),
    "middle-of-a-cell": ((F(1, 8),) * 4, F(1), F(0)),
    "shifted": (_tenths(-7, 3, 4), F(1, 2), F(1, 3)),
    "two-clients": (_tenths(12, -5), F(2, 3), F(-1, 7)),
    "on-the-grid": ((F(0), F(1, 2), F(-1)), F(1, 2), F(0)),
}
AVERAGED = {
    "golden": (GOLDEN, F(4, 5)),
    "equal-inputs": ((F(3, 10),) * 2, F(1)),
    "five-clients": (_tenths(0, 1, 3, 11, -4), F(3, 4)),
    "two-clients": (_tenths(1, 4), F(5, 7)),
}

judge = checks_of("cq_marina/cq-klevel", quantizer=CorrelatedGrid, common=False)


judge.sabotage(
    "independent-shifts at exact/averaged-equal-inputs, exact/averaged-two-clients, "
    "montecarlo/equal-inputs: Every client draws a shift of its own: at equal inputs the variance is about "
    "$\\frac{\\beta^2}{12n}$ instead of $\\frac{\\beta^2}{6n^2}$ (ratio $\\frac n2+\\frac1{2n}$).",
    {"quantizer": IndependentShifts},
    "twelfth at exact/averaged-equal-inputs, exact/averaged-golden: $\\frac1{12}$ for $\\frac16$ in the "
    "average over shifts: half of the truth at equal inputs. | overlap = overlap / 2",
    "eighth at exact/fixed-middle-of-a-cell, adversarial/three-clients: $\\frac18$ for $\\frac14$ in the "
    "bound: broken twofold at equal inputs in the middle of a cell.",
    {"bound": lambda formula: formula.xreplace({Rational(1, 4): Rational(1, 8)})},
    "shift-without-range at exact/ranges: A shifted grid with the step of the fixed one: a level beyond the "
    "$k$ levels is needed. | shifted_step = fixed_step",
    "half-step-low at exact/fixed-*: Levels are decoded half a step too low.",
    {"quantizer": HalfStepLow},
    "common-draws at montecarlo/two-coordinates-grid: All coordinates share one permutation: no coordinate "
    "alone shows it. | common = True",
)


@judge.data_mutant(
    "Move all inputs and the grid by the same number: nothing may change.",
    at=("exact/fixed-*", "exact/averaged-*"),
    neutral=True,
)
def moved_together(x: Inputs, s: F | None = None, **_: Any) -> Mapping[str, Any]:
    moved = {"x": tuple(item + MOVED for item in x)}
    return moved if s is None else {**moved, "s": s + MOVED}


def _table(law: Law, name: str, n: int, **values: Any) -> list[list[Any]]:
    """Return a formula of pairs of clients at all of them."""
    sizes = {} if name == "overlap" else {"n": n}
    return [[law.exactly(name, i=i, l=l, **sizes, **values) for l in range(n)] for i in range(n)]


def _bound(law: Law, name: str, x: Inputs, beta: F) -> Any:
    spread = law.exactly("mean_deviation", x=x, n=len(x))
    return law.exactly(name, beta=beta, n=len(x), sigma_md=spread)


def _averaged(law: Law, x: Inputs, beta: F) -> Any:
    n, tau = len(x), _table(law, "distance", len(x), x=x, beta=beta)
    return law.exactly("averaged", x=x, beta=beta, n=n, apart=_table(law, "overlap", n, tau=tau))


@judge.exact(
    instances={f"fixed-{name}": {"x": x, "beta": b, "s": s} for name, (x, b, s) in INSTANCES.items()}
)
def fixed(law: Law, x: Inputs, beta: F, s: F) -> Iterable[Comparison]:
    """Enumeration, the oracle in `impl` and the formula; then the bound."""
    quantizer, rows, n = law.quantizer(beta, s), [[item] for item in x], len(x)
    moments = enumerate_joint(quantizer, rows)
    y = [(item - s) / beta % 1 for item in x]
    stated = law.exactly("exact", x=x, beta=beta, n=n, kappa=_table(law, "within", n, y=y))
    yield eq("mean", moments.mean[0], sum(x) / n)
    yield eq("enumerated variance", moments.error, stated, headline=True)
    yield eq("oracle", quantizer.variance(rows), stated)
    independent = sum(
        chance * sum(int(u < item) - item for u, item in zip(uniforms, y, strict=True)) ** 2
        for chance, uniforms in independent_outcomes(y)
    )
    yield eq(
        "independent thresholds",
        independent * beta**2 / n**2,
        law.exactly("independent", x=x, beta=beta, s=s, n=n),
    )
    yield le("bound", moments.error, _bound(law, "bound", x, beta), headline=True)


@judge.exact(instances={f"averaged-{name}": {"x": x, "beta": b} for name, (x, b) in AVERAGED.items()})
def averaged(law: Law, x: Inputs, beta: F) -> Iterable[Comparison]:
    """Average the variance over the shifts exactly: it is piecewise quadratic in the shift."""
    rows = [[item] for item in x]
    average = law.quantizer(beta, "random").variance(rows)
    yield eq("average over shifts", average, _averaged(law, x, beta), headline=True)
    oracle = law.quantizer(float(beta), "random").variance(np.array(rows, dtype=float))
    yield eq("average in floating point", oracle, float(_averaged(law, x, beta)), ROUND_OFF)
    yield le("bound of the average", average, _bound(law, "averaged_bound", x, beta), headline=True)


def used_levels(step: F, shift: F) -> int:
    """Return the number of levels between the lowest and the highest that inputs 0 and 1 are sent to."""
    quantizer, ends = CorrelatedGrid(step, shift), [[F(0)], [F(1)]]
    sent = [row[0] for _, draws in quantizer.outcomes(ends) for row in quantizer.reference(ends, draws)]
    return int((max(sent) - min(sent)) / step) + 1


@judge.exact(parameters={"levels": LEVELS, "width": 1})
def ranges(law: Law) -> Iterable[Comparison]:
    """Count the levels that inputs in [0, 1] may be sent to, and compare the bounds of both grids."""
    for k in LEVELS:
        own, shifted = (law.exactly(f"{name}_step", width=1, levels=k) for name in ("fixed", "shifted"))
        yield eq("levels of a fixed grid", used_levels(own, F(0)), k, witness={"k": k})
        for place in (F(0), F(1, 3), F(2, 3)):
            shift = place * shifted
            used = used_levels(shifted, shift)
            yield le("levels of a shifted grid", used, k, witness={"k": k, "shift": shift}, headline=True)
    for k in range(3, 10):
        bounds = [
            law.exactly(bound, beta=law.exactly(step, width=1, levels=k), n=4, sigma_md=0)
            for bound, step in (("bound", "fixed_step"), ("averaged_bound", "shifted_step"))
        ]
        low, high = bounds if k <= 6 else bounds[::-1]
        yield le("better grid for equal inputs", low, high, witness={"k": k})


@judge.adversarial(parameters={"n": 3, "step": 1})
def three_clients(law: Law) -> AdversarialCase:
    """Search for the inputs with the largest variance over bound; equal ones in a cell's middle attain it."""
    quantizer, clients = law.quantizer(1.0), 3
    # The bound is linear in sigma_md: its value at 0, and what one unit of sigma_md adds.
    constant, total = (law("bound", beta=1, n=clients, sigma_md=item) for item in (0, 1))

    def bound(inputs: Any) -> Any:
        deviation = np.abs(inputs - inputs.mean(axis=-1, keepdims=True)).mean(axis=-1)
        return constant + (total - constant) * deviation

    return AdversarialCase(
        lambda inputs: quantizer.variance(inputs[..., None]),
        bound,
        clients,
        starts=((1 / 6,) * clients, (0.2, 0.2, 0.5)),
        scale_invariant=False,
        budget=1000,
    )


@judge.montecarlo(
    instances={
        "equal-inputs": {"x": _tenths(*(3,) * 8), "beta": F(1)},
        "golden": {"x": GOLDEN, "beta": F(4, 5)},
    }
)
def random_shift(law: Law, x: Inputs, beta: F) -> MonteCarloCase:
    """Test the sampler with a random shift against the stated average."""
    rows = np.array(x, dtype=float)[:, None]
    quantizer = law.quantizer(float(beta), "random")

    def sample(rng: Any, size: int) -> Any:
        return (quantizer.sample(rows, rng, size=size)[:, 0] - rows.mean()) ** 2

    # The number of ones is off by less than 1 for equal inputs, and by one more for each other input.
    reach = float(beta) / len(x) * (len(set(x)) + 1)
    return MonteCarloCase("eq", sample, float(_averaged(law, x, beta)), upper=reach**2, resolution=0.03)


@judge.montecarlo(
    instance="two-coordinates-grid",
    label="coordinates share a permutation",
    parameters={"n": 4, "d": 6, "chance": EVENT.chance},
)
def joint_law(law: Law) -> MonteCarloCase:
    """How often two coordinates of four clients have the same permutation: once in 4! rounds."""

    def sample(rng: Any, size: int) -> Any:
        return events(EVENT, rng, size, sabotaged=law.common)

    return MonteCarloCase("eq", sample, EVENT.chance, upper=1.0, tolerance=HALF_WIDTH)
